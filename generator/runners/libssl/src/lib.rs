//! Measures the libraries with OpenSSL's interface: OpenSSL, BoringSSL and AWS-LC, by a feature each.

mod config;
mod connection;
mod context;
mod library;

/// The C interface of the library that is measured.
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

/// The `main` of a runner, which knows from its lock file what it links: BoringSSL has no releases.
#[cfg(feature = "boringssl")]
pub fn main(version: &'static str) -> ExitCode {
    library::set_version(version);
    harness::main::<config::Library>()
}
