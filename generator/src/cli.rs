//! The command line, as clap reads it. Doc comments are the help text.

use crate::run::processors::Pin;
use crate::run::suite::Suite;
use crate::slug::slug;
use crate::stats::Estimator;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// Turn benchmark output of TLS libraries into the pages of a website.
///
/// Exit codes: 0: success; 1: stale pages (--check), a regression (--fail-on-regression) or no
/// change to be found (`bisect`); 2: wrong usage; 3: bad input; 4: the system or a child process
/// failed; 130 and 143: `run` or `bisect` was stopped by Ctrl-C or SIGTERM.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colour; `auto` obeys NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    /// Print only results and errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Multiply every limit on the size of inputs by this number.
    #[arg(long, global = true, value_name = "FACTOR", default_value_t = 1, hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limits: u32,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate the pages of a website from recorded data.
    #[command(after_help = "Examples:\n  \
        generator ingest data/                         all reports below data/, into this site\n  \
        generator ingest data/ --check                 exit with 1 if a page is stale\n  \
        generator ingest data/ --watch                 run again whenever a file changes\n  \
        generator ingest outputs/ --site ~/website     a plain folder of output files, into another site")]
    Ingest(Ingest),
    /// Make the pages of a published site anew from its own downloads, and say what differs.
    ///
    /// Each report offers the files that it is made from. Checked are the text, links, graphs and
    /// downloads of all pages that the generator wrote, and their sentences with figures on other
    /// pages. Not checked: what else templates and hand-written pages say, and whether the files
    /// offered are what a machine printed. Use the version of the generator that the pages name.
    ///
    /// Exit codes: 0: all agree; 1: something differs; 2: DIR is no such site; 4: DIR cannot be read.
    #[command(after_help = "Examples:\n  \
        generator verify public/                       the site that `generator build` made\n  \
        wget --mirror --no-parent https://example.org/tls/ && generator verify example.org/tls/")]
    Verify(Verify),
    /// Print medians and spreads of benchmark output.
    #[command(after_help = "Examples:\n  \
        generator show output_1\n  \
        generator show results/ -f 'handshakes, 1.3' --format markdown\n  \
        rustls-bench bulk TLS13_AES_256_GCM_SHA384 | generator show -")]
    Show(Show),
    /// Compare two sets of benchmark output, scenario by scenario.
    ///
    /// A row is faster, slower, less or more if the difference is significant by a Mann-Whitney U
    /// test (p ≤ ALPHA after the Benjamini-Hochberg correction over the table) and at least
    /// THRESHOLD; otherwise it shows `~`. The test needs 4 runs per side; use 10 or more.
    /// Scenarios are paired if all of their fields are equal, implementations by name and variant.
    #[command(after_help = "Examples:\n  \
        generator compare openssl_3.2.0_gcc/ rustls_0.22.0_aws-lc_gcc/\n  \
        generator compare old.txt new.txt -F unbuffered --format csv\n  \
        generator compare 2026-03-07-x86_64:OpenSSL 2026-03-07-x86_64:rustls\n  \
        generator compare main=monday/ main=tuesday/ patch=wednesday/ --only-changed\n  \
        generator compare before/ after/ --format markdown > comment.md\n  \
        generator compare before/ after/ --fail-on-regression 5    exit with 1 if a row is 5% worse")]
    Compare(Compare),
    /// Write every observation of all reports as one table, for DuckDB, Spark and others.
    ///
    /// A row is one figure of one run; each field of its scenario has a column. Reports are read one
    /// after the other, so that memory does not grow with their number. If a report cannot be read, the
    /// command goes on reading to tell all problems, but writes no more rows, and fails.
    #[command(after_help = "Examples:\n  \
        generator export data/ --out observations.csv\n  \
        generator export data/ ~/other/data/ --format json | jq 'map(.value) | length'")]
    Export(Export),
    /// Print a latency capture as one line of an HdrHistogram interval log.
    ///
    /// What follows `#[Histogram log format version 1.3]` in an `.hlog` file; `ingest` merges the lines
    /// of a scenario. Captures of any size are read in a few MiB of memory.
    #[command(after_help = "Example:\n  \
        ssh host cat latency-fullhs-tls13-server-1-latency.tsv | generator histogram -")]
    Histogram(Histogram),
    /// Measure TLS libraries, and leave a report's folder.
    ///
    /// Builds each implementation from crates.io, runs all of them in turns in a random order that
    /// is recorded, and keeps what finished: the same command continues after an interruption, and
    /// one with more runs, suites or implementations extends what is there.
    #[command(after_help = "Examples:\n  \
        generator run --list                                  what can be measured\n  \
        generator run rustls@0.23.43 openssl@system --out data/2026-11-30-x86_64\n  \
        generator run rustls rustls+ring boringssl --suite measure,pq --runs 15 --out data/new\n  \
        generator run rustls --suite all --dry-run --out data/new\n  \
        generator run rustls openssl --until 1% --max-runs 100 --out data/new\n  \
        generator run --check                                 what is wrong with this machine\n  \
        generator run 'openssl@1.1.1..' 'rustls@0.21..0.23' --out data/releases\n  \
        generator run rustls@git:../rustls#main rustls@path:../rustls --out /tmp/before-and-after\n  \
        generator run rustls openssl --newest 5 --dry-run --out data/new      which those are, and when they came out\n  \
        generator run rustls openssl -f 'handshakes, 1.3' --runs 2 --multiplier 0.05 --out /tmp/try")]
    Run(Run),
    /// Find the release or the commit at which a scenario changed.
    ///
    /// Measures both ends in turns until they differ, then halves what lies between: each step
    /// takes turns with both ends until it is shown to be as the one or as the other. Every test has
    /// its share of a total level of 5 %, by Bonferroni, so that a search errs no more often.
    /// The neighbours at last are measured by themselves. What was measured is a report.
    ///
    /// Exit codes: 0: found; 1: no change can be shown; 2: wrong usage; 4: an end does not build,
    /// or a program failed.
    #[command(after_help = "Examples:\n  \
        generator bisect rustls@0.23.15..0.23.31 -f 'full handshakes, 1.3, rsa, client' --out data/search\n  \
        generator bisect 'rustls@git:../rustls#v/0.23.30..main' -f 'transfer, 1.3.*sending' --out /tmp/search\n  \
        generator bisect 'openssl@3.0..4.0' -f 'resumed handshakes, 1.3, ticket, server' --dry-run --out /tmp/search")]
    Bisect(Bisect),
    /// Create a whole website for reports of your own: configuration, templates, an example, and
    /// the workflow that publishes it.
    ///
    /// No file is written over.
    #[command(after_help = "Examples:\n  \
        generator init website --title 'My parser, measured' --repo owner/name\n  \
        generator init --into ~/website         style and workflows for a Zola site with templates of its own")]
    Init(Init),
    /// Create the folder of a new report, with a report.toml to fill in.
    #[command(after_help = "Example:\n  generator new 2026-11-30-x86_64")]
    New(New),
    /// Build the website with Zola.
    #[command(after_help = "Examples:\n  generator build\n  \
        generator build --base-url https://example.org/perf-site --output-dir out")]
    Build(Build),
    /// Serve the website on this machine with Zola, and reload on changes.
    #[command(after_help = "Example:\n  generator serve --port 8080")]
    Serve(Serve),
    /// Print the path of the Zola that `build` and `serve` run.
    #[command(after_help = "Example:\n  $(generator zola) check --skip-external-links")]
    Zola,
    /// Print a completion script for a shell.
    #[command(
        after_help = "Example:\n  generator completions bash > ~/.local/share/bash-completion/completions/generator"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Example:\n  generator man | man -l -")]
    Man,
}

