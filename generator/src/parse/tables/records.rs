//! Tables of text, and CSV as such tables, with the line of each record.

use super::{Collector, Located, check_lines, cite::cite, lines_at};
use crate::base::limits::{LINE, exceeded};
use std::cell::RefCell;

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
    let lower = first.to_lowercase();
    if !["scenario", "cipher suite"]
        .iter()
        .any(|column| lower.contains(column))
    {
        return Vec::new();
    }
    let first = Records::of(first, csv::Trim::All).next();
    first.map_or_else(Vec::new, |record| record.cells)
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
    let records = Records::of(text, trim).map(|Record { start, cells }| {
        // A record starts before the LF of the last CRLF.
        let rest = text[start..].trim_start_matches(['\r', '\n']);
        let line = line_at(text.len() - rest.len());
        Located { line, value: cells }
    });
    collector.each(records, |cells, collector| {
        // With semicolons, `1,234` may be either.
        let is_unclear =
            |cell: &&String| cell.contains(',') && cell.replace(',', "").parse::<f64>().is_ok();
        if is_semicolon && let Some(cell) = cells.iter().find(is_unclear) {
            return Err(cite(
                "the comma may stand for decimals or for thousands in",
                cell,
            ));
        }
        let width = cells.len();
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

/// Where a record starts in its text, and its cells.
struct Record {
    start: usize,
    cells: Vec<String>,
}

thread_local! {
    /// To build the tables of a reader takes longer than to read most files, so readers are kept,
    /// with their separators.
    static USED: RefCell<Vec<(u8, csv_core::Reader)>> = RefCell::default();
}

/// Reads the records of a text.
struct Records<'a> {
    text: &'a str,
    /// Where the next record starts.
    at: usize,
    trim: csv::Trim,
    separator: u8,
    core: csv_core::Reader,
    /// The cells of a record, one after the other, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl<'a> Records<'a> {
    fn of(text: &'a str, trim: csv::Trim) -> Self {
        let separator = delimiter(text);
        let used = USED.with_borrow_mut(|used| {
            let place = used.iter().position(|(byte, _)| *byte == separator);
            place.map(|place| used.swap_remove(place).1)
        });
        let new = || csv_core::ReaderBuilder::new().delimiter(separator).build();
        let mut core = used.unwrap_or_else(new);
        core.reset();
        Self {
            text,
            at: 0,
            trim,
            separator,
            core,
            bytes: vec![0; 1024],
            ends: vec![0; 32],
        }
    }
}

impl Drop for Records<'_> {
    fn drop(&mut self) {
        let used = (self.separator, std::mem::take(&mut self.core));
        USED.with_borrow_mut(|all| all.push(used));
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        use csv_core::ReadRecordResult::{End, InputEmpty, OutputEndsFull, OutputFull};
        let start = self.at;
        let (mut written, mut count) = (0, 0);
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let (bytes, ends) = (&mut self.bytes[written..], &mut self.ends[count..]);
            let (result, read, more, cells) = self.core.read_record(rest, bytes, ends);
            (self.at, written, count) = (self.at + read, written + more, count + cells);
            match result {
                // The text may end without a newline, which only a second call shows.
                InputEmpty => {}
                OutputFull => self.bytes.resize(2 * self.bytes.len(), 0),
                OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                End => return None,
                csv_core::ReadRecordResult::Record => break,
            }
        }
        let mut from = 0;
        let cells = self.ends[..count].iter().map(|end| {
            let cell = String::from_utf8_lossy(&self.bytes[from..*end]);
            from = *end;
            match self.trim {
                csv::Trim::None => cell.into_owned(),
                _ => cell.trim().to_owned(),
            }
        });
        let cells = cells.collect();
        Some(Record { start, cells })
    }
}

#[cfg(test)]
#[path = "../tests/records.rs"]
mod tests;
