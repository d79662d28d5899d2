//! Input formats, each in a module that documents the tool's output and parses it.
//!
//! A format is recognised by content, never by file name. A parser reports every problem of a
//! file, with its line.

pub(crate) mod load;
mod botan;
mod bssl_speed;
mod ci_bench;
pub(crate) mod criterion;
mod criterion_output;
mod data_js;
mod divan;
mod echo;
mod gnutls;
mod go;
mod google_benchmark;
pub mod histogram;
mod hyperfine;
mod jmh;
mod json;
pub mod latency;
mod libtest;
mod lines;
mod manifest;
mod markdown;
pub(crate) mod name;
mod number;
mod openssl_speed;
mod reader;
mod records;
mod s_time;
mod collector;
#[cfg(test)]
mod tests;
pub mod tidy;
mod suite;
mod tls_bench;
mod wide;
mod wolfcrypt;
mod writev;

/// What the parsers of formats are made of.
mod prelude {
    pub(super) use super::collector::{Collector, cite, quote};
    pub(super) use super::json::{self, is_json, starts_with};
    pub(super) use super::lines::{Line, Lines, Pattern, figure, prefixed, seconds};
    pub(super) use super::number::*;
    pub(super) use super::{At, markdown, name, records};
    pub(super) use crate::model::implementation::Implementation;
    pub(super) use crate::model::observation::Value;
    pub(super) use crate::model::scenario::*;
    pub(super) use crate::model::unit::{MIB, Unit};
    pub(super) use serde::Deserialize;
}

use crate::base::escape::is_bidi_control;
use crate::base::failure::Diagnostic;
use crate::base::limits;
use crate::model::observation::Observation;
pub(crate) use collector::{Collector, MAX_PROBLEMS, cite};
#[cfg(test)]
pub(crate) use manifest::RESERVED;
pub(crate) use manifest::{Declaration, Manifest, PreparedComparison, check_matches, pattern};
pub(crate) use reader::At;
use std::path::Path;

/// A format, its name in messages unless another format has it too, the function that recognises it
/// by the first bytes of a file, and its parser.
type Parser = (
    Format,
    &'static str,
    fn(&str) -> bool,
    fn(&str, &mut Collector),
);

/// Defines the formats, each with its module and its name, in the order in which they are tried: the
/// most specific first.
macro_rules! formats {
    ($($format:ident = $module:ident $name:literal,)+) => {
        /// An input format, named like its module.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Format { $($format,)+ }

        pub(crate) const PARSERS: &[Parser] =
            &[$((Format::$format, $name, $module::recognise, $module::parse),)+];
    };
}

formats! {
    Tidy = tidy "tidy CSV",
    Criterion = criterion "criterion",
    Hyperfine = hyperfine "hyperfine",
    Jmh = jmh "JMH",
    GoogleBenchmark = google_benchmark "Google Benchmark",
    DataJs = data_js "github-action-benchmark",
    TlsBench = tls_bench "rustls-bench, openssl-bench, peak memory",
    BsslSpeed = bssl_speed "bssl speed",
    OpensslSpeed = openssl_speed "openssl speed",
    STime = s_time "openssl s_time",
    Gnutls = gnutls "gnutls-cli",
    Botan = botan "botan speed",
    Wolfcrypt = wolfcrypt "wolfCrypt",
    Latency = latency "latencies",
    Histogram = histogram "HdrHistogram",
    Writev = writev "ssl-writev-benchmark",
    Libtest = libtest "libtest",
    CriterionOutput = criterion_output "",
    Divan = divan "divan",
    Go = go "go test",
    CiBench = ci_bench "ci-bench",
    Markdown = markdown "",
    Wide = wide "tables in CSV or Markdown",
}

/// Bytes in which the format of a file must be seen: each is looked for in every line.
const HEAD: usize = 1024 * 1024;

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Observations in the order of the file.
    pub observations: Vec<Observation>,
    /// Notes on decisions while parsing, such as a second value that was dropped.
    pub notes: Vec<Diagnostic>,
}

/// Returns the format of a text by its start: its first figures may stand below what `cargo` printed.
pub(crate) fn parser_of(text: &str) -> Option<&'static Parser> {
    let head = start(text, HEAD);
    PARSERS.iter().find(|(_, _, recognise, _)| recognise(head))
}

