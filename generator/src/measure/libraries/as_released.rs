//! A release with the crypto provider of its day: `rustls@0.22.4+as-released`. Otherwise a build
//! has the provider in the lock file, as somebody gets it who builds an old release today.

use crate::base::failure::Result;
use crate::files;
use crate::measure::libraries::release;
use crate::measure::libraries::target::Target;
use crate::measure::read_toml;
use crate::measure::tools::cargo;
use crate::measure::tools::compile::RunnerCopy;
use anyhow::Context;
use semver::Version;
use toml::{Table, Value};

/// Sets the packages of the target's provider to the newest versions that were published by the day
/// of its release.
pub(in crate::measure) fn pin(copy: &RunnerCopy, target: &Target) -> Result<()> {
    let name = target.name();
    let day = target.released.with_context(|| {
        format!("the day of {name} is unknown, so its provider of that day is too")
    })?;
    prune(copy, &target.features)?;
    cargo::drop_unused(copy)?;
    // A package limits the versions of those after it.
    for package in &target.as_released {
        let (published, warning) = release::versions(&copy.folder, package)?;
        if let Some(warning) = warning {
            crate::inform!("warning: {warning}");
        }
        let mut of_the_day: Vec<Version> = Vec::new();
        for release in published {
            if !release.yanked && release.released.is_some_and(|published| published <= day) {
                of_the_day.extend(release.package.parse());
            }
        }
        for locked in cargo::locked(&copy.folder)? {
            if locked.name != *package {
                continue;
            }
            let number: Version = locked.version.parse().context("a version in Cargo.lock")?;
            let like = of_the_day
                .iter()
                .filter(|other| series(other) == series(&number));
            let newest = like.max().with_context(|| {
                format!("no {package} like {number} was published by {day}, the day of {name}")
            })?;
            if *newest != number {
                cargo::set(copy, &format!("{package}@{number}"), &newest.to_string())?;
            }
        }
    }
    Ok(())
}

/// The numbers that compatible versions share.
fn series(version: &Version) -> (u64, Option<u64>, bool) {
    let minor = (version.major == 0).then_some(version.minor);
    (version.major, minor, version.pre.is_empty())
}

/// Removes the optional dependencies without which a copy is built: they limit versions too.
fn prune(copy: &RunnerCopy, features: &[String]) -> Result<()> {
    let path = copy.folder.join("Cargo.toml");
    let mut manifest: Table = read_toml(&path)?.context("a copy without Cargo.toml")?;
    let mut removed = Vec::new();
    if let Some(Value::Table(dependencies)) = manifest.get_mut("dependencies") {
        dependencies.retain(|name, dependency| {
            let is_optional = dependency.get("optional").and_then(Value::as_bool) == Some(true);
            let is_kept = !is_optional || features.iter().any(|feature| feature == name);
            removed.extend((!is_kept).then(|| name.to_owned()));
            is_kept
        });
    }
    if let Some(Value::Table(all)) = manifest.get_mut("features") {
        for parts in all.iter_mut().filter_map(|(_, parts)| parts.as_array_mut()) {
            parts.retain(|part| {
                let name = part.as_str().and_then(|part| part.split(['?', '/']).next());
                name.is_none_or(|name| !removed.iter().any(|removed| removed == name))
            });
        }
    }
    Ok(files::write(&path, manifest.to_string().as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn other_releases_limit_no_versions() {
        let folder = tempfile::tempdir().expect("a folder");
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("runners/rustls/Cargo.toml");
        std::fs::copy(manifest, folder.path().join("Cargo.toml")).expect("copied");
        let copy = RunnerCopy {
            folder: folder.path().to_owned(),
            target: folder.path().to_owned(),
            log: folder.path().join("log"),
            name: "rustls 0.22.4".to_owned(),
        };
        let features = ["rustls-0-22", "aws-lc-rs", "jemalloc"].map(str::to_owned);
        prune(&copy, &features).expect("pruned");
        let path = folder.path().join("Cargo.toml");
        let pruned: Table = read_toml(&path).expect("read").expect("there");
        let keys = |table: &str| Vec::from_iter(pruned[table].as_table().expect(table).keys());
        let kept = ["harness", "rustls-0-22", "rustls-pki-types"];
        assert_eq!(keys("dependencies"), kept);
        let provider = pruned["features"]["aws-lc-rs"].as_array().expect("a list");
        assert_eq!(provider, &vec![Value::from("rustls-0-22?/aws_lc_rs")]);
        assert_eq!(keys("features"), ["aws-lc-rs", "ring", "jemalloc"]);
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
