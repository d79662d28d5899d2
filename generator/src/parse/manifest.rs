//! `report.toml`: metadata that the figures themselves lack.

use super::entries::Entry;
use super::prelude::*;
use super::reader::from_toml;
use super::{Located, Reads, Split, pattern};
use crate::base::day;
use crate::base::failure::{Failure, Result};
use crate::model::estimator::Estimator;
use jiff::civil::Date;
use serde::de::Error;
use serde::{Deserializer, Serialize};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The whole file. All keys are optional; unknown keys are errors.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Default: made of the implementations and the architecture.
    #[serde(deserialize_with = "name")]
    pub title: Option<String>,
    /// Default: the date that the folder's name starts with.
    #[serde(deserialize_with = "date")]
    pub date: Option<Date>,
    /// Reports of the same machine form a history.
    #[serde(deserialize_with = "name")]
    pub machine: Option<String>,
    /// `x86_64`, `arm64`; part of the default title.
    pub architecture: Option<String>,
    /// Folder of the report to compare with; empty for none.
    pub previous: Option<Located<String>>,
    /// The scenarios that the front page names first.
    pub headline: Vec<Located<Scenario>>,
    /// The implementation that the report is about.
    pub subject: Option<Located<String>>,
    /// Estimator of all cells.
    pub estimator: Estimator,
    /// Which way figures of a unit improve, where neither it nor the file says so.
    pub better: BTreeMap<String, Better>,
    /// Whether all implementations were measured in turns in each run, so that runs are compared one
    /// by one.
    pub paired: bool,
    pub summary: Option<String>,
    /// Zola template of the page.
    pub template: Option<String>,
    /// Terms of the page by taxonomy.
    #[serde(deserialize_with = "taxonomies")]
    pub taxonomies: Taxonomies,
    /// The author's additions to the page's front matter.
    #[serde(deserialize_with = "extra")]
    pub extra: Table,
    /// Where the figures were first published.
    pub source: Option<Source>,
    /// Properties of the machine, in order.
    #[serde(deserialize_with = "facts")]
    pub system: Vec<(String, String)>,
    /// The implementations, in the order of columns.
    #[serde(rename = "implementation")]
    pub declarations: Vec<Declaration>,
    /// Which parts of benchmarks' names are implementations.
    #[serde(rename = "split")]
    pub splits: Vec<NameSplit>,
    #[serde(rename = "comparison")]
    pub comparisons: Vec<Located<PreparedComparison>>,
    /// Formats that the report brings along.
    #[serde(rename = "read")]
    entries: Vec<Located<Entry>>,
    #[serde(skip)]
    pub reads: Reads,
}

type Taxonomies = BTreeMap<String, Vec<String>>;

/// The publication that figures are carried over from.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    /// Title of the article or repository.
    pub title: String,
    #[serde(default, deserialize_with = "web_address")]
    pub url: Option<String>,
    pub author: Option<String>,
    /// Runs behind each published figure.
    pub runs: Option<u32>,
    /// The estimate that was published.
    #[serde(skip_serializing)]
    pub statistic: Option<Estimator>,
    /// Differences between the source and this page.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// An `[[implementation]]`: where its figures are, and how it was built.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Declaration {
    name: Located<String>,
    #[serde(default)]
    version: String,
    #[serde(default)]
    variant: Vec<String>,
    /// Made of the name, the version and the variant.
    #[serde(skip)]
    pub implementation: Implementation,
    /// Its raw outputs.
    #[serde(default)]
    pub files: Vec<Located<Glob>>,
    /// Day of publication of the release.
    #[serde(default, deserialize_with = "date")]
    pub released: Option<Date>,
    /// Link to the release.
    #[serde(default, deserialize_with = "web_address")]
    pub url: Option<String>,
    pub build: Option<String>,
    pub command: Option<String>,
    pub tool: Option<String>,
    #[serde(default, deserialize_with = "web_address")]
    pub tool_url: Option<String>,
    /// The component that it was used with, such as a crypto provider.
    pub with: Option<String>,
}

/// A `[[split]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameSplit {
    pub implementation: Located<Split>,
}

