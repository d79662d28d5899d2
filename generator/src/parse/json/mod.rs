//! Formats of JSON: a list of results, in which a problem has the line of its item.

mod bencher;
pub(super) mod botan;
mod bssl_speed;
mod cargo_criterion;
pub(crate) mod criterion;
mod data_js;
pub(super) mod google_benchmark;
pub(super) mod gungraun;
mod hyperfine;
pub(super) mod jmh;
mod pytest;

use super::reader::Located;
use super::{Collector, Format, Parsed, lines_at, prelude};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The most specific first. A document's start is without whitespace.
#[rustfmt::skip]
const FORMATS: &[Format] = &[
    ("hyperfine", |s| s.starts_with(r#"{"results":["#), hyperfine::parse),
    ("JMH", |s| s.starts_with(r#"[{"jmhVersion":"#) || s.starts_with(r#"[{"benchmark":"#), jmh::parse),
    ("Google Benchmark", |s| s.starts_with(r#"{"context":{"#), google_benchmark::parse),
    ("pytest-benchmark", |s| s.starts_with(r#"{"machine_info":"#), pytest::parse),
    ("botan speed", |s| s.starts_with(r#"[{"algo":"#), botan::parse),
    ("bssl speed", |s| s.starts_with(r#"[{"description":"#), bssl_speed::parse),
    ("gungraun", |s| s.starts_with(r#"{"baselines":"#) || s.starts_with(r#"{"version":"#), gungraun::parse),
    ("cargo criterion", |s| s.starts_with(r#"{"reason":"#), cargo_criterion::parse),
    ("github-action-benchmark", |s| ["window.BENCHMARK_DATA={", r#"{"lastUpdate":"#, r#"{"repoUrl":"#, r#"{"entries":"#].iter().any(|start| s.starts_with(start)), data_js::parse),
    ("github-action-benchmark", |s| [r#"[{"name":"#, r#"[{"unit":"#, r#"[{"value":"#].iter().any(|start| s.starts_with(start)), data_js::parse_list),
    ("Bencher", bencher::recognise, bencher::parse),
];

/// Bytes of a document that show its format.
const START: usize = 1024;

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|(name, ..)| *name)
}

/// The format of the document that a text starts with.
pub(super) fn format(text: &str) -> Option<&'static Format> {
    let line = text.trim_start_matches([' ', '\t']);
    if !line.starts_with(['{', '[']) && !line.starts_with(data_js::START) {
        return None;
    }
    let start: String = super::start(line, START).split_ascii_whitespace().collect();
    FORMATS.iter().find(|(_, recognise, _)| recognise(&start))
}

/// The length of the document that a text starts with, and of what ends its line; all of the text if
/// there is no end.
pub(super) fn length(text: &str) -> usize {
    let from = text.find(['{', '[']).unwrap_or(0);
    let mut documents = serde_json::Deserializer::from_str(&text[from..]).into_iter::<IgnoredAny>();
    let Some(Ok(_)) = documents.next() else {
        return text.len();
    };
    let end = from + documents.byte_offset();
    let rest = text[end..].trim_start_matches([' ', '\t', '\r', ';']);
    text.len() - rest.strip_prefix('\n').unwrap_or(rest).len()
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

/// Deserializes a document of one result, and calls `add` with it. Its figures are in some line of it.
pub(super) fn document<'a, T: Deserialize<'a>>(
    text: &'a str,
    out: &mut Collector,
    add: impl FnOnce(T, &mut Collector) -> Result<(), String>,
) {
    out.line = 1;
    if let Some(value) = read(text.trim_end(), out) {
        out.line = 0;
        let added = add(value, out);
        out.line = 1;
        out.check(added);
    }
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
    mut add: impl FnMut(T, &mut Collector) -> Result<(), String>,
) {
    collector.each(items, |value, collector| {
        let line = std::mem::take(&mut collector.line);
        let added = add(value, collector);
        collector.line = line;
        added
    });
}
