//! `report.toml` of a measurement: written once, then only added to, because people edit it.

use super::build::{Built, lock_file};
use super::machine::Machine;
use super::noise::Noise;
use super::process::Launcher;
use super::tree;
use crate::failure::{Failure, Result};
use crate::fs;
use crate::report::{DeclaredImplementation, Manifest};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use toml::Value;

/// What a report says of a measurement besides its figures.
#[derive(Debug)]
pub struct Facts<'a> {
    /// Where it was measured.
    pub machine: &'a Machine,
    /// How programs were started.
    pub launcher: &'a Launcher,
    /// What was noisy.
    pub noise: &'a [Noise],
    /// Of the order.
    pub seed: u32,
    /// How much more work than the usual.
    pub multiplier: f64,
    /// The day, as `2026-11-30`.
    pub today: String,
}

/// Writes `report.toml` and the lock files, or adds what is not there yet.
///
/// # Errors
/// A `report.toml` that cannot be read, or cannot be added to.
pub fn write(out: &Path, facts: &Facts<'_>, programs: &[Built]) -> Result<()> {
    for built in programs {
        let (_, bytes) = lock_file(&built.lock)?;
        tree::create(&out.join("locks"))?;
        tree::write(&out.join(lock_name(built)), &bytes)?;
    }
    let path = out.join("report.toml");
    let (mut text, known) = match fs::read_optional(&path)? {
        None => (facts.heading(out), Vec::new()),
        Some(bytes) => {
            let manifest = Manifest::parse(&path, &bytes)?;
            let known = manifest
                .implementation
                .iter()
                .map(DeclaredImplementation::identity);
            (
                String::from_utf8_lossy(&bytes).into_owned(),
                known.collect(),
            )
        }
    };
    let before = text.clone();
    for built in programs.iter().filter(|b| !known.contains(&b.identity)) {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text += &facts.implementation(built)?;
    }
    if text == before && !known.is_empty() {
        return Ok(());
    }
    if let Err(failure) = Manifest::parse(&path, text.as_bytes()) {
        return Err(Failure::bad_file(
            &path,
            format!(
                "the implementations of this measurement cannot be added to it ({failure}); add them as [[implementation]]"
            ),
        ));
    }
    tree::write(&path, text.as_bytes())?;
    Ok(())
}

fn lock_name(built: &Built) -> PathBuf {
    Path::new("locks").join(format!("{}.lock", built.id))
}

impl Facts<'_> {
    fn heading(&self, out: &Path) -> String {
        let mut text = String::from(
            "# Captured by `generator run`, which adds implementations here and changes nothing else: edit freely.\n\n",
        );
        let named = Manifest::default().day(&super::file_name(&absolute(out)));
        if named.is_none() {
            let _ = writeln!(text, "date = {}", self.today);
        }
        put(&mut text, "machine", &self.machine.name());
        put(&mut text, "architecture", Machine::architecture());
        text.push_str("\n[system]\n");
        for (key, value) in self.machine.table(self.launcher) {
            put(&mut text, &key, &value);
        }
        let order = format!(
            "all implementations in turns, in a new random order for each run (seed {})",
            self.seed
        );
        put(&mut text, "Order", &order);
        put(&mut text, "Multiplier", &self.multiplier.to_string());
        if !self.noise.is_empty() {
            let words: Vec<&str> = self.noise.iter().map(|n| n.what.as_str()).collect();
            put(&mut text, "Noise", &words.join("; "));
        }
        text
    }

    fn implementation(&self, built: &Built) -> Result<String> {
        let identity = &built.identity;
        let mut text = String::from("\n[[implementation]]\n");
        put(&mut text, "name", &identity.name);
        put(&mut text, "version", &identity.version);
        if !identity.variant.is_empty() {
            let variant = identity.variant.iter().cloned().map(Value::String);
            let _ = writeln!(text, "variant = {}", Value::Array(variant.collect()));
        }
        let files = Value::Array(vec![Value::String(format!("{}/", built.id))]);
        let _ = writeln!(text, "files = {files}");
        if let Some(url) = &built.url {
            put(&mut text, "url", url);
        }
        let (lock, _) = lock_file(&built.lock)?;
        let features = match built.features.as_slice() {
            [] => String::new(),
            some => format!(" --features {}", some.join(",")),
        };
        let build = format!(
            "cargo build --release --locked --no-default-features{features}, with {} (SHA-256 {})",
            lock_name(built).display(),
            &lock[..16]
        );
        put(&mut text, "build", &build);
        let prefix = if self.launcher.fixed_addresses {
            "setarch -R "
        } else {
            ""
        };
        let command = format!(
            "{prefix}{} --certificates DIR --multiplier {} --run N SCENARIO",
            super::file_name(&built.program),
            self.multiplier
        );
        put(&mut text, "command", &command);
        put(
            &mut text,
            "tool",
            concat!("generator run ", env!("CARGO_PKG_VERSION")),
        );
        if !built.with.is_empty() {
            put(&mut text, "with", &built.with.join(" / "));
        }
        Ok(text)
    }
}

/// A key and a text, quoted as TOML wants it.
fn put(text: &mut String, key: &str, value: &str) {
    let is_bare = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let key = if is_bare {
        key.to_owned()
    } else {
        Value::String(key.to_owned()).to_string()
    };
    let _ = writeln!(text, "{key} = {}", Value::String(value.to_owned()));
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The day of a number of seconds since 1970, in UTC: Hinnant's `civil_from_days`,
/// <https://howardhinnant.github.io/date_algorithms.html>.
pub fn day(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (seconds, text) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_795_219_199, "2026-11-20"),
            (1_795_219_200, "2026-11-21"),
        ] {
            assert_eq!(day(seconds), text);
        }
    }
}
