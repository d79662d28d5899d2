//! What measuring needs of systems other than Linux.

use anyhow::{Context, Result};
use rustix::process::Pid;

/// Returns the processors that this program may use: all of them.
pub(crate) fn processors() -> Result<Vec<usize>> {
    let count = std::thread::available_parallelism().context("cannot count processors")?;
    Ok((0..count.get()).collect())
}

/// The system assigns processors by itself.
pub(crate) fn move_to(_: Pid, _: &[usize]) -> Result<()> {
    Ok(())
}
