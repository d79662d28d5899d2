//! Ranges of releases: `0.21..0.24`, `0.23.15..0.23.46`, `3.2..`.

use crate::model::version::Version;
use jiff::civil::Date;

/// One version of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageVersion {
    pub(crate) version: String,
    pub(crate) published: Option<Date>,
    pub(crate) yanked: bool,
}

/// A release, as listed in the index of its package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) version: Version,
    /// Release day, if known.
    pub(crate) released: Option<Date>,
    /// Whether its authors have yanked it.
    pub(crate) yanked: bool,
    /// Whether a runner supports it.
    pub(crate) measurable: bool,
    /// The version of its package, if looked up in the index.
    pub(crate) package: Option<String>,
}

/// A range of releases. Both ends are inclusive, and either may be open.
///
/// An end is a release, `0.23.15` or `1.1.1k`, or a series: `0.23`, or `1.1.1` where patches are
/// letters. Between two series the range selects the newest release of each; if either end is a
/// release, it selects every release in between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    from: Option<Version>,
    to: Option<Version>,
    /// Selects every release, whatever the ends are.
    every: bool,
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
    /// The range of all releases.
    pub(crate) fn every() -> Self {
        Self {
            every: true,
            ..Self::default()
        }
    }

    /// Parses `A..B`, `A..`, `..B`, or a series; `None` for a release.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let end = |text: &str| (!text.is_empty()).then(|| Version::from(text));
        if let Some((from, to)) = text.split_once("..") {
            return Some(Self {
                from: end(from),
                to: end(to),
                every: false,
            });
        }
        let is_series = text.split('.').count() < 3 && text.split('.').all(is_number);
        is_series.then(|| Self {
            from: end(text),
            to: end(text),
            every: false,
        })
    }

    /// Its ends, where it has any.
    pub(crate) fn ends(&self) -> impl Iterator<Item = &Version> {
        self.from.iter().chain(&self.to)
    }

    /// Selects the releases of the range from `all`, which must be sorted. Leaves out yanked
    /// releases and pre-releases unless an end names them.
    ///
    /// # Errors
    /// Says why the range is invalid or empty.
    pub(crate) fn expand(
        &self,
        all: &[Release],
        newest: Option<usize>,
    ) -> Result<Expansion, String> {
        if self.from.is_some() && self.to.is_some() && self.from > self.to {
            return Err("it ends before it begins".to_owned());
        }
        let is_series = |end: &Version| is_series(end, all);
        let is_at = |r: &Release, end: &Version| match is_series(end) {
            true => r.version.numbers().starts_with(&end.numbers()),
            false => r.version == *end,
        };
        for end in self.ends() {
            if !all.iter().any(|r| is_at(r, end)) {
                return Err(format!("there is no release {end}"));
            }
        }
        let names = |end: &Version, r: &Release| !is_series(end) && *end == r.version;
        let is_eligible = |r: &&Release| {
            let is_final = !r.yanked && !r.version.is_pre_release();
            is_final || self.ends().any(|end| names(end, r))
        };
        let is_inside = |r: &&Release| {
            let after = |end: &Version| r.version >= *end || is_at(r, end);
            let before = |end: &Version| r.version <= *end || is_at(r, end);
            self.from.as_ref().is_none_or(after) && self.to.as_ref().is_none_or(before)
        };
        let inside: Vec<&Release> = all.iter().filter(is_inside).filter(is_eligible).collect();
        let every = self.every || self.ends().any(|end| !is_series(end));
        let mut found = match every {
            true => every_release(&inside),
            false => newest_of_each_series(&inside, all),
        };
        let is_empty = |end: &&Version| !inside.iter().any(|r| is_at(r, end));
        found.unreleased = self.ends().filter(is_empty).cloned().collect();
        found.unreleased.dedup();
        if let Some(newest) = newest {
            let before = found.releases.len().saturating_sub(newest);
            found.releases.drain(..before);
            let oldest = found.releases.first().map(|r| r.version.clone());
            found
                .unmeasured
                .retain(|v| oldest.as_ref().is_none_or(|oldest| v > oldest));
        }
        match found.releases.is_empty() {
            true => Err("no runner supports any of its releases".to_owned()),
            false => Ok(found),
        }
    }
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
        let newest = series.iter().rposition(|r| r.measurable);
        let newer = newest.map_or(series.len().saturating_sub(1), |at| at + 1);
        found.releases.extend(newest.map(|at| series[at].clone()));
        let unmeasured = series[newer..].iter();
        found
            .unmeasured
            .extend(unmeasured.map(|r| r.version.clone()));
    }
    found
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Whether an end names a series: one or two numbers, or three where patches are letters.
fn is_series(end: &Version, all: &[Release]) -> bool {
    end.as_str().split('.').all(is_number)
        && (end.numbers().len() < 3 || has_letters(&end.numbers(), all))
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
    let has_letter =
        |version: &Version| version.as_str().ends_with(|c: char| c.is_ascii_lowercase());
    let is_one = |r: &Release| has_letter(&r.version) && r.version.numbers() == numbers;
    numbers.len() == 3 && all.iter().any(is_one)
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
        let range = Range::parse(range).unwrap_or(Range::every());
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
            ("0.25..", "there is no release 0.25"),
            ("0.23.28..0.23.99", "there is no release 0.23.99"),
            ("0.23..0.22", "it ends before it begins"),
            ("0.19", "no runner supports any of its releases"),
            ("0.24", "no runner supports any of its releases"),
            ("x..", "there is no release x"),
        ] {
            assert_eq!(expand(range, RUSTLS, None), expected, "{range}");
        }
    }
}
