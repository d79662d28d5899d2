//! The command line, as clap reads it. Doc comments are the help text.

mod measure;
mod tables;
mod values;

pub(crate) use measure::{Control, Run};
pub(crate) use tables::{Compare, Filter, Layout, Output, Show};
pub(crate) use values::Repository;

use crate::report::Declared;
use clap::{Args, ColorChoice, Parser, Subcommand};
use std::path::PathBuf;
use values::{folder, section, title};

/// Turn benchmark output of TLS libraries into the pages of a website.
///
/// Exit codes: 0: success; 1: stale pages (--check) or a regression (--fail-on-regression);
/// 2: wrong usage; 3: bad input; 4: the system or a child process failed; 130 and 143: `run` was
/// stopped by Ctrl-C or SIGTERM.
#[derive(Debug, Parser)]
#[command(
    name = "generator",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    propagate_version = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colour; `auto` obeys NO_COLOR and CLICOLOR_FORCE.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Messages"
    )]
    pub(crate) color: ColorChoice,

    /// Print only results and errors.
    #[arg(short, long, global = true, help_heading = "Messages")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate the pages of a website from recorded data.
    #[command(after_help = "Examples:\n  \
        generator ingest                               all reports below data/, into this site\n  \
        generator ingest --check                       exit with 1 if a page is stale\n  \
        generator ingest outputs/ --site ~/website     a plain folder of output files, into another site")]
    Ingest(Ingest),
    /// Print medians and spreads of benchmark output.
    #[command(after_help = "Examples:\n  \
        generator show results/ -f 'handshakes, 1.3' --format markdown\n  \
        generator show results/ --rows library --columns scenario -f '^parse' --splice README.md\n  \
        rustls-bench bulk TLS13_AES_256_GCM_SHA384 | generator show -")]
    Show(Show),
    /// Compare two sets of benchmark output, scenario by scenario.
    ///
    /// A row is faster, slower, less or more if the difference is significant by a Mann-Whitney U
    /// test (p ≤ 0.05 after the Benjamini-Hochberg correction over the table, or 0.01 with
    /// --fail-on-regression) and at least THRESHOLD; otherwise it shows `~`. The test needs 4 runs
    /// per side; use 10 or more. TLS libraries that `run` measured in turns are compared in pairs of
    /// runs, from 6, by Wilcoxon's signed-rank test.
    /// Scenarios are paired if all of their fields are equal, implementations by name and variant.
    #[command(after_help = "Examples:\n  \
        generator compare openssl_3.2.0_gcc/ rustls_0.22.0_aws-lc_gcc/\n  \
        generator compare data/2026-03-07-x86_64:OpenSSL data/2026-03-07-x86_64:rustls\n  \
        generator compare main=monday/ main=tuesday/ patch=wednesday/\n  \
        generator compare before/ after/ --splice docs/performance.md#changes\n  \
        generator compare before/ after/ --fail-on-regression 5    exit with 1 if a row is 5% worse")]
    Compare(Compare),
    /// Measure any benchmark, or TLS libraries, in turns, and write a report's folder.
    ///
    /// Runs a command in several folders or revisions, or builds the libraries that are named, in
    /// turns in a recorded random order, and keeps finished results: the same command continues
    /// after an interruption, and one with more runs, suites or implementations extends the report.
    #[command(after_help = "Examples:\n  \
        generator run --command 'cargo bench' path:../old path:../new --runs 10 --out /tmp/bench\n  \
        generator run --check                                 what is wrong with this machine\n  \
        generator run --list                                  which TLS libraries can be measured\n  \
        generator run rustls@0.23.43 openssl@system --out data/2026-11-30-x86_64\n  \
        generator run 'openssl@1.1.1..' 'rustls@0.21..0.23' --out data/releases\n  \
        generator run rustls openssl --newest 5 --dry-run --out data/new      which releases these are, and their dates\n  \
        generator run rustls openssl -f 'handshakes, 1.3' --runs 2 --multiplier 0.05 --out /tmp/try")]
    Run(Run),
    /// Create a website for your own reports.
    ///
    /// It has a configuration, templates, an example report, and the workflow that publishes it.
    /// Existing files are not overwritten.
    #[command(after_help = "Examples:\n  \
        generator init website --title 'My parser, measured' --repo owner/name\n  \
        generator init --into .                 benchmarks of pull requests, for any repository\n  \
        generator init --into . --pages         also of each commit, published on GitHub Pages\n  \
        generator init --into ~/website         also style and workflows for a Zola site with its own templates")]
    Init(Init),
    /// Print a completion script for a shell.
    #[command(
        hide = true,
        after_help = "Example:\n  generator completions bash > ~/.local/share/bash-completion/completions/generator"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a manual page.
    #[command(
        hide = true,
        after_help = "Examples:\n  generator man | man -l -\n  generator man compare > generator-compare.1"
    )]
    Man {
        /// Command to describe [default: an overview of all].
        command: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Ingest {
    /// Folders of reports, single reports, or plain folders of output files.
    #[arg(default_value = "data")]
    pub(crate) data: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) declared: Declared,
    /// The Zola site to write into.
    #[arg(long, value_name = "DIR", default_value = ".", value_parser = folder())]
    pub(crate) site: PathBuf,
    /// Where to put the pages below the site's content folder, such as `docs/perf`.
    #[arg(long, value_name = "PATH", default_value = "perf", value_parser = section)]
    pub(crate) section: String,
    /// Write the reports and their list, and no pages over all reports.
    #[arg(long)]
    pub(crate) reports_only: bool,
    /// Write nothing; exit with 1 if pages are stale.
    #[arg(long, conflicts_with = "watch")]
    pub(crate) check: bool,
    /// Keep running, and regenerate whenever a file changes.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Remove the pages of reports whose data are gone.
    #[arg(long)]
    pub(crate) prune: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The website's folder, created if missing.
    #[arg(value_name = "DIR", value_parser = folder())]
    pub(crate) folder: PathBuf,
    /// The website's title.
    #[arg(long, default_value = "Performance", value_parser = title, conflicts_with = "into")]
    pub(crate) title: String,
    /// The GitHub repository whose Pages will publish it; sets its address and links to its data.
    #[arg(long, value_name = "OWNER/NAME|URL", conflicts_with = "into")]
    pub(crate) repo: Option<Repository>,
    /// Add only what an existing repository lacks: the workflows that compare pull requests, and to
    /// a Zola site also the style of the tables.
    #[arg(long)]
    pub(crate) into: bool,
    /// Add the workflow that measures each commit and publishes the history on GitHub Pages, in
    /// place of what they show now.
    #[arg(long, requires = "into")]
    pub(crate) pages: bool,
    /// Add the workflow that measures TLS libraries on several machines.
    #[arg(long)]
    pub(crate) tls: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn command_line_is_valid() {
        Cli::command().debug_assert();
    }
}
