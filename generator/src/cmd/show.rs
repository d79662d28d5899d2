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
    Column {
        name: "scenario",
        heading: "scenario",
        right: false,
    },
    Column {
        name: "implementation",
        heading: "implementation",
        right: false,
    },
    Column {
        name: "version",
        heading: "version",
        right: false,
    },
    Column {
        name: "unit",
        heading: "unit",
        right: false,
    },
    Column {
        name: "n",
        heading: "n",
        right: true,
    },
    Column {
        name: "estimate",
        heading: "estimate",
        right: true,
    },
    Column {
        name: "low",
        heading: "95% CI from",
        right: true,
    },
    Column {
        name: "high",
        heading: "to",
        right: true,
    },
    Column {
        name: "variant",
        heading: "variant",
        right: false,
    },
    Column {
        name: "min",
        heading: "",
        right: true,
    },
    Column {
        name: "max",
        heading: "",
        right: true,
    },
    Column {
        name: "estimator",
        heading: "",
        right: false,
    },
    Column {
        name: "remark",
        heading: "remark",
        right: false,
    },
];

/// Runs the command.
///
/// # Errors
/// Bad input, or files that cannot be read.
pub fn show(arguments: &Show, quiet: bool) -> Result<()> {
    let data = dataset(&arguments.paths, quiet)?;
    print(&grid::print(
        arguments.output.format,
        COLUMNS,
        &rows(&data, &arguments.output),
    ))?;
    if !quiet {
        data.notes
            .iter()
            .for_each(|note| anstream::eprintln!("note: {note}"));
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
            Field::new(row.unit.print(v), scale.show(v))
        })
    };
    let sample = cell.sample();
    let interval = cell.interval();
    let remark = cell
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
        Field::same(row.scenario.label()),
        Field::same(&implementation.name),
        Field::same(implementation.version.as_str()),
        Field::new(row.unit.symbol(), scale.symbol.as_str()),
        Field::same(sample.as_ref().map_or(0, Sample::len).to_string()),
        figure(sample.as_ref().map(|s| s.estimate(output.estimator))),
        figure(interval.map(|i| i.low)),
        figure(interval.map(|i| i.high)),
        Field::same(implementation.variant.join("+")),
        figure(sample.as_ref().map(|s| s.values()[0])),
        figure(sample.as_ref().and_then(|s| s.values().last().copied())),
        Field::same(output.estimator.to_string()),
        Field::same(remark.collect::<Vec<_>>().join("; ")),
    ]
}
