//! The downloads of a report: every figure in full precision.

use crate::inputs::{Input, Inputs};
use crate::observation::{Observation, Value};
use crate::parse::tidy;
use crate::report::{Cell, Report, Row};
use crate::stats::MEDIAN_CONFIDENCE;
use serde_json::{Value as Json, json};

/// Raised when a key changes its meaning or goes.
const SCHEMA: u32 = 1;

/// The tidy CSV of all runs.
pub(crate) fn csv(report: &Report) -> String {
    let mut observations = Vec::new();
    for row in &report.data.rows {
        for (implementation, cell) in report.data.implementations.iter().zip(&row.cells) {
            let Some(cell) = cell else { continue };
            let caveat = (!cell.caveats.is_empty()).then(|| cell.caveats.join("; "));
            let values = cell.values.iter().map(|v| Value::Number(*v));
            let unsupported = cell.unsupported.iter().cloned().map(Value::Unsupported);
            let values = values.chain(unsupported).enumerate();
            observations.extend(values.map(|(run, value)| Observation {
                implementation: Some(implementation.clone()),
                run: run as u32,
                scenario: row.scenario.clone(),
                unit: row.unit.clone(),
                value,
                line: 0,
                caveat: caveat.clone(),
            }));
        }
    }
    tidy::write(&observations)
}

/// The files that a report is made from as coreutils' `sha256sum` prints and checks them; a name
/// with a line break or backslash is escaped, and its line starts with one.
pub(crate) fn digests(inputs: &Inputs) -> String {
    let line = |file: &Input| {
        let name = file.name.replace('\\', "\\\\").replace('\n', "\\n");
        let name = name.replace('\r', "\\r");
        let mark = if name == file.name { "" } else { "\\" };
        format!("{mark}{}  {name}\n", file.digest)
    };
    inputs.files.iter().map(line).collect()
}

/// Estimates, intervals and runs as JSON.
pub(crate) fn json(report: &Report) -> String {
    let implementations = report.data.implementations.iter();
    let implementations = implementations
        .map(|i| json!({"name": i.name, "version": i.version.as_str(), "variant": i.variant}));
    let rows = report.data.rows.iter().flat_map(|row| {
        let cells = row.cells.iter().enumerate();
        cells.filter_map(move |(column, cell)| Some(figure(report, row, column, cell.as_ref()?)))
    });
    let document = json!({
        "schema": SCHEMA,
        "report": report.name,
        "date": report.day,
        "machine": report.manifest.machine,
        "estimator": report.manifest.estimator.to_string(),
        "confidence": MEDIAN_CONFIDENCE,
        "implementations": implementations.collect::<Vec<_>>(),
        "figures": rows.collect::<Vec<_>>(),
    });
    // One figure a line: small, and a change shows as a line in a diff.
    let mut text = document.to_string();
    text = text.replace("},{\"caveats\"", "},\n{\"caveats\"");
    text + "\n"
}

fn figure(report: &Report, row: &Row, column: usize, cell: &Cell) -> Json {
    let number = |v: f64| Json::from(row.unit.printed(v));
    let interval = cell.interval();
    json!({
        "caveats": cell.caveats,
        "scenario": row.scenario.label(),
        "unit": row.unit.symbol(),
        "implementation": column,
        "n": cell.values.len(),
        "estimate": cell.estimate(report.manifest.estimator).map(number),
        "low": interval.map(|i| number(i.low)),
        "high": interval.map(|i| number(i.high)),
        "values": cell.values.iter().map(|v| number(*v)).collect::<Vec<_>>(),
        "unsupported": cell.unsupported,
    })
}
