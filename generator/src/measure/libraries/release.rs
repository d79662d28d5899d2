//! Releases, and ranges of them: `0.23.46`, `0.21..0.24`, `0.23.15..0.23.46`, `3.2..`; and which
//! there are, with their dates, from cargo's registry index.
//!
//! Cargo has no command that prints these, so its index cache is read after it was updated. The
//! format of that cache is internal to cargo: anything but the format of cargo 1.90 is an error.
//! The crates that read it would bring ten others, for as many lines.

use crate::base::failure::Result;
use crate::files;
use crate::measure::process::output;
use crate::measure::{cargo, go};
use crate::model::version::Version;
use anyhow::Context;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A release of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) version: Version,
    /// Release day, if known.
    pub(crate) released: Option<Date>,
    /// Whether its authors have yanked it.
    pub(crate) yanked: bool,
    /// The version of the package that has it.
    pub(crate) package: String,
}

/// Selects releases: from one end to the other, both inclusive. An end is a release, `0.23.15` or
/// `1.1.1k`, a series, `0.23`, or open, which is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    from: Version,
    to: Version,
}

impl Range {
    /// From one end to the other.
    pub(super) fn new(from: &str, to: &str) -> Self {
        let [from, to] = [from, to].map(Version::from);
        Self { from, to }
    }

    /// Parses a release, a series, `A..B`, `A..` or `..B`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let ends = text.split_once("..");
        let is_end = |end: &str| match end {
            "" => ends.is_some(),
            end => is_series(end) || numbers(end).is_some(),
        };
        let (from, to) = ends.unwrap_or((text, text));
        (is_end(from) && is_end(to)).then(|| Self::new(from, to))
    }

    /// The release, if it is only one.
    pub(crate) fn only(&self) -> Option<&Version> {
        (self.from == self.to && self.is_every()).then_some(&self.from)
    }

    /// Whether every release is selected, because an end is one; else the newest of each series.
    fn is_every(&self) -> bool {
        let mut ends = [&self.from, &self.to].into_iter().map(Version::as_str);
        ends.any(|end| !end.is_empty() && !is_series(end))
    }

    /// Selects releases from `all`, which must be sorted: without yanked ones and pre-releases
    /// unless an end names them.
    pub(crate) fn select(&self, all: &[Release]) -> Vec<Release> {
        let Self { from, to } = self;
        // The last series ends with its last release, the open one with the last of all.
        let is_to_series = to.is_empty() || is_series(to.as_str());
        let series = |release: &Release| release.version.numbers().into_iter().take(2);
        let mut found: Vec<Release> = Vec::new();
        for release in all {
            let version = &release.version;
            let is_in_last = is_to_series && version.numbers().starts_with(&to.numbers());
            let is_between = version >= from && (version <= to || is_in_last);
            let is_final = !release.yanked && !version.is_pre_release();
            if is_between && (is_final || [from, to].contains(&version)) {
                found.pop_if(|before| !self.is_every() && series(before).eq(series(release)));
                found.push(release.clone());
            }
        }
        found
    }
}

impl Release {
    /// A version of a package, as the release of that name.
    pub(crate) fn new(package: &str, released: Option<Date>, yanked: bool) -> Self {
        Self {
            version: package.into(),
            released,
            yanked,
            package: package.to_owned(),
        }
    }
}

/// Whether an end names a series: one or two numbers.
fn is_series(end: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    end.split('.').count() < 3 && end.split('.').all(is_number)
}

/// Parses a release, without the letter that OpenSSL's had until `1.1.1w`. `None` unless it has
/// three numbers.
pub(crate) fn numbers(release: &str) -> Option<semver::Version> {
    let plain = release.trim_end_matches(|c: char| c.is_ascii_lowercase());
    [release, plain].into_iter().flat_map(str::parse).next()
}

/// A line of the index, without unused keys.
#[derive(Deserialize)]
struct IndexLine {
    vers: String,
    #[serde(default)]
    yanked: bool,
    pubtime: Option<Timestamp>,
}

/// Looks up the versions of a package, on which the crate in `folder` depends.
pub(crate) fn versions(folder: &Path, package: &str) -> Result<Vec<Release>> {
    let cannot = format!("cannot look up the releases of {package}:\n");
    if package == go::PIN {
        return go::releases(cannot);
    }
    // It updates the cache.
    output(cargo::command("update", folder).arg("--dry-run"), cannot)?;
    kept(package)
}

/// Returns the versions of a package as of the last lookup; empty without one. Several registries
/// may have the package, such as a mirror and its original.
pub(crate) fn kept(package: &str) -> Result<Vec<Release>> {
    let named = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
    let home = named.map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let home = home.context("cannot find cargo's folder: set CARGO_HOME")?;
    let registries = home.join("registry/index");
    let mut all: Vec<Release> = Vec::new();
    if !files::is_folder(&registries)? {
        return Ok(all);
    }
    // Names of four letters and more are in folders of their first two letters and the next two.
    let below = Path::new(".cache").join(&package[..2]).join(&package[2..4]);
    for registry in files::folders(&registries)? {
        let path = registry.join(&below).join(package);
        let Some(bytes) = files::read_optional(&path)? else {
            continue;
        };
        let unknown = || format!("{} is not in the format of cargo 1.90", path.display());
        all.extend(entries(&bytes).with_context(unknown)?);
    }
    Ok(all)
}

