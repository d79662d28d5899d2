//! Measures OpenSSL.

mod config;
mod control;
mod end;
mod library;

/// What is behind the files that OpenSSL and BoringSSL share.
mod crates {
    pub(crate) use openssl as api;
    pub(crate) use openssl_sys as ffi;
}

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<config::Library>()
}
