//! The rows of `generator export`: one observation per row, one field per column.

use crate::report::{Cell, Report, Row};
use crate::scenario::{
    Buffers, Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, TlsVersion, Workload,
    WriteMethod,
};
use jiff::civil::Date;
use serde::Serialize;

/// One row. The fields are the columns, in this order; unknown values are empty, or `null`.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Exported<'a> {
    report: &'a str,
    date: Option<Date>,
    machine: Option<&'a str>,
    implementation: &'a str,
    version: Option<&'a str>,
    variant: Option<&'a str>,
    /// The label, whose fields are the next 16 columns.
    scenario: &'a str,
    workload: &'a str,
    tls_version: Option<&'static str>,
    cipher: Option<&'a str>,
    key: Option<&'static str>,
    key_exchange: Option<&'static str>,
    resumption: Option<&'static str>,
    buffers: Option<&'a str>,
    write_method: Option<&'static str>,
    sessions: Option<u32>,
    side: Option<&'static str>,
    mutual: Option<bool>,
    unbuffered: Option<bool>,
    write_size: Option<u64>,
    fragment_size: Option<u32>,
    threads: Option<u32>,
    percentile: Option<&'static str>,
    unit: &'a str,
    run: usize,
    /// `None` if the implementation cannot do this; the caveat says why.
    value: Option<f64>,
    caveat: Option<&'a str>,
}

/// Passes each observation of the report to `write`, and stops at the first error. `text` encodes
/// text of others for the format.
pub(crate) fn export<E>(
    report: &Report,
    text: fn(&str) -> String,
    mut write: impl FnMut(&Exported<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let name = text(&report.name);
    let machine = report.manifest.machine.as_deref().map(text);
    let implementations = report.data.implementations.iter().map(|i| {
        let variant = i.variant.join("+");
        [&i.name, i.version.as_str(), &variant].map(text)
    });
    let implementations: Vec<[String; 3]> = implementations.collect();
    for row in &report.data.rows {
        let label = text(&row.scenario.label());
        let [workload, unit] = [row.scenario.workload.word(), row.unit.symbol()].map(text);
        let buffers = row.scenario.buffers.as_ref().map(Buffers::to_string);
        for ([implementation, version, variant], cell) in implementations.iter().zip(&row.cells) {
            let Some(cell) = cell else { continue };
            let caveats = text(&cell.caveats.join("; "));
            let known = Exported {
                report: &name,
                date: report.day,
                machine: machine.as_deref(),
                implementation,
                version: filled(version),
                variant: filled(variant),
                scenario: &label,
                workload: &workload,
                buffers: buffers.as_deref(),
                unit: &unit,
                caveat: filled(&caveats),
                ..fields(&row.scenario)
            };
            observations(row, cell, known, &mut write)?;
        }
    }
    Ok(())
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the scenario's fields that are fixed words or numbers.
fn fields(scenario: &Scenario) -> Exported<'_> {
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
        buffers: _,
        method,
        sessions,
        side,
        percentile,
    } = scenario;
    let is_tls = !matches!(workload, Workload::Other(_));
    Exported {
        tls_version: version.map(TlsVersion::word),
        cipher: cipher.as_ref().map(Cipher::word),
        key: key.map(KeyType::word),
        key_exchange: group.map(Group::word),
        resumption: resumption.map(Resumption::word),
        write_method: method.map(WriteMethod::word),
        sessions: *sessions,
        side: side.map(Side::word),
        mutual: is_tls.then_some(*mutual),
        unbuffered: is_tls.then_some(*unbuffered),
        write_size: *write_size,
        fragment_size: *fragment,
        threads: *threads,
        percentile: percentile.map(Percentile::word),
        ..Exported::default()
    }
}

/// Writes a row for each run of the cell.
fn observations<E>(
    row: &Row,
    cell: &Cell,
    mut known: Exported<'_>,
    write: &mut impl FnMut(&Exported<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for value in &cell.values {
        known.run += 1;
        known.value = Some(row.unit.printed(*value));
        write(&known)?;
    }
    match cell.unsupported() {
        None => Ok(()),
        Some(reason) => write(&Exported {
            run: known.run + 1,
            value: None,
            caveat: Some(&reason),
            ..known
        }),
    }
}
