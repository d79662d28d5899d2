//! Distributions in HdrHistogram's V2 encoding, which tools in many languages read:
//! <https://github.com/HdrHistogram/HdrHistogram>.

use super::{Distribution, bin_at, bin_of};
use crate::base::limits::{BINS, FILE, exceeded};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use std::io::Read;

/// Magic numbers of the plain and of the compressed encoding, with the usual word size.
pub(crate) const PLAIN: [u8; 4] = 0x1c84_9313_u32.to_be_bytes();
const COMPRESSED: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();

/// Bytes of the plain header: cookie, payload length, offset, digits, low, high, ratio.
const HEADER: usize = 40;

/// Limit on the values of a histogram: a day in nanoseconds.
const DAY: u64 = 86_400_000_000_000;
const OVER_A_DAY: &str = "the histogram has a value of more than a day";

/// Above so many doublings of the width, also the least value of a bin is more than a day.
const MAX_DOUBLINGS: u64 = DAY.ilog2() as u64 + 1;

/// Limit on the number of values: more than any capture has, and few enough for sums over millions
/// of histograms not to overflow.
const MAX_VALUES: u64 = 1 << 40;

/// What the histograms of a file may still take.
#[derive(Debug)]
pub struct Budget {
    /// To decompress.
    bytes: usize,
    bins: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: FILE,
            bins: BINS,
        }
    }
}

impl Distribution {
    /// Encodes the histogram in nanoseconds, compressed, in base64. Minimum and maximum are only as
    /// precise as other values.
    pub fn encode(&self) -> String {
        let mut payload = Vec::new();
        let mut next = 0;
        for (bin, count) in self.bins() {
            // A negative count stands for so many empty bins.
            if bin > next {
                put(-((bin - next) as i64), &mut payload);
            }
            put(count as i64, &mut payload);
            next = bin + 1;
        }
        let mut plain = PLAIN.to_vec();
        plain.extend((payload.len() as u32).to_be_bytes());
        // No offset, three digits, values from 1 ns to the maximum, which is at least 2.
        for word in [0, 3, 0, 1_u32] {
            plain.extend(word.to_be_bytes());
        }
        plain.extend(self.max.max(2).to_be_bytes());
        plain.extend(1.0_f64.to_be_bytes());
        plain.extend(payload);
        let mut packed = Vec::new();
        let mut packer = ZlibEncoder::new(&plain[..], Compression::default());
        packer.read_to_end(&mut packed).expect("read from memory");
        let length = (packed.len() as u32).to_be_bytes();
        STANDARD.encode([&COMPRESSED[..], &length, &packed].concat())
    }

    /// Decodes a histogram in nanoseconds, compressed or not. `budget` is reduced by what it takes.
    /// Memory is bounded for any input.
    ///
    /// # Errors
    /// If the text is not a valid histogram or exceeds a limit.
    pub fn decode(text: &str, budget: &mut Budget) -> Result<Self, String> {
        let bytes = STANDARD
            .decode(text)
            .map_err(|e| format!("the histogram is not in base 64: {e}"))?;
        let plain = plain(&bytes, budget)?;
        let (mut payload, digits, unit) = payload(&plain)?;
        let mut distribution = Self::default();
        let (mut bin, mut values) = (0_usize, 0_u64);
        while !payload.is_empty() {
            let count = take(&mut payload).ok_or("the histogram is truncated")?;
            if count <= 0 {
                bin = bin.saturating_add((count.unsigned_abs() as usize).max(1));
                continue;
            }
            let doublings = (bin >> digits) as u64 + u64::from(unit);
            // Before the shifts, which would overflow.
            if doublings > MAX_DOUBLINGS {
                return Err(OVER_A_DAY.to_owned());
            }
            let (lowest, width) = bin_at(bin, digits);
            let (lowest, width) = (lowest << unit, width << unit);
            if lowest + (width - 1) > DAY {
                return Err(OVER_A_DAY.to_owned());
            }
            values = values.saturating_add(count.unsigned_abs());
            if values > MAX_VALUES {
                return Err(format!("the histogram has more than {MAX_VALUES} values"));
            }
            distribution.record_n(lowest + width / 2, count.unsigned_abs());
            bin += 1;
        }
        if values == 0 {
            return Err("the histogram is empty".to_owned());
        }
        let left = budget.bins.checked_sub(distribution.counts.len());
        budget.bins = left.ok_or_else(|| exceeded(BINS, "bins of histograms"))?;
        Ok(distribution)
    }

