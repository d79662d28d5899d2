//! The command line of every runner.

use crate::protocol::{Task, serve};
use crate::{Credentials, Error, Scenario, Tls, allocations, clock};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::atomic::Ordering::Relaxed;
use std::{env, panic};

const USAGE: &str = "\
usage: RUNNER --certificates DIR [--counts | --instructions N] SCENARIO
       RUNNER --about

Measures one scenario, by commands on standard input.

  --certificates DIR   a folder written by `certificates`
  --counts             count each side's work instead of timing it
  --instructions N     do N times the work that callgrind counts, and print nothing
  --slow PERCENT       for tests: prolong all timed work by so many percent of its time
  --about              print name,version,variant,released of the library and exit
";

/// The `main` of a runner.
///
/// Exit codes: 0 success, unsupported scenarios included; 1 failure; 2 wrong usage.
pub fn main<T: Tls>() -> ExitCode {
    let options = match Options::parse(env::args().skip(1)) {
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
        Options::About => about::<T>(),
        Options::Serve(folder, task, label) => run::<T>(&folder, task, &label),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{}: {error}\n", T::NAME));
            ExitCode::FAILURE
        }
    }
}

/// Prints to standard error. Unlike `eprint!` it ignores errors, such as a full disk: the exit code
/// still reports the failure.
fn complain(message: &str) {
    let _lost = io::stderr().write_all(message.as_bytes());
}

enum Options {
    About,
    /// The folder of certificates, the task and the scenario's label.
    Serve(PathBuf, Task, String),
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut certificates, mut task, mut scenario) = (None, Task::Time, None);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--certificates" => certificates = Some(value()?),
                "--counts" => task = Task::Count,
                "--instructions" => task = Task::Instructions(number(&value()?)?.into()),
                "--slow" => clock::SLOWED.store(number(&value()?)?, Relaxed),
                "--about" => return Ok(Self::About),
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}"));
                }
                _ if scenario.is_none() => scenario = Some(arg),
                _ => return Err(format!("one scenario only, not `{arg}` too")),
            }
        }
        let certificates = certificates.ok_or("--certificates DIR is required")?;
        let scenario = scenario.ok_or("a scenario is required")?;
        Ok(Self::Serve(certificates.into(), task, scenario))
    }
}

fn about<T: Tls>() -> Result<(), Error> {
    let (version, variant) = (T::version(), T::variant().join("+"));
    let released = T::released().unwrap_or_default();
    writeln!(io::stdout(), "{},{version},{variant},{released}", T::NAME)?;
    Ok(())
}

fn run<T: Tls>(certificates: &Path, task: Task, label: &str) -> Result<(), Error> {
    let scenario = Scenario::from_label(label)?;
    if matches!(task, Task::Count) {
        allocations::count()?;
    }
    let credentials = Credentials::load(certificates, &scenario);
    let served = credentials.map_err(Error::from);
    let served = served.and_then(|credentials| serve::<T>(&scenario, &credentials, task));
    served.map_err(|error| format!("`{label}`: {error}").into())
}

fn number(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|n| *n > 0);
    number.ok_or(format!("`{text}` is not a positive whole number"))
}
