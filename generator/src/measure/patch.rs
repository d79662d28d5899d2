//! Makes a crate depend on unreleased sources in place of a release.

use super::cargo::{self, Crate, Package};
use super::checkout::Checkout;
use super::runner::Tree;
use super::{read_toml, sources};
use crate::base::failure::Result;
use crate::files;
use anyhow::Context;
use std::path::Path;
use toml::{Table, Value};

/// Makes a crate and its lock file depend on these sources. `scratch` is a folder for a copy of the
/// package that wraps them.
pub(super) fn replace(sources: &Checkout, krate: &Crate, scratch: &Path) -> Result<()> {
    match &sources.tree {
        Tree::Variable(_) => Ok(()),
        Tree::Packages => {
            let locked = cargo::locked(&krate.folder)?;
            let is_replaced = |package: &&Package| {
                let mut locked = locked.iter().filter(|locked| locked.source.is_some());
                locked.any(|locked| locked.name == package.name)
            };
            let replaced: Vec<&Package> = sources.packages.iter().filter(is_replaced).collect();
            for package in &replaced {
                let manifest = sources.folder.join(&package.manifest_path);
                patch(krate, package, &manifest.with_file_name(""))?;
            }
            for package in &replaced {
                krate.pin(&package.name, &package.version)?;
            }
            Ok(())
        }
        Tree::Folder(below) => {
            let name = sources.pin.as_deref();
            let name = name.context("a runner with a folder for sources pins no package")?;
            if let Some(wrapper) = &sources.wrapper {
                krate.pin(name, wrapper)?;
            }
            let package = krate.package(name)?;
            let folder = package.manifest_path.with_file_name("");
            let mut files = sources::files(&folder)?;
            files.retain(|file| !file.starts_with(below));
            sources::copy(&folder, &files, scratch)?;
            let all = sources::files(&sources.folder)?;
            sources::copy(&sources.folder, &all, &scratch.join(below))?;
            patch(krate, &package, scratch)?;
            krate.pin(name, &package.version)
        }
    }
}

/// Adds a package in a folder to `[patch.crates-io]` in the `Cargo.toml` of a crate.
fn patch(krate: &Crate, package: &Package, folder: &Path) -> Result<()> {
    let Package { name, version, .. } = package;
    let path = krate.folder.join("Cargo.toml");
    let manifest: Option<Table> = read_toml(&path)?;
    let mut manifest = manifest.with_context(|| files::cannot_read(&path))?;
    // A requirement excludes pre-releases, which sources may be.
    let exactly = Value::from(format!("={version}"));
    match table(&mut manifest, "dependencies")?.get_mut(name) {
        Some(Value::Table(dependency)) => {
            dependency.insert("version".to_owned(), exactly);
        }
        Some(dependency) => *dependency = exactly,
        None => {}
    }
    let patches = table(table(&mut manifest, "patch")?, "crates-io")?;
    // The runner may already have a patch of that name.
    let entry = table(patches, &format!("{name}-of-the-sources"))?;
    let folder = folder.to_string_lossy().into_owned();
    entry.insert("path".to_owned(), folder.into());
    entry.insert("package".to_owned(), name.as_str().into());
    let text = toml::to_string(&manifest).context("cannot write Cargo.toml")?;
    Ok(files::write(&path, text.as_bytes())?)
}

/// Returns a table in another, which is made if there is none.
fn table<'a>(parent: &'a mut Table, key: &str) -> anyhow::Result<&'a mut Table> {
    let entry = parent.entry(key).or_insert_with(|| Table::new().into());
    let table = entry.as_table_mut();
    table.with_context(|| format!("`{key}` is not a table"))
}
