//! Reads the outputs of benchmark tools. A text is a stream of lines and JSON documents, of any number
//! of tools; captures, histogram logs and tables are recognised by the start of a file. Nothing depends
//! on a file's name, and a file is read or all of its problems are reported, with their lines.

mod cite;
mod collector;
pub(crate) mod criterion;
mod dress;
mod entries;
mod figure;
mod go;
pub mod histogram;
mod json;
pub mod latency;
pub(crate) mod load;
mod manifest;
pub(crate) mod name;
mod pattern;
mod reader;
mod split;
mod stream;
mod tables;
#[cfg(test)]
mod tests;

/// What the readers of formats are made of.
mod prelude {
    pub(super) use super::cite::{cite, quote};
    pub(super) use super::collector::{Collector, Runs};
    pub(super) use super::figure::{grouped, integer, is_integer, number};
    pub(super) use super::name;
    pub(super) use super::pattern::Expression;
    pub(super) use crate::base::failure::Diagnostic;
    pub(super) use crate::base::limits::{self, FIGURES, LINE, exceeded};
    pub(super) use crate::model::implementation::Implementation;
    pub(super) use crate::model::observation::{Observation, Value};
    pub(super) use crate::model::scenario::*;
    pub(super) use crate::model::unit::{Better, Unit};
    pub(super) use regex::{Captures, Regex};
    pub(super) use serde::Deserialize;
    pub(super) use serde_json::Value as Json;
    pub(super) use std::borrow::Cow;
    pub(super) use std::collections::{HashMap, HashSet};
    pub(super) use std::path::Path;
    pub(super) use std::sync::{Arc, LazyLock};
}

use crate::base::escape::is_bidi_control;
pub(crate) use cite::cite;
pub(crate) use collector::{Collector, MAX_PROBLEMS};
pub(crate) use entries::reads::Reads;
use entries::{BUILT_IN, Formats};
#[cfg(test)]
pub(crate) use manifest::RESERVED;
pub(crate) use manifest::{Declaration, Manifest, PreparedComparison, check_matches};
pub(crate) use pattern::pattern;
use prelude::*;
pub(crate) use reader::{Located, from_toml};
pub(crate) use split::{Split, split};
use std::collections::BTreeMap;
pub use tables::tidy;
use tables::{markdown, wide};

/// A format's name, whether a text is in it, by its start, and its parser.
pub(crate) type Format = (&'static str, fn(&str) -> bool, fn(&str, &mut Collector));

/// The formats of whole files, the most specific first.
pub(crate) const WHOLE: [Format; 5] = [
    ("tidy CSV", tidy::recognise, tidy::parse),
    ("latencies", latency::recognise, |text, out| {
        latency::read(text.as_bytes(), out);
    }),
    ("HdrHistogram", histogram::recognise, histogram::parse),
    ("tables in Markdown", markdown::is_prose, markdown::parse),
    ("tables in CSV", wide::recognise, wide::parse),
];

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Observations in the order of the file.
    pub observations: Vec<Observation>,
    /// Notes on decisions while parsing, such as a second value that was dropped.
    pub notes: Vec<Diagnostic>,
    /// How many lines with figures were not read, and the first of them.
    pub(crate) unread: Option<Diagnostic>,
    /// The web addresses of repositories, by the names of their libraries.
    pub(crate) repositories: BTreeMap<String, String>,
    /// The tools whose entries read something.
    pub(crate) read_by: HashSet<String>,
}

/// Parses a whole file, or returns all of its problems. `path` is as given by the user.
pub fn parse(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    parse_with(path.as_ref(), Path::new(""), bytes, &Reads::default())
}

/// Parses a file by somebody's own entries that name it, by its path `below` the folder of its report,
/// else by the formats that are built in, else by the entries that name none.
pub(crate) fn parse_with(
    path: &Path,
    below: &Path,
    bytes: &[u8],
    reads: &Reads,
) -> Result<Parsed, Vec<Diagnostic>> {
    let text = text(path, bytes).map_err(|problem| vec![problem])?;
    let mut out = Collector::new(path);
    let (named, others) = (reads.naming(below), reads.others());
    let whole = WHOLE
        .iter()
        .find(|(_, recognise, _)| named.is_none() && recognise(text));
    let formats: Vec<&Formats> = match (&named, whole) {
        (Some(named), _) => vec![named],
        (None, None) => BUILT_IN.iter().chain(&others).collect(),
        (None, Some((.., parse))) => {
            parse(text, &mut out);
            others.iter().collect()
        }
    };
    for formats in formats {
        if !out.parsed.observations.is_empty() || !out.problems.is_empty() {
            break;
        } else if formats.is_own && formats.size().saturating_mul(text.len()) > limits::READS {
            out.problem("patterns of [[read]] that repeat too much for a file of this size");
        } else {
            let unread = out.unread.take();
            stream::read(text, formats, &mut out);
            if out.parsed.observations.is_empty() {
                out.unread = unread.or(out.unread);
            }
        }
    }
    let is_cut = out.is_cut;
    let parsed = out.finish()?;
    if !parsed.observations.is_empty() {
        return Ok(parsed);
    }
    let at = |line, message: &str| Diagnostic::at(path, line, message);
    let lines = || text.lines().zip(1..);
    let first = lines().find(|(line, _)| !line.trim().is_empty());
    let problem = match (whole, first) {
        _ if named.is_some() => at(0, "no [[read]] that is for this file has a row in it"),
        _ if is_cut => {
            let (last, line) = lines().last().unwrap_or_default();
            return Err(vec![at(line, &truncated(last))]);
        }
        (Some((name, ..)), _) if !markdown::is_prose(text) => {
            at(0, &format!("{name} without a figure"))
        }
        (_, Some((first, line))) => Diagnostic {
            is_unknown: true,
            ..at(line, &cite("no known format starts like this:", first))
        },
        (_, None) => at(0, "the file is empty"),
    };
    let mut problems = vec![problem];
    problems.extend(parsed.unread);
    problems.extend(parsed.notes);
    Err(problems)
}