#[derive(Args, Debug)]
pub(crate) struct Ingest {
    /// Folders of reports, single reports, or plain folders of output files.
    #[arg(required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The Zola site to write into.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) site: PathBuf,
    /// Where the pages stand below the site's content folder: `docs/perf`, say.
    #[arg(long, value_name = "PATH", default_value = "perf", value_parser = section)]
    pub(crate) section: String,
    /// Write nothing; exit with 1 if pages are stale.
    #[arg(long, conflicts_with = "watch")]
    pub(crate) check: bool,
    /// Keep running, and generate again whenever a file changes.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Draw no social cards.
    #[arg(long)]
    pub(crate) no_cards: bool,
    /// Remove the pages of reports whose data are gone.
    #[arg(long)]
    pub(crate) prune: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Export {
    /// Folders of reports, single reports, or plain folders of output files.
    #[arg(required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub(crate) format: DataFormat,
    /// The file to write, whole or not at all [default: standard output, where the rows of the
    /// reports before a bad one stand already when it ends with 3].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Histogram {
    /// A capture, seconds and microseconds with a tab between them; `-` reads standard input.
    pub(crate) capture: PathBuf,
    /// The label to tag the line with [default: no tag; then the log's name says what was measured].
    #[arg(long, value_name = "LABEL")]
    pub(crate) scenario: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataFormat {
    /// RFC 4180, full precision.
    Csv,
    /// An array of objects, one on each line.
    Json,
}

/// The path of a section, whose name is its address whatever the site's rules for slugs are.
fn section(path: &str) -> Result<String, String> {
    let folders = path.strip_suffix('/').unwrap_or(path);
    let is_plain = |folder: &str| !folder.is_empty() && slug(folder) == folder;
    match folders.split('/').all(is_plain) {
        true => Ok(folders.to_owned()),
        false => Err(
            "name a folder below content/, such as perf or docs/perf, in lower-case letters, digits and hyphens"
                .to_owned(),
        ),
    }
}

#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The website's folder, as Zola built it or as it was downloaded.
    #[arg(value_name = "DIR")]
    pub(crate) site: PathBuf,
}

/// Which scenarios to print or measure.
#[derive(Args, Debug)]
pub(crate) struct Filter {
    /// Include only scenarios whose label matches this regular expression.
    #[arg(short, long, value_name = "REGEX")]
    filter: Option<regex_lite::Regex>,
    /// Exclude scenarios whose label matches this regular expression.
    #[arg(short = 'F', long, value_name = "REGEX")]
    filter_not: Option<regex_lite::Regex>,
}

impl Filter {
    /// True for scenarios that are asked for.
    pub(crate) fn wants(&self, label: &str) -> bool {
        self.filter.as_ref().is_none_or(|f| f.is_match(label))
            && self.filter_not.as_ref().is_none_or(|f| !f.is_match(label))
    }
}

/// Which results to print, and how.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) filter: Filter,
    /// The statistic that summarises several runs.
    #[arg(short, long, value_name = "NAME", default_value = "median")]
    pub(crate) estimator: Estimator,
}

