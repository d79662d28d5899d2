//! An entry of the table of libraries: what can be measured, and how it is built.

use crate::base::failure::Result;
use crate::measure::libraries::release::{Release, numbers};
use crate::measure::{cargo, go, safe_name};
use crate::model::version::Version;
use jiff::civil::Date;
use semver::VersionReq;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The allocator of the system, and the one that is a feature of every program.
pub(crate) const MALLOC: &str = "malloc";
pub(crate) const JEMALLOC: &str = "jemalloc";

/// `[[library]]`, whose keys `generator/runners/README.md` documents.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) word: String,
    pub(crate) pin: Option<String>,
    #[serde(default)]
    versions: BTreeMap<String, String>,
    package: Option<String>,
    #[serde(default)]
    pub(crate) dates: BTreeMap<String, Date>,
    url: Option<String>,
    pub(crate) sources: Option<Tree>,
    #[serde(default)]
    pub(crate) allocators: Vec<String>,
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    pub(crate) system: Option<Series>,
    #[serde(default)]
    pub(crate) series: Vec<Series>,
}

/// `[[library.series]]`: releases that are built alike. That of the system has needs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Series {
    pub(crate) folder: String,
    releases: Option<VersionReq>,
    pub(crate) features: Vec<String>,
    pub(crate) needs: Vec<String>,
    pub(crate) providers: Vec<Provider>,
    /// The release in its lock file.
    #[serde(skip)]
    pub(crate) locked: Option<Version>,
}

/// How a build takes unreleased sources.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tree {
    Packages,
    Folder(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Provider {
    pub(crate) word: String,
    #[serde(default)]
    pub(crate) features: Vec<String>,
    #[serde(default)]
    pub(crate) packages: Vec<String>,
}

impl Library {
    /// Reads the release in the lock file of each series, whose program is below this folder.
    pub(super) fn read_locks(&mut self, folder: &Path) -> Result<()> {
        for mut series in std::mem::take(&mut self.series) {
            if series.folder.is_empty() {
                series.folder.clone_from(&self.word);
            }
            let folder = folder.join(&series.folder);
            series.locked = if self.is_go() {
                go::locked(&folder)?
            } else {
                let mut packages = cargo::locked(&folder)?;
                packages.retain(|package| self.pin.as_ref() == Some(&package.name));
                let releases = packages.iter().flat_map(|p| self.release(&p.version));
                releases.filter(|release| series.has(release)).max()
            };
            self.series.push(series);
        }
        Ok(())
    }

    /// Whether the go command builds its program, instead of cargo.
    pub(crate) fn is_go(&self) -> bool {
        self.pin.as_deref() == Some(go::PIN)
    }

    /// The package whose day of publication is that of a release.
    pub(crate) fn dated_package(&self) -> Option<&String> {
        self.package.as_ref().or(self.pin.as_ref())
    }

    /// Returns the release in a version of the pinned package, if it has one.
    fn release(&self, package: &str) -> Option<Version> {
        if self.versions.is_empty() {
            let (_, release) = package.split_once('+').unwrap_or(("", package));
            return Some(release.into());
        }
        let mut versions = self.versions.iter();
        let (release, _) = versions.find(|(_, version)| *version == package)?;
        Some(release.as_str().into())
    }

    /// Converts versions of the pinned package to releases, sorted. The package of a release is the
    /// last version that has it and is not yanked.
    pub(crate) fn releases(&self, versions: &[Release]) -> Vec<Release> {
        // If what follows the `+` is the release, early versions without one have none.
        let has_plus = versions.iter().any(|entry| entry.package.contains('+'));
        let mut all: BTreeMap<Version, Release> = BTreeMap::new();
        for entry in versions {
            let version = self.release(&entry.package);
            let Some(version) = version.filter(|_| has_plus == entry.package.contains('+')) else {
                continue;
            };
            let release = all.entry(version.clone()).or_insert_with(|| Release {
                version,
                ..entry.clone()
            });
            if !entry.yanked {
                release.package.clone_from(&entry.package);
                release.yanked = false;
            }
        }
        all.into_values().collect()
    }

    /// Returns the URL of a release. `None` for unreleased sources, and for OpenSSL's releases with a
    /// letter, whose tags do not follow the template.
    pub(crate) fn url(&self, release: &Version) -> Option<String> {
        let is_plain = |version: semver::Version| version.build.is_empty();
        let url = self.url.as_ref();
        let url = url.filter(|_| semver::Version::parse(release.as_str()).is_ok_and(is_plain))?;
        Some(url.replace("{version}", release.as_str()))
    }

    /// Names a folder of builds or results: `rustls_0.23.43_ring_jemalloc`.
    pub(crate) fn folder_name(&self, version: &str, variant: &[String]) -> String {
        let variant = variant.iter().map(String::as_str);
        let mut parts: Vec<&str> = [&*self.word, version].into_iter().chain(variant).collect();
        parts.retain(|part| !part.is_empty());
        safe_name(&parts.join("_"))
    }

    /// Describes the releases of these of its series.
    pub(crate) fn measurable(&self, series: &[&Series]) -> String {
        let describe = |series: &&Series| {
            let releases = match (&series.releases, &self.pin) {
                (_, None) => "in one release, named without a version".to_owned(),
                (None, Some(_)) => "any release".to_owned(),
                (Some(releases), Some(_)) => releases.to_string(),
            };
            let now = series.locked.as_ref();
            releases + &now.map_or(String::new(), |now| format!(" (now {now})"))
        };
        let each = Vec::from_iter(series.iter().map(describe)).join(" and ");
        each + self.system.as_ref().map_or("", |_| ", @system")
    }
}

impl Series {
    /// Whether it has this release.
    pub(crate) fn has(&self, release: &Version) -> bool {
        let is_in = |releases: &VersionReq| {
            numbers(release.as_str()).is_some_and(|numbers| releases.matches(&numbers))
        };
        self.releases.as_ref().is_none_or(is_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_versions_have_releases() {
        let library = |more: &str| -> Library {
            toml::from_str(&format!("name = 'OpenSSL'\nword = 'openssl'\n{more}"))
                .expect("a library")
        };
        let openssl = library("url = 'https://example.org/{version}'\n");
        for (package, release) in [
            ("300.5.1+3.5.1", "3.5.1"),
            ("111.28.2+1.1.1w", "1.1.1w"),
            ("0.23.46", "0.23.46"),
        ] {
            assert_eq!(openssl.release(package), Some(release.into()));
        }
        let listed = library("[versions]\n'5.12.0' = '0.47.0'\n");
        assert_eq!(listed.release("0.47.0"), Some("5.12.0".into()));
        assert_eq!(listed.release("0.48.0"), None);
        let series: Series = toml::from_str("releases = '>=1.1.1, <4'").expect("a series");
        for (release, has) in [
            ("1.1.1w", true),
            ("3.9.0", true),
            ("1.1.0l", false),
            ("4.0.0", false),
        ] {
            assert_eq!(series.has(&release.into()), has, "{release}");
        }
        let url = openssl.url(&"3.5.1".into());
        assert_eq!(url.as_deref(), Some("https://example.org/3.5.1"));
        assert_eq!(openssl.url(&"1.1.1w".into()), None);
    }
}
