//! All runners, and the one that measures what the command line names.

use super::runner::{Flavour, Need, Runner};
use super::spec::{Asked, Spec};
use crate::failure::{Failure, Result};
use crate::fs;
use semver::Version;
use std::path::Path;

/// The runners of a folder.
#[derive(Debug)]
pub struct Catalog {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// Name of its folder.
    folder: String,
    runner: Runner,
    /// The release in its lock file.
    locked: Option<Version>,
}

/// One thing to build and measure.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Name of its build folder: `rustls_0.23.43_aws-lc-rs`.
    pub id: String,
    /// Of its runner.
    pub folder: String,
    /// As its rows call it.
    pub implementation: String,
    /// `None` if only the program itself can tell.
    pub version: Option<Version>,
    /// As its rows say: provider and allocator.
    pub variant: Vec<String>,
    /// Of the runner's crate.
    pub features: Vec<String>,
    /// A package and the version that the lock file must get, if it has another.
    pub pin: Option<(String, String)>,
    /// What the build needs.
    pub needs: Vec<Need>,
    /// The release's page.
    pub url: Option<String>,
}

impl Target {
    /// The program that makes certificates.
    pub fn certificates() -> Self {
        Self {
            id: "certificates".to_owned(),
            folder: "certificates".to_owned(),
            implementation: "the certificate generator".to_owned(),
            ..Self::default()
        }
    }

    /// For messages: `rustls 0.23.43 (ring+jemalloc)`.
    pub fn name(&self) -> String {
        let mut name = self.implementation.clone();
        if let Some(version) = &self.version {
            name += &format!(" {version}");
        }
        if !self.variant.is_empty() {
            name += &format!(" ({})", self.variant.join("+"));
        }
        name
    }
}

impl Catalog {
    /// Reads the `Cargo.toml` of every folder below `runners`.
    ///
    /// # Errors
    /// There is no runner, or a table that is wrong.
    pub fn read(runners: &Path) -> Result<Self> {
        let mut entries = Vec::new();
        for folder in fs::folders(runners)? {
            if let Some(runner) = Runner::read(&folder)? {
                entries.push(Entry {
                    locked: runner.locked(&folder)?,
                    folder: super::file_name(&folder),
                    runner,
                });
            }
        }
        if entries.is_empty() {
            return Err(Failure::Usage(format!(
                "{} has no runner: no folder with a Cargo.toml that has [package.metadata.runner]",
                runners.display()
            )));
        }
        // The newest first, so that it is found first.
        entries.sort_by(|a, b| (&a.runner.word, &b.locked).cmp(&(&b.runner.word, &a.locked)));
        Ok(Self { entries })
    }

    /// What to build for `spec`.
    ///
    /// # Errors
    /// No runner knows it; the message says what there is.
    pub fn find(&self, spec: &Spec) -> Result<Target> {
        let known: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|e| e.runner.word == spec.word)
            .collect();
        if known.is_empty() {
            return Err(Failure::Usage(format!(
                "there is no implementation `{}`; there are {}",
                spec.word,
                self.words().join(", ")
            )));
        }
        let fits = |entry: &&&Entry| match &spec.release {
            Asked::Newest => true,
            Asked::System => entry.runner.system.is_some(),
            Asked::Release(release) => entry.runner.has(release),
        };
        let Some(entry) = known.iter().find(fits) else {
            let ranges: Vec<String> = known.iter().map(|e| e.releases()).collect();
            return Err(Failure::Usage(format!(
                "`{}` cannot be measured: there is {} {}",
                spec.text,
                spec.word,
                ranges.join(" and ")
            )));
        };
        entry.target(spec)
    }

    /// Each word once.
    fn words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self
            .entries
            .iter()
            .map(|e| e.runner.word.as_str())
            .collect();
        words.dedup();
        words
    }

    /// For people: a line for each runner.
    pub fn list(&self) -> String {
        let line = |entry: &Entry| {
            let words = entry.runner.choices().map(|(word, _)| format!(" +{word}"));
            let (word, words) = (&entry.runner.word, words.collect::<String>());
            format!("{word:<12} {}{words}\n", entry.releases())
        };
        self.entries.iter().map(line).collect()
    }
}

