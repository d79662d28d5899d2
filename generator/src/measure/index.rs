//! The versions of a package and their publication dates, from cargo's registry index.
//!
//! Cargo has no command that prints these. So it resolves a throwaway crate that depends on the
//! package, with the user's registry settings, and then its index cache is read. The format of that
//! cache is internal to cargo: anything but the format of cargo 1.90 is an error.

use super::cargo::Crate;
use super::go;
use super::process::Stop;
use super::range::PackageVersion;
use crate::base::failure::Result;
use crate::files;
use anyhow::{Context, anyhow};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A line of the index, without unused keys.
#[derive(Deserialize)]
struct IndexLine {
    vers: String,
    #[serde(default)]
    yanked: bool,
    pubtime: Option<Timestamp>,
}

/// Returns the versions of a package, looked up in the registry with cargo's settings for `folder`.
/// Without a connection, those in cargo's cache and a warning.
pub(crate) fn versions(
    folder: &Path,
    package: &str,
) -> Result<(Vec<PackageVersion>, Option<String>)> {
    if package == go::TOOLCHAIN {
        return Ok((go::releases()?, None));
    }
    let looked_up = look_up(folder, package);
    let versions = kept(package)?;
    match looked_up {
        Ok(_) if versions.is_empty() => Err(anyhow!("cargo keeps no index of {package}").into()),
        Ok(_) => Ok((versions, None)),
        Err(Stop::Failed(stderr)) if !versions.is_empty() => {
            let why = stderr.lines().last().unwrap_or_default().trim();
            let warning = format!(
                "the releases of {package} are from cargo's cache, because it cannot look them up: {why}"
            );
            Ok((versions, Some(warning)))
        }
        Err(stop) => {
            let what = format!("cargo cannot look up the releases of {package}; it says:\n");
            Err(stop.fatal(what))
        }
    }
}

/// Returns the versions of a package in cargo's index cache, as of its last lookup; empty without
/// one. Several registries may have the package, such as a mirror and its original.
pub(crate) fn kept(package: &str) -> Result<Vec<PackageVersion>> {
    let named = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
    let home = named.map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let home = home.context("cannot find cargo's folder: set CARGO_HOME")?;
    let registries = home.join("registry/index");
    let mut all: Vec<PackageVersion> = Vec::new();
    if !files::is_folder(&registries)? {
        return Ok(all);
    }
    for registry in files::folders(&registries)? {
        let path = registry.join(".cache").join(place(package));
        let Some(bytes) = files::read_optional(&path)? else {
            continue;
        };
        let unknown = || format!("{} is not in the format of cargo 1.90", path.display());
        for entry in entries(&bytes).with_context(unknown)? {
            if !all.iter().any(|known| known.version == entry.version) {
                all.push(entry);
            }
        }
    }
    Ok(all)
}

/// Makes cargo update its cache of a package's index.
fn look_up(folder: &Path, package: &str) -> Result<String, Stop> {
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let manifest = scratch.path().join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"lookup\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \"Cargo.toml\"\n[workspace]\n\
         [dependencies]\n{package} = {{ version = \"*\", default-features = false }}\n"
    );
    files::write(&manifest, text.as_bytes())?;
    let krate = Crate {
        folder: folder.to_owned(),
        target: scratch.path().to_owned(),
        log: scratch.path().join("log"),
        name: package.to_owned(),
    };
    krate.look_up(&manifest)
}

/// Path of a package in a registry's index: `ru/st/rustls`.
fn place(package: &str) -> PathBuf {
    let name = package.to_lowercase();
    let at = |from: usize, to: usize| name.get(from..to).unwrap_or_default().to_owned();
    match name.len() {
        1 | 2 => PathBuf::from(name.len().to_string()).join(name),
        3 => PathBuf::from("3").join(at(0, 1)).join(name),
        _ => PathBuf::from(at(0, 2)).join(at(2, 4)).join(name),
    }
}

/// Parses a cache file: a header, then for each version its number and its line, each terminated by
/// NUL.
pub(crate) fn entries(bytes: &[u8]) -> anyhow::Result<Vec<PackageVersion>> {
    let lines = bytes.split(|byte| *byte == 0);
    let lines = lines.filter(|line| line.starts_with(b"{"));
    let entry = |line: &[u8]| {
        let line: IndexLine = serde_json::from_slice(line)?;
        let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
        Ok(PackageVersion {
            version: line.vers,
            published: line.pubtime.map(day),
            yanked: line.yanked,
        })
    };
    let entries: Vec<PackageVersion> = lines.map(entry).collect::<anyhow::Result<_>>()?;
    anyhow::ensure!(!entries.is_empty(), "it has no versions");
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::Date;

    #[test]
    fn places() {
        for (package, expected) in [
            ("rustls", "ru/st/rustls"),
            ("openssl-src", "op/en/openssl-src"),
            ("log", "3/l/log"),
            ("h2", "2/h2"),
            ("Inflector", "in/fl/inflector"),
        ] {
            assert_eq!(place(package), Path::new(expected));
        }
    }

    /// Bytes as written by cargo 1.90.
    #[test]
    fn cache_entries() {
        let bytes = b"\x03\x02\0\0\0etag: \"x\"\x000.23.30\0{\"name\":\"rustls\",\"vers\":\"0.23.30\",\"deps\":[],\"yanked\":true,\"pubtime\":\"2025-07-27T13:07:34Z\"}\x000.23.31\0{\"name\":\"rustls\",\"vers\":\"0.23.31\"}\0";
        let found = entries(bytes).expect("two entries");
        assert_eq!(
            found,
            [
                PackageVersion {
                    version: "0.23.30".to_owned(),
                    published: Some(Date::constant(2025, 7, 27)),
                    yanked: true
                },
                PackageVersion {
                    version: "0.23.31".to_owned(),
                    published: None,
                    yanked: false
                },
            ]
        );
        for wrong in [&b""[..], b"\x04", b"\0{\"vers\":1}\0"] {
            assert!(entries(wrong).is_err());
        }
    }
}
