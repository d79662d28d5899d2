//! Durations of earlier steps and builds, to estimate the time left.

use super::plan::Step;
use super::target::Target;
use crate::failure::{Failure, Result};
use crate::fs;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds of the last step and build of each kind on this machine.
#[derive(Debug)]
pub(crate) struct Times {
    path: PathBuf,
    multiplier: f64,
    seconds: BTreeMap<String, f64>,
}

impl Times {
    pub(crate) fn read(work: &Path, multiplier: f64) -> Result<Self> {
        let path = work.join("times.json");
        let bytes = fs::read_optional(&path)?.unwrap_or(b"{}".to_vec());
        let seconds = serde_json::from_slice(&bytes)
            .map_err(|e| Failure::at(&path, 0, format!("{e}; remove it")))?;
        Ok(Self {
            path,
            multiplier,
            seconds,
        })
    }

    /// Records the duration of a step of the program `id`.
    pub(crate) fn took(&mut self, id: &str, step: &Step, time: Duration) -> anyhow::Result<()> {
        self.keep(self.key(id, step), time)
    }

    /// Records the duration of a build.
    pub(crate) fn took_to_build(&mut self, target: &Target, time: Duration) -> anyhow::Result<()> {
        self.keep(build_key(&target.folder, &target.id), time)
    }

    fn keep(&mut self, key: String, time: Duration) -> anyhow::Result<()> {
        self.seconds.insert(key, time.as_secs_f64());
        let text = serde_json::to_vec(&self.seconds).context("cannot write times.json")?;
        fs::write(&self.path, &text)
    }

    /// Estimates the total duration of steps. `None` unless each of them, or the same step of
    /// another program, was measured before.
    pub(crate) fn of<'a>(
        &self,
        steps: impl IntoIterator<Item = (&'a str, &'a Step)>,
    ) -> Option<Duration> {
        let seconds = |(id, step): (&str, &'a Step)| {
            let suffix = self.key("", step);
            self.estimate(&self.key(id, step), |key| key.ends_with(&suffix))
        };
        let all: Option<f64> = steps.into_iter().map(seconds).sum();
        all.map(Duration::from_secs_f64)
    }

    /// Estimates the duration of a build: that of its last build, else the mean of the runner's
    /// other builds.
    pub(crate) fn of_build(&self, target: &Target) -> Option<Duration> {
        let of_runner = build_key(&target.folder, "");
        let exact = build_key(&target.folder, &target.id);
        let seconds = self.estimate(&exact, |key| key.starts_with(&of_runner));
        seconds.map(Duration::from_secs_f64)
    }

    /// Returns the seconds of `exact`, else the mean of all keys that are `similar`.
    fn estimate(&self, exact: &str, similar: impl Fn(&str) -> bool) -> Option<f64> {
        let others = self.seconds.iter().filter(|(key, _)| similar(key));
        let others: Vec<f64> = others.map(|(_, seconds)| *seconds).collect();
        let mean = || others.iter().sum::<f64>() / others.len() as f64;
        let exact = self.seconds.get(exact).copied();
        exact.or_else(|| (!others.is_empty()).then(mean))
    }

    fn key(&self, id: &str, step: &Step) -> String {
        let (suite, scenarios) = (step.suite.word(), step.scenarios.len());
        format!("{id} {suite} {scenarios} x{}", self.multiplier)
    }
}

fn build_key(folder: &str, id: &str) -> String {
    format!("build {folder} {id}")
}
