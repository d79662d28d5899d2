//! `certificates DIR KEY…`

use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, keys @ ..] = arguments.as_slice() else {
        eprintln!("usage: certificates DIR KEY…");
        return ExitCode::from(2);
    };
    for key in keys {
        if let Err(error) = certificates::make(Path::new(folder), key) {
            eprintln!("certificates: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
