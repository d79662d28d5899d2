//! Parses one line, with a fast path for the exact format that the tools print. Both paths give the
//! same nanoseconds.

use crate::parse::collector::quote;
use crate::parse::number::number;

/// An hour, longer than any handshake: a missing decimal point turns milliseconds into hours.
const MAX_NANOS: u64 = 3_600_000_000_000;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;
const ZEROS: u64 = b'0' as u64 * ONES;
/// Added to bytes, sets the high bit of those above 9 only.
const ABOVE_9: u64 = (0x7f - 9) * ONES;
/// Added to a byte, sets its high bit unless it is 0.
const ABOVE_0: u64 = 0x7f;

/// `dddddddddd.dddddddd<TAB>`
const SECONDS: usize = 20;
/// Decimals of both fields: all tools print with `%.8f`.
const FRACTION: usize = 8;
/// Maximum digits before the point of the microseconds, so that they fit in a word with it.
const MAX_DIGITS: usize = 7;
const MAX_SIMPLE_LINE: usize = SECONDS + MAX_DIGITS + 1 + FRACTION + 1;

/// Parses a line like `1795253337.51890898\t1024.24621582`, with 1 to 7 digits before the second
/// point. Returns nanoseconds and the length including `\n`; `None` for other formats and zero.
#[inline]
pub(super) fn parse_fast(text: &[u8]) -> Option<(u64, usize)> {
    let line: &[u8; MAX_SIMPLE_LINE] = text.first_chunk()?;
    let micros = word(line, SECONDS);
    let digits = points(micros).trailing_zeros() as usize / 8;
    if !(1..=MAX_DIGITS).contains(&digits) {
        return None;
    }
    // Shifted so that the last digit is in the last byte, after zeros.
    let whole = (micros ^ ZEROS) << (64 - 8 * digits);
    let fraction = word(line, SECONDS + digits + 1) ^ ZEROS;
    let end = SECONDS + digits + 1 + FRACTION;
    let wrong = wrong_seconds(line) | above_9(whole) | above_9(fraction);
    if wrong & HIGH_BITS != 0 || line[end] != b'\n' {
        return None;
    }
    // The fourth digit of the fraction rounds to whole nanoseconds.
    let nanos = eight_digits(whole) * 1000 + (eight_digits(fraction) / 10_000 + 5) / 10;
    (nanos > 0).then_some((nanos, end + 1))
}

#[inline]
fn word(line: &[u8; MAX_SIMPLE_LINE], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&line[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// Sets the high bit of the first byte that is a point; bits of later bytes are meaningless.
#[inline]
fn points(word: u64) -> u64 {
    let zero = word ^ (u64::from(b'.') * ONES);
    zero.wrapping_sub(ONES) & !zero & HIGH_BITS
}

/// Has a high bit if any byte is above 9. A sum carries into the next byte only from a byte whose
/// own high bit is set.
#[inline]
fn above_9(word: u64) -> u64 {
    word.wrapping_add(ABOVE_9) | word
}

/// Has a high bit unless the line starts with ten digits, a point, eight digits and a tab.
#[inline]
fn wrong_seconds(line: &[u8; MAX_SIMPLE_LINE]) -> u64 {
    const fn with(byte: u64, at: u32, other: u64) -> u64 {
        ((byte * ONES) & !(0xff << (8 * at))) | (other << (8 * at))
    }
    const POINT: u64 = with(b'0' as u64, 2, b'.' as u64);
    const TAB: u64 = with(b'0' as u64, 7, b'\t' as u64);
    let start = word(line, 0) ^ ZEROS;
    let point = word(line, 8) ^ POINT;
    let tab = word(line, 12) ^ TAB;
    above_9(start)
        | point.wrapping_add(with(0x7f - 9, 2, ABOVE_0))
        | point
        | tab.wrapping_add(with(0x7f - 9, 7, ABOVE_0))
        | tab
}

/// Combines eight digits, bytes from 0 to 9 with the first in the lowest byte, into a number: first
/// in pairs, then all four pairs.
#[inline]
fn eight_digits(word: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    const UPPER: u64 = 100 + (1_000_000 << 32);
    const LOWER: u64 = 1 + (10_000 << 32);
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8);
    let upper = (pairs & PAIRS).wrapping_mul(UPPER);
    let lower = (pairs >> 16 & PAIRS).wrapping_mul(LOWER);
    upper.wrapping_add(lower) >> 32
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
