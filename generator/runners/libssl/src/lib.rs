//! Measures the libraries with OpenSSL's C API: OpenSSL, BoringSSL and AWS-LC, one per feature.

mod config;
mod connection;
mod library;
mod object;

/// The C API of the measured library.
#[cfg(feature = "openssl")]
mod ffi;
#[cfg(feature = "aws-lc")]
use aws_lc_sys as ffi;
#[cfg(feature = "boringssl")]
use boring_sys as ffi;

use std::process::ExitCode;

/// The `main` of a runner.
#[cfg(not(feature = "boringssl"))]
pub fn main() -> ExitCode {
    harness::main::<config::Library>()
}

/// The `main` of a runner, with the version from its lock file: BoringSSL has no releases.
#[cfg(feature = "boringssl")]
pub fn main(version: &'static str) -> ExitCode {
    library::set_version(version);
    harness::main::<config::Library>()
}