/// A `[[comparison]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreparedComparison {
    /// Heading of the table.
    #[serde(default)]
    pub title: String,
    /// An implementation as displayed: `OpenSSL 3.2.0, gcc`.
    pub baseline: Located<String>,
    pub candidate: Located<String>,
    /// Pattern that labels must match.
    #[serde(default, deserialize_with = "expression")]
    pub filter: Option<Regex>,
    #[serde(default)]
    pub exclude: Vec<Located<Scenario>>,
}

/// A pattern as written, and compiled: `*` matches anything but `/`, and a folder all its files.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Glob(pub String, pub Regex);

static DATED: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^(\d{4}-\d\d-\d\d)(?:\D|$)"));

impl Manifest {
    /// Reads `report.toml`.
    ///
    /// # Errors
    /// The first problem of the file, with its line.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let mut manifest: Self = from_toml(path, bytes)?;
        manifest.reads = Reads::new(path, std::mem::take(&mut manifest.entries))?;
        for declared in &mut manifest.declarations {
            let Located { line, value: name } = &declared.name;
            let variant: Vec<&str> = declared.variant.iter().map(String::as_str).collect();
            declared.implementation = Implementation::new(name, &declared.version, &variant);
            let lengths = [name.len(), declared.version.len(), variant.concat().len()];
            let bytes = limits::NAME;
            if name.is_empty() || lengths.into_iter().any(|length| length > bytes) {
                let message = format!(
                    "[[implementation]] needs a name, version and variant of at most {bytes} bytes each"
                );
                return Err(Failure::at(path, *line, message));
            }
        }
        Ok(manifest)
    }

    /// Returns the day that a release was published, if declared.
    pub(crate) fn released(&self, implementation: &Implementation) -> Option<Date> {
        let mut declarations = self.declarations.iter();
        let declared = declarations.find(|d| d.implementation == *implementation);
        declared?.released
    }

    /// Returns the day of the report, from the file or the folder's name.
    pub(crate) fn day(&self, folder: &str) -> Option<Date> {
        let from_name = || {
            let [_, day] = DATED.groups(folder)?;
            // None of a name such as `2026-99-99`.
            day.parse().into_iter().next()
        };
        self.date.or_else(from_name)
    }
}

/// Deserializes and checks the value of a key.
fn checked<'de, D: Deserializer<'de>, V: Deserialize<'de>, T>(
    value: D,
    check: impl FnOnce(V) -> Result<T, String>,
) -> Result<T, D::Error> {
    check(V::deserialize(value)?).map_err(D::Error::custom)
}

/// Rejects empty and long text: an untitled page has no link text, all unnamed machines would be the
/// same machine, and each row of `data.csv` has the machine's name.
fn name<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    checked(value, |text: String| match text.trim().is_empty() {
        true => Err("empty value; leave the key out instead".to_owned()),
        false if text.len() > limits::NAME => Err(exceeded(limits::NAME, "bytes")),
        false => Ok(Some(text)),
    })
}

fn date<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Date>, D::Error> {
    checked(value, |written: Value| {
        let day = written.as_datetime().copied().and_then(day::from_toml);
        let wrong =
            || format!("a date must be a day without quotes such as 2026-03-07, not {written}");
        day.map(Some).ok_or_else(wrong)
    })
}

/// Rejects terms that are no words: Zola makes an address of each, and leaves out characters then.
fn taxonomies<'de, D: Deserializer<'de>>(value: D) -> Result<Taxonomies, D::Error> {
    checked(value, |taxonomies: Taxonomies| {
        let mut all = taxonomies.keys().chain(taxonomies.values().flatten());
        match all.find(|term| !is_term(term)) {
            Some(term) => Err(format!(
                "[taxonomies] takes words of letters and digits, with spaces or `+-_` between them, and `.` between digits, not `{term}`"
            )),
            None => Ok(taxonomies),
        }
    })
}

static TERM: LazyLock<Expression> = LazyLock::new(|| {
    Expression::new(r"^(?:\d+(?:\.\d+)+|[^\W_])(?:\d+(?:\.\d+)+|[\w+-]| +[\w+-])*$")
});

