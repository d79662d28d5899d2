//! Prepares a build: a crate that depends on the runner's by its path, so that its lock file has only
//! what is built, with the versions of the runner's own lock file but for the release.

use crate::base::failure::Result;
use crate::files;
use crate::measure::build::BuildCache;
use crate::measure::cargo::{self, Package};
use crate::measure::git::Sources;
use crate::measure::libraries::release;
use crate::measure::libraries::table::Tree;
use crate::measure::libraries::target::Target;
use crate::measure::process::if_succeeded;
use crate::measure::read_toml;
use anyhow::Context;
use semver::Version;
use std::os::unix::fs::symlink;
use std::path::Path;
use toml::{Table, Value};

impl BuildCache {
    /// Writes the manifest, the lock file and the program.
    pub(super) fn prepare(&self, target: &Target) -> Result<()> {
        let (runner, folder) = (self.runners.join(&target.folder), self.folder(target));
        let lock = files::read_whole(&runner.join("Cargo.lock"))?;
        files::write(&folder.join("Cargo.lock"), &lock)?;
        self.write_manifest(target, &[])?;
        if let (Some(package), Some(version)) = (&target.library.pin, &target.pinned) {
            self.update(target, &["-p", package, "--precise", version])?;
        }
        if let Some(sources) = &target.sources {
            self.write_manifest(target, &self.replacements(target, sources)?)?;
        }
        self.pin_as_released(target)?;
        let version = cargo::locked_version(&folder, target.library.dated_package())?;
        let main =
            format!("fn main() -> std::process::ExitCode {{\n    runner::main({version:?})\n}}\n");
        files::update(&folder.join("main.rs"), main.as_bytes(), false)?;
        Ok(())
    }

    /// Writes the manifest, with packages that replace releases, and removes from the lock file what
    /// it does not need.
    fn write_manifest(&self, target: &Target, replacements: &[Package]) -> Result<()> {
        let (runner, folder) = (self.runners.join(&target.folder), self.folder(target));
        let crate_of_runner: Option<Table> = read_toml(&runner.join("Cargo.toml"))?;
        let no_crate = || format!("{runner:?} has no crate");
        let mut crate_of_runner = crate_of_runner.with_context(no_crate)?;
        let package = crate_of_runner.get("package");
        let name = package.and_then(|package| package.get("name")?.as_str());
        let name = name.with_context(no_crate)?.to_owned();
        let path = match (&target.sources, &target.library.sources) {
            (Some(_), Some(Tree::Packages)) => {
                require(&mut crate_of_runner, &runner, target, replacements);
                let (copy, text) = (folder.join("runner"), crate_of_runner.to_string());
                files::replace(&copy.join("Cargo.toml"), text.as_bytes(), false)?;
                copy
            }
            _ => runner,
        };
        let (program, features) = (target.program(), &target.features);
        let mut manifest = format!(
            r#"[package]
name = "program"
version = "0.0.0"
edition = "2024"

[workspace]
exclude = ["runner"]

[[bin]]
name = "{program}"
path = "main.rs"

[dependencies.runner]
package = "{name}"
path = {path:?}
default-features = false
features = {features:?}

[profile.release]
codegen-units = 1
lto = true

[patch.crates-io]
"#
        );
        for package in replacements {
            let folder = package.manifest_path.with_file_name("");
            manifest += &format!("{} = {{ path = {folder:?} }}\n", package.name);
        }
        files::write(&folder.join("Cargo.toml"), manifest.as_bytes())?;
        self.update(target, &["--workspace"])
    }

    /// Changes the lock file. Tries offline first: what was fetched before needs no network.
    fn update(&self, target: &Target, arguments: &[&str]) -> Result<()> {
        let update = || {
            let mut command = cargo::command("update", &self.folder(target));
            command.args(arguments);
            command
        };
        if if_succeeded(self.try_to_run(target, update().arg("--offline")))?.is_none() {
            self.run(target, &mut update())?;
        }
        Ok(())
    }

