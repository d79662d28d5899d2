//! Estimators: how several runs become one figure.

use serde::Deserialize;
use std::fmt;

/// How the estimate is computed from a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// The middle value, or the mean of the two middle ones.
    #[default]
    Median,
    /// The middle value, or the greater of the two middle ones, as in the tables published in
    /// 2023 (`values[len / 2]` of the sorted values).
    MedianHigh,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The arithmetic mean.
    Mean,
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Median => "median",
            Self::MedianHigh => "median-high",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
        })
    }
}
