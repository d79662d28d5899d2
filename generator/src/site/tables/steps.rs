//! The steps from one release to the next, of all series: one row for each that changed anything.

use super::changes::{change_cell, change_head, evidence};
use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::base::escape;
use crate::base::words::join;
use crate::report::{ComparedRow, ComparedTable, ReleaseSeries};
use crate::site::words::highlights::stands_out;
use crate::stats::Verdict;

/// A step and its changes, the largest first.
struct ReleaseStep<'b, 'a> {
    /// `rustls 0.23.29 ➡️ 0.23.42`
    name: String,
    /// The comparison of its two releases.
    href: String,
    /// Number of rows that both releases have.
    compared: usize,
    changes: Vec<&'b ComparedRow<'a>>,
}

/// Returns the table of steps with changes, those with the largest first, and a sentence on the others.
pub(in crate::site) fn steps(all: &[ReleaseSeries<'_>]) -> (Option<HtmlTable>, String) {
    let mut steps: Vec<ReleaseStep<'_, '_>> = all.iter().flat_map(of_series).collect();
    let unchanged = steps.iter().filter(|step| step.changes.is_empty());
    let unchanged: Vec<String> = unchanged.map(|step| step.name.clone()).collect();
    let sentence = match unchanged.as_slice() {
        [] => String::new(),
        names => format!("No change in speed is shown from {}.", join(names)),
    };
    steps.retain(|step| !step.changes.is_empty());
    steps.sort_by(|a, b| size(b.changes[0]).total_cmp(&size(a.changes[0])));
    let largest = steps.iter().map(|step| step.changes[0].clone());
    let largest = ComparedTable::new(largest.collect());
    let rows: Vec<HtmlRow> = steps.iter().map(|step| row(step, &largest)).collect();
    let table = (!rows.is_empty()).then(|| HtmlTable {
        class: "changes",
        about: Some("../method/#releases"),
        name: "Steps that changed anything, each with its largest change".to_owned(),
        corner: "step",
        head: vec![
            Head::from("scenario"),
            Head::from("before"),
            Head::from("after"),
            change_head(&largest, "change"),
            Head::from("changed"),
        ],
        rows,
        ..HtmlTable::default()
    });
    (table, sentence)
}

fn size(row: &ComparedRow<'_>) -> f64 {
    row.comparison.map_or(0.0, |known| known.change.size())
}

fn of_series<'b, 'a>(series: &'b ReleaseSeries<'a>) -> Vec<ReleaseStep<'b, 'a>> {
    let data = &series.report.data;
    let all = series
        .rows
        .iter()
        .flat_map(|row| row.steps.iter().flatten());
    // Each figure is from a single run.
    let is_untested = all
        .map(ComparedRow::verdict)
        .all(|v| v == Some(Verdict::Untested));
    let mut steps = Vec::new();
    for (step, sides) in series.columns.windows(2).enumerate() {
        let rows = series.rows.iter();
        let mut changes: Vec<&ComparedRow<'_>> =
            rows.filter_map(|row| row.steps[step].as_ref()).collect();
        let compared = changes.len();
        if compared == 0 {
            continue;
        }
        changes.retain(|row| stands_out(row.comparison.as_ref(), is_untested));
        changes.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let [old, new] = [sides[0], sides[1]];
        let address = [old, new].map(|column| {
            let build = &data.implementations[column];
            escape::query(&format!("{}:{build}", series.report.name))
        });
        let [old, new] = [old, new].map(|column| data.name(column));
        steps.push(ReleaseStep {
            name: format!("{} ➡️ {}", old.full(), new.beside(old)),
            href: format!("../compare/#old={}&new={}", address[0], address[1]),
            compared,
            changes,
        });
    }
    steps
}

fn row(step: &ReleaseStep<'_, '_>, all: &ComparedTable<'_>) -> HtmlRow {
    let largest = step.changes[0];
    let scale = all.scale(largest);
    let [before, after] = largest
        .estimates
        .map(|value| HtmlCell::estimate(value, scale));
    let evidence = evidence(all, largest).filter(|_| largest.is_change());
    let change = largest
        .comparison
        .map(|known| change_cell(&known, evidence));
    let cells = vec![
        HtmlCell::words(largest.row.scenario.label()),
        before,
        after.with_detail(scale.symbol.clone()),
        change.unwrap_or_else(HtmlCell::missing),
        HtmlCell::text(format!("{} of {}", step.changes.len(), step.compared)),
    ];
    HtmlRow::linked(step.href.clone(), step.name.clone(), cells)
}