impl Entry {
    fn releases(&self) -> String {
        let range = match (&self.runner.releases, &self.runner.pin) {
            (Some(releases), Some(_)) => releases.to_string(),
            (_, None) => "in one release, named without a version".to_owned(),
            (None, Some(_)) => "any release".to_owned(),
        };
        let newest = self.locked.as_ref().filter(|_| self.runner.pin.is_some());
        let newest = newest.map_or(String::new(), |v| format!(" (now {v})"));
        let system = if self.runner.system.is_some() {
            ", @system"
        } else {
            ""
        };
        range + &newest + system
    }

    fn target(&self, spec: &Spec) -> Result<Target> {
        let runner = &self.runner;
        let is_system = spec.release == Asked::System;
        let version = match &spec.release {
            Asked::Newest => self.locked.clone(),
            Asked::System => None,
            Asked::Release(release) => Some(release.clone()),
        };
        let (variant, mut features) = self.choices(spec, version.as_ref())?;
        let base = match &runner.system {
            Some(system) if is_system => &system.features,
            _ => &runner.features,
        };
        features.splice(0..0, base.iter().cloned());
        let pin = match (&runner.pin, &version) {
            (Some(package), Some(version)) if self.locked.as_ref() != Some(version) => {
                Some((package.clone(), runner.precise(version)))
            }
            _ => None,
        };
        let applies = |need: &&Need| {
            need.variant.as_ref().is_none_or(|v| variant.contains(v))
                && need.system.is_none_or(|only| only == is_system)
        };
        let needs = runner.needs.iter().filter(applies).cloned().collect();
        let number = match is_system {
            true => Some("system".to_owned()),
            false => version.as_ref().map(Version::to_string),
        };
        let id: Vec<String> = std::iter::once(runner.word.clone())
            .chain(number)
            .chain(variant.iter().cloned())
            .collect();
        Ok(Target {
            id: id.join("_"),
            folder: self.folder.clone(),
            implementation: runner.implementation.clone(),
            url: version.as_ref().and_then(|v| runner.url(v)),
            version,
            variant,
            features,
            pin,
            needs,
        })
    }

    /// The words of the variant, provider first, and their features.
    fn choices(
        &self,
        spec: &Spec,
        version: Option<&Version>,
    ) -> Result<(Vec<String>, Vec<String>)> {
        let (mut provider, mut allocator) = (None, None);
        for word in &spec.variant {
            let named =
                |list: &'_ [(String, Flavour)]| list.iter().find(|(name, _)| name == word).cloned();
            let slot = match (named(&self.runner.variants), named(&self.runner.allocators)) {
                (Some(found), _) => provider.replace(found),
                (None, Some(found)) => allocator.replace(found),
                (None, None) => return Err(self.unknown(spec, word)),
            };
            if slot.is_some() {
                return Err(Failure::Usage(format!(
                    "`{}` names two of a kind: give one provider and one allocator at most",
                    spec.text
                )));
            }
        }
        let provider = provider.or_else(|| self.runner.variants.first().cloned());
        let allocator = allocator.or_else(|| self.runner.allocators.first().cloned());
        let chosen: Vec<(String, Flavour)> = provider.into_iter().chain(allocator).collect();
        for (word, flavour) in &chosen {
            if let (Some(releases), Some(version)) = (&flavour.releases, version)
                && !releases.matches(version)
            {
                return Err(Failure::Usage(format!(
                    "`{}` cannot be measured: {word} is there for releases {releases}",
                    spec.text
                )));
            }
        }
        let features = chosen.iter().flat_map(|(_, f)| f.features.clone());
        Ok((
            chosen.iter().map(|(word, _)| word.clone()).collect(),
            features.collect(),
        ))
    }

    fn unknown(&self, spec: &Spec, word: &str) -> Failure {
        let words: Vec<&str> = self.runner.choices().map(|(w, _)| w.as_str()).collect();
        Failure::Usage(if words.is_empty() {
            format!("`{}`: {} has no variants", spec.text, spec.word)
        } else {
            format!(
                "`{}`: {} has no variant `{word}`; it has {}",
                spec.text,
                spec.word,
                words.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(spec: &str) -> Target {
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let catalog = Catalog::read(&runners).expect("runners");
        let spec = Spec::parse(spec).expect(spec);
        catalog.find(&spec).expect("a target")
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
