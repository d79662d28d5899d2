//! The section of a report about releases.

use super::*;
use crate::base::random::Random;
use crate::report::Cell;
use crate::report::release_tests::{FULL, SENDING, cells, report, versions};

type Rows<'a> = Vec<(&'a str, Vec<Option<Cell>>)>;

/// Returns the section of a report with these releases and rows.
fn section(releases: &[&str], rows: &Rows<'_>) -> Releases {
    let report = report(releases, rows);
    super::releases(&ReleaseSeries::all(&report))
}

fn numbered(n: usize) -> Vec<String> {
    let all: Vec<String> = (1..=n).map(|n| format!("0.{n}")).collect();
    versions(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The section for releases 0.1 to 0.n, with `runs` values around the given level in each cell.
fn section_at_levels(runs: usize, rows: &[(&str, &[f64])]) -> Releases {
    let random = &mut Random::new(5);
    let keys = numbered(rows[0].1.len());
    let rows = rows
        .iter()
        .map(|(label, levels)| (*label, cells(random, runs, levels)));
    let rows: Rows<'_> = rows.collect();
    section(&keys.iter().map(String::as_str).collect::<Vec<_>>(), &rows)
}

#[test]
fn steps_are_sorted_by_their_largest_change() {
    let found = section_at_levels(
        15,
        &[
            (SENDING, &[1e3, 1e3, 970.0, 970.0]),
            (FULL, &[1e3, 1e3, 1e3, 1.2e3]),
        ],
    );
    let steps = found.steps.expect("a table");
    let names: Vec<&str> = steps.rows.iter().map(|row| &*row.label).collect();
    assert_eq!(names, ["rustls 0.3 ➡️ 0.4", "rustls 0.2 ➡️ 0.3"]);
    let text = |cell: usize| &*steps.rows[0].cells[cell].text;
    assert_eq!([text(0), text(4)], [FULL, "1 of 2"]);
    assert!(text(3).ends_with("faster"), "{}", text(3));
    assert_eq!(
        found.unchanged,
        "No change in speed is shown from rustls 0.1 ➡️ 0.2."
    );
}

#[test]
fn single_figures_stand_out_from_5_percent() {
    let found = section_at_levels(1, &[(FULL, &[1e3, 1.5e3]), (SENDING, &[1e3, 1e3])]);
    let steps = found.steps.expect("a table");
    assert_eq!(steps.rows.len(), 1);
    assert_eq!(steps.rows[0].cells[3].class, Some("untested"));
}

#[test]
fn graphs_have_a_time_axis_if_all_dates_are_known() {
    let random = &mut Random::new(6);
    let days = ["2024-04-19", "2024-10-16", "2026-07-29"];
    let released = |(n, day): (usize, &&str)| format!("version = \"0.{n}\"\nreleased = {day}");
    let mut keys: Vec<String> = days.iter().enumerate().map(released).collect();
    let rows = vec![(FULL, cells(random, 15, &[1e3, 2e3, 2e3]))];
    let alt = |keys: &[String]| {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let graphs = section(&keys, &rows).graphs;
        assert_eq!(graphs.len(), 1);
        graphs[0].clone()
    };
    let dated = alt(&keys);
    assert!(
        dated.alt.contains("by the day of publication"),
        "{}",
        dated.alt
    );
    assert!(
        dated.alt.contains("rustls from 999.7 (0.0) to"),
        "{}",
        dated.alt
    );
    assert!(dated.drawing.svg.contains(">2025<") && dated.drawing.svg.contains(">0.1: "));
    assert_eq!(dated.drawing.svg.matches("r=\"7\"").count(), 1, "one ring");
    keys[1] = "version = \"0.1\"".to_owned();
    assert!(alt(&keys).alt.contains("in their order"));
}
