//! What is measured: implementations, scenarios, units, and one tidy row of any format.

pub mod distribution;
pub mod estimator;
pub mod implementation;
pub mod machine;
pub mod observation;
pub mod scale;
// The crate that is shared with the measuring programs.
#[path = "../../embedded/sources/scenario/src/lib.rs"]
pub mod scenario;
pub mod tidy;
pub mod unit;
pub mod version;