    /// Returns the packages of unreleased sources, which replace those in the lock file. The package
    /// that wraps sources has a link to them.
    fn replacements(&self, target: &Target, sources: &Sources) -> Result<Vec<Package>> {
        let folder = self.folder(target);
        let Some(Tree::Folder(below)) = &target.library.sources else {
            let locked = cargo::locked(&folder)?;
            let mut packages = cargo::packages(&sources.folder)?;
            packages.retain(|package| locked.iter().any(|l| l.name == package.name));
            return Ok(packages);
        };
        let mut metadata = cargo::command("metadata", &folder);
        metadata.args(["--format-version", "1", "--locked"]);
        let mut packages = cargo::parse_metadata(&self.run(target, &mut metadata)?)?;
        packages.retain(|package| Some(&package.name) == target.library.pin.as_ref());
        for package in &mut packages {
            let released = package.manifest_path.with_file_name("");
            // Cargo builds another one when the sources are others.
            let state = files::file_name(&sources.folder);
            let wrapper = folder.join(format!("{state}-{}", package.version));
            let link = wrapper.join(below);
            for path in files::below(&released, |path| path != released.join(below))? {
                let file = path.strip_prefix(&released).context("a file elsewhere")?;
                files::update(&wrapper.join(file), &files::read_whole(&path)?, false)?;
            }
            if !files::is_taken(&link)? {
                symlink(&sources.folder, &link).context("cannot make a link")?;
            }
            package.manifest_path = wrapper.join("Cargo.toml");
        }
        Ok(packages)
    }

    /// Sets the packages of the target's provider to the newest versions that were published by the
    /// day of its release. Otherwise a build has those in the lock file, as somebody gets it who
    /// builds an old release today.
    fn pin_as_released(&self, target: &Target) -> Result<()> {
        let (name, folder) = (target.name(), self.folder(target));
        // A package limits the versions of those after it.
        for package in &target.as_released {
            let day = target.released.with_context(|| {
                format!("the day of {name} is unknown, so its provider of that day is too")
            })?;
            let mut published = release::versions(&folder, package)?;
            published.retain(|r| !r.yanked && r.released.is_some_and(|published| published <= day));
            let mut all = cargo::locked(&folder)?;
            all.retain(|locked| locked.name == *package);
            for locked in all {
                let number = locked.version.parse().context("a version in Cargo.lock")?;
                let versions = published.iter().flat_map(|release| release.package.parse());
                let like = versions.filter(|other| series(other) == series(&number));
                let newest = like.max().with_context(|| {
                    format!("no {package} like {number} was published by {day}, the day of {name}")
                })?;
                if newest != number {
                    let locked = format!("{package}@{number}");
                    self.update(target, &["-p", &locked, "--precise", &newest.to_string()])?;
                }
            }
        }
        Ok(())
    }
}

/// Requires each of these packages in its version, in a runner's manifest that stands elsewhere: a
/// requirement excludes pre-releases, which sources may be.
fn require(manifest: &mut Table, runner: &Path, target: &Target, replacements: &[Package]) {
    let whole = |path: &str| Value::from(runner.join(path).to_string_lossy().into_owned());
    let lib = [("path".to_owned(), whole("src/lib.rs"))];
    manifest.insert("lib".to_owned(), Table::from_iter(lib).into());
    // The workspace is the program's, which excludes it: a member's lock has all series.
    manifest.remove("workspace");
    let dependencies = manifest.get_mut("dependencies");
    let dependencies = dependencies.and_then(Value::as_table_mut);
    for (key, dependency) in dependencies.into_iter().flatten() {
        let mut settings = match dependency.clone() {
            Value::Table(settings) => settings,
            version => Table::from_iter([("version".to_owned(), version)]),
        };
        if let Some(path) = settings.get("path").and_then(Value::as_str).map(whole) {
            settings.insert("path".to_owned(), path);
        }
        let package = settings.get("package").and_then(Value::as_str);
        let package = package.unwrap_or(key);
        // Other series are dependencies on the same package.
        let is_built = package == key || target.features.contains(key);
        let replaced = replacements.iter().find(|p| is_built && p.name == package);
        let version = replaced.map(|replaced| format!("={}", replaced.version));
        settings.extend(version.map(|version| ("version".to_owned(), version.into())));
        *dependency = settings.into();
    }
}

/// The numbers that compatible versions share.
fn series(version: &Version) -> (u64, Option<u64>, bool) {
    let minor = (version.major == 0).then_some(version.minor);
    (version.major, minor, version.pre.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compatible_versions() {
        let series = |text: &str| series(&text.parse().expect(text));
        assert_eq!(series("1.5.2"), series("1.17.0"));
        assert_eq!(series("0.17.5"), series("0.17.14"));
        assert_ne!(series("0.16.20"), series("0.17.14"));
        assert_ne!(series("1.5.2"), series("2.0.0"));
        assert_ne!(series("0.24.0"), series("0.24.0-dev.2"));
    }
}
