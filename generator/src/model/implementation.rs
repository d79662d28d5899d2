//! Implementations: a TLS library, its version, and the variant of its build.

use crate::model::version::Version;
use std::fmt;

/// A TLS library: name, version, and how it was built.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Implementation {
    /// As its authors write it: `rustls`, `OpenSSL`, `BoringSSL`.
    pub name: String,
    /// Release or commit; empty if the source has none.
    pub version: Version,
    /// Provider, compiler, allocator … in the order of the source.
    pub variant: Vec<String>,
}

/// Names in folders and commands, with the spelling of the library's authors.
const KNOWN: &[(&str, &str)] = &[
    ("rustls", "rustls"),
    ("openssl", "OpenSSL"),
    ("boringssl", "BoringSSL"),
    ("aws-lc", "AWS-LC"),
    ("awslc", "AWS-LC"),
    ("s2n-tls", "s2n-tls"),
    ("s2n", "s2n-tls"),
    ("gnutls", "GnuTLS"),
    ("libressl", "LibreSSL"),
    ("mbedtls", "Mbed TLS"),
    ("nss", "NSS"),
    ("wolfssl", "wolfSSL"),
    ("botan", "Botan"),
];

/// The part of a variant that marks a control: the same program measured again, to show by how much
/// two measurements of one program differ.
const CONTROL: &str = "control";

/// Words in file and folder names that say nothing about the implementation.
const NOISE: &str = " bench benchmark data log out output outputs raw result results ";

impl Implementation {
    /// Creates an implementation. Known names get the spelling of their authors, and parts of the
    /// variant may be joined with `+`.
    pub fn new(name: &str, version: &str, variant: &[&str]) -> Self {
        let parts = variant.iter().flat_map(|joined| variant_parts(joined));
        Self {
            name: proper_name(name).unwrap_or(name).to_owned(),
            version: version.into(),
            variant: parts.map(str::to_owned).collect(),
        }
    }

    /// Parses the name of one folder or file, such as `rustls_0.22.0_aws-lc_gcc_jemalloc`,
    /// `aws-lc_1.17.4_output` or `openssl-bench-2024-openssl-3.0.22`. `None` if it names no
    /// library, as `output_1`.
    pub fn from_file_name(file_name: &str) -> Option<Self> {
        let stem = strip_extension(file_name);
        from_underscores(stem).or_else(|| from_anywhere(stem))
    }

    /// Parses a table's heading: `OpenSSL 3.6.1`, `rustls 0.22.0, aws-lc, jemalloc`,
    /// `Rustls (0.22.0, aws-lc_gcc, jemalloc)`, `OpenSSL`.
    pub fn from_heading(heading: &str) -> Self {
        let flat = heading.trim().replace(" (", " ").replace(')', "");
        let parts = flat.split([',', '_']).map(str::trim);
        let mut parts = parts.filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default();
        let (name, version) = match first.rsplit_once(' ') {
            Some((name, version)) if is_version(version) => (name, version),
            _ => (first, ""),
        };
        Self::new(name, version, &parts.collect::<Vec<_>>())
    }

    /// Returns the same implementation as a control.
    pub fn control(&self) -> Self {
        let mut control = self.clone();
        control.variant.push(CONTROL.to_owned());
        control
    }

    /// Returns the implementation that this is a control of; `None` if it is no control.
    pub fn controlled(&self) -> Option<Self> {
        let mut controlled = self.clone();
        controlled.variant.retain(|part| part != CONTROL);
        (controlled != *self).then_some(controlled)
    }

    /// How it is named on the command line: `rustls@0.23.46+ring`.
    pub fn selector(&self) -> String {
        let release = match self.version.is_empty() {
            true => self.name.clone(),
            false => format!("{}@{}", self.name, self.version),
        };
        [&[release], &*self.variant].concat().join("+")
    }

    /// Returns name and version, `rustls 0.23.43` or `BoringSSL (boring 5.4.0)`, or only the name.
    pub fn release(&self) -> String {
        match self.version.words() {
            words if words.is_empty() => self.name.clone(),
            words if words == self.version.as_str() => format!("{} {words}", self.name),
            words => format!("{} ({words})", self.name),
        }
    }

    /// Whether both are the same library and release.
    pub fn is_release(&self, other: &Self) -> bool {
        self.name == other.name && self.version == other.version
    }

