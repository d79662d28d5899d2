//! What the tables of a comparison come to: sentences for people, and `--fail-on-regression`.

use super::{Line, Table};
use crate::base::escape::plain;
use crate::base::failure::{Failure, Result};
use crate::base::words::{count, join};
use crate::cli::arguments::{Compare, FailOn};
use crate::report::words::{self, p_equation};
use crate::report::{COUNTS_RULE, Compared, Tally, means as means_of};
use crate::stats::MIN_SAMPLE_FOR_BOOTSTRAP;

/// Returns the verdict over tables: `Regression: 2 of 20 rows are worse by more than 5%`.
pub(super) fn verdict(tables: &[Table<'_>], arguments: &Compare) -> String {
    let all: Vec<Compared<'_>> = tables.iter().flat_map(Table::compared).collect();
    let tally: Tally<'_> = all.iter().copied().collect();
    let limit = arguments.fail_on_regression;
    let failing = all.iter().filter(|one| fails(one, limit.unwrap_or(0.0)));
    let failing = failing.count();
    let untested = all.iter().filter(|one| is_untested(one, arguments)).count();
    let lines = tables.iter().flat_map(|table| &table.lines);
    let lost = lines.filter(|line| is_lost(line)).count();
    let more_than = limit.map_or_else(String::new, |limit| format!(" by more than {limit}%"));
    let (outcome, n, what) = match (failing, tally.worse, tally.better) {
        _ if untested == all.len() => ("Too few runs", untested, "untested".to_owned()),
        (1.., ..) => ("Regression", failing, format!("worse{more_than}")),
        (0, 1.., _) => {
            let none = format!("worse, but none{more_than}");
            ("No regression", tally.worse, none)
        }
        (0, 0, 1..) => ("Improvement", tally.better, "better".to_owned()),
        _ => ("Changed", tally.differs, "different".to_owned()),
    };
    let verb = if n == 1 { "is" } else { "are" };
    let of = count(all.len(), "row");
    let mut verdict = match n {
        0 => format!("No change shown in {of}"),
        _ => format!("{outcome}: {n} of {of} {verb} {what}"),
    };
    let better = if tally.worse > 0 { tally.better } else { 0 };
    for (n, what) in [
        (better, "better"),
        (lost, "missing in the candidate"),
        (untested, "untested"),
    ] {
        if n > 0 && (what != "untested" || n < all.len()) {
            verdict += &format!("; {n} {what}");
        }
    }
    verdict
}

/// Returns `geometric mean: 1.15x faster over 8 scenarios of full handshakes` for each kind of
/// work.
pub(super) fn means(table: &Table<'_>) -> Vec<String> {
    let means = means_of(&table.compared());
    let mean = |mean| format!("geometric mean: {}", words::mean(mean));
    means.iter().map(mean).collect()
}

/// Returns machine, runs, and limit of the check: `Xeon E-2386G`, `10 runs`, `fails above 5%`.
pub(super) fn facts(table: &Table<'_>, arguments: &Compare) -> Vec<String> {
    let [old, new] = table.sides.map(|(report, _)| &report.manifest.machine);
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
pub(super) fn method(table: &Table<'_>, arguments: &Compare) -> String {
    let compared = table.compared();
    let mut sentences = Vec::new();
    if compared.iter().any(Compared::is_tested) {
        let mut tests = compared.iter().filter_map(|one| one.known.test);
        let test = match tests.any(|t| t.is_paired) {
            true => "Wilcoxon's signed-rank test of paired runs, Mann-Whitney U of others",
            false => "Mann-Whitney U",
        };
        sentences.push(format!(
            "p: {test}, adjusted over all rows that both have (Benjamini-Hochberg). A change is significant at p ≤ {}, and at least {threshold}%. =: no difference, the whole interval is within ±{threshold}%. ~: not shown.",
            arguments.rules().alpha,
            threshold = arguments.threshold
        ));
        let has_none =
            |one: &Compared<'_>| one.known.test.is_some() && one.known.interval.is_none();
        if compared.iter().any(has_none) {
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
pub(super) fn gate(tables: &[Table<'_>], arguments: &Compare) -> Result<()> {
    let limit = arguments.fail_on_regression;
    let (mut failing, mut untested, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        for line in &table.lines {
            let mut label = format!("  {}, {}", line.row.scenario.label(), line.row.unit);
            if tables.len() > 1 {
                label += &format!(" of {}", table.names()[1]);
            }
            let n = words::both_runs(line.runs());
            match &line.compared {
                Some(one) if limit.is_some_and(|percent| fails(one, percent)) => {
                    failing.push(format!("{label}: {}, n = {n}", evidence(one)));
                }
                Some(one) if is_untested(one, arguments) => {
                    untested.push(format!("{label}: too few runs for a test, n = {n}"));
                }
                None if is_lost(line) => lost.push(format!("{label}: missing in the candidate")),
                _ => {}
            }
        }
    }
    let (mut others, mut exempt) = (Vec::new(), Vec::new());
    let (few, none) = (
        "cannot be tested, for lack of runs",
        "have no figure in the candidate",
    );
    for (what, lines, why) in [
        (FailOn::Untested, untested, few),
        (FailOn::Missing, lost, none),
    ] {
        if arguments.fail_on.contains(&what) {
            others.extend(lines);
        } else if !lines.is_empty() {
            exempt.push(format!("{} {why}", lines.len()));
        }
    }
    if limit.is_some() && !exempt.is_empty() {
        let all = tables.iter().map(|table| table.lines.len()).sum();
        crate::say!(
            "note: of {}, {}, and cannot fail",
            count(all, "row"),
            join(&exempt)
        );
    }
    let mut problems = Vec::new();
    if !failing.is_empty() {
        let are = if failing.len() == 1 { "is" } else { "are" };
        let (worse, percent) = (count(failing.len(), "row"), limit.unwrap_or(0.0));
        problems.push(format!("{worse} {are} worse by more than {percent}%:"));
        problems.extend(failing);
    }
    if !others.is_empty() {
        let rows = count(others.len(), "row");
        problems.push(format!("{rows} without a verdict:"));
        problems.extend(others);
    }
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = problems.iter().map(|line| plain(line)).collect();
    Err(Failure::Difference(lines.join("\n")))
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
    let [old, new] = line.cells.map(|cell| cell?.estimate());
    old.is_some() && new.is_none()
}

/// `1.62x slower (-38.5%), p < 0.001`
fn evidence(one: &Compared<'_>) -> String {
    let mut evidence = words::verdict(&one.known);
    let ratio = one.known.change.ratio;
    if ratio.is_normal() {
        evidence += &format!(" ({:+.1}%)", (ratio - 1.0) * 100.0);
    }
    if let Some(p) = one.known.adjusted_p {
        evidence += &format!(", {}", p_equation(p).replace('\u{a0}', " "));
    }
    evidence
}
