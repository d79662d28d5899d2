//! The key finding of a report.

use super::ranking::rows_of_own_kind;
use super::sections::against;
use crate::base::words::{count, join};
use crate::model::unit::Kind;
use crate::report::{ComparedRow, ReleaseSeries, Report, Shift, Table, shifts, titles};
use crate::stats::Verdict;
use std::cmp::Reverse;

/// Returns the key finding in a sentence or two: the report's own summary, or which implementations
/// lead in how many scenarios, or else what the last release changed.
pub(in crate::site) fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    if report.revisions().is_some()
        && let Some(found) = against(&Table::of_rows(report, report.key_rows()))
    {
        return found;
    }
    let table = Table::of(report);
    let columns = table.columns();
    let rows = rows_of_own_kind(report);
    let mut wins = wins(&Table::of_rows(report, rows.clone()), &columns);
    wins.retain(|_| !report.is_of_one_library());
    let Some((first, most)) = wins.first() else {
        // Of one library, what its last release changed.
        if let Some(found) = ReleaseSeries::all(report).iter().find_map(last_release) {
            return found.join(" ").trim_end().to_owned();
        }
        if let Some(found) = last_level(report) {
            return found;
        }
        let figures = count(table.rows.len(), "figure");
        return format!("{figures} of {}.", join(&table.names(&columns)));
    };
    let is_ranked = |row| report.leaders(row).is_some_and(|l| !l.behind.is_empty());
    let ranked = count(
        rows.into_iter().filter(|row| is_ranked(row)).count(),
        "scenario",
    );
    let wins_of = |(column, wins): &(usize, usize)| format!("{} in {wins}", table.name(*column));
    let others: Vec<String> = wins.iter().skip(1).take(2).map(wins_of).collect();
    let comma = if others.is_empty() { "" } else { ", " };
    format!(
        "{} leads in {most} of {ranked} with a tested order{comma}{}.",
        table.name(*first),
        join(&others)
    )
}

/// Returns the columns with the number of rows in which each alone is best, most first; ties
/// keep the order of `columns`.
pub(in crate::site) fn wins(table: &Table<'_>, columns: &[usize]) -> Vec<(usize, usize)> {
    let mut wins: Vec<(usize, usize)> = columns.iter().map(|column| (*column, 0)).collect();
    for row in &table.rows {
        if let Some(found) = table.report.leaders(row)
            && !found.behind.is_empty()
            && let [alone] = *found.first
            && let Some((_, n)) = wins.iter_mut().find(|(column, _)| *column == alone)
        {
            *n += 1;
        }
    }
    wins.retain(|(_, wins)| *wins > 0);
    wins.sort_by_key(|(_, wins)| Reverse(*wins));
    wins
}

/// `rustls 0.23.46: no change from 0.23.44 in 41 scenarios.`, and the last release that changed something.
pub(in crate::site) fn last_release(series: &ReleaseSeries<'_>) -> Option<[String; 2]> {
    let release = |step: usize| series.implementation(step + 1);
    let steps = (0..series.columns.len() - 1).rev();
    let mut steps = steps.filter(|step| !release(*step).version.is_pre_release());
    let last = steps.next()?;
    let rows = speeds(series, last);
    if rows.is_empty() {
        return None;
    }
    let newest = series.report.data.name(series.columns[last + 1]).full();
    let before = &series.implementation(last).version;
    let scenarios = count(rows.len(), "scenario");
    if let Some(largest) = largest(&rows) {
        let mut numbers = Vec::new();
        for (verdict, word) in [(Verdict::Better, "faster"), (Verdict::Worse, "slower")] {
            let n = rows
                .iter()
                .filter(|row| row.verdict() == Some(verdict))
                .count();
            if n > 0 {
                numbers.push(format!("{n} {word}"));
            }
        }
        let answer = format!("{newest}: {} than {before} in {scenarios}.", join(&numbers));
        return Some([answer, format!("The largest: {largest}.")]);
    }
    let mut detail = String::new();
    for step in steps {
        if let Some(largest) = largest(&speeds(series, step)) {
            detail = format!("Last change: {}, {largest}.", release(step).version);
            break;
        }
    }
    Some([
        format!("{newest}: no change from {before} is shown in {scenarios}."),
        detail,
    ])
}

/// `New levels since 2024-01-22.0433+b2580df: 5 of 50 scenarios, the largest 1.50x slower in seal.` `None`
/// unless the report is about a branch.
pub(in crate::site) fn last_level(report: &Report) -> Option<String> {
    let builds = &report.data.implementations;
    let is_branch = builds.iter().any(|build| build.version.is_on_branch());
    let shifts = shifts(&report.data.rows);
    let rows = count(report.data.rows.len(), "scenario");
    is_branch.then(|| match shifts.first() {
        None => format!(
            "No new level in {rows} over {}.",
            count(report.data.commits, "commit")
        ),
        Some(Shift { commit, levels }) => {
            let (row, largest) = levels[0];
            format!(
                "The last new level is since {}: {} of {rows}, the largest {} in {}.",
                commit.version,
                levels.len(),
                largest.change,
                titles::title(&row.scenario)
            )
        }
    })
}

/// Returns the tested rates and times of a step from one release to the next.
pub(in crate::site) fn speeds<'s, 'a>(
    series: &'s ReleaseSeries<'a>,
    step: usize,
) -> Vec<&'s ComparedRow<'a>> {
    let mut speeds = Vec::new();
    for row in &series.rows {
        let is_speed = matches!(row.row.unit.kind(), Kind::Rate | Kind::Time);
        if let Some(compared) = &row.steps[step]
            && is_speed
            && row.row.scenario.percentile.is_none()
            && compared
                .verdict()
                .is_some_and(|verdict| verdict != Verdict::Untested)
        {
            speeds.push(compared);
        }
    }
    speeds
}

/// `1.62x slower in transfer, 1.3`: the largest of the changes.
fn largest(rows: &[&ComparedRow<'_>]) -> Option<String> {
    let changed = rows.iter().filter(|row| row.is_change());
    let sizes =
        changed.filter_map(|row| Some((row.comparison?.change, titles::title(&row.row.scenario))));
    let (change, label) = sizes.max_by(|a, b| a.0.size().total_cmp(&b.0.size()))?;
    Some(format!("{change} in {label}"))
}
