//! `[package.metadata.runner]` of a runner's `Cargo.toml`, or the same table as a `runner.toml` where
//! cargo does not build it: what it measures and how it is built.

use super::cargo::CargoLock;
use super::go;
use super::tree::Tree;
use crate::failure::{Failure, Result};
use crate::fs;
use crate::version::Version;
use semver::VersionReq;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::Path;

/// The table. An unknown key is an error.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runner {
    /// Name of its folder.
    #[serde(skip)]
    pub(crate) folder: String,
    /// The release in its lock file.
    #[serde(skip)]
    pub(crate) locked: Option<Version>,
    /// As its rows call it: `OpenSSL`.
    pub(crate) implementation: String,
    /// As the command line calls it: `openssl`. Several runners may share a word if their
    /// releases differ.
    pub(crate) word: String,
    /// The releases that it can measure; all without.
    pub(crate) releases: Option<VersionReq>,
    /// The package of the lock file that the release pins, the same in all runners of a word; without
    /// one only the locked release can be measured.
    pub(crate) pin: Option<String>,
    /// How the package's version is made of the release's: `{major}00.{minor}.{patch}+{version}`;
    /// without, they are the same.
    pub(crate) precise: Option<String>,
    /// Releases whose package version is made otherwise.
    #[serde(default)]
    pub(crate) precisely: BTreeMap<String, String>,
    /// Features of every build of a release.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// How the library of the system is measured, if it can be.
    pub(crate) system: Option<Choice>,
    /// How sources that are no release are built, if they can be.
    pub(crate) tree: Option<Tree>,
    /// Crypto providers, the default first.
    #[serde(default, deserialize_with = "in_order")]
    pub(crate) variants: Vec<Choice>,
    /// Allocators, the default first; without, programs use the system's and do not name it.
    #[serde(default, deserialize_with = "in_order")]
    pub(crate) allocators: Vec<Choice>,
    /// What the build needs that cargo does not fetch.
    #[serde(default)]
    pub(crate) needs: Vec<Need>,
    /// A release's page, with `{version}`, `{major}`, `{minor}` and `{patch}`.
    pub(crate) url: Option<String>,
}

/// A choice, and the features that it is built with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    /// What follows the `+`.
    #[serde(skip)]
    pub(crate) word: String,
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// Releases that have it; all without.
    pub(crate) releases: Option<VersionReq>,
}

/// A tool, a library or a header, and the Debian package that has it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Need {
    /// A program of the PATH.
    pub(crate) command: Option<String>,
    /// A shared library: `libclang`.
    pub(crate) library: Option<String>,
    /// A file that C programs include: `openssl/ssl.h`.
    pub(crate) header: Option<String>,
    /// What to install.
    pub(crate) package: String,
    /// Only with this provider or allocator.
    pub(crate) variant: Option<String>,
    /// Only if the system's library is measured, or only if not.
    pub(crate) system: Option<bool>,
}

/// A table as a list: the order in the file has a meaning.
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

/// A file of TOML, if it is there.
pub(super) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = fs::read_optional(path)?;
    let parsed = bytes.map(|bytes| toml::from_slice(&bytes)).transpose();
    parsed.map_err(|e| Failure::at(path, 0, e.to_string().trim().replace('\n', "; ")))
}

impl Runner {
    /// The runner in a folder, if it has one.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let cargo: Option<CargoToml> = read_toml(&folder.join("Cargo.toml"))?;
        let runner = match cargo {
            Some(cargo) => cargo.package.metadata.and_then(|metadata| metadata.runner),
            None => read_toml(&folder.join("runner.toml"))?,
        };
        let Some(mut runner): Option<Self> = runner else {
            return Ok(None);
        };
        runner.folder = fs::file_name(folder);
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

    /// All words that a `+` may precede.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.variants.iter().chain(&self.allocators)
    }

    /// Whether it can measure a release that is named.
    pub(crate) fn has(&self, release: &Version) -> bool {
        let is_named = |releases| is_one_of(releases, release);
        self.pin.is_some() && self.releases.as_ref().is_none_or(is_named)
    }

    /// Whether it can measure sources of a version, which may be one that is yet to come.
    pub(crate) fn has_sources_of(&self, version: &Version) -> bool {
        let number = version.as_str().split('-').next().unwrap_or_default();
        self.has(version) || self.has(&number.into())
    }

    /// The version of the pinned package that a release is.
    pub(crate) fn precise(&self, release: &Version) -> String {
        let exception = self.precisely.get(release.as_str());
        let template = exception.or(self.precise.as_ref());
        fill(template.map_or("{version}", String::as_str), release)
    }

    /// The release that a version of the pinned package is, if it names one.
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

    /// The page of a release; the tags of OpenSSL's with a letter are named otherwise.
    pub(crate) fn url(&self, release: &Version) -> Option<String> {
        let template = self.url.as_deref()?;
        let is_usual = semver::Version::parse(release.as_str()).is_ok();
        is_usual.then(|| fill(template, release))
    }
}

/// The numbers of a release, without the letter that OpenSSL's had until `1.1.1w`; `None` if there
/// are not three.
pub(crate) fn numbers(release: &str) -> Option<semver::Version> {
    let plain = release.trim_end_matches(|c: char| c.is_ascii_lowercase());
    [release, plain]
        .into_iter()
        .flat_map(semver::Version::parse)
        .next()
}

/// Whether a requirement of cargo's allows a release.
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
    fn versions_there_and_back() {
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
    fn the_first_variant_stays_first() {
        let words: Vec<String> = openssl().variants.into_iter().map(|v| v.word).collect();
        assert_eq!(words, ["b", "a"]);
    }

    #[test]
    fn unknown_keys_are_errors() {
        let error = toml::from_str::<Runner>("implementation = 'x'\nword = 'x'\nfeature = []\n");
        assert!(error.is_err());
    }
}
