//! Throughput of reading latency captures from memory, in bytes per second.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use generator::parse::latency;
use std::fmt::Write;
use std::io::Cursor;

const ROWS: u64 = 2_000_000;

/// A capture with a distribution like that of handshakes: most values near the minimum, a few ten
/// times as long. `digits` is the number of decimals, of which the tools print eight.
fn capture(digits: usize) -> String {
    let mut text = String::new();
    let mut state: u64 = 1;
    for row in 0..ROWS {
        // Knuth's MMIX generator, with a fixed seed.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let uniform = (state >> 11) as f64 / (1_u64 << 53) as f64;
        let micros = 150.0 - 60.0 * (1.0 - uniform).ln();
        let seconds = 1_795_253_337.0 + row as f64 * 2e-4;
        writeln!(text, "{seconds:.digits$}\t{micros:.digits$}").expect("a string takes everything");
    }
    text
}

/// Eight decimals are the usual format.
#[divan::bench(args = [8, 6], sample_count = 20)]
fn decimals(bencher: Bencher<'_, '_>, digits: usize) {
    let text = capture(digits);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let parsed = latency::stream("fullhs-tls13-server", Cursor::new(black_box(&text)));
        assert_eq!(parsed.map(|parsed| parsed.observations.len()), Ok(1));
    });
}
