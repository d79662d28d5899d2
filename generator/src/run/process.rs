//! Child processes: without address-space randomisation where that is permitted, ended with
//! the generator, and ended when they hang.

use super::interrupt;
use crate::failure::Result;
use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often a process that runs is looked at, for the progress bar.
const TICK: Duration = Duration::from_secs(1);

/// How programs are started.
#[derive(Clone, Debug, Default)]
pub struct Launcher {
    /// Words before the program's.
    prefix: Vec<&'static str>,
    /// Whether addresses are the same in each process.
    pub fixed_addresses: bool,
}

/// How a process ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself.
    Exited(ExitStatus),
    /// It hung, and was killed.
    Hung,
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
    pub fn probe() -> Self {
        let fixed_addresses = works(FIXED_ADDRESSES);
        let mut prefix = Vec::new();
        if works(ENDS_WITH_US) {
            prefix.extend(ENDS_WITH_US);
        }
        if fixed_addresses {
            prefix.extend(FIXED_ADDRESSES);
        }
        Self {
            prefix,
            fixed_addresses,
        }
    }

    /// A command that runs `program`.
    pub fn command(&self, program: &Path) -> Command {
        let mut words = self
            .prefix
            .iter()
            .map(OsStr::new)
            .chain([program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or(program.as_os_str()));
        command.args(words);
        command
    }
}

fn works(words: &[&str]) -> bool {
    let ran = Command::new(words[0])
        .args(&words[1..])
        .arg("true")
        .stdin(Stdio::null())
        .output();
    ran.is_ok_and(|output| output.status.success())
}

/// A command that runs `program`, and ends with all its children when the generator does.
pub(super) fn family(program: &Path) -> Command {
    if !works(ALL_END_WITH_US) {
        return Command::new(program);
    }
    let mut command = Command::new(ALL_END_WITH_US[0]);
    command.args(&ALL_END_WITH_US[1..]).arg(program);
    command
}

/// Runs a command to its end, or for `timeout`. `tick` is called now and then. The command gets a
/// group of its own: a Ctrl-C is for the generator, which ends the group.
///
/// # Errors
/// It cannot be started, or a signal asked the generator to end.
pub fn run(command: &mut Command, timeout: Duration, tick: &mut dyn FnMut()) -> Result<Ended> {
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
        if let Some(status) = child
            .try_wait()
            .context("cannot wait for a child process")?
        {
            return Ok(Ended::Exited(status));
        }
        if let Err(interrupted) = interrupt::check() {
            end(&mut child)?;
            return Err(interrupted);
        }
        tick();
        if start.elapsed() >= timeout {
            end(&mut child)?;
            return Ok(Ended::Hung);
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

    fn sleep(seconds: &str, timeout: Duration) -> Ended {
        let ended = run(Command::new("sleep").arg(seconds), timeout, &mut || {});
        ended.expect("it starts")
    }

    #[test]
    fn an_end_is_seen() {
        let ended = sleep("0.1", Duration::MAX);
        assert!(matches!(ended, Ended::Exited(status) if status.success()));
    }

    /// Nobody waits for so long, should it not be killed.
    #[test]
    fn what_hangs_is_killed() {
        let ended = sleep("100000", Duration::from_millis(200));
        assert!(matches!(ended, Ended::Hung));
    }
}
