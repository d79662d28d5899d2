//! Versions of libraries, in the order of their releases.

use std::cmp::Ordering;
use std::fmt;

/// A release, a date or a commit, as its source writes it; empty if the source has none.
///
/// The order is that of the releases: `3.5.0-beta1` before `3.5.0`, `1.1.1` before `1.1.1w`,
/// `0.9` before `0.10`. Build metadata breaks ties, then the text itself, so that only equal texts
/// are equal. Commits and names come before numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version(String);

/// A part of a version. The order of the variants puts a pre-release before the release, and a
/// release before its patches.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum VersionPart<'a> {
    PreRelease(&'a str),
    End,
    Word(&'a str),
    /// Digits without leading zeros; the longer number is the greater.
    Number(usize, &'a str),
}

/// Words that mark a pre-release even without a `-` before them, as in `1.22rc1`.
const PRE_RELEASES: &[&str] = &["alpha", "beta", "dev", "pre", "rc"];

impl Version {
    /// Returns the text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn release_and_build(&self) -> (&str, &str) {
        self.0.split_once('+').unwrap_or((&self.0, ""))
    }

    /// Returns it for readers: `boring 5.4.0` for `boring-5.4.0`, which is a version of that crate.
    pub fn words(&self) -> String {
        match self.0.split_once('-') {
            Some((name, number))
                if !name.is_empty()
                    && name.chars().all(|c| c.is_ascii_lowercase())
                    && number.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                format!("{name} {number}")
            }
            _ => self.0.clone(),
        }
    }

    /// Compares only releases: builds of one release are equal, and so are commits, which have no
    /// order.
    pub fn cmp_release(&self, other: &Self) -> Ordering {
        let [(one, _), (two, _)] = [self, other].map(Self::release_and_build);
        match is_commit(one) && is_commit(two) {
            true => Ordering::Equal,
            false => parts(one).cmp(parts(two)),
        }
    }

    /// Returns the leading numbers: 0, 23 and 43 of `0.23.43`, three ones of `1.1.1w`.
    pub fn numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        for part in self.0.trim_start_matches('v').split('.') {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            let Ok(number) = part[..part.len() - rest.len()].parse() else {
                break;
            };
            numbers.push(number);
            if !rest.is_empty() {
                break;
            }
        }
        numbers
    }

    /// Whether it is a commit called by its time, `2024-01-22.0433+b2580df`: a release like any
    /// other on its branch.
    pub fn is_on_branch(&self) -> bool {
        self.branch_day().is_some()
    }

    /// Returns the day in UTC of a commit that is called by its time.
    pub fn branch_day(&self) -> Option<&str> {
        let (time, commit) = self.0.split_once('+')?;
        let shape = time.replace(|c: char| c.is_ascii_digit(), "0");
        (shape == "0000-00-00.0000" && is_revision(commit)).then(|| &time[..10])
    }

    /// Whether it is no final release, which is shown, but never ranked, a headline or the newest:
    /// a pre-release (`3.5.0-beta1`, `0.24.0-dev.2`), or what `generator run` built from sources
    /// (`0.23.46+6868ee8`, `local`). A commit alone may be all that a library has instead of
    /// releases.
    pub fn is_pre_release(&self) -> bool {
        let (release, build) = self.release_and_build();
        let is_local = |text: &str| text.ends_with(".dirty") || text == "local";
        is_revision(build) && !self.is_on_branch()
            || [release, build].into_iter().any(is_local)
            || parts(release).any(|part| matches!(part, VersionPart::PreRelease(_)))
    }

    /// Whether the source has no version.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Into<String>> From<T> for Version {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let [one, two] = [self, other].map(Self::release_and_build);
        parts(one.0)
            .cmp(parts(two.0))
            .then_with(|| parts(one.1).cmp(parts(two.1)))
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn parts(text: &str) -> impl Iterator<Item = VersionPart<'_>> {
    let text = match text.strip_prefix('v') {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => number,
        _ => text,
    };
    let mut rest = text;
    let parts = std::iter::from_fn(move || {
        let trimmed = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = trimmed.chars().next()?;
        let is_first = trimmed.len() == text.len();
        let separator = rest.chars().next();
        let is_digit = |c: char| c.is_ascii_digit();
        let end = if is_first && is_commit(trimmed) {
            trimmed.len()
        } else {
            let ends = |c: char| !c.is_alphanumeric() || is_digit(c) != is_digit(first);
            trimmed.find(ends).unwrap_or(trimmed.len())
        };
        let part;
        (part, rest) = trimmed.split_at(end);
        Some(if part.chars().all(is_digit) {
            let digits = part.trim_start_matches('0');
            VersionPart::Number(digits.len(), digits)
        } else if !is_first
            && (matches!(separator, Some('-' | '~'))
                || PRE_RELEASES.iter().any(|w| part.eq_ignore_ascii_case(w)))
        {
            VersionPart::PreRelease(part)
        } else {
            VersionPart::Word(part)
        })
    });
    parts.chain([VersionPart::End])
}

