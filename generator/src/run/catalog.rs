//! All runners, and the lookup of what the command line names.

use super::checkout::Checkouts;
use super::index::Index;
use super::lookup::{between, measurable, of_sources, one};
use super::range::Range;
use super::runner::Runner;
use super::spec::{Spec, Which};
use super::target::Target;
use crate::failure::{Failure, Result};
use crate::fs;
use crate::version::Version;
use std::cmp::Reverse;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Catalog {
    runners: Vec<Runner>,
    index: Index,
    checkouts: Checkouts,
}

impl Catalog {
    /// Reads the runner table of every folder below `runners`. Checkouts of unreleased sources are
    /// kept below `work`.
    pub(crate) fn read(runners: &Path, work: &Path) -> Result<Self> {
        let mut all = Vec::new();
        for folder in fs::folders(runners)? {
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
            index: Index::new(runners)?,
            checkouts: Checkouts::new(work),
        })
    }

    /// Returns the targets of `spec`: one, or one per release of a range. `newest` limits them to
    /// that many newest releases, of the range or, without a version, of all.
    pub(crate) fn find(&mut self, spec: &Spec, newest: Option<usize>) -> Result<Vec<Target>> {
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
        let index = &mut self.index;
        let target = match (&spec.which, newest) {
            (Which::Between(range), _) => return between(&known, spec, range, newest, index),
            // Without a pin there is only one release.
            (Which::Newest, Some(_)) if known.iter().any(|r| r.pin.is_some()) => {
                return between(&known, spec, &Range::every(), newest, index);
            }
            (Which::Sources(source), _) => {
                of_sources(&known, spec, &self.checkouts, index, source)?
            }
            _ => one(&known, spec, index)?,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn target(spec: &str) -> Target {
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let mut catalog = Catalog::read(&runners, &runners).expect("runners");
        let spec = Spec::parse(spec).expect(spec);
        let found = catalog.find(&spec, None).expect("a target");
        found.into_iter().next().expect("one")
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