#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Files or folders in any known format; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
pub(crate) struct Compare {
    // The help shows brackets as they are, so they cannot be escaped.
    #[allow(rustdoc::broken_intra_doc_links)]
    /// The baseline, [LABEL=]PATH[:IMPLEMENTATION]: a file or folder in any known format, a
    /// report's folder or its name below data/; `-` reads standard input.
    pub(crate) old: PathBuf,
    /// The candidates, in the same form. Paths with the same label are one side with all their runs.
    #[arg(required = true)]
    pub(crate) new: Vec<PathBuf>,
    /// Label, or path as given, of the side to compare the others with.
    #[arg(long, value_name = "LABEL")]
    pub(crate) baseline: Option<String>,
    /// Significance level: the largest corrected p of a change.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = probability)]
    pub(crate) alpha: f64,
    /// Ignore changes smaller than this.
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    pub(crate) threshold: f64,
    /// Print only rows with a significant change. The others still count in the correction.
    #[arg(long)]
    pub(crate) only_changed: bool,
    /// Order of the rows [default: that of the files].
    #[arg(long, value_name = "BY")]
    pub(crate) sort: Option<Sort>,
    /// Exit with 1 if a scenario is significantly worse than the baseline by more than this. Rows
    /// with too few runs for a test pass, with a note on standard error.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) fail_on_regression: Option<f64>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// By label.
    Name,
    /// The largest change first.
    Change,
    /// The smallest p first.
    P,
}

