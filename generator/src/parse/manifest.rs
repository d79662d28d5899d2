//! `report.toml`: metadata that the figures themselves lack.

use super::extra::Extra;
use super::reader::{self, At, TableReader};
use crate::base::day;
use crate::base::failure::Result;
use crate::base::limits::{self, exceeded};
use crate::model::estimator::Estimator;
use crate::model::implementation::Implementation;
use crate::model::machine;
use crate::model::scenario::Scenario;
use crate::parse;
use jiff::civil::Date;
use regex_lite::{Regex, RegexBuilder};
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;
use toml::de::DeValue;
use toml::value::Datetime;

/// The whole file. All keys are optional; unknown keys are errors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    /// Default: made of the implementations and the architecture.
    pub title: Option<String>,
    /// Default: the date that the folder's name starts with.
    pub date: Option<Date>,
    /// Reports of the same machine form a history.
    pub machine: Option<String>,
    /// `x86_64`, `arm64`; part of the default title.
    pub architecture: Option<String>,
    /// Folder of the report to compare with; empty for none.
    pub previous: Option<At<String>>,
    /// The scenarios with gauges on the front page.
    pub headline: Vec<At<Scenario>>,
    /// The implementation that the report is about; gauges have its needle.
    pub subject: Option<At<String>>,
    /// Estimator of all cells.
    pub estimator: Estimator,
    /// Whether all implementations were measured in turns in each run, so that runs are compared one
    /// by one.
    pub paired: bool,
    pub summary: Option<String>,
    /// Zola template of the page.
    pub template: Option<String>,
    /// Terms of the page by taxonomy.
    pub taxonomies: BTreeMap<String, Vec<String>>,
    /// The author's additions to the page's front matter.
    pub extra: Vec<(String, Extra)>,
    /// Where the figures were first published.
    pub source: Option<Source>,
    /// Properties of the machine, in order.
    pub system: Vec<(String, String)>,
    /// The implementations, in the order of columns.
    pub declarations: Vec<Declaration>,
    pub comparisons: Vec<PreparedComparison>,
}

/// The publication that figures are carried over from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Title of the article or repository.
    pub title: String,
    pub url: Option<String>,
    pub author: Option<String>,
    /// Runs behind each published figure.
    pub runs: Option<u32>,
    /// The estimate that was published.
    pub statistic: Option<Estimator>,
    /// Differences between the source and this page.
    pub notes: Vec<String>,
}

/// An `[[implementation]]`: where its figures are, and how it was built.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub implementation: Implementation,
    /// Glob patterns of its raw outputs, relative to the folder, as written and compiled.
    pub files: Vec<At<(String, Regex)>>,
    /// Day of publication of the release.
    pub released: Option<Date>,
    /// Link to the release.
    pub url: Option<String>,
    pub build: Option<String>,
    pub command: Option<String>,
    pub tool: Option<String>,
    pub tool_url: Option<String>,
    /// The component that it was used with, such as a crypto provider.
    pub with: Option<String>,
    /// Whether it has bars and a needle. Default: only the newest release of an implementation and
    /// variant, to keep charts readable.
    pub graph: Option<bool>,
}

/// A `[[comparison]]`.
#[derive(Clone, Debug)]
pub(crate) struct PreparedComparison {
    /// Line of its heading in the file.
    pub line: u32,
    /// Heading of the table.
    pub title: String,
    /// An implementation as displayed: `OpenSSL 3.2.0, gcc`.
    pub baseline: At<String>,
    pub candidate: At<String>,
    /// Pattern that labels must match.
    pub filter: Option<Regex>,
    pub exclude: Vec<At<Scenario>>,
}

impl Manifest {
    /// Reads `report.toml`.
    ///
    /// # Errors
    /// All problems of the file, with their lines.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let text = parse::text(path, bytes)?;
        reader::read(path, text, |file| {
            let manifest = Self::read(file);
            manifest.check_lengths(file);
            manifest
        })
    }

    fn read(file: &mut TableReader<'_>) -> Self {
        Self {
            title: file.checked("title", non_empty),
            date: file.checked("date", date),
            machine: file.checked("machine", non_empty).map(machine::declared),
            architecture: file.value("architecture"),
            previous: file.parsed("previous", Ok),
            headline: file.list("headline", label),
            subject: file.parsed("subject", Ok),
            estimator: file.value("estimator").unwrap_or_default(),
            paired: file.value("paired").unwrap_or_default(),
            summary: file.value("summary"),
            template: file.value("template"),
            taxonomies: file.checked("taxonomies", taxonomies).unwrap_or_default(),
            extra: file.table("extra", Extra::read_all).unwrap_or_default(),
            source: file.table("source", Source::read),
            system: file.table("system", |t| t.each(fact)).unwrap_or_default(),
            declarations: file.tables("implementation", Declaration::read),
            comparisons: file.tables("comparison", PreparedComparison::read),
        }
    }

    fn check_lengths(&self, file: &TableReader<'_>) {
        let mut headlines = self.headline.iter().map(|at| at.line);
        let mut comparisons = self.comparisons.iter().map(|comparison| comparison.line);
        if let Some(line) = headlines.nth(limits::HEADLINES) {
            file.problem_at(line, exceeded(limits::HEADLINES, "headlines"));
        }
        if let Some(line) = comparisons.nth(limits::COMPARISONS) {
            file.problem_at(line, exceeded(limits::COMPARISONS, "comparisons"));
        }
    }

    /// Returns the day that a release was published, if declared.
    pub(crate) fn released(&self, implementation: &Implementation) -> Option<Date> {
        let mut declarations = self.declarations.iter();
        declarations
            .find(|d| d.implementation == *implementation)?
            .released
    }

    /// Returns the day of the report, from the file or the folder's name.
    pub(crate) fn day(&self, folder: &str) -> Option<Date> {
        let from_name = || {
            let (day, rest) = folder.split_at_checked(10)?;
            let is_whole = !rest.starts_with(|c: char| c.is_ascii_digit());
            match Date::strptime("%Y-%m-%d", day) {
                Ok(date) if is_whole && date.to_string() == day => Some(date),
                _ => None,
            }
        };
        self.date.or_else(from_name)
    }
}

