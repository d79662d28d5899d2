//! What other rooms need of measuring, on Windows, where nothing is measured.

pub(crate) mod record;
pub(crate) mod suite;
