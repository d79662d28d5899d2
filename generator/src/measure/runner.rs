//! The metadata of a runner, which says what it measures and how it is built: the table
//! `[package.metadata.runner]` of its `Cargo.toml`, or a `runner.toml` if cargo does not build it.

use super::cargo::CargoLock;
use super::go;
use super::read_toml;
use super::tree::Tree;
use crate::base::failure::Result;
use crate::files;
use crate::model::version::Version;
use semver::VersionReq;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::Path;

/// The metadata table of a runner. Unknown keys are errors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runner {
    /// Name of its folder.
    #[serde(skip)]
    pub(crate) folder: String,
    /// The release in its lock file.
    #[serde(skip)]
    pub(crate) locked: Option<Version>,
    /// Name in its rows: `OpenSSL`.
    pub(crate) implementation: String,
    /// Name on the command line: `openssl`. Several runners may share it if their releases differ.
    pub(crate) word: String,
    /// The releases that it can measure; all by default.
    pub(crate) releases: Option<VersionReq>,
    /// The package in the lock file whose version selects the release, the same in all runners of
    /// a word. Without one only the locked release can be measured.
    pub(crate) pin: Option<String>,
    /// Template of the package's version: `{major}00.{minor}.{patch}+{version}`. By default it
    /// equals the release.
    pub(crate) precise: Option<String>,
    /// Package versions of releases that do not follow the template.
    #[serde(default)]
    pub(crate) precisely: BTreeMap<String, String>,
    /// Features of every build of a release.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// Build of the system's library, if it can be measured.
    pub(crate) system: Option<Choice>,
    /// How unreleased sources are built, if they can be.
    pub(crate) tree: Option<Tree>,
    /// Crypto providers, the default first.
    #[serde(default, deserialize_with = "in_order")]
    pub(crate) variants: Vec<Choice>,
    /// Allocators, the default first. Without any, programs use the system's and do not name it.
    #[serde(default, deserialize_with = "in_order")]
    pub(crate) allocators: Vec<Choice>,
    /// Build requirements that cargo does not fetch.
    #[serde(default)]
    pub(crate) needs: Vec<Need>,
    /// Template of a release's URL, with `{version}`, `{major}`, `{minor}` and `{patch}`.
    pub(crate) url: Option<String>,
}

/// A crypto provider or allocator, with the cargo features that enable it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    /// Name on the command line, after the `+`.
    #[serde(skip)]
    pub(crate) word: String,
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// Releases that have it; all by default.
    pub(crate) releases: Option<VersionReq>,
}

/// A required tool, library or header, and the Debian package that has it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Need {
    /// A program in the `PATH`.
    pub(crate) command: Option<String>,
    /// A shared library: `libclang`.
    pub(crate) library: Option<String>,
    /// A C header: `openssl/ssl.h`.
    pub(crate) header: Option<String>,
    /// The Debian package to install.
    pub(crate) package: String,
    /// Applies only to this provider or allocator.
    pub(crate) variant: Option<String>,
    /// Applies only to builds with (true) or without (false) the system's library.
    pub(crate) system: Option<bool>,
}

/// Deserializes a table as a list, in the order of the file: the first entry is the default.
fn in_order<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Choice>, D::Error> {
    let choice = |(word, value): (String, toml::Value)| {
        let choice: Choice = value.try_into().map_err(D::Error::custom)?;
        Ok(Choice { word, ..choice })
    };
    let table = toml::Table::deserialize(source)?;
    table.into_iter().map(choice).collect()
}

#[derive(Deserialize)]
struct CargoToml {
    package: PackageTable,
}

#[derive(Deserialize)]
struct PackageTable {
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    runner: Option<Runner>,
}

