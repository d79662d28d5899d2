//! The lookup of what the command line names.

use crate::base::failure::{Failure, Result};
use crate::measure::git::Location;
use crate::measure::libraries::release::{self, Range, Release};
use crate::measure::libraries::sources;
use crate::measure::libraries::table::{Library, Series, Tree};
use crate::measure::libraries::target::{Lookup, Target};
use crate::measure::read_toml;
use crate::model::version::Version;
use anyhow::Context;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Name of the table in the folder of the programs.
const NAME: &str = "libraries.toml";

/// What can be measured: the table of libraries. Unknown keys are errors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalog {
    #[serde(rename = "library")]
    libraries: Vec<Library>,
    /// Folder of the programs.
    #[serde(skip)]
    folder: PathBuf,
    /// Folder of copies of unreleased sources.
    #[serde(skip)]
    sources: PathBuf,
}

impl Catalog {
    /// Reads the table in the folder of the programs, with the releases in their lock files. Copies
    /// of unreleased sources are kept below `work`.
    pub(crate) fn read(folder: &Path, work: &Path) -> Result<Self> {
        let read: Option<Self> = read_toml(&folder.join(NAME))?;
        let missing = || Failure::Usage(format!("{} has no {NAME}", folder.display()));
        let mut catalog = read.ok_or_else(missing)?;
        for library in &mut catalog.libraries {
            library.read_locks(folder)?;
        }
        catalog.folder = folder.to_owned();
        catalog.sources = work.join("sources");
        Ok(catalog)
    }

    /// Returns the targets of a word of the command line: one, or one per release of a range.
    /// `newest` limits them to that many newest releases, of the range or, without a version, of all.
    pub(crate) fn find(&self, text: &str, newest: Option<usize>) -> Result<Vec<Target>> {
        let (word, which, variant) = parse(text)?;
        let word = word.to_lowercase();
        let all = &self.libraries;
        let Some(library) = all.iter().find(|library| library.word == word) else {
            let words: Vec<&str> = all.iter().map(|l| &*l.word).collect();
            return Err(Failure::Usage(format!(
                "there is no implementation `{word}`; available are {}",
                words.join(", ")
            )));
        };
        // Those with the provider that is named, else all.
        let has_provider = |series: &&Series| {
            let mut providers = series.providers.iter();
            providers.any(|provider| variant.contains(&&*provider.word))
        };
        let mut series: Vec<&Series> = library.series.iter().filter(has_provider).collect();
        if series.is_empty() {
            series.extend(&library.series);
        }
        let first = *series.first().context("a library without a series")?;
        let lookup = Lookup {
            text,
            library,
            series,
            is_system: which == Which::System,
            variant,
        };
        let range = match (&which, &first.locked) {
            (Which::Releases(range), _) => range,
            (Which::Newest, Some(_)) if newest.is_some() => &Range::new("0.0.0", ""),
            (Which::Newest, Some(locked)) => &Range::new(locked.as_str(), locked.as_str()),
            (Which::Sources(location), _) => {
                return Ok(vec![lookup.sources(location, &self.sources)?]);
            }
            (Which::System, _) if library.system.is_none() => return Err(lookup.cannot_measure()),
            (Which::System | Which::Newest, _) => {
                return Ok(vec![Target::new(&lookup, first, Release::default())?]);
            }
        };
        lookup.range(range, newest, &self.folder.join(&first.folder))
    }

    /// Lists what can be measured for display, one series per line.
    pub(crate) fn list(&self) -> String {
        let mut list = String::new();
        for library in &self.libraries {
            for series in &library.series {
                list += &format!("{:<12} {}", library.word, library.measurable(&[series]));
                let providers = series.providers.iter().map(|provider| &provider.word);
                for choice in providers.chain(&library.allocators) {
                    list += &format!(" +{choice}");
                }
                list += "\n";
            }
        }
        list
    }
}

