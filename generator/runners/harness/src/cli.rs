//! The command line of every runner.

use crate::protocol::{Task, serve};
use crate::{Credentials, Error, Scenario, Tls, allocations, clock};
use std::io::{self, Write};
use std::path::PathBuf;
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
    match options.run::<T>() {
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

#[derive(Debug)]
struct Options {
    certificates: PathBuf,
    task: Task,
    about: bool,
    scenario: String,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            certificates: PathBuf::new(),
            task: Task::Time,
            about: false,
            scenario: String::new(),
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--certificates" => options.certificates = value()?.into(),
                "--counts" => options.task = Task::Count,
                "--instructions" => options.task = Task::Instructions(number(&value()?)?.into()),
                "--slow" => clock::SLOWED.store(number(&value()?)?, Relaxed),
                "--about" => options.about = true,
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}"));
                }
                _ if options.scenario.is_empty() => options.scenario = arg,
                _ => return Err(format!("one scenario only, not `{arg}` too")),
            }
        }
        if options.certificates.as_os_str().is_empty() && !options.about {
            return Err("--certificates DIR is required".to_owned());
        }
        if options.scenario.is_empty() && !options.about {
            return Err("a scenario is required".to_owned());
        }
        Ok(options)
    }

    fn run<T: Tls>(self) -> Result<(), Error> {
        if self.about {
            let variant = T::variant().join("+");
            let released = T::released().unwrap_or_default();
            let about = format!("{},{},{variant},{released}", T::NAME, T::version());
            return Ok(writeln!(io::stdout(), "{about}")?);
        }
        let scenario = Scenario::from_label(&self.scenario)?;
        if matches!(self.task, Task::Count) {
            allocations::count()?;
        }
        let serve = || {
            let credentials = Credentials::load(&self.certificates, &scenario)?;
            serve::<T>(&scenario, &credentials, self.task)
        };
        serve().map_err(|error: Error| format!("`{}`: {error}", self.scenario).into())
    }
}

fn number(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|n| *n > 0);
    number.ok_or(format!("`{text}` is not a positive whole number"))
}
