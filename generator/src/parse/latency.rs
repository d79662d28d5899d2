//! Handshake latencies, as rustls-bench and openssl-bench write them with `--latency-prefix`: one
//! line `unix_seconds<TAB>microseconds` per handshake. Captures can be gigabytes in size, so only
//! a histogram is kept.

mod line;

use super::cite::{cite, quote};
use super::collector::{Collector, MAX_PROBLEMS};
use super::{Located, Parsed, truncated};
use crate::base::failure::Diagnostic;
use crate::base::limits::{LINE, exceeded};
use crate::model::distribution::Distribution;
use crate::model::observation::Value;
use crate::model::scenario::{Scenario, Side, TlsVersion, Workload};
use crate::model::unit::Unit;
use line::{parse_any, parse_fast};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Mutex;

/// Bytes per chunk: enough to amortize a system call and a lock, and small enough for a core's
/// second-level cache (1 MiB on the development machine).
const CHUNK: usize = 512 * 1024;

/// Whether the first line is a Unix time in seconds, a tab, and one more field.
pub(super) fn recognise(head: &str) -> bool {
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    let first = head.lines().next().and_then(|line| line.split_once('\t'));
    first.is_some_and(|(seconds, micros)| {
        let fraction = line::decimal(seconds.as_bytes()).map(|(_, fraction)| fraction);
        fraction.is_some_and(|digits| !digits.is_empty()) && !micros.contains('\t')
    })
}

/// The scenario of a capture, which only its file name gives:
/// `latency-fullhs-tls13-server-<thread>-latency.tsv`, in which three words matter. Folders are
/// ignored.
pub(crate) fn scenario(path: &Path) -> Result<Scenario, String> {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    let words: Vec<&str> = file.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |word: &str| words.iter().any(|found| found.eq_ignore_ascii_case(word));
    let mut wrong = Vec::new();
    let mut is_first = |one: &str, other: &str| {
        match (has(one), has(other)) {
            (true, true) => wrong.push(format!("both `{one}` and `{other}`")),
            (false, false) => wrong.push(format!("neither `{one}` nor `{other}`")),
            _ => {}
        }
        has(one)
    };
    let mut scenario = Scenario::new(match is_first("fullhs", "resume") {
        true => Workload::FullLatency,
        false => Workload::ResumedLatency,
    });
    scenario.version = Some(match is_first("tls12", "tls13") {
        true => TlsVersion::V1_2,
        false => TlsVersion::V1_3,
    });
    scenario.side = Some(match is_first("client", "server") {
        true => Side::Client,
        false => Side::Server,
    });
    if wrong.is_empty() {
        return Ok(scenario);
    }
    let (file, wrong) = (quote(&file), wrong.join(", "));
    Err(format!(
        "the name of a latency file must say what was measured, as `latency-fullhs-tls13-server-1-latency.tsv` does; {file} has {wrong}"
    ))
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    put(read(text.as_bytes(), CHUNK), collector);
}

/// Reads a file of any size in a few MiB of memory. The file name gives the scenario:
/// `latency-fullhs-tls13-server-1-latency.tsv`.
///
/// # Errors
/// The first problems of the file, in the order of lines, and the number of others.
pub fn stream(path: impl AsRef<Path>, reader: impl Read + Send) -> Result<Parsed, Vec<Diagnostic>> {
    let mut collector = Collector::new(path.as_ref());
    put(read(reader, CHUNK), &mut collector);
    collector.finish()
}

/// All threads take chunks in turn, each into a buffer of its own, until one has enough problems.
fn read(reader: impl Read + Send, size: usize) -> Tally {
    let chunks = Mutex::new(Chunks {
        reader,
        size,
        line: 1,
        partial: Vec::new(),
        ended: false,
    });
    let next = |text: &mut Vec<u8>, tally: &Tally| {
        let mut chunks = chunks.lock().expect("no thread panicked");
        chunks.ended |= tally.is_full();
        chunks.next(text)
    };
    let tallies = rayon::broadcast(|_| {
        let (mut tally, mut text) = (Tally::default(), Vec::new());
        while let Some(line) = next(&mut text, &tally) {
            match line {
                Ok(line) => tally.count(line, &text),
                Err(error) => tally.problem(0, format!("it could not be read: {error}")),
            }
        }
        tally
    });
    tallies.into_iter().reduce(Tally::merge).unwrap_or_default()
}

