//! Child processes, each with all that it starts in a group of its own, which ends with it, with the
//! generator, when it hangs and when it prints without end.

use super::interrupt;
use super::watch::Switches;
use crate::failure::Result;
use crate::fs::read_optional;
use crate::limits::FILE;
use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, waitpid,
};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often a process that runs is looked at, for the progress bar.
const TICK: Duration = Duration::from_secs(1);

/// What is called now and then while a process runs, from any thread.
pub(crate) type Heartbeat<'a> = &'a (dyn Fn() + Sync);

/// For what answers at once, or makes a key of 4096 bits.
const QUICK: Duration = Duration::from_secs(120);

/// What a command of the system prints, or what it says when it fails. It may ask the user for a
/// password, so it stays in the group of the terminal.
pub(crate) fn text(command: &mut Command) -> Result<Result<String, String>> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null());
    // `Command::output` panics where a pipe cannot be read.
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.with_context(|| format!("cannot run {name}"))?;
    let ended = follow(command, &mut child, Duration::MAX, &|| {});
    if !matches!(ended, Ok(Ok(_))) {
        child.kill().context("cannot end a child process")?;
        child.wait().context("cannot wait for a child process")?;
    }
    let ended = ended?.map_err(|why| anyhow::anyhow!("{name}: {why}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(match ended.status.success() {
        true => Ok(text(&ended.output)),
        false => Err(text(&ended.errors).trim().to_owned()),
    })
}

/// Whether a command of the system runs at all, and well.
pub(super) fn succeeds(command: &mut Command) -> bool {
    matches!(text(command), Ok(Ok(_)))
}

/// Runs a program that prints little, and not for long.
pub(crate) fn output<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> Result<Ended> {
    let mut command = Command::new(program);
    command.args(arguments);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let ended = run(command, QUICK, &|| {})?;
    Ok(ended.map_err(|why| anyhow::anyhow!("{}: {why}", program.display()))?)
}

/// A process that has ended, with what it printed where that was asked for.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) switches: Switches,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

/// A process and a guard, the first of the group that all descendants of the process are in. The
/// guard's standard input ends with the generator, whatever ends that; and while it is there no
/// other group has the number of this one.
struct ProcessGroup {
    guard: Child,
    child: Child,
}

impl ProcessGroup {
    fn spawn(command: &mut Command) -> anyhow::Result<Self> {
        // For `end_orphans`.
        set_child_subreaper(Some(getpid())).context("cannot adopt processes")?;
        let mut guard = Command::new("sh");
        let guard = guard.args(["-c", "read -r _; kill -KILL 0"]);
        let guard = guard.stdin(Stdio::piped()).process_group(0).spawn();
        let mut guard = guard.context("cannot start sh")?;
        let group = guard.id().cast_signed();
        // A Ctrl-C is for the generator, which ends the group.
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

    /// Nothing of the group is there afterwards.
    fn end(&mut self) -> anyhow::Result<()> {
        kill_process_group(Pid::from_child(&self.guard), Signal::KILL)
            .context("cannot end a child process")?;
        for process in [&mut self.child, &mut self.guard] {
            process.wait().context("cannot wait for a child process")?;
        }
        Ok(())
    }
}

/// Waits for the end of a process, and reads what it prints until then.
fn follow(
    command: &Command,
    child: &mut Child,
    timeout: Duration,
    tick: Heartbeat,
) -> Result<Result<Ended, String>> {
    let start = Instant::now();
    let unread = || format!("cannot read what {command:?} prints");
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let printed = Printed::of(output).and_then(|output| Ok([output, Printed::of(errors)?]));
    let mut printed = printed.with_context(unread)?;
    loop {
        let left = timeout.saturating_sub(start.elapsed());
        wait(child, &printed, left.min(TICK));
        // Gone with the process, once its end is taken.
        let switches = Switches::of(child.id());
        let ended = child.try_wait();
        let ended = ended.context("cannot wait for a child process")?;
        for (printed, what) in printed.iter_mut().zip(["output", "error"]) {
            if printed.read().with_context(unread)? {
                let much = FILE.exceeded(&format!("bytes to standard {what}"));
                return Ok(Err(format!("it printed {much}")));
            }
        }
        if let Some(status) = ended {
            let [output, errors] = printed.map(|printed| printed.bytes);
            return Ok(Ok(Ended {
                status,
                switches,
                output,
                errors,
            }));
        }
        interrupt::check()?;
        tick();
        if start.elapsed() >= timeout {
            let seconds = timeout.as_secs_f64();
            return Ok(Err(format!(
                "still running after {seconds} s; --timeout gives it longer"
            )));
        }
    }
}

/// What a process has printed to one of its outputs.
struct Printed {
    /// Until it is closed, or has given too much.
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

