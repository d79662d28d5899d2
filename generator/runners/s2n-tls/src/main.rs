//! Measures s2n-tls.

mod config;
mod end;

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<config::S2n>()
}
