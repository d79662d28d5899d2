//! Unreleased sources in place of a release: what of a build they replace.

use super::cargo::Crate;
use super::{sources, value_of};
use crate::base::failure::{Failure, Result};
use crate::files;
use crate::model::version::Version;
use anyhow::Context;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Table, value};
use walkdir::WalkDir;

/// What a source tree replaces in a build: the key `tree` of a runner.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tree {
    /// The packages in the lock file that the tree has too.
    #[default]
    Packages,
    /// This folder of the pinned package.
    Folder(String),
    /// The folder in this environment variable of the build.
    Variable(String),
}

/// A cargo package of a source tree.
#[derive(Debug, PartialEq, Eq)]
struct Package {
    name: String,
    version: String,
    folder: PathBuf,
}

/// Maximum depth of a package's manifest: `crates/rustls/Cargo.toml`.
const DEPTH: usize = 3;

impl Tree {
    /// Reads the version from the sources in `folder`; `None` if only the program can report it.
    pub(crate) fn version(&self, folder: &Path, package: Option<&str>) -> Result<Option<Version>> {
        match self {
            Self::Variable(_) => Ok(None),
            Self::Packages => {
                let all = packages(folder)?;
                let found = all.into_iter().find(|p| Some(p.name.as_str()) == package);
                let package = package.unwrap_or_default();
                let missing = || format!("the sources have no package `{package}`");
                let found = found.ok_or_else(|| Failure::Usage(missing()))?;
                Ok(Some(found.version.into()))
            }
            Self::Folder(_) => Ok(version_of_openssl(folder)?),
        }
    }

    /// Environment variable of the build, with its value, for the sources in `folder`.
    pub(crate) fn environment<'a>(&'a self, folder: &'a Path) -> Option<(&'a str, &'a Path)> {
        match self {
            Self::Variable(name) => Some((name, folder)),
            _ => None,
        }
    }

    /// Makes a crate and its lock file depend on the sources in `folder`. `pin` is the pinned
    /// package, and `scratch` a folder for a copy of it.
    pub(crate) fn replace(
        &self,
        folder: &Path,
        krate: &Crate,
        pin: Option<&str>,
        scratch: &Path,
    ) -> Result<()> {
        match self {
            Self::Variable(_) => Ok(()),
            Self::Packages => {
                let locked = krate.locked()?;
                let mut packages = packages(folder)?;
                packages.retain(|p| {
                    locked
                        .iter()
                        .any(|l| l.name == p.name && l.source.is_some())
                });
                patch(&krate.folder, &packages)?;
                packages
                    .iter()
                    .try_for_each(|p| krate.pin(&p.name, &p.version))
            }
            Self::Folder(below) => {
                let name = pin.context("a runner with a folder for sources pins no package")?;
                let (version, package) = krate.package(name)?;
                let mut files = sources::files(&package)?;
                files.retain(|file| !file.starts_with(below));
                sources::copy(&package, &files, scratch)?;
                let all = sources::files(folder)?;
                sources::copy(folder, &all, &scratch.join(below))?;
                let replaced = Package {
                    name: name.to_owned(),
                    version,
                    folder: scratch.to_owned(),
                };
                patch(&krate.folder, std::slice::from_ref(&replaced))?;
                krate.pin(name, &replaced.version)
            }
        }
    }
}

/// Adds `[patch.crates-io]` entries to the `Cargo.toml` of a folder.
fn patch(folder: &Path, packages: &[Package]) -> Result<()> {
    let path = folder.join("Cargo.toml");
    let text = String::from_utf8(files::read_whole(&path)?).context("Cargo.toml is not UTF-8")?;
    let mut document: DocumentMut = text.parse().context("cannot read Cargo.toml")?;
    let patches = document.entry("patch").or_insert_with(toml_edit::table);
    let patches = patches.as_table_mut().context("`patch` is not a table")?;
    patches.set_implicit(true);
    let patches = patches.entry("crates-io").or_insert_with(toml_edit::table);
    let mut patches = patches
        .as_table()
        .cloned()
        .context("`patch.crates-io` is not a table")?;
    for Package {
        name,
        version,
        folder,
    } in packages
    {
        // A requirement excludes pre-releases, which sources may be.
        let exactly = value(format!("={version}"));
        match document
            .get_mut("dependencies")
            .and_then(|all| all.get_mut(name))
        {
            Some(dependency) if dependency.is_str() => *dependency = exactly,
            Some(dependency) => dependency["version"] = exactly,
            None => {}
        }
        let mut entry = Table::new();
        entry["path"] = value(folder.to_string_lossy().into_owned());
        entry["package"] = value(name);
        // The runner may already have a patch of that name.
        patches[&format!("{name}-of-the-sources")] = Item::Table(entry);
    }
    document["patch"]["crates-io"] = Item::Table(patches);
    files::write(&path, document.to_string().as_bytes())?;
    Ok(())
}

