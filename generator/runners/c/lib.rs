//! Measures libraries in C, one per feature.

#[cfg(feature = "aws-lc")]
use aws_lc_sys as _;
#[cfg(feature = "boringssl")]
use boring_sys as _;

pub use harness::c::main;
