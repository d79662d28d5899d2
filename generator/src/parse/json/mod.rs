//! Formats of JSON that are code.

mod asv;
pub(crate) mod criterion;
mod data_js;

pub(super) use data_js::START as DATA_JS;

use super::{Collector, Format, Parsed, prelude};
use regex::{Captures, Regex};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::sync::LazyLock;

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
    let start: String = super::start(text, START).split_ascii_whitespace().collect();
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
    OF_JSON.replace_all(text, |found: &Captures<'_>| match &found[0] {
        quoted if quoted.starts_with('"') => quoted.to_owned(),
        _ => "null".to_owned(),
    })
}

/// A string, or a figure that is none.
static OF_JSON: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#""(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)"#;
    Regex::new(pattern).expect("a constant pattern")
});

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
