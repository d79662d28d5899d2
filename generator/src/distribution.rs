//! Distributions of many values of one process, kept as HDR histograms.
use crate::scenario::Percentile;
/// Values in seconds, three significant digits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {}
impl Distribution {
    /// seam
    pub fn merge(&mut self, _o: &Self) {}
    /// seam
    pub fn at(&self, _p: Percentile) -> Option<f64> { None }
}
