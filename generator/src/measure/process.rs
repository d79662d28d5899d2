//! Runs child processes, each with its descendants in a process group. The group is killed when the
//! child ends, hangs or prints too much, and when the generator ends.

use super::interrupt;
use crate::base::failure::{Failure, Result};
use crate::base::limits::{FILE, exceeded};
use crate::files::read_optional;
use anyhow::{Context, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, waitpid,
};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a signal may go unnoticed that arrives just before the wait for a process.
const TICK: Duration = Duration::from_secs(1);

/// Timeout of short commands, the longest of which generates an RSA-4096 key.
const QUICK: Duration = Duration::from_secs(120);

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

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Fatal(failure)
    }
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
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
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null());
    // `Command::output` panics where a pipe cannot be read.
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.with_context(|| format!("cannot run {name}"))?;
    let ended = follow(command, &mut child, Duration::MAX);
    if ended.is_err() {
        child.kill().context("cannot kill a child process")?;
        child.wait().context("cannot wait for a child process")?;
    }
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

/// A process that has exited, with its output where that was piped.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

/// A process and a guard, in one process group that the guard leads. The guard's standard input
/// closes when the generator ends, however that happens, and then it kills the group. While the
/// guard exists, no other group can get the same ID.
struct ProcessGroup {
    guard: Child,
    child: Child,
}

impl ProcessGroup {
    fn spawn(command: &mut Command) -> anyhow::Result<Self> {
        // For `kill_orphans`.
        set_child_subreaper(Some(getpid())).context("cannot adopt processes")?;
        let mut guard = Command::new("sh");
        let guard = guard.args(["-c", "read -r _; kill -KILL 0"]);
        let guard = guard.stdin(Stdio::piped()).process_group(0).spawn();
        let mut guard = guard.context("cannot start sh")?;
        let group = guard.id().cast_signed();
        // Ctrl-C reaches the generator only, which then kills the group.
        match command.stdin(Stdio::null()).process_group(group).spawn() {
            Ok(child) => Ok(Self { guard, child }),
            Err(error) => {
                drop(guard.stdin.take());
                guard.wait().context("cannot wait for sh")?;
                let name = command.get_program().to_string_lossy();
                Err(error).with_context(|| format!("cannot start {name}"))
            }
        }
    }

    /// Kills the whole group, and reaps both children.
    fn kill(&mut self) -> anyhow::Result<()> {
        kill_process_group(Pid::from_child(&self.guard), Signal::KILL)
            .context("cannot kill a child process")?;
        for process in [&mut self.child, &mut self.guard] {
            process.wait().context("cannot wait for a child process")?;
        }
        Ok(())
    }
}

/// Waits until a process exits, and reads its output meanwhile. After an error the process must be
/// killed; it has failed if it took too long, or printed too much.
fn follow(command: &Command, child: &mut Child, timeout: Duration) -> Result<Ended, Stop> {
    let start = Instant::now();
    let unread = || format!("cannot read what {command:?} prints");
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let printed = Printed::of(output).and_then(|output| Ok([output, Printed::of(errors)?]));
    let mut printed = printed.with_context(unread)?;
    loop {
        let left = timeout.saturating_sub(start.elapsed());
        wait(child, &printed, left.min(TICK));
        let ended = child.try_wait();
        let ended = ended.context("cannot wait for a child process")?;
        for (printed, what) in printed.iter_mut().zip(["output", "error"]) {
            if printed.read().with_context(unread)? {
                let much = exceeded(FILE, &format!("bytes to standard {what}"));
                return Err(format!("it printed {much}").into());
            }
        }
        if let Some(status) = ended {
            let [output, errors] = printed.map(|printed| printed.bytes);
            return Ok(Ended {
                status,
                output,
                errors,
            });
        }
        interrupt::check()?;
        if start.elapsed() >= timeout {
            let seconds = timeout.as_secs_f64();
            let why = format!("still running after {seconds} s; give it longer with --timeout");
            return Err(why.into());
        }
    }
}

/// One output stream of a process, and the bytes read so far.
struct Printed {
    /// `None` once it is closed or over the limit.
    pipe: Option<File>,
    bytes: Vec<u8>,
}

impl Printed {
    fn of(pipe: Option<impl Into<OwnedFd>>) -> io::Result<Self> {
        let pipe = pipe.map(|pipe| File::from(pipe.into()));
        if let Some(pipe) = &pipe {
            ioctl_fionbio(pipe, true)?;
        }
        let bytes = Vec::new();
        Ok(Self { pipe, bytes })
    }

    /// Reads what is available. Returns whether the output exceeds the limit.
    fn read(&mut self) -> io::Result<bool> {
        let room = FILE + 1 - self.bytes.len();
        if let Some(pipe) = &self.pipe {
            match pipe.take(room as u64).read_to_end(&mut self.bytes) {
                Ok(_) => self.pipe = None,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.bytes.len() > FILE)
    }
}

/// Runs a command to its end, or for `timeout`.
pub(crate) fn run(command: &mut Command, timeout: Duration) -> Result<Ended, Stop> {
    interrupt::check()?;
    let mut group = ProcessGroup::spawn(command)?;
    let ended = follow(command, &mut group.child, timeout);
    group.kill()?;
    ended
}

/// Kills descendants that left their group. As a subreaper this process adopts them once their
/// parent has ended. There must be no other children.
pub(super) fn kill_orphans() -> Result<()> {
    let this = std::process::id();
    let path = format!("/proc/self/task/{this}/children");
    // Missing on kernels without CONFIG_PROC_CHILDREN.
    while let Some(children) = read_optional(Path::new(&path))?.filter(|list| !list.is_empty()) {
        let children = String::from_utf8_lossy(&children).into_owned();
        for child in children.split_whitespace().map(str::parse) {
            let child = child.with_context(|| format!("{path} is `{children}`"))?;
            let child = Pid::from_raw(child).context("a process has no ID")?;
            kill_process(child, Signal::KILL).context("cannot kill a leftover process")?;
            waitpid(Some(child), WaitOptions::empty()).context("cannot wait for a process")?;
        }
    }
    Ok(())
}

/// Sleeps until the child exits or prints, for `time` at most. It does not poll in between, which
/// would disturb the measurement.
fn wait(child: &Child, printed: &[Printed], time: Duration) {
    let timeout = Timespec {
        tv_sec: time.as_secs().cast_signed(),
        tv_nsec: time.subsec_nanos().into(),
    };
    let waited = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).and_then(|child| {
        let pipes = printed.iter().flat_map(|printed| &printed.pipe);
        let pipes = pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN));
        let all = pipes.chain([PollFd::new(&child, PollFlags::IN)]);
        poll(&mut all.collect::<Vec<_>>(), Some(&timeout))
    });
    if waited.is_err() {
        // Kernels before 5.3 and some sandboxes have no pidfd.
        std::thread::sleep(time.min(Duration::from_millis(20)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a shell script, for half a second at most.
    fn shell(script: &str) -> Result<Ended, Stop> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        let timeout = Duration::from_millis(500);
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
        let why = shell("yes").expect_err("no end").fatal("sh: ").to_string();
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
