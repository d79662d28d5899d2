//! The lookup of what the command line names.

use crate::base::failure::{Failure, Result};
use crate::measure::libraries::checkout::Checkout;
use crate::measure::libraries::library::{Libraries, Library, Series, Tree};
use crate::measure::libraries::release::{self, Range, Release};
use crate::measure::libraries::spec::{Spec, Which};
use crate::measure::libraries::target::Target;
use crate::measure::process::text;
use crate::measure::tools::git::Location;
use crate::model::version::Version;
use anyhow::anyhow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug)]
pub(crate) struct Catalog {
    libraries: Libraries,
    /// Folder of the programs.
    folder: PathBuf,
    /// Folder of checkouts of unreleased sources.
    checkouts: PathBuf,
}

impl Catalog {
    /// Reads the table of libraries in the folder of their programs. Checkouts of unreleased sources
    /// are kept below `work`.
    pub(crate) fn read(folder: &Path, work: &Path) -> Result<Self> {
        Ok(Self {
            libraries: Libraries::read(folder)?,
            folder: folder.to_owned(),
            checkouts: work.join("sources"),
        })
    }

    /// Returns the targets of `spec`: one, or one per release of a range. `newest` limits them to
    /// that many newest releases, of the range or, without a version, of all.
    pub(crate) fn find(&self, spec: &Spec, newest: Option<usize>) -> Result<Vec<Target>> {
        let mut all = self.libraries.all.iter();
        let Some(library) = all.find(|library| library.word == spec.word) else {
            let words: Vec<&str> = self.libraries.all.iter().map(|l| &*l.word).collect();
            let (word, words) = (&spec.word, words.join(", "));
            return Err(Failure::Usage(format!(
                "there is no implementation `{word}`; available are {words}"
            )));
        };
        let mut series: Vec<&Series> = library.series.iter().collect();
        let has_provider = |series: &&Series| {
            let mut providers = series.providers.iter();
            providers.any(|provider| spec.variant.contains(&provider.word))
        };
        if series.iter().any(has_provider) {
            series.retain(has_provider);
        }
        let first = series[0];
        let lookup = Lookup {
            library,
            series,
            spec,
        };
        let range = match (&spec.which, &first.locked) {
            (Which::Sources(source), _) => {
                return Ok(vec![lookup.sources(source, &self.checkouts)?]);
            }
            (Which::System, _) if library.system.is_none() => return Err(lookup.cannot_measure()),
            (Which::Releases(range), _) => range.clone(),
            (Which::Newest, _) if newest.is_some() && library.pin.is_some() => Range::EVERY,
            (Which::Newest, Some(locked)) => Range::one(locked.clone()),
            _ => return Ok(vec![Target::new(library, first, spec, None)?]),
        };
        lookup.range(&range, newest, &self.folder)
    }

    /// Lists what can be measured for display, one series per line.
    pub(crate) fn list(&self) -> String {
        let mut list = String::new();
        for library in &self.libraries.all {
            for series in &library.series {
                list += &format!("{:<12} {}", library.word, library.measurable([series]));
                let providers = series.providers.iter().map(|provider| &provider.word);
                for choice in providers.chain(&library.allocators) {
                    list += &format!(" +{choice}");
                }
                list += "\n";
            }
        }
        list
    }

    /// Describes which of these needs are not met, with one command that installs them all. `None` if
    /// all are.
    pub(in crate::measure) fn missing(&self, needs: &[String]) -> Option<String> {
        let (mut unmet, mut packages) = (BTreeSet::new(), BTreeSet::new());
        for name in needs {
            let need = self.libraries.needs.get(name).cloned().unwrap_or_default();
            let test = need.test.unwrap_or_else(|| format!("command -v {name}"));
            if text(Command::new("sh").args(["-c", &test])).is_err() {
                packages.insert(need.package.unwrap_or_else(|| name.clone()));
                unmet.insert(name.clone());
            }
        }
        let [unmet, packages] =
            [(unmet, ", "), (packages, " ")].map(|(all, by)| Vec::from_iter(all).join(by));
        let text = format!("missing: {unmet}. On Debian: apt-get install {packages}");
        (!packages.is_empty()).then_some(text)
    }
}

/// A library, those of its series that are meant, the default first, and what was said of it on the
/// command line.
struct Lookup<'a> {
    library: &'a Library,
    series: Vec<&'a Series>,
    spec: &'a Spec,
}

