//! Conditions of a measurement: `conditions.csv` in a report's folder records what disturbed each
//! process, one per row.

use crate::failure::{Failure, Result};
use crate::fs;
use crate::limits;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file's name.
pub(crate) const NAME: &str = "conditions.csv";

/// Results of a process that lost a larger share of its time than this to other guests get a caveat.
const MAX_STOLEN: f64 = 0.02;

/// The caveat of results from such a process.
pub(crate) const STOLEN: &str = "in some runs the host took more than 2% of the time";

/// The conditions of one process. Values that the system does not report are empty.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Conditions {
    /// Folder of its results.
    pub(crate) program: String,
    /// From 1.
    pub(crate) run: u32,
    pub(crate) scenario: String,
    /// Wall-clock time.
    pub(crate) seconds: f64,
    /// Share of that time that the host gave to other guests, on the processors that it could use.
    pub(crate) stolen: Option<f64>,
    /// How often it migrated to another processor.
    pub(crate) migrations: Option<u64>,
    /// Context switches: because it waited, and because it was preempted.
    pub(crate) voluntary_switches: Option<u64>,
    pub(crate) involuntary_switches: Option<u64>,
    /// Clock of the fastest processor when it ended.
    pub(crate) mhz: Option<f64>,
    /// How often a processor was throttled for heat meanwhile.
    pub(crate) throttled: Option<u64>,
}

impl Conditions {
    pub(crate) fn is_stolen(&self) -> bool {
        self.stolen > Some(MAX_STOLEN)
    }
}

/// Appends rows to the file in `out`: all of them or none.
pub(crate) fn append(out: &Path, rows: &[Conditions]) -> anyhow::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let path = out.join(NAME);
    let there = fs::read_optional(&path)?.unwrap_or_default();
    let mut writer = csv::WriterBuilder::new()
        .has_headers(there.is_empty())
        .from_writer(there);
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    let text = writer.into_inner().context("cannot write to memory")?;
    fs::write(&path, &text)
}

/// Reads the rows of the file in a report's folder; none if there is no file.
pub(crate) fn read(folder: &Path) -> Result<Vec<Conditions>> {
    let path = folder.join(NAME);
    match fs::read_limited(&path, &limits::FILE)? {
        Some(bytes) => parse(&path, &bytes),
        None => Ok(Vec::new()),
    }
}

pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Conditions>> {
    let rows = csv::Reader::from_reader(bytes).into_deserialize();
    let rows = rows.collect::<csv::Result<_>>();
    rows.map_err(|error| {
        let line = error.position().map_or(0, |p| p.line() as u32);
        Failure::at(
            path,
            line,
            format!("{error}; remove the file, which only records noise"),
        )
    })
}

/// Returns `Of 660 processes, 12 lost more than 2% of their time to other guests of the host, …`;
/// `None` if nothing is known.
pub(crate) fn sentence(rows: &[Conditions]) -> Option<String> {
    let all = rows.len();
    let count = |wanted: fn(&Conditions) -> Option<bool>| {
        let known: Vec<bool> = rows.iter().filter_map(wanted).collect();
        (!known.is_empty()).then(|| known.into_iter().filter(|found| *found).count())
    };
    let parts = [
        (
            count(|c| c.stolen.map(|_| c.is_stolen())),
            "lost more than 2% of their time to other guests of the host",
        ),
        (
            count(|c| c.migrations.map(|n| n > 0)),
            "migrated between processors",
        ),
        (
            count(|c| c.throttled.map(|n| n > 0)),
            "ran while a processor was throttled for heat",
        ),
    ];
    let parts = parts.map(|(n, what)| Some(format!("{} {what}", n?)));
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("Of {all} processes, {}.", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_and_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(folder.path()).expect("no file"), []);
        let row = |stolen, migrations| Conditions {
            program: "toy_1.0.0".to_owned(),
            run: 1,
            scenario: "full handshakes, 1.3, rsa".to_owned(),
            seconds: 1.5,
            stolen: Some(stolen),
            migrations: Some(migrations),
            ..Conditions::default()
        };
        let rows = [row(0.0, 0), row(0.021, 0), row(0.02, 3)];
        append(folder.path(), &rows[..1]).expect("written");
        append(folder.path(), &rows[1..]).expect("added");
        let found = read(folder.path()).expect("rows");
        assert_eq!(found, rows);
        assert_eq!(
            sentence(&found).as_deref(),
            Some(
                "Of 3 processes, 1 lost more than 2% of their time to other guests of the host, 1 migrated between processors."
            )
        );
        assert_eq!(sentence(&[Conditions::default()]), None);
        std::fs::write(folder.path().join(NAME), "run,seconds\nx,y\n").expect("written");
        let error = read(folder.path()).expect_err("no rows").to_string();
        assert!(error.contains("conditions.csv:2: "), "{error}");
    }
}
