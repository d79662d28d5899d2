//! What the tables of a comparison come to: sentences for people, and `--fail-on-regression`.

use super::Table;
use crate::base::escape::plain;
use crate::base::failure::{Failure, Result};
use crate::base::words::{count, join};
use crate::cli::arguments::Compare;
use crate::report::{COUNTS_RULE, Compared, Tally, words};
use crate::stats::{MIN_SAMPLE_FOR_BOOTSTRAP, Verdict};

/// Returns the verdict over tables: `Regression: 2 of 20 rows are worse by more than 5%`.
pub(super) fn verdict(tables: &[Table<'_>], arguments: &Compare) -> String {
    let all: Vec<Compared<'_>> = tables.iter().flat_map(Table::compared).collect();
    let tally: Tally<'_> = all.iter().copied().collect();
    let limit = arguments.fail_on_regression;
    let failing = all.iter().filter(|one| fails(one, limit.unwrap_or(0.0)));
    let failing = failing.count();
    let [untested, lost] = without_verdict(tables, arguments);
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
    let means = words::means(&table.compared()).into_iter();
    means
        .map(|mean| format!("geometric mean: {mean}"))
        .collect()
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
    if compared.iter().any(|one| one.known.adjusted_p.is_some()) {
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
    let is_count =
        |one: &Compared<'_>| one.row.unit.kind().is_count() && one.verdict() != Verdict::Untested;
    if compared.iter().any(is_count) {
        sentences.push(COUNTS_RULE.to_owned());
    }
    sentences.join(" ")
}

/// Fails if a significant change for the worse exceeds the limit. A row that cannot be tested passes, but
/// is reported even with `--quiet`: a check that cannot fail must not look like one that passed.
pub(super) fn gate(tables: &[Table<'_>], arguments: &Compare) -> Result<()> {
    let Some(limit) = arguments.fail_on_regression else {
        return Ok(());
    };
    let [untested, lost] = without_verdict(tables, arguments);
    let exempt = [
        (untested, "cannot be tested, for lack of runs"),
        (lost, "have no figure in the candidate"),
    ];
    let exempt = exempt.into_iter().filter(|(n, _)| *n > 0);
    let exempt: Vec<String> = exempt.map(|(n, why)| format!("{n} {why}")).collect();
    if !exempt.is_empty() {
        let all = count(tables.iter().map(|table| table.lines.len()).sum(), "row");
        crate::say!("note: of {all}, {}, and cannot fail", join(&exempt));
    }
    let mut failing = Vec::new();
    for table in tables {
        for one in table.compared() {
            if fails(&one, limit) {
                let mut label = format!("  {}, {}", one.row.scenario.label(), one.row.unit);
                if tables.len() > 1 {
                    label += &format!(" of {}", table.names()[1]);
                }
                let test = words::test(&one).replace('\u{a0}', " ");
                failing.push(format!("{label}: {}, {test}", one.known.change));
            }
        }
    }
    if failing.is_empty() {
        return Ok(());
    }
    let are = if failing.len() == 1 { "is" } else { "are" };
    let rows = count(failing.len(), "row");
    failing.insert(0, format!("{rows} {are} worse by more than {limit}%:"));
    let lines: Vec<_> = failing.iter().map(|line| plain(line)).collect();
    Err(Failure::Difference(lines.join("\n")))
}

/// Returns the numbers of rows with too few runs for a verdict, and without a figure in the candidate.
fn without_verdict(tables: &[Table<'_>], arguments: &Compare) -> [usize; 2] {
    let lines = || tables.iter().flat_map(|table| &table.lines);
    let untested = lines().filter_map(|line| line.compared);
    let untested = untested.filter(|one| one.known.is_too_small(arguments.rules().alpha));
    let lost = lines().filter(|line| {
        let [old, new] = line.cells.map(|cell| cell?.estimate());
        old.is_some() && new.is_none()
    });
    [untested.count(), lost.count()]
}

/// Whether a row is significantly worse by more than `percent`; in a unit that does not say which
/// way is better, whether it changed by more.
fn fails(one: &Compared<'_>, percent: f64) -> bool {
    let change = one.known.change;
    let away = (change.ratio - 1.0).abs() * 100.0;
    one.is_change() && change.percent_worse().unwrap_or(away) > percent
}