impl Source {
    fn read(table: &mut TableReader<'_>) -> Self {
        Self {
            title: table.required("title").unwrap_or_default(),
            url: table.checked("url", web_address),
            author: table.value("author"),
            runs: table.value("runs"),
            statistic: table.value("statistic"),
            notes: table.value("notes").unwrap_or_default(),
        }
    }
}

impl Declaration {
    fn read(table: &mut TableReader<'_>) -> Self {
        let name: String = table.value("name").unwrap_or_default();
        if name.is_empty() {
            table.problem("[[implementation]] has no name".to_owned());
        }
        let version: String = table.value("version").unwrap_or_default();
        let variant: Vec<String> = table.value("variant").unwrap_or_default();
        let variant: Vec<&str> = variant.iter().map(String::as_str).collect();
        Self {
            implementation: Implementation::new(&name, &version, &variant),
            files: table.list("files", glob),
            released: table.checked("released", date),
            url: table.checked("url", web_address),
            build: table.value("build"),
            command: table.value("command"),
            tool: table.value("tool"),
            tool_url: table.checked("tool_url", web_address),
            with: table.value("with"),
            graph: table.value("graph"),
        }
    }
}

impl PreparedComparison {
    fn read(table: &mut TableReader<'_>) -> Self {
        let line = table.line;
        let mut side = |key| {
            table.parsed(key, Ok).unwrap_or_else(|| {
                table.problem(format!("[[comparison]] has no {key}"));
                At {
                    line,
                    value: String::new(),
                }
            })
        };
        Self {
            line,
            baseline: side("baseline"),
            candidate: side("candidate"),
            title: table.value("title").unwrap_or_default(),
            filter: table.checked("filter", expression),
            exclude: table.list("exclude", label),
        }
    }
}

/// Rejects empty text: an untitled page has no link text, and all unnamed machines would be the
/// same machine.
fn non_empty(text: String) -> Result<String, String> {
    match text.trim().is_empty() {
        true => Err("empty value; leave the key out instead".to_owned()),
        false => Ok(text),
    }
}

fn date(written: Datetime) -> Result<Date, String> {
    day::from_toml(written)
        .ok_or_else(|| format!("a date must be a day such as 2026-03-07, not {written}"))
}

/// Rejects terms that are no path segments: Zola makes an address of each term.
fn taxonomies(
    taxonomies: BTreeMap<String, Vec<String>>,
) -> Result<BTreeMap<String, Vec<String>>, String> {
    let is_unsafe =
        |term: &&String| term.contains(['/', '\\']) || term.trim_matches('.').is_empty();
    let names = taxonomies.keys();
    let mut terms = names.chain(taxonomies.values().flatten());
    match terms.find(is_unsafe) {
        Some(term) => Err(format!(
            "[taxonomies] takes words without `/`, not `{term}`"
        )),
        None => Ok(taxonomies),
    }
}

fn label(text: String) -> Result<Scenario, String> {
    parse::name::scenario(&text)
}

fn expression(text: String) -> Result<Regex, String> {
    pattern(&text).map_err(|error| {
        let error = error.to_string();
        let reason = error.lines().last().unwrap_or_default();
        let reason = reason.trim_start_matches("error: ");
        format!("not a regular expression: `{text}`: {reason}")
    })
}

/// Compiles a regular expression, up to a limit.
pub(crate) fn pattern(text: &str) -> Result<Regex, regex_lite::Error> {
    RegexBuilder::new(text).size_limit(limits::PATTERN).build()
}

fn web_address(url: String) -> Result<String, String> {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    match is_web && !url.contains(char::is_whitespace) {
        true => Ok(url),
        false => Err(format!(
            "an address must start with https:// or http://, not `{url}`"
        )),
    }
}

/// Compiles a pattern in which `*` matches anything but `/`, and a folder matches all its files.
fn glob(pattern: String) -> Result<(String, Regex), String> {
    let path = pattern.trim_start_matches("./").trim_end_matches('/');
    if path.starts_with('/') || path.split('/').any(|part| ["", ".", ".."].contains(&part)) {
        return Err(format!(
            "`files` holds paths below the report's folder, not `{pattern}`"
        ));
    }
    let body = regex_lite::escape(path).replace(r"\*", "[^/]*");
    match self::pattern(&format!("^{body}(/.*)?$")) {
        Ok(regex) => Ok((pattern, regex)),
        Err(error) => Err(format!("`{pattern}` in `files`: {error}")),
    }
}

/// Reads a property of the machine as text.
fn fact<'a>(
    table: &TableReader<'a>,
    key: &str,
    value: Spanned<DeValue<'a>>,
) -> Option<(String, String)> {
    let words = |value| match value {
        DeValue::Table(_) | DeValue::Array(_) => Err(format!(
            "[system] has plain values only, but `{key}` is a table or a list"
        )),
        DeValue::String(text) => Ok(text.into_owned()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Float(number) => Ok(number.to_string()),
        DeValue::Boolean(value) => Ok(value.to_string()),
        DeValue::Datetime(value) => Ok(value.to_string()),
    };
    let words = table.parse(value, &words)?.value;
    Some((key.to_owned(), words))
}

#[cfg(test)]
mod tests;
