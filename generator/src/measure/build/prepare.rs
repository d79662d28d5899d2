//! Prepares a build: the manifest, which names the runner's sources by path, and the lock file, in
//! which releases are selected.

use crate::base::failure::Result;
use crate::files::{self, hex_digest};
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
use toml::{Table, Value};

impl Build<'_> {
    /// Writes the manifest and the lock file, unless nothing has changed on which they depend: cargo
    /// compiles again what has a newer lock file.
    pub(super) fn prepare(&self) -> Result<()> {
        let target = self.target;
        if target.library.is_go() {
            return Ok(());
        }
        let lock = files::read_whole(&self.runner.join("Cargo.lock"))?;
        let manifest = self.manifest(&[])?;
        let sources = target.sources.as_ref().map(|sources| &sources.folder);
        let inputs = format!("{:?} {:?} {sources:?}", target.pinned, target.as_released);
        let inputs = format!("{manifest}{}{inputs}", hex_digest(&lock));
        let stamp = self.folder.join("prepared");
        if files::read_optional(&stamp)?.as_deref() == Some(inputs.as_bytes()) {
            return Ok(());
        }
        files::remove(&stamp)?;
        files::write(&self.folder.join("Cargo.lock"), &lock)?;
        self.write_manifest(&[])?;
        if let (Some(package), Some(version)) = (&target.library.pin, &target.pinned) {
            self.update(&["-p", package, "--precise", version])?;
        }
        if target.sources.is_some() {
            self.write_manifest(&self.replacements()?)?;
        }
        self.pin_as_released()?;
        Ok(files::write(&stamp, inputs.as_bytes())?)
    }

    /// Writes the manifest, and removes from the lock file what it does not need.
    fn write_manifest(&self, replacements: &[Package]) -> Result<()> {
        let manifest = self.manifest(replacements)?;
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

    /// Returns the runner's manifest with its files by their whole paths, without the dependencies
    /// that this build leaves out, which would limit versions too, and with packages that replace
    /// releases. Each of these is required in its version: a requirement excludes pre-releases,
    /// which sources may be.
    fn manifest(&self, replacements: &[Package]) -> Result<String> {
        let read: Option<Table> = read_toml(&self.runner.join("Cargo.toml"))?;
        let mut manifest = read.with_context(|| format!("{:?} has no crate", self.runner))?;
        self.set_path(table(&mut manifest, "package"), "build", "build.rs")?;
        if files::is_file(&self.runner.join("src/lib.rs"))? {
            self.set_path(table(&mut manifest, "lib"), "path", "src/lib.rs")?;
        }
        let name = table(&mut manifest, "package")["name"].clone();
        let program = Value::Table(Table::from_iter([("name".to_owned(), name)]));
        let programs = manifest.entry("bin").or_insert(vec![program].into());
        for program in programs.as_array_mut().into_iter().flatten() {
            if let Some(program) = program.as_table_mut() {
                self.set_path(program, "path", "src/main.rs")?;
            }
        }
        // Cargo would look for it beside the manifest.
        manifest.remove("test");

        let enabled = self.enabled(table(&mut manifest, "features"));
        let mut removed = Vec::new();
        for kind in ["dependencies", "build-dependencies"] {
            let dependencies = table(&mut manifest, kind);
            for (name, dependency) in std::mem::take(dependencies) {
                let mut settings = match dependency {
                    Value::Table(settings) => settings,
                    version => Table::from_iter([("version".to_owned(), version)]),
                };
                if settings.contains_key("optional") && !enabled.contains(&name) {
                    removed.push(name);
                    continue;
                }
                let package = settings.get("package").and_then(Value::as_str);
                let package = package.unwrap_or(&name);
                if let Some(replaced) = replacements.iter().find(|p| p.name == package) {
                    let version = format!("={}", replaced.version);
                    settings.insert("version".to_owned(), version.into());
                }
                if settings.contains_key("path") {
                    self.set_path(&mut settings, "path", "")?;
                }
                dependencies.insert(name, settings.into());
            }
        }
        for (_, parts) in table(&mut manifest, "features").iter_mut() {
            let is_kept = |part: &Value| {
                let part = part.as_str().unwrap_or_default().trim_start_matches("dep:");
                let name = part.split(['?', '/']).next().unwrap_or_default();
                !removed.iter().any(|removed| removed == name)
            };
            parts
                .as_array_mut()
                .into_iter()
                .for_each(|parts| parts.retain(is_kept));
        }

        let patches = table(table(&mut manifest, "patch"), "crates-io");
        for package in replacements {
            let folder = package.manifest_path.with_file_name("");
            let path = [("path".to_owned(), (*folder.to_string_lossy()).into())];
            patches.insert(package.name.clone(), Table::from_iter(path).into());
        }
        Ok(manifest.to_string())
    }

    /// Makes a path of the runner's manifest whole. Without one, it is the default that cargo takes
    /// if the file exists.
    fn set_path(&self, table: &mut Table, key: &str, default: &str) -> Result<()> {
        let below = table.get(key).and_then(Value::as_str).unwrap_or(default);
        let path = self.runner.join(below);
        if files::exists(&path)? {
            table.insert(key.to_owned(), (*path.to_string_lossy()).into());
        }
        Ok(())
    }

    /// Returns the features of the build, those that they enable, and the optional dependencies
    /// among them.
    fn enabled(&self, features: &Table) -> Vec<String> {
        let mut enabled = self.target.features.clone();
        let mut at = 0;
        while let Some(name) = enabled.get(at) {
            let parts = features.get(name).and_then(Value::as_array);
            for part in parts.into_iter().flatten().filter_map(Value::as_str) {
                // A feature may be called like the dependency that it enables.
                let part = part.trim_start_matches("dep:").to_owned();
                if !enabled.contains(&part) {
                    enabled.push(part);
                }
            }
            at += 1;
        }
        enabled
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
        metadata.args(["--format-version", "1", "--locked", "--all-features"]);
        let mut packages = cargo::parse_metadata(&self.run(&mut metadata)?)?;
        packages.retain(|package| Some(&package.name) == self.target.library.pin.as_ref());
        for package in &mut packages {
            let released = package.manifest_path.with_file_name("");
            let wrapper = self.folder.join("wrapper");
            let link = wrapper.join(below);
            let found = files::below(&released, |path| path != released.join(below))?;
            let found = found.iter().flat_map(|path| path.strip_prefix(&released));
            files::remove(&wrapper)?;
            copy_files(
                &released,
                &Vec::from_iter(found.map(Path::to_owned)),
                &wrapper,
            )?;
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

/// Returns the table of a key, which is added if it is missing.
fn table<'a>(tables: &'a mut Table, key: &str) -> &'a mut Table {
    let value = tables.entry(key).or_insert_with(|| Table::new().into());
    value.as_table_mut().expect("a manifest of ours")
}

/// The numbers that compatible versions share.
fn series(version: &Version) -> (u64, Option<u64>, bool) {
    let minor = (version.major == 0).then_some(version.minor);
    (version.major, minor, version.pre.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::libraries::target::Target;

    fn manifest(runner: &str, features: &[&str], replacements: &[Package]) -> Table {
        let target = Target {
            features: features
                .iter()
                .map(|feature| (*feature).to_owned())
                .collect(),
            ..Target::default()
        };
        let runners = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners");
        let build = Build {
            target: &target,
            runner: runners.join(runner),
            folder: "/work".into(),
            output: "/work".into(),
        };
        let manifest = build.manifest(replacements).expect("a manifest");
        toml::from_str(&manifest).expect("TOML")
    }

    fn keys(table: &Value) -> Vec<&String> {
        table.as_table().expect("a table").keys().collect()
    }

    #[test]
    fn a_feature_may_be_called_like_its_dependency() {
        let manifest = manifest("rustls-graviola", &["rustls-0-23", "graviola"], &[]);
        assert!(keys(&manifest["dependencies"]).contains(&&"graviola".to_owned()));
    }

    #[test]
    fn other_releases_limit_no_versions() {
        let manifest = manifest("rustls", &["rustls-0-22", "aws-lc-rs", "jemalloc"], &[]);
        let kept = ["harness", "rustls-0-22", "rustls-pki-types"];
        assert_eq!(keys(&manifest["dependencies"]), kept);
        let provider = manifest["features"]["aws-lc-rs"]
            .as_array()
            .expect("a list");
        assert_eq!(provider, &vec![Value::from("rustls-0-22?/aws_lc_rs")]);
    }

    #[test]
    fn a_feature_enables_dependencies() {
        let manifest = manifest("libssl", &["vendored"], &[]);
        assert_eq!(keys(&manifest["dependencies"]), ["harness"]);
        let all = ["cc", "openssl-src", "pkg-config"];
        assert_eq!(keys(&manifest["build-dependencies"]), all);
    }

    #[test]
    fn the_dependency_of_the_build_is_replaced() {
        let package = Package {
            name: "rustls".to_owned(),
            version: "0.23.99-dev.1".to_owned(),
            manifest_path: "/sources/rustls/Cargo.toml".into(),
        };
        let manifest = manifest("rustls", &["rustls-0-23"], &[package]);
        let version = &manifest["dependencies"]["rustls-0-23"]["version"];
        assert_eq!(version.as_str(), Some("=0.23.99-dev.1"));
        let path = &manifest["patch"]["crates-io"]["rustls"]["path"];
        assert_eq!(path.as_str(), Some("/sources/rustls/"));
    }

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
