//! Releases, and ranges of them: `0.23.46`, `0.21..0.24`, `0.23.15..0.23.46`, `3.2..`.

use crate::base::words::join;
use crate::model::version::Version;
use jiff::civil::Date;

/// A release of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) version: Version,
    /// Release day, if known.
    pub(crate) released: Option<Date>,
    /// Whether its authors have yanked it.
    pub(crate) yanked: bool,
    /// Whether a runner supports it.
    pub(crate) measurable: bool,
    /// The version of the package that has it.
    pub(crate) package: String,
}

/// Selects releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    Every,
    Exactly(Version),
    /// Both ends are inclusive, and either may be open. An end is a release, `0.23.15` or `1.1.1k`,
    /// or a series: `0.23`, or `1.1.1` where patches are letters. Between two series the range
    /// selects the newest release of each; if either end is a release, every release in between.
    Between(Option<Version>, Option<Version>),
}

/// The releases of a range, oldest first, and those left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Expansion {
    pub(crate) releases: Vec<Release>,
    /// Releases in the range that no runner supports.
    pub(crate) unmeasured: Vec<Version>,
    /// Ends that have only yanked releases and pre-releases.
    pub(crate) unreleased: Vec<Version>,
}

impl Range {
    /// Parses a release, a series, `A..B`, `A..` or `..B`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let end = |text: &str| (!text.is_empty()).then(|| Version::from(text));
        if let Some((from, to)) = text.split_once("..") {
            return Some(Self::Between(end(from), end(to)));
        }
        let number = text.strip_prefix('v').unwrap_or(text);
        if numbers(number).is_some() {
            return Some(Self::Exactly(number.into()));
        }
        let is_series = text.split('.').count() < 3 && is_numeric(text);
        is_series.then(|| Self::Between(end(text), end(text)))
    }

    /// Selects releases from `all`, which must be sorted, and of them only the `newest` if given.
    /// Leaves out yanked releases and pre-releases unless the range names them.
    ///
    /// # Errors
    /// Says why the range is invalid or empty.
    pub(crate) fn expand(
        &self,
        all: &[Release],
        newest: Option<usize>,
    ) -> Result<Expansion, String> {
        let (from, to) = match self {
            Self::Every => (None, None),
            Self::Exactly(version) => (Some(version), Some(version)),
            Self::Between(from, to) => (from.as_ref(), to.as_ref()),
        };
        if all.is_empty() {
            return Err("no release is known".to_owned());
        }
        if from.is_some() && to.is_some() && from > to {
            return Err("it ends before it begins".to_owned());
        }
        let is_series = |end: &Version| !matches!(self, Self::Exactly(_)) && is_series(end, all);
        let is_at = |release: &Release, end: &Version| match is_series(end) {
            true => release.version.numbers().starts_with(&end.numbers()),
            false => release.version == *end,
        };
        let ends = || from.into_iter().chain(to);
        if let Some(end) = ends().find(|end| !all.iter().any(|r| is_at(r, end))) {
            return Err(missing(end, all));
        }
        let mut inside = Vec::new();
        for release in all {
            let is_named = ends().any(|end| !is_series(end) && *end == release.version);
            let is_after = from.is_none_or(|end| release.version >= *end || is_at(release, end));
            let is_before = to.is_none_or(|end| release.version <= *end || is_at(release, end));
            if is_after && is_before && (is_named || release.is_final()) {
                inside.push(release);
            }
        }
        let mut found = match *self == Self::Every || ends().any(|end| !is_series(end)) {
            true => every_release(&inside),
            false => newest_of_each_series(&inside, all),
        };
        let is_empty = |end: &&Version| !inside.iter().any(|release| is_at(release, end));
        found.unreleased = ends().filter(is_empty).cloned().collect();
        found.unreleased.dedup();
        let older = found
            .releases
            .len()
            .saturating_sub(newest.unwrap_or(usize::MAX));
        found.releases.drain(..older);
        match found.releases.first() {
            None => return Err("no runner supports any of its releases".to_owned()),
            Some(oldest) if newest.is_some() => found.unmeasured.retain(|v| *v > oldest.version),
            Some(_) => {}
        }
        Ok(found)
    }
}

