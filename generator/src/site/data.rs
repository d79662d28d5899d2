//! The downloads of a report: every figure in full precision.

use crate::files::inputs::{Input, Inputs};
use crate::model::scenario::tidy::{decimal, text_cell};
use crate::model::scenario::{
    Buffers, Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, TlsVersion, Workload,
    WriteMethod,
};
use crate::parse::tidy::DATASET;
use crate::report::{Cell, Report, Row};
use crate::stats::MEDIAN_CONFIDENCE;
use anyhow::{Context, Result};
use jiff::civil::Date;
use serde::Serialize;
use serde_json::json;

/// Raised when a key changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// A row of `data.csv`. The fields are the columns [`DATASET`]; unknown values are empty.
#[derive(Clone, Debug, Default, Serialize)]
struct Record {
    report: String,
    date: Option<Date>,
    machine: Option<String>,
    implementation: String,
    version: String,
    variant: String,
    /// The label, whose fields are the next 16 columns.
    scenario: String,
    workload: String,
    tls_version: Option<&'static str>,
    cipher: Option<String>,
    key: Option<&'static str>,
    key_exchange: Option<&'static str>,
    resumption: Option<&'static str>,
    buffers: Option<String>,
    write_method: Option<&'static str>,
    sessions: Option<u32>,
    side: Option<&'static str>,
    mutual: Option<bool>,
    unbuffered: Option<bool>,
    write_size: Option<u64>,
    fragment_size: Option<u32>,
    threads: Option<u32>,
    percentile: Option<&'static str>,
    unit: String,
    run: usize,
    /// Empty if the implementation cannot do this; the caveat says why.
    value: String,
    caveat: String,
}

/// Writes every run of every figure, one a row, with a column for each field of the scenario. It is
/// tidy CSV, and the files of many reports are one table.
pub(crate) fn csv(report: &Report) -> Result<String> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    // A report without figures has the heading too.
    writer.write_record(DATASET)?;
    let of_report = Record {
        report: text_cell(&report.name),
        date: report.day,
        machine: report.manifest.machine.as_deref().map(text_cell),
        ..Record::default()
    };
    for row in &report.data.rows {
        let of_row = with_scenario(&row.scenario, &of_report);
        for (implementation, cell) in report.data.implementations.iter().zip(&row.cells) {
            let Some(cell) = cell else { continue };
            let mut record = Record {
                implementation: text_cell(&implementation.name),
                version: text_cell(implementation.version.as_str()),
                variant: text_cell(&implementation.variant.join("+")),
                unit: text_cell(row.unit.symbol()),
                caveat: text_cell(&cell.caveats.join("; ")),
                ..of_row.clone()
            };
            for value in &cell.values {
                record.run += 1;
                record.value = decimal(row.unit.printed(*value));
                writer.serialize(&record)?;
            }
            if let Some(reason) = cell.unsupported() {
                record.run += 1;
                record.value.clear();
                record.caveat = text_cell(&reason);
                writer.serialize(&record)?;
            }
        }
    }
    let bytes = writer.into_inner().context("cannot write CSV")?;
    Ok(String::from_utf8(bytes)?)
}

fn with_scenario(scenario: &Scenario, known: &Record) -> Record {
    // Destructured, so that a new field is not forgotten.
    let Scenario {
        workload,
        threads,
        mutual,
        unbuffered,
        fragment,
        write_size,
        version,
        cipher,
        key,
        group,
        resumption,
        buffers,
        method,
        sessions,
        side,
        percentile,
    } = scenario;
    let is_tls = !matches!(workload, Workload::Other(_));
    Record {
        scenario: text_cell(&scenario.label()),
        workload: text_cell(workload.word()),
        tls_version: version.map(TlsVersion::word),
        cipher: cipher.as_ref().map(Cipher::word).map(text_cell),
        key: key.map(KeyType::word),
        key_exchange: group.map(Group::word),
        resumption: resumption.map(Resumption::word),
        buffers: buffers.as_ref().map(Buffers::to_string),
        write_method: method.map(WriteMethod::word),
        sessions: *sessions,
        side: side.map(Side::word),
        mutual: is_tls.then_some(*mutual),
        unbuffered: is_tls.then_some(*unbuffered),
        write_size: *write_size,
        fragment_size: *fragment,
        threads: *threads,
        percentile: percentile.map(Percentile::word),
        ..known.clone()
    }
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

/// Writes estimates, intervals and runs as JSON, with the keys in alphabetical order.
pub(crate) fn json(report: &Report) -> String {
    let mut implementations = Vec::new();
    for one in &report.data.implementations {
        let version = one.version.as_str();
        implementations.push(json!({"name": one.name, "version": version, "variant": one.variant}));
    }
    let mut figures = Vec::new();
    for row in &report.data.rows {
        for (column, cell) in row.cells.iter().enumerate() {
            figures.extend(cell.as_ref().map(|cell| figure(row, column, cell)));
        }
    }
    let text = json!({
        "confidence": MEDIAN_CONFIDENCE,
        "date": report.day,
        "estimator": report.manifest.estimator.to_string(),
        "figures": figures,
        "implementations": implementations,
        "machine": report.manifest.machine,
        "report": report.name,
        "schema": SCHEMA,
    });
    // One figure per line: compact, and readable in a diff.
    text.to_string()
        .replace("},{\"caveats\"", "},\n{\"caveats\"")
        + "\n"
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
