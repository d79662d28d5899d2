//! Tables of text, and CSV as such tables, with the line of each record.

use super::{Collector, Located, check_lines, cite::cite, lines_at};
use crate::base::limits::{LINE, exceeded};

/// A table of text, with trimmed cells.
pub(super) struct RawTable {
    pub(super) line: u32,
    pub(super) heading: Vec<String>,
    pub(super) rows: Vec<Located<RawRow>>,
}

/// A row of the body. `width` is the number of cells before a parser adds or drops any.
pub(super) struct RawRow {
    pub(super) cells: Vec<String>,
    pub(super) width: usize,
}

impl RawRow {
    /// The text of a cell; empty if the row is too short.
    pub(super) fn cell(&self, index: usize) -> &str {
        self.cells.get(index).map_or("", String::as_str)
    }

    pub(super) fn check_width(&self, heading: &[String]) -> Result<(), String> {
        let (found, wanted) = (self.width, heading.len());
        if found == wanted {
            return Ok(());
        }
        let message = format!("{found} cells, but the heading has {wanted}:");
        Err(cite(&message, &self.cells.join(" | ")))
    }
}

/// The cells of the first line that is not blank; none if no column has scenarios.
pub(super) fn first_record(head: &str) -> Vec<String> {
    let mut lines = head.lines().filter(|l| !l.trim().is_empty());
    // Limits the length, since JSON may be a single line with a million commas.
    let first = super::start(lines.next().unwrap_or_default(), LINE);
    // To make a reader takes longer than to read most files.
    let lower = first.to_lowercase();
    if !["scenario", "cipher suite"]
        .iter()
        .any(|column| lower.contains(column))
    {
        return Vec::new();
    }
    if !first.contains('"') {
        let cells = first.split(char::from(delimiter(first)));
        return cells.map(|cell| cell.trim().to_owned()).collect();
    }
    let mut record = csv::StringRecord::new();
    match reader(first, csv::Trim::All).read_record(&mut record) {
        Ok(true) => record.iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Reads all records, the first as heading; `None` without one.
pub(super) fn table(text: &str, collector: &mut Collector) -> Option<RawTable> {
    let mut rows = Vec::new();
    each(text, csv::Trim::All, collector, |value, read| {
        let line = read.line;
        rows.push(Located { line, value });
        Ok(())
    });
    let mut rows = rows.into_iter();
    let Located { line, value } = rows.next()?;
    Some(RawTable {
        line,
        heading: value.cells,
        rows: rows.collect(),
    })
}

/// Reads each record in the line it starts on: a file may have a hundred thousand.
pub(super) fn each(
    text: &str,
    trim: csv::Trim,
    collector: &mut Collector,
    mut read: impl FnMut(RawRow, &mut Collector) -> Result<(), String>,
) {
    if !check_lines(text, LINE, collector) {
        return;
    }
    if let Some(line) = open_quotation(text) {
        collector.line = line;
        return collector.problem("a quotation mark that is never closed");
    }
    let count = |byte| memchr::memchr_iter(byte, text.as_bytes()).count();
    // A report's `data.csv` has 27 columns, and commas in labels.
    let most = collector.most;
    if count(b'\n') > most + 1 || count(delimiter(text)) > 32 * most {
        collector.line = 0;
        return collector.problem(exceeded(most, "rows of CSV"));
    }
    let is_semicolon = delimiter(text) == b';';
    let mut line_at = lines_at(text);
    let records = reader(text, trim).into_records().map(|value| {
        let start = |record: &csv::StringRecord| record.position().map_or(0, csv::Position::byte);
        let at = value.as_ref().map_or(0, start) as usize;
        // The reader's line is one too low in a file with CRLF, where it starts a record before the
        // LF.
        let rest = text[at..].trim_start_matches(['\r', '\n']);
        let line = line_at(text.len() - rest.len());
        Located { line, value }
    });
    collector.each(records, |record, collector| {
        let record = record.map_err(|error| error.to_string())?;
        // With semicolons, `1,234` may be either.
        let is_unclear =
            |cell: &&str| cell.contains(',') && cell.replace(',', "").parse::<f64>().is_ok();
        if is_semicolon && let Some(cell) = record.iter().find(is_unclear) {
            return Err(cite(
                "the comma may stand for decimals or for thousands in",
                cell,
            ));
        }
        let cells = record.iter().map(str::to_owned).collect();
        let width = record.len();
        read(RawRow { cells, width }, collector)
    });
}

/// The first line with an odd number of quotation marks, if the file has an odd number: the reader
/// would silently end the quotation at the end of the file.
fn open_quotation(text: &str) -> Option<u32> {
    let is_odd = |text: &str| memchr::memchr_iter(b'"', text.as_bytes()).count() % 2 == 1;
    let line = is_odd(text).then(|| text.lines().position(is_odd))?;
    Some(line.unwrap_or(0) as u32 + 1)
}

/// The separator of cells: a comma, a semicolon or a tab, whichever the first line has most of.
fn delimiter(text: &str) -> u8 {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let count = |byte: &u8| memchr::memchr_iter(*byte, first.as_bytes()).count();
    b"\t;,".iter().copied().max_by_key(count).unwrap_or(b',')
}

pub(super) fn reader(text: &str, trim: csv::Trim) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .trim(trim)
        .from_reader(text.as_bytes())
}

#[cfg(test)]
#[path = "../tests/records.rs"]
mod tests;
