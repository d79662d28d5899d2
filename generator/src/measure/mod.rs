//! Measuring: builds the programs, which take turns in short slices so that noise favours none, and
//! writes their figures as files that [`parse`](crate::parse) reads like any other input.
//!
//! What to measure ([`suite`], [`libraries`]) → [`build`] → [`turns`] → [`results`], beside what
//! was measured and where ([`machine`], [`records`]).

use crate::base::escape::plain;
use crate::base::failure::Result;
use crate::files::read_optional;
use crate::parse::from_toml;
use serde::de::DeserializeOwned;
use std::path::Path;

pub(crate) mod build;
mod cargo;
mod git;
mod go;
pub(crate) mod libraries;
pub(crate) mod manifest;
pub(crate) mod process;
pub(crate) mod records;
pub(crate) mod suite;
#[cfg_attr(target_os = "linux", path = "system/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "system/other.rs")]
pub(crate) mod system;
pub(crate) mod turns;

/// Returns the last non-empty lines of a text.
fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let last = &all[all.len().saturating_sub(lines)..];
    last.iter().map(excerpt).collect::<Vec<_>>().join("\n")
}

/// Maximum length of a shown line of another program's output, in characters.
const LINE_LENGTH: usize = 500;

/// Shortens a line of another program's output for display, and escapes invisible characters.
fn excerpt(line: impl AsRef<str>) -> String {
    let line = line.as_ref();
    let shown: String = line.chars().take(LINE_LENGTH).collect();
    let more = if shown.len() < line.len() { "…" } else { "" };
    format!("{}{more}", plain(&shown))
}

/// Replaces what is unsafe in a folder's name.
fn safe_name(text: &str) -> String {
    text.replace(
        |c: char| !c.is_ascii_alphanumeric() && !"._+-".contains(c),
        "-",
    )
}

/// Reads a TOML file; `None` if it does not exist.
fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = read_optional(path)?;
    bytes.map(|bytes| from_toml(path, &bytes)).transpose()
}

/// Returns the value of a key in a text of lines like `MemTotal: 1 kB` or `PRETTY_NAME="Debian"`.
fn value_of(text: &str, name: &str) -> Option<String> {
    let mut values = text.lines().filter_map(|line| line.strip_prefix(name));
    let value = values.find_map(|rest| rest.trim_start().strip_prefix([':', '=']))?;
    Some(value.trim().trim_matches('"').to_owned())
}
