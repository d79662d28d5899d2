//! Releases, and ranges of them: `0.23.46`, `0.21..0.24`, `0.23.15..0.23.46`, `3.2..`; and which
//! there are, with their dates, from cargo's registry index.
//!
//! Cargo has no command that prints these, so its index cache is read after it was updated. The
//! format of that cache is internal to cargo: anything but the format of cargo 1.90 is an error.
//! The crates that read it would bring ten others, for as many lines.

use crate::base::failure::Result;
use crate::base::words::join;
use crate::files;
use crate::measure::process::Stop;
use crate::measure::tools::cargo;
use crate::measure::tools::compile::with_remedy;
use crate::measure::tools::go;
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

/// Selects releases: from one end to the other, both inclusive, and either may be open. An end is a
/// release, `0.23.15` or `1.1.1k`, or a series, `0.23`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    from: Option<Version>,
    to: Option<Version>,
    /// Whether every release is selected, because an end is one; else the newest of each series.
    is_every: bool,
}

impl Range {
    pub(crate) const EVERY: Self = Self {
        from: None,
        to: None,
        is_every: true,
    };

    pub(crate) fn one(release: Version) -> Self {
        Self {
            from: Some(release.clone()),
            to: Some(release),
            is_every: true,
        }
    }

    /// Parses a release, a series, `A..B`, `A..` or `..B`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (from, to) = match text.split_once("..") {
            Some(ends) => ends,
            None if is_series(text) || numbers(text).is_some() => (text, text),
            None => return None,
        };
        let end = |text: &str| (!text.is_empty()).then(|| Version::from(text));
        Some(Self {
            from: end(from),
            to: end(to),
            is_every: [from, to]
                .iter()
                .any(|end| !end.is_empty() && !is_series(end)),
        })
    }

    /// The release, if it is only one.
    pub(crate) fn only(&self) -> Option<&Version> {
        self.from
            .as_ref()
            .filter(|_| self.is_every && self.from == self.to)
    }

    /// Selects releases from `all`, which must be sorted, without yanked ones and pre-releases
    /// unless the range names them. Returns ends without any release separately.
    ///
    /// # Errors
    /// Says why the range is invalid.
    pub(crate) fn expand(&self, all: &[Release]) -> Result<(Vec<Release>, Vec<Version>), String> {
        if let (Some(from), Some(to)) = (&self.from, &self.to)
            && from > to
        {
            return Err("it ends before it begins".to_owned());
        }
        let mut ends: Vec<&Version> = self.from.iter().chain(&self.to).collect();
        if let Some(end) = ends.iter().find(|end| !all.iter().any(|r| r.is_of(end))) {
            return Err(missing(end, all));
        }
        let mut found: Vec<Release> = Vec::new();
        for release in all {
            let version = &release.version;
            let is_after = self.from.as_ref().is_none_or(|end| version >= end);
            let is_before = self
                .to
                .as_ref()
                .is_none_or(|end| version <= end || release.is_of(end));
            let is_named = ends.contains(&version);
            if is_after && is_before && (is_named || release.is_final()) {
                // Only the newest of a series, unless every release is wanted.
                found.pop_if(|before| !self.is_every && before.series() == release.series());
                found.push(release.clone());
            }
        }
        ends.retain(|end| !found.iter().any(|release| release.is_of(end)));
        ends.dedup();
        Ok((found, ends.into_iter().cloned().collect()))
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

    /// Whether it is the release at the end of a range, or one of the series there.
    fn is_of(&self, end: &Version) -> bool {
        match is_series(end.as_str()) {
            true => self.version.numbers().starts_with(&end.numbers()),
            false => self.version == *end,
        }
    }

    fn series(&self) -> Vec<u64> {
        self.version.numbers().into_iter().take(2).collect()
    }

    /// Whether it is neither yanked nor a pre-release.
    fn is_final(&self) -> bool {
        !self.yanked && !self.version.is_pre_release()
    }
}

/// Says that there is no such release, and which come before and after.
fn missing(end: &Version, all: &[Release]) -> String {
    let known: Vec<&Release> = all.iter().filter(|release| release.is_final()).collect();
    let at = known.partition_point(|release| release.version < *end);
    let near = &known[at.saturating_sub(2)..known.len().min(at + 2)];
    let near: Vec<String> = near.iter().map(|r| r.version.to_string()).collect();
    format!(
        "there is no release {end} to build here; nearby: {}",
        join(&near)
    )
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
    let parsed = [release, plain]
        .into_iter()
        .flat_map(semver::Version::parse);
    parsed.into_iter().next()
}

