//! All runners, and the one that measures what the command line names.

use super::checkout::{Checkouts, Source};
use super::index::{Entry, Index};
use super::range::{Range, Release};
use super::runner::Runner;
use super::spec::{Spec, Which};
use super::target::Target;
use super::tree::{Tree, TreeSource};
use crate::failure::{Failure, Result};
use crate::fs;
use crate::version::Version;
use anyhow::anyhow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Catalog {
    runners: Vec<Runner>,
    index: Index,
    checkouts: Checkouts,
}

impl Catalog {
    /// Reads the `Cargo.toml` of every folder below `runners`. Sources that are no release are
    /// kept below `work`.
    pub(crate) fn read(runners: &Path, work: &Path) -> Result<Self> {
        let mut all = Vec::new();
        for folder in fs::folders(runners)? {
            all.extend(Runner::read(&folder)?);
        }
        if all.is_empty() {
            return Err(Failure::Usage(format!(
                "{} has no runner: no folder with a Cargo.toml that has [package.metadata.runner]",
                runners.display()
            )));
        }
        // The newest first, so that it is found first.
        all.sort_by(|a, b| (&a.word, &b.locked).cmp(&(&b.word, &a.locked)));
        Ok(Self {
            runners: all,
            index: Index::new(runners)?,
            checkouts: Checkouts::new(work),
        })
    }

    /// What to build for `spec`: one thing, or each release of a range. `newest` is how many of a
    /// range, or of all releases where none is named.
    pub(crate) fn find(&mut self, spec: &Spec, newest: Option<usize>) -> Result<Found> {
        let known: Vec<&Runner> = self
            .runners
            .iter()
            .filter(|r| r.word == spec.word)
            .collect();
        if known.is_empty() {
            let mut words: Vec<&str> = self.runners.iter().map(|r| r.word.as_str()).collect();
            words.dedup();
            let (word, words) = (&spec.word, words.join(", "));
            let message = format!("there is no implementation `{word}`; there are {words}");
            return Err(Failure::Usage(message));
        }
        let index = &mut self.index;
        let target = match (&spec.which, newest) {
            (Which::Between(range), _) => return between(&known, spec, range, newest, index),
            (Which::Newest, Some(_)) => {
                return between(&known, spec, &Range::every(), newest, index);
            }
            (Which::Sources(source), _) => {
                of_sources(&known, spec, &self.checkouts, index, source)?
            }
            _ => one(&known, spec, index)?,
        };
        Ok(Found {
            targets: vec![target],
            notes: Vec::new(),
        })
    }

    /// Says what is left out, and what cargo could not look up.
    pub(crate) fn say(&mut self, found: &Found, quiet: bool) {
        let warnings = std::mem::take(&mut self.index.warnings);
        if !quiet {
            found.notes.iter().for_each(|note| crate::say!("{note}"));
            warnings
                .iter()
                .for_each(|warning| crate::say!("warning: {warning}"));
        }
    }

    /// Copies of sources that are no release.
    pub(crate) fn checkouts(&self) -> &Checkouts {
        &self.checkouts
    }

    /// For people: a line for each runner.
    pub(crate) fn list(&self) -> String {
        let line = |runner: &Runner| {
            let words = runner.choices().map(|choice| format!(" +{}", choice.word));
            let (word, words) = (&runner.word, words.collect::<String>());
            format!("{word:<12} {}{words}\n", measurable(runner))
        };
        self.runners.iter().map(line).collect()
    }
}

/// What a specification is.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) targets: Vec<Target>,
    /// What of a range is left out, and why.
    pub(crate) notes: Vec<String>,
}

