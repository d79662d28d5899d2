//! The steps from one release to the next, of all series: one row for each that changed anything.

use super::table::{anchor_of, step_cell};
use crate::report::{ComparedRow, ComparedTable, ReleaseSeries};
use crate::site::caveats::Caveats;
use crate::site::highlights::stands_out;
use crate::site::{Head, Part, Table, TableCell, TableRow, count, join};

/// Steps that are listed, those with the largest changes.
const MAX_STEPS: usize = 8;

/// A step and its changes, the largest first.
struct Step<'a, 'b> {
    /// `rustls 0.23.29 ➡️ 0.23.42`
    name: String,
    series: &'b ReleaseSeries<'a>,
    /// Number of rows that both releases have.
    compared: usize,
    changes: Vec<&'b ComparedRow<'a>>,
}

impl Step<'_, '_> {
    fn size(&self) -> f64 {
        let largest = self.changes.first().and_then(|row| row.comparison);
        largest.map_or(0.0, |known| known.change.size())
    }
}

/// Returns the table of steps with changes, and a sentence on the others; these rows are timed.
pub(super) fn steps(all: &[ReleaseSeries<'_>]) -> (Option<Table>, String) {
    let mut steps: Vec<Step<'_, '_>> = all.iter().flat_map(of_series).collect();
    let unchanged = steps.iter().filter(|step| step.changes.is_empty());
    let unchanged: Vec<String> = unchanged.map(|step| step.name.clone()).collect();
    let sentence = match unchanged.as_slice() {
        [] => String::new(),
        names => format!("No change in speed is shown from {}.", join(names)),
    };
    steps.retain(|step| !step.changes.is_empty());
    steps.sort_by(|a, b| b.size().total_cmp(&a.size()));
    let left_out = steps.len().saturating_sub(MAX_STEPS);
    steps.truncate(MAX_STEPS);
    let compared = steps.iter().map(|step| step.changes[0].clone());
    let compared = ComparedTable::new(compared.collect());
    let mut caveats = Caveats::default();
    let rows = steps.iter().map(|step| row(step, &compared, &mut caveats));
    let rows: Vec<TableRow> = rows.collect();
    let rest = match left_out {
        0 => String::new(),
        n => format!(
            " {} with smaller changes: see below.",
            count(n, "more step")
        ),
    };
    let table = (!rows.is_empty()).then(|| Table {
        class: "changes",
        about: Some("../method/#releases"),
        caption: format!("Steps that changed anything, each with its largest change.{rest}"),
        corner: "step",
        head: vec![
            Head::from("scenario"),
            Head::from("before"),
            Head::from("after"),
            compared.head("change"),
            Head::from("changed"),
        ],
        rows,
        footnotes: caveats.footnotes,
        ..Table::default()
    });
    (table, sentence)
}

fn of_series<'a, 'b>(series: &'b ReleaseSeries<'a>) -> Vec<Step<'a, 'b>> {
    let part = Part::of(series.report);
    let untested = series.is_untested();
    let mut steps = Vec::new();
    for step in 0..series.neighbours() {
        let [old, new] = series.steps()[step].map(|place| series.columns[place]);
        let known = || {
            series
                .rows
                .iter()
                .filter_map(|row| row.steps[step].as_ref())
        };
        let mut changes: Vec<&ComparedRow<'_>> = known()
            .filter(|row| stands_out(row.comparison.as_ref(), untested))
            .collect();
        let size = |row: &ComparedRow<'_>| row.comparison.map_or(0.0, |known| known.change.size());
        changes.sort_by(|a, b| size(b).total_cmp(&size(a)));
        steps.push(Step {
            name: format!(
                "{} ➡️ {}",
                part.name(old),
                part.name_beside(new, (&part, old))
            ),
            series,
            compared: known().count(),
            changes,
        });
    }
    steps.retain(|step| step.compared > 0);
    steps
}

fn row(step: &Step<'_, '_>, compared: &ComparedTable<'_>, caveats: &mut Caveats) -> TableRow {
    let largest = step.changes[0];
    let scale = compared.scale(largest);
    let [before, after] = largest
        .estimates
        .map(|value| TableCell::figure(value, scale));
    let changed = format!("{} of {}", step.changes.len(), step.compared);
    let href = anchor_of(step.series, largest.scenario, largest.unit);
    TableRow::new(
        &step.name,
        vec![
            TableCell {
                href: Some(format!("#{href}")),
                ..TableCell::words(largest.scenario.label())
            },
            before,
            after.with_detail(scale.symbol.clone()),
            step_cell(Some(largest), compared, caveats),
            TableCell::text(changed),
        ],
    )
}
