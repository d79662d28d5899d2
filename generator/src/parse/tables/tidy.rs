//! This project's own data format: CSV (RFC 4180) in UTF-8, with one observation per row.
//!
//! ```text
//! run,implementation,version,variant,scenario,unit,value,caveat
//! 1,rustls,0.23.37,aws-lc-rs+jemalloc,"full handshakes, 1.3, rsa, client",handshakes/s,6803.93,
//! 1,OpenSSL,3.6.1,,"resumed handshakes, 1.3, ticket, client",handshakes/s,unsupported,no tickets
//! ```
//!
//! The columns `scenario`, `unit` and `value` are required, the others optional, in any order.
//! Other columns are errors, except those that a report's `data.csv` has besides, which repeat what
//! the label says or name the report, and those that earlier measurements have. In `data.csv` an
//! unsupported row has no value, and its caveat starts with `unsupported`.
//!
//! Text that starts with `=`, `+`, `-`, `@` or a tab is prefixed with `'`, so that spreadsheets do
//! not evaluate it as a formula; reading removes the prefix.

use super::prelude::*;
use super::{check_width, records};
use crate::base::limits::ROWS;
use crate::model::tidy::{COLUMNS, UNSUPPORTED, cell_text, decimal, text_cell, text_cells};

const NEEDED: [&str; 3] = ["scenario", "unit", "value"];

/// The heading of a report's `data.csv`: besides [`COLUMNS`] it has some that are not read.
pub(crate) const DATASET: &str = "report,date,machine,implementation,version,variant,scenario,workload,\
    tls_version,cipher,key,key_exchange,resumption,buffers,write_method,sessions,side,mutual,\
    unbuffered,write_size,fragment_size,threads,percentile,unit,run,value,caveat";

/// Columns about the parts of a figure that `run` wrote until 2026-11, and that nothing reads.
const EARLIER: &str =
    "slices,left out,cpu,p25,p50,p75,undisturbed p5,undisturbed p25,undisturbed mean";

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let heading = super::heading(head);
    // Ignores case, or a table with the heading `Value` would be wide, with that implementation.
    let heading: Vec<String> = heading
        .iter()
        .map(|cell| cell.trim().to_lowercase())
        .collect();
    NEEDED
        .iter()
        .all(|column| heading.iter().any(|cell| cell == column))
}

pub(in crate::parse) fn parse(text: &str, out: &mut Collector) {
    out.most = ROWS;
    let Some((heading, rows)) = records(text, out) else {
        return;
    };
    check_heading(&heading, out);
    let places = COLUMNS.map(|column| heading.iter().position(|cell| cell == column));
    let mut known = <[String; 3]>::default();
    out.each(rows, |cells, out| {
        check_width(&cells, &heading)?;
        let cells = places.map(|place| place.map_or("", |at| &*cells[at]));
        read(cells, &mut known, out)
    });
}

/// Reports columns that are unknown, twice there or missing.
fn check_heading(heading: &[Cow<'_, str>], out: &mut Collector) {
    for (index, column) in heading.iter().enumerate() {
        let mut known = DATASET.split(',').chain(EARLIER.split(','));
        if !known.any(|known| known == column) {
            let unknown = cite("unknown column", column);
            out.problem(format!("{unknown}; the columns are {}", COLUMNS.join(",")));
        } else if heading[..index].contains(column) {
            out.problem(cite("two columns are called", column));
        }
    }
}

/// Reads a row, whose cells are in the order of [`COLUMNS`]. `known` names the implementation of the row before.
fn read(cells: [&str; 8], known: &mut [String; 3], out: &mut Collector) -> Result<(), String> {
    let [run, name, version, variant, scenario, unit, value, caveats] = cells;
    let [name, version, variant, label, unit] =
        [name, version, variant, scenario, unit].map(cell_text);
    let caveats = caveats.lines().map(|line| cell_text(line).to_owned());
    let mut caveats: Vec<String> = caveats.collect();
    let names = [name, version, variant];
    if *known != names {
        let orphan = format!("{version} {variant}");
        let found = match orphan.trim() {
            _ if !name.is_empty() => Ok(Some(Implementation::new(name, version, &[variant]))),
            "" => Ok(None),
            orphan => Err(format!("{} without an implementation", quote(orphan))),
        };
        if let Some(implementation) = out.check(found) {
            out.of(implementation);
            *known = names.map(str::to_owned);
        }
    }
    // Counted from 1 in the file, from 0 here.
    let first = match number(run) {
        _ if run.is_empty() => Ok(0),
        Ok(n) if n.fract() == 0.0 && n <= f64::from(u32::MAX) => Ok(n as u32 - 1),
        _ => Err(cite("a run is a whole number from 1, not", run)),
    };
    let (unit, factor) = Unit::parse_or_other(unit);
    // The first caveat is why there is none.
    let reason = caveats.first().map_or(UNSUPPORTED, String::as_str);
    let value = match value {
        UNSUPPORTED => Ok(Value::Unsupported(reason.to_owned().into())),
        "" if reason.starts_with(UNSUPPORTED) && !caveats.is_empty() => {
            let reason = reason.strip_prefix("unsupported: ");
            Ok(Value::Unsupported(
                reason.unwrap_or(UNSUPPORTED).to_owned().into(),
            ))
        }
        "0" if unit.may_be_zero() => Ok(Value::Number(0.0)),
        cell => number(cell).map(|figure| Value::Number(figure * factor)),
    };
    if matches!(value, Ok(Value::Unsupported(_))) && !caveats.is_empty() {
        caveats.remove(0);
    }
    let scenario = name::scenario(label);
    let (Some(scenario), Some(value), Some(run)) =
        (out.check(scenario), out.check(value), out.check(first))
    else {
        return Ok(());
    };
    let row = out.push(scenario, unit, value);
    (row.run, row.caveats) = (run, caveats.into());
    Ok(())
}

/// Writes observations in this format. Distributions are skipped: pass each of their percentiles
/// as an observation.
pub fn write<'a>(observations: impl IntoIterator<Item = &'a Observation>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let heading = COLUMNS.map(str::to_owned).to_vec();
    let rows = observations.into_iter().filter_map(cells);
    for record in std::iter::once(heading).chain(rows) {
        let written = writer.write_record(record);
        written.expect("as many cells in each record, written to memory");
    }
    let bytes = writer.into_inner().expect("written to memory");
    String::from_utf8(bytes).expect("cells are UTF-8")
}

/// `None` for a distribution.
fn cells(observation: &Observation) -> Option<Vec<String>> {
    let (value, words) = match &observation.value {
        Value::Number(base) => (Some(base / observation.unit.symbol_factor()), None),
        Value::Unsupported(reason) => {
            let is_said = **reason != UNSUPPORTED || !observation.caveats.is_empty();
            (None, Some(reason.as_str()).filter(|_| is_said))
        }
        Value::Distribution(_) => return None,
    };
    let caveats = observation.caveats.iter().map(String::as_str);
    let words: Vec<&str> = words.into_iter().chain(caveats).collect();
    let unnamed = Implementation::default();
    let implementation = observation.implementation.as_deref().unwrap_or(&unnamed);
    Some(vec![
        (observation.run + 1).to_string(),
        text_cell(&implementation.name),
        text_cell(implementation.version.as_str()),
        text_cell(&implementation.variant.join("+")),
        text_cell(&observation.scenario.label()),
        text_cell(&observation.unit.declared()),
        value.map_or_else(|| UNSUPPORTED.to_owned(), decimal),
        text_cells(&words),
    ])
}

#[cfg(test)]
mod tests;
