//! Sentences about a whole table.

use super::table::ComparedSides;
use crate::cli::Compare;
use crate::report::{COUNTS_RULE, ComparedRow};
use crate::site;
use crate::stats::{Estimator, MIN_SAMPLE_FOR_BOOTSTRAP, Verdict};

/// Shown if the sides have no scenario in common.
pub(super) const NOTHING: &str = "Nothing to compare: no row has figures on both sides";

/// `3 of 20 rows changed significantly: 1 faster, 2 slower.`
pub(super) fn count(table: &ComparedSides) -> String {
    let all = &table.compared.rows;
    let compared = table.compared.compared();
    if compared == 0 {
        return NOTHING.to_owned() + ".";
    }
    let tested = table.compared.tested();
    let untested = compared - tested - table.compared.counted();
    if untested == compared && untested > 0 {
        return format!("{} compared, not tested.", rows(compared));
    }
    let of = |verdict: Verdict| {
        let n = all.iter().filter(|r| r.verdict() == Some(verdict)).count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    };
    let changes = [
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Less,
        Verdict::More,
    ];
    let changes: Vec<String> = changes.into_iter().filter_map(of).collect();
    let significantly = if tested > 0 { " significantly" } else { "" };
    let all_rows = rows(compared);
    let counted = match all.iter().filter(|r| r.is_change()).count() {
        0 => format!("None of {all_rows} changed{significantly}"),
        n => format!(
            "{n} of {all_rows} changed{significantly}: {}",
            changes.join(", ")
        ),
    };
    match untested {
        0 => format!("{counted}."),
        _ => format!("{counted}; {untested} could not be tested."),
    }
}

/// Returns `geometric mean over 8 scenarios in MiB/s 1.15x faster` for each unit.
pub(super) fn means(table: &ComparedSides) -> Vec<String> {
    let means = table.compared.means().into_iter().map(|mean| {
        let unit = table.compared.symbol(mean.unit);
        let (n, change) = (mean.n, mean.change);
        format!("geometric mean over {n} scenarios in {unit} {change}")
    });
    means.collect()
}

/// Returns machine, runs, and limit of the check: `Xeon E-2386G`, `10 runs a side`, `fails above 5%`.
pub(super) fn facts(table: &ComparedSides, arguments: &Compare) -> Vec<String> {
    let [(baseline, _), (candidate, _)] = table.sides;
    // Different machines are a warning.
    let machine =
        (baseline.machines == candidate.machines).then(|| baseline.machines.join(" and "));
    let compared = table.compared.rows.iter();
    let runs = compared
        .filter(|r| r.comparison.is_some())
        .flat_map(ComparedRow::runs);
    let (least, most) = runs.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
    let runs = match most {
        0 => None,
        1 => Some("single figures".to_owned()),
        most if least == most => Some(format!("{most} runs a side")),
        most => Some(format!("{least} to {most} runs a side")),
    };
    let limit = arguments.fail_on_regression;
    let limit = limit.map(|percent| format!("fails above {percent}%"));
    let facts = [machine.filter(|m| !m.is_empty()), runs, limit];
    facts.into_iter().flatten().collect()
}

/// Describes how the table was made.
pub(super) fn method(table: &ComparedSides, arguments: &Compare) -> String {
    let tested = table.compared.tested();
    let counted = match table.compared.counted() {
        0 => "",
        _ => COUNTS_RULE,
    };
    if tested == 0 {
        return counted.to_owned();
    }
    let mut method = format!(
        "p: Mann-Whitney U, adjusted over {} (Benjamini-Hochberg); ~ no difference shown at p ≤ {} and {}%.",
        rows(tested),
        arguments.alpha,
        arguments.threshold
    );
    let known = table.compared.rows.iter().filter_map(|r| r.comparison);
    let mut without_interval = known.filter(|c| c.test.is_some() && c.interval.is_none());
    if arguments.output.estimator == Estimator::Mean {
        method += " A ratio of means has no interval.";
    } else if without_interval.next().is_some() {
        method +=
            &format!(" The interval of a ratio needs {MIN_SAMPLE_FOR_BOOTSTRAP} runs a side.");
    }
    [&method, counted].join(" ").trim_end().to_owned()
}

/// `1 row`, `20 rows`
pub(super) fn rows(n: usize) -> String {
    site::count(n, "row")
}
