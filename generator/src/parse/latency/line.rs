//! Parses one line, with a fast path for the exact format that the tools print. Both paths give the
//! same nanoseconds.

use crate::parse::collector::cite;
use crate::parse::number::{is_integer, number};

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
    let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
    let two = line
        .split_once('\t')
        .filter(|(_, micros)| !micros.contains('\t'));
    let wrong = || cite("expected `unix_seconds<TAB>microseconds`, got", &line);
    let (seconds, micros) = two.ok_or_else(wrong)?;
    if decimal(seconds).is_none() {
        return Err(cite("expected seconds since 1970, got", seconds));
    }
    let nanos = nanos(micros)?;
    match nanos.is_some_and(|nanos| nanos > MAX_NANOS) {
        true => Err(cite("no handshake takes over an hour:", micros) + " µs"),
        false => Ok(nanos),
    }
}

/// Parses microseconds to nanoseconds, at least 1 if positive. Values over an hour may be inexact.
fn nanos(field: &str) -> Result<Option<u64>, String> {
    let positive = field.strip_prefix('-').unwrap_or(field);
    let nanos = if let Some((whole, fraction)) = decimal(positive) {
        let decimals = fraction.bytes().chain(std::iter::repeat(b'0')).take(4);
        let tenths = whole.bytes().chain(decimals).fold(0, |tenths: u64, digit| {
            let tenfold = tenths.saturating_mul(10);
            tenfold.saturating_add(u64::from(digit - b'0'))
        });
        tenths / 10 + u64::from(tenths % 10 >= 5)
    } else if positive.ends_with('.') {
        return Err(cite("a number that may be truncated:", field));
    } else {
        let micros = number(positive).map_err(|error| number(field).err().unwrap_or(error))?;
        (micros * 1000.0).round() as u64
    };
    let is_zero = positive.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let is_left_out = is_zero || positive.len() < field.len();
    Ok((!is_left_out).then_some(nanos.max(1)))
}

/// Splits a field into the digits before and after the point; both are required if there is one.
pub(super) fn decimal(field: &str) -> Option<(&str, &str)> {
    match field.split_once('.') {
        None => is_integer(field).then_some((field, "")),
        Some((whole, fraction)) => {
            (is_integer(whole) && is_integer(fraction)).then_some((whole, fraction))
        }
    }
}
