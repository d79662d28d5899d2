//! What the tables of a comparison come to: sentences for people, and `--fail-on-regression`.

use super::{ComparedSides, Line};
use crate::base::escape::plain;
use crate::base::failure::{Failure, Result};
use crate::base::words::{self as numbers, join};
use crate::cli::arguments::{Compare, FailOn};
use crate::report::words::{self, p_equation};
use crate::report::{COUNTS_RULE, Cell, Compared, Tally, means as means_of};
use crate::stats::{MIN_SAMPLE_FOR_BOOTSTRAP, MIN_SAMPLE_FOR_TEST};

/// Returns the verdict over tables: `Regression: 2 of 20 rows are worse by more than 5%`.
pub(super) fn verdict(tables: &[ComparedSides<'_>], arguments: &Compare) -> String {
    let all: Vec<Compared<'_>> = tables.iter().flat_map(ComparedSides::compared).collect();
    let tally: Tally<'_> = all.iter().copied().collect();
    let untested = all.iter().filter(|one| is_untested(one, arguments)).count();
    let of = rows(all.len());
    if all.is_empty() {
        return "Nothing to compare: no row has figures on both sides".to_owned();
    }
    if untested == all.len() {
        let has_runs =
            |one: &Compared<'_>| one.runs().iter().all(|runs| *runs >= MIN_SAMPLE_FOR_TEST);
        let needed = match all.iter().any(has_runs) {
            false => format!("can be tested, which needs {MIN_SAMPLE_FOR_TEST} runs a side"),
            true => format!("can reach p ≤ {}: add runs", arguments.rules().alpha),
        };
        return format!("Too few runs: none of {of} {needed}, each an execution of the benchmark");
    }
    let limit = arguments.fail_on_regression;
    let is_failing = |one: &&Compared<'_>| fails(one, limit.unwrap_or(0.0));
    let failing = all.iter().filter(is_failing).count();
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
    let better = if tally.worse > 0 { tally.better } else { 0 };
    let lost = lines.filter(|line| is_lost(line)).count();
    for (n, what) in [
        (better, "better"),
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

/// Returns `geometric mean: 1.15x faster over 8 scenarios of full handshakes` for each kind of
/// work.
pub(super) fn means(table: &ComparedSides<'_>) -> Vec<String> {
    let means = means_of(&table.compared());
    let mean = |mean| format!("geometric mean: {}", words::mean(mean));
    means.iter().map(mean).collect()
}

/// Returns machine, runs, and limit of the check: `Xeon E-2386G`, `10 runs`, `fails above 5%`.
pub(super) fn facts(table: &ComparedSides<'_>, arguments: &Compare) -> Vec<String> {
    let [old, new] = table.builds.map(|(report, _)| &report.manifest.machine);
    // Different machines are a warning.
    let mut facts = Vec::from_iter(new.clone().filter(|_| old == new));
    let runs = table.compared().into_iter().flat_map(|one| one.runs());
    let (least, most) = runs.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
    facts.extend((most > 0).then(|| words::runs(least, most)));
    let limit = arguments.fail_on_regression;
    facts.extend(limit.map(|percent| format!("fails above {percent}%")));
    facts
}

/// Describes how the table was made.
pub(super) fn method(table: &ComparedSides<'_>, arguments: &Compare) -> String {
    let compared = table.compared();
    let mut known = compared.iter().map(|one| one.known);
    let mut tests = compared.iter().filter_map(|one| one.known.test);
    let mut sentences = Vec::new();
    if compared.iter().any(Compared::is_tested) {
        let test = match tests.any(|t| t.is_paired) {
            true => "Wilcoxon's signed-rank test of paired runs, Mann-Whitney U of others",
            false => "Mann-Whitney U",
        };
        sentences.push(format!(
            "p: {test}, adjusted over all rows that both have (Benjamini-Hochberg). A change is significant at p ≤ {}, and at least {threshold}%. =: no difference, the whole interval is within ±{threshold}%. ~: not shown.",
            arguments.rules().alpha,
            threshold = arguments.threshold
        ));
        if known.any(|c| c.test.is_some() && c.interval.is_none()) {
            sentences.push(format!(
                "The interval of a ratio needs {MIN_SAMPLE_FOR_BOOTSTRAP} runs a side."
            ));
        }
    }
    if compared.iter().any(Compared::is_counted) {
        sentences.push(COUNTS_RULE.to_owned());
    }
    sentences.join(" ")
}

/// Fails if a significant change for the worse exceeds the limit, or for the rows that `--fail-on`
/// names. A row that cannot be tested passes otherwise, but is reported even with `--quiet`: a
/// check that cannot fail must not look like one that passed.
pub(super) fn gate(tables: &[ComparedSides<'_>], arguments: &Compare) -> Result<()> {
    let limit = arguments.fail_on_regression;
    let (mut failing, mut untested, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        let of = match tables.len() {
            1 => String::new(),
            _ => format!(" of {}", table.names()[1]),
        };
        for row in &table.lines {
            let label = row.row.scenario.label();
            match &row.compared {
                Some(one) if limit.is_some_and(|percent| fails(one, percent)) => {
                    failing.push(line(one, &of));
                }
                Some(one) if is_untested(one, arguments) => {
                    let n = words::both_runs(row.runs());
                    untested.push(format!("  {label}{of}: too few runs for a test, n = {n}"));
                }
                None if is_lost(row) => {
                    lost.push(format!("  {label}{of}: missing in the candidate"));
                }
                _ => {}
            }
        }
    }
    let (mut others, mut exempt) = (Vec::new(), Vec::new());
    for (what, mut lines, why) in [
        (
            FailOn::Untested,
            untested,
            "cannot be tested, for lack of runs",
        ),
        (FailOn::Missing, lost, "have no figure in the candidate"),
    ] {
        if arguments.fail_on.contains(&what) {
            others.append(&mut lines);
        } else if !lines.is_empty() {
            exempt.push(format!("{} {why}", lines.len()));
        }
    }
    if limit.is_some() && !exempt.is_empty() {
        let all = tables.iter().map(|table| table.lines.len()).sum();
        crate::say!("note: of {}, {}, and cannot fail", rows(all), join(&exempt));
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
        problems.append(&mut others);
    }
    match problems.is_empty() {
        true => Ok(()),
        false => {
            let lines: Vec<_> = problems.iter().map(|line| plain(line)).collect();
            Err(Failure::Difference(lines.join("\n")))
        }
    }
}

/// Whether a row is significantly worse by more than `percent`; in a unit that does not say which
/// way is better, whether it changed by more.
fn fails(one: &Compared<'_>, percent: f64) -> bool {
    let change = one.known.change;
    let away = (change.ratio - 1.0).abs() * 100.0;
    one.is_change() && change.percent_worse().unwrap_or(away) > percent
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

/// `  full handshakes, 1.3, rsa, client, handshakes/s: 1.62x slower (-38.5%), p < 0.001, n = 30`
fn line(one: &Compared<'_>, of: &str) -> String {
    let p = one.known.adjusted_p;
    let p = p.map_or_else(String::new, |p| format!("{}, ", p_equation(p)));
    let ratio = one.known.change.ratio;
    let percent = match ratio.is_normal() {
        true => format!(" ({:+.1}%)", (ratio - 1.0) * 100.0),
        false => String::new(),
    };
    format!(
        "  {}, {}{of}: {}{percent}, {}n = {}",
        one.row.scenario.label(),
        one.row.unit,
        words::verdict(&one.known),
        p.replace('\u{a0}', " "),
        words::both_runs(one.runs())
    )
}

/// `1 row`, `20 rows`
pub(super) fn rows(n: usize) -> String {
    numbers::count(n, "row")
}