    /// Sets the exact maximum in nanoseconds, if `nanos` is in the histogram's last bin.
    pub fn sharpen_max(&mut self, nanos: u64) {
        if self.max > 0 && bin_of(nanos.max(1)) == bin_of(self.max) {
            self.max = nanos;
            self.not_min = self.not_min.max(!nanos);
        }
    }

    /// The maximum in nanoseconds; 0 if empty.
    pub fn max_nanos(&self) -> u64 {
        self.max
    }
}

/// Decompresses the encoding if necessary.
fn plain(bytes: &[u8], budget: &mut Budget) -> Result<Vec<u8>, String> {
    let Some(packed) = bytes.strip_prefix(&COMPRESSED) else {
        return Ok(bytes.to_vec());
    };
    let packed = packed.get(4..).ok_or("the histogram is truncated")?;
    let mut plain = Vec::new();
    ZlibDecoder::new(packed)
        .take(budget.bytes as u64 + 1)
        .read_to_end(&mut plain)
        .map_err(|e| format!("the histogram cannot be unpacked: {e}"))?;
    let is_bomb = plain.len() > budget.bytes;
    budget.bytes = budget.bytes.saturating_sub(plain.len());
    match is_bomb {
        true => Err(exceeded(FILE, "bytes of unpacked histograms")),
        false => Ok(plain),
    }
}

/// Returns the payload, the binary digits of the bins' widths, and those of the unit.
fn payload(plain: &[u8]) -> Result<(&[u8], u32, u32), String> {
    if !plain.starts_with(&PLAIN) {
        return Err("not an HDR histogram of version 2".to_owned());
    }
    let Some((header, payload)) = plain.split_first_chunk::<HEADER>() else {
        return Err("the histogram is truncated".to_owned());
    };
    let word = |at: usize| {
        let bytes = header[at..at + 4].iter();
        bytes.fold(0, |word, b| word << 8 | u64::from(*b))
    };
    let (length, offset, digits, low) = (word(4), word(8), word(12), word(16) << 32 | word(20));
    if length as usize != payload.len() {
        return Err("the histogram is truncated, or has trailing data".to_owned());
    }
    if digits > 5 {
        return Err(format!("a histogram has up to five digits, not {digits}"));
    }
    if offset != 0 || !(1..=DAY).contains(&low) {
        return Err(format!(
            "expected a histogram without offset, from 1 ns, got offset {offset} and {low} ns"
        ));
    }
    // Single values up to twice the number of this many decimal digits.
    let exact = (2 * 10_u64.pow(digits as u32)).next_power_of_two();
    Ok((payload, exact.ilog2() - 1, low.ilog2()))
}

/// Takes a count off the payload: LEB128 in at most nine bytes, zigzag. `None` if it is truncated.
fn take(payload: &mut &[u8]) -> Option<i64> {
    let mut zigzag = 0;
    for at in 0..9 {
        let byte = u64::from(*payload.split_off_first()?);
        if at == 8 || byte < 0x80 {
            zigzag |= byte << (7 * at);
            break;
        }
        zigzag |= (byte & 0x7f) << (7 * at);
    }
    Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
}

