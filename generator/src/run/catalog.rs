//! All runners, and the one that measures what the command line names.

use super::runner::Runner;
use super::spec::{Release, Spec};
use super::target::Target;
use crate::failure::{Failure, Result};
use crate::fs;
use std::path::Path;
#[derive(Debug)]
pub(crate) struct Catalog(Vec<Runner>);

impl Catalog {
    /// Reads the `Cargo.toml` of every folder below `runners`.
    pub(crate) fn read(runners: &Path) -> Result<Self> {
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
        Ok(Self(all))
    }

    /// What to build for `spec`.
    pub(crate) fn find(&self, spec: &Spec) -> Result<Target> {
        let known: Vec<&Runner> = self.0.iter().filter(|r| r.word == spec.word).collect();
        if known.is_empty() {
            let mut words: Vec<&str> = self.0.iter().map(|r| r.word.as_str()).collect();
            words.dedup();
            let (word, words) = (&spec.word, words.join(", "));
            let message = format!("there is no implementation `{word}`; there are {words}");
            return Err(Failure::Usage(message));
        }
        let fits = |runner: &&&Runner| match &spec.release {
            Release::Newest => true,
            Release::System => runner.system.is_some(),
            Release::Exactly(release) => runner.has(release),
        };
        let Some(runner) = known.iter().find(fits) else {
            let ranges: Vec<String> = known.iter().map(|r| releases(r)).collect();
            let (Spec { text, word, .. }, ranges) = (spec, ranges.join(" and "));
            let message = format!("`{text}` cannot be measured: there is {word} {ranges}");
            return Err(Failure::Usage(message));
        };
        Target::new(runner, spec)
    }

    /// For people: a line for each runner.
    pub(crate) fn list(&self) -> String {
        let line = |runner: &Runner| {
            let words = runner.choices().map(|choice| format!(" +{}", choice.word));
            let (word, words) = (&runner.word, words.collect::<String>());
            format!("{word:<12} {}{words}\n", releases(runner))
        };
        self.0.iter().map(line).collect()
    }
}

fn releases(runner: &Runner) -> String {
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
