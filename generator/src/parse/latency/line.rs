//! Parses one line, with a fast path for the exact format that the tools print. Both paths give the
//! same nanoseconds.

use crate::parse::collector::quote;
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
    let two = memchr::memchr(b'\t', line).map(|tab| (&line[..tab], &line[tab + 1..]));
    let Some((seconds, micros)) = two.filter(|(_, micros)| !micros.contains(&b'\t')) else {
        let message = "expected `unix_seconds<TAB>microseconds`, got";
        return Err(format!("{message} {}", shown(line)));
    };
    if !is_time_of_day(seconds) {
        return Err(format!(
            "expected seconds since 1970, got {}",
            shown(seconds)
        ));
    }
    let Some(nanos) = nanos(micros)? else {
        return Ok(None);
    };
    if nanos > MAX_NANOS {
        return Err(format!(
            "no handshake takes over an hour: {} µs",
            shown(micros)
        ));
    }
    Ok(Some(nanos))
}

/// Whether a field is digits, with or without a fraction.
pub(super) fn is_time_of_day(field: &[u8]) -> bool {
    decimal(field).is_some()
}

/// Parses microseconds to nanoseconds, at least 1 if positive. Values over an hour may be inexact.
fn nanos(field: &[u8]) -> Result<Option<u64>, String> {
    let positive = field.strip_prefix(b"-").unwrap_or(field);
    let (nanos, zero) = if let Some((whole, fraction)) = decimal(positive) {
        let zero = positive.iter().all(|byte| matches!(byte, b'0' | b'.'));
        (thousandfold(whole, fraction), zero)
    } else if positive.ends_with(b".") {
        return Err(format!("a number that may be truncated: {}", shown(field)));
    } else {
        let error =
            |_| number(&String::from_utf8_lossy(field)).map_or_else(|e| e, |_| shown(field));
        let micros = number(&String::from_utf8_lossy(positive)).map_err(error)?;
        ((micros * 1000.0).round() as u64, false)
    };
    let left_out = zero || positive.len() < field.len();
    Ok((!left_out).then_some(nanos.max(1)))
}

/// Splits a field into the digits before and after the point; both are required if there is one.
fn decimal(field: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    match field.iter().position(|byte| *byte == b'.') {
        None => digits(field).then_some((field, &[])),
        Some(at) => {
            let (whole, fraction) = (&field[..at], &field[at + 1..]);
            (digits(whole) && digits(fraction)).then_some((whole, fraction))
        }
    }
}

/// A decimal number times a thousand, rounded half up and saturating.
fn thousandfold(whole: &[u8], fraction: &[u8]) -> u64 {
    let digit = |at: usize| fraction.get(at).map_or(0, |byte| u64::from(byte - b'0'));
    let mut sum: u64 = 0;
    for byte in whole {
        sum = sum
            .saturating_mul(10)
            .saturating_add(u64::from(byte - b'0'));
    }
    let thousandths = digit(0) * 100 + digit(1) * 10 + digit(2) + u64::from(digit(3) >= 5);
    sum.saturating_mul(1000).saturating_add(thousandths)
}

/// Quotes text of the file for a message.
pub(super) fn shown(bytes: &[u8]) -> String {
    // A message shows 80 characters of at most 4 bytes each.
    quote(&String::from_utf8_lossy(&bytes[..bytes.len().min(400)]))
}
