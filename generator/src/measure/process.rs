//! Runs child processes. Each is killed when it hangs or prints too much, and with its process
//! group when it ends or the generator is interrupted.

use crate::base::failure::{Failure, Result};
use crate::base::limits::{FILE, exceeded};
use crate::measure::excerpt;
use anyhow::{Context, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Longest time without a look at a process: a signal may arrive just before the wait, and
/// descendants may keep the output of a process open that has ended.
const TICK: Duration = Duration::from_millis(250);

/// Time from the end of a process's output to its own.
const MOMENT: Duration = Duration::from_millis(1);

/// Timeout of a measuring program that says its version.
pub(crate) const QUICK: Duration = Duration::from_secs(120);

/// Lines of a failed process's standard error to show.
const ERROR_LINES: usize = 5;

/// Why a process gave no result.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It failed, was killed, or printed something wrong, with what it said. Other processes can
    /// still be run.
    Failed(String),
    /// A program cannot measure what it was asked to, with the reason.
    Unsupported(String),
    /// Everything must end.
    Fatal(Failure),
}

impl Stop {
    /// Makes a failed process fatal; `what` precedes what it said.
    pub(crate) fn fatal(self, what: impl Display) -> Failure {
        match self {
            Self::Failed(why) | Self::Unsupported(why) => anyhow!("{what}{why}").into(),
            Self::Fatal(failure) => failure,
        }
    }
}

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Fatal(error.into())
    }
}

/// Returns a process's result; `None` if the process failed.
pub(crate) fn if_succeeded<T>(outcome: Result<T, Stop>) -> Result<Option<T>> {
    match outcome {
        Ok(result) => Ok(Some(result)),
        Err(Stop::Failed(_) | Stop::Unsupported(_)) => Ok(None),
        Err(Stop::Fatal(failure)) => Err(failure),
    }
}

/// Runs a system command. Returns its standard output, or fails with standard error.
pub(crate) fn text(command: &mut Command) -> Result<String, Stop> {
    success(run(command, Duration::MAX)?)
}

/// Runs a system command that must succeed; `what` precedes what it said otherwise.
pub(crate) fn output(command: &mut Command, what: impl Display) -> Result<String> {
    text(command).map_err(|stop| stop.fatal(what))
}

/// Runs a command to its end, or for `timeout`, with nothing to read.
pub(crate) fn run(command: &mut Command, timeout: Duration) -> Result<Output, Stop> {
    check_signals()?;
    Process::start(command.stdin(Stdio::null()), timeout)?.ended()
}

/// The last signal received, or 0. Global, because signals are per process.
static LAST_SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Installs handlers that record Ctrl-C and SIGTERM, which then no longer end the generator, but
/// are handled where no work is half done. SIGHUP keeps its disposition, so that `nohup` works.
pub(crate) fn watch_signals() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(signal, Arc::clone(&LAST_SIGNAL), signal as usize)
            .context("cannot install signal handlers")?;
    }
    Ok(())
}

/// Fails if a signal was received.
fn check_signals() -> Result<()> {
    match LAST_SIGNAL.load(Ordering::Relaxed) {
        0 => Ok(()),
        signal => Err(Failure::Interrupted {
            signal: signal as u8,
            message: "interrupted".to_owned(),
        }),
    }
}

/// Returns the standard output of a process, or fails with its exit status and standard error.
pub(crate) fn success(ended: Output) -> Result<String, Stop> {
    match ended.status.success() {
        true => Ok(String::from_utf8_lossy(&ended.stdout).into_owned()),
        false => Err(failed(&ended)),
    }
}

/// Says why a process ended too early. Of standard error it has the first lines: a usage text or a
/// backtrace may follow the error.
fn failed(ended: &Output) -> Stop {
    if ended.status.success() && ended.stderr.is_empty() {
        return Stop::Failed("it ended without an answer".to_owned());
    }
    let errors = String::from_utf8_lossy(&ended.stderr);
    let lines: Vec<String> = errors.lines().take(ERROR_LINES).map(excerpt).collect();
    Stop::Failed(format!("{}: {}", ended.status, lines.join("\n  ")))
}

/// A child process, which is killed and reaped on drop.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    output: Printed,
    errors: Printed,
    status: Option<ExitStatus>,
    /// Longest wait for an answer or its end.
    timeout: Duration,
}

