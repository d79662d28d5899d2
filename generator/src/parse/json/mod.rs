//! Documents in JSON, and their formats that are code.

mod asv;
mod data_js;

use super::prelude::{self, *};

/// Whether a text may start with a document.
pub(super) fn may_start(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\t']);
    text.starts_with(['{', '[']) || text.starts_with(data_js::START)
}

/// The document that a text starts with, and its length with what ends its line. If it is none, or other
/// text follows it in its line, the number of lines before the one that shows that.
pub(super) fn document(text: &str) -> Result<(Json, usize), usize> {
    let lines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let from = text.find(['{', '[']).unwrap_or(0);
    let mut documents = serde_json::Deserializer::from_str(&text[from..]).into_iter();
    let document = match documents.next() {
        Some(Ok(document)) => document,
        Some(Err(error)) if !error.is_eof() => return Err(error.line().saturating_sub(1)),
        _ => return Err(lines(text)),
    };
    let end = from + documents.byte_offset();
    let rest = text[end..].trim_start_matches([' ', '\t', '\r', ';']);
    match rest.strip_prefix('\n') {
        Some(rest) => Ok((document, text.len() - rest.len())),
        None if rest.is_empty() => Ok((document, text.len())),
        None => Err(lines(&text[..end])),
    }
}

/// Reads a document in a format that is code. Returns whether it is in one.
pub(super) fn parse(document: &Json, out: &mut Collector) -> bool {
    let first = document.get(0).unwrap_or(&Json::Null);
    if document.get("commit_hash").is_some() {
        asv::parse(document, out);
    } else if document["entries"].is_object() {
        data_js::parse(document, out);
    } else if first["name"].is_string() && first.get("value").is_some() {
        data_js::add(document, "", out);
    } else {
        return false;
    }
    true
}

/// The text with `null` for figures that are none in JSON, though tools write them.
pub(super) fn without_infinities(text: &str) -> Cow<'_, str> {
    /// A string, or a figure that is none.
    static OF_JSON: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#""(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)"#;
        Regex::new(pattern).expect("a constant pattern")
    });
    let may_be = text.trim_start().starts_with(['{', '[']);
    if !may_be || (!text.contains("NaN") && !text.contains("Infinity")) {
        return Cow::Borrowed(text);
    }
    OF_JSON.replace_all(text, |found: &Captures<'_>| match &found[0] {
        quoted if quoted.starts_with('"') => quoted.to_owned(),
        _ => "null".to_owned(),
    })
}
