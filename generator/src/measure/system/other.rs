//! What measuring needs of systems other than Linux, by the names that macOS has. The governor,
//! turbo and hypervisor stay unknown, and the page says so.

use crate::measure::process;
use anyhow::{Context, Result, anyhow};
use rustix::process::Pid;
use std::process::Command;

/// Returns the processors that this program may use: all of them.
pub(crate) fn processors() -> Result<Vec<usize>> {
    let count = std::thread::available_parallelism().context("cannot count processors")?;
    Ok((0..count.get()).collect())
}

/// The system assigns processors by itself.
pub(in crate::measure) fn move_to(_: Pid, _: &[usize]) -> Result<()> {
    Ok(())
}

/// Returns the bytes of memory, and the load average of the last minute.
pub(in crate::measure) fn memory_and_load() -> Result<(u64, f64)> {
    let memory = sysctl("hw.memsize")?.parse();
    // `{ 1.52 1.60 1.71 }`
    let loads = sysctl("vm.loadavg")?;
    let load = loads.split_whitespace().nth(1).unwrap_or(&loads).parse();
    Ok((memory.context("hw.memsize")?, load.context("vm.loadavg")?))
}

fn sysctl(name: &str) -> Result<String> {
    let printed = process::text(Command::new("sysctl").args(["-n", name]));
    let printed = printed.map_err(|stop| anyhow!("{}", stop.fatal(format!("sysctl {name}: "))));
    Ok(printed?.trim().to_owned())
}
