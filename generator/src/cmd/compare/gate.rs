//! `--fail-on-regression`: which rows fail, and which cannot be judged.

use super::row::{change, is_below_threshold};
use super::summary::rows;
use super::table::ComparedSides;
use crate::cli::Compare;
use crate::failure::{Failure, Result};
use crate::report::{ComparedRow, p_equation};
use crate::stats::Verdict;
use crate::unit::Kind;

/// Fails if a significant change for the worse exceeds `percent` of the baseline. A row that cannot
/// be tested passes, but is reported even with `--quiet`: a check that cannot fail must not look
/// like one that passed.
pub(super) fn gate(tables: &[ComparedSides], percent: f64, arguments: &Compare) -> Result<()> {
    if tables.iter().all(|t| t.compared.compared() == 0) {
        return Err(Failure::Usage(
            "nothing to judge: none of the selected scenarios has figures on both sides".to_owned(),
        ));
    }
    let mut failing = Vec::new();
    for table in tables {
        let of = match tables.len() {
            1 => String::new(),
            _ => format!(" of {}", table.names()[1]),
        };
        failing.extend(
            self::failing(table, percent)
                .into_iter()
                .map(|row| line(row, &of)),
        );
        note_exempt_rows(table, percent, arguments);
    }
    if failing.is_empty() {
        return Ok(());
    }
    let are = if failing.len() == 1 { "is" } else { "are" };
    Err(Failure::Difference(format!(
        "{} {are} worse by more than {percent}%:\n{}",
        rows(failing.len()),
        failing.join("\n")
    )))
}

/// Returns the rows that are significantly worse by more than `percent`.
pub(super) fn failing<'a>(table: &'a ComparedSides, percent: f64) -> Vec<&'a ComparedRow<'a>> {
    let rows = table.compared.rows.iter();
    let fails = |row: &&ComparedRow| {
        let verdict = row.verdict();
        verdict.is_some_and(|v| v.is_regression(row.unit.better())) && is_worse(row, percent)
    };
    rows.filter(fails).collect()
}

/// Whether there are enough runs for a verdict.
pub(super) fn is_judged(row: &ComparedRow) -> bool {
    let verdict = row.verdict();
    verdict.is_some_and(|v| !matches!(v, Verdict::Untested | Verdict::TooFew))
}

/// Returns by how many percent the candidate is worse, if the unit says which way is better.
pub(super) fn percent_worse(row: &ComparedRow) -> Option<f64> {
    row.comparison.and_then(|c| c.change.percent_worse())
}

/// Whether only the candidate lacks a figure.
pub(super) fn is_lost(row: &ComparedRow) -> bool {
    row.estimates[0].is_some() && row.estimates[1].is_none()
}

fn is_worse(row: &ComparedRow, percent: f64) -> bool {
    percent_worse(row).is_some_and(|worse| worse > percent)
}

/// Notes which rows cannot fail, and why.
fn note_exempt_rows(table: &ComparedSides, percent: f64, arguments: &Compare) {
    let count = |wanted: &dyn Fn(&ComparedRow) -> bool| {
        table.compared.rows.iter().filter(|r| wanted(r)).count()
    };
    let is_untested = |row: &ComparedRow| row.comparison.is_some() && !is_judged(row);
    let untested = count(&is_untested);
    if untested > 0 {
        let compared = rows(table.compared.compared());
        let worse = count(&|row| is_untested(row) && is_worse(row, percent));
        crate::say!(
            "note: {untested} of {compared} cannot be tested, for lack of runs, and so pass; {worse} of them worse by more than {percent}%"
        );
    }
    let is_below = |row: &ComparedRow| is_below_threshold(row, arguments);
    let below = count(&|row| is_below(row) && is_worse(row, percent));
    if below > 0 {
        let (below, are) = (rows(below), if below == 1 { "is" } else { "are" });
        let threshold = arguments.threshold;
        crate::say!(
            "note: {below} {are} significantly worse by more than {percent}%, but by less than --threshold {threshold}%, and so pass"
        );
    }
    let missing = count(&is_lost);
    if missing > 0 {
        let missing = rows(missing);
        crate::say!(
            "note: the candidate has no figure for {missing} of the baseline; that is no failure"
        );
    }
    let unknown = count(&|row| row.is_change() && percent_worse(row).is_none());
    if unknown > 0 {
        let unknown = rows(unknown);
        crate::say!(
            "note: {unknown} changed, but cannot fail: the unit does not say which way is better"
        );
    }
}

/// `  full handshakes, 1.3, rsa, client: 1.62x slower (-38.5%), p < 0.001, n = 30`
fn line(row: &ComparedRow, of: &str) -> String {
    let ratio = row.comparison.map_or(1.0, |c| c.change.ratio);
    let p = row.comparison.and_then(|c| c.adjusted_p);
    let p = p.map_or_else(String::new, |p| format!("{}, ", p_equation(p)));
    let unit = match row.unit.kind() {
        Kind::Count => format!(", {}", row.unit),
        _ => String::new(),
    };
    let line = format!(
        "  {}{unit}{of}: {} ({:+.1}%), {}n = {}",
        row.scenario.label(),
        change(row),
        (ratio - 1.0) * 100.0,
        p.replace('\u{a0}', " "),
        row.runs_text()
    );
    crate::escape::plain(&line).into_owned()
}
