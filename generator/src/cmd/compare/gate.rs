//! `--fail-on-regression`: which rows fail, and which cannot be judged.

use super::cells;
use super::summary::rows;
use super::table::Table;
use crate::failure::{Failure, Result};
use crate::report::{ComparedRow, p_equation};
use crate::stats::Verdict;

/// Fails if a significant change for the worse exceeds `percent` of the baseline. A row that no
/// test can judge passes, but is reported, even to those who want quiet: a check that cannot fail
/// must not look like one that passed.
///
/// # Errors
/// Such a change, or nothing to compare.
pub(super) fn gate(tables: &[Table], percent: f64) -> Result<()> {
    if tables.iter().all(|t| t.compared.compared() == 0) {
        return Err(Failure::Usage(
            "nothing to judge: no scenario that is asked for has figures on both sides".to_owned(),
        ));
    }
    for table in tables {
        say_unjudged(table, percent);
    }
    let mut failing = Vec::new();
    for table in tables {
        let fails = |row: &&ComparedRow| is_worse(row, percent) && is_regression(row);
        let of_table = table.compared.rows.iter().filter(fails);
        failing.extend(of_table.map(|row| line(row, table, tables.len() > 1)));
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

fn is_regression(row: &ComparedRow) -> bool {
    row.verdict()
        .is_some_and(|v| v.is_regression(row.unit.better()))
}

fn percent_worse(row: &ComparedRow) -> Option<f64> {
    row.comparison?.change.percent_worse()
}

fn is_worse(row: &ComparedRow, percent: f64) -> bool {
    percent_worse(row).is_some_and(|worse| worse > percent)
}

/// `  full handshakes, 1.3, rsa, client: 1.62x slower (-38.5%), p < 0.001, n = 30`
fn line(row: &ComparedRow, table: &Table, several: bool) -> String {
    let ratio = row.comparison.map_or(1.0, |c| c.change.ratio);
    let of = if several {
        format!(" of {}", table.names()[1])
    } else {
        String::new()
    };
    let p = row.comparison.and_then(|c| c.adjusted_p);
    let p = p.map_or_else(String::new, |p| p_equation(p).replace('\u{a0}', " "));
    let label = row.scenario.label();
    let line = format!(
        "  {label}{of}: {} ({:+.1}%), {p}, n = {}",
        cells::change(row),
        (ratio - 1.0) * 100.0,
        row.runs_text()
    );
    crate::escape::plain(&line).into_owned()
}

fn say_unjudged(table: &Table, percent: f64) {
    let unjudged =
        |row: &&ComparedRow| matches!(row.verdict(), Some(Verdict::Untested | Verdict::TooFew));
    let unjudged: Vec<&ComparedRow> = table.compared.rows.iter().filter(unjudged).collect();
    let say = |text: String| crate::say!("note: {}", crate::escape::plain(&text));
    let compared = table.compared.compared();
    if !unjudged.is_empty() {
        let worse = unjudged.iter().filter(|row| is_worse(row, percent)).count();
        say(format!(
            "{} of {} cannot be tested, for want of runs, and so pass; {worse} of them worse by more than {percent}%",
            unjudged.len(),
            rows(compared),
        ));
    }
    let missing = table
        .compared
        .rows
        .iter()
        .filter(|r| r.estimates[0].is_some() && r.estimates[1].is_none());
    match missing.count() {
        0 => {}
        n => say(format!(
            "no figure in the candidate for {} of the baseline, and so no failure",
            rows(n)
        )),
    }
    let unknown = |row: &&ComparedRow| row.is_change() && percent_worse(row).is_none();
    match table.compared.rows.iter().filter(unknown).count() {
        0 => {}
        n => say(format!(
            "a change, but no failure, in {} whose unit does not tell which way is better",
            rows(n)
        )),
    }
}
