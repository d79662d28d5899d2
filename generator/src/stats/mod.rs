//! Statistics of samples. Knows no file format and no page.

mod change;
mod fit;
mod interval;
mod sample;

pub use change::{Change, Word};
pub use fit::Line;
pub use interval::{Interval, MEDIAN_CONFIDENCE};
pub use sample::{Estimator, Sample};
