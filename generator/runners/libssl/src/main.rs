//! Measures the libraries with OpenSSL's C API: OpenSSL, BoringSSL and AWS-LC, one per feature.

mod config;
mod connection;
mod object;

/// What differs between the libraries: the same functions, implemented for each.
#[cfg_attr(feature = "openssl", path = "openssl.rs")]
#[cfg_attr(not(feature = "openssl"), path = "boring.rs")]
mod library;

/// The C API of the measured library.
#[cfg(feature = "openssl")]
mod ffi;
#[cfg(feature = "aws-lc")]
use aws_lc_sys as ffi;
#[cfg(feature = "boringssl")]
use boring_sys as ffi;

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<config::Library>()
}
