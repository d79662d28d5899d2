use super::*;
use crate::base::random::Random;
use crate::report::Cell;
use crate::stats::Verdict;
use std::path::{Path, PathBuf};

pub(crate) const FULL: &str = "full handshakes, 1.3, rsa, server";
pub(crate) const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";

/// A report of rustls. `releases` are the keys of `[[implementation]]` tables; each row is a label
/// and one cell per release.
pub(crate) fn report(releases: &[&str], rows: &[(&str, Vec<Option<Cell>>)]) -> Report {
    let toml: String = releases
        .iter()
        .map(|keys| format!("[[implementation]]\nname = \"rustls\"\n{keys}\n"))
        .collect();
    let manifest = Manifest::parse(Path::new("report.toml"), toml.as_bytes()).expect("a manifest");
    let declared = manifest.declarations.iter();
    let mut data = Dataset {
        implementations: declared.map(|d| d.implementation.clone()).collect(),
        rows: rows
            .iter()
            .map(|(label, cells)| Row {
                cells: cells.clone(),
                ..Row::example(label)
            })
            .collect(),
        ..Dataset::default()
    };
    data.sort_rows();
    data.older = data.older_releases(&manifest);
    Report {
        name: "2026-01-01-x".to_owned(),
        folder: PathBuf::new(),
        manifest,
        day: None,
        data,
        notes: None,
        record: None,
        sources: Vec::new(),
        verdicts: Default::default(),
    }
}

/// The values of `n` runs, within 1 % of `level`.
pub(crate) fn cell(random: &mut Random, n: usize, level: f64) -> Option<Cell> {
    let run = |_| level * (0.99 + random.below(20_000) as f64 / 1e6);
    Some(Cell::of((0..n).map(run).collect()))
}

pub(crate) fn cells(random: &mut Random, n: usize, levels: &[f64]) -> Vec<Option<Cell>> {
    levels.iter().map(|level| cell(random, n, *level)).collect()
}

pub(crate) fn versions(versions: &[&str]) -> Vec<String> {
    let key = |version: &&str| format!("version = \"{version}\"");
    versions.iter().map(key).collect()
}

fn order(releases: &[&str]) -> Vec<String> {
    let cells = vec![Some(Cell::default()); releases.len()];
    let report = report(releases, &[(FULL, cells)]);
    let series = ReleaseSeries::all(&report);
    let indices = 0..series[0].columns.len();
    let version = |index| series[0].implementation(index).version.to_string();
    indices.map(version).collect()
}

fn verdicts(series: &ReleaseSeries<'_>, row: usize) -> Vec<Option<Verdict>> {
    let steps = series.rows[row].steps.iter();
    steps.map(|s| s.as_ref()?.verdict()).collect()
}

#[test]
fn orders_releases_by_version_then_day() {
    let shuffled = ["3.0.8", "4.0.0", "1.1.1w", "4.0.0-beta1", "3.5.1"];
    let keys = versions(&shuffled);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    assert_eq!(
        order(&keys),
        ["1.1.1w", "3.0.8", "3.5.1", "4.0.0-beta1", "4.0.0"]
    );
    let builds = [
        "version = \"0.24.0-dev+fffffff\"\nreleased = 2026-02-01",
        "version = \"0.24.0-dev+aaaaaaa\"\nreleased = 2026-02-03",
        "version = \"0.24.0-dev+ccccccc\"\nreleased = 2026-02-02",
    ];
    let sorted = [
        "0.24.0-dev+fffffff",
        "0.24.0-dev+ccccccc",
        "0.24.0-dev+aaaaaaa",
    ];
    assert_eq!(order(&builds), sorted);
    let commits = ["version = \"fffffff\"", "version = \"aaaaaaa\""];
    assert_eq!(order(&commits), ["fffffff", "aaaaaaa"]);
}

