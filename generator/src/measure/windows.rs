//! What other rooms need of measuring, on Windows, where nothing is measured.

pub(crate) mod records;
pub(crate) mod suite;
