//! All runners, and the lookup of what the command line names.

use super::checkout::Checkout;
use super::go;
use super::index::{self, PackageVersion};
use super::range::{Range, Release};
use super::runner::{Runner, Tree};
use super::spec::{Source, Spec, Which};
use super::target::Target;
use crate::base::failure::{Failure, Result};
use crate::files;
use crate::model::version::Version;
use anyhow::anyhow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Catalog {
    runners: Vec<Runner>,
    /// Folder of the runners, where cargo runs.
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
                "{} has no runners: no folder has a Cargo.toml with [package.metadata.runner], or a runner.toml",
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
        let all = self.runners.iter();
        let known: Vec<&Runner> = all.filter(|runner| runner.word == spec.word).collect();
        let Some(first) = known.first() else {
            let mut words: Vec<&str> = self.runners.iter().map(|r| r.word.as_str()).collect();
            words.dedup();
            let (word, words) = (&spec.word, words.join(", "));
            return Err(Failure::Usage(format!(
                "there is no implementation `{word}`; available are {words}"
            )));
        };
        let target = match (&spec.which, newest) {
            (Which::Releases(range), _) => return self.releases(&known, spec, range, newest),
            // Without a pin there is only one release.
            (Which::Newest, Some(_)) if first.pin.is_some() => {
                return self.releases(&known, spec, &Range::Every, newest);
            }
            (Which::Newest, _) => Target::new(first, spec, locked(first)?),
            (Which::System, _) => match known.iter().find(|runner| runner.system.is_some()) {
                Some(runner) => Target::new(runner, spec, None),
                None => Err(cannot_measure(&known, spec)),
            },
            (Which::Sources(source), _) => self.sources(&known, spec, source),
        };
        Ok(vec![target?])
    }

    /// Lists the runners for display, one per line.
    pub(crate) fn list(&self) -> String {
        let line = |runner: &Runner| {
            let words = runner.choices().map(|choice| format!(" +{}", choice.word));
            let (word, words) = (&runner.word, words.collect::<String>());
            format!("{word:<12} {}{words}\n", runner.measurable())
        };
        self.runners.iter().map(line).collect()
    }

    /// Returns the target of unreleased sources, with the runner for the version in them.
    fn sources(&self, known: &[&Runner], spec: &Spec, source: &Source) -> Result<Target> {
        let mut able = known.iter().filter(|runner| runner.tree.is_some());
        let Some(Runner {
            tree: Some(tree),
            pin,
            ..
        }) = able.clone().next()
        else {
            let Spec { text, word, .. } = spec;
            return Err(Failure::Usage(format!(
                "`{text}`: {word} is measured by release only, not from sources"
            )));
        };
        let mut sources = Checkout::of(source, &self.checkouts, tree, pin.as_deref())?;
        let version = sources.version.as_ref();
        let fits = |runner: &&&Runner| version.is_none_or(|v| runner.has_sources_of(v));
        let Some(runner) = able.find(fits) else {
            let version = version.cloned().unwrap_or_default();
            let why = cannot_measure(known, spec);
            return Err(Failure::Usage(format!(
                "these are sources of {version}; {why}"
            )));
        };
        // A package that wraps sources fits those of its own major version.
        if let (Tree::Folder(_), Some(package), Some(version)) = (tree, pin, version) {
            let mut all = releases(&[runner], &index::kept(package)?);
            all.retain(|r| r.version.numbers().first() == version.numbers().first() && !r.yanked);
            sources.wrapper = all.pop().map(|release| release.package);
        }
        Target::of_sources(runner, spec, sources)
    }

    /// Returns the targets of a range's releases. Prints notes on releases left out, and warnings of
    /// what could not be looked up.
    fn releases(
        &self,
        known: &[&Runner],
        spec: &Spec,
        range: &Range,
        newest: Option<usize>,
    ) -> Result<Vec<Target>> {
        let package = known.iter().find_map(|runner| runner.pin.as_deref());
        let package = package.ok_or_else(|| cannot_measure(known, spec))?;
        let mut all = Vec::new();
        if let Range::Exactly(version) = range {
            let runner = known.iter().find(|runner| runner.has(version));
            let runner = runner.ok_or_else(|| cannot_measure(known, spec))?;
            all.extend(locked(runner)?.filter(|locked| locked.version == *version));
        }
        let mut warning = None;
        if all.is_empty() {
            let enough = |versions: &[PackageVersion]| match range {
                Range::Exactly(version) => {
                    let all = releases(known, versions);
                    all.iter().any(|release| release.version == *version)
                }
                _ => false,
            };
            let versions;
            (versions, warning) = index::versions(&self.folder, package, enough)?;
            all = releases(known, &versions);
            if let (true, Range::Exactly(version)) = (versions.is_empty(), range) {
                // Without a registry, cargo itself finds the release or not.
                all.push(Release {
                    version: version.clone(),
                    measurable: true,
                    package: version.to_string(),
                    ..Release::default()
                });
            }
        }
        let found = range.expand(&all, newest).map_err(|why| {
            let message = format!("`{}`: {why}", spec.text);
            // A release that could not be looked up may exist.
            match &warning {
                Some(warning) => Failure::Io(anyhow!("{message}; {warning}")),
                None => Failure::Usage(message),
            }
        })?;
        let mut notes = Vec::new();
        for (versions, what) in [
            (&found.unmeasured, "not supported by any runner"),
            (
                &found.unreleased,
                "only yanked releases and pre-releases, which are measured if named",
            ),
        ] {
            if !versions.is_empty() {
                let versions: Vec<&str> = versions.iter().map(Version::as_str).collect();
                notes.push(format!(
                    "left out: {} {}: {what}",
                    spec.word,
                    versions.join(", ")
                ));
            }
        }
        let (mut targets, mut refused) = (Vec::new(), None);
        for release in found.releases {
            let version = release.version.clone();
            let Some(runner) = known.iter().find(|runner| runner.has(&version)) else {
                continue;
            };
            match Target::new(runner, spec, Some(release)) {
                Ok(target) => targets.push(target),
                // An old release may lack the provider.
                Err(Failure::Usage(why)) => {
                    notes.push(format!("left out: {} {version}: {why}", spec.word));
                    refused.get_or_insert(why);
                }
                Err(other) => return Err(other),
            }
        }
        if let Some(why) = refused.filter(|_| targets.is_empty()) {
            return Err(Failure::Usage(why));
        }
        notes.extend(warning.map(|warning| format!("warning: {warning}")));
        for note in &notes {
            crate::inform!("{note}");
        }
        Ok(targets)
    }
}

