//! The verdict of a whole comparison in one line: the heading of a pull request's comment.

use super::gate::{failing, is_judged, is_lost, percent_worse};
use super::summary::{self, rows};
use super::table::ComparedSides;
use crate::cli::Compare;
use crate::report::ComparedRow;

/// Returns the verdict over all tables: `Regression: 2 of 20 rows are worse by more than 5%`.
pub(super) fn verdict(tables: &[ComparedSides], arguments: &Compare) -> String {
    let all = || tables.iter().flat_map(|t| &t.compared.rows);
    let compared = all().filter(|r| r.comparison.is_some()).count();
    let untested = all().filter(|r| r.comparison.is_some() && !is_judged(r));
    let untested = untested.count();
    let lost = all().filter(|r| is_lost(r)).count();
    let of = rows(compared);
    if compared == 0 {
        return summary::NOTHING.to_owned();
    }
    if untested == compared {
        return format!("Too few runs: none of {of} can be tested, which needs 4 runs a side");
    }
    let limit = arguments.fail_on_regression;
    let failing: usize = tables
        .iter()
        .map(|t| failing(t, limit.unwrap_or(0.0)))
        .map(|f| f.len())
        .sum();
    let changed: Vec<&ComparedRow> = all().filter(|r| r.is_change()).collect();
    let count = |wanted: fn(f64) -> bool| {
        let known = changed.iter().filter_map(|r| percent_worse(r));
        known.filter(|worse| wanted(*worse)).count()
    };
    let (worse, better) = (count(|w| w > 0.0), count(|w| w < 0.0));
    let more_than = limit.map_or_else(String::new, |limit| format!(" by more than {limit}%"));
    let mut verdict = match (failing, worse, better) {
        (1.., ..) => format!("Regression: {} worse{more_than}", are(failing, &of)),
        (0, 1.., _) => format!(
            "No regression: {} worse, but none{more_than}",
            are(worse, &of)
        ),
        (0, 0, 1..) => format!("Improvement: {} better", are(better, &of)),
        _ if changed.is_empty() => format!("No change shown in {of}"),
        _ => format!(
            "Changed: {} different, in units that do not say which way is better",
            are(changed.len(), &of)
        ),
    };
    for (n, what) in [
        (if worse > 0 { better } else { 0 }, "better"),
        (lost, "missing in the candidate"),
        (untested, "cannot be tested"),
    ] {
        if n > 0 {
            verdict += &format!("; {n} {what}");
        }
    }
    verdict
}

/// `2 of 20 rows are`
fn are(n: usize, of: &str) -> String {
    let verb = if n == 1 { "is" } else { "are" };
    format!("{n} of {of} {verb}")
}