impl<'a> Lookup<'a> {
    fn find(&self, fits: impl Fn(&Series) -> bool) -> Option<&'a Series> {
        self.series.iter().copied().find(|series| fits(series))
    }

    fn cannot_measure(&self) -> Failure {
        let (text, word) = (self.text, &self.library.word);
        let all = self.library.measurable(&self.series);
        Failure::Usage(format!(
            "`{text}` cannot be measured: available is {word} {all}"
        ))
    }

    /// Returns the target of unreleased sources, with the series for the version in them.
    fn sources(&self, location: &Location, cache: &Path) -> Result<Target> {
        let Library { sources, pin, .. } = self.library;
        let (Some(tree), Some(pin)) = (sources, pin) else {
            return Err(self.cannot_measure());
        };
        let (sources, version) = sources::open(location, cache, tree, pin)?;
        // It may not be released yet.
        let number = version.as_str().split('-').next().map(Version::from);
        let is_in = |series: &Series| series.has(&version) || number.iter().any(|n| series.has(n));
        let series = self.find(is_in);
        let series = series.ok_or_else(|| {
            let why = self.cannot_measure();
            Failure::Usage(format!("these are sources of {version}; {why}"))
        })?;
        let mut release = Release {
            version: sources.shown(&version),
            released: sources.day,
            ..Release::default()
        };
        // A package that wraps sources fits those of its own major version.
        if let Tree::Folder(_) = tree {
            let mut all = self.library.releases(&release::kept(pin)?);
            all.retain(|r| r.version.numbers().first() == version.numbers().first() && !r.yanked);
            release.package = all.pop().map_or(String::new(), |release| release.package);
        }
        let mut target = Target::new(self, series, release)?;
        target.sources = Some(sources);
        Ok(target)
    }

    /// Returns the targets of a range's releases, of the package on which the crate in `folder`
    /// depends. Prints a note on those that no runner supports.
    fn range(&self, range: &Range, newest: Option<usize>, folder: &Path) -> Result<Vec<Target>> {
        let (text, word) = (self.text, &self.library.word);
        let package = self.library.pin.as_ref();
        let package = package.ok_or_else(|| self.cannot_measure())?;
        // One release that is known from the last lookup is not looked up again.
        let mut known = self.library.releases(&release::kept(package)?);
        let is_known = |one: &Version| known.iter().any(|release| release.version == *one);
        match range.only() {
            Some(one) if is_known(one) => {}
            Some(one) if self.series.iter().any(|s| s.locked.as_ref() == Some(one)) => {
                known = vec![Release::new(one.as_str(), None, false)];
            }
            _ => known = self.library.releases(&release::versions(folder, package)?),
        }
        let (mut targets, mut left_out) = (Vec::new(), Vec::new());
        let found = range.select(&known);
        if found.is_empty() {
            let why = format!("`{text}`: there is no such release to build here");
            return Err(Failure::Usage(why));
        }
        for release in found.into_iter().rev() {
            if newest.is_some_and(|newest| targets.len() == newest) {
                break;
            }
            match self.find(|series| series.has(&release.version)) {
                Some(series) => {
                    targets.push(Target::new(self, series, release)?);
                }
                None => left_out.insert(0, release.version.to_string()),
            }
        }
        if targets.is_empty() {
            return Err(self.cannot_measure());
        }
        if !left_out.is_empty() {
            let releases = left_out.join(", ");
            crate::inform!("left out: {word} {releases}: not supported by any runner");
        }
        targets.reverse();
        Ok(targets)
    }
}

#[derive(Debug, PartialEq)]
pub(crate) enum Which {
    /// The newest release in the runners' lock files.
    Newest,
    /// The library installed on this system.
    System,
    Releases(Range),
    Sources(Location),
}

