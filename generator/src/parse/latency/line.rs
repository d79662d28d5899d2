//! Parses one line, with a fast path for the exact format that the tools print. Both paths give the
//! same nanoseconds.

use crate::parse::collector::cite;
use crate::parse::number::number;

/// An hour, longer than any handshake: a missing decimal point turns milliseconds into hours.
const MAX_NANOS: u64 = 3_600_000_000_000;

/// Parses a line as both tools print it, with ten digits of seconds and eight decimals:
/// `1795253337.51890898\t1024.24621582`. Returns nanoseconds and the length including `\n`; `None`
/// for other lines and zero.
#[inline]
pub(super) fn parse_fast(text: &[u8]) -> Option<(u64, usize)> {
    let seconds: &[u8; 20] = text.first_chunk()?;
    let micros = &text[20..];
    let point = micros.iter().take(8).position(|byte| *byte == b'.')?;
    let (whole, rest) = micros.split_at(point);
    let fraction: &[u8; 10] = rest.first_chunk()?;
    let is_usual = digits(&seconds[..10]).is_some()
        && seconds[10] == b'.'
        && digits(&seconds[11..19]).is_some()
        && seconds[19] == b'\t'
        && fraction[9] == b'\n';
    let nanos = digits(whole)? * 1000 + (digits(&fraction[1..9])? / 10_000 + 5) / 10;
    (is_usual && point > 0 && nanos > 0).then_some((nanos, 20 + point + 10))
}

/// The number of up to 19 digits.
#[inline]
fn digits(text: &[u8]) -> Option<u64> {
    let digit = |byte: &u8| byte.wrapping_sub(b'0');
    let is_number = text
        .iter()
        .fold(true, |good, byte| good & (digit(byte) < 10));
    let number = text.iter().fold(0, |number: u64, byte| {
        number.wrapping_mul(10).wrapping_add(u64::from(digit(byte)))
    });
    is_number.then_some(number)
}

/// Parses the nanoseconds of any line, without its `\n`; `None` for a value that is zero or
/// negative.
pub(super) fn parse_any(line: &[u8]) -> Result<Option<u64>, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let tab = memchr::memchr(b'\t', line);
    let two = tab.map(|at| (&line[..at], &line[at + 1..]));
    match two.filter(|(_, micros)| !micros.contains(&b'\t')) {
        None => wrong("expected `unix_seconds<TAB>microseconds`, got", line),
        Some((seconds, _)) if decimal(seconds).is_none() => {
            wrong("expected seconds since 1970, got", seconds)
        }
        Some((_, micros)) => match nanos(micros)? {
            Some(nanos) if nanos > MAX_NANOS => {
                wrong("no handshake takes over an hour:", micros).map_err(|error| error + " µs")
            }
            nanos => Ok(nanos),
        },
    }
}

fn wrong<T>(message: &str, text: &[u8]) -> Result<T, String> {
    Err(cite(message, &String::from_utf8_lossy(text)))
}

/// Parses microseconds to nanoseconds, at least 1 if positive. Values over an hour may be inexact.
fn nanos(field: &[u8]) -> Result<Option<u64>, String> {
    let positive = field.strip_prefix(b"-").unwrap_or(field);
    let nanos = if let Some((whole, fraction)) = decimal(positive) {
        let decimals = fraction.iter().chain(std::iter::repeat(&b'0')).take(4);
        let tenths = whole.iter().chain(decimals).fold(0, |tenths: u64, digit| {
            let tenfold = tenths.saturating_mul(10);
            tenfold.saturating_add(u64::from(digit - b'0'))
        });
        tenths / 10 + u64::from(tenths % 10 >= 5)
    } else if positive.ends_with(b".") {
        return wrong("a number that may be truncated:", field);
    } else {
        let read = |field: &[u8]| number(&String::from_utf8_lossy(field));
        let micros = read(positive).map_err(|error| read(field).err().unwrap_or(error))?;
        (micros * 1000.0).round() as u64
    };
    let is_zero = positive.iter().all(|byte| matches!(byte, b'0' | b'.'));
    let is_left_out = is_zero || positive.len() < field.len();
    Ok((!is_left_out).then_some(nanos.max(1)))
}

/// Splits a field into the digits before and after the point; both are required if there is one.
pub(super) fn decimal(field: &[u8]) -> Option<(&[u8], &[u8])> {
    let point = field.iter().position(|byte| *byte == b'.');
    let (whole, fraction) = field.split_at(point.unwrap_or(field.len()));
    let fraction = fraction.strip_prefix(b".").unwrap_or(fraction);
    let is_number = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    let is_there = !whole.is_empty() && fraction.is_empty() == point.is_none();
    (is_there && is_number(whole) && is_number(fraction)).then_some((whole, fraction))
}
