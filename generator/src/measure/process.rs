//! Runs child processes. Each is killed when it hangs or prints too much, and with its descendants when
//! it ends or the generator is interrupted.

use super::{excerpt, interrupt, system};
use crate::base::failure::{Failure, Result};
use crate::base::limits::{FILE, exceeded};
use anyhow::{Context, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a signal may go unnoticed that arrives just before the wait for a process.
const TICK: Duration = Duration::from_secs(1);

/// Timeout of short commands, the longest of which generates an RSA-4096 key.
const QUICK: Duration = Duration::from_secs(120);

/// Lines of a failed process's standard error to show.
const ERROR_LINES: usize = 5;

/// Why a process gave no result.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It failed, was killed, or printed something wrong, with what it said. Other processes can
    /// still be run.
    Failed(String),
    /// Everything must end.
    Fatal(Failure),
}

impl Stop {
    /// Makes a failed process fatal; `what` precedes what it said.
    pub(crate) fn fatal(self, what: impl Display) -> Failure {
        match self {
            Self::Failed(why) => anyhow!("{what}{why}").into(),
            Self::Fatal(failure) => failure,
        }
    }

    /// Adds context unless it is the process that failed.
    pub(crate) fn context(self, what: &'static str) -> Self {
        match self {
            Self::Fatal(failure) => Self::Fatal(failure.context(what)),
            failed => failed,
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
pub(crate) fn if_it_works<T>(outcome: Result<T, Stop>) -> Result<Option<T>> {
    match outcome {
        Ok(result) => Ok(Some(result)),
        Err(Stop::Failed(_)) => Ok(None),
        Err(Stop::Fatal(failure)) => Err(failure),
    }
}

/// Runs a system command. Returns its standard output, or fails with standard error. It may ask
/// for a password, so it stays in the terminal's foreground group.
pub(crate) fn text(command: &mut Command) -> Result<String, Stop> {
    text_within(command, Duration::MAX)
}

/// Runs a system command as [`text`] does, and stops everything if it takes longer than `limit`.
pub(super) fn text_within(command: &mut Command, limit: Duration) -> Result<String, Stop> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.stdin(Stdio::null()).spawn();
    let child = child.with_context(|| format!("cannot run {name}"))?;
    let ended = Process::new(child, false).and_then(|mut process| process.ended(limit));
    let ended = ended.map_err(|stop| stop.fatal(format!("{name}: ")))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match ended.status.success() {
        true => Ok(text(&ended.output)),
        false => Err(text(&ended.errors).trim().to_owned().into()),
    }
}

/// Runs a short program, with a timeout of [`QUICK`].
pub(crate) fn output<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> Result<Ended> {
    let mut command = Command::new(program);
    command.args(arguments);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    run(command, QUICK).map_err(|stop| stop.fatal(format!("{}: ", program.display())))
}

/// Runs a command to its end, or for `timeout`.
pub(crate) fn run(command: &mut Command, timeout: Duration) -> Result<Ended, Stop> {
    interrupt::check()?;
    Process::start(command.stdin(Stdio::null()))?.ended(timeout)
}

/// A process that has exited, with its output where that was piped.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

impl Ended {
    /// Describes why it ended too early. Of standard error it has the first lines: a usage text or a
    /// backtrace may follow the error.
    pub(crate) fn describe(&self) -> String {
        if self.status.success() && self.errors.is_empty() {
            return "it ended without an answer".to_owned();
        }
        let errors = String::from_utf8_lossy(&self.errors);
        let lines: Vec<String> = errors.lines().take(ERROR_LINES).map(excerpt).collect();
        format!("{}: {}", self.status, lines.join("\n  "))
    }
}

/// A child process, which is killed and reaped on drop.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Whether it leads a process group, which is killed with it.
    is_leader: bool,
    /// For waiting; an error where the system has no such thing.
    exit: rustix::io::Result<OwnedFd>,
    output: Printed,
    errors: Printed,
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a process in its own group: Ctrl-C reaches the generator only, which kills the group.
    pub(crate) fn start(command: &mut Command) -> Result<Self, Stop> {
        let child = command.process_group(0).spawn();
        let name = || format!("cannot start {}", command.get_program().to_string_lossy());
        Self::new(child.with_context(name)?, true)
    }

    fn new(mut child: Child, is_leader: bool) -> Result<Self, Stop> {
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let mut process = Self {
            exit: system::exit_of(Pid::from_child(&child)),
            child,
            is_leader,
            output: Printed::default(),
            errors: Printed::default(),
            status: None,
        };
        process.output.listen(output)?;
        process.errors.listen(errors)?;
        Ok(process)
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Writes to standard input. If the process has ended, the wait for its answer says so.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Stop> {
        let Some(input) = &mut self.child.stdin else {
            return Ok(());
        };
        match input.write_all(text.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(error).context("cannot write to a child process")?
            }
            _ => Ok(()),
        }
    }

    /// Waits for a line of output, without the newline; `None` if the process exits instead.
    pub(crate) fn line(&mut self, timeout: Duration) -> Result<Option<String>, Stop> {
        let (mut seen, mut end) = (0, None);
        self.wait(timeout, |output| {
            let more = output[seen..].iter().position(|byte| *byte == b'\n');
            end = more.map(|at| seen + at);
            seen = output.len();
            end.is_some()
        })?;
        Ok(end.map(|end| {
            let line: Vec<u8> = self.output.bytes.drain(..=end).collect();
            String::from_utf8_lossy(&line[..end]).into_owned()
        }))
    }

    /// Closes standard input, waits until the process exits, and kills its descendants.
    pub(crate) fn ended(&mut self, timeout: Duration) -> Result<Ended, Stop> {
        drop(self.child.stdin.take());
        self.wait(timeout, |_| false)?;
        Ok(Ended {
            status: self.finish()?,
            output: std::mem::take(&mut self.output.bytes),
            errors: std::mem::take(&mut self.errors.bytes),
        })
    }

    /// Reads its output until there is enough of it, or until the process exits. It has failed if that
    /// takes too long, or if it prints too much.
    fn wait(
        &mut self,
        timeout: Duration,
        mut is_enough: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Stop> {
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
            interrupt::check()?;
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                let seconds = timeout.as_secs_f64();
                // The limit of a system command is not an option.
                return Err(Stop::Failed(match self.is_leader {
                    true => {
                        format!("still running after {seconds} s; give it longer with --timeout")
                    }
                    false => format!("still running after its time limit of {seconds} s"),
                }));
            }
            self.sleep(left.min(TICK));
        }
    }

