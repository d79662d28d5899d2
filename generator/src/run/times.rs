//! How long each step took before: for the time that is left.

use super::plan::Step;
use super::tree;
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
    /// Reads what is known; a file that cannot be read is as good as none.
    pub fn read(work: &Path) -> Self {
        let path = work.join("times.json");
        let text = std::fs::read(&path).unwrap_or_default();
        let seconds = serde_json::from_slice(&text).unwrap_or_default();
        Self { path, seconds }
    }

    /// A step of the program `id` took so long.
    pub fn took(&mut self, id: &str, step: &Step, multiplier: f64, time: Duration) {
        let key = key(id, step, multiplier);
        self.seconds.insert(key, time.as_secs_f64());
    }

    /// Keeps what is known for another time; that this fails harms nobody.
    pub fn save(&self) {
        if let Ok(text) = serde_json::to_vec(&self.seconds) {
            let _ = tree::write(&self.path, &text);
        }
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
        step.labels.len()
    )
}
