//! The command line of every runner.

use crate::protocol::{Task, serve};
use crate::{Credentials, Error, Scenario, Tls, clock};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::{env, panic};

const USAGE: &str = "\
usage: RUNNER --certificates DIR [--counts | --instructions] SCENARIO
       RUNNER --about

Measures one scenario, by commands on standard input.

  --certificates DIR   generator/certificates, with a folder for each type of key
  --counts             count each side's work instead of timing it
  --instructions       do the work that callgrind counts
  --about              print name,version,variant,released of the library, and in another line the
                       options with which it was compiled if it knows them, and exit
";

static VERSION: OnceLock<&str> = OnceLock::new();

/// The version of the library's package in the lock file.
pub fn version() -> &'static str {
    VERSION.get().expect("set by `run`")
}

/// The `main` of a runner, with the version of the library's package.
///
/// Exit codes: 0 success, unsupported scenarios included; 1 failure; 2 wrong usage.
pub fn run<T: Tls>(version: &'static str) -> ExitCode {
    VERSION.get_or_init(|| version);
    let mut args = env::args();
    let is_control = args.next().is_some_and(|name| name.ends_with("_control"));
    if let (true, Ok(percent)) = (is_control, env::var("SLOW_CONTROL")) {
        clock::SLOWED.store(percent.parse().expect("a number"), Relaxed);
    }
    let options = match parse(args) {
        Ok(options) => options,
        Err(message) => {
            complain(&format!("{message}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    // Other threads would wait for one that panicked.
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print(info);
        process::exit(1);
    }));
    let done = match options {
        None => about::<T>(),
        Some((folder, task, label)) => measure::<T>(&folder, task, &label),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{}: {error}\n", T::name()));
            ExitCode::FAILURE
        }
    }
}

/// Prints to standard error. Unlike `eprint!` it ignores errors, such as a full disk: the exit code
/// still reports the failure.
fn complain(message: &str) {
    let _lost = io::stderr().write_all(message.as_bytes());
}

/// The folder of certificates, the task and the scenario's label.
type Options = (PathBuf, Task, String);

/// Parses the command line; `None` for `--about`.
fn parse(mut args: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let (mut certificates, mut task, mut scenario) = (None, Task::Time, None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--certificates" => certificates = args.next(),
            "--counts" => task = Task::Count,
            "--instructions" => task = Task::Instructions,
            "--about" => return Ok(None),
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            _ if scenario.is_none() => scenario = Some(arg),
            _ => return Err(format!("one scenario only, not `{arg}` too")),
        }
    }
    let certificates = certificates.ok_or("--certificates DIR is required")?;
    let scenario = scenario.ok_or("a scenario is required")?;
    Ok(Some((certificates.into(), task, scenario)))
}

fn about<T: Tls>() -> Result<(), Error> {
    let (version, variant) = (T::version(), T::variant().join("+"));
    let released = T::released().unwrap_or_default();
    writeln!(io::stdout(), "{},{version},{variant},{released}", T::name())?;
    if let Some(options) = T::options().filter(|options| !options.is_empty()) {
        writeln!(io::stdout(), "options: {options}")?;
    }
    Ok(())
}

fn measure<T: Tls>(certificates: &Path, task: Task, label: &str) -> Result<(), Error> {
    let scenario = Scenario::from_label(label)?;
    let credentials = Credentials::of(certificates, &scenario);
    let served = serve::<T>(&scenario, &credentials, task);
    served.map_err(|error| format!("`{label}`: {error}").into())
}
