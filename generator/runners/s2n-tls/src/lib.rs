//! Measures s2n-tls.

mod config;
mod end;

use std::process::ExitCode;

/// The program, of this version.
pub fn main(version: &'static str) -> ExitCode {
    harness::run::<config::S2n>(version)
}