impl Process {
    /// Starts a process in its own group: Ctrl-C reaches the generator only, which kills the group.
    pub(crate) fn start(command: &mut Command, timeout: Duration) -> Result<Self, Stop> {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.process_group(0).spawn();
        let name = || format!("cannot start {}", command.get_program().to_string_lossy());
        let mut child = child.with_context(name)?;
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let mut process = Self {
            child,
            output: Printed::default(),
            errors: Printed::default(),
            status: None,
            timeout,
        };
        process.output.listen(output)?;
        process.errors.listen(errors)?;
        Ok(process)
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Writes a line to standard input, and waits for the answer.
    pub(crate) fn ask(&mut self, command: &str) -> Result<String, Stop> {
        let line = format!("{command}\n");
        let input = self.child.stdin.as_mut();
        match input.map_or(Ok(()), |input| input.write_all(line.as_bytes())) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(error).context("cannot write to a child process")?
            }
            // If it has ended, the wait says so.
            _ => self.line(),
        }
    }

    /// Waits for a line of output, without the newline. Fails if the process exits instead.
    pub(crate) fn line(&mut self) -> Result<String, Stop> {
        self.wait(|output| output.contains(&b'\n'))?;
        let bytes = &mut self.output.bytes;
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            return Err(failed(&self.ended()?));
        };
        let line: Vec<u8> = bytes.drain(..=end).collect();
        Ok(String::from_utf8_lossy(&line[..end]).into_owned())
    }

    /// Closes standard input, waits until the process exits, and kills the rest of its group.
    pub(crate) fn ended(&mut self) -> Result<Output, Stop> {
        drop(self.child.stdin.take());
        self.wait(|_| false)?;
        Ok(Output {
            status: self.finish()?,
            stdout: std::mem::take(&mut self.output.bytes),
            stderr: std::mem::take(&mut self.errors.bytes),
        })
    }

    /// Reads its output until there is enough of it, or until the process exits. It has failed if
    /// that takes too long, or if it prints too much.
    fn wait(&mut self, is_enough: impl Fn(&[u8]) -> bool) -> Result<(), Stop> {
        let start = Instant::now();
        loop {
            // It stays a zombie, so that no other group can get its ID before `finish`.
            let exited = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            let exited = waitid(WaitId::Pid(self.id()), exited);
            let exited = exited.context("cannot wait for a child process")?;
            let read = self.output.read("output");
            let read = read.and_then(|()| self.errors.read("error"));
            // An answer counts, however much a program has printed after it.
            if is_enough(&self.output.bytes) {
                return Ok(());
            }
            read?;
            if exited.is_some() {
                return Ok(());
            }
            check_signals()?;
            let left = self.timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                let seconds = self.timeout.as_secs_f64();
                let why = format!("still running after {seconds} s; give it longer with --timeout");
                return Err(why.into());
            }
            self.sleep(left)?;
        }
    }

    /// Sleeps until it prints or closes its output, for `time` at most. It does not poll in
    /// between, which would disturb the measurement.
    fn sleep(&self, time: Duration) -> anyhow::Result<()> {
        let pipes = [&self.output.pipe, &self.errors.pipe].into_iter().flatten();
        let mut pipes: Vec<_> = pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)).collect();
        let time = time.min(if pipes.is_empty() { MOMENT } else { TICK });
        let time = Timespec::try_from(time).context("a time of seconds")?;
        match poll(&mut pipes, Some(&time)) {
            // It ends early at a signal, which the caller checks.
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error).context("cannot wait for a child process"),
        }
    }

    /// Kills it with its group, unless that is done, and reaps it.
    fn finish(&mut self) -> anyhow::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let killed = kill_process_group(self.id(), Signal::KILL);
        killed.context("cannot kill a child process")?;
        let status = self.child.wait();
        let status = status.context("cannot wait for a child process")?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(error) = self.finish() {
            crate::say!("warning: {error:#}");
        }
    }
}

/// One output stream of a process, and the bytes read so far.
#[derive(Debug, Default)]
struct Printed {
    /// `None` once it is closed or over the limit.
    pipe: Option<File>,
    bytes: Vec<u8>,
}

impl Printed {
    fn listen(&mut self, pipe: Option<impl Into<OwnedFd>>) -> anyhow::Result<()> {
        self.pipe = pipe.map(|pipe| File::from(pipe.into()));
        let is_set = self.pipe.as_ref().map(|pipe| ioctl_fionbio(pipe, true));
        is_set.transpose().context("cannot read from a pipe")?;
        Ok(())
    }

    /// Reads what is available. Fails if the output exceeds the limit.
    fn read(&mut self, name: &str) -> Result<(), Stop> {
        let room = FILE + 1 - self.bytes.len();
        if let Some(pipe) = &self.pipe {
            match pipe.take(room as u64).read_to_end(&mut self.bytes) {
                Ok(_) => self.pipe = None,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => Err(error).context("cannot read what a child process prints")?,
            }
        }
        if self.bytes.len() > FILE {
            let much = exceeded(FILE, &format!("bytes to standard {name}"));
            return Err(format!("it printed {much}").into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hanging_command_is_killed() {
        let stop = run(Command::new("sleep").arg("60"), Duration::from_millis(300));
        let why = stop.expect_err("no end").fatal("sleep: ").to_string();
        let expected = "sleep: still running after 0.3 s; give it longer with --timeout";
        assert_eq!(why, expected);
    }
}
