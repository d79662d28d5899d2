//! The downloads of a report: every figure in full precision.

use super::renderer::Pages;
use crate::files::compressed;
use crate::files::inputs::{Input, Inputs};
use crate::model::scenario::{
    Buffers, Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, TlsVersion, Workload,
    WriteMethod,
};
use crate::model::tidy::{decimal, text_cell, text_cells};
use crate::parse::tidy::DATASET;
use crate::report::Report;
use anyhow::{Context, Result};
use std::io::Write;

/// The compressed table's name beside the page.
pub(crate) const TABLE: &str = "data.csv.gz";

/// Bytes that a run adds to what all runs share: its number, and a figure of up to 17 digits.
const RUN: usize = 24;

/// Makes the table for engines that read the repository, and the compressed one that the site publishes, which is a
/// twentieth of the size; the site has the one that is `packed`.
pub(crate) fn downloads(report: &Report, packed: Option<Vec<u8>>) -> Result<Pages> {
    let table = csv(report)?;
    let name = &report.name;
    Ok(Pages::from([
        (format!("{name}/{TABLE}"), compressed(&table, packed)?),
        (format!("{name}/data.csv"), table),
    ]))
}

/// Writes every run of every figure, one a row, with a column for each field of the scenario. It is
/// tidy CSV with the columns [`DATASET`], and the files of many reports are one table.
fn csv(report: &Report) -> Result<Vec<u8>> {
    let of_report = [
        report.name.clone(),
        shown(report.day),
        shown(report.manifest.machine.as_ref()),
    ];
    let (mut cells, mut bytes) = (Vec::new(), DATASET.len() + 1);
    for row in &report.rows {
        let of_scenario = scenario_cells(&row.scenario);
        let unit = [row.unit.declared()];
        for (build, cell) in report.builds.iter().zip(&row.cells) {
            let Some(cell) = cell else { continue };
            let one = &build.implementation;
            let of_build = [
                one.name.clone(),
                one.version.to_string(),
                one.variant.join("+"),
            ];
            let of_row = of_build.iter().chain(&of_scenario).chain(&unit);
            let of_all_runs = of_report.iter().chain(of_row);
            let of_all_runs = line(of_all_runs.map(|text| text_cell(text)))?;
            bytes += cell.values.len() * (of_all_runs.len() + RUN);
            cells.push((of_all_runs, row.unit.symbol_factor(), cell));
        }
    }
    // To grow by doubling takes twice the memory of a million runs.
    let mut table = Vec::with_capacity(bytes);
    writeln!(table, "{DATASET}")?;
    for (of_all_runs, factor, cell) in cells {
        let mut write = |run: usize, value: &str, caveat: String| {
            let caveat = match caveat.is_empty() {
                true => caveat,
                false => line([caveat])?,
            };
            writeln!(table, "{of_all_runs},{run},{value},{caveat}")?;
            anyhow::Ok(())
        };
        // Once a figure: all of them in each run would grow with the square of the runs.
        let mut caveats = text_cells(&cell.caveats);
        for (value, run) in cell.values.iter().zip(1..) {
            let value = decimal(*value / factor);
            write(run, &value, std::mem::take(&mut caveats))?;
        }
        // Without a value, the caveat says why.
        if let Some(reason) = cell.unsupported() {
            write(cell.values.len() + 1, "", text_cell(&reason))?;
        }
    }
    Ok(table)
}

/// Encodes cells that many lines share.
fn line(cells: impl IntoIterator<Item = String>) -> Result<String> {
    let mut writer = csv::WriterBuilder::new();
    let mut writer = writer.buffer_capacity(1024).from_writer(Vec::new());
    writer.write_record(cells)?;
    let bytes = writer.into_inner().context("cannot write CSV")?;
    let mut line = String::from_utf8(bytes)?;
    line.truncate(line.len() - 1);
    Ok(line)
}

/// Returns the label of a scenario, which has all of its fields, and each of them, in the order of [`DATASET`].
fn scenario_cells(one: &Scenario) -> [String; 17] {
    let is_tls = !matches!(one.workload, Workload::Other(_));
    [
        one.label(),
        one.workload.word().to_owned(),
        shown(one.version.map(TlsVersion::word)),
        shown(one.cipher.as_ref().map(Cipher::word)),
        shown(one.key.map(KeyType::word)),
        shown(one.group.map(Group::word)),
        shown(one.resumption.map(Resumption::word)),
        shown(one.buffers.as_ref().map(Buffers::word)),
        shown(one.method.map(WriteMethod::word)),
        shown(one.sessions),
        shown(one.side.map(Side::word)),
        shown(is_tls.then_some(one.mutual)),
        shown(is_tls.then_some(one.unbuffered)),
        shown(one.write_size),
        shown(one.fragment),
        shown(one.threads),
        shown(one.percentile.map(Percentile::word)),
    ]
}

/// Returns an empty cell for an unknown value.
fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Lists a report's input files in the format of coreutils' `sha256sum`, compressed. Strangers
/// choose the names, and the website's policy lets its own files run: the first line, a comment,
/// makes this one no script, and what could start or end anything in a name is percent-encoded.
pub(crate) fn digests(inputs: &Inputs) -> Result<Vec<u8>> {
    let mut text =
        "# For sha256sum --check in the folder of the report. In a name, %XX is a byte that is \
        no letter, digit, space or one of .,/+@_-\n"
            .to_owned();
    for Input { name, digest, .. } in &inputs.files {
        text += &format!("{digest}  ");
        for c in name.chars() {
            if c.is_alphanumeric() || " .,/+@_-".contains(c) {
                text.push(c);
            } else {
                let bytes = c.to_string().into_bytes();
                bytes.iter().for_each(|b| text += &format!("%{b:02X}"));
            }
        }
        text.push('\n');
    }
    compressed(text.as_bytes(), None)
}
