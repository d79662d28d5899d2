//! Measures s2n-tls.

mod config;
mod end;
mod policy;

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<config::S2n>()
}
