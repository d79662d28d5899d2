//! Statistics of samples, independent of file formats and pages.

mod bootstrap;
mod change;
mod change_point;
mod correction;
mod fit;
mod geomean;
mod interval;
mod mann_whitney;
mod quantile;
mod sample;
mod signed_rank;
mod verdict;

pub use crate::model::estimator::Estimator;
pub use bootstrap::MIN_SAMPLE_FOR_BOOTSTRAP;
pub use change::Change;
pub use change_point::{LevelChange, MIN_HISTORY, MIN_LEVEL, change_points};
pub use correction::benjamini_hochberg;
pub use fit::LinearFit;
pub use geomean::geometric_mean;
pub use interval::{Interval, MEDIAN_CONFIDENCE};
pub use mann_whitney::mann_whitney;
pub use quantile::quantile;
pub use sample::Sample;
pub use verdict::{Comparison, MAX_CONTROL, MIN_SAMPLE_FOR_TEST, Pair, Rules, Test, Verdict};

#[cfg(test)]
#[path = "tests/simulation.rs"]
mod simulation;
