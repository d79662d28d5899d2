//! Unreleased sources: a folder in its current state, or a revision of a Git repository. They are
//! copied before a build, so that the user's tree is never modified.

use super::git::{self, Mirror};
use super::sources;
use crate::failure::{Failure, Result};
use crate::fs;
use anyhow::anyhow;
use jiff::civil::Date;
use std::path::{Path, PathBuf};

/// Location of unreleased sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SourceTree {
    /// `path:DIR`: the files in their current state.
    Path(PathBuf),
    /// `git:REPOSITORY#REVISION`: a branch, tag or commit; without one, `HEAD`.
    Git {
        /// A URL or a folder.
        repository: String,
        revision: String,
    },
}

/// A copy of sources in one state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checkout {
    pub(crate) folder: PathBuf,
    /// The full hash; `None` for files outside of a repository.
    pub(crate) commit: Option<String>,
    /// Whether the files differ from those of the commit.
    pub(crate) is_dirty: bool,
    /// The day of the commit, if the files match it.
    pub(crate) day: Option<Date>,
    /// The commit's hash, or a digest of all files.
    pub(crate) digest: String,
}

/// The cache of copies and checkouts.
#[derive(Debug)]
pub(crate) struct Checkouts {
    cache: PathBuf,
}

impl SourceTree {
    /// Parses the part after the `@`; `None` if it is not a source tree.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("path:") {
            return Some(Self::Path(path.into()));
        }
        let (repository, revision) = match text.strip_prefix("git:")?.rsplit_once('#') {
            Some((repository, revision)) if !revision.is_empty() => (repository, revision),
            Some((repository, _)) => (repository, "HEAD"),
            None => (text.strip_prefix("git:")?, "HEAD"),
        };
        Some(Self::Git {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        })
    }
}

impl Checkout {
    /// The part of a version after its `+`: `6868ee8`, `6868ee8.dirty`, `local`.
    pub(crate) fn revision(&self) -> String {
        let short = self.commit.as_deref().and_then(|commit| commit.get(..7));
        let dirty = if self.is_dirty { ".dirty" } else { "" };
        format!("{}{dirty}", short.unwrap_or("local"))
    }
}

impl Checkouts {
    pub(crate) fn new(work: &Path) -> Self {
        Self {
            cache: work.join("sources"),
        }
    }

    /// Copies or checks out the sources in their current state.
    pub(crate) fn prepare(&self, source: &SourceTree) -> Result<Checkout> {
        match source {
            SourceTree::Path(path) => self.copy(path),
            SourceTree::Git {
                repository,
                revision,
            } => {
                let (mirror, name) = (self.mirror(repository), git::name(repository));
                let commit = mirror.resolve(revision)?;
                let short = commit.get(..12).unwrap_or(&commit);
                let folder = self.cache.join(format!("{name}-{short}"));
                mirror.check_out(&commit, &folder)?;
                Ok(Checkout {
                    folder,
                    is_dirty: false,
                    day: Some(mirror.day(&commit)?),
                    digest: commit.clone(),
                    commit: Some(commit),
                })
            }
        }
    }

    /// The mirror of a repository, from which revisions are checked out.
    pub(crate) fn mirror(&self, repository: &str) -> Mirror {
        let folder = self.cache.join(format!("{}.git", git::name(repository)));
        Mirror::new(repository, folder)
    }

    fn copy(&self, path: &Path) -> Result<Checkout> {
        let folder = path.canonicalize().map_err(|error| {
            Failure::Usage(format!("there is no folder {}: {error}", path.display()))
        })?;
        let tracked = git::run(&folder, &["ls-files", "-z", "-co", "--exclude-standard"])?;
        let mut files = match &tracked {
            Ok(list) => list.split('\0').map(PathBuf::from).collect(),
            Err(_) => Vec::new(),
        };
        // Git also lists uncommitted deletions, which are missing, and submodules, which are folders.
        let all = files.into_iter();
        let all = all.filter_map(|file| match fs::is_file(&folder.join(&file)) {
            Ok(false) => None,
            is_file => Some(is_file.map(|_| file)),
        });
        files = all.collect::<anyhow::Result<_>>()?;
        let mut checkout = Checkout {
            folder: self.cache.join(git::name(&folder.to_string_lossy())),
            ..Checkout::default()
        };
        if files.is_empty() {
            files = sources::files(&folder)?;
        } else if let Ok(commit) = git::run(&folder, &["rev-parse", "HEAD"])? {
            let changes = git::run(&folder, &["status", "--porcelain", "--", "."])?;
            let changes = changes.map_err(|stderr| anyhow!("git status fails: {stderr}"))?;
            checkout.is_dirty = !changes.is_empty();
            let day = git::day(&folder, &[], commit.trim())?;
            checkout.day = (!checkout.is_dirty).then_some(day);
            checkout.commit = Some(commit.trim().to_owned());
        }
        if files.is_empty() {
            return Err(Failure::Usage(format!("{} is empty", folder.display())));
        }
        files.sort();
        checkout.digest = sources::copy(&folder, &files, &checkout.folder)?;
        Ok(checkout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources() {
        let git = |repository: &str, revision: &str| SourceTree::Git {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        };
        for (text, expected) in [
            ("path:../rustls", Some(SourceTree::Path("../rustls".into()))),
            ("git:../rustls#main", Some(git("../rustls", "main"))),
            ("git:../rustls", Some(git("../rustls", "HEAD"))),
            (
                "git:https://example.org/r.git#v/0.23.1",
                Some(git("https://example.org/r.git", "v/0.23.1")),
            ),
            ("git:r#a..b", Some(git("r", "a..b"))),
            ("0.23.1", None),
        ] {
            assert_eq!(SourceTree::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn revisions_after_the_plus() {
        let mut checkout = Checkout::default();
        assert_eq!(checkout.revision(), "local");
        checkout.commit = Some("6868ee8d0123".to_owned());
        assert_eq!(checkout.revision(), "6868ee8");
        checkout.is_dirty = true;
        assert_eq!(checkout.revision(), "6868ee8.dirty");
    }
}