/// Returns as many characters as fit in so many bytes.
fn start(text: &str, bytes: usize) -> &str {
    let mut ends = (0..=bytes.min(text.len())).rev();
    &text[..ends.find(|end| text.is_char_boundary(*end)).unwrap_or(0)]
}

/// Parses a whole file, or returns all of its problems. `path` is as given by the user.
pub fn parse(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    let path = path.as_ref();
    let text = text(path, bytes).map_err(|problem| vec![problem])?;
    let (format, .., parse) = parser_of(text).ok_or_else(|| vec![unknown_format(path, text)])?;
    let mut collector = Collector::new(path);
    if check_lines(*format, text, &mut collector) {
        parse(text, &mut collector);
    }
    let parsed = collector.finish()?;
    match parsed.observations.is_empty() {
        true => Err(vec![Diagnostic::at(path, 0, "no measured figure found")]),
        false => Ok(parsed),
    }
}

/// Decodes a file as UTF-8, without a byte-order mark. Characters that change the direction of
/// text are an error.
pub fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, Diagnostic> {
    let wrong = |at: usize, message| Diagnostic::at(path, lines_at(bytes)(at), message);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let message = match bytes {
            // What `>` writes in PowerShell 5.
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                "the file is in UTF-16: convert it to UTF-8, or write it with `| Out-File \
                 -Encoding utf8` in PowerShell"
                    .to_owned()
            }
            _ => format!("not UTF-8: invalid byte 0x{:02x}", bytes[at]),
        };
        wrong(at, message)
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

const UNKNOWN: &str = "no known format starts like this:";

/// Returns the names of all formats if a file is in none of them.
pub(crate) fn formats_for(problems: &[Diagnostic]) -> Option<String> {
    let mut problems = problems.iter();
    let names = PARSERS.iter().map(|(_, name, ..)| *name);
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let is_unknown = problems.any(|problem| problem.message.starts_with(UNKNOWN));
    is_unknown.then(|| names.join(", "))
}

fn unknown_format(path: &Path, text: &str) -> Diagnostic {
    let mut lines = text.lines().zip(1..).filter(|(l, _)| !l.trim().is_empty());
    match lines.next() {
        None => Diagnostic::at(path, 0, "the file is empty"),
        Some((first, line)) => Diagnostic::at(path, line, cite(UNKNOWN, first)),
    }
}

/// Reports problems common to all line-based formats: overlong lines, control characters, and a
/// last line that may be truncated, whose figure would be smaller or missing. Returns whether the
/// file may be parsed: an overlong line would take memory many times its size.
fn check_lines(format: Format, text: &str, collector: &mut Collector) -> bool {
    let is_table = matches!(format, Format::Tidy | Format::Wide | Format::Markdown);
    let max = match format {
        // The parser of latencies checks its lines itself, since files may have gigabytes.
        Format::Latency | Format::DataJs => return true,
        // Of JSON, serde's errors name the line.
        _ if json::is_json(text) && !is_table => return true,
        // A character for each connection, or a byte for each bin.
        Format::STime | Format::Histogram => limits::FILE,
        _ => limits::LINE,
    };
    let (mut last, mut is_short) = ("", true);
    for (line, number) in text.lines().zip(1..) {
        (collector.line, last) = (number, line);
        let bytes = line.len();
        if collector.is_full() {
            return false;
        } else if bytes > max {
            is_short = false;
            let more = limits::exceeded(max, "bytes");
            collector.problem(format!("a line of {bytes} bytes: {more}"));
        } else if let Some(control) = line.chars().find(|c| c.is_control() && *c != '\t') {
            let code = control as u32;
            collector.problem(cite(&format!("a control character U+{code:04X} in"), line));
        }
    }
    // Prose may end in any way.
    if !text.ends_with('\n') && (format != Format::Markdown || last.contains('|')) {
        collector.problem(truncated(last));
    }
    collector.line = 0;
    is_short
}

/// What is wrong with a file without a newline after its `last` line.
fn truncated(last: &str) -> String {
    let cut = "the file ends without a newline, so it may be truncated:";
    cite(cut, last) + "; add a newline if it is complete"
}
