//! Distributions in HdrHistogram's V2 encoding, which tools in many languages read:
//! <https://github.com/HdrHistogram/HdrHistogram>.

use super::{Distribution, bin_of, lowest_of};
use crate::base::limits::{BINS, FILE, exceeded};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use std::io::Read;

/// Magic numbers of the plain and of the compressed encoding, with the usual word size.
pub(crate) const PLAIN: [u8; 4] = 0x1c84_9313_u32.to_be_bytes();
const COMPRESSED: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();

/// Bytes of the plain header: cookie, payload length, offset, digits, low, high, ratio.
const HEADER: usize = 40;

/// Limit on the values of a histogram: a day in nanoseconds.
const DAY: u64 = 86_400_000_000_000;

/// Limit on a histogram's highest trackable value: a day, rounded up as a growing histogram does.
/// With the maximum of five digits, this bounds its memory to 32 MiB.
const MAX_TRACKABLE: u64 = DAY.next_power_of_two();

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
        let mut histogram = Histogram::<u64>::new(3).expect("three digits are possible");
        for (bin, count) in self.bins() {
            // Any value of a bin would do.
            let recorded = histogram.record_n(lowest_of(bin), count);
            recorded.expect("a resizable histogram accepts every value");
        }
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(&histogram, &mut bytes)
            .expect("a histogram of under 2^31 bins is written to memory");
        STANDARD.encode(bytes)
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
        check(&plain)?;
        let histogram = Deserializer::new()
            .deserialize::<u64, _>(&mut plain.as_slice())
            .map_err(|e| format!("not an HDR histogram: {e}"))?;
        // The last bins may hold more than the header's highest value.
        let highest = histogram.highest_equivalent(histogram.max());
        if highest > DAY {
            return Err(format!(
                "the histogram has a value of {highest} ns, which is more than a day"
            ));
        }
        let last = bin_of(histogram.median_equivalent(histogram.max()));
        let left = budget.bins.checked_sub(last.max(bins(&histogram)));
        budget.bins = left.ok_or_else(|| exceeded(BINS, "bins of histograms"))?;
        let mut distribution = Self::default();
        // All bins at once: growing bin by bin would copy them many times.
        distribution.grow(last);
        let mut values = 0_u64;
        for bin in histogram.iter_recorded() {
            values = values.saturating_add(bin.count_at_value());
            if values > MAX_VALUES {
                return Err(format!("the histogram has more than {MAX_VALUES} values"));
            }
            let middle = histogram.median_equivalent(bin.value_iterated_to());
            distribution.record_n(middle, bin.count_at_value());
        }
        if values == 0 {
            return Err("the histogram is empty".to_owned());
        }
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

/// The number of bins up to that of the maximum, at least.
fn bins(histogram: &Histogram<u64>) -> usize {
    let digits = u32::from(histogram.sigfig());
    let of_width = 10_usize.pow(digits).next_power_of_two();
    let doublings = (histogram.max() as usize / of_width).checked_ilog2();
    of_width * doublings.map_or(1, |n| n as usize + 2)
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

/// The count of `i64::MIN` as hdrhistogram encodes it. Its deserializer negates it (7.6.0), which
/// panics with overflow checks. No valid count is as long.
const LOWEST_COUNT: [u8; 9] = [0xff; 9];

/// Checks the header, since the deserializer allocates by it before reading the payload.
fn check(plain: &[u8]) -> Result<(), String> {
    if !plain.starts_with(&PLAIN) {
        return Err("not an HDR histogram of version 2".to_owned());
    }
    let Some(header) = plain.first_chunk::<HEADER>() else {
        return Err("the histogram is truncated".to_owned());
    };
    let word = |at: usize| {
        header[at..at + 4]
            .iter()
            .fold(0, |word, b| word << 8 | u64::from(*b))
    };
    let (payload, digits, high) = (word(4), word(12), word(24) << 32 | word(28));
    if payload as usize != plain.len() - HEADER {
        return Err("the histogram is truncated, or has trailing data".to_owned());
    }
    if digits > 5 {
        return Err(format!("a histogram has up to five digits, not {digits}"));
    }
    if high > MAX_TRACKABLE {
        return Err(format!(
            "the histogram has room for {high} ns, which is more than a day"
        ));
    }
    if plain[HEADER..]
        .windows(9)
        .any(|bytes| bytes == LOWEST_COUNT)
    {
        return Err(format!("the histogram has more than {MAX_VALUES} values"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
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
        for (text, part) in [
            ("%", "base 64"),
            ("AAAA", "version 2"),
            ("HISTFA==", "is truncated"),
            (&encoded(header(6, 1000, 0)), "up to five digits, not 6"),
            (&encoded(header(3, u64::MAX, 0)), "more than a day"),
            (&encoded(header(3, 1000, u32::MAX)), "is truncated"),
            (&encoded(header(3, 1000, 0)), "is empty"),
            (
                &encoded([header(3, 1000, 9), vec![0xff; 9]].concat()),
                "values",
            ),
        ] {
            let error = Distribution::decode(text, &mut Budget::default()).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_bomb_is_refused() {
        use std::io::Write;
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
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
