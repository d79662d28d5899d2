//! `generator show`: prints medians and spreads of any benchmark output.

use super::read::dataset;
use super::{note_interval, print};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Show;
use crate::cli::grid::{self, Field, GridColumn, Rows};
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::Scale;
use crate::report::{Cell, Dataset, Row};
use crate::stats::{Estimator, Sample};
use std::collections::BTreeSet;

pub(super) const COLUMNS: &[GridColumn] = &[
    GridColumn::new("scenario"),
    GridColumn::new("implementation"),
    GridColumn::new("version"),
    GridColumn::new("unit"),
    GridColumn::new("n").right(),
    GridColumn::new("estimate").right(),
    GridColumn::new("low").headed("95% CI from").right(),
    GridColumn::new("high").headed("to").right(),
    GridColumn::new("variant"),
    GridColumn::data("min"),
    GridColumn::data("max"),
    GridColumn::data("estimator"),
    GridColumn::new("remark"),
];

/// Maximum number of scenarios to list for a filter that none passes.
const MAX_LABELS: usize = 20;

/// Runs the command.
pub(super) fn show(arguments: &Show) -> Result<()> {
    let output = &arguments.output;
    let name = arguments.name.as_deref();
    let data = dataset(&arguments.paths, output.estimator, None, name)?;
    let rows = rows(&data, output.estimator, |s| output.filter.wants(&s.label()));
    if rows.clone().next().is_none() {
        return Err(nothing_wanted([&data]));
    }
    print(&grid::print(output.format, COLUMNS, rows)?)?;
    for note in &data.notes {
        crate::inform!("note: {note}");
    }
    note_interval(output.estimator, &data);
    Ok(())
}

/// Reports a filter that no scenario passes, with the first scenarios that there are.
pub(super) fn nothing_wanted<'a>(data: impl IntoIterator<Item = &'a Dataset>) -> Failure {
    let rows = data.into_iter().flat_map(|data| &data.rows);
    let labels: BTreeSet<String> = rows.map(|row| row.scenario.label()).collect();
    let mut labels: Vec<String> = labels.into_iter().collect();
    let more = match labels.len().saturating_sub(MAX_LABELS) {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    labels.truncate(MAX_LABELS);
    let message = format!(
        "leaves out all scenarios; there are: {}{more}",
        labels.join("; ")
    );
    Failure::at("--filter", 0, message)
}

/// Returns a row for each implementation of each wanted scenario; `estimator` is that of `data`.
pub(super) fn rows<'a>(
    data: &'a Dataset,
    estimator: Estimator,
    wanted: impl Fn(&Scenario) -> bool + Clone + 'a,
) -> impl Rows {
    let rows = data.rows.iter().filter(move |row| wanted(&row.scenario));
    rows.flat_map(move |row| {
        let cells = row.cells.iter().flatten();
        let scale = Scale::of(&row.unit, cells.filter_map(Cell::estimate));
        let cells = data.implementations.iter().zip(&row.cells);
        let cells =
            cells.filter_map(|(implementation, cell)| Some((implementation, cell.as_ref()?)));
        let cells = cells.filter(|(_, cell)| cell.has_result());
        cells
            .map(move |(implementation, cell)| fields(row, &scale, implementation, cell, estimator))
    })
}

fn fields(
    row: &Row,
    scale: &Scale,
    implementation: &Implementation,
    cell: &Cell,
    estimator: Estimator,
) -> Vec<Field> {
    let shown = |v: f64| Field::new(Some(row.unit.printed(v)), scale.show(v));
    let figure = |value: Option<f64>| value.map_or_else(Field::default, shown);
    let values = cell.sample().map_or(&[][..], Sample::values);
    let interval = cell.interval();
    let unsupported = cell.unsupported().into_iter();
    let caveats = unsupported.chain(cell.caveats.iter().cloned());
    vec![
        Field::text(row.scenario.label()),
        Field::text(&implementation.name),
        Field::text(implementation.version.as_str()),
        Field::new(row.unit.symbol().to_owned(), &scale.symbol),
        Field::count(values.len()),
        figure(cell.estimate()),
        figure(interval.map(|i| i.low)),
        figure(interval.map(|i| i.high)),
        Field::text(implementation.variant.join("+")),
        figure(values.first().copied()),
        figure(values.last().copied()),
        Field::text(estimator.to_string()),
        Field::text(caveats.collect::<Vec<_>>().join("; ")),
    ]
}
