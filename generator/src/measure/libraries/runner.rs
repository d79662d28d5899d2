//! The metadata of a runner, which says what it measures and how it is built: a table
//! `[[package.metadata.runner]]` of its `Cargo.toml`, or a `runner.toml` if cargo does not build it.

use crate::base::failure::{Failure, Result};
use crate::files;
use crate::measure::libraries::release::numbers;
use crate::measure::process::text;
use crate::measure::read_toml;
use crate::measure::tools::cargo;
use crate::measure::tools::go;
use crate::model::version::Version;
use jiff::civil::Date;
use semver::VersionReq;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use toml::{Table, Value};

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
    /// The package's version of each release, where neither it nor what follows its `+` is the
    /// release.
    #[serde(default)]
    pub(crate) versions: BTreeMap<String, String>,
    /// The package whose day of publication is that of the release, if it is not `pin`.
    pub(crate) package: Option<String>,
    /// Days of releases that neither the program nor the registry knows.
    #[serde(default)]
    pub(crate) dates: BTreeMap<String, Date>,
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
    /// Template of a release's URL, with `{version}`.
    pub(crate) url: Option<String>,
}

/// How a build takes unreleased sources.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tree {
    /// Their packages replace those of the same names in the lock file.
    Packages,
    /// They are this folder of the pinned package.
    Folder(String),
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
    /// The packages of the provider, and those that limit its versions before it.
    #[serde(default)]
    pub(crate) packages: Vec<String>,
    /// Whether names of builds leave it out.
    #[serde(default)]
    pub(crate) unnamed: bool,
}

/// Something that a build needs, and the Debian package that has it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Need {
    /// A program in the `PATH`, unless there is a test.
    pub(crate) name: String,
    /// A line for `sh` that succeeds if it is there.
    test: Option<String>,
    /// The Debian package to install.
    pub(crate) package: String,
    /// Applies only to this provider or allocator.
    pub(crate) variant: Option<String>,
    /// Applies only to builds with (true) or without (false) the system's library.
    pub(crate) system: Option<bool>,
}

/// Deserializes a table as a list, in the order of the file: the first entry is the default.
fn in_order<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Choice>, D::Error> {
    let choice = |(word, value): (String, Value)| {
        let choice: Choice = value.try_into().map_err(D::Error::custom)?;
        Ok(Choice { word, ..choice })
    };
    let table = Table::deserialize(source)?;
    table.into_iter().map(choice).collect()
}

/// Returns the tables of a folder's runners as they are written.
fn written(folder: &Path) -> Result<Vec<Table>> {
    let Some(manifest) = read_toml::<Table>(&folder.join("Cargo.toml"))? else {
        return Ok(Vec::from_iter(read_toml(&folder.join("runner.toml"))?));
    };
    let metadata = manifest.get("package").and_then(|p| p.get("metadata"));
    match metadata.and_then(|metadata| metadata.get("runner")) {
        Some(runners) => (runners.clone().try_into()).map_err(|e| malformed(folder, &e)),
        None => Ok(Vec::new()),
    }
}

/// The error of a table, whose place in the file is unknown: a line with what is wrong, and one for
/// each key around it.
fn malformed(folder: &Path, error: &toml::de::Error) -> Failure {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    Failure::at(folder, 0, lines.join(", "))
}

impl Runner {
    /// Reads the runners of a folder. With `like`, the name of a folder, a table also has the keys
    /// of that folder's first runner that it does not set.
    pub(crate) fn read(folder: &Path) -> Result<Vec<Self>> {
        let mut runners = Vec::new();
        for mut table in written(folder)? {
            if let Some(Value::String(like)) = table.remove("like") {
                let others = written(&folder.with_file_name(like))?;
                for (key, value) in others.into_iter().next().into_iter().flatten() {
                    table.entry(key).or_insert(value);
                }
            }
            let runner = table.try_into();
            let mut runner: Self = runner.map_err(|e| malformed(folder, &e))?;
            runner.folder = files::file_name(folder);
            match runner.pin.as_deref() {
                Some(go::PIN) => runner.locked = go::locked(folder)?,
                Some(name) => {
                    let locked = cargo::locked(folder)?.into_iter();
                    let of_name = locked.filter(|package| package.name == name);
                    let releases = of_name.filter_map(|package| runner.release(&package.version));
                    runner.locked = releases.filter(|release| runner.has(release)).max();
                }
                None => {}
            }
            runners.push(runner);
        }
        Ok(runners)
    }