/// A line of the index, without unused keys.
#[derive(Deserialize)]
struct IndexLine {
    vers: String,
    #[serde(default)]
    yanked: bool,
    pubtime: Option<Timestamp>,
}

/// Looks up the versions of a package in the registry, which the crate in `folder` depends on.
/// Without a connection, returns those of the last lookup and a warning. They are empty with
/// settings that use no registry.
pub(crate) fn versions(folder: &Path, package: &str) -> Result<(Vec<Release>, Option<String>)> {
    let looked_up = match package {
        go::PIN => go::releases().map(|versions| {
            let releases = versions.iter().map(|v| Release::new(v, None, false));
            releases.collect()
        }),
        _ => cargo::update_index(folder).and_then(|()| Ok(kept(package)?)),
    };
    let before = kept(package)?;
    match looked_up {
        Ok(versions) => Ok((versions, None)),
        Err(Stop::Failed(stderr)) if !before.is_empty() => {
            let why = stderr.lines().last().unwrap_or(&stderr).trim();
            let warning = format!(
                "the releases of {package} are those of the last lookup, because this one fails: {why}"
            );
            Ok((before, Some(warning)))
        }
        Err(stop) => {
            Err(with_remedy(stop).fatal(format!("cannot look up the releases of {package}:\n")))
        }
    }
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
    // Names of four letters and more are in folders of their first two letters and the next two.
    let (Some(first), Some(next)) = (package.get(..2), package.get(2..4)) else {
        return Ok(all);
    };
    if !files::is_folder(&registries)? {
        return Ok(all);
    }
    for registry in files::folders(&registries)? {
        let path = registry.join(".cache").join(first).join(next).join(package);
        let Some(bytes) = files::read_optional(&path)? else {
            continue;
        };
        let unknown = || format!("{} is not in the format of cargo 1.90", path.display());
        let mut entries = entries(&bytes).with_context(unknown)?;
        entries.retain(|entry| all.iter().all(|known| known.package != entry.package));
        all.extend(entries);
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
        let published = line.pubtime.map(|time| time.to_zoned(TimeZone::UTC).date());
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
            let found = match range.expand(&all) {
                Err(why) => why,
                Ok((found, none)) => {
                    let found = found.iter().map(|release| release.version.to_string());
                    let none = none.iter().map(|end| format!("(none of {end})"));
                    found.chain(none).collect::<Vec<_>>().join(" ")
                }
            };
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn series_give_the_newest_release_of_each() {
        check(
            RUSTLS,
            &[
                ("0.21..0.23", "0.21.12 0.22.4 0.23.31"),
                ("0.21..0.24", "0.21.12 0.22.4 0.23.31 (none of 0.24)"),
                ("0.22..", "0.22.4 0.23.31"),
                ("..0.20", "0.19.1 0.20.9"),
                ("..", "0.19.1 0.20.9 0.21.12 0.22.4 0.23.31"),
                ("0.22", "0.22.4"),
                ("0", "0.19.1 0.20.9 0.21.12 0.22.4 0.23.31"),
                ("0.24", "(none of 0.24)"),
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
        let (every, _) = Range::EVERY.expand(&releases(RUSTLS)).expect("all");
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

    #[test]
    fn invalid_ranges_are_errors() {
        let missing = "there is no release";
        for (range, near) in [
            ("0.25..", "0.25 to build here; nearby: 0.23.29 and 0.23.31"),
            (
                "0.22..0.23.30-x",
                "0.23.30-x to build here; nearby: 0.23.28, 0.23.29 and 0.23.31",
            ),
            (
                "0.21.13",
                "0.21.13 to build here; nearby: 0.21.11, 0.21.12, 0.22.3 and 0.22.4",
            ),
            ("x..", "x to build here; nearby: 0.19.1 and 0.20.8"),
        ] {
            check(RUSTLS, &[(range, &format!("{missing} {near}"))]);
        }
        check(RUSTLS, &[("0.23..0.22", "it ends before it begins")]);
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
