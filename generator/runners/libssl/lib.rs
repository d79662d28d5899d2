//! Measures the libraries with OpenSSL's C API: OpenSSL, BoringSSL and AWS-LC, one per feature.

#[cfg(feature = "aws-lc")]
use aws_lc_sys as _;
#[cfg(feature = "boringssl")]
use boring_sys as _;

pub use harness::c::main;
