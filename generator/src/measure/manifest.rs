//! `report.toml` of a measurement. People edit it, so later runs only add implementations to it.

use super::machine::Machine;
use super::noise;
use super::program::Program;
use super::record::Record;
use super::side::Side;
use crate::base::day;
use crate::base::failure::{Failure, Result};
use crate::files::{self, hex_digest};
use crate::model::implementation::Implementation;
use crate::parse::{Declaration, Manifest};
use anyhow::Context;
use jiff::{Timestamp, tz::TimeZone};
use std::path::{Path, absolute};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

const HEADING: &str = "# Captured by `generator run`, which adds implementations here and changes nothing else: edit freely.\n\n";

const TOOL: &str = concat!("generator run ", env!("CARGO_PKG_VERSION"));

/// Writes `report.toml` and the lock files, or adds missing implementations.
pub(crate) fn write(
    out: &Path,
    machine: &Machine,
    record: &Record,
    programs: &[Program],
) -> Result<()> {
    let mut entries = Vec::new();
    for program in programs {
        let lock = files::read_whole(&program.lock)?;
        files::create_folder(&out.join("locks"))?;
        files::write(&out.join(lock_name(program)), &lock)?;
        let table = implementation(program, &hex_digest(&lock));
        entries.push((&program.identity, &*program.id, table));
    }
    add(out, entries, || document(out, machine, record))
}

/// Writes `report.toml` for a command that ran in several sides, or adds missing sides.
pub(crate) fn write_sides(
    out: &Path,
    machine: &Machine,
    record: &Record,
    sides: &[Side],
) -> Result<()> {
    let entries = sides.iter().map(|side| {
        let mut table = table(&side.identity, &side.name);
        table["build"] = value(&side.sources);
        table["command"] = value(record.command.as_deref().unwrap_or_default());
        table["tool"] = value(TOOL);
        (&side.identity, &*side.name, table)
    });
    let new = || {
        let mut document = document(out, machine, record)?;
        let mut comparisons = ArrayOfTables::new();
        for candidate in sides.iter().skip(1) {
            let [old, new] = [&sides[0], candidate].map(|side| side.identity.to_string());
            let mut comparison = Table::new();
            comparison["title"] = value(format!("{old} ➡️ {new}"));
            comparison["baseline"] = value(old);
            comparison["candidate"] = value(new);
            comparisons.push(comparison);
        }
        // After the implementations.
        document["implementation"] = Item::ArrayOfTables(ArrayOfTables::new());
        document["comparison"] = Item::ArrayOfTables(comparisons);
        Ok(document)
    };
    add(out, entries.collect(), new)
}

/// Adds the implementations that `report.toml` lacks, each with its results folder, to it or to a
/// new one.
fn add(
    out: &Path,
    entries: Vec<(&Implementation, &str, Table)>,
    new: impl FnOnce() -> Result<DocumentMut>,
) -> Result<()> {
    let path = out.join("report.toml");
    let (heading, mut document, declared) = match files::read_optional(&path)? {
        None => (HEADING, new()?, Vec::new()),
        Some(bytes) => {
            let manifest = Manifest::parse(&path, &bytes)?;
            let text = String::from_utf8(bytes).context("report.toml is not UTF-8")?;
            let document: DocumentMut = text.parse().context("cannot read report.toml")?;
            ("", document, manifest.declarations)
        }
    };
    let there = document
        .entry("implementation")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let there = there.as_array_of_tables_mut().ok_or_else(|| {
        let what = "`implementation` is an inline array, to which nothing can be added: write each entry as [[implementation]]";
        Failure::at(&path, 0, what)
    })?;
    let before = there.len();
    let declared = declared.iter().map(Some);
    let mut all: Vec<_> = declared.zip(there.iter().cloned()).collect();
    // A new entry follows the program before it: builds of one version are shown in the order of
    // this file.
    let mut next = before;
    for (identity, id, table) in entries {
        let folder = format!("{id}/");
        let is_it = |declaration: &Declaration| {
            declaration.implementation == *identity
                || declaration.files.iter().any(|at| at.value.0 == folder)
        };
        let known = |(declaration, _): &(Option<_>, _)| declaration.is_some_and(is_it);
        match all.iter().position(known) {
            Some(at) => next = at + 1,
            None => {
                all.insert(next, (None, table));
                next += 1;
            }
        }
    }
    if all.len() > before {
        *there = all.into_iter().map(|(_, table)| table).collect();
        files::write(&path, format!("{heading}{document}").as_bytes())?;
    }
    Ok(())
}

fn lock_name(program: &Program) -> String {
    format!("locks/{}.lock", program.id)
}

