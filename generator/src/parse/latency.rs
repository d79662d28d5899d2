//! Handshake latencies, as rustls-bench and openssl-bench write them with `--latency-prefix`: one
//! line `unix_seconds<TAB>microseconds` per handshake. Captures can be gigabytes in size, so only
//! a histogram is kept.

use super::prelude::*;
use super::{Parsed, truncated};
use crate::files::file_name;
use crate::model::distribution::Distribution;
use memchr::{memchr, memrchr};
use std::io::{ErrorKind, Read};

/// Bytes to read at once, beside the start of a line.
const CHUNK: usize = 512 * 1024;

/// An hour, longer than any handshake: a missing decimal point turns milliseconds into hours.
const MAX_NANOS: u64 = 3_600_000_000_000;

/// Whether the first line is a Unix time in seconds, a tab, and one more field.
pub(super) fn recognise(head: &str) -> bool {
    let first = head.lines().next().unwrap_or_default();
    let (seconds, micros) = first.split_once('\t').unwrap_or_default();
    let seconds = seconds.trim_start_matches('\u{feff}').split_once('.');
    seconds.is_some_and(|(whole, part)| is_integer(whole) && is_integer(part))
        && !micros.contains('\t')
}

/// The scenario of a capture, which only its file name gives:
/// `latency-fullhs-tls13-server-<thread>-latency.tsv`, in which three words matter. Folders are
/// ignored.
pub(crate) fn scenario(path: &Path) -> Result<Arc<Scenario>, String> {
    let file = file_name(path);
    let words = file.to_lowercase();
    let words: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let mut found = Vec::new();
    // Pairs of words, of which it has one, and what is in labels for them.
    for [first, of_first, other, of_other] in [
        ["fullhs", "full", "resume", "resumed"],
        ["tls12", "1.2", "tls13", "1.3"],
        ["client", "client", "server", "server"],
    ] {
        found.push(match (words.contains(&first), words.contains(&other)) {
            (true, false) => of_first,
            (false, true) => of_other,
            _ => return Err(format!(
                "the name of a latency file must say what was measured, as `latency-fullhs-tls13-server-1-latency.tsv` does; {} needs one of `{first}` and `{other}`",
                quote(&file)
            )),
        });
    }
    let [kind, version, side] = [0, 1, 2].map(|at| found[at]);
    name::scenario(&format!("latency of {kind} handshakes, {version}, {side}"))
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

pub(super) fn read(mut reader: impl Read, out: &mut Collector) {
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
        filled += read;
        let end = memrchr(b'\n', &text[..filled]).map_or(0, |at| at + 1);
        let mut lines = &text[..end];
        while !lines.is_empty() {
            let (read, below) = match usual(lines) {
                Some((nanos, below)) => (Ok(nanos), below),
                None => {
                    let end = memchr(b'\n', lines).map_or(lines.len(), |at| at + 1);
                    (nanos(&lines[..end]), &lines[end..])
                }
            };
            match read {
                Ok(0) if left_out == 0 => (left_out, first_left_out) = (1, out.line),
                Ok(0) => left_out += 1,
                Ok(nanos) => values.record(nanos),
                Err(message) => out.problem(message),
            }
            out.line = out.line.saturating_add(1);
            lines = below;
        }
        text.copy_within(end..filled, 0);
        filled -= end;
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

/// The nanoseconds of the first line, if it is as both tools print it, with ten digits of seconds and
/// eight decimals, and the lines below: `1795253337.51890898<TAB>1024.24621582`.
#[inline(always)]
fn usual(lines: &[u8]) -> Option<(u64, &[u8])> {
    let (seconds, rest) = lines.split_first_chunk::<20>()?;
    let digits = seconds.iter().filter(|byte| byte.is_ascii_digit()).count();
    let (whole, places) = number(rest.first_chunk()?);
    let [b'.', rest @ ..] = &rest[places..] else {
        return None;
    };
    let (fraction, decimals) = number(rest.first_chunk()?);
    let [b'\n', below @ ..] = &rest[8..] else {
        return None;
    };
    let nanos = whole * 1000 + (fraction + 50_000) / 100_000;
    let is_usual = digits == 18 && [seconds[10], seconds[19]] == *b".\t" && decimals == 8;
    (is_usual && places > 0 && nanos > 0).then_some((nanos, below))
}

/// The number that eight bytes start with, and its digits.
#[inline(always)]
fn number(bytes: &[u8; 8]) -> (u64, usize) {
    let (mut number, mut count) = (0, 0);
    while count < 8 && bytes[count].is_ascii_digit() {
        number = number * 10 + u64::from(bytes[count] - b'0');
        count += 1;
    }
    (number, count)
}

/// The nanoseconds of any line, at least 1; 0 for a value that is zero or negative.
fn nanos(line: &[u8]) -> Result<u64, String> {
    let line = String::from_utf8_lossy(line);
    let line = line.trim_end();
    let wrong = || cite("expected `unix_seconds<TAB>microseconds`, got", line);
    let groups = LATENCY.groups(line).filter(|_| line.len() <= LINE);
    let [_, sign, micros] = groups.ok_or_else(wrong)?;
    let micros: f64 = micros.parse().map_err(|_| wrong())?;
    match (micros * 1000.0).round() as u64 {
        _ if sign == "-" || micros == 0.0 => Ok(0),
        nanos if nanos > MAX_NANOS => Err(cite("no handshake takes over an hour:", line) + " µs"),
        nanos => Ok(nanos.max(1)),
    }
}

/// Seconds since 1970, and a time.
static LATENCY: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^\u{feff}?\d+(?:\.\d+)?\t(-?)(\d+(?:\.\d+)?)$"));

#[cfg(test)]
mod tests;
