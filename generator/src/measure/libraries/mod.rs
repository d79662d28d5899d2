//! What to measure: from the words of the command line to targets, releases and sources.

pub(super) mod as_released;
pub(crate) mod catalog;
pub(super) mod checkout;
pub(crate) mod library;
pub(crate) mod release;
pub(crate) mod sources;
pub(crate) mod spec;
pub(crate) mod target;