/// Returns the release in a runner's lock file, with its day if that is known here.
fn locked(runner: &Runner) -> Result<Option<Release>> {
    let (Some(version), Some(package)) = (&runner.locked, &runner.pin) else {
        return Ok(None);
    };
    let unknown = Release {
        version: version.clone(),
        measurable: true,
        ..Release::default()
    };
    // The index has no days of Go's releases.
    let kept = match package.as_str() {
        go::TOOLCHAIN => Vec::new(),
        package => releases(&[runner], &index::kept(package)?),
    };
    let found = kept.into_iter().find(|release| release.version == *version);
    Ok(Some(found.unwrap_or(unknown)))
}

/// Converts versions of a package to releases, sorted. A release's package is the last version that
/// has it and is not yanked.
fn releases(runners: &[&Runner], versions: &[PackageVersion]) -> Vec<Release> {
    // If what follows the `+` is the release, early versions without one have none.
    let has_plus = versions.iter().any(|v| v.version.contains('+'));
    let mut all: BTreeMap<Version, Release> = BTreeMap::new();
    for entry in versions {
        let Some(version) = runners.iter().find_map(|r| r.release(&entry.version)) else {
            continue;
        };
        if has_plus && !entry.version.contains('+') {
            continue;
        }
        let release = all.entry(version.clone()).or_insert_with(|| Release {
            yanked: true,
            measurable: runners.iter().any(|runner| runner.has(&version)),
            version,
            ..Release::default()
        });
        let days = [release.released, entry.published];
        release.released = days.into_iter().flatten().min();
        release.yanked &= entry.yanked;
        if release.package.is_empty() || !entry.yanked {
            release.package = entry.version.clone();
        }
    }
    all.into_values().collect()
}

fn cannot_measure(known: &[&Runner], spec: &Spec) -> Failure {
    let ranges: Vec<String> = known.iter().map(|runner| runner.measurable()).collect();
    let (Spec { text, word, .. }, ranges) = (spec, ranges.join(" and "));
    Failure::Usage(format!(
        "`{text}` cannot be measured: available is {word} {ranges}"
    ))
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

    #[test]
    fn a_folder_without_the_crate_is_not_copied() {
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let folder = tempfile::tempdir().expect("a folder");
        let (work, sources) = (folder.path().join("work"), folder.path().join("sources"));
        files::create_folder(&sources).expect("made");
        files::write(&sources.join("private"), b"x").expect("written");
        let catalog = Catalog::read(&runners, &work).expect("runners");
        let spec = format!("rustls@path:{}", sources.display());
        let spec = Spec::parse(&spec).expect("a path");
        let failure = catalog.find(&spec, None).expect_err("no crate");
        assert_eq!(failure.exit_code(), 2, "{failure}");
        assert!(!files::is_folder(&work).expect("a look"));
    }

    #[test]
    fn a_name_alone_selects_a_release() {
        for word in ["rustls", "openssl", "aws-lc", "go", "s2n"] {
            let version = target(word).version.expect(word);
            assert!(!version.is_pre_release(), "{word} is {version}");
        }
    }

    /// rustls-bench and rustls.dev use jemalloc, openssl-bench the system's malloc.
    #[test]
    fn the_default_allocator_is_that_of_the_reference_tool() {
        for (spec, variant) in [
            ("rustls", "aws-lc-rs+jemalloc"),
            ("rustls+jemalloc", "aws-lc-rs+jemalloc"),
            ("rustls+malloc", "aws-lc-rs+malloc"),
            ("rustls+ring", "ring+jemalloc"),
            ("rustls@0.23.5", "aws-lc-rs+jemalloc"),
            ("rustls@0.22.4", "ring+jemalloc"),
            ("rustls@0.21.12", "ring+jemalloc"),
            ("rustls@0.21.12+malloc", "ring+malloc"),
            ("openssl@system", ""),
            ("openssl", ""),
            ("boringssl", ""),
            ("aws-lc", ""),
        ] {
            let target = target(spec);
            assert_eq!(target.variant.join("+"), variant, "{spec}");
            let has = |feature| target.features.iter().any(|f| f == feature);
            assert_eq!(has("jemalloc"), variant.ends_with("jemalloc"), "{spec}");
            let needs_make = target.needs.iter().any(|need| need.package == "make");
            assert!(needs_make || !has("jemalloc"), "{spec}");
        }
    }
}
