//! What measuring needs of Linux.

use anyhow::{Context, Result};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Returns the processors that this program may use.
pub(crate) fn processors() -> Result<Vec<usize>> {
    let given = sched_getaffinity(None).context("cannot read which processors may be used")?;
    Ok((0..CpuSet::MAX_CPU).filter(|n| given.is_set(*n)).collect())
}

/// Moves all threads of a process: those of a runtime work for the scenario too.
pub(crate) fn move_to(process: Pid, processors: &[usize]) -> Result<()> {
    let mut set = CpuSet::new();
    processors.iter().for_each(|processor| set.set(*processor));
    let folder = format!("/proc/{}/task", process.as_raw_nonzero());
    let cannot = || format!("cannot list the threads of a process in {folder}");
    for thread in std::fs::read_dir(&folder).with_context(cannot)? {
        let name = thread.with_context(cannot)?.file_name();
        let id = name.to_string_lossy().parse().with_context(cannot)?;
        match sched_setaffinity(Pid::from_raw(id), &set) {
            // A thread that has ended meanwhile.
            Ok(()) | Err(Errno::SRCH) => {}
            moved => moved.context("cannot set a processor")?,
        }
    }
    Ok(())
}
