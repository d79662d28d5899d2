//! Prepares a build: a crate that depends on the runner's by its path, so that its lock file has only
//! what is built, with the versions of the runner's own lock file but for the release.

use crate::base::failure::Result;
use crate::files;
use crate::measure::build::Build;
use crate::measure::cargo::{self, Package};
use crate::measure::libraries::release;
use crate::measure::libraries::sources::copy_files;
use crate::measure::libraries::table::Tree;
use crate::measure::process::if_succeeded;
use crate::measure::read_toml;
use anyhow::Context;
use semver::Version;
use std::os::unix::fs::symlink;
use std::path::Path;
use toml::Table;

impl Build<'_> {
    /// Writes the manifest, the lock file and the program.
    pub(super) fn prepare(&self) -> Result<()> {
        let target = self.target;
        if target.library.is_go() {
            return Ok(());
        }
        let lock = files::read_whole(&self.runner.join("Cargo.lock"))?;
        files::write(&self.folder.join("Cargo.lock"), &lock)?;
        self.write_manifest(&[])?;
        if let (Some(package), Some(version)) = (&target.library.pin, &target.pinned) {
            self.update(&["-p", package, "--precise", version])?;
        }
        if target.sources.is_some() {
            let replacements = self.replacements()?;
            self.write_manifest(&replacements)?;
            for package in &replacements {
                self.update(&["-p", &package.name, "--precise", &package.version])?;
            }
        }
        self.pin_as_released()?;
        let mut version = String::new();
        for package in cargo::locked(&self.folder)? {
            if target.library.dated_package() == Some(&package.name) {
                version = package.version;
            }
        }
        let program =
            format!("fn main() -> std::process::ExitCode {{\n    runner::main({version:?})\n}}\n");
        let path = self.folder.join("main.rs");
        // Cargo compiles again what is newer.
        if files::read_optional(&path)?.as_deref() != Some(program.as_bytes()) {
            files::write(&path, program.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the manifest, with packages that replace releases, and removes from the lock file what
    /// it does not need.
    fn write_manifest(&self, replacements: &[Package]) -> Result<()> {
        let crate_of_runner: Option<Table> = read_toml(&self.runner.join("Cargo.toml"))?;
        let package = crate_of_runner.as_ref().and_then(|c| c.get("package"));
        let name = package.and_then(|package| package.get("name")?.as_str());
        let name = name.with_context(|| format!("{:?} has no crate", self.runner))?;
        let (runner, features) = (&self.runner, &self.target.features);
        let mut manifest = format!(
            r#"[package]
name = "program"
version = "0.0.0"
edition = "2024"

[workspace]

[[bin]]
name = "{name}"
path = "main.rs"

[dependencies.runner]
package = "{name}"
path = {runner:?}
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
        files::write(&self.folder.join("Cargo.toml"), manifest.as_bytes())?;
        self.update(&["--workspace"])
    }

    /// Changes the lock file. Tries offline first: what was fetched before needs no network.
    fn update(&self, arguments: &[&str]) -> Result<()> {
        let update = || {
            let mut command = cargo::command("update", &self.folder);
            command.args(arguments);
            command
        };
        if if_succeeded(self.try_to_run(update().arg("--offline")))?.is_none() {
            self.run(&mut update())?;
        }
        Ok(())
    }

    /// Returns the packages of unreleased sources, which replace those in the lock file. The package
    /// that wraps sources is one with a link to them.
    fn replacements(&self) -> Result<Vec<Package>> {
        let Some(sources) = &self.target.sources else {
            return Ok(Vec::new());
        };
        let below = match &sources.tree {
            Tree::Packages => {
                let locked = cargo::locked(&self.folder)?;
                let mut packages = cargo::packages(&sources.folder)?;
                packages.retain(|package| locked.iter().any(|l| l.name == package.name));
                return Ok(packages);
            }
            Tree::Folder(below) => below,
        };
        let mut metadata = cargo::command("metadata", &self.folder);
        metadata.args(["--format-version", "1", "--locked"]);
        let mut packages = cargo::parse_metadata(&self.run(&mut metadata)?)?;
        packages.retain(|package| Some(&package.name) == self.target.library.pin.as_ref());
        for package in &mut packages {
            let released = package.manifest_path.with_file_name("");
            let wrapper = self.folder.join("wrapper");
            let link = wrapper.join(below);
            let found = files::below(&released, |path| path != released.join(below))?;
            let found = found.iter().flat_map(|path| path.strip_prefix(&released));
            let found: Vec<_> = found.map(Path::to_owned).collect();
            files::remove(&wrapper)?;
            copy_files(&released, &found, &wrapper)?;
            symlink(&sources.folder, &link).context("cannot make a link")?;
            package.manifest_path = wrapper.join("Cargo.toml");
        }
        Ok(packages)
    }

    /// Sets the packages of the target's provider to the newest versions that were published by the
    /// day of its release. Otherwise a build has those in the lock file, as somebody gets it who
    /// builds an old release today.
    fn pin_as_released(&self) -> Result<()> {
        let name = self.target.name();
        // A package limits the versions of those after it.
        for package in &self.target.as_released {
            let day = self.target.released.with_context(|| {
                format!("the day of {name} is unknown, so its provider of that day is too")
            })?;
            let mut published = release::versions(&self.folder, package)?;
            published.retain(|r| !r.yanked && r.released.is_some_and(|published| published <= day));
            for locked in cargo::locked(&self.folder)? {
                if locked.name != *package {
                    continue;
                }
                let number = locked.version.parse().context("a version in Cargo.lock")?;
                let versions = published.iter().flat_map(|release| release.package.parse());
                let like = versions.filter(|other| series(other) == series(&number));
                let newest = like.max().with_context(|| {
                    format!("no {package} like {number} was published by {day}, the day of {name}")
                })?;
                if newest != number {
                    let locked = format!("{package}@{number}");
                    self.update(&["-p", &locked, "--precise", &newest.to_string()])?;
                }
            }
        }
        Ok(())
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
