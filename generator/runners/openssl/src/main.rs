//! Measures OpenSSL.

mod config;
mod control;
mod end;

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::main::<config::OpenSsl>()
}
