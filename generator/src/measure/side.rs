//! The sides of `run --command`: folders as they are, or revisions of Git repositories in copies.

use super::git::{self, State};
use super::sources;
use super::spec::Source;
use crate::base::failure::{Failure, Result};
use crate::files;
use crate::model::implementation::Implementation;
use crate::parse::criterion;
use anyhow::anyhow;
use std::path::{Path, PathBuf};

/// A side that is named, but not there yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SideArgument {
    name: String,
    /// Whether the user gave the name.
    is_named: bool,
    source: Source,
}

/// Where the command runs.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// Name of its results folder.
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// Its package and version, or its name with the commit as version.
    pub(crate) identity: Implementation,
    /// Description of its sources.
    pub(crate) sources: String,
}

/// Parses `[NAME=]path:DIR` and `[NAME=]git:REPOSITORY[#REVISION]`. Fails if two have the same name.
pub(crate) fn parse(words: &[String]) -> Result<Vec<SideArgument>> {
    let mut sides: Vec<SideArgument> = Vec::new();
    for word in words {
        let side = SideArgument::of(word)?;
        if sides.iter().any(|other| other.name == side.name) {
            let name = side.name;
            return Err(Failure::Usage(format!(
                "two sides are called {name}: give them names, as in old={}",
                words[0]
                    .split_once('=')
                    .map_or(&*words[0], |(_, rest)| rest)
            )));
        }
        sides.push(side);
    }
    Ok(sides)
}

impl SideArgument {
    fn of(word: &str) -> Result<Self> {
        let named = || {
            let (name, rest) = word.split_once('=')?;
            Some((Some(name), Source::parse(rest)?))
        };
        let alone = Source::parse(word).map(|source| (None, source));
        let Some((name, source)) = alone.or_else(named) else {
            return Err(Failure::Usage(format!(
                "with --command, name folders and revisions, as path:DIR, git:REPOSITORY#REVISION, or old=path:DIR, and not `{word}`"
            )));
        };
        let is_named = name.is_some();
        let name = match (name, &source) {
            (Some(name), _) => name.to_owned(),
            (None, Source::Path(path)) => safe(&files::folder_name(path)),
            (None, Source::Git { revision, .. }) => match git::is_hash(revision) {
                true => revision[..git::SHORT].to_owned(),
                false => safe(revision),
            },
        };
        if name.is_empty() || safe(&name) != name {
            return Err(Failure::Usage(format!(
                "`{name}` cannot name a folder of results: a name has letters, digits, `-`, `_`, `.` and `+`, and starts with a letter or digit"
            )));
        }
        Ok(Self {
            name,
            is_named,
            source,
        })
    }

    /// Finds the folder, or checks out the revision into a folder of `work`, where it stays until the
    /// measurement is complete. `number` tells equal commits apart.
    fn open(self, number: usize, work: &Path) -> Result<Side> {
        let (folder, state) = match &self.source {
            Source::Path(path) => {
                let folder = sources::folder(path)?;
                let state = State::of(&folder)?;
                (folder, state)
            }
            Source::Git {
                repository,
                revision,
            } => {
                let mirror = work.join(format!("{}.git", git::name(repository)));
                let commit = git::resolve(&mirror, repository, revision)?;
                // All paths have the same length, which can change a program's memory layout.
                let folder = work.join(format!("{number:03}-{}", &commit[..12]));
                git::check_out(&mirror, &commit, &folder)?;
                (folder, State::of_commit(&mirror, &commit)?)
            }
        };
        let version = state.revision().unwrap_or_default();
        Ok(Side {
            identity: Implementation::new(&self.name, &version, &[]),
            name: self.name,
            folder,
            sources: state.describe(),
        })
    }
}

/// Finds or checks out all sides.
pub(crate) fn open(arguments: Vec<SideArgument>, work: &Path) -> Result<Vec<Side>> {
    let is_named = arguments.iter().any(|argument| argument.is_named);
    let numbered = arguments.into_iter().enumerate();
    let sides = numbered.map(|(number, side)| side.open(number, work));
    let mut sides: Vec<Side> = sides.collect::<Result<_>>()?;
    if !is_named {
        call_by_package(&mut sides)?;
    }
    Ok(sides)
}