/// Finds the packages of a source tree, outermost first.
fn packages(folder: &Path) -> Result<Vec<Package>> {
    let read = |path: &Path| -> Result<toml::Table> {
        let text = String::from_utf8_lossy(&files::read_whole(path)?).into_owned();
        let table = text.parse().with_context(|| files::cannot_read(path));
        Ok(table?)
    };
    let outermost = folder.join("Cargo.toml");
    let workspace = match files::is_file(&outermost)? {
        true => read(&outermost)?,
        false => toml::Table::new(),
    };
    let shared = || {
        workspace
            .get("workspace")?
            .get("package")?
            .get("version")?
            .as_str()
    };
    let walker = WalkDir::new(folder).max_depth(DEPTH).sort_by_file_name();
    let mut packages: Vec<Package> = Vec::new();
    for entry in walker {
        let entry = entry.with_context(|| files::cannot_read(folder))?;
        if entry.file_name() != "Cargo.toml" {
            continue;
        }
        let manifest = read(entry.path())?;
        let Some(package) = manifest.get("package") else {
            continue;
        };
        let text = |key: &str| Some(package.get(key)?.as_str()?.to_owned());
        let shared = || Some(shared()?.to_owned());
        if let (Some(name), Some(version)) = (text("name"), text("version").or_else(shared)) {
            packages.push(Package {
                name,
                version,
                folder: entry.path().parent().unwrap_or(folder).to_owned(),
            });
        }
    }
    packages.sort_by_key(|p| p.folder.components().count());
    Ok(packages)
}

/// Reads OpenSSL's version from `VERSION.dat` (3 and 4) or from the header (1.1.1).
fn version_of_openssl(folder: &Path) -> anyhow::Result<Option<Version>> {
    let text = |path: &str| -> anyhow::Result<Option<String>> {
        let bytes = files::read_optional(&folder.join(path))?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    };
    if let Some(facts) = text("VERSION.dat")? {
        let numbers = ["MAJOR", "MINOR", "PATCH"].map(|key| value_of(&facts, key));
        let numbers: Option<Vec<String>> = numbers.into_iter().collect();
        let tag = value_of(&facts, "PRE_RELEASE_TAG").filter(|tag| !tag.is_empty());
        let tag = tag.map_or(String::new(), |tag| format!("-{tag}"));
        return Ok(numbers.map(|numbers| format!("{}{tag}", numbers.join(".")).into()));
    }
    let header = text("include/openssl/opensslv.h")?.unwrap_or_default();
    let version = header
        .split_once("\"OpenSSL ")
        .and_then(|(_, rest)| rest.split_whitespace().next());
    Ok(version.map(Version::from))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let found = packages(tree.path()).expect("packages");
        let found: Vec<(String, String)> = found.into_iter().map(|p| (p.name, p.version)).collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            found,
            [pair("rustls", "0.24.0-dev.2"), pair("rustls-ring", "0.1.0")]
        );
        let version = Tree::Packages
            .version(tree.path(), Some("rustls"))
            .expect("a version");
        assert_eq!(version, Some("0.24.0-dev.2".into()));
        let failure = Tree::Packages
            .version(tree.path(), Some("openssl"))
            .expect_err("no such");
        assert_eq!(failure.exit_code(), 2);
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
            let version = Tree::Folder(String::new())
                .version(tree.path(), None)
                .expect("a version");
            assert_eq!(version, Some(expected.into()));
        }
    }
}
