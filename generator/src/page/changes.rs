//! What changed since another report.

use super::anchor::anchor;
use super::compared::{Shared, change_cell};
use super::highlights::{Highlight, Highlights};
use super::{Head, Part, Table, TableRow};
use crate::report::{Report, judge, pairs};
use crate::stats::Rules;

/// What changed since another report: one table for each implementation that both have, of their
/// common scenarios, and the most important of it in sentences. All figures are made by this
/// report's estimator, so that like is compared with like.
pub fn changes(
    report: &Report,
    previous: &Report,
    wanted: impl Fn(&str) -> bool + Copy,
) -> (Vec<Table>, Highlights) {
    let part = Part::of(&report.data, report.manifest.estimator, wanted);
    let before = Part::of(&previous.data, report.manifest.estimator, wanted);
    let old_rows = previous.data.by_key();
    let mut tables = Vec::new();
    let mut highlights = Vec::new();
    for (old, new) in pairs(&previous.data.implementations, &report.data.implementations) {
        let (from, to) = (before.name(old), part.name(new));
        let both = part.rows.iter().filter_map(|row| {
            let was = old_rows.get(&(&row.scenario, &row.unit))?.cell(old)?;
            Some((*row, [Some(was), Some(row.cell(new)?)]))
        });
        let mut rows = judge(both, part.estimator, &Rules::default());
        rows.retain(|row| row.comparison.is_some());
        if rows.is_empty() {
            continue;
        }
        let shared = Shared::of(rows);
        let mut table = Table {
            class: "changes",
            about: "changes",
            caption: shared.caption(format!("{from} ➡️ {to}")),
            corner: "scenario",
            head: vec![
                Head::new("unit"),
                Head::new("old"),
                shared.head("change"),
                Head::new("new"),
            ],
            ..Table::default()
        };
        for row in &shared.table.rows {
            let label = row.scenario.label();
            let [was, is] = shared.figures(row);
            let change = change_cell(row, shared.evidence(row));
            let cells = vec![shared.unit(row), was, change, is];
            let id = format!(
                "since-{}-{}",
                tables.len() + 1,
                anchor(row.scenario, row.unit)
            );
            highlights.extend(Highlight::of(row, &id, (&from, &to)));
            table.rows.push(TableRow {
                id,
                label,
                href: String::new(),
                cells,
            });
        }
        tables.push(table);
    }
    (tables, Highlights::of(highlights))
}

/// True if a figure of both reports' common scenarios stands alone, so that no change of it
/// can be distinguished from noise.
pub fn untested(report: &Report, previous: &Report) -> bool {
    let alone = |r: &Report| r.data.runs().is_none_or(|(least, _)| least < 2);
    alone(report) || alone(previous)
}
