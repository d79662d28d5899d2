//! Unreleased sources. Those in a folder are copied before a build, without what git ignores: it may
//! have what an earlier build left there.

use crate::base::failure::{Failure, Result};
use crate::files::{self, read_optional};
use crate::measure::git::{self, Location, Sources};
use crate::measure::libraries::table::Tree;
use crate::measure::{cargo, value_of};
use crate::model::version::Version;
use std::path::{Path, PathBuf};

/// Copies or checks out sources in their current state, into a folder of `cache` whose name tells each
/// state apart. Returns the version in them too. Nothing is copied from a folder that has no version: it
/// may be large or private.
pub(super) fn open(
    location: &Location,
    cache: &Path,
    tree: &Tree,
    pin: &str,
) -> Result<(Sources, Version)> {
    let mut sources = location.open(cache)?;
    let version = version(&sources.folder, tree, pin)?;
    if location.revision.is_none() {
        sources.folder = copied(&sources.folder, cache)?;
    }
    Ok((sources, version))
}

/// Copies the sources in a folder into one of `cache`, unless that has them.
fn copied(folder: &Path, cache: &Path) -> Result<PathBuf> {
    let mut files = git::files(folder)?;
    if files.is_empty() {
        // Outside of any repository.
        let found = files::below(folder, |path| {
            let name = files::file_name(path);
            !name.starts_with('.') && name != "target"
        })?;
        let below = found.iter().flat_map(|path| path.strip_prefix(folder));
        files.extend(below.map(Path::to_owned));
    }
    let copy = cache.join(git::digest_of(folder, &files, cache)?);
    git::filled(&copy, |new| {
        for file in files {
            let source = folder.join(&file);
            // Submodules are folders.
            if files::is_file(&source)? {
                let bytes = files::read_whole(&source)?;
                files::replace(&new.join(file), &bytes, files::is_executable(&source)?)?;
            }
        }
        Ok(())
    })?;
    Ok(copy)
}

/// Reads the version of sources.
fn version(folder: &Path, tree: &Tree, pin: &str) -> Result<Version> {
    let (version, what) = match tree {
        Tree::Packages => {
            let mut packages = cargo::packages(folder)?;
            packages.retain(|package| package.name == pin);
            let version = packages.first().map(|package| (&*package.version).into());
            (version, format!("package `{pin}`"))
        }
        Tree::Folder(_) => (version_of_openssl(folder)?, "VERSION.dat".to_owned()),
    };
    version.ok_or_else(|| Failure::Usage(format!("the sources have no {what}")))
}

/// Reads OpenSSL's version, since 3.0.
fn version_of_openssl(folder: &Path) -> Result<Option<Version>> {
    let Some(facts) = read_optional(&folder.join("VERSION.dat"))? else {
        return Ok(None);
    };
    let facts = String::from_utf8_lossy(&facts);
    let numbers = ["MAJOR", "MINOR", "PATCH"].map(|key| value_of(&facts, key));
    let numbers: Option<Vec<String>> = numbers.into_iter().collect();
    let tag = value_of(&facts, "PRE_RELEASE_TAG").filter(|tag| !tag.is_empty());
    let tag = tag.map_or(String::new(), |tag| format!("-{tag}"));
    Ok(numbers.map(|numbers| format!("{}{tag}", numbers.join(".")).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::metadata;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn copies_are_private() {
        let place = tempfile::tempdir().expect("a folder");
        let (from, cache) = (place.path().join("from"), place.path().join("cache"));
        files::create_folder(&from).expect("made");
        files::write(&from.join("VERSION.dat"), b"MAJOR=3\nMINOR=5\nPATCH=2\n").expect("written");
        let source = Location::parse(&format!("path:{}", from.display())).expect("a folder");
        let tree = Tree::Folder("openssl".to_owned());
        let (copy, _) = open(&source, &cache, &tree, "openssl-src").expect("a copy");
        let metadata = metadata(&copy.folder).expect("a folder");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o700);
        // Another state is another copy.
        files::write(&from.join("a.c"), b"int a;\n").expect("written");
        let (other, _) = open(&source, &cache, &tree, "openssl-src").expect("a copy");
        assert_ne!(other.folder, copy.folder);
    }

    #[test]
    fn versions_of_openssl() {
        for (text, expected) in [
            (
                "MAJOR=3\nMINOR=5\nPATCH=2\nPRE_RELEASE_TAG=dev\n",
                "3.5.2-dev",
            ),
            ("MAJOR=4\nMINOR=0\nPATCH=3\nPRE_RELEASE_TAG=\n", "4.0.3"),
        ] {
            let tree = tempfile::tempdir().expect("a folder");
            files::write(&tree.path().join("VERSION.dat"), text.as_bytes()).expect("written");
            let version = version_of_openssl(tree.path()).expect("a version");
            assert_eq!(version, Some(expected.into()));
        }
    }
}
