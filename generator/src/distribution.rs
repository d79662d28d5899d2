//! Distributions of many values of one process, kept as HDR histograms.

/// Values in seconds, three significant digits.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {}
