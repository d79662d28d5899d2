//! Tests of what reports decide: who stands for whom, what two builds come to, and who leads.

mod choice;
mod comparing;
mod reading;

use super::{Report, Row};
use crate::base::random::Random;
use crate::model::implementation::Implementation;

pub(crate) const FULL: &str = "full handshakes, 1.3, rsa, x25519, server";
pub(crate) const OPEN: &str = "full handshakes, 1.3, rsa, server";
pub(crate) const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";
pub(crate) const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";

/// A table of so many runs of builds such as `rustls 0.23.40, ring`, within 1 % of their levels in each row;
/// 0 for none.
pub(crate) fn table(runs: usize, builds: &[&str], rows: &[(&str, &[f64])]) -> String {
    let mut random = Random::new(3);
    let mut table = "run,implementation,version,variant,scenario,unit,value\n".to_owned();
    for (label, levels) in rows {
        let unit = match label.split([' ', ',']).next() {
            Some("transfer") => "MiB/s",
            Some("memory") => "KiB",
            Some("full" | "resumed") => "handshakes/s",
            _ => "ns",
        };
        for (build, level) in builds
            .iter()
            .zip(*levels)
            .filter(|(_, level)| **level > 0.0)
        {
            let build = Implementation::from_heading(build);
            let (name, version, variant) = (&build.name, &build.version, build.variant.join("+"));
            for run in 1..=runs {
                let value = match runs {
                    1 => *level,
                    _ => level * (0.99 + random.below(20_000) as f64 / 1e6),
                };
                table += &format!("{run},{name},{version},{variant},\"{label}\",{unit},{value}\n");
            }
        }
    }
    table
}

/// A report of 20 runs.
pub(crate) fn report(manifest: &str, builds: &[&str], rows: &[(&str, &[f64])]) -> Report {
    Report::example("2026-01-01-x", manifest, &table(20, builds, rows))
}

pub(crate) fn row<'a>(report: &'a Report, label: &str) -> &'a Row {
    let mut rows = report.rows.iter();
    rows.find(|row| row.scenario.label() == label)
        .expect("a row")
}

/// The place of a build.
pub(crate) fn build(report: &Report, name: &str) -> usize {
    let mut builds = report.builds.iter();
    let place = builds.position(|build| build.implementation.to_string() == name);
    place.unwrap_or_else(|| panic!("no {name} in {}", report.list()))
}

fn names(report: &Report, builds: impl IntoIterator<Item = usize>) -> Vec<String> {
    let builds = builds.into_iter();
    builds
        .map(|build| report.build(build).to_string())
        .collect()
}
