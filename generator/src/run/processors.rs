//! The processors that a measured process may use: all, or with `--pin` one per thread.

use crate::failure::{Failure, Result};
use crate::fs::read_optional;
use anyhow::Context;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::path::Path;

/// The processors of a measurement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processors {
    /// Processors that this program may use.
    allowed: Vec<usize>,
    /// Processors to bind to, in order of preference; `None` without binding.
    pinned: Option<Vec<usize>>,
}

/// Value of `--pin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pin {
    /// The best available.
    Any,
    /// `2,4-7`.
    List(Vec<usize>),
}

impl Processors {
    /// Selects the processors to use.
    ///
    /// # Errors
    /// A named processor is offline, isolated, or not available to this process.
    pub(crate) fn choose(pin: Option<&Pin>) -> Result<Self> {
        let set = sched_getaffinity(None).context("cannot read which processors may be used")?;
        let all = 0..CpuSet::MAX_CPU;
        let allowed: Vec<usize> = all.filter(|cpu| set.is_set(*cpu)).collect();
        Self::of(allowed, &listed("online")?, &listed("isolated")?, pin)
    }

    fn of(
        allowed: Vec<usize>,
        online: &[usize],
        isolated: &[usize],
        pin: Option<&Pin>,
    ) -> Result<Self> {
        let why_not = |cpu: &usize| match () {
            // Without this file all are online.
            () if !online.is_empty() && !online.contains(cpu) => Some("is offline"),
            () if isolated.contains(cpu) => Some(
                "is isolated: the scheduler does not balance processes over isolated processors",
            ),
            () if !allowed.contains(cpu) => {
                Some("is not available to this process (taskset, cgroup)")
            }
            () => None,
        };
        let pinned = match pin {
            None => None,
            Some(Pin::List(list)) => {
                if let Some((cpu, why)) = list.iter().find_map(|c| Some((c, why_not(c)?))) {
                    return Err(Failure::Usage(format!("--pin: processor {cpu} {why}")));
                }
                Some(list.clone())
            }
            Some(Pin::Any) => {
                // Last first: the first processor serves most interrupts.
                let usable = allowed.iter().rev().filter(|c| why_not(c).is_none());
                let usable: Vec<usize> = usable.copied().collect();
                if usable.is_empty() {
                    let what = "--pin: all available processors are isolated";
                    return Err(Failure::Usage(what.to_owned()));
                }
                Some(usable)
            }
        };
        Ok(Self { allowed, pinned })
    }

    /// Returns the processors of a process with `threads` threads.
    ///
    /// # Errors
    /// There are fewer processors to bind to than threads.
    pub(crate) fn of_threads(&self, threads: u32) -> Result<&[usize]> {
        let Some(pinned) = &self.pinned else {
            return Ok(&self.allowed);
        };
        pinned.get(..threads as usize).ok_or_else(|| {
            Failure::Usage(format!(
                "--pin: {threads} threads need as many processors, but there are {}: name more, or leave these scenarios out with -F",
                pinned.len()
            ))
        })
    }

    /// Description for the report: `bound to processor 3, 2`.
    pub(crate) fn describe(&self) -> Option<String> {
        let pinned: Vec<String> = self
            .pinned
            .as_ref()?
            .iter()
            .map(ToString::to_string)
            .collect();
        Some(format!("bound to processor {}", pinned.join(", ")))
    }

    /// Returns the words to put before a command.
    pub(crate) fn launcher(&self, of_process: &[usize]) -> Vec<String> {
        if self.pinned.is_none() {
            return Vec::new();
        }
        let list: Vec<String> = of_process.iter().map(ToString::to_string).collect();
        vec!["taskset".to_owned(), "-c".to_owned(), list.join(",")]
    }
}

impl std::str::FromStr for Pin {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::Any);
        }
        let list = list(text).filter(|list| !list.is_empty());
        list.map(Self::List)
            .ok_or_else(|| "expected processor numbers, such as 2,4-7".to_owned())
    }
}

/// Reads a list of processors, such as `online`, from the kernel. Empty if it has none.
fn listed(what: &str) -> Result<Vec<usize>> {
    let path = format!("/sys/devices/system/cpu/{what}");
    let bytes = read_optional(Path::new(&path))?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(list(text.trim()).with_context(|| format!("{path} is `{}`", text.trim()))?)
}

/// Parses `0,2-3`, the syntax of the kernel and taskset.
fn list(text: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            return None;
        };
        if last < first || last >= CpuSet::MAX_CPU {
            return None;
        }
        all.extend(
            (first..=last)
                .filter(|cpu| !all.contains(cpu))
                .collect::<Vec<_>>(),
        );
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(pin: &str) -> Result<Processors> {
        let pin: Pin = pin.parse().map_err(Failure::Usage)?;
        Processors::of(vec![0, 1, 2, 3], &[0, 1, 2, 3, 5], &[2], Some(&pin))
    }

    #[test]
    fn without_a_list_the_last_usable_ones() {
        let chosen = choose("").expect("some");
        assert_eq!(chosen.of_threads(1).expect("one"), [3]);
        assert_eq!(chosen.of_threads(3).expect("three"), [3, 1, 0]);
        assert!(chosen.of_threads(4).is_err());
        assert_eq!(chosen.launcher(&[3, 1]), ["taskset", "-c", "3,1"]);
        let none = Processors::of(vec![0, 1], &[], &[], None).expect("all");
        assert_eq!(none.of_threads(80).expect("all"), [0, 1]);
        assert!(none.launcher(&[0]).is_empty() && none.describe().is_none());
    }

    #[test]
    fn named_ones() {
        let chosen = choose("1,0-1,3").expect("some");
        assert_eq!(chosen.of_threads(3).expect("three"), [1, 0, 3]);
        for (pin, why) in [
            ("1-2", "processor 2 is isolated"),
            ("4", "processor 4 is offline"),
            ("5", "processor 5 is not available to this process"),
            ("3-1", "such as 2,4-7"),
            ("a", "such as 2,4-7"),
            (",", "such as 2,4-7"),
        ] {
            let error = choose(pin).expect_err(pin).to_string();
            assert!(error.contains(why), "{pin}: {error}");
        }
        let alone = Processors::of(vec![0], &[0], &[0], Some(&Pin::Any));
        assert!(alone.is_err(), "an isolated one is no choice");
    }
}