/// A new document, without implementations.
fn document(out: &Path, machine: &Machine, record: &Record) -> Result<DocumentMut> {
    let mut document = DocumentMut::new();
    let out = absolute(out).context("cannot resolve --out")?;
    if Manifest::default().day(&files::file_name(&out)).is_none() {
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        document["date"] = value(day::to_toml(today));
    }
    document["machine"] = value(machine.name());
    document["architecture"] = value(Machine::architecture());
    document["paired"] = value(true);
    let mut system = Table::new();
    for (fact, text) in machine.table() {
        system[fact] = value(text);
    }
    let order = match record.command {
        None => {
            "all implementations in turns of a slice each, in a new random order for each block of slices"
        }
        Some(_) => "the command in each of them in turns, in a new random order for each run",
    };
    system["Order"] = value(format!("{order} (seed {})", record.seed));
    if record.command.is_none() {
        system["Multiplier"] = value(record.multiplier.to_string());
    }
    let noise: Vec<String> = noise::found(machine).into_iter().map(|n| n.what).collect();
    if !noise.is_empty() {
        system["Noise"] = value(noise.join("; "));
    }
    document["system"] = Item::Table(system);
    Ok(document)
}

/// The entry of an implementation, with its results folder.
fn table(identity: &Implementation, id: &str) -> Table {
    let mut table = Table::new();
    table["name"] = value(&identity.name);
    table["version"] = value(identity.version.as_str());
    if !identity.variant.is_empty() {
        table["variant"] = value(Array::from_iter(&identity.variant));
    }
    table["files"] = value(Array::from_iter([format!("{id}/")]));
    table
}

fn implementation(program: &Program, lock_digest: &str) -> Table {
    let mut table = table(&program.identity, &program.id);
    if let Some(day) = program.released {
        table["released"] = value(day::to_toml(day));
    }
    if let Some(url) = &program.target.url {
        table["url"] = value(url);
    }
    let sources = program.target.sources();
    let sources = sources.map_or(String::new(), |s| {
        format!(", sources: {}", s.state.describe())
    });
    table["build"] = value(format!(
        "{}, with {} (SHA-256 {}){sources}",
        program.target.build_command(),
        lock_name(program),
        &lock_digest[..16]
    ));
    table["command"] = value(format!(
        "{} --certificates DIR SCENARIO",
        files::file_name(&program.path),
    ));
    table["tool"] = value(TOOL);
    if !program.with.is_empty() {
        table["with"] = value(program.with.join(" / "));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, variant: &str) -> Program {
        let lock = folder.join("Cargo.lock");
        std::fs::write(&lock, "version = 4\n").expect("written");
        Program {
            id: format!("toy_1.0.0_{variant}"),
            identity: Implementation::new("Toy", "1.0.0", &[variant]),
            path: "/build/runner-toy".into(),
            lock,
            ..Program::default()
        }
    }

    fn write_into(folder: &Path, variants: &[&str]) -> Result<String> {
        let programs: Vec<Program> = variants.iter().map(|v| program(folder, v)).collect();
        let machine = Machine::of_cpu("AMD \"EPYC\"");
        let record = Record {
            seed: 7,
            multiplier: 0.25,
            ..Record::default()
        };
        write(folder, &machine, &record, &programs)?;
        Ok(std::fs::read_to_string(folder.join("report.toml")).expect("written"))
    }

    #[test]
    fn a_new_file_is_complete_and_not_rewritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = write_into(folder.path(), &["a"]).expect("written");
        for part in [
            "changes nothing else: edit freely.\n\ndate = 20",
            "\n\n[system]\nOS = ",
            "\nCPU = 'AMD \"EPYC\"'\n",
            "\nMultiplier = \"0.25\"\nNoise = \"frequency governor unknown\"",
            "\n\n[[implementation]]\nname = \"Toy\"\n",
            "\nvariant = [\"a\"]\nfiles = [\"toy_1.0.0_a/\"]\nbuild = \"cargo build",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(write_into(folder.path(), &["a"]).expect("read"), text);
    }

    #[test]
    fn manual_edits_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.toml");
        let mine = "title   =   'Mine' # and stays\n\n[[implementation]]\nname = \"Toy\"\nversion = \"1.0.0\"\nvariant = [ \"a\" ]\n\n[[comparison]]\nbaseline = \"Toy 1.0.0, a\"\ncandidate = \"Toy 1.0.0, b\"\n";
        std::fs::write(&path, mine).expect("written");
        let text = write_into(folder.path(), &["a", "b"]).expect("written");
        assert_eq!(text.matches("[[implementation]]").count(), 2);
        let (start, rest) = mine.split_at(mine.find("\n[[comparison]]").expect("a comparison"));
        assert!(text.starts_with(start) && text.ends_with(rest), "{text}");
    }

    #[test]
    fn an_inline_array_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.toml");
        std::fs::write(&path, "implementation = [{ name = \"Joy\" }]\n").expect("written");
        let failure = write_into(folder.path(), &["a"]).expect_err("no entries");
        assert_eq!(failure.exit_code(), 3);
    }
}