    /// All choices that may follow a `+`.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.variants.iter().chain(&self.allocators)
    }

    /// Whether it can measure this release by name.
    pub(crate) fn has(&self, release: &Version) -> bool {
        let is_in = |releases: &VersionReq| {
            numbers(release.as_str()).is_some_and(|numbers| releases.matches(&numbers))
        };
        self.pin.is_some() && self.releases.as_ref().is_none_or(is_in)
    }

    /// Whether it can measure sources of a version, which may not be released yet.
    pub(crate) fn has_sources_of(&self, version: &Version) -> bool {
        let text = version.as_str();
        let (number, _) = text.split_once('-').unwrap_or((text, ""));
        self.has(version) || self.has(&number.into())
    }

    /// Returns the release in a version of the pinned package, if it has one.
    pub(crate) fn release(&self, package: &str) -> Option<Version> {
        if self.versions.is_empty() {
            let (_, release) = package.split_once('+').unwrap_or(("", package));
            return Some(release.into());
        }
        let mut versions = self.versions.iter();
        let (release, _) = versions.find(|(_, version)| *version == package)?;
        Some(release.as_str().into())
    }

    /// Returns the URL of a release. `None` for OpenSSL's releases with a letter, whose tags do not
    /// follow the template.
    pub(crate) fn url(&self, release: &Version) -> Option<String> {
        let is_plain = semver::Version::parse(release.as_str()).is_ok();
        let url = self.url.as_ref().filter(|_| is_plain)?;
        Some(url.replace("{version}", release.as_str()))
    }

    /// Describes the releases that it can measure.
    pub(crate) fn measurable(&self) -> String {
        let mut text = match (&self.releases, &self.pin) {
            (_, None) => "in one release, named without a version".to_owned(),
            (None, Some(_)) => "any release".to_owned(),
            (Some(releases), Some(_)) => releases.to_string(),
        };
        if let (Some(newest), Some(_)) = (&self.locked, &self.pin) {
            text += &format!(" (now {newest})");
        }
        if self.system.is_some() {
            text += ", @system";
        }
        text
    }
}

/// Describes the unmet needs, with one command that installs them all. `None` if all are met.
pub(in crate::measure) fn missing(needs: &[Need]) -> Option<String> {
    let (mut unmet, mut packages) = (BTreeSet::new(), BTreeSet::new());
    for need in needs {
        let in_path = format!("command -v {}", need.name);
        let test = need.test.as_ref().unwrap_or(&in_path);
        if text(Command::new("sh").args(["-c", test])).is_err() {
            unmet.insert(need.name.as_str());
            packages.insert(need.package.as_str());
        }
    }
    let [unmet, packages] =
        [(unmet, ", "), (packages, " ")].map(|(all, by)| Vec::from_iter(all).join(by));
    let text = format!("missing: {unmet}. On Debian: apt-get install {packages}");
    (!packages.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(more: &str) -> Runner {
        let start = "implementation = 'OpenSSL'\nword = 'openssl'\nreleases = '>=1.1.1, <4'\npin = 'openssl-src'\n";
        toml::from_str(&format!("{start}{more}")).expect("a runner")
    }

    #[test]
    fn package_versions_have_releases() {
        let openssl = runner("url = 'https://example.org/{version}'\n");
        for (package, release) in [
            ("300.5.1+3.5.1", "3.5.1"),
            ("111.28.2+1.1.1w", "1.1.1w"),
            ("0.23.46", "0.23.46"),
        ] {
            assert_eq!(openssl.release(package), Some(release.into()));
        }
        let listed = runner("[versions]\n'5.12.0' = '0.47.0'\n");
        assert_eq!(listed.release("0.47.0"), Some("5.12.0".into()));
        assert_eq!(listed.release("0.48.0"), None);
        for (release, has) in [
            ("1.1.1w", true),
            ("3.9.0", true),
            ("1.1.0l", false),
            ("4.0.0", false),
        ] {
            assert_eq!(openssl.has(&release.into()), has, "{release}");
        }
        let url = openssl.url(&"3.5.1".into());
        assert_eq!(url.as_deref(), Some("https://example.org/3.5.1"));
        assert_eq!(openssl.url(&"1.1.1w".into()), None);
    }

    #[test]
    fn unmet_needs_are_listed() {
        let need = |text| toml::from_str::<Need>(text).expect("a need");
        let met = need("name = 'sh'\npackage = 'dash'");
        let untested = need("name = 'c'\ntest = 'true'\npackage = 'c-dev'");
        assert_eq!(missing(&[met.clone(), untested]), None);
        let unmet = missing(&[
            met,
            need("name = 'no-such-program'\npackage = 'b'"),
            need("name = 'libnosuch'\ntest = 'false'\npackage = 'a'"),
            need("name = 'nosuch.h'\ntest = 'false'\npackage = 'a'"),
        ]);
        let all = "missing: libnosuch, no-such-program, nosuch.h. On Debian: apt-get install a b";
        assert_eq!(unmet.as_deref(), Some(all));
    }
}
