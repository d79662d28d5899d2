//! What every room needs: errors, messages, encoders for text of others, names, limits.

pub(crate) mod console;
pub(crate) mod day;
pub mod escape;
pub mod failure;
pub mod footnotes;
pub(crate) mod group;
pub(crate) mod limits;
pub(crate) mod random;
pub mod slug;
pub(crate) mod words;