/// Parses a cache file: a header, then for each version its number and its line, each terminated by
/// NUL.
pub(crate) fn entries(bytes: &[u8]) -> anyhow::Result<Vec<Release>> {
    let mut entries = Vec::new();
    let lines = bytes.split(|byte| *byte == 0);
    for line in lines.filter(|line| line.starts_with(b"{")) {
        let line: IndexLine = serde_json::from_slice(line)?;
        let published = line
            .pubtime
            .map(|time| time.to_zoned_datetime(TimeZone::UTC).date());
        entries.push(Release::new(&line.vers, published, line.yanked));
    }
    anyhow::ensure!(!entries.is_empty(), "it has no versions");
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorted releases, of which `-` marks yanked ones.
    fn releases(text: &str) -> Vec<Release> {
        let release = |word: &str| Release {
            version: word.trim_start_matches('-').into(),
            yanked: word.starts_with('-'),
            ..Release::default()
        };
        text.split(' ').map(release).collect()
    }

    const RUSTLS: &str = "0.19.1 0.20.8 0.20.9 0.21.0-alpha.1 0.21.0 0.21.11 0.21.12 0.22.3 0.22.4 0.23.28 0.23.29 -0.23.30 0.23.31 0.24.0-dev.1 0.24.0-dev.2";
    const OPENSSL: &str =
        "1.1.0 1.1.0l 1.1.1 1.1.1k -1.1.1r 1.1.1w 3.0.7 3.0.8 3.1.4 3.2.0 3.2.1 4.0.1 4.0.3";

    #[track_caller]
    fn check(all: &str, cases: &[(&str, &str)]) {
        let all = releases(all);
        for (text, expected) in cases {
            let range = Range::parse(text).expect(text);
            let found = range.select(&all);
            let found = Vec::from_iter(found.iter().map(|release| release.version.as_str()));
            assert_eq!(found.join(" "), *expected, "{text}");
        }
    }

    #[test]
    fn series_give_the_newest_release_of_each() {
        check(
            RUSTLS,
            &[
                ("0.21..0.23", "0.21.12 0.22.4 0.23.31"),
                ("0.21..0.24", "0.21.12 0.22.4 0.23.31"),
                ("0.22..", "0.22.4 0.23.31"),
                ("..0.20", "0.19.1 0.20.9"),
                ("..", "0.19.1 0.20.9 0.21.12 0.22.4 0.23.31"),
                ("0.22", "0.22.4"),
                ("0", "0.19.1 0.20.9 0.21.12 0.22.4 0.23.31"),
                ("0.24", ""),
                ("0.25..", ""),
                ("0.21.13", ""),
                ("0.23..0.22", ""),
            ],
        );
    }

    #[test]
    fn a_release_as_an_end_gives_every_release() {
        check(
            RUSTLS,
            &[
                ("0.23.28..0.23.31", "0.23.28 0.23.29 0.23.31"),
                ("0.22..0.23.28", "0.22.3 0.22.4 0.23.28"),
                ("0.23.29..", "0.23.29 0.23.31"),
                // Ends are included even if yanked or pre-releases.
                ("0.23.30..0.23.31", "0.23.30 0.23.31"),
                ("0.23.31..0.24.0-dev.1", "0.23.31 0.24.0-dev.1"),
                ("0.24.0-dev.1", "0.24.0-dev.1"),
            ],
        );
        let every = Range::new("0.0.0", "").select(&releases(RUSTLS));
        assert_eq!(every.len(), 11);
    }

    #[test]
    fn letters_are_patches() {
        check(
            OPENSSL,
            &[
                (
                    "1.1.1..4.0",
                    "1.1.1 1.1.1k 1.1.1w 3.0.7 3.0.8 3.1.4 3.2.0 3.2.1 4.0.1 4.0.3",
                ),
                ("1.1..3.0", "1.1.1w 3.0.8"),
                ("1.1.1k..1.1.1w", "1.1.1k 1.1.1w"),
                ("1.1.1..1.1.1w", "1.1.1 1.1.1k 1.1.1w"),
                ("3..4", "3.0.8 3.1.4 3.2.1 4.0.3"),
                ("1.1.1", "1.1.1"),
                ("1.1.1r", "1.1.1r"),
                ("3.0.7", "3.0.7"),
            ],
        );
    }

    /// Bytes as written by cargo 1.90.
    #[test]
    fn cache_entries() {
        let bytes = b"\x03\x02\0\0\0etag: \"x\"\x000.23.30\0{\"name\":\"rustls\",\"vers\":\"0.23.30\",\"deps\":[],\"yanked\":true,\"pubtime\":\"2025-07-27T13:07:34Z\"}\x000.23.31\0{\"name\":\"rustls\",\"vers\":\"0.23.31\"}\0";
        let found = entries(bytes).expect("two entries");
        let day = Date::constant(2025, 7, 27);
        let expected = [
            Release::new("0.23.30", Some(day), true),
            Release::new("0.23.31", None, false),
        ];
        assert_eq!(found, expected);
        for wrong in [&b""[..], b"\x04", b"\0{\"vers\":1}\0"] {
            assert!(entries(wrong).is_err());
        }
    }
}
