//! Values of arguments.

use crate::base::slug::slug;
use crate::files;
use crate::stats::Estimator;
use clap::ValueEnum;
use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use std::path::PathBuf;
use std::str::FromStr;

impl ValueEnum for Estimator {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Median,
            Self::MedianHigh,
            Self::Min,
            Self::Max,
            Self::Mean,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Median => "The middle value, or the mean of the two middle ones",
            Self::MedianHigh => {
                "The middle value, or the greater of the two middle ones, as in the tables published in 2023 (`values[len / 2]` of the sorted values)"
            }
            Self::Min => "The minimum",
            Self::Max => "The maximum",
            Self::Mean => "The arithmetic mean",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// Reads the path of a folder to write into.
pub(super) fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(files::resolved)
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

/// Parses the path of a section. Only slugs are accepted, so that the address is the same under any
/// slug rules of the site.
pub(super) fn section(path: &str) -> Result<String, String> {
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

pub(super) fn title(text: &str) -> Result<String, &'static str> {
    let is_text = !text.trim().is_empty() && !text.contains(char::is_control);
    is_text
        .then(|| text.trim().to_owned())
        .ok_or("expected a line of text")
}

fn number(text: &str, expected: &str, is_valid: impl Fn(f64) -> bool) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if is_valid(number) => Ok(number),
        _ => Err(format!("expected {expected}")),
    }
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    let expected = "a positive number, at most a million";
    number(text, expected, |n| 0.0 < n && n <= 1e6)
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("expected a whole number of 1 or more".to_owned()),
    }
}

/// Parses a significance level.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    number(text, "a number between 0 and 1", |p| 0.0 < p && p < 1.0)
}

/// Parses `5` or `5%`.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let text = text.strip_suffix('%').unwrap_or(text);
    number(text, "a percentage of 0 or more", |p| {
        p.is_finite() && p >= 0.0
    })
}

/// Parses `1%` as a share. No interval can reach 0.
pub(super) fn precision(text: &str) -> Result<f64, String> {
    match percent(text)? {
        percent if percent > 0.0 => Ok(percent / 100.0),
        _ => Err("expected a percentage above 0".to_owned()),
    }
}