#[test]
fn each_variant_with_several_releases_is_a_series() {
    let releases = [
        "version = \"2\"\nvariant = [\"ring\", \"x\"]",
        "version = \"1\"\nvariant = [\"aws\", \"x\"]",
        "version = \"2\"\nvariant = [\"aws\", \"x\"]",
        "version = \"1\"\nvariant = [\"ring\", \"x\"]",
        "version = \"2\"\nvariant = [\"graviola\", \"x\"]",
    ];
    let report = report(&releases, &[(FULL, vec![Some(Cell::default()); 5])]);
    let series = ReleaseSeries::all(&report);
    let found: Vec<_> = series
        .iter()
        .map(|s| (s.name(), s.columns.clone()))
        .collect();
    let expected = [("rustls", vec![3, 0]), ("rustls (aws)", vec![1, 2])];
    assert_eq!(
        found,
        expected.map(|(name, columns)| (name.to_owned(), columns))
    );
    assert_eq!(report.data.older.len(), 2);
}

#[test]
fn pre_releases_do_not_make_a_release_older() {
    for (releases, older) in [
        (["0.23.1", "0.24.0-dev.2", "0.23.46"], &["0.23.1"][..]),
        (["2.0", "1.0", "3.0"], &["2.0", "1.0"]),
        (
            ["1.0-dev.1", "1.0-dev.2", "1.0-dev.3"],
            &["1.0-dev.1", "1.0-dev.2"],
        ),
    ] {
        let keys = versions(&releases);
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let report = report(&keys, &[(FULL, vec![Some(Cell::default()); 3])]);
        let mut found: Vec<&str> = report
            .data
            .older
            .iter()
            .map(|c| report.data.implementations[*c].version.as_str())
            .collect();
        found.sort_by_key(|version| releases.iter().position(|r| r == version));
        assert_eq!(found, older);
    }
}

#[test]
fn finds_only_the_planted_step() {
    let random = &mut Random::new(1);
    let labels = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let mut rows = Vec::from_iter(labels.map(|l| (l, cells(random, 15, &[1e3; 6]))));
    rows[3].1 = cells(random, 15, &[1e3, 1e3, 970.0, 970.0, 970.0, 970.0]);
    let keys = versions(&["1", "2", "3", "4", "5", "6"]);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let report = report(&keys, &rows);
    let series = &ReleaseSeries::all(&report)[0];
    for row in 0..rows.len() {
        let found = verdicts(series, row);
        let changed = found
            .iter()
            .map(|verdict| verdict.is_some_and(Verdict::is_change));
        let planted = (0..5).map(|step| row == 3 && step == 1);
        assert!(changed.eq(planted), "{row}: {found:?}");
    }
    // The 50 steps of all rows are one family for the adjustment of p.
    let comparison = series.rows[3].steps[1].as_ref().and_then(|s| s.comparison);
    let comparison = comparison.expect("compared");
    let p = comparison.test.expect("tested").p;
    let adjusted = comparison.adjusted_p.expect("adjusted");
    assert!(
        adjusted > p * 25.0 && adjusted <= p * 50.0,
        "{adjusted} {p}"
    );
    let only = series.with(|row| row.scenario.label() == "d");
    assert_eq!(
        verdicts(&only, 0),
        verdicts(series, 3),
        "a filter changes no verdict"
    );
}

#[test]
fn judges_rows_with_single_and_missing_figures() {
    let random = &mut Random::new(2);
    let unsupported = Cell {
        unsupported: Some("no tickets".to_owned()),
        ..Cell::default()
    };
    let rows = [
        ("a", cells(random, 1, &[1e3, 2e3, 2e3])),
        (
            "b",
            vec![cell(random, 15, 1e3), None, cell(random, 15, 2e3)],
        ),
        (
            "c",
            vec![
                Some(unsupported),
                cell(random, 15, 1e3),
                cell(random, 15, 2e3),
            ],
        ),
        ("d", vec![None, None, cell(random, 15, 1e3)]),
    ];
    let keys = versions(&["1", "2", "3"]);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let report = report(&keys, &rows);
    let series = &ReleaseSeries::all(&report)[0];
    assert_eq!(verdicts(series, 0), [Some(Verdict::Untested); 2]);
    assert_eq!(verdicts(series, 1), [None, None]);
    assert_eq!(verdicts(series, 2), [None, Some(Verdict::Better)]);
    assert_eq!(
        series.rows.len(),
        3,
        "rows that only the newest release has are left out"
    );
}
