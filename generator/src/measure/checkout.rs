//! Unreleased sources on disk. They are copied before a build, so that the user's tree is never
//! modified.

use super::cargo::Package;
use super::git::{self, State};
use super::process::if_it_works;
use super::runner::Tree;
use super::spec::Source;
use super::{read_toml, sources, value_of};
use crate::base::failure::{Failure, Result};
use crate::files::{self, read_optional};
use crate::model::version::Version;
use jiff::civil::Date;
use std::path::{Path, PathBuf};

/// Unreleased sources in one state, and what they replace in a build.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checkout {
    pub(super) tree: Tree,
    /// The package that the runner pins.
    pub(super) pin: Option<String>,
    /// The version of that package to wrap the sources in; by default the locked one.
    pub(super) wrapper: Option<String>,
    pub(super) folder: PathBuf,
    /// The cargo packages below it that may replace others, outermost first.
    pub(super) packages: Vec<Package>,
    /// The version in the sources themselves; `None` if only the program can report it.
    pub(super) version: Option<Version>,
    pub(super) state: State,
    /// The day of the commit, if the files match it.
    pub(super) day: Option<Date>,
    /// The commit's hash, or a digest of all files.
    pub(super) digest: String,
}

/// Maximum depth of a package's manifest: `crates/rustls/Cargo.toml`.
const DEPTH: usize = 3;

impl Checkout {
    /// Copies or checks out the sources in their current state, into a folder of `cache`. Nothing is
    /// copied from a folder that has no version: it may be large or private.
    pub(super) fn of(
        source: &Source,
        cache: &Path,
        tree: &Tree,
        pin: Option<&str>,
    ) -> Result<Self> {
        let (mut checkout, files) = match source {
            Source::Path(path) => Self::of_folder(path)?,
            Source::Git {
                repository,
                revision,
            } => Self::of_commit(repository, revision, cache)?,
        };
        checkout.tree = tree.clone();
        checkout.pin = pin.map(str::to_owned);
        checkout.read_version(&files)?;
        if let Source::Path(_) = source {
            let copy = cache.join(git::name(&checkout.folder.to_string_lossy()));
            sources::check_size(&checkout.folder, &files)?;
            checkout.digest = sources::copy(&checkout.folder, &files, &copy)?;
            checkout.folder = copy;
        }
        Ok(checkout)
    }

    /// Checks out a commit. Returns its files too.
    fn of_commit(repository: &str, revision: &str, cache: &Path) -> Result<(Self, Vec<PathBuf>)> {
        let name = git::name(repository);
        let mirror = cache.join(format!("{name}.git"));
        let commit = git::resolve(&mirror, repository, revision)?;
        let folder = cache.join(format!("{name}-{}", commit.get(..12).unwrap_or(&commit)));
        git::check_out(&mirror, &commit, &folder)?;
        let files = sources::files(&folder)?;
        let state = State::clean(commit.clone());
        let checkout = Self {
            day: state.day(&mirror, &[git::BARE])?,
            digest: commit,
            folder,
            state,
            ..Self::default()
        };
        Ok((checkout, files))
    }

    /// Looks at a folder of the user. Returns its files, without those that git ignores.
    fn of_folder(path: &Path) -> Result<(Self, Vec<PathBuf>)> {
        let folder = path.canonicalize().map_err(|error| {
            Failure::Usage(format!("there is no folder {}: {error}", path.display()))
        })?;
        let list = ["ls-files", "-z", "-co", "--exclude-standard"];
        let tracked = if_it_works(git::run(&folder, &list))?;
        let mut files = Vec::new();
        for file in tracked.as_deref().unwrap_or("").split('\0') {
            // Git also lists uncommitted deletions, which are missing, and submodules, which are
            // folders.
            if files::is_file(&folder.join(file))? {
                files.push(PathBuf::from(file));
            }
        }
        files.sort();
        if files.is_empty() {
            files = sources::files(&folder)?;
        }
        let state = State::of(&folder)?;
        let checkout = Self {
            day: state.day(&folder, &[])?,
            folder,
            state,
            ..Self::default()
        };
        Ok((checkout, files))
    }