/// Identifies sides that are versions of one Cargo package as such, because only the versions of one
/// implementation have a history.
fn call_by_package(sides: &mut [Side]) -> Result<()> {
    let mut packages: Vec<Implementation> = Vec::new();
    for side in &*sides {
        let package = criterion::package(&side.folder.join("target"))?;
        let Some(package) = package.filter(|p| !p.version.is_empty()) else {
            return Ok(());
        };
        let is_next = |other: &Implementation| other.name == package.name && *other != package;
        if !packages.iter().all(is_next) {
            return Ok(());
        }
        packages.push(package);
    }
    for (side, package) in sides.iter_mut().zip(packages) {
        side.identity = package;
    }
    Ok(())
}

impl Side {
    /// Returns a digest of the committed and changed files; `None` outside of a repository, where
    /// the sources cannot be told from what the command writes.
    pub(crate) fn digest(&self) -> Result<Option<String>> {
        git::digest(&self.folder)
    }

    /// Fails if the sources changed since earlier runs. `before` and `now` are their digests.
    pub(crate) fn check(
        &self,
        before: Option<&String>,
        now: Option<&String>,
        out: &Path,
    ) -> Result<()> {
        if before.is_none() || before == now {
            return Ok(());
        }
        Err(Failure::Io(anyhow!(
            "{} has other sources than in its earlier runs, and figures of two states are not one sample: remove {} to measure it again, or give another --out",
            self.name,
            out.join(&self.name).display()
        )))
    }
}

/// Replaces what is unsafe in a folder's name.
fn safe(name: &str) -> String {
    let is_unsafe = |c: char| !c.is_ascii_alphanumeric() && !"._+-".contains(c);
    let plain = name.replace(is_unsafe, "-");
    let start = plain.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    start.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_package_are_called_so() {
        let work = tempfile::tempdir().expect("a folder");
        let package = |folder: &str, name: &str, version: &str| {
            let folder = work.path().join(folder);
            std::fs::create_dir_all(&folder).expect("a folder");
            let manifest = format!("[package]\nname = '{name}'\nversion = '{version}'\n");
            std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        };
        package("one", "parser", "1.9.5");
        package("two", "parser", "1.10.1");
        package("same", "parser", "1.10.1");
        package("fork", "parser-fork", "1.10.2");
        let identities = |words: [&str; 2]| {
            let words = words
                .map(|word| word.replace("path:", &format!("path:{}/", work.path().display())));
            let sides = open(parse(&words).expect("sides"), work.path()).expect("folders");
            sides
                .iter()
                .map(|side| side.identity.to_string())
                .collect::<Vec<_>>()
        };
        let found = identities(["path:one", "path:two"]);
        assert_eq!(found, ["parser 1.9.5", "parser 1.10.1"]);
        assert_eq!(identities(["path:two", "path:same"]), ["two", "same"]);
        assert_eq!(identities(["path:one", "path:fork"]), ["one", "fork"]);
        assert_eq!(identities(["old=path:one", "path:two"]), ["old", "two"]);
    }

    fn names(words: &[&str]) -> Result<Vec<String>> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let sides = parse(&words)?;
        Ok(sides.into_iter().map(|side| side.name).collect())
    }

    #[test]
    fn sides_are_called_by_folder_revision_or_name() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let words = [
            "path:../base",
            "path:/x/my parser/",
            "git:.#feature/a=b",
            &format!("git:.#{hash}"),
            "git:https://example.org/a=b.git",
            "old=git:.#main",
        ];
        let expected = ["base", "my-parser", "feature-a-b", "0123456", "HEAD", "old"];
        assert_eq!(names(&words).expect("sides"), expected);
    }

    #[test]
    fn other_words_are_refused() {
        for (words, message) in [
            (&["rustls"][..], "as path:DIR"),
            (&["old=rustls@0.23"], "as path:DIR"),
            (&["../x=path:."], "cannot name a folder"),
            (&[".git=path:."], "cannot name a folder"),
            (&["=path:."], "cannot name a folder"),
            (&["path:/"], "cannot name a folder"),
            (&["path:a/x", "path:b/x"], "as in old=path:a/x"),
        ] {
            let failure = names(words).expect_err("refused");
            assert_eq!(failure.exit_code(), 2);
            assert!(failure.to_string().contains(message), "{failure}");
        }
    }
}
