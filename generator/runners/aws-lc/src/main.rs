//! Measures AWS-LC.

use std::process::ExitCode;

fn main() -> ExitCode {
    libssl::main()
}
