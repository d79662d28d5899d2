//! A copy of a runner, compiled by cargo or the go command.

use super::process::{Process, Stop};
use super::tail;
use crate::base::failure::Result;
use crate::files;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Lines of a failed build to show; the log has the rest.
const LOG_LINES: usize = 12;

/// The copy of a runner for one target.
#[derive(Debug)]
pub(super) struct RunnerCopy {
    pub(super) folder: PathBuf,
    /// Cargo's target folder.
    pub(super) target: PathBuf,
    /// Standard error of all commands.
    pub(super) log: PathBuf,
    /// For messages: `rustls 0.23.43`.
    pub(super) name: String,
}

impl RunnerCopy {
    /// Runs a build command. Returns its standard output.
    pub(super) fn compile(&self, command: &mut Command) -> Result<String> {
        let (name, log) = (&self.name, self.log.display());
        let what = format!("{name} does not build; the log is {log}, and ends:\n");
        self.run(command).map_err(|stop| stop.fatal(what))
    }

    /// Runs a command with its standard error appended to the log. Returns its standard output, or
    /// fails with the last lines of standard error.
    pub(super) fn run(&self, command: &mut Command) -> Result<String, Stop> {
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
        Err(tail(&String::from_utf8_lossy(&stderr), LOG_LINES).into())
    }
}