    /// Reads what is there, and says whether that is more than any program has to say.
    fn read(&mut self) -> io::Result<bool> {
        let room = FILE.get() + 1 - self.bytes.len();
        if let Some(pipe) = &self.pipe {
            match pipe.take(room as u64).read_to_end(&mut self.bytes) {
                Ok(_) => self.pipe = None,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.bytes.len() > FILE.get())
    }
}

/// Runs a command to its end, or for `timeout`. The inner error says why it was ended.
pub(crate) fn run(
    command: &mut Command,
    timeout: Duration,
    tick: Heartbeat,
) -> Result<Result<Ended, String>> {
    interrupt::check()?;
    let mut group = ProcessGroup::spawn(command)?;
    let ended = follow(command, &mut group.child, timeout, tick);
    group.end()?;
    ended
}

/// Ends what has left its group. Such a process is a child of this one once its parent has ended;
/// no other child may be there.
pub(super) fn end_orphans() -> Result<()> {
    let this = std::process::id();
    let path = format!("/proc/self/task/{this}/children");
    // Kernels built without CONFIG_PROC_CHILDREN do not tell.
    while let Some(children) = read_optional(Path::new(&path))?.filter(|list| !list.is_empty()) {
        let children = String::from_utf8_lossy(&children).into_owned();
        for child in children.split_whitespace().map(str::parse) {
            let child = child.with_context(|| format!("{path} is `{children}`"))?;
            let child = Pid::from_raw(child).context("a process has no number")?;
            kill_process(child, Signal::KILL).context("cannot end a process that was left")?;
            waitpid(Some(child), WaitOptions::empty()).context("cannot wait for a process")?;
        }
    }
    Ok(())
}

/// Sleeps until the child ends or prints, but no longer than `time`. Nothing wakes up meanwhile: what
/// is measured has the machine for itself.
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

    /// A shell with this script, for half a second at most.
    fn shell(script: &str) -> Result<Ended, String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        let timeout = Duration::from_millis(500);
        run(&mut command, timeout, &|| {}).expect("it starts")
    }

    #[test]
    fn what_it_printed_is_kept() {
        let ended = shell("echo figure; exit 3").expect("an end");
        assert_eq!(
            (ended.output.as_slice(), ended.status.code()),
            (&b"figure\n"[..], Some(3))
        );
    }

    /// Nobody waits for so long, should it not be killed.
    #[test]
    fn what_hangs_is_killed() {
        let why = shell("trap '' TERM INT HUP; exec >&-; sleep 100000").expect_err("no end");
        assert!(why.starts_with("still running after 0.5 s"), "{why}");
    }

    #[test]
    fn what_prints_without_end_is_killed() {
        let why = shell("yes").expect_err("no end");
        assert!(why.starts_with("it printed more than "), "{why}");
    }

    /// It holds the pipe, and nobody waits for it.
    #[test]
    fn what_is_left_behind_is_killed() {
        let ended = shell("sleep 100000 & echo $!").expect("an end");
        let process = String::from_utf8(ended.output).expect("a number");
        // Of a process that has ended it is empty, until somebody takes its end.
        let command = Path::new("/proc").join(process.trim()).join("cmdline");
        while std::fs::read(&command).is_ok_and(|words| !words.is_empty()) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
