//! What the tables of a comparison come to: sentences for people, and `--fail-on-regression`.

use super::ComparedSides;
use super::row::{change, is_below_threshold};
use crate::base::escape::plain;
use crate::base::failure::{Failure, Result};
use crate::base::words::{count as counted, join};
use crate::cli::arguments::{Compare, FailOn};
use crate::report::words::{self, p_equation};
use crate::report::{COUNTS_RULE, ComparedRow};
use crate::stats::{Estimator, MIN_SAMPLE_FOR_BOOTSTRAP, MIN_SAMPLE_FOR_TEST};

/// Rows that a note names.
const MAX_NAMED: usize = 5;

/// Shown if the sides have no scenario in common.
const NOTHING: &str = "Nothing to compare: no row has figures on both sides";

/// Returns the verdict over all tables: `Regression: 2 of 20 rows are worse by more than 5%`.
pub(super) fn verdict(tables: &[ComparedSides], arguments: &Compare) -> String {
    let count = |wanted: &dyn Fn(&ComparedRow) -> bool| {
        let rows = tables.iter().flat_map(|t| &t.compared.rows);
        rows.filter(|r| wanted(r)).count()
    };
    let compared = count(&|row| row.comparison.is_some());
    let untested = count(&|row| is_untested(row, arguments));
    let of = rows(compared);
    if compared == 0 {
        return NOTHING.to_owned();
    }
    if untested == compared {
        let needed = match count(&|row| row.runs().iter().all(|runs| *runs >= MIN_SAMPLE_FOR_TEST))
        {
            0 => format!("can be tested, which needs {MIN_SAMPLE_FOR_TEST} runs a side"),
            _ => format!("can reach p ≤ {}: add runs", arguments.alpha),
        };
        return format!("Too few runs: none of {of} {needed}, each an execution of the benchmark");
    }
    let limit = arguments.fail_on_regression;
    let failing = count(&|row| fails(row, limit.unwrap_or(0.0)));
    let changed = count(&|row| row.is_change());
    let worse = count(&|row| row.is_change() && is_worse(row, 0.0));
    let better =
        count(&|row| row.is_change() && percent_worse(row).is_some_and(|worse| worse < 0.0));
    let more_than = limit.map_or_else(String::new, |limit| format!(" by more than {limit}%"));
    let mut verdict = match (failing, worse, better) {
        (1.., ..) => format!("Regression: {} worse{more_than}", are(failing, &of)),
        (0, 1.., _) => format!(
            "No regression: {} worse, but none{more_than}",
            are(worse, &of)
        ),
        (0, 0, 1..) => format!("Improvement: {} better", are(better, &of)),
        _ if changed == 0 => format!("No change shown in {of}"),
        _ => format!(
            "Changed: {} different, in units that do not say which way is better",
            are(changed, &of)
        ),
    };
    for (n, what) in [
        (if worse > 0 { better } else { 0 }, "better"),
        (count(&is_lost), "missing in the candidate"),
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

/// `3 of 20 rows changed significantly: 1 faster, 2 slower.`
pub(super) fn count(table: &ComparedSides) -> String {
    let compared = table.compared.compared();
    if compared == 0 {
        return NOTHING.to_owned() + ".";
    }
    let tested = table.compared.tested();
    let untested = compared - tested - table.compared.counted();
    if untested == compared {
        return format!("{} compared, not tested.", rows(compared));
    }
    // By word: a table may have several units.
    let mut changes: Vec<(&str, usize)> = Vec::new();
    for row in table.compared.rows.iter().filter(|row| row.is_change()) {
        let word = row.comparison.map_or("", |known| known.change.word());
        match changes.iter_mut().find(|(known, _)| *known == word) {
            Some((_, n)) => *n += 1,
            None => changes.push((word, 1)),
        }
    }
    changes.sort_unstable();
    let changed: usize = changes.iter().map(|(_, n)| n).sum();
    let changes: Vec<String> = changes
        .iter()
        .map(|(word, n)| format!("{n} {word}"))
        .collect();
    let significantly = if tested > 0 { " significantly" } else { "" };
    let of = rows(compared);
    let counted = match changed {
        0 => format!("None of {of} changed{significantly}"),
        n => format!("{n} of {of} changed{significantly}: {}", changes.join(", ")),
    };
    match untested {
        0 => format!("{counted}."),
        _ => format!("{counted}; {untested} could not be tested."),
    }
}

/// Returns `geometric mean: 1.15x faster over 8 scenarios of full handshakes` for each kind of
/// work.
pub(super) fn means(table: &ComparedSides) -> Vec<String> {
    let means = table.compared.means();
    let mean = |mean| format!("geometric mean: {}", words::mean(mean));
    means.iter().map(mean).collect()
}

/// Returns machine, runs, and limit of the check: `Xeon E-2386G`, `10 runs a side`,
/// `fails above 5%`.
pub(super) fn facts(table: &ComparedSides, arguments: &Compare) -> Vec<String> {
    let mut facts = Vec::new();
    let [(baseline, _), (candidate, _)] = table.sides;
    // Different machines are a warning.
    if baseline.machines == candidate.machines && !baseline.machines.is_empty() {
        facts.push(baseline.machines.join(" and "));
    }
    let compared = table.compared.rows.iter();
    let runs = compared
        .filter(|r| r.comparison.is_some())
        .flat_map(ComparedRow::runs);
    let (least, most) = runs.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
    match most {
        0 => {}
        1 => facts.push("single figures".to_owned()),
        most if least == most => facts.push(format!("{most} runs a side")),
        most => facts.push(format!("{least} to {most} runs a side")),
    }
    if let Some(percent) = arguments.fail_on_regression {
        facts.push(format!("fails above {percent}%"));
    }
    facts
}

/// Describes how the table was made.
pub(super) fn method(table: &ComparedSides, arguments: &Compare) -> String {
    let mut sentences = Vec::new();
    let tested = table.compared.tested();
    if tested > 0 {
        let rows_compared = table.compared.rows.iter();
        let mut tests = rows_compared.filter_map(|r| r.comparison?.test);
        let test = match tests.any(|t| t.is_paired) {
            true => "Wilcoxon's signed-rank test of paired runs, Mann-Whitney U of others",
            false => "Mann-Whitney U",
        };
        sentences.push(format!(
            "p: {test}, adjusted over {} (Benjamini-Hochberg). A change is significant at p ≤ {}, and at least {}%. No difference: the whole interval is within ±{}%. ~: not shown.",
            rows(tested),
            arguments.alpha,
            arguments.threshold,
            arguments.threshold
        ));
        let mut known = table.compared.rows.iter().filter_map(|r| r.comparison);
        if arguments.output.estimator == Estimator::Mean {
            sentences.push("A ratio of means has no interval.".to_owned());
        } else if known.any(|c| c.test.is_some() && c.interval.is_none()) {
            sentences.push(format!(
                "The interval of a ratio needs {MIN_SAMPLE_FOR_BOOTSTRAP} runs a side."
            ));
        }
    }
    if table.compared.counted() > 0 {
        sentences.push(COUNTS_RULE.to_owned());
    }
    sentences.join(" ")
}

/// Fails if a significant change for the worse exceeds the limit, or for the rows that `--fail-on`
/// names. A row that cannot be tested passes otherwise, but is reported even with `--quiet`: a
/// check that cannot fail must not look like one that passed.
pub(super) fn gate(tables: &[ComparedSides], arguments: &Compare) -> Result<()> {
    let limit = arguments.fail_on_regression;
    if limit.is_none() && arguments.fail_on.is_empty() {
        return Ok(());
    }
    let has_lost = tables.iter().flat_map(|t| &t.compared.rows).any(is_lost);
    let lost_fail = has_lost && arguments.fail_on.contains(&FailOn::Missing);
    if !lost_fail && tables.iter().all(|t| t.compared.compared() == 0) {
        return Err(Failure::Usage(
            "nothing to judge: none of the selected scenarios has figures on both sides".to_owned(),
        ));
    }
    let (mut failing, mut others) = (Vec::new(), Vec::new());
    for table in tables {
        let of = match tables.len() {
            1 => String::new(),
            _ => format!(" of {}", table.names()[1]),
        };
        for row in &table.compared.rows {
            if limit.is_some_and(|percent| fails(row, percent)) {
                failing.push(line(row, &of));
            }
            let label = row.row.scenario.label();
            if arguments.fail_on.contains(&FailOn::Missing) && is_lost(row) {
                others.push(format!("  {label}{of}: missing in the candidate"));
            } else if arguments.fail_on.contains(&FailOn::Untested) && is_untested(row, arguments) {
                let n = words::both_runs(row.runs());
                others.push(format!("  {label}{of}: too few runs for a test, n = {n}"));
            }
        }
        if let Some(percent) = limit {
            note_exempt_rows(table, percent, arguments);
        }
    }
    let mut problems = Vec::new();
    if let Some(percent) = limit.filter(|_| !failing.is_empty()) {
        let are = if failing.len() == 1 { "is" } else { "are" };
        let worse = rows(failing.len());
        problems.push(format!("{worse} {are} worse by more than {percent}%:"));
        problems.append(&mut failing);
    }
    if !others.is_empty() {
        problems.push(format!("{} without a verdict:", rows(others.len())));
        problems.extend(others.iter().map(|line| plain(line).into_owned()));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Failure::Difference(problems.join("\n"))),
    }
}

/// Whether a row is significantly worse by more than `percent`; in a unit that does not say which
/// way is better, whether it changed by more.
fn fails(row: &ComparedRow, percent: f64) -> bool {
    let Some(comparison) = row.comparison.filter(|_| row.is_change()) else {
        return false;
    };
    let change = comparison.change;
    let away = (change.ratio - 1.0).abs() * 100.0;
    change.percent_worse().unwrap_or(away) > percent
}

/// Returns by how many percent the candidate is worse, if the unit says which way is better.
fn percent_worse(row: &ComparedRow) -> Option<f64> {
    row.comparison?.change.percent_worse()
}

fn is_worse(row: &ComparedRow, percent: f64) -> bool {
    percent_worse(row).is_some_and(|worse| worse > percent)
}

/// Whether both sides have figures, but too few runs for a verdict.
fn is_untested(row: &ComparedRow, arguments: &Compare) -> bool {
    let known = row.comparison;
    known.is_some_and(|known| known.is_too_small(arguments.alpha))
}

/// Whether only the candidate lacks a figure.
fn is_lost(row: &ComparedRow) -> bool {
    row.estimates[0].is_some() && row.estimates[1].is_none()
}

/// Notes which rows cannot fail, and why.
fn note_exempt_rows(table: &ComparedSides, percent: f64, arguments: &Compare) {
    let count = |wanted: &dyn Fn(&ComparedRow) -> bool| {
        table.compared.rows.iter().filter(|r| wanted(r)).count()
    };
    let untested = count(&|row| is_untested(row, arguments));
    if untested > 0 && !arguments.fail_on.contains(&FailOn::Untested) {
        let compared = rows(table.compared.compared());
        let all = table.compared.rows.iter();
        let worse = all.filter(|row| is_untested(row, arguments) && is_worse(row, percent));
        let mut worse: Vec<String> = worse.map(|row| row.row.scenario.label()).collect();
        if worse.len() > MAX_NAMED {
            let more = worse.len() - MAX_NAMED;
            worse.truncate(MAX_NAMED);
            worse.push(format!("{more} more"));
        }
        let worse = match &*worse {
            [] => format!("none is worse by more than {percent}%"),
            named => format!("worse by more than {percent}%: {}", join(named)),
        };
        let note = format!(
            "note: {untested} of {compared} cannot be tested, for lack of runs, and cannot fail; {worse}"
        );
        crate::say!("{}", plain(&note));
    }
    let below = count(&|row| is_below_threshold(row, arguments) && is_worse(row, percent));
    if below > 0 {
        let (below, are) = (rows(below), if below == 1 { "is" } else { "are" });
        let threshold = arguments.threshold;
        crate::say!(
            "note: {below} {are} significantly worse by more than {percent}%, but by less than --threshold {threshold}%, and cannot fail"
        );
    }
    let missing = count(&is_lost);
    if missing > 0 && !arguments.fail_on.contains(&FailOn::Missing) {
        let missing = rows(missing);
        crate::say!(
            "note: the candidate has no figure for {missing} of the baseline; that is no failure"
        );
    }
}

/// `  full handshakes, 1.3, rsa, client, handshakes/s: 1.62x slower (-38.5%), p < 0.001, n = 30`
fn line(row: &ComparedRow, of: &str) -> String {
    let ratio = row.comparison.map_or(1.0, |c| c.change.ratio);
    let p = row.comparison.and_then(|c| c.adjusted_p);
    let p = p.map_or_else(String::new, |p| format!("{}, ", p_equation(p)));
    let percent = match ratio.is_normal() {
        true => format!(" ({:+.1}%)", (ratio - 1.0) * 100.0),
        false => String::new(),
    };
    let line = format!(
        "  {}, {}{of}: {}{percent}, {}n = {}",
        row.row.scenario.label(),
        row.row.unit,
        change(row),
        p.replace('\u{a0}', " "),
        words::both_runs(row.runs())
    );
    plain(&line).into_owned()
}

/// `1 row`, `20 rows`
pub(super) fn rows(n: usize) -> String {
    counted(n, "row")
}