/// The release that is named, the newest, or the system's.
fn one(known: &[&Runner], spec: &Spec, index: &Index) -> Result<Target> {
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
        Some(package) => index.kept(package)?,
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

/// Sources, by the runner that measures the version which they give themselves.
fn of_sources(
    known: &[&Runner],
    spec: &Spec,
    checkouts: &Checkouts,
    index: &Index,
    source: &Source,
) -> Result<Target> {
    let able: Vec<(&Runner, &Tree)> = known
        .iter()
        .filter_map(|r| Some((*r, r.tree.as_ref()?)))
        .collect();
    let Some((_, first)) = able.first() else {
        let Spec { text, word, .. } = spec;
        let message = format!("`{text}`: {word} is measured by release only, not from sources");
        return Err(Failure::Usage(message));
    };
    let checkout = checkouts.prepare(source)?;
    let package = able.first().and_then(|(runner, _)| runner.pin.as_deref());
    let version = first.version(&checkout.folder, package)?;
    let fits = |(runner, _): &&(&Runner, &Tree)| {
        version
            .as_ref()
            .is_none_or(|version| runner.has_sources_of(version))
    };
    let Some((runner, tree)) = able.iter().find(fits) else {
        let version = version.unwrap_or_default();
        let message = format!(
            "these are sources of {version}; {}",
            cannot_measure(known, spec)
        );
        return Err(Failure::Usage(message));
    };
    // A package that wraps the sources fits those of its own major version.
    let mut wrapper = None;
    if let (Tree::Folder(_), Some(package), Some(version)) = (tree, &runner.pin, &version) {
        let major = version.numbers().first().copied();
        let all = releases(&[runner], &index.kept(package)?).into_iter();
        let mut fitting =
            all.filter(|r| r.version.numbers().first().copied() == major && !r.yanked);
        wrapper = fitting.next_back().and_then(|release| release.package);
    }
    let sources = TreeSource {
        tree: (*tree).clone(),
        checkout,
        version,
    };
    Target::of_sources(runner, spec, sources, wrapper)
}

/// The releases of a range, each with the runner that measures it.
fn between(
    known: &[&Runner],
    spec: &Spec,
    range: &Range,
    newest: Option<usize>,
    index: &mut Index,
) -> Result<Found> {
    let packages: BTreeSet<&str> = known.iter().filter_map(|r| r.pin.as_deref()).collect();
    if packages.is_empty() {
        return Err(cannot_measure(known, spec));
    }
    let mut all = Vec::new();
    for package in packages {
        let of_package: Vec<&Runner> = known
            .iter()
            .copied()
            .filter(|r| r.pin.as_deref() == Some(package))
            .collect();
        all.extend(releases(&of_package, &index.versions(package)?));
    }
    all.sort_by(|a, b| a.version.cmp(&b.version));
    let found = range.expand(&all, newest).map_err(|why| {
        let message = format!("`{}`: {why}", spec.text);
        // What cargo could not look up may well exist.
        match index.warnings.first() {
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
    note(&found.unmeasured, "measured by no runner");
    note(
        &found.unreleased,
        "no release but yanked ones and pre-releases, which are measured if they are named",
    );
    let mut targets = Vec::new();
    let mut refused = None;
    for release in found.releases {
        let runner = known.iter().find(|runner| runner.has(&release.version));
        let version = release.version.clone();
        match runner.map(|runner| Target::new(runner, spec, Some(release))) {
            Some(Ok(target)) => targets.push(target),
            // An old release may lack a provider that newer ones have.
            Some(Err(Failure::Usage(why))) => {
                notes.push(format!("left out: {} {version}: {why}", spec.word));
                refused.get_or_insert(why);
            }
            Some(Err(other)) => return Err(other),
            None => {}
        }
    }
    match refused.filter(|_| targets.is_empty()) {
        Some(why) => Err(Failure::Usage(why)),
        None => Ok(Found { targets, notes }),
    }
}

/// The releases that the versions of a package are, in their order. The package of one is the
/// version that its runner names, else the newest.
fn releases(runners: &[&Runner], entries: &[Entry]) -> Vec<Release> {
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
        "`{text}` cannot be measured: there is {word} {ranges}"
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
        let mut catalog = Catalog::read(&runners, &runners).expect("runners");
        let spec = Spec::parse(spec).expect(spec);
        let found = catalog.find(&spec, None).expect("a target");
        found.targets.into_iter().next().expect("one")
    }

    /// rustls-bench and rustls.dev measure with jemalloc, openssl-bench with the system's malloc.
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
