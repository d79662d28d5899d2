//! Handshake latencies, as rustls-bench and openssl-bench write them with `--latency-prefix`: one
//! line `unix_seconds<TAB>microseconds` per handshake. Captures can be gigabytes in size, so only
//! a histogram is kept.

use super::cite::{cite, quote};
use super::collector::Collector;
use super::number::number;
use super::{Parsed, truncated};
use crate::base::failure::Diagnostic;
use crate::base::limits::{LINE, exceeded};
use crate::model::distribution::Distribution;
use crate::model::observation::Value;
use crate::model::scenario::{Scenario, Side, TlsVersion, Workload};
use crate::model::unit::Unit;
use memchr::{memchr, memchr_iter};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Bytes to read at once, beside the start of a line.
const CHUNK: usize = 512 * 1024;

/// An hour, longer than any handshake: a missing decimal point turns milliseconds into hours.
const MAX_NANOS: u64 = 3_600_000_000_000;

/// Whether the first line is a Unix time in seconds, a tab, and one more field.
pub(super) fn recognise(head: &str) -> bool {
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    let first = head.lines().next().and_then(|line| line.split_once('\t'));
    first.is_some_and(|(seconds, micros)| {
        seconds.contains('.') && is_decimal(seconds.as_bytes()) && !micros.contains('\t')
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

pub(super) fn parse(text: &str, out: &mut Collector) {
    read(text.as_bytes(), out);
}

/// Reads a file of any size in less than a MiB of memory. The file name gives the scenario:
/// `latency-fullhs-tls13-server-1-latency.tsv`.
///
/// # Errors
/// The first problems of the file, in the order of lines, and the number of others.
pub fn stream(path: impl AsRef<Path>, reader: impl Read) -> Result<Parsed, Vec<Diagnostic>> {
    let mut out = Collector::new(path.as_ref());
    read(reader, &mut out);
    out.finish()
}

fn read(mut reader: impl Read, out: &mut Collector) {
    let scenario = scenario(&out.path);
    let scenario = out.check(scenario);
    let (mut values, mut left_out, mut first_left_out) = (Distribution::default(), 0, 0);
    let (mut text, mut filled) = (vec![0; CHUNK + LINE], 0);
    out.line = 1;
    while !out.is_full() {
        let read = match reader.read(&mut text[filled..]) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                out.line = 0;
                out.problem(format!("it could not be read: {error}"));
                break;
            }
        };
        let mut start = 0;
        for end in memchr_iter(b'\n', &text[filled..filled + read]).map(|at| filled + at) {
            let mut line = &text[start..end];
            if out.line == 1 {
                line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            }
            match nanos(line) {
                Ok(Some(nanos)) => values.record(nanos),
                Ok(None) if left_out == 0 => (left_out, first_left_out) = (1, out.line),
                Ok(None) => left_out += 1,
                Err(message) => out.problem(message),
            }
            out.line = out.line.saturating_add(1);
            start = end + 1;
        }
        filled += read;
        text.copy_within(start..filled, 0);
        filled -= start;
        if filled > LINE {
            out.problem(format!("a line of {}", exceeded(LINE, "bytes")));
            break;
        } else if read == 0 {
            if filled > 0 {
                out.problem(truncated(&String::from_utf8_lossy(&text[..filled])));
            }
            break;
        }
    }
    if out.problems.is_empty() && left_out > 0 {
        let all = left_out + values.count();
        out.line = first_left_out;
        out.note(format!("{left_out} of {all} latencies left out, being zero or negative: the clock was adjusted during the measurement, or is too coarse"));
    }
    out.line = 0;
    if let Some(scenario) = scenario.filter(|_| values.count() > 0) {
        let value = Value::Distribution(Box::new(values));
        out.push(scenario, Unit::Time, value);
    } else if out.problems.is_empty() {
        out.problem("no positive latency found");
    }
}

/// The nanoseconds of a line without its end, at least 1; `None` for a value that is zero or negative.
fn nanos(line: &[u8]) -> Result<Option<u64>, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let wrong = |message: &str, text: &[u8]| Err(cite(message, &String::from_utf8_lossy(text)));
    let Some(tab) = memchr(b'\t', line).filter(|_| line.len() <= LINE) else {
        return wrong("expected `unix_seconds<TAB>microseconds`, got", line);
    };
    let (seconds, field) = (&line[..tab], &line[tab + 1..]);
    if !is_decimal(seconds) {
        return wrong("expected seconds since 1970, got", seconds);
    }
    let positive = field.strip_prefix(b"-").unwrap_or(field);
    let nanos = match fixed(positive) {
        Some(nanos) => nanos,
        None if memchr(b'\t', field).is_some() => {
            return wrong("expected `unix_seconds<TAB>microseconds`, got", line);
        }
        None if field.ends_with(b".") => return wrong("a number that may be truncated:", field),
        None => {
            let read = |field: &[u8]| number(&String::from_utf8_lossy(field));
            let micros = read(positive).map_err(|error| read(field).err().unwrap_or(error))?;
            (micros * 1000.0).round() as u64
        }
    };
    let is_zero = nanos == 0 && positive.iter().all(|byte| matches!(byte, b'0' | b'.'));
    match nanos {
        _ if is_zero || positive.len() < field.len() => Ok(None),
        nanos if nanos > MAX_NANOS => {
            wrong("no handshake takes over an hour:", field).map_err(|error| error + " µs")
        }
        nanos => Ok(Some(nanos.max(1))),
    }
}

/// Parses microseconds such as `282.69100000` to nanoseconds.
#[inline]
fn fixed(field: &[u8]) -> Option<u64> {
    let point = field.iter().position(|byte| *byte == b'.');
    let point = point.unwrap_or(field.len());
    if !is_decimal(field) || point > 12 {
        return None;
    }
    let mut tenths = 0;
    for digit in &field[..point] {
        tenths = tenths * 10 + u64::from(digit - b'0');
    }
    for at in point + 1..point + 5 {
        tenths = tenths * 10 + field.get(at).map_or(0, |digit| u64::from(digit - b'0'));
    }
    Some((tenths + 5) / 10)
}

/// Whether a field is of digits, with at most one point between them.
#[inline]
fn is_decimal(field: &[u8]) -> bool {
    let digits = field.iter().filter(|byte| byte.is_ascii_digit()).count();
    match field {
        [first, .., last] if digits + 1 == field.len() => {
            first.is_ascii_digit() && last.is_ascii_digit() && memchr(b'.', field).is_some()
        }
        _ => digits > 0 && digits == field.len(),
    }
}

#[cfg(test)]
mod tests;
