//! Resolves a specification to targets, with the runners of its word and their known releases.

use super::checkout::{Checkouts, SourceTree};
use super::index::{Index, PackageVersion};
use super::range::{Range, Release};
use super::runner::Runner;
use super::spec::{Spec, Which};
use super::target::Target;
use super::tree::{Tree, TreeSource};
use crate::failure::{Failure, Result};
use crate::version::Version;
use anyhow::anyhow;
use std::collections::BTreeMap;

/// Returns the target of the named release, the newest, or the system's library.
pub(super) fn one(known: &[&Runner], spec: &Spec, index: &Index) -> Result<Target> {
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

/// Returns the target of unreleased sources, with the runner for the version in them.
pub(super) fn of_sources(
    known: &[&Runner],
    spec: &Spec,
    checkouts: &Checkouts,
    index: &Index,
    source: &SourceTree,
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
    // A package that wraps sources fits those of its own major version.
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

/// Returns the targets of a range's releases. Prints notes on releases left out, and warnings of
/// what cargo could not look up.
pub(super) fn between(
    known: &[&Runner],
    spec: &Spec,
    range: &Range,
    newest: Option<usize>,
    index: &mut Index,
) -> Result<Vec<Target>> {
    let package = known.iter().find_map(|runner| runner.pin.as_deref());
    let package = package.ok_or_else(|| cannot_measure(known, spec))?;
    let all = releases(known, &index.versions(package)?);
    let found = range.expand(&all, newest).map_err(|why| {
        let message = format!("`{}`: {why}", spec.text);
        // A release that cargo could not look up may exist.
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
    for warning in std::mem::take(&mut index.warnings) {
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

pub(super) fn measurable(runner: &Runner) -> String {
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
