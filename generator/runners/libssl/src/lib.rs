//! Measures the libraries with OpenSSL's interface: OpenSSL and BoringSSL, by a feature each.

mod config;
mod control;
mod end;
mod library;

/// The crates of the library that is measured. Those of BoringSSL are forks of OpenSSL's.
mod crates {
    #[cfg(feature = "boringssl")]
    pub(crate) use {boring as api, boring_sys as ffi, foreign_types_boring as foreign_types};
    #[cfg(feature = "openssl")]
    pub(crate) use {foreign_types_openssl as foreign_types, openssl as api, openssl_sys as ffi};
}

use std::process::ExitCode;

/// The `main` of a runner.
#[cfg(feature = "openssl")]
pub fn main() -> ExitCode {
    harness::main::<config::Library>()
}

/// The `main` of a runner, which knows from its lock file what it links: BoringSSL has no releases.
#[cfg(feature = "boringssl")]
pub fn main(version: &'static str) -> ExitCode {
    library::set_version(version);
    harness::main::<config::Library>()
}
