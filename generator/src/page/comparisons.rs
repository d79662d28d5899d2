//! The comparisons that a report asks for.

use super::anchor::anchor;
use super::compared::{Shared, change_cell, untested_class};
use super::{Head, Part, Table, TableCell, TableRow};
use crate::failure::{self, Failure, Result};
use crate::report::{At, ComparedRow, Dataset, PreparedComparison, Report, judge};
use crate::scenario::Workload;
use crate::stats::{Rules, Verdict};
use std::path::Path;

/// The comparisons that a report asks for, with their titles; rates as factors, memory in
/// percent.
///
/// # Errors
/// A comparison of an implementation that the report has not, or of no common scenario.
pub fn comparisons(report: &Report, path: &Path) -> Result<Vec<(String, Table)>> {
    let prepared = report.manifest.comparisons.iter().enumerate();
    failure::all(prepared.map(|(index, wanted)| {
        let table = comparison(report, index + 1, wanted)
            .map_err(|at| Failure::at(path, at.line, at.value))?;
        Ok((wanted.title.clone(), table))
    }))
}

/// The error is a message for a line of `report.toml`.
fn comparison(
    report: &Report,
    index: usize,
    wanted: &PreparedComparison,
) -> std::result::Result<Table, At<String>> {
    let data = &report.data;
    let baseline = find(data, &wanted.baseline)?;
    let candidate = find(data, &wanted.candidate)?;
    let is_wanted = |label: &str| wanted.filter.as_ref().is_none_or(|f| f.is_match(label));
    let part = Part::of(data, report.manifest.estimator, is_wanted)
        .with(|row| !wanted.exclude.contains(&row.scenario));
    let both = part
        .rows
        .iter()
        .map(|row| (*row, [row.cell(baseline), row.cell(candidate)]));
    let mut rows = judge(both, part.estimator, &Rules::default());
    rows.retain(|row| row.comparison.is_some());
    if rows.is_empty() {
        return Err(At {
            line: wanted.line,
            value: format!(
                "the comparison `{}` has no scenario that both sides have a figure for",
                wanted.title
            ),
        });
    }
    let is_memory = |row: &ComparedRow| row.scenario.workload == Workload::Memory;
    let memory = rows.iter().all(is_memory);
    let shared = Shared::of(rows);
    let rows = &shared.table.rows;
    let mut table = Table {
        class: "comparison",
        about: "changes",
        caption: shared.caption(wanted.title.clone()),
        corner: "scenario",
        head: part.head(&[baseline, candidate]),
        ..Table::default()
    };
    table.head.insert(0, Head::new("unit"));
    table
        .head
        .push(shared.head(if memory { "vs." } else { "factor" }));
    for row in rows {
        let caveats = row.cells.into_iter().flatten().flat_map(|c| &c.caveats);
        let footnotes = caveats.map(|c| table.footnotes.number(c)).collect();
        let label = row.scenario.label();
        let [was, is] = shared.figures(row);
        let factor = factor_cell(row, memory, shared.evidence(row), footnotes);
        table.rows.push(TableRow {
            id: format!("p{index}-{}", anchor(row.scenario, row.unit)),
            label,
            href: String::new(),
            cells: vec![shared.unit(row), was, is, factor],
        });
    }
    if rows.iter().any(|r| r.verdict() == Some(Verdict::Untested)) {
        table.note = "* A factor of single figures is untested: it says what was measured, and nothing tells it from noise.";
    }
    Ok(table)
}

/// The factor, or for memory the percentage, of a prepared comparison.
fn factor_cell(
    row: &ComparedRow,
    memory: bool,
    evidence: String,
    footnotes: Vec<usize>,
) -> TableCell {
    let Some(known) = row.comparison else {
        return TableCell::missing();
    };
    let change = known.change;
    let text = if memory {
        change.signed_percent()
    } else {
        change.ratio_text()
    };
    let cell = match known.verdict {
        Verdict::None | Verdict::TooFew => TableCell {
            detail: format!("{text}, {evidence}"),
            ..change_cell(row, String::new())
        },
        verdict => TableCell {
            text,
            detail: evidence,
            change: change.word().word(),
            class: untested_class(verdict),
            ..TableCell::default()
        },
    };
    TableCell {
        title: change.to_string(),
        footnotes,
        ..cell
    }
}

/// An implementation by what it is displayed as.
fn find(data: &Dataset, name: &At<String>) -> std::result::Result<usize, At<String>> {
    let known: Vec<String> = data
        .implementations
        .iter()
        .map(ToString::to_string)
        .collect();
    known
        .iter()
        .position(|i| *i == name.value)
        .ok_or_else(|| At {
            line: name.line,
            value: format!(
                "a [[comparison]] names `{}`, but the report has {}",
                name.value,
                known.join("; ")
            ),
        })
}
