//! Parses one line, with a fast path for the exact format that the tools print. Both paths give the
//! same nanoseconds.

use crate::parse::cite::cite;
use crate::parse::number::number;

/// An hour, longer than any handshake: a missing decimal point turns milliseconds into hours.
const MAX_NANOS: u64 = 3_600_000_000_000;

/// Parses a line as both tools print it, with ten digits of seconds and eight decimals:
/// `1795253337.51890898\t1024.24621582`. Returns nanoseconds and the length including `\n`; `None`
/// for other lines and zero.
#[inline]
pub(super) fn parse_fast(text: &[u8]) -> Option<(u64, usize)> {
    let seconds: &[u8; 20] = text.first_chunk()?;
    let start = u64::from_le_bytes(*text[20..].first_chunk()?);
    // The highest bit of each byte that is a point; one above it may be wrong.
    let points = start ^ each(b'.');
    let points = points.wrapping_sub(each(1)) & !points & each(0x80);
    let point = points.trailing_zeros() as usize / 8;
    if !(1..8).contains(&point) {
        return None;
    }
    let fraction: &[u8; 10] = text[20 + point..].first_chunk()?;
    let is_usual = digits(eight(&seconds[..8])).is_some()
        && seconds[8..10].iter().all(u8::is_ascii_digit)
        && seconds[10] == b'.'
        && digits(eight(&seconds[11..19])).is_some()
        && seconds[19] == b'\t'
        && fraction[9] == b'\n';
    // With zeros before it.
    let whole = digits(start << (64 - 8 * point) | each(b'0') >> (8 * point))?;
    let nanos = whole * 1000 + (digits(eight(&fraction[1..9]))? / 10_000 + 5) / 10;
    (is_usual && nanos > 0).then_some((nanos, 20 + point + 10))
}

/// Eight bytes, the first of which is the lowest.
#[inline]
fn eight(text: &[u8]) -> u64 {
    text.iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The byte in all eight places.
const fn each(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The number of eight digits, whose pairs, fours and eight are summed at once.
#[inline]
fn digits(word: u64) -> Option<u64> {
    let values = word.wrapping_sub(each(b'0'));
    // Neither a byte below `0`, nor one above `9`.
    if (values | values.wrapping_add(each(0x76))) & each(0x80) != 0 {
        return None;
    }
    let pairs = (values * 10 + (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours * 10_000 + (fours >> 32)) & 0xffff_ffff)
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