    /// Reads packages and version from these files.
    fn read_version(&mut self, files: &[PathBuf]) -> Result<()> {
        self.version = match self.tree {
            Tree::Variable(_) => return Ok(()),
            Tree::Packages => {
                self.packages = packages(&self.folder, files)?;
                let mut named = self.packages.iter();
                let found = named.find(|package| Some(&package.name) == self.pin.as_ref());
                found.map(|package| package.version.as_str().into())
            }
            Tree::Folder(_) => version_of_openssl(&self.folder)?,
        };
        if self.version.is_some() {
            return Ok(());
        }
        Err(Failure::Usage(match (&self.tree, &self.pin) {
            (Tree::Packages, Some(package)) => format!("the sources have no package `{package}`"),
            _ => "the sources have no VERSION.dat, nor a version in opensslv.h".to_owned(),
        }))
    }

    /// The version to show: the one the program reported, and the revision. A reported version
    /// without numbers is that of a package which the sources replaced, and left out: a commit alone
    /// would be taken for a release of a library that has only commits.
    pub(crate) fn shown(&self, reported: &Version) -> Version {
        let has_release = !reported.numbers().is_empty();
        match self.state.revision() {
            Some(revision) if has_release => format!("{reported}+{revision}").into(),
            Some(revision) => format!("git+{revision}").into(),
            None if has_release => format!("{reported}+local").into(),
            None => "local".into(),
        }
    }

    /// The environment variable of the build that names their folder, if the runner has one.
    pub(super) fn variable(&self) -> Option<(&str, &Path)> {
        match &self.tree {
            Tree::Variable(name) => Some((name, &self.folder)),
            _ => None,
        }
    }
}

/// Finds the packages of a source tree, outermost first.
fn packages(folder: &Path, files: &[PathBuf]) -> Result<Vec<Package>> {
    let depth = |file: &Path| file.components().count();
    let is_manifest = |file: &&PathBuf| file.ends_with("Cargo.toml") && depth(file) <= DEPTH;
    let mut manifests: Vec<&PathBuf> = files.iter().filter(is_manifest).collect();
    manifests.sort_by_key(|file| depth(file));
    let (mut packages, mut shared) = (Vec::new(), None);
    for file in manifests {
        let manifest: toml::Table = read_toml(&folder.join(file))?.unwrap_or_default();
        let text = |keys: &[&str]| {
            let (first, rest) = keys.split_first()?;
            let value = rest
                .iter()
                .try_fold(manifest.get(*first)?, |v, key| v.get(key));
            value?.as_str().map(str::to_owned)
        };
        if depth(file) == 1 {
            shared = text(&["workspace", "package", "version"]);
        }
        let version = text(&["package", "version"]).or(shared.clone());
        if let (Some(name), Some(version)) = (text(&["package", "name"]), version) {
            packages.push(Package {
                name,
                version,
                source: None,
                manifest_path: file.clone(),
            });
        }
    }
    Ok(packages)
}

