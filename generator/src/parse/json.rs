//! Drives the parsers of JSON: a list of results, in which a problem has the line of its item.

use super::reader::At;
use super::{Collector, lines_at};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Whether JSON starts with `start`, ignoring whitespace.
pub(super) fn starts_with(json: &str, start: &str) -> bool {
    let mut found = json.chars().filter(|c| !c.is_ascii_whitespace());
    start.chars().all(|c| found.next() == Some(c))
}

/// Whether a file of a format that is also printed as text is JSON.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Deserializes text that starts in the collector's line, or reports what is wrong in which line.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str, collector: &mut Collector) -> Option<T> {
    let read = serde_json::from_str(text).map_err(|error| {
        collector.line += (error.line() as u32).saturating_sub(1);
        let message = error.to_string();
        let position = message.rfind(" at line ").unwrap_or(message.len());
        format!("in JSON: {}", &message[..position])
    });
    collector.check(read)
}

/// A document with a list of results.
#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow, default, alias = "benchmarks")]
    results: Vec<&'a RawValue>,
}

/// Deserializes the items of the document, which is a list of results or has one.
pub(super) fn list<'a, T: Deserialize<'a>>(text: &'a str, collector: &mut Collector) -> Vec<At<T>> {
    collector.line = 1;
    let list = match text.trim_start().starts_with('[') {
        true => read(text, collector),
        false => read(text, collector).map(|document: Document<'_>| document.results),
    };
    items(&list.unwrap_or_default(), text, collector)
}

/// Deserializes values in `text`, each with its line.
pub(super) fn items<'a, T: Deserialize<'a>>(
    items: &[&'a RawValue],
    text: &str,
    collector: &mut Collector,
) -> Vec<At<T>> {
    let mut line_at = lines_at(text);
    let read = items.iter().filter_map(|item| {
        let line = line_at(item.get().as_ptr().addr() - text.as_ptr().addr());
        collector.line = line;
        let value = read(item.get(), collector)?;
        Some(At { line, value })
    });
    read.collect()
}

/// Calls `add` for each item. Figures have no line, because they are in some line of the item.
pub(super) fn each<T>(
    items: Vec<At<T>>,
    collector: &mut Collector,
    mut add: impl FnMut(T, &mut Collector) -> Result<(), String>,
) {
    collector.each(items, |value, collector| {
        let line = std::mem::take(&mut collector.line);
        let added = add(value, collector);
        collector.line = line;
        added
    });
}
