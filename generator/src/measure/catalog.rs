//! All runners, and the lookup of what the command line names.

use super::checkout::{Checkout, SourceTree};
use super::index;
use super::range::{PackageVersion, Range, Release};
use super::runner::Runner;
use super::spec::{Spec, Which};
use super::target::Target;
use super::tree::Tree;
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
        let known: Vec<&Runner> = self
            .runners
            .iter()
            .filter(|r| r.word == spec.word)
            .collect();
        if known.is_empty() {
            let mut words: Vec<&str> = self.runners.iter().map(|r| r.word.as_str()).collect();
            words.dedup();
            let (word, words) = (&spec.word, words.join(", "));
            let message = format!("there is no implementation `{word}`; available are {words}");
            return Err(Failure::Usage(message));
        }
        let target = match (&spec.which, newest) {
            (Which::Between(range), _) => {
                return between(&known, spec, range, newest, &self.folder);
            }
            // Without a pin there is only one release.
            (Which::Newest, Some(_)) if known.iter().any(|r| r.pin.is_some()) => {
                return between(&known, spec, &Range::every(), newest, &self.folder);
            }
            (Which::Sources(source), _) => of_sources(&known, spec, &self.checkouts, source)?,
            _ => one(&known, spec)?,
        };
        Ok(vec![target])
    }

    /// Lists the runners for display, one per line.
    pub(crate) fn list(&self) -> String {
        let line = |runner: &Runner| {
            let words = runner.choices().map(|choice| format!(" +{}", choice.word));
            let (word, words) = (&runner.word, words.collect::<String>());
            format!("{word:<12} {}{words}\n", measurable(runner))
        };
        self.runners.iter().map(line).collect()
    }
}

/// Returns the target of the named release, the newest, or the system's library.
fn one(known: &[&Runner], spec: &Spec) -> Result<Target> {
    let fits = |runner: &&&Runner| match &spec.which {
        Which::System => runner.system.is_some(),
        Which::Exactly(release) => runner.has(release),
        _ => true,
    };
    let runner = known
        .iter()
        .find(fits)
        .ok_or_else(|| cannot_measure(known, spec))?;
    let version = match &spec.which {
        Which::System => None,
        Which::Exactly(release) => Some(release.clone()),
        _ => runner.locked.clone(),
    };
    let entries = match &runner.pin {
        Some(package) => index::kept(package)?,
        None => Vec::new(),
    };
    let release = version.map(|version| {
        let kept = releases(&[runner], &entries).into_iter();
        let unknown = Release {
            version: version.clone(),
            ..Release::default()
        };
        kept.rev().find(|r| r.version == version).unwrap_or(unknown)
    });
    Target::new(runner, spec, release)
}

/// Returns the target of unreleased sources, with the runner for the version in them.
fn of_sources(
    known: &[&Runner],
    spec: &Spec,
    checkouts: &Path,
    source: &SourceTree,
) -> Result<Target> {
    let able: Vec<(&Runner, &Tree)> = known
        .iter()
        .filter_map(|r| Some((*r, r.tree.as_ref()?)))
        .collect();
    let Some((first, tree)) = able.first() else {
        let Spec { text, word, .. } = spec;
        let message = format!("`{text}`: {word} is measured by release only, not from sources");
        return Err(Failure::Usage(message));
    };
    // Before anything is copied: a wrong folder may be large or private.
    if let SourceTree::Path(path) = source
        && files::is_folder(path)?
        // Of other failures the copy decides: a file that git ignores may be no manifest.
        && let Err(refusal @ Failure::Usage(_)) = tree.version(path, first.pin.as_deref())
    {
        return Err(refusal);
    }
    let mut sources = Checkout::of(source, checkouts)?;
    sources.version = tree.version(&sources.folder, first.pin.as_deref())?;
    let version = sources.version.as_ref();
    let fits = |runner: &Runner| version.is_none_or(|version| runner.has_sources_of(version));
    let Some((runner, tree)) = able.iter().find(|(runner, _)| fits(runner)) else {
        let version = version.cloned().unwrap_or_default();
        let why = cannot_measure(known, spec);
        return Err(Failure::Usage(format!(
            "these are sources of {version}; {why}"
        )));
    };
    sources.tree = (*tree).clone();
    // A package that wraps sources fits those of its own major version.
    let mut wrapper = None;
    if let (Tree::Folder(_), Some(package), Some(version)) = (tree, &runner.pin, version) {
        let major = version.numbers().first().copied();
        let mut all = releases(&[runner], &index::kept(package)?);
        all.retain(|r| r.version.numbers().first().copied() == major && !r.yanked);
        wrapper = all.pop().and_then(|release| release.package);
    }
    Target::of_sources(runner, spec, sources, wrapper)
}

