//! Input formats. Each is one file: what the tool prints, and how it becomes observations.
//!
//! A format is recognised by its content, never by its name. A parser reports every problem
//! that it finds, with its line, before it gives up.

mod bssl_speed;
mod ci_bench;
mod column;
mod criterion;
mod echo;
mod go;
pub mod histogram;
mod hyperfine;
pub mod latency;
mod libtest;
mod markdown;
mod memory;
mod name;
mod number;
mod openssl_bench;
mod openssl_speed;
mod rate;
mod records;
mod rustls_bench;
mod collector;
mod table;
#[cfg(test)]
mod tests;
pub mod tidy;
mod wide;
mod writev;

pub use collector::Collector;
pub use number::{grouped, measured, number};

use crate::escape::is_bidi_control;
use crate::failure::Diagnostic;
use crate::observation::Observation;
use std::fmt;
use std::path::Path;

/// A kind of file that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// rustls-bench, and `bench` of rustls up to 0.22.
    RustlsBench,
    /// openssl-bench, until 2023 and now.
    OpensslBench,
    /// Peak memory by `time -f %M`.
    Memory,
    /// `bssl speed` of BoringSSL and AWS-LC.
    BsslSpeed,
    /// `openssl speed`.
    OpensslSpeed,
    /// `unix_seconds<TAB>microseconds`.
    Latency,
    /// An interval log of HdrHistogram.
    Histogram,
    /// `results.csv` of ssl-writev-benchmark.
    Writev,
    /// `icounts.csv` and wall times of rustls ci-bench.
    CiBench,
    /// This project's own tidy CSV.
    Tidy,
    /// `sample.json` or `estimates.json` of criterion.
    Criterion,
    /// `--export-json` of hyperfine.
    Hyperfine,
    /// `bench:` lines of libtest and bencher.
    Libtest,
    /// `go test -bench`.
    Go,
    /// Tables in Markdown.
    Markdown,
    /// A table in CSV: a scenario a row, an implementation a column.
    Wide,
}

/// Recognises a format by the first bytes of a file, and reads the whole of it. `name` is the
/// file's path, for the few formats whose content does not name the benchmark.
struct Parser {
    format: Format,
    recognise: fn(&str) -> bool,
    parse: fn(name: &str, text: &str, collector: &mut Collector),
}

/// In the order in which they are tried: the most particular first.
const PARSERS: &[Parser] = &[
    Parser {
        format: Format::Tidy,
        recognise: tidy::recognise,
        parse: tidy::parse,
    },
    Parser {
        format: Format::Criterion,
        recognise: criterion::recognise,
        parse: criterion::parse,
    },
    Parser {
        format: Format::Hyperfine,
        recognise: hyperfine::recognise,
        parse: hyperfine::parse,
    },
    Parser {
        format: Format::RustlsBench,
        recognise: rustls_bench::recognise,
        parse: rustls_bench::parse,
    },
    Parser {
        format: Format::OpensslBench,
        recognise: openssl_bench::recognise,
        parse: openssl_bench::parse,
    },
    Parser {
        format: Format::Memory,
        recognise: memory::recognise,
        parse: memory::parse,
    },
    Parser {
        format: Format::BsslSpeed,
        recognise: bssl_speed::recognise,
        parse: bssl_speed::parse,
    },
    Parser {
        format: Format::OpensslSpeed,
        recognise: openssl_speed::recognise,
        parse: openssl_speed::parse,
    },
    Parser {
        format: Format::Latency,
        recognise: latency::recognise,
        parse: latency::parse,
    },
    Parser {
        format: Format::Histogram,
        recognise: histogram::recognise,
        parse: histogram::parse,
    },
    Parser {
        format: Format::Writev,
        recognise: writev::recognise,
        parse: writev::parse,
    },
    Parser {
        format: Format::Libtest,
        recognise: libtest::recognise,
        parse: libtest::parse,
    },
    Parser {
        format: Format::Go,
        recognise: go::recognise,
        parse: go::parse,
    },
    Parser {
        format: Format::CiBench,
        recognise: ci_bench::recognise,
        parse: ci_bench::parse,
    },
    Parser {
        format: Format::Markdown,
        recognise: markdown::recognise,
        parse: markdown::parse,
    },
    Parser {
        format: Format::Wide,
        recognise: wide::recognise,
        parse: wide::parse,
    },
];

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Rows in the order of the file.
    pub observations: Vec<Observation>,
    /// What was decided while reading, such as that a second value was dropped.
    pub notes: Vec<Problem>,
}

/// Something wrong at a place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Line from 1; 0 where the whole file is meant.
    pub line: u32,
    /// What is wrong, with the offending text.
    pub message: String,
}

impl Problem {
    fn at(line: u32, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { line, message }
    }

