//! Limits on the size of inputs. Each is far above what benchmarks produce, and low enough that
//! larger inputs are refused within a second and 64 MiB of memory. `--limits` raises all of them.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum of something in an input.
#[derive(Debug)]
pub(crate) struct Limit(usize);

/// Bytes of a file held in memory, which is any but a latency capture. Enough for 100,000 tidy rows.
pub(crate) const FILE: Limit = Limit(8 * 1024 * 1024);

/// Bytes of `report.toml`, of `notes.md`, and of other files that people write.
pub(crate) const TEXT: Limit = Limit(1024 * 1024);

/// Bytes of a text in `report.toml`.
pub(crate) const WORDS: Limit = Limit(10_000);

/// Bytes of a line. The longest that any tool prints is under 1 KiB, for 80 threads. JSON, which is
/// on one line, is exempt.
pub(crate) const LINE: Limit = Limit(64 * 1024);

/// Bytes of a line of a histogram: one with five digits, of a capture that fills all of its bins.
pub(crate) const HISTOGRAM: Limit = Limit(1024 * 1024);

/// Histograms of a file, 112 to 264 KiB each: a run has 8.
pub(crate) const HISTOGRAMS: Limit = Limit(200);

/// Bytes of a benchmark's or implementation's name: it becomes a heading, an address and a legend.
pub(crate) const NAME: Limit = Limit(256);

/// Figures of a file: 30 runs of 50 builds and 40 scenarios have 60,000.
pub(crate) const FIGURES: Limit = Limit(100_000);

/// Files of a folder: 30 runs of 12 suites of 50 builds have 18,000.
pub(crate) const FILES: Limit = Limit(50_000);

/// Scenarios of a report: a table has a row for each.
pub(crate) const SCENARIOS: Limit = Limit(10_000);

/// Implementations of a report: a table has a column for each.
pub(crate) const IMPLEMENTATIONS: Limit = Limit(500);

static FACTOR: AtomicUsize = AtomicUsize::new(1);

/// Multiplies every limit.
pub(crate) fn raise(factor: usize) {
    FACTOR.store(factor, Ordering::Relaxed);
}

impl Limit {
    pub(crate) fn get(&self) -> usize {
        self.0.saturating_mul(FACTOR.load(Ordering::Relaxed))
    }

    /// Returns the message that an input has more; `what` is a plural, such as `figures`.
    pub(crate) fn exceeded(&self, what: &str) -> String {
        format!(
            "more than {} {what}; --limits raises this limit",
            self.get()
        )
    }
}