impl Runner {
    /// Reads the runner of a folder; `None` if it has none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let cargo: Option<CargoToml> = read_toml(&folder.join("Cargo.toml"))?;
        let runner = match cargo {
            Some(cargo) => cargo.package.metadata.and_then(|metadata| metadata.runner),
            None => read_toml(&folder.join("runner.toml"))?,
        };
        let Some(mut runner): Option<Self> = runner else {
            return Ok(None);
        };
        runner.folder = files::file_name(folder);
        if runner.pin.as_deref() == Some(go::TOOLCHAIN) {
            runner.locked = go::locked(folder)?;
        } else if let Some(name) = &runner.pin {
            let lock: Option<CargoLock> = read_toml(&folder.join("Cargo.lock"))?;
            let packages = lock.iter().flat_map(|lock| &lock.package);
            let of_name = packages.filter(|p| p.name == *name);
            let releases = of_name.filter_map(|p| runner.release(&p.version));
            runner.locked = releases.filter(|release| runner.has(release)).max();
        }
        Ok(Some(runner))
    }

    /// All choices that may follow a `+`.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.variants.iter().chain(&self.allocators)
    }

    /// Whether it can measure this release by name.
    pub(crate) fn has(&self, release: &Version) -> bool {
        let is_named = |releases| is_one_of(releases, release);
        self.pin.is_some() && self.releases.as_ref().is_none_or(is_named)
    }

    /// Whether it can measure sources of a version, which may not be released yet.
    pub(crate) fn has_sources_of(&self, version: &Version) -> bool {
        let number = version.as_str().split('-').next().unwrap_or_default();
        self.has(version) || self.has(&number.into())
    }

    /// Returns the pinned package's version of a release.
    pub(crate) fn precise(&self, release: &Version) -> String {
        let exception = self.precisely.get(release.as_str());
        let template = exception.or(self.precise.as_ref());
        fill(template.map_or("{version}", String::as_str), release)
    }

    /// Returns the release of a version of the pinned package, if there is one.
    pub(crate) fn release(&self, package: &str) -> Option<Version> {
        let exception = self
            .precisely
            .iter()
            .find(|(_, precise)| *precise == package);
        let (number, behind) = package.split_once('+').unzip();
        let usual = match &self.precise {
            Some(template) if template.contains('+') => behind,
            _ => number.or(Some(package)),
        };
        let release = exception.map(|(release, _)| release.as_str());
        release.or(usual).map(Version::from)
    }

    /// Returns the URL of a release. `None` for OpenSSL's releases with a letter, whose tags do not
    /// follow the template.
    pub(crate) fn url(&self, release: &Version) -> Option<String> {
        let template = self.url.as_deref()?;
        let is_usual = semver::Version::parse(release.as_str()).is_ok();
        is_usual.then(|| fill(template, release))
    }
}

/// Parses a release, without the letter that OpenSSL's had until `1.1.1w`. `None` unless it has
/// three numbers.
pub(crate) fn numbers(release: &str) -> Option<semver::Version> {
    let plain = release.trim_end_matches(|c: char| c.is_ascii_lowercase());
    [release, plain]
        .into_iter()
        .flat_map(semver::Version::parse)
        .next()
}

/// Whether a version requirement matches a release.
pub(crate) fn is_one_of(releases: &VersionReq, release: &Version) -> bool {
    numbers(release.as_str()).is_some_and(|numbers| releases.matches(&numbers))
}

fn fill(template: &str, release: &Version) -> String {
    let text = template.replace("{version}", release.as_str());
    let Some(numbers) = numbers(release.as_str()) else {
        return text;
    };
    text.replace("{major}", &numbers.major.to_string())
        .replace("{minor}", &numbers.minor.to_string())
        .replace("{patch}", &numbers.patch.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openssl() -> Runner {
        toml::from_str(
            "implementation = 'OpenSSL'\nword = 'openssl'\nreleases = '>=1.1.1, <4'\npin = 'openssl-src'\n\
             precise = '300.{minor}.{patch}+{version}'\nvariants = { b = {}, a = { features = ['x'] } }\n\
             url = 'https://example.org/{major}.{minor}'\n[precisely]\n'3.0.15' = '300.0.99+3.0.15'\n'1.1.1w' = '111.28.2+1.1.1w'\n",
        )
        .expect("a runner")
    }

    #[test]
    fn package_versions_round_trip() {
        let runner = openssl();
        for (release, precise) in [
            ("3.5.1", "300.5.1+3.5.1"),
            ("3.0.15", "300.0.99+3.0.15"),
            ("1.1.1w", "111.28.2+1.1.1w"),
        ] {
            let version = Version::from(release);
            assert_eq!(runner.precise(&version), precise);
            assert_eq!(runner.release(precise), Some(version));
        }
        assert_eq!(runner.release("300.0.14+3.0.15"), Some("3.0.15".into()));
        assert_eq!(runner.release("111.0.0"), None);
        for (release, has) in [
            ("1.1.1w", true),
            ("3.9.0", true),
            ("1.1.0l", false),
            ("4.0.0", false),
        ] {
            assert_eq!(runner.has(&release.into()), has, "{release}");
        }
        let url = runner.url(&"3.5.1".into());
        assert_eq!(url.as_deref(), Some("https://example.org/3.5"));
        assert_eq!(runner.url(&"1.1.1w".into()), None);
    }

    #[test]
    fn variants_keep_the_order_of_the_file() {
        let words: Vec<String> = openssl().variants.into_iter().map(|v| v.word).collect();
        assert_eq!(words, ["b", "a"]);
    }

    #[test]
    fn unknown_keys_are_errors() {
        let error = toml::from_str::<Runner>("implementation = 'x'\nword = 'x'\nfeature = []\n");
        assert!(error.is_err());
    }
}
