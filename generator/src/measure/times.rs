//! Durations of earlier steps and builds, to estimate the time left.

use super::plan::Step;
use super::target::Target;
use crate::base::failure::{Failure, Result};
use crate::files;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Durations of the last step and build of each kind on this machine.
#[derive(Debug)]
pub(crate) struct Times {
    path: PathBuf,
    multiplier: f64,
    seconds: Seconds,
}

/// `times.json`.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Seconds {
    /// By kind, such as `measure, 12 scenarios x0.5`.
    steps: BTreeMap<String, ByProgram>,
    /// By the runner's folder.
    builds: BTreeMap<String, ByProgram>,
}

/// Seconds by the ID of a program.
type ByProgram = BTreeMap<String, f64>;

impl Times {
    pub(crate) fn read(work: &Path, multiplier: f64) -> Result<Self> {
        let path = work.join("times.json");
        let seconds = match files::read_optional(&path)? {
            None => Seconds::default(),
            Some(bytes) => serde_json::from_slice(&bytes)
                .map_err(|e| Failure::at(&path, 0, format!("{e}; remove it")))?,
        };
        Ok(Self {
            path,
            multiplier,
            seconds,
        })
    }

    /// Records the duration of a step of the program `id`.
    pub(crate) fn took(&mut self, id: &str, step: &Step, time: Duration) -> anyhow::Result<()> {
        let kind = self.kind(step);
        let programs = self.seconds.steps.entry(kind).or_default();
        programs.insert(id.to_owned(), time.as_secs_f64());
        self.write()
    }

    /// Records the duration of a build.
    pub(crate) fn took_to_build(&mut self, target: &Target, time: Duration) -> anyhow::Result<()> {
        let programs = self.seconds.builds.entry(target.folder.clone());
        let programs = programs.or_default();
        programs.insert(target.id.clone(), time.as_secs_f64());
        self.write()
    }

    fn write(&self) -> anyhow::Result<()> {
        let text = serde_json::to_vec(&self.seconds).context("cannot write times.json")?;
        files::write(&self.path, &text)
    }

    /// Estimates the total duration of steps. `None` unless each of them, or the same step of
    /// another program, was measured before.
    pub(crate) fn of<'a>(
        &self,
        steps: impl IntoIterator<Item = (&'a str, &'a Step)>,
    ) -> Option<Duration> {
        let mut sum = 0.0;
        for (id, step) in steps {
            sum += estimate(self.seconds.steps.get(&self.kind(step))?, id)?;
        }
        Some(Duration::from_secs_f64(sum))
    }

    /// Estimates the duration of a build: that of its last build, else the mean of the runner's
    /// other builds.
    pub(crate) fn of_build(&self, target: &Target) -> Option<Duration> {
        let seconds = estimate(self.seconds.builds.get(&target.folder)?, &target.id);
        seconds.map(Duration::from_secs_f64)
    }

    fn kind(&self, step: &Step) -> String {
        let (suite, scenarios) = (step.suite.word(), step.scenarios.len());
        format!("{suite}, {scenarios} scenarios x{}", self.multiplier)
    }
}

/// Returns the seconds of a program, else the mean of all others.
fn estimate(programs: &ByProgram, id: &str) -> Option<f64> {
    let mean = programs.values().sum::<f64>() / programs.len() as f64;
    let known = programs.get(id).copied();
    known.or((!programs.is_empty()).then_some(mean))
}
