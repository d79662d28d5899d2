//! All runners, and the lookup of what the command line names.

use crate::base::failure::{Failure, Result};
use crate::files;
use crate::measure::libraries::checkout::Checkout;
use crate::measure::libraries::release;
use crate::measure::libraries::release::{Range, Release};
use crate::measure::libraries::runner::{Runner, Tree};
use crate::measure::libraries::spec::{Spec, Which};
use crate::measure::libraries::target::{AS_RELEASED, Target};
use crate::measure::tools::git::Location;
use crate::model::version::Version;
use anyhow::anyhow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Catalog {
    runners: Vec<Runner>,
    /// Folder of the runners.
    folder: PathBuf,
    /// Folder of checkouts of unreleased sources.
    checkouts: PathBuf,
}

impl Catalog {
    /// Reads the runner table of every folder below `runners`. Checkouts of unreleased sources are
    /// kept below `work`.
    pub(crate) fn read(runners: &Path, work: &Path) -> Result<Self> {
        let mut all = Vec::new();
        for folder in files::folders(runners)? {
            all.extend(Runner::read(&folder)?);
        }
        if all.is_empty() {
            return Err(Failure::Usage(format!(
                "{} has no runners: no folder has a Cargo.toml with [[package.metadata.runner]], or a runner.toml",
                runners.display()
            )));
        }
        // Newest first, so that it is the default; pre-releases last, as they must be named.
        all.sort_by_cached_key(|runner| {
            let locked = runner.locked.clone();
            let is_pre_release = locked.as_ref().is_some_and(Version::is_pre_release);
            (runner.word.clone(), is_pre_release, Reverse(locked))
        });
        Ok(Self {
            runners: all,
            folder: runners.to_owned(),
            checkouts: work.join("sources"),
        })
    }

    /// Returns the targets of `spec`: one, or one per release of a range. `newest` limits them to
    /// that many newest releases, of the range or, without a version, of all.
    pub(crate) fn find(&self, spec: &Spec, newest: Option<usize>) -> Result<Vec<Target>> {
        let mut runners: Vec<&Runner> = self.runners.iter().collect();
        runners.retain(|runner| runner.word == spec.word);
        let has_variant = |runner: &&Runner| {
            let mut words = spec.variant.iter().filter(|word| *word != AS_RELEASED);
            words.all(|word| runner.choices().any(|choice| choice.word == *word))
        };
        if runners.iter().any(has_variant) {
            runners.retain(has_variant);
        }
        let library = Library { runners, spec };
        let Some(first) = library.runners.first() else {
            let mut words: Vec<&str> = self.runners.iter().map(|r| r.word.as_str()).collect();
            words.dedup();
            let (word, words) = (&spec.word, words.join(", "));
            return Err(Failure::Usage(format!(
                "there is no implementation `{word}`; available are {words}"
            )));
        };
        let target = match (&spec.which, &first.locked) {
            (Which::Releases(range), _) => return library.range(range, newest, &self.folder),
            // Without a pin there is only one release.
            (Which::Newest, _) if newest.is_some() && first.pin.is_some() => {
                return library.range(&Range::Every, newest, &self.folder);
            }
            (Which::Newest, Some(locked)) => {
                return library.range(&Range::Exactly(locked.clone()), newest, &self.folder);
            }
            (Which::Newest, None) => Target::new(first, spec, None)?,
            (Which::System, _) => {
                let system = library.find(|runner| runner.system.is_some());
                Target::new(system.ok_or_else(|| library.cannot_measure())?, spec, None)?
            }
            (Which::Sources(source), _) => library.sources(source, &self.checkouts)?,
        };
        Ok(vec![target])
    }

    /// Lists the runners for display, one per line.
    pub(crate) fn list(&self) -> String {
        let mut list = String::new();
        for runner in &self.runners {
            list += &format!("{:<12} {}", runner.word, runner.measurable());
            for choice in runner.choices() {
                list += &format!(" +{}", choice.word);
            }
            list += "\n";
        }
        list
    }
}

/// The runners of one word, the default first, and what was said of it on the command line.
struct Library<'a> {
    runners: Vec<&'a Runner>,
    spec: &'a Spec,
}

impl<'a> Library<'a> {
    fn find(&self, fits: impl Fn(&Runner) -> bool) -> Option<&'a Runner> {
        self.runners.iter().copied().find(|runner| fits(runner))
    }

    fn cannot_measure(&self) -> Failure {
        let Spec { text, word, .. } = self.spec;
        let all: Vec<String> = self.runners.iter().map(|r| r.measurable()).collect();
        let all = all.join(" and ");
        Failure::Usage(format!(
            "`{text}` cannot be measured: available is {word} {all}"
        ))
    }

    /// Returns the target of unreleased sources, with the runner for the version in them.
    fn sources(&self, source: &Location, checkouts: &Path) -> Result<Target> {
        let mut runners = self.runners.iter();
        let first = runners.find_map(|r| Some((r.tree.as_ref()?, r.pin.as_deref()?)));
        let Some((tree, pin)) = first else {
            let Spec { text, word, .. } = self.spec;
            return Err(Failure::Usage(format!(
                "`{text}`: {word} is measured by release only, not from sources"
            )));
        };
        let mut sources = Checkout::open(source, checkouts, tree, pin)?;
        let version = &sources.version;
        let fits = |runner: &Runner| runner.tree.is_some() && runner.has_sources_of(version);
        let runner = self.find(fits).ok_or_else(|| {
            let why = self.cannot_measure();
            Failure::Usage(format!("these are sources of {version}; {why}"))
        })?;
        // A package that wraps sources fits those of its own major version.
        if let Tree::Folder(_) = tree {
            let mut all = self.releases(&release::kept(pin)?);
            all.retain(|r| r.version.numbers().first() == version.numbers().first() && !r.yanked);
            sources.wrapper = all.pop().map(|release| release.package);
        }
        Target::from_sources(runner, self.spec, sources)
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
            match self.find(|runner| runner.has(&release.version)) {
                Some(runner) => targets.push(Target::new(runner, self.spec, Some(release))?),
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
        let mut runners = self.runners.iter();
        let pinned = runners.find_map(|runner| Some((runner, runner.pin.as_deref()?)));
        let (first, package) = pinned.ok_or_else(|| self.cannot_measure())?;
        let mut named = None;
        if let Range::Exactly(version) = range {
            let runner = self.find(|runner| runner.has(version));
            let runner = runner.ok_or_else(|| self.cannot_measure())?;
            named = Some(Release::new(version.as_str(), None, false));
            let mut known = self.releases(&release::kept(package)?);
            known.retain(|known| known.version == *version);
            if known.is_empty() && runner.locked.as_ref() == Some(version) {
                known.extend(named.clone());
            }
            if !known.is_empty() {
                return Ok((known, None));
            }
        }
        let (versions, warning) = release::versions(&folder.join(&first.folder), package)?;
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
            let version = self.runners.iter().find_map(|r| r.release(&entry.package));
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
            let needs_make = target.needs.iter().any(|need| need.package == "make");
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
}