    /// Whether a text names this implementation, however it is written: `rustls 0.22.0, aws-lc`,
    /// `rustls@0.22.0+aws-lc`, `rustls_0.22.0`. False if parts of the variant, or version and variant, are missing;
    /// `None` if it names another.
    pub fn is_named(&self, text: &str) -> Option<bool> {
        let wanted = words(text);
        let name = words(&self.name).concat();
        let end = (1..=wanted.len()).find(|end| wanted[..*end].concat() == name)?;
        let rest = &wanted[end..];
        let versions = [words(self.version.as_str()), words(&self.version.words())];
        let found = versions
            .iter()
            .find_map(|version| rest.strip_prefix(&**version));
        let (rest, variant) = (found.unwrap_or(rest), words(&self.variant.join(" ")));
        let is_part = rest.iter().all(|word| variant.contains(word));
        is_part.then(|| found.is_some() && rest.len() == variant.len())
    }
}

/// The words of a name, without what stands between them. Two pluses are a part of a word, as in `g++`.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace("++", "⧺");
    let words = text.split([' ', ',', '@', '+', '_', '(', ')']);
    let words = words.filter(|word| !word.is_empty());
    words.map(ToOwned::to_owned).collect()
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.release())?;
        self.variant.iter().try_for_each(|v| write!(f, ", {v}"))
    }
}

/// Splits a variant joined with `+`: `ring+jemalloc`. A word may have two pluses: `c++17` is one, and
/// `g+++jemalloc` is `g++` and `jemalloc`.
fn variant_parts(joined: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in joined.match_indices('+') {
        let (before, behind) = (&joined[start..at], &joined[at + 1..]);
        let is_between = !before.is_empty() && !behind.is_empty() && !behind.starts_with('+');
        if is_between && (before.ends_with("++") || !before.ends_with('+')) {
            parts.push(before);
            start = at + 1;
        }
    }
    parts.extend(Some(&joined[start..]).filter(|last| !last.is_empty()));
    parts
}

fn proper_name(name: &str) -> Option<&'static str> {
    let is_name = |(key, proper): &&(&str, &str)| {
        key.eq_ignore_ascii_case(name) || proper.eq_ignore_ascii_case(name)
    };
    KNOWN.iter().find(is_name).map(|known| known.1)
}

/// Parses `name_version_variant_variant`, if the version has a dot or the name is known.
fn from_underscores(stem: &str) -> Option<Implementation> {
    let mut parts = stem.split('_');
    let name = parts.next()?;
    let is_known = proper_name(name).is_some();
    let parts: Vec<&str> = parts
        .filter(|p| !NOISE.contains(&format!(" {p} ")))
        .collect();
    let is_number = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    let (version, variant) = match parts.as_slice() {
        // OpenSSL's tags up to 1.1.1: `OpenSSL_1_1_1w`.
        [major, minor, patch, rest @ ..]
            if is_known
                && [major, minor].into_iter().all(is_number)
                && patch.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            (format!("{major}.{minor}.{patch}"), rest)
        }
        [first, rest @ ..] if is_version(first) && (is_known || first.contains('.')) => {
            (first.trim_start_matches('v').to_owned(), rest)
        }
        all if is_known => (String::new(), all),
        _ => return None,
    };
    let starts_with_letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
    starts_with_letter.then(|| Implementation::new(name, &version, variant))
}

/// Finds a known name followed by a separator and a version with a dot, anywhere in the text. The
/// last such pair counts, because `openssl-bench-2024-openssl-3.0.22` starts with the tool.
fn from_anywhere(stem: &str) -> Option<Implementation> {
    let lower = stem.to_ascii_lowercase();
    let mut found = None;
    for (key, _) in KNOWN {
        for (at, _) in lower.match_indices(key) {
            let is_word = !lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let after = &stem[at + key.len()..];
            let after = after.strip_prefix("-bench").unwrap_or(after);
            let after = after.strip_prefix(['-', '_', ' ', '@']).unwrap_or_default();
            let version = after.split(['_', ' ', '-', '+']).next().unwrap_or_default();
            if is_word && version.contains('.') && is_version(version) {
                found = found.max(Some((at, key.len(), *key, version)));
            }
        }
    }
    let (.., name, version) = found?;
    Some(Implementation::new(
        name,
        version.trim_start_matches('v'),
        &[],
    ))
}

/// Whether text is a release (`0.23.43`, `v3.5.1-beta1`, `20250701`) or a commit (`30cd935`).
fn is_version(text: &str) -> bool {
    let number = text.strip_prefix('v').unwrap_or(text);
    let release = number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b".-+~".contains(&b));
    let commit = text.len() >= 7 && text.chars().all(|c| c.is_ascii_hexdigit());
    release || commit
}

