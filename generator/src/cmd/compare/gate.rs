//! `--fail-on-regression`: which rows fail, and which cannot be judged.

use super::row::change;
use super::summary::rows;
use super::table::Table;
use crate::failure::{Failure, Result};
use crate::report::{ComparedRow, p_equation};
use crate::stats::Verdict;

/// Fails if a significant change for the worse exceeds `percent` of the baseline. A row that no
/// test can judge passes, but is reported, even to those who want quiet: a check that cannot fail
/// must not look like one that passed.
pub(super) fn gate(tables: &[Table], percent: f64) -> Result<()> {
    if tables.iter().all(|t| t.compared.compared() == 0) {
        return Err(Failure::Usage(
            "nothing to judge: no scenario that is asked for has figures on both sides".to_owned(),
        ));
    }
    let mut failing = Vec::new();
    for table in tables {
        let of = match tables.len() {
            1 => String::new(),
            _ => format!(" of {}", table.names()[1]),
        };
        failing.extend(judge(table, percent).into_iter().map(|row| line(row, &of)));
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

/// The rows that fail. Tells of those that can be no failure.
fn judge<'a>(table: &'a Table, percent: f64) -> Vec<&'a ComparedRow<'a>> {
    let mut failing = Vec::new();
    let (mut untested, mut untested_worse, mut missing, mut unknown) = (0, 0, 0, 0);
    for row in &table.compared.rows {
        let worse_by = row.comparison.and_then(|c| c.change.percent_worse());
        let is_worse = worse_by.is_some_and(|worse| worse > percent);
        let better = row.unit.better();
        match row.verdict() {
            Some(Verdict::Untested | Verdict::TooFew) => {
                untested += 1;
                untested_worse += usize::from(is_worse);
            }
            Some(verdict) if is_worse && verdict.is_regression(better) => failing.push(row),
            Some(verdict) if verdict.is_change() && worse_by.is_none() => unknown += 1,
            None if row.estimates[0].is_some() && row.estimates[1].is_none() => missing += 1,
            _ => {}
        }
    }
    if untested > 0 {
        let compared = rows(table.compared.compared());
        crate::say!(
            "note: {untested} of {compared} cannot be tested, for want of runs, and so pass; {untested_worse} of them worse by more than {percent}%"
        );
    }
    if missing > 0 {
        let missing = rows(missing);
        crate::say!(
            "note: no figure in the candidate for {missing} of the baseline, and so no failure"
        );
    }
    if unknown > 0 {
        let unknown = rows(unknown);
        crate::say!(
            "note: a change, but no failure, in {unknown} whose unit does not tell which way is better"
        );
    }
    failing
}

/// `  full handshakes, 1.3, rsa, client: 1.62x slower (-38.5%), p < 0.001, n = 30`
fn line(row: &ComparedRow, of: &str) -> String {
    let ratio = row.comparison.map_or(1.0, |c| c.change.ratio);
    let p = row.comparison.and_then(|c| c.adjusted_p);
    let line = format!(
        "  {}{of}: {} ({:+.1}%), {}, n = {}",
        row.scenario.label(),
        change(row),
        (ratio - 1.0) * 100.0,
        p.map_or_else(String::new, p_equation)
            .replace('\u{a0}', " "),
        row.runs_text()
    );
    crate::escape::plain(&line).into_owned()
}