/// Whether a text is a term: of at most 100 bytes, also as an address, where a letter may become eight.
fn is_term(text: &str) -> bool {
    let length: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 8 }).sum();
    // Later letters are forms of others, up to whole sentences.
    let is_known = |c: char| c.is_ascii() || (c.is_alphanumeric() && c < '\u{f900}');
    length <= 100
        && text.contains(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(is_known)
        && TERM.captures(text).is_some()
}

/// Keys of `[extra]` that the generator writes itself.
pub(crate) const RESERVED: [&str; 11] = [
    "generated",
    "kind",
    "machine",
    "day_in_words",
    "previous",
    "next",
    "changes",
    "report",
    "extent",
    "overviews",
    "graphs",
];

fn extra<'de, D: Deserializer<'de>>(value: D) -> Result<Table, D::Error> {
    checked(value, |table: Table| {
        if let Some(key) = table.keys().find(|key| RESERVED.contains(&key.as_str())) {
            let why = "the generator writes it: give yours another name";
            return Err(format!("`{key}` of [extra]: {why}"));
        }
        check_keys(&Value::Table(table.clone())).map(|()| table)
    })
}

/// Rejects keys of `[extra]` that need quotes: libraries that read TOML give some of them a meaning.
fn check_keys(value: &Value) -> Result<(), String> {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match value {
        Value::Array(list) => list.iter().try_for_each(check_keys),
        Value::Table(table) => table.iter().try_for_each(|(key, value)| {
            match !key.is_empty() && key.chars().all(is_bare) {
                true => check_keys(value),
                false => Err(format!(
                    "a key of [extra] has letters, digits, `-` and `_` only, not `{key}`"
                )),
            }
        }),
        _ => Ok(()),
    }
}

/// Reads properties as text.
fn facts<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<(String, String)>, D::Error> {
    let text = |(key, value)| match value {
        Value::String(text) => Ok((key, text)),
        Value::Table(_) | Value::Array(_) => Err(format!(
            "[system] has plain values only, but `{key}` is a table or a list"
        )),
        plain => Ok((key, plain.to_string())),
    };
    checked(value, |table: Table| table.into_iter().map(text).collect())
}

fn expression<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Regex>, D::Error> {
    checked(value, |text: String| {
        let compiled = pattern(&text).map(Some);
        compiled.map_err(|why| cite("not a regular expression:", &text) + ": " + &why)
    })
}

/// Fails if it would take too long to match all `patterns` with texts of so many bytes.
pub(crate) fn check_matches<'a>(
    patterns: impl IntoIterator<Item = &'a str>,
    texts: usize,
) -> Result<(), String> {
    let bytes: usize = patterns.into_iter().map(str::len).sum();
    match bytes.saturating_mul(texts) > limits::MATCHES {
        true => Err(format!(
            "patterns of {bytes} bytes and {texts} bytes to match, whose product is more than {}: use fewer or shorter patterns",
            limits::MATCHES
        )),
        false => Ok(()),
    }
}

fn web_address<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    checked(value, |url: String| {
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        match is_web && !url.contains(char::is_whitespace) {
            true => Ok(Some(url)),
            false => Err(format!(
                "an address must start with https:// or http://, not `{url}`"
            )),
        }
    })
}

impl Glob {
    /// Whether it matches a path. Of many declarations few do, so what stands before a `*` is
    /// compared first.
    pub(crate) fn is_match(&self, path: &str) -> bool {
        let start = self.0.trim_start_matches("./");
        let literal = start.find('*').map_or(start, |end| &start[..end]);
        path.starts_with(literal.trim_end_matches('/')) && self.1.is_match(path)
    }
}

impl TryFrom<String> for Glob {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let path = written.trim_start_matches("./").trim_end_matches('/');
        if path.starts_with('/') || path.split('/').any(|part| ["", ".", ".."].contains(&part)) {
            return Err(format!(
                "`files` holds paths below the report's folder, not `{written}`"
            ));
        }
        let body = regex::escape(path).replace(r"\*", "[^/]*");
        match pattern(&format!("^{body}(/.*)?$")) {
            Ok(regex) => Ok(Self(written, regex)),
            Err(error) => Err(format!("`{written}` in `files`: {error}")),
        }
    }
}

#[cfg(test)]
mod tests;
