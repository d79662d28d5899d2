//! `generator show`: prints medians and spreads of any benchmark output.

use super::read::refuse_duplicates;
use super::{deliver, pivot, stale};
use crate::base::failure::{self, Failure, Result};
use crate::base::words::list;
use crate::cli::arguments::{Layout, Show};
use crate::cli::grid::{self, Column, OutputFormat, Record, text_field as text};
use crate::model::implementation::Implementation;
use crate::report::{Cell, GridCell, Report, Row, said};
use crate::stats::{Estimator, Sample};
use std::collections::BTreeSet;

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
    let declared = &arguments.declared;
    let read = arguments
        .paths
        .iter()
        .map(|path| Report::load(path, declared));
    let reports = failure::all(read.map(|read| read.map(said)))?;
    let files = reports.iter().flat_map(|report| &report.sources);
    refuse_duplicates(files.map(|file| &*file.path))?;
    for report in &reports {
        stale::note(report)?;
    }
    let report = match &*reports {
        [only] => only,
        all => {
            let parts = all.iter().map(|one| (one, (0..one.builds.len()).collect()));
            &Report::joined(&Vec::from_iter(parts))
        }
    };
    let rows = report.rows.iter();
    let rows = rows.filter(|row| output.filter.wants(&row.scenario.label()));
    let rows: Vec<&Row> = rows.filter(|row| has_result(row)).collect();
    if rows.is_empty() {
        return Err(nothing_wanted([report]));
    }
    deliver(output, &shown(report, &rows, arguments)?)?;
    for note in &report.remarks {
        crate::inform!("note: {note}");
    }
    Ok(())
}

fn has_result(row: &Row) -> bool {
    row.cells.iter().flatten().any(Cell::has_result)
}

/// Returns the rows as the command is to print them.
fn shown(report: &Report, rows: &[&Row], arguments: &Show) -> Result<String> {
    let format = arguments.output.format();
    let is_markdown = format == OutputFormat::Markdown;
    if let Layout {
        rows: Some(down),
        columns: Some(across),
        ..
    } = &arguments.layout
    {
        let dimensions = [down, across];
        return pivot::tables(report, rows, dimensions, &arguments.layout, is_markdown);
    }
    let results = results(report, rows);
    Ok(match format {
        OutputFormat::Csv | OutputFormat::Json => {
            let records = results.map(|result| result.record(report.manifest.estimator));
            grid::data(format, records)?
        }
        _ => grid::table(&COLUMNS, results.map(|result| result.shown()), is_markdown),
    })
}

/// Reports a filter that no scenario passes, with the first scenarios that there are.
pub(super) fn nothing_wanted<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Failure {
    let rows = reports.into_iter().flat_map(|report| &report.rows);
    let labels: BTreeSet<String> = rows.map(|row| row.scenario.label()).collect();
    let labels = list(&Vec::from_iter(labels), MAX_LABELS);
    let message = format!("leaves out all scenarios; there are: {labels}");
    Failure::at("--filter", 0, message)
}

/// What one build has in one row.
pub(super) struct OneResult<'a> {
    row: &'a Row,
    implementation: &'a Implementation,
    cell: &'a Cell,
}

/// Returns the results of all builds in these rows.
pub(super) fn results<'a>(
    report: &'a Report,
    rows: &'a [&'a Row],
) -> impl Iterator<Item = OneResult<'a>> + Clone {
    rows.iter().flat_map(move |row| {
        let cells = report.builds.iter().zip(&row.cells);
        cells.filter_map(move |(build, cell)| {
            Some(OneResult {
                row,
                implementation: &build.implementation,
                cell: cell.as_ref().filter(|cell| cell.has_result())?,
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

    fn record(&self, estimator: Estimator) -> Record {
        let printed = |value: f64| self.row.unit.printed(value);
        let number = |value: Option<f64>| grid::number(value.map(printed));
        let values = self.cell.sample().map_or(&[][..], Sample::values);
        let interval = self.cell.interval();
        let Implementation {
            name,
            version,
            variant,
        } = self.implementation;
        vec![
            ("scenario", text(self.row.scenario.label())),
            ("implementation", text(name)),
            ("version", text(version.as_str())),
            ("unit", text(self.row.unit.symbol())),
            ("n", values.len().into()),
            ("estimate", number(self.cell.estimate())),
            ("low", number(interval.map(|i| i.low))),
            ("high", number(interval.map(|i| i.high))),
            ("variant", text(variant.join("+"))),
            ("min", number(values.first().copied())),
            ("max", number(values.last().copied())),
            ("estimator", text(estimator.to_string())),
            ("remark", text(self.remark())),
        ]
    }

    /// Returns the cells for [`COLUMNS`].
    pub(super) fn shown(&self) -> Vec<GridCell> {
        let interval = self.cell.interval();
        let number =
            |value: Option<f64>| value.map_or_else(String::new, |value| self.row.scale.show(value));
        let cells = [
            self.row.scenario.label(),
            self.implementation.name.clone(),
            self.implementation.version.to_string(),
            self.row.scale.symbol.clone(),
            self.cell.values.len().to_string(),
            number(self.cell.estimate()),
            number(interval.map(|i| i.low)),
            number(interval.map(|i| i.high)),
            self.implementation.variant.join("+"),
            self.remark(),
        ];
        cells.map(GridCell::from).into()
    }
}
