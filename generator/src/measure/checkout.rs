//! Unreleased sources: a folder in its current state, or a revision of a Git repository. They are
//! copied before a build, so that the user's tree is never modified.

use super::git;
use super::process::if_it_works;
use super::sources;
use super::tree::Tree;
use crate::base::failure::{Failure, Result};
use crate::base::limits::exceeded;
use crate::files;
use crate::model::version::Version;
use anyhow::Context;
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

/// A copy of sources in one state, and what it replaces in a build.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checkout {
    pub(super) tree: Tree,
    pub(super) folder: PathBuf,
    /// The version in the sources themselves.
    pub(super) version: Option<Version>,
    /// The full hash; `None` for files outside of a repository.
    pub(super) commit: Option<String>,
    /// Whether the files differ from those of the commit.
    pub(super) is_dirty: bool,
    /// The day of the commit, if the files match it.
    pub(super) day: Option<Date>,
    /// The commit's hash, or a digest of all files.
    pub(super) digest: String,
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
    /// Copies or checks out the sources in their current state, into a folder of `cache`.
    pub(super) fn of(source: &SourceTree, cache: &Path) -> Result<Self> {
        let (repository, revision) = match source {
            SourceTree::Path(path) => return Self::copy(path, cache),
            SourceTree::Git {
                repository,
                revision,
            } => (repository, revision),
        };
        let name = git::name(repository);
        let mirror = cache.join(format!("{name}.git"));
        let commit = git::resolve(&mirror, repository, revision)?;
        let folder = cache.join(format!("{name}-{}", commit.get(..12).unwrap_or(&commit)));
        git::check_out(&mirror, &commit, &folder)?;
        Ok(Self {
            folder,
            day: Some(git::day(&mirror, &[git::BARE], &commit)?),
            digest: commit.clone(),
            commit: Some(commit),
            ..Self::default()
        })
    }

    fn copy(path: &Path, cache: &Path) -> Result<Self> {
        let folder = path.canonicalize().map_err(|error| {
            Failure::Usage(format!("there is no folder {}: {error}", path.display()))
        })?;
        let list = ["ls-files", "-z", "-co", "--exclude-standard"];
        let tracked = if_it_works(git::run(&folder, &list))?.unwrap_or_default();
        let mut files = Vec::new();
        for file in tracked.split('\0') {
            // Git also lists uncommitted deletions, which are missing, and submodules, which are
            // folders.
            if files::is_file(&folder.join(file))? {
                files.push(PathBuf::from(file));
            }
        }
        let mut checkout = Self {
            folder: cache.join(git::name(&folder.to_string_lossy())),
            ..Self::default()
        };
        if files.is_empty() {
            files = sources::files_up_to(&folder, FILES)?;
        } else if let Some(commit) = if_it_works(git::run(&folder, &["rev-parse", "HEAD"]))? {
            let changes = git::run(&folder, &["status", "--porcelain", "--", "."]);
            let changes = changes.map_err(|stop| stop.fatal("git status fails: "))?;
            checkout.is_dirty = !changes.is_empty();
            let day = git::day(&folder, &[], commit.trim())?;
            checkout.day = (!checkout.is_dirty).then_some(day);
            checkout.commit = Some(commit.trim().to_owned());
        }
        if files.is_empty() {
            return Err(Failure::Usage(format!("{} is empty", folder.display())));
        }
        check_size(&folder, &files, FILES, BYTES)?;
        files.sort();
        checkout.digest = sources::copy(&folder, &files, &checkout.folder)?;
        Ok(checkout)
    }

    /// The part of a version after its `+`: `6868ee8`, `6868ee8.dirty`, `local`.
    fn revision(&self) -> String {
        let short = self.commit.as_deref().and_then(|commit| commit.get(..7));
        let dirty = if self.is_dirty { ".dirty" } else { "" };
        format!("{}{dirty}", short.unwrap_or("local"))
    }

    /// The version to show: the one the program reported, and the revision. A reported version
    /// without numbers is that of a package which the sources replaced, and left out.
    pub(crate) fn shown(&self, reported: &Version) -> Version {
        let revision = self.revision();
        match reported.numbers().is_empty() {
            true => revision.into(),
            false => format!("{reported}+{revision}").into(),
        }
    }

    /// Description of the sources, for display.
    pub(crate) fn describe(&self) -> String {
        let commit = self.commit.as_deref();
        let commit = commit.map_or("a local folder".to_owned(), |c| format!("commit {c}"));
        let dirty = if self.is_dirty {
            " with uncommitted changes"
        } else {
            ""
        };
        format!("{commit}{dirty}")
    }
}

/// Files and bytes of the sources in a folder. A large TLS library has half of either; a home folder,
/// named by mistake, has more.
const FILES: usize = 20_000;
const BYTES: u64 = 500_000_000;

/// Refuses a folder with more than `most_files` files or `most_bytes` bytes of sources.
fn check_size(folder: &Path, files: &[PathBuf], most_files: usize, most_bytes: u64) -> Result<()> {
    let refuse = |what: String| {
        let folder = folder.display();
        Failure::Usage(format!(
            "{folder} has {what}: name the folder of the sources alone"
        ))
    };
    if files.len() > most_files {
        return Err(refuse(exceeded(most_files, "files")));
    }
    let mut bytes = 0;
    for file in files {
        let path = folder.join(file);
        bytes += path
            .metadata()
            .with_context(|| files::cannot_read(&path))?
            .len();
    }
    match bytes > most_bytes {
        true => Err(refuse(format!(
            "more than {} MB of sources",
            most_bytes / 1_000_000
        ))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, metadata};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn copies_are_private_and_of_limited_size() {
        let place = tempfile::tempdir().expect("a folder");
        let (from, cache) = (place.path().join("from"), place.path().join("cache"));
        files::create_folder(&from).expect("made");
        files::write(&from.join("a.c"), b"int a;").expect("written");
        let copy = Checkout::copy(&from, &cache).expect("a copy");
        let mode = metadata(&copy.folder)
            .expect("a folder")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
        let two = ["a.c".into(), "a.c".into()];
        let failure = check_size(&from, &two, 1, 100).expect_err("too many");
        assert!(
            failure.to_string().contains("more than 1 files"),
            "{failure}"
        );
        // A file with a hole takes no room.
        let large = File::create(from.join("b.c")).expect("made");
        large.set_len(BYTES).expect("large");
        let cache = place.path().join("other");
        let failure = Checkout::copy(&from, &cache).expect_err("too large");
        assert!(
            failure.to_string().contains("more than 500 MB"),
            "{failure}"
        );
        assert!(!files::exists(&cache).expect("a look"), "it was copied");
    }

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