/// Parses `WORD[@WHICH][+VARIANT…]`.
pub(crate) fn parse(text: &str) -> Result<(&str, Which, Vec<&str>)> {
    // A path may have a plus; of a revision, what follows it.
    let name = text.rfind(['/', '#']).unwrap_or(0);
    let (library, variant) = match text[name..].split_once('+') {
        Some((end, variant)) => (&text[..name + end.len()], variant.split('+').collect()),
        None => (text, Vec::new()),
    };
    let (word, which) = match library.split_once('@') {
        None => (library, Some(Which::Newest)),
        Some((word, "system")) => (word, Some(Which::System)),
        Some((word, which)) => {
            let sources = Location::parse(which).map(Which::Sources);
            let releases = || Range::parse(which).map(Which::Releases);
            (word, sources.or_else(releases))
        }
    };
    match which {
        Some(which) if !word.is_empty() && !variant.contains(&"") => Ok((word, which, variant)),
        _ => Err(Failure::Usage(format!(
            "`{text}` is not an implementation; examples are rustls, rustls@0.23.43, rustls@0.21..0.23, rustls@0.23.43+ring, openssl@system, rustls@path:DIR or rustls@git:REPOSITORY#REVISION"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(spec: &str) -> Target {
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let catalog = Catalog::read(&runners, &runners).expect("runners");
        let found = catalog.find(spec, None).expect("a target");
        found.into_iter().next().expect("one")
    }

    /// rustls-bench and rustls.dev use jemalloc, openssl-bench the system's malloc.
    #[test]
    fn the_default_allocator_is_that_of_the_reference_tool() {
        for (spec, variant) in [
            ("rustls", "aws-lc-rs+jemalloc"),
            ("rustls+jemalloc", "aws-lc-rs+jemalloc"),
            ("rustls+malloc", "aws-lc-rs+malloc"),
            ("rustls+ring", "ring+jemalloc"),
            ("rustls@0.22.4", "ring+jemalloc"),
            ("rustls@0.21.12", "ring+jemalloc"),
            ("rustls@0.21.12+malloc", "ring+malloc"),
            ("OpenSSL@system", ""),
            ("openssl", ""),
            ("boringssl", ""),
            ("aws-lc", ""),
            ("openssl+malloc", ""),
            ("openssl+jemalloc", "jemalloc"),
            ("openssl@system+jemalloc", "jemalloc"),
            ("boringssl+jemalloc", "jemalloc"),
            ("s2n+jemalloc", "jemalloc"),
            ("gnutls", ""),
            ("mbedtls", ""),
            ("wolfssl", ""),
            ("wolfssl@system+jemalloc", "jemalloc"),
        ] {
            let target = target(spec);
            let version = &target.identity.version;
            let is_unknown = ["system", "boringssl", "gnutls"]
                .iter()
                .any(|word| spec.contains(word));
            assert_eq!(version.as_str().is_empty(), is_unknown, "{spec}");
            assert!(!version.is_pre_release(), "{spec} is {version}");
            assert_eq!(target.identity.variant.join("+"), variant, "{spec}");
            let has = |feature| target.features.iter().any(|f| f == feature);
            assert_eq!(has("jemalloc"), variant.ends_with("jemalloc"), "{spec}");
            let needs_make = target.needs.iter().any(|need| need == "make");
            assert!(needs_make || !has("jemalloc"), "{spec}");
        }
    }

    /// That of a package is the day of its own release.
    #[test]
    fn a_declared_day_precedes_that_of_the_package() {
        let day = |spec| target(spec).released.map(|day| day.to_string());
        assert_eq!(day("mbedtls").as_deref(), Some("2025-10-15"));
        assert_eq!(day("wolfssl").as_deref(), Some("2026-09-25"));
        assert_eq!(day("wolfssl@system"), None);
    }

    #[test]
    fn a_release_with_the_provider_of_its_day() {
        let built = target("rustls@0.22.4+aws-lc-rs+as-released");
        assert_eq!(
            built.as_released,
            ["rustls-webpki", "aws-lc-rs", "aws-lc-sys"]
        );
        assert_eq!(built.identity.variant, ["aws-lc-rs", "jemalloc"]);
        assert!(built.id.ends_with("_as-released"), "{}", built.id);
        assert!(target("rustls@0.22.4+aws-lc-rs").as_released.is_empty());
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let catalog = Catalog::read(&runners, &runners).expect("runners");
        assert!(catalog.find("openssl+as-released", None).is_err());
    }

    #[test]
    fn a_path_may_have_a_plus() {
        let (_, which, variant) = parse("rustls@path:../c++/rustls+ring+malloc").expect("a path");
        let path = Location::parse("path:../c++/rustls").expect("a folder");
        assert_eq!(which, Which::Sources(path));
        assert_eq!(variant, ["ring", "malloc"]);
        let (_, which, variant) = parse("rustls@git:../a+b/c#v1+ring").expect("a repository");
        let source = Location::parse("git:../a+b/c#v1").expect("a source");
        assert_eq!(which, Which::Sources(source));
        assert_eq!(variant, ["ring"]);
    }
}