/// Whether text is the start of a commit's id.
fn is_revision(text: &str) -> bool {
    text.len() == 7 && text.chars().all(|c| c.is_ascii_hexdigit())
}

/// Whether text is a hexadecimal commit, which is not a number even if it starts with digits.
fn is_commit(text: &str) -> bool {
    text.len() >= 7
        && text.chars().all(|c| c.is_ascii_hexdigit())
        && !text.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_in_order() {
        for ordered in [
            &["0.9", "0.9.0", "0.10", "0.10.0", "1.0"][..],
            &["0.23.9", "0.24.0-dev.2", "0.24.0-dev.10", "0.24.0"],
            &["3.5.0-alpha1", "3.5.0-beta1", "3.5.0-rc2", "3.5.0", "3.5.1"],
            &[
                "1.0.2k",
                "1.1.0",
                "1.1.1-pre9",
                "1.1.1",
                "1.1.1a",
                "1.1.1w",
                "1.1.2",
            ],
            &["0.9.8z", "0.9.8za", "0.9.8zh", "1.0.0"],
            &["1.21", "1.22rc1", "1.22rc2", "1.22", "1.22.1"],
            &["v0.9", "0.10", "v0.11"],
            &["2023-12-31", "2024-01-01", "2024-10-18"],
            &["20250701", "20260101"],
            &[
                "",
                "30cd935",
                "76968bb3",
                "boring-5.4.0",
                "r0",
                "r9",
                "r10",
                "0.20250701.0",
            ],
            &[
                "300.5.0+3.5.1",
                "300.5.1",
                "300.5.1+3.5.1",
                "300.5.1+3.5.10",
                "300.5.2",
            ],
            &["1.18446744073709551615", "1.18446744073709551616"],
            &["1.02", "1.2", "1.03"],
            &[
                "0.24.0-dev.2",
                "0.24.0-dev.2+6868ee8",
                "0.24.0-dev.3",
                "0.24.0+0b58ca1",
                "0.24.1",
            ],
        ] {
            let versions: Vec<Version> = ordered.iter().copied().map(Version::from).collect();
            for (i, a) in versions.iter().enumerate() {
                for (j, b) in versions.iter().enumerate() {
                    assert_eq!(a.cmp(b), i.cmp(&j), "{a} and {b}");
                }
            }
        }
    }

    #[test]
    fn numbers_and_pre_releases() {
        for (text, numbers, is_pre_release) in [
            ("0.23.43", &[0, 23, 43][..], false),
            ("v1.1.1w", &[1, 1, 1], false),
            ("0.24.0-dev.2+6868ee8", &[0, 24, 0], true),
            ("0.24.0+6868ee8", &[0, 24, 0], true),
            ("0.24.0+1234567.dirty", &[0, 24, 0], true),
            ("0.24.0+local", &[0, 24, 0], true),
            ("0.24.0+quic", &[0, 24, 0], false),
            ("2024-01-22.0433+b2580df", &[2024], false),
            ("2024-01-22.0433+b2580df.dirty", &[2024], true),
            ("local", &[], true),
            ("fd68ee8", &[], false),
            ("1.22rc1", &[1, 22], true),
            ("boring-5.4.0", &[], false),
            ("", &[], false),
        ] {
            let version = Version::from(text);
            assert_eq!(version.numbers(), numbers, "{text}");
            assert_eq!(version.is_pre_release(), is_pre_release, "{text}");
        }
    }

    #[test]
    fn versions_of_a_crate_in_words() {
        for (text, words) in [
            ("boring-5.4.0", "boring 5.4.0"),
            ("0.24.0-dev.2", "0.24.0-dev.2"),
            ("v0.1-2", "v0.1-2"),
            ("30cd935", "30cd935"),
            ("ssl-writev", "ssl-writev"),
            ("", ""),
        ] {
            assert_eq!(Version::from(text).words(), words);
        }
    }
}
