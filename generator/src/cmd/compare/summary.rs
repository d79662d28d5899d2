//! What holds for a whole table, in sentences.

use super::table::Table;
use crate::cli::Compare;
use crate::report::{ComparedRow, Mean};
use crate::stats::{Estimator, MIN_SAMPLE_FOR_BOOTSTRAP, Verdict};

/// `3 of 20 rows changed significantly: 1 faster, 2 slower.`
pub(super) fn count(table: &Table) -> String {
    let of = |verdict: Verdict| {
        let n = table
            .compared
            .rows
            .iter()
            .filter(|r| r.verdict() == Some(verdict))
            .count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    };
    let changes = [
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Less,
        Verdict::More,
    ];
    let changes: Vec<String> = changes.into_iter().filter_map(of).collect();
    let changed = table.compared.rows.iter().filter(|r| r.is_change()).count();
    let compared = table.compared.compared();
    let counted = match changed {
        0 => format!("None of {} changed significantly", rows(compared)),
        _ => format!(
            "{changed} of {} changed significantly: {}",
            rows(compared),
            changes.join(", ")
        ),
    };
    let untested = compared - table.compared.tested();
    match untested {
        0 => format!("{counted}."),
        _ if untested == compared => format!("{} compared, not tested.", rows(compared)),
        _ => format!("{counted}; {untested} could not be tested."),
    }
}

/// A line for each unit.
pub(super) fn means(table: &Table) -> impl Iterator<Item = String> + use<> {
    let means: Vec<String> = table.compared.means().iter().map(mean).collect();
    means.into_iter()
}

/// `geometric mean over 8 scenarios in MiB/s 1.15x faster`
fn mean(mean: &Mean) -> String {
    let unit = match mean.unit.symbol() {
        "handshakes/s" => "hs/s",
        symbol => symbol,
    };
    format!(
        "geometric mean over {} scenarios in {unit} {}",
        mean.n, mean.change
    )
}

/// How the table was made, in a sentence or two.
pub(super) fn method(table: &Table, arguments: &Compare) -> String {
    let tested = table.compared.tested();
    if tested == 0 {
        return String::new();
    }
    let mut method = format!(
        "p: Mann-Whitney U, adjusted over {} (Benjamini-Hochberg); ~ no difference shown at p ≤ {} and {}%.",
        rows(tested),
        arguments.alpha,
        arguments.threshold
    );
    let lacks = |r: &ComparedRow| {
        r.comparison
            .is_some_and(|c| c.test.is_some() && c.interval.is_none())
    };
    if arguments.output.estimator == Estimator::Mean {
        method += " A ratio of means has no interval.";
    } else if table.compared.rows.iter().any(lacks) {
        method +=
            &format!(" The interval of a ratio takes {MIN_SAMPLE_FOR_BOOTSTRAP} runs a side.");
    }
    method
}

/// `1 row`, `20 rows`
pub(super) fn rows(n: usize) -> String {
    if n == 1 {
        "1 row".to_owned()
    } else {
        format!("{n} rows")
    }
}
