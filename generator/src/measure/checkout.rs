//! Unreleased sources on disk. They are copied before a build, so that the user's tree is never
//! modified.

use super::cargo::{self, Crate, Package};
use super::git::{self, Source, State};
use super::process::if_it_works;
use super::runner::Tree;
use super::{read_toml, sources, value_of};
use crate::base::failure::{Failure, Result};
use crate::files::{self, read_optional};
use crate::model::version::Version;
use anyhow::Context;
use std::path::{Path, PathBuf};
use toml::Table;
use toml_edit::{DocumentMut, value};

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
        let (folder, state) = source.open(cache, |name, commit| format!("{name}-{commit}"))?;
        let is_path = matches!(source, Source::Path(_));
        let files = match is_path {
            true => not_ignored(&folder)?,
            false => sources::files(&folder)?,
        };
        let mut checkout = Self {
            tree: tree.clone(),
            pin: pin.map(str::to_owned),
            digest: state.commit.clone().unwrap_or_default(),
            folder,
            state,
            ..Self::default()
        };
        checkout.read_version(&files)?;
        if is_path {
            let folder = checkout.folder;
            sources::check_size(&folder, &files)?;
            checkout.folder = cache.join(git::folder_name(&folder.to_string_lossy()));
            checkout.digest = sources::copy(&folder, &files, &checkout.folder)?;
        }
        Ok(checkout)
    }

    /// Reads packages and version from these files.
    fn read_version(&mut self, files: &[PathBuf]) -> Result<()> {
        let missing = match (&self.tree, &self.pin) {
            (Tree::Variable(_), _) => return Ok(()),
            (Tree::Packages, pin) => {
                self.packages = packages(&self.folder, files)?;
                let mut named = self.packages.iter();
                let found = named.find(|package| Some(&package.name) == pin.as_ref());
                self.version = found.map(|package| package.version.as_str().into());
                format!("package `{}`", pin.as_deref().unwrap_or_default())
            }
            (Tree::Folder(_), _) => {
                self.version = version_of_openssl(&self.folder)?;
                "VERSION.dat, nor a version in opensslv.h".to_owned()
            }
        };
        match self.version {
            Some(_) => Ok(()),
            None => Err(Failure::Usage(format!("the sources have no {missing}"))),
        }
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

    /// Makes a crate and its lock file depend on these sources in place of a release. `scratch` is a folder for a copy of the
    /// package that wraps them.
    pub(super) fn replace(&self, krate: &Crate, scratch: &Path) -> Result<()> {
        match &self.tree {
            Tree::Variable(_) => Ok(()),
            Tree::Packages => {
                let locked = cargo::locked(&krate.folder)?;
                let is_replaced = |package: &&Package| {
                    let mut locked = locked.iter().filter(|locked| locked.source.is_some());
                    locked.any(|locked| locked.name == package.name)
                };
                let replaced: Vec<&Package> = self.packages.iter().filter(is_replaced).collect();
                for package in &replaced {
                    let manifest = self.folder.join(&package.manifest_path);
                    patch(krate, package, &manifest.with_file_name(""))?;
                }
                for package in &replaced {
                    krate.pin(&package.name, &package.version)?;
                }
                Ok(())
            }
            Tree::Folder(below) => {
                let name = self.pin.as_deref();
                let name = name.context("a runner with a folder for sources pins no package")?;
                if let Some(wrapper) = &self.wrapper {
                    krate.pin(name, wrapper)?;
                }
                let package = krate.package(name)?;
                let folder = package.manifest_path.with_file_name("");
                let mut files = sources::files(&folder)?;
                files.retain(|file| !file.starts_with(below));
                sources::copy(&folder, &files, scratch)?;
                let all = sources::files(&self.folder)?;
                sources::copy(&self.folder, &all, &scratch.join(below))?;
                patch(krate, &package, scratch)?;
                krate.pin(name, &package.version)
            }
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

/// Lists the files in a folder of the user, sorted, without those that git ignores.
fn not_ignored(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = ["ls-files", "-z", "-co", "--exclude-standard"];
    let listed = if_it_works(git::run(folder, &list))?;
    let mut files = Vec::new();
    for file in listed.as_deref().unwrap_or("").split('\0') {
        // Git also lists uncommitted deletions, which are missing, and submodules, which are folders.
        if files::is_file(&folder.join(file))? {
            files.push(PathBuf::from(file));
        }
    }
    files.sort();
    match files.is_empty() {
        true => sources::files(folder),
        false => Ok(files),
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
        let manifest: Table = read_toml(&folder.join(file))?.unwrap_or_default();
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

/// Adds a package in a folder to `[patch.crates-io]` in the `Cargo.toml` of a crate.
fn patch(krate: &Crate, package: &Package, folder: &Path) -> Result<()> {
    let Package { name, version, .. } = package;
    let path = krate.folder.join("Cargo.toml");
    let text = files::read_whole(&path)?;
    let mut manifest: DocumentMut = String::from_utf8_lossy(&text)
        .parse()
        .with_context(|| files::cannot_read(&path))?;
    // A requirement excludes pre-releases, which sources may be.
    let exactly = value(format!("={version}"));
    let all = manifest.get_mut("dependencies");
    if let Some(dependency) = all.and_then(|all| all.get_mut(name)) {
        match dependency.as_table_like_mut() {
            Some(table) => drop(table.insert("version", exactly)),
            None => *dependency = exactly,
        }
    }
    // The runner may already have a patch of that name.
    let patch = &mut manifest["patch"]["crates-io"][&format!("{name}-of-the-sources")];
    patch["path"] = value(folder.to_string_lossy().into_owned());
    patch["package"] = value(name);
    Ok(files::write(&path, manifest.to_string().as_bytes())?)
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
            state: State {
                commit: Some("30cd935d0123".to_owned()),
                ..State::default()
            },
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
