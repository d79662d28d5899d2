//! What to measure: from the words of the command line to targets, releases and sources.

pub(crate) mod catalog;
pub(crate) mod release;
pub(super) mod sources;
pub(crate) mod table;
pub(crate) mod target;
