//! Formats of JSON that are code: a list of results, in which a problem has the line of its item.

mod asv;
pub(crate) mod criterion;
mod data_js;

pub(super) use data_js::START as DATA_JS;

use super::reader::Located;
use super::{Collector, Format, Parsed, lines_at, prelude};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A document's start is without whitespace.
#[rustfmt::skip]
const FORMATS: &[Format] = &[
    ("asv", |s| s.starts_with(r#"{"commit_hash":"#), asv::parse),
    ("github-action-benchmark", |s| ["window.BENCHMARK_DATA={", r#"{"lastUpdate":"#, r#"{"repoUrl":"#, r#"{"entries":"#].iter().any(|start| s.starts_with(start)), data_js::parse),
    ("github-action-benchmark", |s| [r#"[{"name":"#, r#"[{"unit":"#, r#"[{"value":"#].iter().any(|start| s.starts_with(start)), data_js::parse_list),
];

/// Bytes of a document that show its format.
const START: usize = 1024;

/// The format of the document that a text starts with.
pub(super) fn format(text: &str) -> Option<&'static Format> {
    let line = text.trim_start_matches([' ', '\t']);
    if !line.starts_with(['{', '[']) && !line.starts_with(data_js::START) {
        return None;
    }
    let start: String = super::start(line, START).split_ascii_whitespace().collect();
    FORMATS.iter().find(|(_, recognise, _)| recognise(&start))
}

/// The length of the document that a text starts with, and of what ends its line. If it is none, or
/// other text follows it in its line, the number of lines before the one that shows that.
pub(super) fn length(text: &str) -> Result<usize, usize> {
    let from = text.find(['{', '[']).unwrap_or(0);
    let mut documents = serde_json::Deserializer::from_str(&text[from..]).into_iter::<IgnoredAny>();
    match documents.next() {
        Some(Ok(_)) => {}
        Some(Err(error)) if !error.is_eof() => return Err(error.line().saturating_sub(1)),
        _ => return Err(memchr::memchr_iter(b'\n', text.as_bytes()).count()),
    }
    let end = from + documents.byte_offset();
    let rest = text[end..].trim_start_matches([' ', '\t', '\r', ';']);
    match rest.strip_prefix('\n') {
        Some(rest) => Ok(text.len() - rest.len()),
        None if rest.is_empty() => Ok(text.len()),
        None => Err(memchr::memchr_iter(b'\n', &text.as_bytes()[..end]).count()),
    }
}

/// The text with `null` for figures that are none in JSON, though tools write them.
pub(super) fn without_infinities(text: &str) -> Cow<'_, str> {
    let may_be = text.trim_start().starts_with(['{', '[']);
    if !may_be || (!text.contains("NaN") && !text.contains("Infinity")) {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['"', 'N', 'I']) {
        let (before, from) = rest.split_at(at);
        if let Some(quoted) = from.strip_prefix('"') {
            let mut is_escaped = false;
            let end = quoted.find(|c: char| {
                let is_end = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            let end = end.map_or(from.len(), |end| end + 2);
            plain += before;
            plain += &from[..end];
            rest = &from[end..];
            continue;
        }
        match ["NaN", "Infinity"]
            .iter()
            .find_map(|word| from.strip_prefix(word))
        {
            Some(after) => {
                plain += before.strip_suffix('-').unwrap_or(before);
                plain += "null";
                rest = after;
            }
            None => {
                plain += &rest[..at + 1];
                rest = &from[1..];
            }
        }
    }
    Cow::Owned(plain + rest)
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
pub(super) fn list<'a, T: Deserialize<'a>>(
    text: &'a str,
    collector: &mut Collector,
) -> Vec<Located<T>> {
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
) -> Vec<Located<T>> {
    let mut line_at = lines_at(text);
    let read = items.iter().filter_map(|item| {
        let line = line_at(item.get().as_ptr().addr() - text.as_ptr().addr());
        collector.line = line;
        let value = read(item.get(), collector)?;
        Some(Located { line, value })
    });
    read.collect()
}

/// Calls `add` for each item. Figures have no line, because they are in some line of the item.
pub(super) fn each<T>(
    items: Vec<Located<T>>,
    collector: &mut Collector,
    mut add: impl FnMut(T, &mut Collector),
) {
    collector.each(items, |value, collector| {
        let line = std::mem::take(&mut collector.line);
        add(value, collector);
        collector.line = line;
        Ok(())
    });
}
