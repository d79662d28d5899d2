//! How long each step took before, to estimate the time that is left.

use super::plan::Step;
use crate::failure::{Failure, Result};
use crate::fs;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds of the latest step of each kind on this machine.
#[derive(Debug)]
pub struct Times {
    path: PathBuf,
    seconds: BTreeMap<String, f64>,
}

impl Times {
    /// Reads what is known.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(work: &Path) -> Result<Self> {
        let path = work.join("times.json");
        let seconds = match fs::read_optional(&path)? {
            None => BTreeMap::new(),
            Some(bytes) => serde_json::from_slice(&bytes)
                .map_err(|e| Failure::at(&path, 0, format!("{e}; remove it")))?,
        };
        Ok(Self { path, seconds })
    }

    /// A step of the program `id` took so long.
    pub fn took(&mut self, id: &str, step: &Step, multiplier: f64, time: Duration) {
        let key = key(id, step, multiplier);
        self.seconds.insert(key, time.as_secs_f64());
    }

    /// Keeps what is known for another time.
    ///
    /// # Errors
    /// The system's.
    pub fn save(&self) -> Result<()> {
        let text = serde_json::to_vec(&self.seconds).context("cannot write times.json")?;
        fs::write(&self.path, &text)?;
        Ok(())
    }

    /// Seconds that a step will take, if it, or the same step of another program, was measured
    /// before.
    pub fn of(&self, id: &str, step: &Step, multiplier: f64) -> Option<f64> {
        let exact = self.seconds.get(&key(id, step, multiplier)).copied();
        exact.or_else(|| {
            let alike = key("", step, multiplier);
            let others = self.seconds.iter().filter(|(k, _)| k.ends_with(&alike));
            let others: Vec<f64> = others.map(|(_, s)| *s).collect();
            (!others.is_empty()).then(|| others.iter().sum::<f64>() / others.len() as f64)
        })
    }

    /// Of all these steps; `None` if one of them is of a kind that nobody knows.
    pub fn of_all<'a>(
        &self,
        steps: impl IntoIterator<Item = (&'a str, &'a Step)>,
        multiplier: f64,
    ) -> Option<Duration> {
        let seconds: Option<f64> = steps
            .into_iter()
            .map(|(id, step)| self.of(id, step, multiplier))
            .sum();
        seconds.map(Duration::from_secs_f64)
    }
}

fn key(id: &str, step: &Step, multiplier: f64) -> String {
    format!(
        "{id} {} {} x{multiplier}",
        step.suite.word(),
        step.scenarios.len()
    )
}