    /// Sleeps until it exits or prints, for `time` at most. It does not poll in between, which would
    /// disturb the measurement.
    fn sleep(&self, time: Duration) {
        let (Ok(exit), Ok(timeout)) = (&self.exit, Timespec::try_from(time)) else {
            std::thread::sleep(time.min(Duration::from_millis(20)));
            return;
        };
        let pipes = [&self.output.pipe, &self.errors.pipe].into_iter().flatten();
        let pipes = pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN));
        let mut all: Vec<_> = pipes.chain([PollFd::new(exit, PollFlags::IN)]).collect();
        // It ends early at a signal, which the caller checks.
        if poll(&mut all, Some(&timeout)).is_err() {
            std::thread::yield_now();
        }
    }

    /// Kills it with its descendants, unless that is done, and reaps it.
    fn finish(&mut self) -> anyhow::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let killed = match self.is_leader {
            true => kill_process_group(self.id(), Signal::KILL),
            false => kill_process(self.id(), Signal::KILL),
        };
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

    /// Runs a shell script, for half a second at most.
    fn shell(script: &str) -> Result<Ended, Stop> {
        shell_for(script, Duration::from_millis(500))
    }

    fn shell_for(script: &str, timeout: Duration) -> Result<Ended, Stop> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        run(&mut command, timeout)
    }

    #[test]
    fn output_is_kept() {
        let ended = shell("echo figure; exit 3").expect("an end");
        assert_eq!(
            (ended.output.as_slice(), ended.status.code()),
            (&b"figure\n"[..], Some(3))
        );
    }

    #[test]
    fn a_hanging_process_is_killed() {
        let stop = shell("trap '' TERM INT HUP; exec >&-; sleep 100000").expect_err("no end");
        let why = stop.fatal("sh: ").to_string();
        assert!(why.starts_with("sh: still running after 0.5 s"), "{why}");
    }

    #[test]
    fn endless_output_is_killed() {
        // Long enough on a busy machine.
        let stop = shell_for("yes", Duration::from_secs(60)).expect_err("no end");
        let why = stop.fatal("sh: ").to_string();
        assert!(why.starts_with("sh: it printed more than "), "{why}");
    }

    /// The background process keeps the pipe open; the run must not wait for it.
    #[test]
    fn background_processes_are_killed() {
        let ended = shell("sleep 100000 & echo $!").expect("an end");
        let process = String::from_utf8(ended.output).expect("a number");
        // Empty for a zombie, until it is reaped.
        let command = Path::new("/proc").join(process.trim()).join("cmdline");
        while std::fs::read(&command).is_ok_and(|words| !words.is_empty()) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
