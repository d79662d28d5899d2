//! Records of CSV, with their lines.

use super::Collector;

/// The cells of the first line that has any.
pub(super) fn first_record(head: &str) -> Vec<String> {
    let first = head
        .lines()
        .find(|l| !l.trim().is_empty())
        .unwrap_or_default();
    // Most files that are asked for their heading are no CSV, and a reader takes time to make.
    if !first.contains(',') {
        return vec![first.trim().to_owned()];
    }
    let mut record = csv::StringRecord::new();
    match reader(first).read_record(&mut record) {
        Ok(true) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
        _ => Vec::new(),
    }
}

/// All records of CSV with the line each starts on, or `None` after a problem.
pub(super) fn records(text: &str, collector: &mut Collector) -> Option<Vec<(u32, Vec<String>)>> {
    // The reader takes a quotation that never ends for one that ends with the file.
    let quotes = memchr::memchr_iter(b'"', text.as_bytes()).count();
    if quotes % 2 == 1 {
        let line = text
            .lines()
            .position(|l| l.matches('"').count() % 2 == 1)
            .unwrap_or(0);
        collector.problem(line as u32 + 1, "a quotation mark without its other half");
        return None;
    }
    let mut records = Vec::new();
    for record in reader(text).records() {
        match record {
            Ok(record) => {
                let line = record
                    .position()
                    .map_or(0, |p| line_at(text, p.byte() as usize));
                records.push((line, record.iter().map(str::to_owned).collect()));
            }
            Err(error) => {
                let line = error.position().map_or(0, |p| p.line() as u32);
                collector.problem(line, error.to_string());
            }
        }
    }
    Some(records)
}

/// The line of the first text from `offset` on. The reader's own count is one too low in a file
/// with CRLF, where it starts a record before the LF.
fn line_at(text: &str, offset: usize) -> u32 {
    let rest = &text.as_bytes()[offset..];
    let ends = rest
        .iter()
        .take_while(|b| matches!(b, b'\r' | b'\n'))
        .count();
    memchr::memchr_iter(b'\n', &text.as_bytes()[..offset + ends]).count() as u32 + 1
}

pub(super) fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes())
}
