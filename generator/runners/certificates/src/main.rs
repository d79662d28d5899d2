//! `certificates DIR`

use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    let (Some(folder), None) = (args.next(), args.next()) else {
        eprintln!("usage: certificates DIR");
        return ExitCode::from(2);
    };
    match certificates::make(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("certificates: {error}");
            ExitCode::FAILURE
        }
    }
}
