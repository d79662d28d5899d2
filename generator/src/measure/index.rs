//! The versions of a package and their publication dates, from cargo's registry index.
//!
//! Cargo has no command that prints these. So it resolves a throwaway crate that depends on the
//! package, with the user's registry settings, and then its index cache is read. The format of that
//! cache is internal to cargo: anything but the format of cargo 1.90 is an error.

use super::cargo::Crate;
use super::go;
use super::process::Stop;
use super::range::Release;
use crate::base::failure::Result;
use crate::files;
use anyhow::Context;
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

/// Looks up the versions of a package in the registry, with cargo's settings for `folder`. Without a
/// connection, returns those of the last lookup and a warning. They are empty with settings that use
/// no registry.
pub(crate) fn versions(folder: &Path, package: &str) -> Result<(Vec<Release>, Option<String>)> {
    let looked_up = match package {
        go::TOOLCHAIN => go::releases(),
        _ => look_up(folder, package).and_then(|_| Ok(kept(package)?)),
    };
    let before = kept(package)?;
    match looked_up {
        Ok(versions) => Ok((versions, None)),
        Err(Stop::Failed(stderr)) if !before.is_empty() => {
            let why = stderr.lines().last().unwrap_or(&stderr).trim();
            let warning = format!(
                "the releases of {package} are those of the last lookup, because this one fails: {why}"
            );
            Ok((before, Some(warning)))
        }
        Err(stop) => Err(stop.fatal(format!(
            "cannot look up the releases of {package}; the registry needs a connection:\n"
        ))),
    }
}

/// Returns the versions of a package as of the last lookup; empty without one. Several registries may
/// have the package, such as a mirror and its original.
pub(crate) fn kept(package: &str) -> Result<Vec<Release>> {
    let named = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
    let home = named.map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let home = home.context("cannot find cargo's folder: set CARGO_HOME")?;
    let registries = home.join("registry/index");
    let mut all: Vec<Release> = Vec::new();
    if !files::is_folder(&registries)? {
        return Ok(all);
    }
    for registry in files::folders(&registries)? {
        let path = registry.join(".cache").join(place(package));
        if let Some(bytes) = files::read_optional(&path)? {
            let unknown = || format!("{} is not in the format of cargo 1.90", path.display());
            let mut entries = entries(&bytes).with_context(unknown)?;
            entries.retain(|entry| all.iter().all(|known| known.package != entry.package));
            all.extend(entries);
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
fn place(package: &str) -> String {
    let name = package.to_lowercase();
    // The names of packages are ASCII.
    let part = |from, to| name.get(from..to).unwrap_or("-");
    match name.len() {
        1 | 2 => format!("{}/{name}", name.len()),
        3 => format!("3/{}/{name}", part(0, 1)),
        _ => format!("{}/{}/{name}", part(0, 2), part(2, 4)),
    }
}

/// Parses a cache file: a header, then for each version its number and its line, each terminated by
/// NUL.
pub(crate) fn entries(bytes: &[u8]) -> anyhow::Result<Vec<Release>> {
    let mut entries = Vec::new();
    let lines = bytes.split(|byte| *byte == 0);
    for line in lines.filter(|line| line.starts_with(b"{")) {
        let line: IndexLine = serde_json::from_slice(line)?;
        let published = line.pubtime.map(|time| time.to_zoned(TimeZone::UTC).date());
        entries.push(Release::of(line.vers, published, line.yanked));
    }
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
            assert_eq!(place(package), expected);
        }
    }

    /// Bytes as written by cargo 1.90.
    #[test]
    fn cache_entries() {
        let bytes = b"\x03\x02\0\0\0etag: \"x\"\x000.23.30\0{\"name\":\"rustls\",\"vers\":\"0.23.30\",\"deps\":[],\"yanked\":true,\"pubtime\":\"2025-07-27T13:07:34Z\"}\x000.23.31\0{\"name\":\"rustls\",\"vers\":\"0.23.31\"}\0";
        let found = entries(bytes).expect("two entries");
        let day = Date::constant(2025, 7, 27);
        let expected = [
            Release::of("0.23.30".to_owned(), Some(day), true),
            Release::of("0.23.31".to_owned(), None, false),
        ];
        assert_eq!(found, expected);
        for wrong in [&b""[..], b"\x04", b"\0{\"vers\":1}\0"] {
            assert!(entries(wrong).is_err());
        }
    }
}
