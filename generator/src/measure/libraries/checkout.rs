//! Unreleased sources on disk. They are copied before a build, so that the user's tree is never
//! modified.

use crate::base::failure::{Failure, Result};
use crate::files::{self, read_optional};
use crate::measure::libraries::library::Tree;
use crate::measure::libraries::sources;
use crate::measure::read_toml;
use crate::measure::tools::cargo::{self, Package};
use crate::measure::tools::compile::RunnerCopy;
use crate::measure::tools::git::{self, Location, State};
use crate::measure::value_of;
use crate::model::version::Version;
use anyhow::Context;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Unreleased sources in one state, and what they replace in a build.
#[derive(Clone, Debug)]
pub(crate) struct Checkout {
    pub(in crate::measure) tree: Tree,
    /// The package that the runner pins.
    pub(in crate::measure) pin: String,
    /// The version of that package to wrap the sources in; by default the locked one.
    pub(in crate::measure) wrapper: Option<String>,
    pub(in crate::measure) folder: PathBuf,
    /// The version in the sources themselves.
    pub(in crate::measure) version: Version,
    pub(in crate::measure) state: State,
    /// The commit's hash, or a digest of all files.
    pub(in crate::measure) digest: String,
}

impl Checkout {
    /// Copies or checks out the sources in their current state, into a folder of `cache`. Nothing
    /// is copied from a folder that has no version: it may be large or private.
    pub(in crate::measure) fn open(
        source: &Location,
        cache: &Path,
        tree: &Tree,
        pin: &str,
    ) -> Result<Self> {
        let (folder, state) = source.open(cache, |name, commit| format!("{name}-{commit}"))?;
        let mut checkout = Self {
            version: version(&folder, tree, pin)?,
            tree: tree.clone(),
            pin: pin.to_owned(),
            wrapper: None,
            digest: state.commit.clone().unwrap_or_default(),
            folder,
            state,
        };
        if matches!(source, Location::Path(_)) {
            let folder = checkout.folder;
            let mut files = Vec::new();
            for file in git::files(&folder)? {
                // Submodules are folders.
                if files::is_file(&folder.join(&file))? {
                    files.push(file);
                }
            }
            if files.is_empty() {
                files = sources::files(&folder)?;
            }
            sources::check_size(&folder, &files)?;
            checkout.folder = cache.join(git::folder_name(&folder.to_string_lossy()));
            checkout.digest = sources::copy(&folder, &files, &checkout.folder)?;
        }
        Ok(checkout)
    }

    /// The version to show: the one in the sources or that the program reports, and the revision.
    pub(crate) fn shown(&self, version: &Version) -> Version {
        let revision = self.state.revision();
        let revision = revision.as_deref().unwrap_or("local");
        format!("{version}+{revision}").into()
    }

    /// Makes a runner, to be built with `features`, and its lock file depend on these sources in
    /// place of a release. `scratch` is a folder for a copy of the package that wraps them.
    pub(in crate::measure) fn replace(
        &self,
        runner: &RunnerCopy,
        features: &[String],
        scratch: &Path,
    ) -> Result<()> {
        match &self.tree {
            Tree::Packages => {
                let mut locked = cargo::locked(&runner.folder)?;
                locked.retain(|locked| locked.source.is_some());
                let mut replaced = cargo::packages(&self.folder)?;
                replaced.retain(|package| locked.iter().any(|l| l.name == package.name));
                for package in &replaced {
                    let folder = package.manifest_path.with_file_name("");
                    patch(&runner.folder, features, package, &folder)?;
                }
                for package in &replaced {
                    cargo::pin(runner, &package.name, &package.version)?;
                }
                Ok(())
            }
            Tree::Folder(below) => {
                if let Some(wrapper) = &self.wrapper {
                    cargo::pin(runner, &self.pin, wrapper)?;
                }
                let package = cargo::package(runner, &self.pin)?;
                let folder = package.manifest_path.with_file_name("");
                let mut files = sources::files(&folder)?;
                files.retain(|file| !file.starts_with(below));
                sources::copy(&folder, &files, scratch)?;
                let all = sources::files(&self.folder)?;
                sources::copy(&self.folder, &all, &scratch.join(below))?;
                patch(&runner.folder, features, &package, scratch)?;
                cargo::pin(runner, &self.pin, &package.version)
            }
        }
    }
}

