//! The downloads of a report: every figure in full precision.

use crate::inputs::{Input, Inputs};
use crate::observation::{Observation, Value};
use crate::parse::tidy;
use crate::report::{Cell, Report, Row};
use crate::stats::MEDIAN_CONFIDENCE;
use anyhow::Result;
use serde::Serialize;
use serde_json::json;

/// Raised when a key changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// Writes the tidy CSV of all runs.
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

/// Lists a report's input files in the format of coreutils' `sha256sum`. A name with a line break or
/// backslash is escaped, and its line starts with a backslash.
pub(crate) fn digests(inputs: &Inputs) -> String {
    let line = |file: &Input| {
        let name = file.name.replace('\\', "\\\\").replace('\n', "\\n");
        let name = name.replace('\r', "\\r");
        let mark = if name == file.name { "" } else { "\\" };
        format!("{mark}{}  {name}\n", file.digest)
    };
    inputs.files.iter().map(line).collect()
}

/// The JSON of a report, with its keys in alphabetical order.
#[derive(Serialize)]
struct Document<'a> {
    confidence: f64,
    date: Option<jiff::civil::Date>,
    estimator: String,
    figures: Vec<serde_json::Value>,
    implementations: Vec<serde_json::Value>,
    machine: Option<&'a str>,
    report: &'a str,
    schema: u32,
}

/// Writes estimates, intervals and runs as JSON.
pub(crate) fn json(report: &Report) -> Result<String> {
    let implementations = report.data.implementations.iter();
    let implementations = implementations
        .map(|i| json!({"name": i.name, "version": i.version.as_str(), "variant": i.variant}));
    let mut figures = Vec::new();
    for row in &report.data.rows {
        for (column, cell) in row.cells.iter().enumerate() {
            figures.extend(cell.as_ref().map(|cell| figure(row, column, cell)));
        }
    }
    let text = serde_json::to_string(&Document {
        confidence: MEDIAN_CONFIDENCE,
        date: report.day,
        estimator: report.manifest.estimator.to_string(),
        figures,
        implementations: implementations.collect(),
        machine: report.manifest.machine.as_deref(),
        report: &report.name,
        schema: SCHEMA,
    })?;
    // One figure per line: compact, and readable in a diff.
    Ok(text.replace("},{\"caveats\"", "},\n{\"caveats\"") + "\n")
}

fn figure(row: &Row, column: usize, cell: &Cell) -> serde_json::Value {
    let number = |v: f64| row.unit.printed(v);
    let interval = cell.interval();
    let values: Vec<f64> = cell.values.iter().map(|v| number(*v)).collect();
    json!({
        "caveats": cell.caveats,
        "estimate": cell.estimate().map(number),
        "high": interval.map(|i| number(i.high)),
        "implementation": column,
        "low": interval.map(|i| number(i.low)),
        "n": values.len(),
        "scenario": row.scenario.label(),
        "unit": row.unit.symbol(),
        "unsupported": cell.unsupported,
        "values": values,
    })
}
