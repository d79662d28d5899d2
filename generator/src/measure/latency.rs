//! Converts latency captures, which reach gigabytes, to histograms.

use crate::model::distribution::Distribution;
use crate::model::implementation::Implementation;
use crate::model::observation::Observation;
use crate::model::scenario::{Scenario, Side};
use crate::parse::{histogram, latency};
use std::fs::File;
use std::path::Path;

/// Folder of a process's captures, below its scratch folder.
pub(crate) const FOLDER: &str = "latencies";

/// The latencies of one side of a scenario.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) scenario: Scenario,
    distribution: Distribution,
    caveats: Vec<String>,
}

/// Reads the captures of a process, which ran one scenario. Threads of a side are merged.
pub(crate) fn read(
    folder: &Path,
    rows: &[Observation],
    scenario: &Scenario,
) -> Result<Vec<Captured>, String> {
    let mut all: Vec<Captured> = Vec::new();
    let mut caveats: Vec<String> = Vec::new();
    for caveat in rows.iter().flat_map(|row| &row.caveat) {
        if !caveats.contains(caveat) {
            caveats.push(caveat.clone());
        }
    }
    for path in crate::files::read_folder(folder).map_err(|error| format!("{error:#}"))? {
        let named = latency::scenario(&path)?;
        if (&named.workload, named.version) != (&scenario.workload, scenario.version) {
            let name = crate::files::file_name(&path);
            return Err(format!("{name} does not belong to `{scenario}`"));
        }
        let file = File::open(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let (distribution, _) = latency::distribution(&path, file).map_err(|problems| {
            problems
                .first()
                .map(ToString::to_string)
                .unwrap_or_default()
        })?;
        let side = named.side;
        if let Some(other_thread) = all.iter_mut().find(|c| c.scenario.side == side) {
            other_thread.distribution.merge(&distribution);
            continue;
        }
        all.push(Captured {
            scenario: Scenario {
                side,
                ..scenario.clone()
            },
            distribution,
            caveats: caveats.clone(),
        });
    }
    all.sort_by_key(|c| Side::ALL.iter().position(|s| Some(*s) == c.scenario.side));
    Ok(all)
}

/// Renders the results file.
pub(crate) fn log(identity: &Implementation, all: &[Captured]) -> String {
    let parts = all
        .iter()
        .map(|c| (&c.scenario, &c.distribution, c.caveats.as_slice()));
    histogram::write(identity, parts)
}
