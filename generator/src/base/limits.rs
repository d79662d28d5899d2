//! Limits on the size of inputs. Each is far above what benchmarks produce, and low enough that
//! larger inputs are refused within a second and 64 MiB of memory.

/// Bytes of a file held in memory, which is any but a latency capture. Enough for 100,000 tidy rows.
pub(crate) const FILE: usize = 8 * 1024 * 1024;

/// Bytes of `report.toml`: enough for 500 implementations.
pub(crate) const MANIFEST: usize = 256 * 1024;

/// Bytes of `run.toml`, of a site's configuration, and of a list of generated files.
pub(crate) const TEXT: usize = 1024 * 1024;

/// Bytes of `notes.md`, a long article. Markdown can take time that grows with the square of its length.
pub(crate) const NOTES: usize = 128 * 1024;

/// Calls such as `{{ graph() }}` in `notes.md`.
pub(crate) const CALLS: usize = 50;

/// Graphs that `notes.md` shows, and rows of its generated tables, or of those of all comparisons.
pub(crate) const GRAPHS: usize = 100;
pub(crate) const ROWS: usize = 10_000;

/// Bytes of a file in the site where one of ours belongs: four times the largest archive of inputs.
pub(crate) const GENERATED: usize = 128 * 1024 * 1024;

/// Values in `report.toml`: 500 implementations of 10 keys, and as many others.
pub(crate) const VALUES: usize = 10_000;

/// Prepared comparisons of a report, and its headlines: each is a table or a gauge of the page.
pub(crate) const COMPARISONS: usize = 100;
pub(crate) const HEADLINES: usize = 50;

/// Bytes of a compiled pattern, some 20 for each character that it can match, and at most for each
/// character of the pattern itself: `(a?){1000}` is short, but takes as long as a thousand.
pub(crate) const PATTERN: usize = 64 * 1024;
pub(crate) const COMPILED: usize = 100;

/// Bytes of all patterns of a file times those of all texts that they are matched with: a second for
/// the worst of them. 50 patterns of 30 characters may filter 1,000 scenarios.
pub(crate) const MATCHES: usize = 100_000_000;

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

/// Bins of a file's histograms up to the last one that is not empty, which decoding visits, whatever
/// their size on disk: 5,000 intervals with times of up to 8 ms.
pub(crate) const BINS: usize = 1 << 26;

/// Figures of a file: 30 runs of 50 builds and 40 scenarios have 60,000.
pub(crate) const FIGURES: usize = 100_000;

/// Files of a folder: 30 runs of 12 suites of 50 builds have 18,000.
pub(crate) const FILES: usize = 50_000;

/// Scenarios of a report: a table has a row for each.
pub(crate) const SCENARIOS: usize = 10_000;

/// Implementations of a report: a table has a column for each.
pub(crate) const IMPLEMENTATIONS: usize = 500;

/// Scenarios times implementations of a report: the cells of its tables.
pub(crate) const CELLS: usize = 100_000;

/// Returns the message that an input has more; `what` is a plural, such as `figures`.
pub(crate) fn exceeded(limit: usize, what: &str) -> String {
    format!("more than {limit} {what}")
}