/// Declares which way figures of some units improve; the last declaration of a unit counts.
pub(crate) fn direct<'a>(
    rows: &mut [Observation],
    directions: impl Iterator<Item = (&'a String, &'a Better)> + Clone,
) {
    for row in rows {
        for (symbol, better) in directions.clone() {
            if Unit::parse_or_other(symbol).0 == row.unit || row.unit.symbol() == symbol {
                let (unit, factor) = row.unit.with_better(*better);
                row.unit = unit;
                if let Value::Number(base) = &mut row.value {
                    *base *= factor;
                }
            }
        }
    }
}

/// Decodes a file as UTF-8, without a byte-order mark. Characters that change the direction of
/// text are an error.
pub fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, Diagnostic> {
    let wrong = |at: usize, message| Diagnostic::at(path, lines_at(bytes)(at), message);
    // What `>` writes in PowerShell 5, or another program without its mark.
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [_, 0, _, 0, ..] | [0, _, 0, _, ..] = bytes {
        let message = "the file is in UTF-16: convert it to UTF-8, or write it with `| Out-File \
                       -Encoding utf8` in PowerShell";
        return Err(wrong(0, message.to_owned()));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        wrong(at, format!("not UTF-8: invalid byte 0x{:02x}", bytes[at]))
    })?;
    // Skips to the first possible lead byte of such a character: gigabytes of figures have none.
    let from = memchr::memchr2(0xd8, 0xe2, bytes).unwrap_or(bytes.len());
    match direction_change(&text[from..]) {
        Some((at, message)) => Err(wrong(from + at, message)),
        None => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
    }
}

/// Finds the first character that changes the direction of text: its offset, and a message.
pub fn direction_change(text: &str) -> Option<(usize, String)> {
    let (at, c) = text.char_indices().find(|(_, c)| is_bidi_control(*c))?;
    let code = c as u32;
    let message = format!("a character that changes the direction of text: U+{code:04X}");
    Some((at, message))
}

/// Returns a function that finds the lines of ascending offsets.
fn lines_at(text: impl AsRef<[u8]>) -> impl FnMut(usize) -> u32 {
    let (mut from, mut line) = (0, 1);
    move |offset| {
        line += memchr::memchr_iter(b'\n', &text.as_ref()[from..offset]).count() as u32;
        from = offset;
        line
    }
}

/// Reports problems common to all tables: those of each line, and a last line that may be truncated,
/// whose figure would be smaller or missing. Returns whether the text may be parsed: an overlong line
/// would take memory many times its size.
fn check_lines(text: &str, max: usize, out: &mut Collector) -> bool {
    let is_long = text.len() > max && text.lines().any(|line| line.len() > max);
    // Few have a control character, and to count what may be one is fastest.
    if is_long || text.bytes().filter(may_be_control).count() > 0 {
        out.each(text.lines().zip(1..), |line, _| check_line(line, max));
    }
    // Prose may end in any way.
    let last = text.lines().next_back().unwrap_or_default();
    if !text.ends_with('\n') && (!markdown::is_prose(text) || last.contains('|')) {
        out.line = text.lines().count() as u32;
        out.problem(truncated(last));
    }
    out.line = 0;
    !out.is_full() && !is_long
}

/// Whether a control character starts so in UTF-8.
fn may_be_control(byte: &u8) -> bool {
    (*byte < 0x20 && !b"\t\n".contains(byte)) || matches!(*byte, 0x7f | 0xc2)
}

/// Fails for a line that is too long, or has a control character.
fn check_line(line: &str, max: usize) -> Result<(), String> {
    if line.len() > max {
        let more = exceeded(max, "bytes");
        return Err(format!("a line of {} bytes: {more}", line.len()));
    }
    match line.chars().find(|c| c.is_control() && *c != '\t') {
        Some(c) => {
            let what = format!("a control character U+{:04X} in", u32::from(c));
            Err(cite(&what, line))
        }
        None => Ok(()),
    }
}

/// What is wrong with a file without a newline after its `last` line.
fn truncated(last: &str) -> String {
    let cut = "the file ends without a newline, so it may be truncated:";
    cite(cut, last) + "; add a newline if it is complete"
}
