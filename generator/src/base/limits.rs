//! Limits on the size of inputs. Each is far above what benchmarks produce, and low enough that
//! larger inputs are refused within a second and 64 MiB of memory.

/// Bytes of a file held in memory, which is any but a latency capture. Enough for 100,000 tidy rows.
pub(crate) const FILE: usize = 8 * 1024 * 1024;

/// Bytes of `report.toml`, of `notes.md`, and of other files that people write.
pub(crate) const TEXT: usize = 1024 * 1024;

/// Bytes of a text in `report.toml`.
pub(crate) const WORDS: usize = 10_000;

/// Bytes of a line. The longest that any tool prints is under 1 KiB, for 80 threads. JSON, which is
/// on one line, is exempt.
pub(crate) const LINE: usize = 64 * 1024;

/// Bytes of a line of a histogram: one with five digits, of a capture that fills all of its bins.
pub(crate) const HISTOGRAM: usize = 1024 * 1024;

/// Histograms of a file, 112 to 264 KiB each: a run has 8.
pub(crate) const HISTOGRAMS: usize = 200;

/// Bytes of a benchmark's or implementation's name: it becomes a heading, an address and a legend.
pub(crate) const NAME: usize = 256;

/// Figures of a file: 30 runs of 50 builds and 40 scenarios have 60,000.
pub(crate) const FIGURES: usize = 100_000;

/// Files of a folder: 30 runs of 12 suites of 50 builds have 18,000.
pub(crate) const FILES: usize = 50_000;

/// Scenarios of a report: a table has a row for each.
pub(crate) const SCENARIOS: usize = 10_000;

/// Implementations of a report: a table has a column for each.
pub(crate) const IMPLEMENTATIONS: usize = 500;

/// Returns the message that an input has more; `what` is a plural, such as `figures`.
pub(crate) fn exceeded(limit: usize, what: &str) -> String {
    format!("more than {limit} {what}")
}
