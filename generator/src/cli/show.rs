//! `generator show`: prints medians and spreads of any benchmark output.

use super::read::dataset;
use super::{note_interval, print, slices};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Show;
use crate::cli::grid::{self, Column, OutputFormat, Shown, field, number};
use crate::model::implementation::Implementation;
use crate::model::scale::Scale;
use crate::model::scenario::Scenario;
use crate::report::{Cell, Dataset, Row};
use crate::stats::{Estimator, Sample};
use serde::Serialize;
use std::collections::BTreeSet;

/// Names and order of the fields are stable; new ones go to the end.
#[derive(Debug, Serialize)]
struct Record {
    scenario: Option<String>,
    implementation: Option<String>,
    version: Option<String>,
    unit: Option<String>,
    n: usize,
    #[serde(serialize_with = "number")]
    estimate: Option<f64>,
    #[serde(serialize_with = "number")]
    low: Option<f64>,
    #[serde(serialize_with = "number")]
    high: Option<f64>,
    variant: Option<String>,
    #[serde(serialize_with = "number")]
    min: Option<f64>,
    #[serde(serialize_with = "number")]
    max: Option<f64>,
    estimator: String,
    remark: Option<String>,
}

/// The columns for people.
pub(super) const COLUMNS: [Column; 10] = [
    ("scenario", false),
    ("implementation", false),
    ("version", false),
    ("unit", false),
    ("n", true),
    ("estimate", true),
    ("95% CI from", true),
    ("to", true),
    ("variant", false),
    ("remark", false),
];

/// Maximum number of scenarios to list for a filter that none passes.
const MAX_LABELS: usize = 20;

/// Runs the command.
pub(super) fn show(arguments: &Show) -> Result<()> {
    let output = &arguments.output;
    if arguments.slices {
        return slices::show(arguments);
    }
    let declared = &arguments.declared;
    let data = dataset(&arguments.paths, output.estimator, None, declared)?;
    let results = results(&data, |s| output.filter.wants(&s.label()));
    if results.clone().next().is_none() {
        return Err(nothing_wanted([&data]));
    }
    print(&match output.format {
        OutputFormat::Text => grid::text(&COLUMNS, results.map(|result| result.shown())),
        OutputFormat::Markdown => grid::markdown(&COLUMNS, results.map(|result| result.shown())),
        format => grid::data(
            format,
            results.map(|result| result.record(format, output.estimator)),
        )?,
    })?;
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

/// What one implementation has in one row.
#[derive(Clone)]
pub(super) struct OneResult<'a> {
    row: &'a Row,
    /// That of all figures of the row.
    scale: Scale,
    implementation: &'a Implementation,
    cell: &'a Cell,
}

/// Returns the results of all implementations in the wanted scenarios.
pub(super) fn results<'a>(
    data: &'a Dataset,
    wanted: impl Fn(&Scenario) -> bool + Clone + 'a,
) -> impl Iterator<Item = OneResult<'a>> + Clone {
    let rows = data.rows.iter().filter(move |row| wanted(&row.scenario));
    rows.flat_map(move |row| {
        let estimates = row.cells.iter().flatten().filter_map(Cell::estimate);
        let scale = Scale::of(&row.unit, estimates);
        let cells = data.implementations.iter().zip(&row.cells);
        cells.filter_map(move |(implementation, cell)| {
            let cell = cell.as_ref().filter(|cell| cell.has_result())?;
            Some(OneResult {
                row,
                scale: scale.clone(),
                implementation,
                cell,
            })
        })
    })
}

impl OneResult<'_> {
    fn remark(&self) -> String {
        let unsupported = self.cell.unsupported().into_iter();
        let caveats = unsupported.chain(self.cell.caveats.iter().cloned());
        caveats.collect::<Vec<_>>().join("; ")
    }

    fn record(&self, format: OutputFormat, estimator: Estimator) -> Record {
        let text = |text: &str| field(format, text);
        let printed = |value: f64| self.row.unit.printed(value);
        let values = self.cell.sample().map_or(&[][..], Sample::values);
        let interval = self.cell.interval();
        Record {
            scenario: text(&self.row.scenario.label()),
            implementation: text(&self.implementation.name),
            version: text(self.implementation.version.as_str()),
            unit: text(self.row.unit.symbol()),
            n: values.len(),
            estimate: self.cell.estimate().map(printed),
            low: interval.map(|i| printed(i.low)),
            high: interval.map(|i| printed(i.high)),
            variant: text(&self.implementation.variant.join("+")),
            min: values.first().copied().map(printed),
            max: values.last().copied().map(printed),
            estimator: estimator.to_string(),
            remark: text(&self.remark()),
        }
    }

    /// Returns the cells for [`COLUMNS`].
    pub(super) fn shown(&self) -> Vec<Shown> {
        let figure = |value: Option<f64>| match value {
            Some(value) => self.scale.show(value).into(),
            None => Shown::default(),
        };
        let interval = self.cell.interval();
        vec![
            self.row.scenario.label().into(),
            self.implementation.name.as_str().into(),
            self.implementation.version.as_str().into(),
            self.scale.symbol.as_str().into(),
            self.cell.values.len().to_string().into(),
            figure(self.cell.estimate()),
            figure(interval.map(|i| i.low)),
            figure(interval.map(|i| i.high)),
            self.implementation.variant.join("+").into(),
            self.remark().into(),
        ]
    }
}
