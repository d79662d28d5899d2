//! `generator show`: prints medians and spreads of any benchmark output.

use super::read::dataset;
use super::{note_interval, print};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Show;
use crate::cli::grid::{self, Field, GridColumn};
use crate::model::scenario::Scenario;
use crate::model::unit::Scale;
use crate::report::{Cell, Dataset};
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
    if rows.is_empty() {
        return Err(nothing_wanted([&data]));
    }
    print(&grid::print(output.format, COLUMNS, &rows)?)?;
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
pub(super) fn rows(
    data: &Dataset,
    estimator: Estimator,
    wanted: impl Fn(&Scenario) -> bool,
) -> Vec<Vec<Field>> {
    let mut rows = Vec::new();
    for row in data.rows.iter().filter(|r| wanted(&r.scenario)) {
        let cells = row.cells.iter().flatten();
        let scale = Scale::of(&row.unit, cells.filter_map(Cell::estimate));
        let shown = |v: f64| Field::new(Some(row.unit.printed(v)), scale.show(v));
        let figure = |value: Option<f64>| value.map_or_else(Field::default, shown);
        for (implementation, cell) in data.implementations.iter().zip(&row.cells) {
            let Some(cell) = cell.as_ref().filter(|cell| cell.has_result()) else {
                continue;
            };
            let values = cell.sample().map_or(&[][..], Sample::values);
            let interval = cell.interval();
            let unsupported = cell.unsupported().into_iter();
            let caveats = unsupported.chain(cell.caveats.iter().cloned());
            rows.push(vec![
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
            ]);
        }
    }
    rows
}