#[derive(Args, Debug)]
pub(crate) struct Run {
    // The help shows brackets as they are, so they cannot be escaped.
    #[allow(rustdoc::broken_intra_doc_links)]
    /// What to measure: `rustls`, `rustls@0.23.43`, `rustls@0.23.43+ring`, `rustls@0.21..0.23`, `openssl@system`.
    ///
    /// WHICH is a release, `system`, or a range. Between two series, as in `0.21..0.23`,
    /// `openssl@1.1.1..4.0` or `0.22..`, a range is the newest release of each; if an end is a
    /// release, as in `0.23.15..0.23.31`, it is every release from there to there. A series alone,
    /// `rustls@0.23`, is its newest release. Yanked releases and pre-releases are left out unless
    /// an end names them; what no runner measures is told.
    ///
    /// `path:DIR` is sources as they are in a folder, `git:REPOSITORY#REVISION` those of a branch,
    /// tag or commit of a local or remote repository. They are copied, and built in the copy.
    ///
    /// The default allocator is that of the reference tool: jemalloc for rustls, the system's for
    /// the others.
    #[arg(
        required_unless_present_any = ["list", "check"],
        value_name = "IMPLEMENTATION[@WHICH][+VARIANT…]"
    )]
    pub(crate) implementations: Vec<String>,
    /// Measure only the newest N releases of each range, and of each implementation that is named
    /// alone.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) newest: Option<usize>,
    /// The report's folder; results that are there already are kept and continued.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "check"])]
    pub(crate) out: Option<PathBuf>,
    /// How often to measure everything, each time in new processes [default: 30; with --until at
    /// least 6; of counts 3, and of footprint 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9999))]
    pub(crate) runs: Option<u32>,
    /// Add runs until the 95% interval of every figure reaches no further than this to either side.
    #[arg(long, value_name = "PERCENT", value_parser = precision)]
    pub(crate) until: Option<f64>,
    /// With --until, end after this many runs in any case.
    #[arg(long, value_name = "N", requires = "until", default_value_t = 200, value_parser = clap::value_parser!(u32).range(6..=9999))]
    pub(crate) max_runs: u32,
    /// Print what makes figures noisy on this machine and how to mend it, and measure nothing.
    /// Exits with 1 if there is anything.
    #[arg(long)]
    pub(crate) check: bool,
    /// Measure the first implementation twice in each run, to show by how much one program differs
    /// from itself.
    #[arg(long, value_name = "WHEN", default_value = "auto", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) control: Control,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
    /// Keep the time of each handshake too, in a hidden folder of the report's.
    #[arg(long)]
    pub(crate) keep_latencies: bool,
    /// Keep how many instructions each function takes, of `--suite counts`, so that `compare` and
    /// pages tell which functions account for a change. Takes twice as long.
    #[arg(long)]
    pub(crate) profile: bool,
    /// Print what can be measured.
    #[arg(long)]
    pub(crate) list: bool,
}

impl Run {
    /// How many of so many runs a suite takes part in.
    pub(crate) fn runs_of(&self, suite: Suite, runs: u32) -> u32 {
        match self.runs {
            None => runs.min(suite.enough_runs()),
            Some(_) => runs,
        }
    }

    /// Runs to measure before any interval is looked at.
    pub(crate) fn first_runs(&self) -> u32 {
        // Six are the fewest with an interval of the median.
        let default = if self.until.is_some() { 6 } else { 30 };
        self.runs.unwrap_or(default)
    }
}

#[derive(Args, Debug)]
pub(crate) struct Bisect {
    /// What to search: `rustls@0.23.15..0.23.31`, `openssl@3.0..4.0`, `rustls@git:../rustls#v/0.23.15..main+ring`.
    ///
    /// Two releases mean every release between, two series the newest of each, two commits every
    /// commit between by first parents. What does not build is passed over.
    #[arg(value_name = "IMPLEMENTATION@A..B[+VARIANT…]")]
    pub(crate) range: String,
    /// The report's folder; results that are there already are kept, and an interrupted search goes on.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// After this many runs of a step without a difference, nothing is shown.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(10..=9999))]
    pub(crate) max_runs: u32,
    /// The smallest change of the ends to look for.
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent)]
    pub(crate) threshold: f64,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

