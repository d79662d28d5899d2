//! What the tables of a comparison come to: sentences for people, and `--fail-on-regression`.

use super::row::is_below_threshold;
use super::{ComparedSides, Line};
use crate::base::escape::plain;
use crate::base::failure::{Failure, Result};
use crate::base::words::{self as numbers, join};
use crate::cli::arguments::{Compare, FailOn};
use crate::report::words::{self, p_equation};
use crate::report::{COUNTS_RULE, Cell, Compared, Tally, means as means_of};
use crate::stats::{Estimator, MIN_SAMPLE_FOR_BOOTSTRAP, MIN_SAMPLE_FOR_TEST};

/// Rows that a note names.
const MAX_NAMED: usize = 5;

/// Shown if the sides have no scenario in common.
const NOTHING: &str = "Nothing to compare: no row has figures on both sides";

/// Returns the verdict over all tables: `Regression: 2 of 20 rows are worse by more than 5%`.
pub(super) fn verdict(tables: &[ComparedSides<'_>], arguments: &Compare) -> String {
    let all: Vec<Compared<'_>> = tables.iter().flat_map(ComparedSides::compared).collect();
    let tally: Tally<'_> = all.iter().copied().collect();
    let untested = all.iter().filter(|one| is_untested(one, arguments)).count();
    let of = rows(all.len());
    if all.is_empty() {
        return NOTHING.to_owned();
    }
    if untested == all.len() {
        let has_runs =
            |one: &&Compared<'_>| one.runs().iter().all(|runs| *runs >= MIN_SAMPLE_FOR_TEST);
        let needed = match all.iter().any(|one| has_runs(&one)) {
            false => format!("can be tested, which needs {MIN_SAMPLE_FOR_TEST} runs a side"),
            true => format!("can reach p ≤ {}: add runs", arguments.rules().alpha),
        };
        return format!("Too few runs: none of {of} {needed}, each an execution of the benchmark");
    }
    let limit = arguments.fail_on_regression;
    let failing = all
        .iter()
        .filter(|one| fails(one, limit.unwrap_or(0.0)))
        .count();
    let more_than = limit.map_or_else(String::new, |limit| format!(" by more than {limit}%"));
    let mut verdict = match (failing, tally.worse, tally.better) {
        (1.., ..) => format!("Regression: {} worse{more_than}", are(failing, &of)),
        (0, 1.., _) => format!(
            "No regression: {} worse, but none{more_than}",
            are(tally.worse, &of)
        ),
        (0, 0, 1..) => format!("Improvement: {} better", are(tally.better, &of)),
        _ if tally.changed() == 0 => format!("No change shown in {of}"),
        _ => format!(
            "Changed: {} different, in units that do not say which way is better",
            are(tally.changed(), &of)
        ),
    };
    let lines = tables.iter().flat_map(|table| &table.lines);
    for (n, what) in [
        (if tally.worse > 0 { tally.better } else { 0 }, "better"),
        (
            lines.filter(|line| is_lost(line)).count(),
            "missing in the candidate",
        ),
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
pub(super) fn count(table: &ComparedSides<'_>) -> String {
    let compared = table.compared();
    if compared.is_empty() {
        return NOTHING.to_owned() + ".";
    }
    let tested = tested(&compared);
    let tally: Tally<'_> = compared.iter().copied().collect();
    let untested = compared.len() - tested - counted(&compared);
    if untested == compared.len() {
        return format!("{} compared, not tested.", rows(compared.len()));
    }
    let significantly = if tested > 0 { " significantly" } else { "" };
    let of = rows(compared.len());
    let mut changed: Vec<Compared<'_>> = compared.clone();
    changed.retain(Compared::is_change);
    let changes = words::numbers(&changed).into_iter();
    let changes: Vec<String> = changes.map(|(n, word)| format!("{n} {word}")).collect();
    let counted = match tally.changed() {
        0 => format!("None of {of} changed{significantly}"),
        n => format!("{n} of {of} changed{significantly}: {}", changes.join(", ")),
    };
    match untested {
        0 => format!("{counted}."),
        _ => format!("{counted}; {untested} could not be tested."),
    }
}

/// The number of tested rows, the family over which p-values are adjusted.
fn tested(rows: &[Compared<'_>]) -> usize {
    rows.iter().filter(|one| one.is_tested()).count()
}

/// The number of rows of counts with repeated runs on both sides, which are not tested.
fn counted(rows: &[Compared<'_>]) -> usize {
    rows.iter().filter(|one| one.is_counted()).count()
}

/// Returns `geometric mean: 1.15x faster over 8 scenarios of full handshakes` for each kind of
/// work.
pub(super) fn means(table: &ComparedSides<'_>) -> Vec<String> {
    let means = means_of(&table.compared());
    let mean = |mean| format!("geometric mean: {}", words::mean(mean));
    means.iter().map(mean).collect()
}

/// Whether a table has rows with a verdict.
pub(super) fn has_verdicts(table: &ComparedSides<'_>) -> bool {
    let compared = table.compared();
    tested(&compared) + counted(&compared) > 0
}

/// Returns machine, runs, and limit of the check: `Xeon E-2386G`, `10 runs a side`,
/// `fails above 5%`.
pub(super) fn facts(table: &ComparedSides<'_>, arguments: &Compare) -> Vec<String> {
    let mut facts = Vec::new();
    let [baseline, candidate] = table.sides;
    // Different machines are a warning.
    if baseline.machines == candidate.machines && !baseline.machines.is_empty() {
        facts.push(baseline.machines.join(" and "));
    }
    let compared = table.compared();
    let runs = compared.iter().flat_map(Compared::runs);
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
pub(super) fn method(table: &ComparedSides<'_>, arguments: &Compare) -> String {
    let mut sentences = Vec::new();
    let compared = table.compared();
    let tested = tested(&compared);
    if tested > 0 {
        let mut tests = compared.iter().filter_map(|one| one.known.test);
        let test = match tests.any(|t| t.is_paired) {
            true => "Wilcoxon's signed-rank test of paired runs, Mann-Whitney U of others",
            false => "Mann-Whitney U",
        };
        sentences.push(format!(
            "p: {test}, adjusted over all rows that both have (Benjamini-Hochberg). A change is significant at p ≤ {}, and at least {}%. No difference: the whole interval is within ±{}%. ~: not shown.",
            arguments.rules().alpha,
            arguments.threshold,
            arguments.threshold
        ));
        let mut known = compared.iter().map(|one| one.known);
        if table.builds[1].0.manifest.estimator == Estimator::Mean {
            sentences.push("A ratio of means has no interval.".to_owned());
        } else if known.any(|c| c.test.is_some() && c.interval.is_none()) {
            sentences.push(format!(
                "The interval of a ratio needs {MIN_SAMPLE_FOR_BOOTSTRAP} runs a side."
            ));
        }
    }
    if counted(&compared) > 0 {
        sentences.push(COUNTS_RULE.to_owned());
    }
    sentences.join(" ")
}

/// Fails if a significant change for the worse exceeds the limit, or for the rows that `--fail-on`
/// names. A row that cannot be tested passes otherwise, but is reported even with `--quiet`: a
/// check that cannot fail must not look like one that passed.
pub(super) fn gate(tables: &[ComparedSides<'_>], arguments: &Compare) -> Result<()> {
    let limit = arguments.fail_on_regression;
    if limit.is_none() && arguments.fail_on.is_empty() {
        return Ok(());
    }
    let has_lost = tables.iter().flat_map(|t| &t.lines).any(is_lost);
    let lost_fail = has_lost && arguments.fail_on.contains(&FailOn::Missing);
    if !lost_fail && tables.iter().all(|t| t.compared().is_empty()) {
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
        for row in &table.lines {
            let compared = row.compared.as_ref();
            let label = row.row.scenario.label();
            let is_failing = |percent| compared.is_some_and(|one| fails(one, percent));
            if limit.is_some_and(is_failing) {
                failing.push(line(row, &of));
            }
            if arguments.fail_on.contains(&FailOn::Missing) && is_lost(row) {
                others.push(format!("  {label}{of}: missing in the candidate"));
            } else if arguments.fail_on.contains(&FailOn::Untested)
                && compared.is_some_and(|one| is_untested(one, arguments))
            {
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
fn fails(one: &Compared<'_>, percent: f64) -> bool {
    let change = one.known.change;
    let away = (change.ratio - 1.0).abs() * 100.0;
    one.is_change() && change.percent_worse().unwrap_or(away) > percent
}

fn is_worse(one: &Compared<'_>, percent: f64) -> bool {
    let worse = one.known.change.percent_worse();
    worse.is_some_and(|worse| worse > percent)
}

/// Whether both sides have figures, but too few runs for a verdict.
fn is_untested(one: &Compared<'_>, arguments: &Compare) -> bool {
    one.known.is_too_small(arguments.rules().alpha)
}

/// Whether only the candidate lacks a figure.
fn is_lost(line: &Line<'_>) -> bool {
    let [old, new] = line.cells.map(|cell| cell.and_then(Cell::estimate));
    old.is_some() && new.is_none()
}

/// Notes which rows cannot fail, and why.
fn note_exempt_rows(table: &ComparedSides<'_>, percent: f64, arguments: &Compare) {
    let compared = table.compared();
    let untested = compared.iter().filter(|one| is_untested(one, arguments));
    let untested: Vec<&Compared<'_>> = untested.collect();
    if !untested.is_empty() && !arguments.fail_on.contains(&FailOn::Untested) {
        let worse = untested.iter().filter(|one| is_worse(one, percent));
        let mut worse: Vec<String> = worse.map(|one| one.row.scenario.label()).collect();
        if worse.len() > MAX_NAMED {
            let more = worse.len() - MAX_NAMED;
            worse.truncate(MAX_NAMED);
            worse.push(format!("{more} more"));
        }
        let worse = match &*worse {
            [] => format!("none is worse by more than {percent}%"),
            named => format!("worse by more than {percent}%: {}", join(named)),
        };
        let (n, of) = (untested.len(), rows(compared.len()));
        let note = format!(
            "note: {n} of {of} cannot be tested, for lack of runs, and cannot fail; {worse}"
        );
        crate::say!("{}", plain(&note));
    }
    let is_below =
        |one: &&Compared<'_>| is_below_threshold(one, arguments) && is_worse(one, percent);
    let below = compared.iter().filter(is_below).count();
    if below > 0 {
        let (below, are) = (rows(below), if below == 1 { "is" } else { "are" });
        let threshold = arguments.threshold;
        crate::say!(
            "note: {below} {are} significantly worse by more than {percent}%, but by less than --threshold {threshold}%, and cannot fail"
        );
    }
    let missing = table.lines.iter().filter(|line| is_lost(line)).count();
    if missing > 0 && !arguments.fail_on.contains(&FailOn::Missing) {
        let missing = rows(missing);
        crate::say!(
            "note: the candidate has no figure for {missing} of the baseline; that is no failure"
        );
    }
}

/// `  full handshakes, 1.3, rsa, client, handshakes/s: 1.62x slower (-38.5%), p < 0.001, n = 30`
fn line(row: &Line<'_>, of: &str) -> String {
    let known = row.compared.map(|one| one.known);
    let ratio = known.map_or(1.0, |c| c.change.ratio);
    let p = known.and_then(|c| c.adjusted_p);
    let p = p.map_or_else(String::new, |p| format!("{}, ", p_equation(p)));
    let percent = match ratio.is_normal() {
        true => format!(" ({:+.1}%)", (ratio - 1.0) * 100.0),
        false => String::new(),
    };
    let line = format!(
        "  {}, {}{of}: {}{percent}, {}n = {}",
        row.row.scenario.label(),
        row.row.unit,
        row.change(),
        p.replace('\u{a0}', " "),
        words::both_runs(row.runs())
    );
    plain(&line).into_owned()
}

/// `1 row`, `20 rows`
pub(super) fn rows(n: usize) -> String {
    numbers::count(n, "row")
}
