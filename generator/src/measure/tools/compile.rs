//! A copy of a runner, compiled by cargo or the go command.

use crate::base::failure::Result;
use crate::files;
use crate::measure::process::{Process, Stop};
use crate::measure::tail;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Lines of a failed build to show; the log has the rest.
const LOG_LINES: usize = 12;

/// What cargo and the go command say if they cannot download.
const OFFLINE: [&str; 3] = ["failed to download", "offline mode", "dial tcp"];

const REMEDY: &str = "Sources are missing on this machine and cannot be downloaded: connect it to the registry, or copy \
     cargo's folder (~/.cargo; of Go ~/go) from a machine on which the same command has run";

/// The copy of a runner for one target.
#[derive(Debug)]
pub(in crate::measure) struct RunnerCopy {
    pub(in crate::measure) folder: PathBuf,
    /// Cargo's target folder.
    pub(in crate::measure) target: PathBuf,
    /// Standard error of all commands.
    pub(in crate::measure) log: PathBuf,
    /// For messages: `rustls 0.23.43`.
    pub(in crate::measure) name: String,
}

impl RunnerCopy {
    /// Runs a build command. Returns its standard output.
    pub(in crate::measure) fn compile(&self, command: &mut Command) -> Result<String> {
        let (name, log) = (&self.name, self.log.display());
        let what = format!("{name} does not build; the log is {log}, and ends:\n");
        self.run(command).map_err(|stop| stop.fatal(what))
    }

    /// Runs a command with its standard error appended to the log. Returns its standard output, or
    /// fails with the last lines of standard error.
    pub(in crate::measure) fn run(&self, command: &mut Command) -> Result<String, Stop> {
        let log = files::append(&self.log)?;
        let start = files::size(&self.log)? as usize;
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log);
        let ended = Process::start(command).and_then(|mut process| process.ended(Duration::MAX));
        let ended = ended.map_err(|stop| stop.fatal(format!("{}: ", self.name)))?;
        if ended.status.success() {
            return Ok(String::from_utf8_lossy(&ended.output).into_owned());
        }
        let stderr = files::read_whole(&self.log)?.split_off(start);
        let last_lines = tail(&String::from_utf8_lossy(&stderr), LOG_LINES);
        Err(with_remedy(last_lines.into()))
    }
}

/// Adds a remedy to what a command said that cannot download.
pub(in crate::measure) fn with_remedy(stop: Stop) -> Stop {
    match stop {
        Stop::Failed(why) if OFFLINE.iter().any(|words| why.contains(words)) => {
            Stop::Failed(format!("{why}\n{REMEDY}"))
        }
        stop => stop,
    }
}