/// Reads OpenSSL's version from `VERSION.dat` (3 and 4) or from the header (1.1.1).
fn version_of_openssl(folder: &Path) -> Result<Option<Version>> {
    if let Some(facts) = read_optional(&folder.join("VERSION.dat"))? {
        let facts = String::from_utf8_lossy(&facts);
        let numbers = ["MAJOR", "MINOR", "PATCH"].map(|key| value_of(&facts, key));
        let numbers: Option<Vec<String>> = numbers.into_iter().collect();
        let tag = value_of(&facts, "PRE_RELEASE_TAG").filter(|tag| !tag.is_empty());
        let tag = tag.map_or(String::new(), |tag| format!("-{tag}"));
        return Ok(numbers.map(|numbers| format!("{}{tag}", numbers.join(".")).into()));
    }
    let Some(header) = read_optional(&folder.join("include/openssl/opensslv.h"))? else {
        return Ok(None);
    };
    let header = String::from_utf8_lossy(&header);
    let text = header.split_once("\"OpenSSL ");
    let version = text.and_then(|(_, rest)| rest.split_whitespace().next());
    Ok(version.map(Version::from))
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
        let source = Source::Path(from.clone());
        let tree = Tree::Variable("SOURCES".to_owned());
        let copy = Checkout::of(&source, &cache, &tree, None).expect("a copy");
        let mode = metadata(&copy.folder)
            .expect("a folder")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
        // A file with a hole takes no room.
        let large = File::create(from.join("b.c")).expect("made");
        large.set_len(sources::MAX_BYTES).expect("large");
        let cache = place.path().join("other");
        let failure = Checkout::of(&source, &cache, &tree, None).expect_err("too large");
        assert!(
            failure.to_string().contains("more than 500 MB"),
            "{failure}"
        );
        assert!(!files::exists(&cache).expect("a look"), "it was copied");
    }

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            files::create_folder(path.parent().expect("a folder")).expect("made");
            files::write(&path, text.as_bytes()).expect("written");
        }
        folder
    }

    #[test]
    fn packages_of_a_workspace_and_of_a_crate() {
        let tree = folder(&[
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"a\"]\n[workspace.package]\nversion = \"0.24.0-dev.2\"\n",
            ),
            (
                "a/Cargo.toml",
                "[package]\nname = \"rustls\"\nversion.workspace = true\n",
            ),
            (
                "b/c/Cargo.toml",
                "[package]\nname = \"rustls-ring\"\nversion = \"0.1.0\"\n",
            ),
        ]);
        let files = sources::files(tree.path()).expect("files");
        let found = packages(tree.path(), &files).expect("packages");
        let found: Vec<(String, String)> = found.into_iter().map(|p| (p.name, p.version)).collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            found,
            [pair("rustls", "0.24.0-dev.2"), pair("rustls-ring", "0.1.0")]
        );
        let source = Source::Path(tree.path().to_owned());
        let cache = tempfile::tempdir().expect("a folder");
        let of = |pin| Checkout::of(&source, cache.path(), &Tree::Packages, Some(pin));
        let version = of("rustls").expect("a copy").version;
        assert_eq!(version, Some("0.24.0-dev.2".into()));
        assert_eq!(of("openssl").expect_err("no such").exit_code(), 2);
    }

    #[test]
    fn versions_of_sources_are_not_releases() {
        let at_a_commit = Checkout {
            state: State::clean("30cd935d0123".to_owned()),
            ..Checkout::default()
        };
        for (checkout, reported, shown) in [
            (&at_a_commit, "0.23.46", "0.23.46+30cd935"),
            (&at_a_commit, "boring-5.4.0", "git+30cd935"),
            (&Checkout::default(), "0.23.46", "0.23.46+local"),
            (&Checkout::default(), "boring-5.4.0", "local"),
        ] {
            let version = checkout.shown(&reported.into());
            assert_eq!(version.as_str(), shown);
            assert!(version.is_pre_release(), "{shown}");
        }
    }

    #[test]
    fn versions_of_openssl() {
        for (path, text, expected) in [
            (
                "VERSION.dat",
                "MAJOR=3\nMINOR=5\nPATCH=2\nPRE_RELEASE_TAG=dev\n",
                "3.5.2-dev",
            ),
            (
                "VERSION.dat",
                "MAJOR=4\nMINOR=0\nPATCH=3\nPRE_RELEASE_TAG=\n",
                "4.0.3",
            ),
            (
                "include/openssl/opensslv.h",
                "# define OPENSSL_VERSION_TEXT    \"OpenSSL 1.1.1w  11 Sep 2023\"\n",
                "1.1.1w",
            ),
        ] {
            let tree = folder(&[(path, text)]);
            let version = version_of_openssl(tree.path()).expect("a version");
            assert_eq!(version, Some(expected.into()));
        }
    }
}
