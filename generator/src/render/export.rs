//! A report as the rows of `generator export`: one observation each, every field a column.

use crate::report::{Cell, Report, Row};
use crate::scenario::{
    Buffers, Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, TlsVersion, Workload,
    WriteMethod,
};
use jiff::civil::Date;
use serde::Serialize;

/// One row. The fields are the columns, in this order; what is not known is empty, or `null`.
#[derive(Debug, Serialize)]
pub(crate) struct Exported<'a> {
    report: &'a str,
    date: Option<Date>,
    machine: Option<&'a str>,
    implementation: &'a str,
    version: Option<&'a str>,
    variant: Option<&'a str>,
    /// The label, which the next 16 columns take apart.
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
    /// `None` where the implementation cannot do this, which the caveat says then.
    value: Option<f64>,
    caveat: Option<&'a str>,
}

/// Hands each observation of the report to `write`, and stops at the first error.
pub(crate) fn export<E>(
    report: &Report,
    mut write: impl FnMut(&Exported<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let implementations = &report.data.implementations;
    let variants: Vec<String> = implementations
        .iter()
        .map(|i| i.variant.join("+"))
        .collect();
    for row in &report.data.rows {
        let (label, buffers) = (row.scenario.label(), row.scenario.buffers.as_ref());
        let buffers = buffers.map(Buffers::to_string);
        let columns = implementations.iter().zip(&variants);
        for ((implementation, variant), cell) in columns.zip(&row.cells) {
            let Some(cell) = cell else { continue };
            let known = Exported {
                report: &report.name,
                date: report.day,
                machine: report.manifest.machine.as_deref(),
                implementation: &implementation.name,
                version: filled(implementation.version.as_str()),
                variant: filled(variant),
                ..scenario(row, &label, buffers.as_deref())
            };
            observations(row, cell, known, &mut write)?;
        }
    }
    Ok(())
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// What the scenario alone tells.
fn scenario<'a>(row: &'a Row, label: &'a str, buffers: Option<&'a str>) -> Exported<'a> {
    // By name, so that a new field is not forgotten.
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
    } = &row.scenario;
    let is_tls = !matches!(workload, Workload::Other(_));
    Exported {
        report: "",
        date: None,
        machine: None,
        implementation: "",
        version: None,
        variant: None,
        scenario: label,
        workload: workload.word(),
        tls_version: version.map(TlsVersion::word),
        cipher: cipher.as_ref().map(Cipher::word),
        key: key.map(KeyType::word),
        key_exchange: group.map(Group::word),
        resumption: resumption.map(Resumption::word),
        buffers,
        write_method: method.map(WriteMethod::word),
        sessions: *sessions,
        side: side.map(Side::word),
        mutual: is_tls.then_some(*mutual),
        unbuffered: is_tls.then_some(*unbuffered),
        write_size: *write_size,
        fragment_size: *fragment,
        threads: *threads,
        percentile: percentile.map(Percentile::word),
        unit: row.unit.symbol(),
        run: 0,
        value: None,
        caveat: None,
    }
}

/// One row for each run of the cell, as on the report's page.
fn observations<E>(
    row: &Row,
    cell: &Cell,
    known: Exported<'_>,
    write: &mut impl FnMut(&Exported<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let caveats = cell.caveats.join("; ");
    let mut known = Exported {
        caveat: filled(&caveats),
        ..known
    };
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