impl<'a> Lookup<'a> {
    fn find(&self, fits: impl Fn(&Series) -> bool) -> Option<&'a Series> {
        self.series.iter().copied().find(|series| fits(series))
    }

    fn cannot_measure(&self) -> Failure {
        let Spec { text, word, .. } = self.spec;
        let all = self.library.measurable(self.series.iter().copied());
        Failure::Usage(format!(
            "`{text}` cannot be measured: available is {word} {all}"
        ))
    }

    /// Returns the target of unreleased sources, with the series for the version in them.
    fn sources(&self, source: &Location, checkouts: &Path) -> Result<Target> {
        let (Some(tree), Some(pin)) = (&self.library.sources, &self.library.pin) else {
            let Spec { text, word, .. } = self.spec;
            return Err(Failure::Usage(format!(
                "`{text}`: {word} is measured by release only, not from sources"
            )));
        };
        let mut sources = Checkout::open(source, checkouts, tree, pin)?;
        let version = &sources.version;
        let series = self.find(|series| series.has_sources_of(version));
        let series = series.ok_or_else(|| {
            let why = self.cannot_measure();
            Failure::Usage(format!("these are sources of {version}; {why}"))
        })?;
        // A package that wraps sources fits those of its own major version.
        if let Tree::Folder(_) = tree {
            let mut all = self.releases(&release::kept(pin)?);
            all.retain(|r| r.version.numbers().first() == version.numbers().first() && !r.yanked);
            sources.wrapper = all.pop().map(|release| release.package);
        }
        Target::from_sources(self.library, series, self.spec, sources)
    }

    /// Returns the targets of a range's releases. Prints notes on releases left out, and warnings
    /// of what could not be looked up.
    fn range(&self, range: &Range, newest: Option<usize>, folder: &Path) -> Result<Vec<Target>> {
        let Spec { text, word, .. } = self.spec;
        let (all, warning) = self.look_up(range, folder)?;
        let refuse = |why: String| match &warning {
            // A release that could not be looked up may exist.
            Some(warning) => Failure::Io(anyhow!("{why}; {warning}")),
            None => Failure::Usage(why),
        };
        let expanded = range.expand(&all);
        let (found, unreleased) = expanded.map_err(|why| refuse(format!("`{text}`: {why}")))?;
        let (mut targets, mut unmeasured) = (Vec::new(), Vec::new());
        for release in found.into_iter().rev() {
            if newest.is_some_and(|newest| targets.len() == newest) {
                break;
            }
            match self.find(|series| series.has(&release.version)) {
                Some(series) => {
                    targets.push(Target::new(self.library, series, self.spec, Some(release))?);
                }
                None => unmeasured.push(release.version),
            }
        }
        if targets.is_empty() {
            return Err(refuse(self.cannot_measure().to_string()));
        }
        targets.reverse();
        unmeasured.reverse();
        let only = "only yanked releases and pre-releases, which are measured if named";
        for (versions, why) in [
            (unreleased, only),
            (unmeasured, "not supported by any runner"),
        ] {
            if !versions.is_empty() {
                let versions: Vec<&str> = versions.iter().map(Version::as_str).collect();
                crate::inform!("left out: {word} {}: {why}", versions.join(", "));
            }
        }
        if let Some(warning) = warning {
            crate::inform!("warning: {warning}");
        }
        Ok(targets)
    }

    /// Returns the releases among which those of a range are, sorted, and a warning of what could
    /// not be looked up. One release that is known from the last lookup is not looked up again.
    fn look_up(&self, range: &Range, folder: &Path) -> Result<(Vec<Release>, Option<String>)> {
        let pin = self.library.pin.as_ref();
        let package = pin.ok_or_else(|| self.cannot_measure())?;
        let mut named = None;
        if let Some(version) = range.only() {
            let series = self.find(|series| series.has(version));
            let series = series.ok_or_else(|| self.cannot_measure())?;
            named = Some(Release::new(version.as_str(), None, false));
            let mut known = self.releases(&release::kept(package)?);
            known.retain(|known| known.version == *version);
            if known.is_empty() && series.locked.as_ref() == Some(version) {
                known.extend(named.clone());
            }
            if !known.is_empty() {
                return Ok((known, None));
            }
        }
        let (versions, warning) = release::versions(&folder.join(&self.series[0].folder), package)?;
        let mut all = self.releases(&versions);
        if versions.is_empty() {
            // Cargo without a registry finds the release or not.
            all.extend(named);
        }
        Ok((all, warning))
    }

    /// Converts versions of the package to releases, sorted. The package of a release is the last
    /// version that has it and is not yanked.
    fn releases(&self, versions: &[Release]) -> Vec<Release> {
        // If what follows the `+` is the release, early versions without one have none.
        let has_plus = versions.iter().any(|entry| entry.package.contains('+'));
        let mut all: BTreeMap<Version, Release> = BTreeMap::new();
        for entry in versions {
            let version = self.library.release(&entry.package);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(spec: &str) -> Target {
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let catalog = Catalog::read(&runners, &runners).expect("runners");
        let spec = Spec::parse(spec).expect(spec);
        let found = catalog.find(&spec, None).expect("a target");
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
        let none = Spec::parse("openssl+as-released").expect("a spec");
        assert!(catalog.find(&none, None).is_err());
    }

    #[test]
    fn a_path_may_have_a_plus() {
        let spec = Spec::parse("rustls@path:../c++/rustls+ring+malloc").expect("a path");
        assert_eq!(
            spec.which,
            Which::Sources(Location::Path("../c++/rustls".into()))
        );
        assert_eq!(spec.variant, ["ring", "malloc"]);
        let spec = Spec::parse("rustls@git:https://example.org/a+b/c#v1+ring").expect("an address");
        let source = Location::parse("git:https://example.org/a+b/c#v1").expect("a source");
        assert_eq!(spec.which, Which::Sources(source));
        assert_eq!(spec.variant, ["ring"]);
    }

    #[test]
    fn unmet_needs_are_listed() {
        let table = "library = []\n[needs]\nsh = { package = 'dash' }\nc = { test = 'true', package = 'c-dev' }\nlibnosuch = { test = 'false', package = 'a' }\n'nosuch.h' = { test = 'false', package = 'a' }\n";
        let catalog = Catalog {
            libraries: toml::from_str(table).expect("a table"),
            folder: PathBuf::new(),
            checkouts: PathBuf::new(),
        };
        let missing = |needs: &[&str]| {
            let needs: Vec<String> = needs.iter().map(|need| (*need).to_owned()).collect();
            catalog.missing(&needs)
        };
        assert_eq!(missing(&["sh", "c"]), None);
        let all = "missing: libnosuch, no-such-program, nosuch.h. On Debian: apt-get install a no-such-program";
        let unmet = missing(&["sh", "no-such-program", "libnosuch", "nosuch.h"]);
        assert_eq!(unmet.as_deref(), Some(all));
    }
}
