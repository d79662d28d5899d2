//! `report.toml`: what the figures themselves do not tell.

use crate::failure::{Diagnostic, Failure, Result};
use crate::implementation;
use crate::stats::Estimator;
use serde::Deserialize;
use std::path::Path;

/// The whole file. Every key may be left out; an unknown key is an error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// Else made of the implementations and the architecture.
    pub title: Option<String>,
    /// Else the date that the folder's name starts with.
    pub date: Option<toml::value::Datetime>,
    /// Reports of the same machine follow one another.
    pub machine: Option<String>,
    /// `x86_64`, `arm64`: for the title.
    pub architecture: Option<String>,
    /// Folder of the report to compare with; empty for none.
    pub previous: Option<String>,
    /// Labels of the scenarios whose gauges stand on the front page.
    pub headline: Vec<String>,
    /// Whose needle the gauges show.
    pub subject: Option<String>,
    /// How a cell becomes a number.
    pub estimator: Estimator,
    /// The key finding, in a sentence.
    pub summary: Option<String>,
    /// Where the figures were published first.
    pub source: Option<Source>,
    /// Facts of the machine in their order.
    pub system: toml::Table,
    /// What was measured, in the order of columns.
    pub implementation: Vec<Implementation>,
    /// Pairs to compare.
    pub comparison: Vec<Comparison>,
}

/// Where figures that are carried over were published.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// Of the article or repository.
    pub title: String,
    /// Its address.
    pub url: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Runs behind each published figure.
    pub runs: Option<u32>,
    /// The estimate that was published.
    pub statistic: Option<Estimator>,
    /// What the source printed where this page differs.
    pub notes: Vec<String>,
}

/// One implementation as measured.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Implementation {
    /// `rustls`
    pub name: String,
    /// `0.23.37`
    pub version: String,
    /// `["aws-lc-rs"]`
    pub variant: Vec<String>,
    /// Heading of its column in tables of this folder.
    pub column: Option<String>,
    /// Its raw outputs: paths below the folder, `*` for any part of a name.
    pub files: Vec<String>,
    /// The release.
    pub url: Option<String>,
    /// How it was built.
    pub build: Option<String>,
    /// How it was measured.
    pub command: Option<String>,
    /// What measured it.
    pub tool: Option<String>,
    /// The tool's address.
    pub tool_url: Option<String>,
    /// What it was used with, such as its crypto provider.
    pub with: Option<String>,
    /// False to leave it out of bar charts and gauges, which too many make unreadable.
    pub graph: Option<bool>,
}

/// A prepared comparison.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Comparison {
    /// Above the table.
    pub title: String,
    /// An implementation as displayed: `OpenSSL 3.2.0, gcc`.
    pub baseline: String,
    /// Likewise.
    pub candidate: String,
    /// A regular expression that labels must match.
    pub filter: Option<String>,
    /// Labels to leave out.
    pub exclude: Vec<String>,
}

impl Implementation {
    /// The implementation as a value.
    pub fn identity(&self) -> implementation::Implementation {
        let variant: Vec<&str> = self.variant.iter().map(String::as_str).collect();
        implementation::Implementation::new(&self.name, &self.version, &variant)
    }
}

impl Manifest {
    /// Reads `report.toml`.
    ///
    /// # Errors
    /// What is wrong, at its line.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let at = |line: usize, message: String| {
            Failure::BadInput(vec![Diagnostic {
                path: path.to_owned(),
                line: line as u32,
                message,
            }])
        };
        let text = std::str::from_utf8(bytes).map_err(|_| at(0, "not UTF-8".to_owned()))?;
        let manifest: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| {
                text[..span.start.min(text.len())].lines().count().max(1)
            });
            let line = if error
                .span()
                .is_some_and(|s| text[..s.start].ends_with('\n'))
            {
                line + 1
            } else {
                line
            };
            at(line, error.message().replace('\n', "; "))
        })?;
        manifest.check().map_err(|(needle, message)| {
            let line = text
                .lines()
                .position(|l| l.contains(&needle))
                .map_or(0, |index| index + 1);
            at(line, message)
        })?;
        Ok(manifest)
    }

    /// What the types do not check; an error comes with a text to find its line by.
    fn check(&self) -> Result<(), (String, String)> {
        if let Some(date) = self.date.filter(|d| d.date.is_none() || d.time.is_some()) {
            return Err((
                "date".to_owned(),
                format!("date must be a day such as 2026-03-07, not {date}"),
            ));
        }
        if let Some((key, _)) = self
            .system
            .iter()
            .find(|(_, v)| v.is_table() || v.is_array())
        {
            return Err((
                key.clone(),
                format!("[system] has plain values only, but `{key}` is a table or a list"),
            ));
        }
        if let Some(nameless) = self.implementation.iter().position(|i| i.name.is_empty()) {
            return Err((
                "[[implementation]]".to_owned(),
                format!("[[implementation]] number {} has no name", nameless + 1),
            ));
        }
        let urls = self.source.iter().filter_map(|s| s.url.as_ref());
        let urls = urls.chain(
            self.implementation
                .iter()
                .flat_map(|i| [&i.url, &i.tool_url])
                .flatten(),
        );
        for url in urls {
            if !(url.starts_with("https://") || url.starts_with("http://"))
                || url.contains(char::is_whitespace)
            {
                return Err((
                    url.clone(),
                    format!("an address must start with https:// or http://, not `{url}`"),
                ));
            }
        }
        for comparison in &self.comparison {
            if let Some(filter) = &comparison.filter {
                regex::Regex::new(filter)
                    .map_err(|e| (filter.clone(), format!("not a regular expression: {e}")))?;
            }
        }
        Ok(())
    }

    /// The day as `2026-03-07`, from the file or the folder's name.
    pub fn day(&self, folder: &str) -> Option<String> {
        let from_name = || {
            let (day, rest) = folder.split_at_checked(10)?;
            let valid: toml::value::Datetime = day.parse().ok()?;
            (valid.date.is_some() && !rest.starts_with(|c: char| c.is_ascii_digit()))
                .then(|| day.to_owned())
        };
        self.date.map(|d| d.to_string()).or_else(from_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_lines() {
        for (text, line, part) in [
            ("title = \"x\"\ncolour = 1\n", 2, "colour"),
            ("date = 2026-03-07T10:00:00Z\n", 1, "date must be a day"),
            (
                "title = \"x\"\n\n[source]\nurl = \"javascript:alert(1)\"\n",
                4,
                "address",
            ),
            ("title = 7\n", 1, "string"),
            ("[[comparison]]\nfilter = \"(\"\n", 2, "regular expression"),
        ] {
            let Err(Failure::BadInput(problems)) =
                Manifest::parse(Path::new("report.toml"), text.as_bytes())
            else {
                panic!("accepted: {text}");
            };
            assert_eq!(problems[0].line, line, "{text} {problems:?}");
            assert!(problems[0].message.contains(part), "{problems:?}");
        }
    }

    #[test]
    fn the_day() {
        let none = Manifest::default();
        assert_eq!(none.day("2026-03-07-x86_64").as_deref(), Some("2026-03-07"));
        assert_eq!(none.day("2026-13-07-x"), None);
        assert_eq!(none.day("results"), None);
        let dated = Manifest::parse(Path::new("r"), b"date = 2025-07-31\n").expect("a date");
        assert_eq!(
            dated.day("2026-03-07-x86_64").as_deref(),
            Some("2025-07-31")
        );
    }
}