impl Release {
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

fn every_release(inside: &[&Release]) -> Expansion {
    let mut found = Expansion::default();
    for release in inside {
        match release.measurable {
            true => found.releases.push((*release).clone()),
            false => found.unmeasured.push(release.version.clone()),
        }
    }
    found
}

/// Selects the newest measurable release of each series. Lists newer ones as unmeasured, and the
/// newest of a series without a measurable release.
fn newest_of_each_series(inside: &[&Release], all: &[Release]) -> Expansion {
    let mut found = Expansion::default();
    for series in inside.chunk_by(|a, b| series(a, all) == series(b, all)) {
        let newest = series.iter().rposition(|release| release.measurable);
        let newer = newest.map_or(series.len() - 1, |at| at + 1);
        found.releases.extend(newest.map(|at| series[at].clone()));
        let newer = series[newer..].iter();
        found.unmeasured.extend(newer.map(|r| r.version.clone()));
    }
    found
}

/// Whether text is numbers with dots between them.
fn is_numeric(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split('.').all(is_number)
}

/// Whether an end names a series: one or two numbers, or three where patches are letters.
fn is_series(end: &Version, all: &[Release]) -> bool {
    let numbers = end.numbers();
    is_numeric(end.as_str()) && (numbers.len() < 3 || has_letters(&numbers, all))
}

/// The version numbers that all releases of a release's series share.
fn series(release: &Release, all: &[Release]) -> Vec<u64> {
    let mut numbers = release.version.numbers();
    if !has_letters(&numbers, all) {
        numbers.truncate(2);
    }
    numbers
}

/// Whether patches of these numbers are letters: 1.1.1w.
fn has_letters(numbers: &[u64], all: &[Release]) -> bool {
    let is_patch = |release: &Release| {
        let text = release.version.as_str();
        text.ends_with(|c: char| c.is_ascii_lowercase()) && release.version.numbers() == numbers
    };
    numbers.len() == 3 && all.iter().any(is_patch)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorted releases: `-` marks yanked ones, `!` those without a runner.
    fn releases(text: &str) -> Vec<Release> {
        let release = |word: &str| Release {
            version: word.trim_start_matches(['-', '!']).into(),
            yanked: word.starts_with('-'),
            measurable: !word.starts_with('!'),
            ..Release::default()
        };
        text.split(' ').map(release).collect()
    }

    const RUSTLS: &str = "!0.19.1 0.20.8 0.20.9 0.21.0-alpha.1 0.21.0 0.21.11 0.21.12 !0.22.0 0.22.3 0.22.4 0.23.28 0.23.29 -0.23.30 0.23.31 0.24.0-dev.1 0.24.0-dev.2";
    const OPENSSL: &str = "!1.1.0 !1.1.0l 1.1.1 1.1.1k -1.1.1r 1.1.1w 3.0.7 3.0.8 3.1.4 !3.2.0 3.2.1 !3.2.2 4.0.1 4.0.3";

    fn expand(range: &str, all: &str, newest: Option<usize>) -> String {
        let range = Range::parse(range).unwrap_or(Range::Every);
        match range.expand(&releases(all), newest) {
            Err(why) => why,
            Ok(found) => {
                let join = |versions: Vec<&Version>| {
                    let texts: Vec<&str> = versions.iter().map(|v| v.as_str()).collect();
                    texts.join(" ")
                };
                let mut text = join(found.releases.iter().map(|r| &r.version).collect());
                if !found.unmeasured.is_empty() {
                    text += &format!(" (not {})", join(found.unmeasured.iter().collect()));
                }
                if !found.unreleased.is_empty() {
                    text += &format!(" (none of {})", join(found.unreleased.iter().collect()));
                }
                text
            }
        }
    }

    #[test]
    fn series_give_the_newest_release_of_each() {
        for (range, expected) in [
            ("0.21..0.23", "0.21.12 0.22.4 0.23.31"),
            ("0.21..0.24", "0.21.12 0.22.4 0.23.31 (none of 0.24)"),
            ("0.22..", "0.22.4 0.23.31"),
            ("..0.21", "0.20.9 0.21.12 (not 0.19.1)"),
            ("..", "0.20.9 0.21.12 0.22.4 0.23.31 (not 0.19.1)"),
            ("0.22", "0.22.4"),
            ("0", "0.20.9 0.21.12 0.22.4 0.23.31 (not 0.19.1)"),
        ] {
            assert_eq!(expand(range, RUSTLS, None), expected, "{range}");
        }
    }

    #[test]
    fn a_release_as_an_end_gives_every_release() {
        for (range, expected) in [
            ("0.23.28..0.23.31", "0.23.28 0.23.29 0.23.31"),
            ("0.22.0..0.22.4", "0.22.3 0.22.4 (not 0.22.0)"),
            ("0.22..0.23.28", "0.22.3 0.22.4 0.23.28 (not 0.22.0)"),
            ("0.23.29..", "0.23.29 0.23.31"),
            // Ends are included even if yanked or pre-releases.
            ("0.23.30..0.23.31", "0.23.30 0.23.31"),
            ("0.23.31..0.24.0-dev.1", "0.23.31 0.24.0-dev.1"),
        ] {
            assert_eq!(expand(range, RUSTLS, None), expected, "{range}");
        }
    }

    #[test]
    fn letters_are_patches() {
        for (range, expected) in [
            ("1.1.1..4.0", "1.1.1w 3.0.8 3.1.4 3.2.1 4.0.3 (not 3.2.2)"),
            ("1.1.1..3.0", "1.1.1w 3.0.8"),
            ("1.1..3.0", "1.1.1w 3.0.8 (not 1.1.0l)"),
            ("..1.1.1", "1.1.1w (not 1.1.0l)"),
            ("1.1.1k..1.1.1w", "1.1.1k 1.1.1w"),
            ("1.1.1..1.1.1w", "1.1.1 1.1.1k 1.1.1w"),
            ("3..4", "3.0.8 3.1.4 3.2.1 4.0.3 (not 3.2.2)"),
        ] {
            assert_eq!(expand(range, OPENSSL, None), expected, "{range}");
        }
    }

    #[test]
    fn a_release_is_that_one() {
        for (release, expected) in [
            ("1.1.1", "1.1.1"),
            ("1.1.1w", "1.1.1w"),
            ("v3.0.7", "3.0.7"),
            ("1.1.1r", "1.1.1r"),
            ("3.2.2", "no runner supports any of its releases"),
        ] {
            assert_eq!(expand(release, OPENSSL, None), expected, "{release}");
        }
        assert_eq!(expand("0.24.0-dev.1", RUSTLS, None), "0.24.0-dev.1");
    }

    #[test]
    fn newest_limits_the_number() {
        assert_eq!(expand("0.21..", RUSTLS, Some(2)), "0.22.4 0.23.31");
        assert_eq!(expand("rustls", RUSTLS, Some(3)), "0.23.28 0.23.29 0.23.31");
        assert_eq!(
            expand("openssl", OPENSSL, Some(3)),
            "3.2.1 4.0.1 4.0.3 (not 3.2.2)"
        );
        assert_eq!(expand("0.22", RUSTLS, Some(9)), "0.22.4");
    }

    #[test]
    fn invalid_and_empty_ranges_are_errors() {
        for (range, expected) in [
            (
                "0.25..",
                "there is no release 0.25 to build here; nearby: 0.23.29 and 0.23.31",
            ),
            (
                "0.22..0.23.30-x",
                "there is no release 0.23.30-x to build here; nearby: 0.23.28, 0.23.29 and 0.23.31",
            ),
            (
                "0.21.13",
                "there is no release 0.21.13 to build here; nearby: 0.21.11, 0.21.12, 0.22.0 and 0.22.3",
            ),
            ("0.23..0.22", "it ends before it begins"),
            ("0.19", "no runner supports any of its releases"),
            ("0.24", "no runner supports any of its releases"),
            (
                "x..",
                "there is no release x to build here; nearby: 0.19.1 and 0.20.8",
            ),
        ] {
            assert_eq!(expand(range, RUSTLS, None), expected, "{range}");
        }
    }
}
