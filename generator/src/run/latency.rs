//! Captures of latency, which reach gigabytes, become histograms.

use super::plan::whole;
use super::tree;
use crate::distribution::Distribution;
use crate::implementation::Implementation;
use crate::observation::{Observation, Value};
use crate::parse::{histogram, latency};
use crate::scenario::{Scenario, Side};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// One side of a scenario.
#[derive(Debug)]
pub(super) struct Captured {
    pub(super) scenario: Scenario,
    distribution: Distribution,
    caveats: Vec<String>,
}

/// Reads the captures that a process left of the one scenario of `labels`, all threads of a side
/// as one. None at all if the folder is empty or missing.
///
/// # Errors
/// What is wrong with them: then the process is no sample.
pub(super) fn read(
    folder: &Path,
    rows: &[Observation],
    label: &str,
) -> Result<Vec<Captured>, String> {
    let mut all: Vec<Captured> = Vec::new();
    for path in captures(folder) {
        let told = latency::scenario(&path.to_string_lossy())?;
        let asked = Scenario::from_label(label)?;
        if (&told.workload, told.version) != (&asked.workload, asked.version) {
            return Err(format!(
                "{} is not of `{}`",
                super::file_name(&path),
                asked.label()
            ));
        }
        let distribution = one(&path)?;
        let side = told.side;
        if let Some(other_thread) = all.iter_mut().find(|c| c.scenario.side == side) {
            other_thread.distribution.merge(&distribution);
        } else {
            all.push(captured(Scenario { side, ..asked }, distribution, rows));
        }
    }
    all.sort_by_key(|c| Side::ALL.iter().position(|s| Some(*s) == c.scenario.side));
    Ok(all)
}

fn captured(scenario: Scenario, distribution: Distribution, rows: &[Observation]) -> Captured {
    let mut caveats: Vec<String> = Vec::new();
    for row in rows
        .iter()
        .filter(|r| whole(&r.scenario) == whole(&scenario))
    {
        let new = row.caveat.iter().filter(|c| !caveats.contains(c));
        caveats.extend(new.cloned().collect::<Vec<_>>());
    }
    Captured {
        scenario,
        distribution,
        caveats,
    }
}

fn one(path: &Path) -> Result<Distribution, String> {
    let name = path.to_string_lossy();
    let file = File::open(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    let parsed = latency::stream(&name, file).map_err(|problems| {
        let first = problems.first();
        first.map_or_else(String::new, |p| format!("{name}:{}: {}", p.line, p.message))
    })?;
    match parsed.observations.into_iter().next().map(|o| o.value) {
        Some(Value::Distribution(distribution)) => Ok(*distribution),
        _ => Err(format!("{name} has no latency")),
    }
}

fn captures(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The file of results.
pub(super) fn log(identity: &Implementation, all: &[Captured]) -> String {
    let parts = all.iter();
    histogram::write(
        identity,
        parts.map(|c| (&c.scenario, &c.distribution, c.caveats.as_slice())),
    )
}

/// Moves the captures of all processes of a step from `scratch` into a folder that is hidden
/// from `ingest`, because the histograms hold them already.
pub(super) fn keep(scratch: &Path, folder: &Path) -> Result<()> {
    for process in captures(scratch) {
        for path in captures(&process.join("latencies")) {
            tree::create(folder)?;
            let name = format!("{}-{}", super::file_name(&process), super::file_name(&path));
            fs::rename(&path, folder.join(name))
                .with_context(|| format!("cannot move {}", path.display()))?;
        }
    }
    Ok(())
}