/// Reads the version of sources.
fn version(folder: &Path, tree: &Tree, pin: &str) -> Result<Version> {
    let found = match tree {
        Tree::Packages => {
            let mut packages = cargo::packages(folder)?.into_iter();
            let package = packages.find(|package| package.name == pin);
            let version = package.map(|package| package.version.as_str().into());
            version.ok_or_else(|| format!("package `{pin}`"))
        }
        Tree::Folder(_) => version_of_openssl(folder)?
            .ok_or_else(|| "VERSION.dat, nor a version in opensslv.h".to_owned()),
    };
    found.map_err(|missing| Failure::Usage(format!("the sources have no {missing}")))
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

/// Adds a package in a folder to `[patch.crates-io]` in the `Cargo.toml` of a crate, and requires
/// its version there: a requirement excludes pre-releases, which sources may be. Of several
/// dependencies on the package, the one that is a feature of the build is it.
fn patch(runner: &Path, features: &[String], package: &Package, folder: &Path) -> Result<()> {
    let (path, name) = (runner.join("Cargo.toml"), package.name.as_str());
    let mut manifest: Table = read_toml(&path)?.context("a copy without Cargo.toml")?;
    let all = manifest.get_mut("dependencies");
    let all = all.and_then(Value::as_table_mut).into_iter().flatten();
    for (key, dependency) in all {
        let package_of = dependency.get("package").and_then(Value::as_str);
        if package_of.unwrap_or(key) != name || key != name && !features.contains(key) {
            continue;
        }
        let version = format!("={}", package.version).into();
        match dependency.as_table_mut() {
            Some(table) => drop(table.insert("version".to_owned(), version)),
            None => *dependency = version,
        }
    }
    let mut patches = &mut manifest;
    for key in ["patch", "crates-io"] {
        let below = patches.entry(key).or_insert_with(|| Table::new().into());
        let wrong = || Failure::at(&path, 0, format!("`{key}` is no table"));
        patches = below.as_table_mut().ok_or_else(wrong)?;
    }
    let mut source = Table::new();
    source.insert("path".to_owned(), (*folder.to_string_lossy()).into());
    source.insert("package".to_owned(), name.into());
    // The runner may already have a patch of that name.
    patches.insert(format!("{name}-of-the-sources"), source.into());
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
        files::write(&from.join("VERSION.dat"), b"MAJOR=3\nMINOR=5\nPATCH=2\n").expect("written");
        let source = Location::Path(from.clone());
        let tree = Tree::Folder("openssl".to_owned());
        let copy = Checkout::open(&source, &cache, &tree, "openssl-src").expect("a copy");
        let mode = metadata(&copy.folder)
            .expect("a folder")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
        // A file with a hole takes no room.
        let large = File::create(from.join("b.c")).expect("made");
        large.set_len(sources::MAX_BYTES).expect("large");
        let cache = place.path().join("other");
        let failure = Checkout::open(&source, &cache, &tree, "openssl-src").expect_err("too large");
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
    fn the_dependency_of_the_build_is_replaced() {
        let patched = |manifest: &str| {
            let place = folder(&[("Cargo.toml", manifest)]);
            let package = Package {
                name: "tls".to_owned(),
                version: "0.23.5-dev.1".to_owned(),
                source: None,
                manifest_path: PathBuf::new(),
            };
            let features = ["tls-23".to_owned()];
            patch(place.path(), &features, &package, Path::new("/sources"))?;
            read_toml::<Table>(&place.path().join("Cargo.toml"))
        };
        let several = |new: &str| {
            format!(
                "[dependencies]\ntls-22 = {{ package = 'tls', version = '0.22' }}\ntls-23 = {{ package = 'tls', version = '{new}' }}\nother = '1'\n"
            )
        };
        let expected = several("=0.23.5-dev.1")
            + "[patch.crates-io]\ntls-of-the-sources = { path = '/sources', package = 'tls' }\n";
        let found = patched(&several("0.23")).expect("a manifest");
        assert_eq!(found, Some(toml::from_str(&expected).expect("TOML")));
        let failure = patched("patch = { crates-io = 1 }\n").expect_err("no table");
        assert!(
            failure.to_string().ends_with("`crates-io` is no table"),
            "{failure}"
        );
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
