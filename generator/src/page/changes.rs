//! What changed since another report, and prepared comparisons.

use super::words::slug;
use super::{Head, Part, Table, TableCell, TableRow};
use crate::failure::{Failure, Outcome};
use crate::report::{Comparison, Dataset, Report, Row, pairs};
use crate::scenario::Workload;
use crate::stats::{Change, Word};
use crate::unit::{Scale, Unit};
use std::collections::HashMap;
use std::path::Path;

/// One table for each implementation that both reports have, of their common scenarios.
pub fn changes(
    report: &Report,
    previous: &Report,
    wanted: impl Fn(&str) -> bool + Copy,
) -> Vec<Table> {
    let part = Part::of(&report.data, report.manifest.estimator, wanted);
    let before = Part::of(&previous.data, previous.manifest.estimator, wanted);
    let old_rows = previous.data.by_key();
    let mut tables = Vec::new();
    for (old, new) in pairs(&previous.data.implementations, &report.data.implementations) {
        let (from, to) = (before.name(old), part.name(new));
        let mut table = Table {
            class: "changes",
            caption: format!("{from} ➡️ {to}"),
            corner: "scenario",
            head: ["unit", "old", "change", "new"].map(Head::new).to_vec(),
            ..Table::default()
        };
        let both = part.rows.iter().filter_map(|row| {
            let old_row = old_rows.get(&(&row.scenario, &row.unit))?;
            Some((
                *row,
                before.estimate(old_row, old)?,
                part.estimate(row, new)?,
            ))
        });
        let both: Vec<(&Row, f64, f64)> = both.collect();
        let scales = scales(&both);
        for (row, was, is) in both {
            let scale = &scales[&row.unit];
            let label = row.scenario.label();
            table.rows.push(TableRow {
                id: slug(&format!("since {} {label}", tables.len() + 1)),
                label,
                cells: vec![
                    unit(scale),
                    figure(scale, was),
                    change_cell(row, was, is),
                    figure(scale, is),
                ],
            });
        }
        if !table.rows.is_empty() {
            tables.push(table);
        }
    }
    tables
}

fn change_cell(row: &Row, was: f64, is: f64) -> TableCell {
    let Some(change) = Change::new(was, is, row.unit.better(), row.unit == Unit::Memory) else {
        return TableCell::missing();
    };
    TableCell {
        text: change.to_string(),
        change: change.word().word(),
        weight: if change.word() == Word::None {
            0.0
        } else {
            change.ratio.ln().abs()
        },
        ..TableCell::default()
    }
}

/// One scale for each unit of a table.
fn scales<'a>(rows: &[(&'a Row, f64, f64)]) -> HashMap<&'a Unit, Scale> {
    let mut values: HashMap<&Unit, Vec<f64>> = HashMap::new();
    for (row, was, is) in rows {
        values.entry(&row.unit).or_default().extend([was, is]);
    }
    values
        .into_iter()
        .map(|(unit, values)| (unit, Scale::of(unit, values)))
        .collect()
}

fn unit(scale: &Scale) -> TableCell {
    TableCell {
        class: "words",
        ..TableCell::text(scale.symbol.as_str())
    }
}

fn figure(scale: &Scale, value: f64) -> TableCell {
    TableCell::text(scale.show(value))
}

/// True if a figure of both reports' common scenarios stands alone, so that no change of it
/// can be told from noise.
pub fn untested(report: &Report, previous: &Report) -> bool {
    let alone = |r: &Report| r.data.runs().is_none_or(|(least, _)| least < 2);
    alone(report) || alone(previous)
}

/// The comparisons that a report asks for, with their titles; rates as factors, memory in
/// percent.
///
/// # Errors
/// A comparison of an implementation that the report has not, or of no common scenario.
pub fn comparisons(report: &Report, path: &Path) -> Outcome<Vec<(String, Table)>> {
    report
        .manifest
        .comparison
        .iter()
        .enumerate()
        .map(|(index, wanted)| {
            let table = comparison(report, index + 1, wanted)
                .map_err(|message| Failure::bad_file(path, message))?;
            Ok((wanted.title.clone(), table))
        })
        .collect()
}

fn comparison(report: &Report, index: usize, wanted: &Comparison) -> Result<Table, String> {
    let data = &report.data;
    let baseline = find(data, &wanted.baseline)?;
    let candidate = find(data, &wanted.candidate)?;
    // The expression was checked when report.toml was read.
    let filter = wanted
        .filter
        .as_ref()
        .and_then(|f| regex::Regex::new(f).ok());
    let part = Part::of(data, report.manifest.estimator, |label| {
        filter.as_ref().is_none_or(|f| f.is_match(label))
            && !wanted.exclude.iter().any(|e| e == label)
    });
    let part = part
        .with(|r| part.estimate(r, baseline).is_some() && part.estimate(r, candidate).is_some());
    if part.rows.is_empty() {
        return Err(format!(
            "the comparison `{}` has no scenario that both sides have a figure for",
            wanted.title
        ));
    }
    let memory = part
        .rows
        .iter()
        .all(|r| r.scenario.workload == Workload::Memory);
    let mut table = Table {
        class: "comparison",
        caption: wanted.title.clone(),
        corner: "scenario",
        head: part.head(&[baseline, candidate]),
        ..Table::default()
    };
    table.head.insert(0, Head::new("unit"));
    table
        .head
        .push(Head::new(if memory { "vs." } else { "factor" }));
    let both = part.rows.iter().filter_map(|row| {
        Some((
            *row,
            part.estimate(row, baseline)?,
            part.estimate(row, candidate)?,
        ))
    });
    let both: Vec<(&Row, f64, f64)> = both.collect();
    let scales = scales(&both);
    for (row, was, is) in both {
        let scale = &scales[&row.unit];
        let cells = [row.cell(baseline), row.cell(candidate)];
        let caveats = cells.into_iter().flatten().flat_map(|c| &c.caveats);
        let remarks = caveats.map(|c| table.remark(c)).collect();
        let change = Change::new(was, is, row.unit.better(), row.unit == Unit::Memory);
        let factor = change.map_or_else(TableCell::missing, |c| TableCell {
            text: if memory {
                c.signed_percent()
            } else {
                c.ratio_text()
            },
            title: c.to_string(),
            change: c.word().word(),
            remarks,
            ..TableCell::default()
        });
        let label = row.scenario.label();
        table.rows.push(TableRow {
            id: slug(&format!("pair {index} {label}")),
            label,
            cells: vec![unit(scale), figure(scale, was), figure(scale, is), factor],
        });
    }
    Ok(table)
}

/// An implementation by what it is displayed as.
fn find(data: &Dataset, name: &str) -> Result<usize, String> {
    data.implementations
        .iter()
        .position(|i| i.to_string() == name)
        .ok_or_else(|| {
            let known: Vec<String> = data
                .implementations
                .iter()
                .map(ToString::to_string)
                .collect();
            format!(
                "a [[comparison]] names `{name}`, but the report has {}",
                known.join("; ")
            )
        })
}
