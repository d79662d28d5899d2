//! The arguments of `run`.

use super::Filter;
use super::values::{folder, positive};
use crate::measure::suite::Suite;
use clap::builder::{NonEmptyStringValueParser, RangedU64ValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The number of runs, unless the command line or a suite says another.
const DEFAULT_RUNS: u32 = 15;

/// Headings in the help.
const RUNS: &str = "Runs";
const TLS: &str = "TLS libraries";

#[derive(Args, Debug)]
pub(crate) struct Run {
    // Help shows brackets verbatim, so they cannot be escaped.
    #[allow(rustdoc::broken_intra_doc_links)]
    /// With --command, where to run it: `[NAME=]path:DIR` or `[NAME=]git:REPOSITORY#REVISION`; else
    /// TLS libraries: `rustls`, `rustls@0.23.43+ring`, `rustls@0.21..0.23`, `openssl@system`.
    ///
    /// WHICH is a release, `system`, or a range. Between two series, as in `0.21..0.23`,
    /// `openssl@1.1.1..4.0` or `0.22..`, a range is the newest release of each; if an end is a
    /// release, as in `0.23.15..0.23.31`, it is every release between them. A series alone,
    /// `rustls@0.23`, is its newest release. Yanked releases and pre-releases are left out unless
    /// an end names them; releases that no runner can measure are reported.
    ///
    /// `path:DIR` means the sources in a folder, `git:REPOSITORY#REVISION` those of a branch, tag or
    /// commit of a local or remote repository. They are built in a copy.
    ///
    /// The default allocator is that of the reference tool: jemalloc for rustls, the system's for
    /// the others.
    #[arg(
        required_unless_present_any = ["list", "check"],
        value_name = "IMPLEMENTATION[@WHICH][+VARIANT…]"
    )]
    pub(crate) implementations: Vec<String>,
    /// Run this command in folders and revisions.
    ///
    /// bash runs it in the folder itself, or in a clone at the revision, first once uncounted, then
    /// in turns. It either writes results of criterion or prints one of the formats that `show`
    /// reads.
    #[arg(long, value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new(), conflicts_with_all = [
        "newest", "check", "control", "suite", "multiplier", "dry_run", "list",
    ])]
    pub(crate) command: Option<String>,
    /// Measure only the newest N releases of each range, and of each implementation named without
    /// WHICH.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..), help_heading = TLS, hide_short_help = true)]
    pub(crate) newest: Option<usize>,
    /// The report's folder; existing results are kept and continued.
    #[arg(long, value_name = "DIR", value_parser = folder(), required_unless_present_any = ["list", "check"])]
    pub(crate) out: Option<PathBuf>,
    /// How often to measure everything, each time in new processes [default: 15; for counts 3, and for
    /// footprint 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9999), help_heading = RUNS)]
    pub(crate) runs: Option<u32>,
    /// Print what makes figures noisy on this machine and how to fix it, and measure nothing.
    /// Exit with 1 if anything does.
    #[arg(long, help_heading = "Instead of measuring")]
    pub(crate) check: bool,
    /// Measure the first implementation twice in each run, to show how much two measurements of one
    /// program differ.
    #[arg(long, value_name = "WHEN", default_value = "auto", num_args = 0..=1, require_equals = true, default_missing_value = "always", help_heading = TLS, hide_short_help = true)]
    pub(crate) control: Control,
    /// Lists of scenarios, separated by commas.
    #[arg(
        long,
        value_name = "SUITE",
        default_value = "measure",
        value_delimiter = ',',
        help_heading = TLS
    )]
    pub(crate) suite: Vec<Suite>,
    #[command(flatten, next_help_heading = "Scenarios")]
    pub(crate) filter: Filter,
    /// Scale the time of each scenario, which is 0.42 s for each program and run.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true, help_heading = TLS, hide_short_help = true)]
    pub(crate) multiplier: f64,
    /// Seed for the run order [default: random, or the folder's].
    #[arg(long, value_name = "N", help_heading = RUNS, hide_short_help = true)]
    pub(crate) seed: Option<u32>,
    /// Print the plan, and build and measure nothing.
    #[arg(long, help_heading = "Instead of measuring")]
    pub(crate) dry_run: bool,
    /// Kill a process that gives no answer for this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 1800.0, value_parser = positive, allow_negative_numbers = true, help_heading = RUNS, hide_short_help = true)]
    pub(crate) timeout: f64,
    /// Print which TLS libraries can be measured.
    #[arg(long, help_heading = "Instead of measuring")]
    pub(crate) list: bool,
}

impl Run {
    /// Returns the number of runs, of a suite or of a command.
    pub(crate) fn runs_of(&self, suite: Option<Suite>) -> u32 {
        let most = suite.map_or(DEFAULT_RUNS, Suite::most_default_runs);
        self.runs.unwrap_or(DEFAULT_RUNS.min(most))
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Control {
    /// With 6 runs or more.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
