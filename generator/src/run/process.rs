//! Child processes: without address-space randomisation where that is permitted, ended with
//! the generator, and ended when they hang.

use super::interrupt;
use super::watch::{Switches, USER_HZ};
use crate::failure::Result;
use crate::fs::read_whole;
use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// How often a process that runs is looked at, for the progress bar.
const TICK: Duration = Duration::from_secs(1);

/// How programs are started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launcher {
    /// Words before the program's.
    prefix: Vec<&'static str>,
    /// Whether addresses are the same in each process.
    pub(crate) fixed_addresses: bool,
}

/// If the generator is killed its child must not go on beside the next one.
const ENDS_WITH_US: &[&str] = &["setpriv", "--pdeathsig", "KILL"];
/// Likewise for what starts processes of its own, as cargo does: the first word's shell ends its
/// whole group, which is none but theirs.
const ALL_END_WITH_US: &[&str] = &[
    "setpriv",
    "--pdeathsig",
    "TERM",
    "sh",
    "-c",
    "trap 'trap \"\" TERM; kill 0' TERM; \"$@\" & wait $!",
    "sh",
];
/// As the published reports were measured.
const FIXED_ADDRESSES: &[&str] = &["setarch", "-R"];

impl Launcher {
    /// Finds out what is permitted here: containers often forbid either.
    pub(crate) fn probe() -> Self {
        let [ends, fixed] = [ENDS_WITH_US, FIXED_ADDRESSES].map(if_permitted);
        Self {
            prefix: [ends, fixed].concat(),
            fixed_addresses: !fixed.is_empty(),
        }
    }

    /// A command that runs `program` behind more words.
    pub(crate) fn command(&self, words: &[String], program: &Path) -> Command {
        let words = words.iter().map(String::as_str);
        let words: Vec<&str> = self.prefix.iter().copied().chain(words).collect();
        behind(&words, program)
    }
}

/// No words if they do not work.
fn if_permitted<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let mut command = behind(words, Path::new("true"));
    let ran = command.stdin(Stdio::null()).output();
    match ran.is_ok_and(|output| output.status.success()) {
        true => words,
        false => &[],
    }
}

/// A command that runs `program`, and ends with all its children when the generator does.
pub(crate) fn family(program: &Path) -> Command {
    behind(if_permitted(ALL_END_WITH_US), program)
}

/// A command of these words and then `program`.
fn behind(words: &[&str], program: &Path) -> Command {
    let Some((first, others)) = words.split_first() else {
        return Command::new(program);
    };
    let mut command = Command::new(first);
    command.args(others).arg(program);
    command
}

/// Runs a program that prints little.
pub(crate) fn output<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> anyhow::Result<Output> {
    let output = Command::new(program).args(arguments).output();
    output.with_context(|| format!("cannot run {}", program.display()))
}

/// The time that all processes started here have taken of processors until their end, with those
/// that they started.
pub(super) fn children_cpu() -> anyhow::Result<Duration> {
    let path = Path::new("/proc/self/stat");
    let text = String::from_utf8_lossy(&read_whole(path)?).into_owned();
    // Behind the name, in brackets, which may hold blanks: the fields from the third on.
    let fields = text
        .rsplit_once(')')
        .map(|(_, rest)| rest.split_whitespace());
    let ticks = fields
        .into_iter()
        .flatten()
        .skip(13)
        .take(2)
        .map(str::parse);
    let ticks: Result<Vec<u64>, _> = ticks.collect();
    let ticks = ticks.with_context(|| format!("{} is `{text}`", path.display()))?;
    Ok(Duration::from_secs_f64(
        ticks.iter().sum::<u64>() as f64 / USER_HZ,
    ))
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) switches: Switches,
}

/// Runs a command to its end, or for `timeout`. `tick` is called now and then. The command gets a
/// group of its own: a Ctrl-C is for the generator, which ends the group. `None` if the time was up.
pub(crate) fn run(
    command: &mut Command,
    timeout: Duration,
    tick: &mut dyn FnMut(),
) -> Result<Option<Ended>> {
    interrupt::check()?;
    let name = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {name}"))?;
    loop {
        let left = timeout.saturating_sub(start.elapsed());
        wait(&child, left.min(TICK));
        // Gone with the process, once its end is taken.
        let switches = Switches::of(child.id());
        let ended = child.try_wait();
        if let Some(status) = ended.context("cannot wait for a child process")? {
            return Ok(Some(Ended { status, switches }));
        }
        let interrupted = interrupt::check();
        tick();
        if interrupted.is_err() || start.elapsed() >= timeout {
            end(&mut child)?;
            return interrupted.map(|()| None);
        }
    }
}

fn end(child: &mut Child) -> anyhow::Result<()> {
    kill_process_group(Pid::from_child(child), Signal::KILL)
        .context("cannot end a child process")?;
    child.wait().context("cannot wait for a child process")?;
    Ok(())
}

/// Sleeps until the child ends, but no longer than `time`. Nothing wakes up meanwhile: what is
/// measured has the machine for itself.
fn wait(child: &Child, time: Duration) {
    let timeout = Timespec {
        tv_sec: time.as_secs().cast_signed(),
        tv_nsec: time.subsec_nanos().into(),
    };
    let waited = pidfd_open(Pid::from_child(child), PidfdFlags::empty())
        .and_then(|fd| poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&timeout)));
    if waited.is_err() {
        // Kernels before 5.3 and some sandboxes have no pidfd.
        std::thread::sleep(time.min(Duration::from_millis(20)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleep(seconds: &str, timeout: Duration) -> Option<Ended> {
        let ended = run(Command::new("sleep").arg(seconds), timeout, &mut || {});
        ended.expect("it starts")
    }

    #[test]
    fn an_end_is_seen() {
        let ended = sleep("0.1", Duration::MAX);
        assert!(ended.is_some_and(|ended| ended.status.success()));
    }

    /// Nobody waits for so long, should it not be killed.
    #[test]
    fn what_hangs_is_killed() {
        let ended = sleep("100000", Duration::from_millis(200));
        assert!(ended.is_none());
    }
}
