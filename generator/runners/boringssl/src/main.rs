//! Measures BoringSSL.

use std::process::ExitCode;

fn main() -> ExitCode {
    libssl::main()
}
