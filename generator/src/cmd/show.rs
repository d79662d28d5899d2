//! `generator show`: medians and spreads of any benchmark output.

use super::{dataset, print};
use crate::cli::{Output, Show};
use crate::failure::Result;
use crate::grid::{self, Column, Field};
use crate::implementation::Implementation;
use crate::report::{Cell, Dataset, Row};
use crate::stats::Sample;
use crate::unit::Scale;

const COLUMNS: &[Column] = &[
    Column::new("scenario"),
    Column::new("implementation"),
    Column::new("version"),
    Column::new("unit"),
    Column::new("n").right(),
    Column::new("estimate").right(),
    Column::new("low").headed("95% CI from").right(),
    Column::new("high").headed("to").right(),
    Column::new("variant"),
    Column::data("min"),
    Column::data("max"),
    Column::data("estimator"),
    Column::new("remark"),
];

/// Runs the command.
///
/// # Errors
/// Bad input, or files that cannot be read.
pub fn show(arguments: &Show, quiet: bool) -> Result<()> {
    let data = dataset(&arguments.paths, quiet)?;
    let rows = rows(&data, &arguments.output);
    print(&grid::print(arguments.output.format, COLUMNS, rows)?)?;
    if !quiet {
        data.notes
            .iter()
            .for_each(|note| crate::say!("note: {note}"));
    }
    Ok(())
}

fn rows(data: &Dataset, output: &Output) -> Vec<Vec<Field>> {
    let mut rows = Vec::new();
    for row in data
        .rows
        .iter()
        .filter(|r| output.wants(&r.scenario.label()))
    {
        let estimates = row
            .cells
            .iter()
            .flatten()
            .filter_map(|c| c.estimate(output.estimator));
        let scale = Scale::of(&row.unit, estimates);
        for (implementation, cell) in data.implementations.iter().zip(&row.cells) {
            if let Some(cell) = cell
                .as_ref()
                .filter(|c| !c.values.is_empty() || c.unsupported.is_some())
            {
                rows.push(fields(row, implementation, cell, output, &scale));
            }
        }
    }
    rows
}

fn fields(
    row: &Row,
    implementation: &Implementation,
    cell: &Cell,
    output: &Output,
    scale: &Scale,
) -> Vec<Field> {
    let figure = |value: Option<f64>| {
        value.map_or_else(Field::default, |v| {
            Field::new(Some(row.unit.printed(v)), scale.show(v))
        })
    };
    let sample = cell.sample();
    let interval = cell.interval();
    let caveats = cell
        .unsupported
        .iter()
        .map(|reason| {
            if reason == "unsupported" {
                reason.clone()
            } else {
                format!("unsupported: {reason}")
            }
        })
        .chain(cell.caveats.iter().cloned());
    vec![
        Field::text(row.scenario.label()),
        Field::text(&implementation.name),
        Field::text(implementation.version.as_str()),
        Field::new(row.unit.symbol().to_owned(), &scale.symbol),
        Field::count(sample.as_ref().map_or(0, Sample::len)),
        figure(sample.as_ref().map(|s| s.estimate(output.estimator))),
        figure(interval.map(|i| i.low)),
        figure(interval.map(|i| i.high)),
        Field::text(implementation.variant.join("+")),
        figure(sample.as_ref().map(|s| s.values()[0])),
        figure(sample.as_ref().and_then(|s| s.values().last().copied())),
        Field::text(output.estimator.to_string()),
        Field::text(caveats.collect::<Vec<_>>().join("; ")),
    ]
}