fn strip_extension(name: &str) -> &str {
    const EXTENSIONS: &[&str] = &[
        ".txt", ".tsv", ".csv", ".log", ".hlog", ".out", ".md", ".json",
    ];
    let stem = EXTENSIONS.iter().find_map(|e| name.strip_suffix(e));
    stem.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_and_files() {
        for (file, expected) in [
            (
                "rustls_0.22.0_aws-lc_gcc_jemalloc",
                "rustls 0.22.0, aws-lc, gcc, jemalloc",
            ),
            ("openssl_3.2.0_clang", "OpenSSL 3.2.0, clang"),
            ("aws-lc_1.17.4_output", "AWS-LC 1.17.4"),
            ("boringssl_30cd935", "BoringSSL 30cd935"),
            ("boringssl", "BoringSSL"),
            ("openssl-bench-2024-openssl-3.0.22", "OpenSSL 3.0.22"),
            ("rustls-bench-0.23.43", "rustls 0.23.43"),
            ("openssl_3.2.0_gcc.txt", "OpenSSL 3.2.0, gcc"),
            ("rustls_0.23.43.hlog", "rustls 0.23.43"),
            ("mytls_1.2.3_fast", "mytls 1.2.3, fast"),
        ] {
            let read = Implementation::from_file_name(file).map(|i| i.to_string());
            assert_eq!(read.as_deref(), Some(expected), "{file}");
        }
    }

    #[test]
    fn parts_of_a_variant() {
        for (joined, parts) in [
            ("", &[][..]),
            ("ring", &["ring"]),
            ("ring+jemalloc", &["ring", "jemalloc"]),
            ("g++", &["g++"]),
            ("g+++jemalloc", &["g++", "jemalloc"]),
            ("fips+clang++", &["fips", "clang++"]),
            ("c++17", &["c++17"]),
            ("clang++-14+c++17+lto", &["clang++-14", "c++17", "lto"]),
            ("+x", &["+x"]),
        ] {
            assert_eq!(variant_parts(joined), parts, "{joined}");
            assert_eq!(parts.join("+"), joined);
        }
    }

    #[test]
    fn names_without_a_library() {
        for file in [
            "output_1",
            "measure_2.txt",
            "threads.txt",
            "run-01.csv",
            "rustls-throughput",
            "rustls-bench-results",
            "memory",
        ] {
            assert_eq!(Implementation::from_file_name(file), None, "{file}");
        }
    }

    #[test]
    fn a_version_of_a_crate_is_found_as_written_and_as_shown() {
        let boringssl = Implementation::new("BoringSSL", "boring-5.4.0", &["static"]);
        assert_eq!(boringssl.to_string(), "BoringSSL (boring 5.4.0), static");
        for name in ["BoringSSL boring-5.4.0", "boringssl (boring 5.4.0)"] {
            assert_eq!(boringssl.is_named(&format!("{name}, static")), Some(true));
        }
    }

    #[test]
    fn names_in_part() {
        let build = Implementation::new("Mbed TLS", "3.6.0", &["clang++", "lto"]);
        for (text, expected) in [
            ("mbedtls@3.6.0+clang+++lto", Some(true)),
            ("Mbed TLS 3.6.0, lto", Some(false)),
            ("mbedtls_lto", Some(false)),
            ("MBEDTLS", Some(false)),
            ("mbedtls@3.6.0+clang", None),
            ("mbedtls 3.6", None),
            ("mbed", None),
            ("", None),
        ] {
            assert_eq!(build.is_named(text), expected, "{text}");
        }
    }

    #[test]
    fn headings() {
        for (heading, expected) in [
            ("OpenSSL 3.6.1", "OpenSSL 3.6.1"),
            ("rustls 0.23.37", "rustls 0.23.37"),
            ("BoringSSL 0.20250701.0", "BoringSSL 0.20250701.0"),
            (
                "Rustls (0.22.0, aws-lc_gcc, jemalloc)",
                "rustls 0.22.0, aws-lc, gcc, jemalloc",
            ),
            ("OpenSSL (3.2.0_gcc)", "OpenSSL 3.2.0, gcc"),
            ("OpenSSL (3.2.0)", "OpenSSL 3.2.0"),
            ("rustls 0.22.0, ring+gcc", "rustls 0.22.0, ring, gcc"),
            (
                "Rustls 0.22.0, aws-lc_gcc, jemalloc",
                "rustls 0.22.0, aws-lc, gcc, jemalloc",
            ),
            ("OpenSSL", "OpenSSL"),
            ("my library", "my library"),
        ] {
            assert_eq!(Implementation::from_heading(heading).to_string(), expected);
        }
    }
}
