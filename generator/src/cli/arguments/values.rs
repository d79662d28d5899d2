//! Values of arguments.

use crate::base::slug::slug;
use crate::files;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::path::PathBuf;
use std::str::FromStr;

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

    /// Reads `owner/name`, or an address of the repository as GitHub and Git show it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hosts = ["https://github.com/", "github.com/", "git@github.com:"];
        let path = hosts.iter().find_map(|host| text.strip_prefix(host));
        let path = path.unwrap_or(text).trim_end_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let (owner, name) = path.split_once('/').unwrap_or_default();
        let is_plain = |word: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            word.chars().all(plain) && word.contains(|c: char| c.is_ascii_alphanumeric())
        };
        let repository = || Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
        };
        let is_both = is_plain(owner) && is_plain(name);
        is_both
            .then(repository)
            .ok_or("expected owner/name, or https://github.com/owner/name")
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

/// Parses `5` or `5%`.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let text = text.strip_suffix('%').unwrap_or(text);
    number(text, "a percentage of 0 or more", |p| {
        p.is_finite() && p >= 0.0
    })
}
