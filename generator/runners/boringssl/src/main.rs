//! Measures BoringSSL.

#[path = "../../openssl/src/config.rs"]
mod config;
#[path = "../../openssl/src/control.rs"]
mod control;
#[path = "../../openssl/src/end.rs"]
mod end;
mod library;

/// What is behind the files that OpenSSL and BoringSSL share.
mod crates {
    pub(crate) use boring as api;
    pub(crate) use boring_sys as ffi;
}

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<config::Library>()
}