/// How `run` and `bisect` measure.
#[derive(Args, Debug)]
pub(crate) struct Measuring {
    /// Lists of scenarios; several with commas between them.
    #[arg(
        long,
        value_name = "SUITE",
        default_value = "measure",
        value_delimiter = ','
    )]
    pub(crate) suite: Vec<Suite>,
    #[command(flatten)]
    pub(crate) filter: Filter,
    /// Scale the work of each scenario.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) multiplier: f64,
    /// Seed for the run order [default: random, or the folder's].
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u32>,
    /// Print the plan, and build and measure nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Bind each process to one processor, and one with several threads to as many: to these, such
    /// as 2,4-7, or to the last ones that are neither isolated nor forbidden.
    #[arg(long, value_name = "CPUS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) pin: Option<Pin>,
    /// Kill a process after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 1800.0, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) timeout: f64,
    /// The folder of the measuring programs.
    #[arg(long, value_name = "DIR")]
    pub(crate) runners: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The website's folder, which is made if it is not there.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The website's title.
    #[arg(long, default_value = "Performance", value_parser = title, conflicts_with = "into")]
    pub(crate) title: String,
    /// The repository on GitHub whose Pages will publish it: gives its address, and links to its data.
    #[arg(long, value_name = "OWNER/NAME", conflicts_with = "into")]
    pub(crate) repo: Option<Repository>,
    /// Add only what a Zola site with templates of its own lacks.
    #[arg(long)]
    pub(crate) into: bool,
}

/// A repository on GitHub.
#[derive(Clone, Debug)]
pub(crate) struct Repository {
    pub(crate) owner: String,
    pub(crate) name: String,
}

impl FromStr for Repository {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (owner, name) = text.split_once('/').unwrap_or_default();
        let is_plain = |word: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            word.chars().all(plain) && word.contains(|c: char| c.is_ascii_alphanumeric())
        };
        let repository = || Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
        };
        let is_both = is_plain(owner) && is_plain(name);
        is_both.then(repository).ok_or("expected owner/name")
    }
}

#[derive(Args, Debug)]
pub(crate) struct New {
    /// The report's name, such as its date and machine.
    pub(crate) name: String,
    /// The folder that holds all reports.
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub(crate) data: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Build {
    /// URL that the site will be served from [default: base_url of config.toml].
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Where to write the website.
    #[arg(long, value_name = "DIR", default_value = "public")]
    pub(crate) output_dir: PathBuf,
    /// The Zola site.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) site: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The port to listen on.
    #[arg(long, default_value_t = 1111)]
    pub(crate) port: u16,
    /// The address to listen on.
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) interface: String,
    /// The Zola site.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) site: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Control {
    /// From 6 runs.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people.
    Text,
    /// A Markdown table.
    Markdown,
    /// RFC 4180, full precision.
    Csv,
    /// An array of objects.
    Json,
}

fn title(text: &str) -> Result<String, &'static str> {
    let is_text = !text.trim().is_empty() && !text.contains(char::is_control);
    is_text
        .then(|| text.trim().to_owned())
        .ok_or("expected a line of text")
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if 0.0 < number && number <= 1e6 => Ok(number),
        _ => Err("expected a positive number, at most a million".to_owned()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("expected a whole number of 1 or more".to_owned()),
    }
}

/// A probability that a test can be held to.
fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if 0.0 < value && value < 1.0 => Ok(value),
        Ok(_) => Err("not between 0 and 1".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// `1%`, as a share; none is as narrow as 0.
fn precision(text: &str) -> Result<f64, String> {
    match percent(text)? {
        percent if percent > 0.0 => Ok(percent / 100.0),
        _ => Err("not a percentage above 0".to_owned()),
    }
}

/// `5` or `5%`.
fn percent(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        Ok(_) => Err("not a percentage of 0 or more".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