/// Returns the targets of a range's releases. Prints notes on releases left out, and warnings of
/// what cargo could not look up.
fn between(
    known: &[&Runner],
    spec: &Spec,
    range: &Range,
    newest: Option<usize>,
    folder: &Path,
) -> Result<Vec<Target>> {
    let package = known.iter().find_map(|runner| runner.pin.as_deref());
    let package = package.ok_or_else(|| cannot_measure(known, spec))?;
    let (versions, warning) = index::versions(folder, package)?;
    let all = releases(known, &versions);
    let found = range.expand(&all, newest).map_err(|why| {
        let message = format!("`{}`: {why}", spec.text);
        // A release that cargo could not look up may exist.
        match &warning {
            Some(warning) => Failure::Io(anyhow!("{message}; {warning}")),
            None => Failure::Usage(message),
        }
    })?;
    let mut notes = Vec::new();
    let mut note = |versions: &[Version], what: &str| {
        if !versions.is_empty() {
            let versions: Vec<&str> = versions.iter().map(Version::as_str).collect();
            let (word, versions) = (&spec.word, versions.join(", "));
            notes.push(format!("left out: {word} {versions}: {what}"));
        }
    };
    note(&found.unmeasured, "not supported by any runner");
    note(
        &found.unreleased,
        "only yanked releases and pre-releases, which are measured if named",
    );
    let mut targets = Vec::new();
    let mut refused = None;
    for release in found.releases {
        let runner = known.iter().find(|runner| runner.has(&release.version));
        let version = release.version.clone();
        match runner.map(|runner| Target::new(runner, spec, Some(release))) {
            Some(Ok(target)) => targets.push(target),
            // An old release may lack the provider.
            Some(Err(Failure::Usage(why))) => {
                notes.push(format!("left out: {} {version}: {why}", spec.word));
                refused.get_or_insert(why);
            }
            Some(Err(other)) => return Err(other),
            None => {}
        }
    }
    if let Some(why) = refused.filter(|_| targets.is_empty()) {
        return Err(Failure::Usage(why));
    }
    for note in &notes {
        crate::inform!("{note}");
    }
    if let Some(warning) = warning {
        crate::inform!("warning: {warning}");
    }
    Ok(targets)
}

/// Converts versions of a package to releases, sorted. A release's package is the version that its
/// runner names, else the newest.
fn releases(runners: &[&Runner], entries: &[PackageVersion]) -> Vec<Release> {
    let mut all: BTreeMap<Version, Release> = BTreeMap::new();
    for entry in entries {
        let Some(version) = runners.iter().find_map(|r| r.release(&entry.version)) else {
            continue;
        };
        let runner = runners.iter().find(|runner| runner.has(&version));
        let release = all.entry(version.clone()).or_insert_with(|| Release {
            yanked: true,
            measurable: runner.is_some(),
            version,
            ..Release::default()
        });
        release.released = [release.released, entry.published]
            .into_iter()
            .flatten()
            .min();
        release.yanked &= entry.yanked;
        let named = runner.map(|runner| runner.precise(&release.version));
        if release.package.is_none() || release.package != named && !entry.yanked {
            release.package = Some(entry.version.clone());
        }
    }
    all.into_values().collect()
}

fn cannot_measure(known: &[&Runner], spec: &Spec) -> Failure {
    let ranges: Vec<String> = known.iter().map(|r| measurable(r)).collect();
    let (Spec { text, word, .. }, ranges) = (spec, ranges.join(" and "));
    Failure::Usage(format!(
        "`{text}` cannot be measured: available is {word} {ranges}"
    ))
}

fn measurable(runner: &Runner) -> String {
    let mut text = match (&runner.releases, &runner.pin) {
        (_, None) => "in one release, named without a version".to_owned(),
        (None, Some(_)) => "any release".to_owned(),
        (Some(releases), Some(_)) => releases.to_string(),
    };
    if let (Some(newest), Some(_)) = (&runner.locked, &runner.pin) {
        text += &format!(" (now {newest})");
    }
    if runner.system.is_some() {
        text += ", @system";
    }
    text
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