fn put(tally: Tally, collector: &mut Collector) {
    let scenario = scenario(&collector.path);
    let scenario = collector.check(scenario);
    let distribution = tally.finish(collector);
    if let (Some(scenario), Some(distribution)) = (scenario, distribution) {
        let value = Value::Distribution(Box::new(distribution));
        collector.push(scenario, Unit::Time, value);
    }
}

/// The chunks of a reader, in order.
struct Chunks<R> {
    reader: R,
    size: usize,
    /// Number of the next line.
    line: u32,
    /// The start of the line after the last chunk.
    partial: Vec<u8>,
    ended: bool,
}

impl<R: Read> Chunks<R> {
    /// Reads whole lines into `text`, and returns the number of the first. Only the last chunk may
    /// end within a line, which is then that of the file, or one that is too long.
    fn next(&mut self, text: &mut Vec<u8>) -> Option<io::Result<u32>> {
        if self.ended {
            return None;
        }
        text.clear();
        text.reserve(LINE + self.size);
        text.append(&mut self.partial);
        let mut part = self.reader.by_ref().take(self.size as u64);
        let read = part.read_to_end(text);
        let end = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
        self.ended = !matches!(read, Ok(bytes) if bytes == self.size) || text.len() - end > LINE;
        if !self.ended {
            self.partial.extend_from_slice(&text[end..]);
            text.truncate(end);
        }
        let line = self.line;
        let lines = memchr::memchr_iter(b'\n', text).count() as u32;
        self.line = line.saturating_add(lines);
        Some(read.map(|_| line))
    }
}

/// What some of the chunks hold.
#[derive(Default)]
struct Tally {
    values: Distribution,
    /// Number of values left out, and the line of the first.
    left_out: u64,
    first_left_out: Option<u32>,
    /// The first problems, with their lines.
    problems: Vec<Located<String>>,
}

impl Tally {
    /// Counts the lines of a chunk, which is after those counted before.
    fn count(&mut self, first: u32, text: &[u8]) {
        let mut line = first;
        let mut rest = text;
        if line == 1 {
            rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
        }
        while !rest.is_empty() {
            let length = match parse_fast(rest) {
                Some((nanos, length)) => {
                    self.values.record(nanos);
                    length
                }
                None => self.line(line, rest),
            };
            rest = &rest[length..];
            line = line.saturating_add(1);
        }
    }

    /// Counts the first line of `text`, which the fast path does not parse. Returns its length.
    fn line(&mut self, number: u32, text: &[u8]) -> usize {
        let end = memchr::memchr(b'\n', text);
        let line = &text[..end.unwrap_or(text.len())];
        let cited = |message: &str| cite(message, &String::from_utf8_lossy(line));
        let parsed = if self.is_full() {
            Ok(None)
        } else if line.len() > LINE {
            Err(cited(&format!("a line of {}:", exceeded(LINE, "bytes"))))
        } else if end.is_none() {
            Err(truncated(&String::from_utf8_lossy(line)))
        } else {
            parse_any(line)
        };
        match parsed {
            Ok(Some(nanos)) => self.values.record(nanos),
            Ok(None) => {
                self.left_out += 1;
                self.first_left_out.get_or_insert(number);
            }
            Err(message) => self.problem(number, message),
        }
        end.map_or(text.len(), |end| end + 1)
    }

    fn problem(&mut self, line: u32, value: String) {
        self.problems.push(Located { line, value });
    }

    /// Whether there is one more problem than the collector takes, which then says that there are
    /// others.
    fn is_full(&self) -> bool {
        self.problems.len() > MAX_PROBLEMS
    }

    fn merge(mut self, other: Self) -> Self {
        self.values.merge(&other.values);
        self.left_out += other.left_out;
        let first = self.first_left_out.into_iter().chain(other.first_left_out);
        self.first_left_out = first.min();
        self.problems.extend(other.problems);
        self
    }

    /// Returns the latencies, with a note on those left out; or reports the problems.
    fn finish(mut self, collector: &mut Collector) -> Option<Distribution> {
        let count = self.values.count();
        if self.problems.is_empty() && count == 0 {
            self.problem(0, "no positive latency found".to_owned());
        }
        let is_good = self.problems.is_empty();
        self.problems.sort_by_key(|problem| problem.line);
        collector.each(self.problems, |message, _| Err(message));
        if let Some(first) = self.first_left_out.filter(|_| is_good) {
            let (left_out, all) = (self.left_out, self.left_out + count);
            collector.line = first;
            collector.note(format!("{left_out} of {all} latencies left out, being zero or negative: the clock was adjusted during the measurement, or is too coarse"));
        }
        collector.line = 0;
        is_good.then_some(self.values)
    }
}

#[cfg(test)]
mod tests;
