//! `[package.metadata.runner]` of a runner's `Cargo.toml`: what it measures and how it is built.

use crate::failure::{Failure, Result};
use crate::fs;
use semver::{Version, VersionReq};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::Path;

/// The table. An unknown key is an error.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runner {
    /// As its rows call it: `OpenSSL`.
    pub implementation: String,
    /// As the command line calls it: `openssl`. Several runners may share a word if their
    /// releases differ.
    pub word: String,
    /// The releases that it can measure; all without.
    pub releases: Option<VersionReq>,
    /// The package of the lock file that the release pins; without one only the locked release
    /// can be measured.
    pub pin: Option<String>,
    /// How the package's version is made of the release's: `300.{minor}.{patch}+{version}`;
    /// without, they are the same.
    pub precise: Option<String>,
    /// Releases whose package version is made otherwise.
    #[serde(default)]
    pub precisely: BTreeMap<String, String>,
    /// Features of every build of a release.
    #[serde(default)]
    pub features: Vec<String>,
    /// How the library of the system is measured, if it can be.
    pub system: Option<Flavour>,
    /// Crypto providers, the default first.
    #[serde(default, deserialize_with = "in_order")]
    pub variants: Vec<(String, Flavour)>,
    /// Allocators, the default first; without, programs use the system's and do not name it.
    #[serde(default, deserialize_with = "in_order")]
    pub allocators: Vec<(String, Flavour)>,
    /// What the build needs that cargo does not fetch.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// A release's page, with `{version}`, `{major}`, `{minor}` and `{patch}`.
    pub url: Option<String>,
}

/// A choice, and the features that it is built with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flavour {
    /// Of the runner's crate.
    #[serde(default)]
    pub features: Vec<String>,
    /// Releases that have it; all without.
    pub releases: Option<VersionReq>,
}

/// A tool, a library or a header, and the Debian package that has it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// A program of the PATH.
    pub command: Option<String>,
    /// A shared library: `libclang`.
    pub library: Option<String>,
    /// A file that C programs include: `openssl/ssl.h`.
    pub header: Option<String>,
    /// What to install.
    pub package: String,
    /// Only with this provider or allocator.
    pub variant: Option<String>,
    /// Only if the system's library is measured, or only if not.
    pub system: Option<bool>,
}

/// A table as a list: the order in the file has a meaning.
fn in_order<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<(String, Flavour)>, D::Error> {
    let table = toml::Table::deserialize(source)?;
    let flavour = |(word, value): (String, toml::Value)| Ok((word, value.try_into()?));
    table
        .into_iter()
        .map(flavour)
        .collect::<Result<_, toml::de::Error>>()
        .map_err(serde::de::Error::custom)
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

#[derive(Deserialize)]
struct CargoLock {
    #[serde(default)]
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    name: String,
    version: String,
}

/// A file of TOML, if it is there.
fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let Some(bytes) = fs::read_optional(path)? else {
        return Ok(None);
    };
    toml::from_slice(&bytes)
        .map(Some)
        .map_err(|e| Failure::at(path, 0, e.to_string().trim().replace('\n', "; ")))
}

impl Runner {
    /// The runner in a folder, if it has one.
    ///
    /// # Errors
    /// A table that is wrong.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let cargo: Option<CargoToml> = read(&folder.join("Cargo.toml"))?;
        Ok(cargo.and_then(|c| c.package.metadata?.runner))
    }

    /// The release in the lock file of this runner's folder.
    ///
    /// # Errors
    /// The lock file cannot be read.
    pub fn locked(&self, folder: &Path) -> Result<Option<Version>> {
        let Some(pin) = &self.pin else {
            return Ok(None);
        };
        let lock: Option<CargoLock> = read(&folder.join("Cargo.lock"))?;
        let packages = lock.map_or(Vec::new(), |lock| lock.package);
        // `openssl-src@400`, where the lock file has two of a name.
        let name = pin.split('@').next().unwrap_or(pin);
        let of_name = packages.iter().filter(|p| p.name == name);
        Ok(of_name.filter_map(|p| self.release(&p.version)).max())
    }

    /// All words that a `+` may precede.
    pub fn choices(&self) -> impl Iterator<Item = &(String, Flavour)> {
        self.variants.iter().chain(&self.allocators)
    }

    /// Whether it can measure a release that is named.
    pub fn has(&self, release: &Version) -> bool {
        self.pin.is_some() && self.releases.as_ref().is_none_or(|r| r.matches(release))
    }

    /// The version of the pinned package that a release is.
    pub fn precise(&self, release: &Version) -> String {
        if let Some(exception) = self.precisely.get(&release.to_string()) {
            return exception.clone();
        }
        fill(self.precise.as_deref().unwrap_or("{version}"), release)
    }

    /// The release that a version of the pinned package is.
    pub fn release(&self, precise: &str) -> Option<Version> {
        let behind = precise.split_once('+').map(|(_, version)| version);
        let exceptions = self.precisely.iter();
        let named = exceptions
            .filter(|(_, p)| *p == precise)
            .map(|(v, _)| v.as_str());
        named
            .chain(behind)
            .chain([precise])
            .flat_map(Version::parse)
            .find(|release| self.precise(release) == precise)
    }

    /// The page of a release.
    pub fn url(&self, release: &Version) -> Option<String> {
        self.url.as_deref().map(|template| fill(template, release))
    }
}

fn fill(template: &str, release: &Version) -> String {
    template
        .replace("{version}", &release.to_string())
        .replace("{major}", &release.major.to_string())
        .replace("{minor}", &release.minor.to_string())
        .replace("{patch}", &release.patch.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openssl() -> Runner {
        toml::from_str(
            "implementation = 'OpenSSL'\nword = 'openssl'\nreleases = '>=3.0.0, <4'\npin = 'openssl-src'\n\
             precise = '300.{minor}.{patch}+{version}'\nvariants = { b = {}, a = { features = ['x'] } }\n\
             url = 'https://example.org/{major}.{minor}'\n[precisely]\n'3.0.15' = '300.0.99+3.0.15'\n",
        )
        .expect("a runner")
    }

    #[test]
    fn versions_there_and_back() {
        let runner = openssl();
        for (release, precise) in [("3.5.1", "300.5.1+3.5.1"), ("3.0.15", "300.0.99+3.0.15")] {
            let version = Version::parse(release).expect("a version");
            assert_eq!(runner.precise(&version), precise);
            assert_eq!(runner.release(precise), Some(version));
        }
        assert_eq!(runner.release("300.0.15+3.0.15"), None);
        assert!(runner.has(&Version::new(3, 9, 0)) && !runner.has(&Version::new(4, 0, 0)));
        let url = runner.url(&Version::new(3, 5, 1));
        assert_eq!(url.as_deref(), Some("https://example.org/3.5"));
    }

    #[test]
    fn the_first_variant_stays_first() {
        let words: Vec<String> = openssl().variants.into_iter().map(|v| v.0).collect();
        assert_eq!(words, ["b", "a"]);
    }

    #[test]
    fn unknown_keys_are_errors() {
        let error = toml::from_str::<Runner>("implementation = 'x'\nword = 'x'\nfeature = []\n");
        assert!(error.is_err());
    }
}
