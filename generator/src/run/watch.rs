//! Conditions of a measured process, as reported by Linux: switches, migrations, stolen time.

#![expect(
    clippy::disallowed_methods,
    reason = "a condition that cannot be read is unknown, and its cell empty"
)]

use super::value_of;
use crate::conditions::Conditions;
use anyhow::Context;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Ticks per second in `/proc`, the same on every Linux.
const USER_HZ: f64 = 100.0;

/// System counters at the start of a process.
#[derive(Debug)]
pub(super) struct Watch {
    start: Instant,
    processors: Vec<usize>,
    stolen: Option<u64>,
    throttled: Option<u64>,
}

/// Context switches and migrations of a process. Must be read before it is reaped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Switches {
    voluntary: Option<u64>,
    involuntary: Option<u64>,
    migrations: Option<u64>,
}

impl Switches {
    pub(super) fn of(process: u32) -> Self {
        let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).ok();
        let (status, scheduling) = (read("status"), read("sched"));
        let number = |text: &Option<String>, name| value_of(text.as_deref()?, name)?.parse().ok();
        Self {
            voluntary: number(&status, "voluntary_ctxt_switches"),
            involuntary: number(&status, "nonvoluntary_ctxt_switches"),
            migrations: number(&scheduling, "se.nr_migrations"),
        }
    }
}

impl Watch {
    /// Starts watching a process that may run on these processors.
    pub(super) fn start(processors: &[usize]) -> Self {
        Self {
            start: Instant::now(),
            processors: processors.to_vec(),
            stolen: stolen(processors),
            throttled: throttled(processors),
        }
    }

    /// Returns the conditions of the process, which has exited; the caller names it.
    pub(super) fn end(&self, switches: Switches) -> Conditions {
        let seconds = self.start.elapsed().as_secs_f64();
        let since = |now: Option<u64>, before: Option<u64>| Some(now?.saturating_sub(before?));
        let stolen = since(stolen(&self.processors), self.stolen);
        let stolen = stolen.map(|ticks| ticks as f64 / USER_HZ / seconds);
        Conditions {
            seconds,
            stolen,
            migrations: switches.migrations,
            voluntary_switches: switches.voluntary,
            involuntary_switches: switches.involuntary,
            mhz: self
                .processors
                .iter()
                .filter_map(|p| mhz(*p))
                .reduce(f64::max),
            throttled: since(throttled(&self.processors), self.throttled),
            ..Conditions::default()
        }
    }
}

/// Ticks that these processors lost to other guests of the host; 0 on bare metal.
fn stolen(processors: &[usize]) -> Option<u64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let of = |processor: &usize| {
        let name = format!("cpu{processor} ");
        let line = stat.lines().find_map(|line| line.strip_prefix(&name))?;
        // user, nice, system, idle, iowait, irq, softirq, steal
        line.split_whitespace().nth(7)?.parse::<u64>().ok()
    };
    processors.iter().map(of).sum()
}

fn throttled(processors: &[usize]) -> Option<u64> {
    let of = |processor: &usize| {
        cpu(*processor, "thermal_throttle/core_throttle_count")?
            .parse::<u64>()
            .ok()
    };
    processors.iter().map(of).sum()
}

fn mhz(processor: usize) -> Option<f64> {
    let khz: f64 = cpu(processor, "cpufreq/scaling_cur_freq")?.parse().ok()?;
    Some(khz / 1e3)
}

fn cpu(processor: usize, file: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/sys/devices/system/cpu/cpu{processor}/{file}")).ok()?;
    Some(text.trim().to_owned())
}

/// CPU time of all reaped child processes, with their descendants.
pub(super) fn children_cpu() -> anyhow::Result<Duration> {
    let path = Path::new("/proc/self/stat");
    let text = String::from_utf8_lossy(&crate::fs::read_whole(path)?).into_owned();
    // Fields from the third on follow the name, which is in brackets and may contain spaces.
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