/// Adds a count, which takes fewer than nine bytes, to the payload.
fn put(count: i64, payload: &mut Vec<u8>) {
    let mut zigzag = (count << 1 ^ count >> 63) as u64;
    while zigzag >= 0x80 {
        payload.push(zigzag as u8 | 0x80);
        zigzag >>= 7;
    }
    payload.push(zigzag as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]
        #[test]
        fn round_trip(values in prop::collection::vec(1..50_000_000_000_u64, 1..200)) {
            let mut before = Distribution::default();
            values.iter().for_each(|v| before.record(*v));
            let mut after = Distribution::decode(&before.encode(), &mut Budget::default()).expect("what was written");
            after.sharpen_max(before.max_nanos());
            prop_assert_eq!(after.count(), before.count());
            prop_assert_eq!(after.max(), before.max());
            for p in [0.1, 0.5, 0.9] {
                let (a, b) = (after.quantile(p).expect("one"), before.quantile(p).expect("one"));
                prop_assert!((a / b - 1.0).abs() < 0.001, "{} {} {}", p, a, b);
            }
        }
    }

    proptest! {
        // Each unit and precision several times: theirs has up to millions of counts to go through.
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn matches_hdrhistogram(
            values in prop::collection::vec((1..DAY / 4, 1..1_000_000_u64), 1..50),
            digits in 0..=5_u8,
            unit in prop::sample::select(vec![1, 2, 1000, 1024]),
        ) {
            let mut theirs = Histogram::<u64>::new_with_bounds(unit, DAY, digits).expect("bounds");
            let mut ours = Distribution::default();
            for (value, times) in values {
                theirs.record_n(value, times).expect("within bounds");
                ours.record_n(value, times);
            }
            let mut bytes = Vec::new();
            V2DeflateSerializer::new().serialize(&theirs, &mut bytes).expect("in memory");
            let read = Distribution::decode(&STANDARD.encode(bytes), &mut Budget::default());
            let mut expected = Distribution::default();
            for bin in theirs.iter_recorded() {
                let middle = theirs.median_equivalent(bin.value_iterated_to());
                expected.record_n(middle, bin.count_at_value());
            }
            prop_assert_eq!(read.expect("a histogram"), expected);
            let bytes = STANDARD.decode(ours.encode()).expect("base 64");
            let read = Deserializer::new().deserialize::<u64, _>(&mut &bytes[..]).expect("ours");
            let counts = read.iter_recorded().map(|bin| {
                (bin_of(bin.value_iterated_to()), bin.count_at_value())
            });
            prop_assert!(counts.eq(ours.bins()));
        }
    }

    #[test]
    fn a_day_can_be_read_again() {
        let mut day = Distribution::default();
        day.record(DAY - DAY / 1000);
        let read = Distribution::decode(&day.encode(), &mut Budget::default()).expect("a day");
        assert_eq!(read.count(), 1);
    }

    #[test]
    fn invalid_histograms_are_refused() {
        let header = |digits: u32, high: u64, payload: u32| {
            let mut bytes = PLAIN.to_vec();
            bytes.extend(payload.to_be_bytes());
            bytes.extend(0_u32.to_be_bytes());
            bytes.extend(digits.to_be_bytes());
            bytes.extend(1_u64.to_be_bytes());
            bytes.extend(high.to_be_bytes());
            bytes.extend(1.0_f64.to_be_bytes());
            bytes
        };
        let encoded = |bytes: Vec<u8>| STANDARD.encode(bytes);
        let counts = |digits: u32, counts: &[i64]| {
            let mut payload = Vec::new();
            counts.iter().for_each(|count| put(*count, &mut payload));
            let header = header(digits, 1000, payload.len() as u32);
            encoded([header, payload].concat())
        };
        for (text, part) in [
            ("%", "base 64"),
            ("AAAA", "version 2"),
            ("HISTFA==", "is truncated"),
            (&encoded(header(6, 1000, 0)), "up to five digits, not 6"),
            (&counts(5, &[-5_000_000, 1]), "more than a day"),
            (&counts(0, &[-100, 1]), "more than a day"),
            (&encoded(header(3, 1000, u32::MAX)), "is truncated"),
            (&encoded(header(3, 1000, 0)), "is empty"),
            (&counts(3, &[1, 1 << 41]), "values"),
            (&counts(3, &[0, -7]), "is empty"),
            (
                &encoded([header(3, 1000, 9), vec![0xff; 9]].concat()),
                "is empty",
            ),
            (
                &encoded([header(3, 1000, 1), vec![0xff]].concat()),
                "is truncated",
            ),
        ] {
            let error = Distribution::decode(text, &mut Budget::default()).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_bomb_is_refused() {
        use std::io::Write;
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&vec![0; 5 << 20]).expect("in memory");
        let mut bytes = COMPRESSED.to_vec();
        let packed = packed.finish().expect("in memory");
        bytes.extend((packed.len() as u32).to_be_bytes());
        bytes.extend(packed);
        // The first leaves too little for the second.
        let (text, mut budget) = (STANDARD.encode(bytes), Budget::default());
        for part in ["version 2", "bytes of unpacked histograms"] {
            let error = Distribution::decode(&text, &mut budget).expect_err("a bomb");
            assert!(error.contains(part), "{error}");
        }
    }
}