    /// The same, of this file.
    pub fn in_file(self, path: &Path) -> Diagnostic {
        Diagnostic::at(path, self.line, self.message)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The longest line that any of the tools prints is under 1 KiB for 80 threads; JSON stands on
/// one line and is exempt.
const MAX_LINE: usize = 64 * 1024;

impl Format {
    /// The format of a file that starts with `head`.
    pub fn recognise(head: &str) -> Option<Self> {
        PARSERS
            .iter()
            .find(|p| (p.recognise)(head))
            .map(|p| p.format)
    }
}

/// Reads a whole file. `name` is its path as the user gave it.
///
/// # Errors
/// Every problem in the file, in the order of lines.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Parsed, Vec<Problem>> {
    let text = text(bytes).map_err(|problem| vec![problem])?;
    let Some(parser) = PARSERS.iter().find(|p| (p.recognise)(text)) else {
        return Err(vec![unknown_format(text)]);
    };
    let mut problems = check_lines(parser.format, text);
    let mut collector = Collector::default();
    (parser.parse)(name, text, &mut collector);
    let parsed = collector.finish();
    match parsed {
        Ok(parsed) if problems.is_empty() && parsed.observations.is_empty() => {
            let message = "it has no measured figure".to_owned();
            Err(vec![Problem { line: 0, message }])
        }
        Ok(parsed) if problems.is_empty() => Ok(parsed),
        Ok(_) => Err(problems),
        Err(found) => {
            problems.extend(found);
            problems.sort();
            Err(problems)
        }
    }
}

/// Text that people can trust: UTF-8 without a byte-order mark, in the direction in which it
/// stands.
///
/// # Errors
/// What is wrong, at its line.
pub fn text(bytes: &[u8]) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let byte = bytes[error.valid_up_to()];
        Problem::at(line_of(good), format!("not UTF-8: a byte 0x{byte:02x}"))
    })?;
    // Their first bytes, which gigabytes of figures have none of.
    let from = memchr::memchr2(0xd8, 0xe2, bytes).unwrap_or(bytes.len());
    if let Some((at, message)) = direction_change(&text[from..]) {
        return Err(Problem::at(line_of(&bytes[..from + at]), message));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The first character that changes the direction of text: its offset, and what is wrong.
pub fn direction_change(text: &str) -> Option<(usize, String)> {
    let (at, c) = text.char_indices().find(|(_, c)| is_bidi_control(*c))?;
    let code = c as u32;
    let message = format!("a character that changes the direction of text: U+{code:04X}");
    Some((at, message))
}

/// The number of a line; nobody looks for one beyond.
fn saturate(line: u64) -> u32 {
    line.min(u64::from(u32::MAX)) as u32
}

fn line_of(before: &[u8]) -> u32 {
    saturate(memchr::memchr_iter(b'\n', before).count() as u64 + 1)
}

fn unknown_format(text: &str) -> Problem {
    let Some((index, first)) = text.lines().enumerate().find(|(_, l)| !l.trim().is_empty()) else {
        return Problem {
            line: 0,
            message: "the file is empty".to_owned(),
        };
    };
    let message = format!(
        "no known format starts like this: {}",
        collector::quote(first)
    );
    Problem {
        line: index as u32 + 1,
        message,
    }
}

/// Problems that are the same in all formats of lines: overlong lines, control characters, and
/// a number cut off by the end of the file, which would still be read as a smaller number.
fn check_lines(format: Format, text: &str) -> Vec<Problem> {
    // Latencies check their lines on the fast way through gigabytes, and histograms are long.
    if matches!(
        format,
        Format::Criterion | Format::Hyperfine | Format::Latency | Format::Histogram
    ) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index as u32 + 1;
        if line.len() > MAX_LINE {
            let message = format!(
                "a line of {} bytes; none may be longer than {MAX_LINE}",
                line.len()
            );
            problems.push(Problem {
                line: line_number,
                message,
            });
        } else if let Some(control) = line.chars().find(|c| c.is_control() && *c != '\t') {
            let message = format!(
                "a control character U+{:04X} in {}",
                control as u32,
                collector::quote(line)
            );
            problems.push(Problem {
                line: line_number,
                message,
            });
        }
    }
    let last = text.lines().last().unwrap_or_default();
    // Prose may end in a year or a full stop.
    let may_be_cut = format != Format::Markdown || last.contains('|');
    if may_be_cut && text.ends_with(|c: char| c.is_ascii_digit() || c == '.') {
        let message = format!(
            "the file ends in a number without a line end, so it may be cut: {}; add a line end if it is whole",
            collector::quote(last)
        );
        problems.push(Problem {
            line: text.lines().count() as u32,
            message,
        });
    }
    problems
}
