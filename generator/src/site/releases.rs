//! Several releases of one library in one report, and what each of them changed.

mod graph;
mod steps;
mod table;

pub(super) use graph::graph;

use super::headline::headlines;
use super::highlights::{Highlight, Highlights, stands_out};
use super::sections::is_only_in_section;
use super::{Graph, Part, Table, count};
use crate::model::unit::Unit;
use crate::report::{ComparedRow, ReleaseSeries, Report, Row};
use crate::stats::Verdict;
use serde::Serialize;
use steps::steps;
use table::changes;

/// The section on releases.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Releases {
    /// Describes the graphs.
    pub intro: String,
    pub graphs: Vec<Graph>,
    /// The steps that changed anything; `None` without any.
    pub steps: Option<Table>,
    /// A sentence on the other steps; empty without any.
    pub unchanged: String,
    pub series: Vec<SeriesView>,
}

/// The releases of one implementation and variant.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SeriesView {
    /// `rustls, aws-lc-rs`
    pub name: String,
    /// A sentence on how many scenarios changed.
    pub lead: String,
    /// The rows that changed.
    pub table: Option<Table>,
}

/// Returns the section of a report's page: graphs of its headline scenarios, and tables for each
/// of `series`, which are of one report.
pub(crate) fn releases(series: &[ReleaseSeries<'_>], wanted: impl Fn(&Row) -> bool) -> Releases {
    let (mut views, mut timed) = (Vec::new(), Vec::new());
    for series in series {
        let of_wanted = series.with(|row| wanted(row) && !is_only_in_section(row));
        if !of_wanted.rows.is_empty() {
            views.push(SeriesView {
                name: of_wanted.name(),
                lead: lead(&of_wanted),
                table: changes(&of_wanted),
            });
            timed.push(of_wanted);
        }
    }
    let (steps, unchanged) = steps(&timed);
    let Some(first) = series.first() else {
        return Releases::default();
    };
    let rows = headline_rows(first.report)
        .into_iter()
        .filter(|r| wanted(r));
    let graphs = rows.filter_map(|row| graph(series, row, |_| true));
    Releases {
        intro: intro(series),
        graphs: graphs.collect(),
        steps,
        unchanged,
        series: views,
    }
}

/// Returns tables of the changes in instruction counts for each series. Rows with a named group are
/// left out: they differ by little but the key exchange.
pub(super) fn instruction_steps(report: &Report) -> Vec<Table> {
    let is_own = |row: &Row| row.unit == Unit::INSTRUCTIONS && row.scenario.group.is_none();
    let series = ReleaseSeries::all(report).into_iter();
    series
        .filter_map(|series| changes(&series.with(is_own)))
        .collect()
}

/// Returns the rows of a report's headline scenarios.
pub(super) fn headline_rows(report: &Report) -> Vec<&Row> {
    let rows = Part::of(report).rows;
    let row = |s| rows.iter().find(|r| r.scenario == s).copied();
    headlines(report).into_iter().filter_map(row).collect()
}

/// `5 releases of rustls, aws-lc-rs; 3 of OpenSSL.`
fn intro(series: &[ReleaseSeries<'_>]) -> String {
    let number = |(index, s): (usize, &ReleaseSeries<'_>)| match index {
        0 => format!("{} of {}", count(s.columns.len(), "release"), s.name()),
        _ => format!("{} of {}", s.columns.len(), s.name()),
    };
    let numbers: Vec<String> = series.iter().enumerate().map(number).collect();
    format!("{}.{}", numbers.join("; "), ring(series))
}

/// Explains the rings in graphs; empty if no release changed anything.
pub(super) fn ring<'a>(series: impl IntoIterator<Item = &'a ReleaseSeries<'a>>) -> &'static str {
    let rows = series.into_iter().flat_map(|s| &s.rows);
    let mut steps = rows.flat_map(|r| r.steps.iter().flatten());
    match steps.any(ComparedRow::is_change) {
        true => " A ring marks a release that changed significantly from the one before it.",
        false => "",
    }
}

/// `12 of 28 scenarios changed.`
fn lead(series: &ReleaseSeries<'_>) -> String {
    let untested = series.is_untested();
    let mut comparisons = series.rows.iter().flat_map(|r| r.steps.iter().flatten());
    let is_compared = |steps: &[Option<ComparedRow<'_>>]| steps.iter().any(Option::is_some);
    let compared = series.rows.iter().filter(|r| is_compared(&r.steps)).count();
    let changed = series.rows.iter().filter(|r| changed(&r.steps, untested));
    let changed = changed.count();
    // A scenario has a row for each unit.
    let scenarios = count(compared, "row");
    let mut too_few = || comparisons.any(|r| r.verdict() == Some(Verdict::TooFew));
    match changed {
        _ if untested => {
            let differ = if changed == 1 { "differs" } else { "differ" };
            format!(
                "Single figures, so no change is tested: {changed} of {scenarios} {differ} by 5% or more."
            )
        }
        0 if too_few() => "There are too few runs to show a change.".to_owned(),
        0 => format!("No step shows a change in any of {scenarios}."),
        _ => format!("{changed} of {scenarios} changed."),
    }
}

/// Whether a row stands out in any step.
fn changed(steps: &[Option<ComparedRow<'_>>], untested: bool) -> bool {
    let mut known = steps.iter().flatten();
    known.any(|row| stands_out(row.comparison.as_ref(), untested))
}

impl ReleaseSeries<'_> {
    /// Whether no step is tested because each figure is from a single run.
    fn is_untested(&self) -> bool {
        let steps = self.rows.iter().flat_map(|r| r.steps.iter().flatten());
        steps
            .map(ComparedRow::verdict)
            .all(|v| v == Some(Verdict::Untested))
    }
}

/// Sums up all steps from one release to the next.
pub(crate) fn release_steps(series: &[ReleaseSeries<'_>]) -> Highlights {
    let mut all = Vec::new();
    for series in series {
        let part = Part::of(series.report);
        for step in 0..series.neighbours() {
            let [old, new] = series.steps()[step].map(|place| series.columns[place]);
            let is_pre_release = |c: &usize| part.data.implementations[*c].version.is_pre_release();
            if [old, new].iter().any(is_pre_release) {
                continue;
            }
            let is_pre_release = |c: &usize| part.data.implementations[*c].version.is_pre_release();
            if [old, new].iter().any(is_pre_release) {
                continue;
            }
            let names = [part.name_beside(old, (&part, new)), part.name(new)];
            for row in series.rows.iter().filter_map(|r| r.steps[step].as_ref()) {
                let id = table::anchor_of(series, row.scenario, row.unit);
                all.extend(Highlight::of(row, &id, [&names[0], &names[1]]));
            }
        }
    }
    Highlights::of(all, "step")
}

#[cfg(test)]
mod tests;
