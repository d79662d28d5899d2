//! Measures BoringSSL, which has no releases: the version is that of the crate with its sources.

use std::process::ExitCode;

fn main() -> ExitCode {
    libssl::main(concat!("boring-", env!("LIBRARY_VERSION")))
}
