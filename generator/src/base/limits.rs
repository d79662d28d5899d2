//! Limits on the size of inputs. Each is far above what benchmarks produce, and low enough that
//! larger inputs are refused within a second and 64 MiB of memory.

/// Bytes of a file held in memory, which is any but a latency capture and a tidy table.
pub(crate) const FILE: usize = 8 * 1024 * 1024;

/// Bytes of a tidy table: a million rows of a report's `data.csv` have some 200 MB.
pub(crate) const TABLE: usize = 256 * 1024 * 1024;

/// Bytes of a file that is no figures: `report.toml`, with 500 implementations, `notes.md`, a long
/// article, `run.toml`, a site's configuration, and a list of generated files.
pub(crate) const TEXT: usize = 256 * 1024;

/// Bytes of a line. The longest that any tool prints is under 1 KiB, for 80 threads. JSON, which is
/// on one line, and histograms are exempt.
pub(crate) const LINE: usize = 64 * 1024;

/// Bytes of a benchmark's, an implementation's or a machine's name: it becomes a heading, an
/// address and a legend.
pub(crate) const NAME: usize = 256;

/// Figures of a file: 30 runs of 50 builds and 40 scenarios have 60,000, and `data.js` of [`FILE`]
/// bytes some 200,000 of thousands of commits.
pub(crate) const FIGURES: usize = 250_000;

/// Rows of a tidy table.
pub(crate) const ROWS: usize = 1_000_000;

/// Bins of a file's histograms up to the last one that is not empty, which decoding visits,
/// whatever their size on disk: 5,000 intervals with times of up to 8 ms.
pub(crate) const BINS: usize = 1 << 26;

/// Files of a folder: 30 runs of 12 suites of 50 builds have 18,000.
pub(crate) const FILES: usize = 50_000;

/// Scenarios, implementations, and the product of both, of a report: the rows, columns and cells of
/// its tables. Of the commits of a branch, only those count that pages show.
pub(crate) const SCENARIOS: usize = 10_000;
pub(crate) const IMPLEMENTATIONS: usize = 500;
pub(crate) const CELLS: usize = 250_000;

/// Bytes of all patterns of a file times those of all texts that they are matched with: a second
/// for the worst of them. 50 patterns of 30 characters may filter 1,000 scenarios.
pub(crate) const MATCHES: usize = 100_000_000;

/// Groups of a pattern, each of which takes memory for each of its characters. Three have a name.
pub(crate) const GROUPS: usize = 10;

/// Bytes of a file times the copies that counted repetitions in patterns of `[[read]]` make: patterns
/// with dates read a file of 8 MB, and `(a|b)*a(a|b){60}`, which is looked for at each byte 60 times
/// at once, one of 1 MB.
pub(crate) const READS: usize = 64_000_000;

/// Rows of the tables that `notes.md` shows, or of all comparisons; a graph counts as 100.
pub(crate) const RESULT: usize = 10_000;

/// Returns the message that an input has more; `what` is a plural, such as `figures`.
pub(crate) fn exceeded(limit: usize, what: &str) -> String {
    format!("more than {limit} {what}")
}
