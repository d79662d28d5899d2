//! The arguments of `show` and `compare`.

use super::values::percent;
use crate::cli::grid::OutputFormat;
use crate::cli::pivot::Dimension;
use crate::cli::splice::Target;
use crate::report::Declared;
use crate::stats::Rules;
use clap::Args;
use std::path::PathBuf;

/// Which scenarios to print or measure.
#[derive(Args, Debug)]
pub(crate) struct Filter {
    /// Include only scenarios whose label matches this regular expression.
    #[arg(short, long, value_name = "REGEX")]
    filter: Option<regex::Regex>,
    /// Exclude scenarios whose label matches this regular expression.
    #[arg(short = 'F', long, value_name = "REGEX")]
    filter_not: Option<regex::Regex>,
}

impl Filter {
    /// Whether a scenario with this label is wanted.
    pub(crate) fn wants(&self, label: &str) -> bool {
        self.filter.as_ref().is_none_or(|f| f.is_match(label))
            && self.filter_not.as_ref().is_none_or(|f| !f.is_match(label))
    }
}

/// Which results to print, and how.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) filter: Filter,
    /// Put the output, as Markdown, between the lines `<!-- benchmarks start -->` and
    /// `<!-- benchmarks end -->` of a file; of FILE#NAME, between those with `benchmarks:NAME`.
    #[arg(long, value_name = "FILE[#NAME]", conflicts_with = "format")]
    pub(crate) splice: Option<Target>,
    /// Write nothing, and exit with 1 if the file is stale.
    #[arg(long, requires = "splice")]
    pub(crate) check: bool,
}

impl Output {
    /// Returns the format to write in.
    pub(crate) fn format(&self) -> OutputFormat {
        match self.splice {
            None => self.format,
            Some(_) => OutputFormat::Markdown,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Files or folders in any known format; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) declared: Declared,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) layout: Layout,
}

/// A table with rows and columns of one's choice.
#[derive(Args, Debug)]
#[command(next_help_heading = "Table")]
pub(crate) struct Layout {
    /// What the rows are: library, scenario, side, version, or a part of the scenario's name, as a
    /// regular expression.
    #[arg(long, value_name = "WHAT", requires = "columns")]
    pub(crate) rows: Option<Dimension>,
    /// What the columns are. The figures are those of all builds; the best of a scenario is bold.
    #[arg(long, value_name = "WHAT", requires = "rows")]
    pub(crate) columns: Option<Dimension>,
    /// Compare with this implementation instead of the best.
    #[arg(long, value_name = "NAME", requires = "rows")]
    pub(crate) baseline: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Compare {
    // Help shows brackets verbatim, so they cannot be escaped.
    #[allow(rustdoc::broken_intra_doc_links)]
    /// The baseline, [LABEL=]PATH[:IMPLEMENTATION]: a file or folder in any known format, such as a
    /// report's folder, or a baseline of criterion as target/criterion:BASELINE; `-` reads standard
    /// input.
    pub(crate) old: PathBuf,
    /// The candidates, in the same form. Paths with the same label are one side with all their
    /// runs.
    #[arg(required = true)]
    pub(crate) new: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) declared: Declared,
    /// Ignore changes smaller than this.
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent, help_heading = "Test")]
    pub(crate) threshold: f64,
    /// Exit with 1 if a scenario is significantly worse (p ≤ 0.01) than the baseline by more than
    /// this. A figure in a unit of another tool counts as worse if it changes. Rows with too few runs for a
    /// test pass, with a note on standard error.
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Test")]
    pub(crate) fail_on_regression: Option<f64>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// The largest corrected p of a change where one fails: of a hundred pull requests that change
/// nothing, about one may be called a change.
const GATE_ALPHA: f64 = 0.01;

impl Compare {
    /// Returns what makes a difference a change.
    pub(crate) fn rules(&self) -> Rules {
        let rules = Rules::default();
        Rules {
            alpha: self.fail_on_regression.map_or(rules.alpha, |_| GATE_ALPHA),
            threshold: self.threshold / 100.0,
        }
    }
}
