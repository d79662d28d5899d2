//! The command line of every runner, and the list of scenarios on standard input.

use crate::rows::Rows;
use crate::workload::Effort;
use crate::{Credentials, Scenario, Tls, Workload, allocations, label, workload};
use std::env;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

const USAGE: &str = "\
usage: RUNNER --certificates DIR [--multiplier X] [--run N] [--latencies DIR] [--counts] [--no-heading] [SCENARIO…]
       RUNNER --about

Measures each scenario, and prints tidy CSV. Without scenarios, reads them from standard input,
one per line; empty lines and lines that start with # are skipped.

  --certificates DIR   a folder written by `certificates`
  --multiplier X       scale the work of each scenario (default: 1)
  --run N              the number of this run, from 1 (default: 1)
  --latencies DIR      write the time of each handshake of `latency of …` to new files in DIR
  --counts             count each side's work for a handshake or a MiB, instead of timing it
  --instructions       do the same work for callgrind to count, and print nothing
  --no-heading         print rows only
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
    multiplier: f64,
    run: u32,
    latencies: Option<PathBuf>,
    counts: bool,
    instructions: bool,
    heading: bool,
    about: bool,
    scenarios: Vec<String>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            certificates: PathBuf::new(),
            multiplier: 1.0,
            run: 1,
            latencies: None,
            counts: false,
            instructions: false,
            heading: true,
            about: false,
            scenarios: Vec::new(),
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--certificates" => options.certificates = value()?.into(),
                "--multiplier" => options.multiplier = positive(&value()?)?,
                "--run" => options.run = value()?.parse().map_err(|e| format!("--run: {e}"))?,
                "--latencies" => options.latencies = Some(value()?.into()),
                "--counts" => options.counts = true,
                "--instructions" => options.instructions = true,
                "--no-heading" => options.heading = false,
                "--about" => options.about = true,
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}"));
                }
                _ => options.scenarios.push(arg),
            }
        }
        if options.certificates.as_os_str().is_empty() && !options.about {
            return Err("--certificates DIR is required".to_owned());
        }
        Ok(options)
    }

    fn run<T: Tls>(mut self) -> Result<(), crate::Error> {
        let mut out = io::stdout();
        if self.about {
            let variant = T::variant().join("+");
            let released = T::released().unwrap_or_default();
            writeln!(out, "{},{},{variant},{released}", T::NAME, T::version())?;
            return Ok(());
        }
        if self.scenarios.is_empty() {
            self.scenarios = listed(io::stdin())?;
        }
        let scenarios: Vec<Scenario> = self
            .scenarios
            .iter()
            .map(|label| label::parse(label))
            .collect::<Result<_, _>>()?;
        if self.counts {
            allocations::count()?;
        }
        let mut rows = Rows::new::<T>(self.run, io::stdout());
        if self.heading && !self.instructions {
            rows.heading()?;
        }
        let is_alone = scenarios.len() == 1;
        for scenario in &scenarios {
            // The peak covers everything that the process did before.
            if scenario.workload == Workload::Memory && !is_alone {
                self.in_own_process(&scenario.label(), &mut out)?;
                continue;
            }
            let context = |e: &dyn std::fmt::Display| format!("`{}`: {e}", scenario.label());
            let credentials =
                Credentials::load(&self.certificates, scenario).map_err(|e| context(&e))?;
            let effort = Effort {
                multiplier: self.multiplier,
                latencies: self.latencies.as_deref(),
                is_counting: self.counts || self.instructions,
            };
            let figures =
                workload::measure::<T>(scenario, &credentials, effort).map_err(|e| context(&e))?;
            for figure in figures.iter().filter(|_| !self.instructions) {
                rows.write::<T>(figure)?;
            }
        }
        Ok(())
    }

    fn in_own_process(&self, label: &str, out: &mut impl Write) -> Result<(), crate::Error> {
        let output = Command::new(env::current_exe()?)
            .arg("--certificates")
            .arg(&self.certificates)
            .args(["--run", &self.run.to_string(), "--no-heading", label])
            .stderr(Stdio::inherit())
            .output()?;
        // Written in one piece, so that rows of two processes never mix.
        out.write_all(&output.stdout)?;
        out.flush()?;
        if output.status.success() {
            Ok(())
        } else {
            Err(format!("`{label}`: {}", output.status).into())
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or(format!("a multiplier is a positive number, not `{text}`"))
}

fn listed(mut input: impl Read) -> Result<Vec<String>, crate::Error> {
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let lines = text.lines().map(str::trim);
    let labels: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if labels.is_empty() {
        return Err("no scenario on standard input".into());
    }
    Ok(labels)
}
