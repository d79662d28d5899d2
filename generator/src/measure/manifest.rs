//! `report.toml` of a measurement. People edit it, so later runs only add implementations to it.

use super::machine::Machine;
use super::noise;
use super::program::Program;
use super::record::Record;
use crate::base::day;
use crate::base::failure::{Failure, Result};
use crate::files::{self, hex_digest};
use crate::model::implementation::Implementation;
use crate::parse::Manifest;
use anyhow::Context;
use jiff::{Timestamp, tz::TimeZone};
use std::path::{Path, absolute};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

const HEADING: &str = "# Captured by `generator run`, which adds implementations here and changes nothing else: edit freely.\n\n";

/// Writes `report.toml` and the lock files, or adds missing implementations.
pub(crate) fn write(
    out: &Path,
    machine: &Machine,
    record: &Record,
    programs: &[Program],
) -> Result<()> {
    let path = out.join("report.toml");
    let (heading, mut document, declared) = match files::read_optional(&path)? {
        None => (HEADING, document(out, machine, record)?, Vec::new()),
        Some(bytes) => {
            let manifest = Manifest::parse(&path, &bytes)?;
            let text = String::from_utf8(bytes).context("report.toml is not UTF-8")?;
            let document: DocumentMut = text.parse().context("cannot read report.toml")?;
            ("", document, manifest.declarations)
        }
    };
    let entries = document
        .entry("implementation")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let entries = entries.as_array_of_tables_mut().ok_or_else(|| {
        let what = "`implementation` is an inline array, to which nothing can be added: write each entry as [[implementation]]";
        Failure::at(&path, 0, what)
    })?;
    let before = entries.len();
    let mut names: Vec<&Implementation> = declared.iter().map(|d| &d.implementation).collect();
    let mut tables: Vec<Table> = entries.iter().cloned().collect();
    // A new entry follows the program before it: builds of one version are shown in the order of
    // this file.
    let mut next = before;
    for program in programs {
        let lock = files::read_whole(&program.lock)?;
        files::create_folder(&out.join("locks"))?;
        files::write(&out.join(lock_name(program)), &lock)?;
        if let Some(at) = names.iter().position(|name| **name == program.identity) {
            next = at + 1;
            continue;
        }
        let table = implementation(program, &hex_digest(&lock));
        tables.insert(next, table);
        names.insert(next, &program.identity);
        next += 1;
    }
    *entries = tables.into_iter().collect();
    if entries.len() > before {
        files::write(&path, format!("{heading}{document}").as_bytes())?;
    }
    Ok(())
}

fn lock_name(program: &Program) -> String {
    format!("locks/{}.lock", program.id)
}

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
    system["Order"] = value(format!(
        "all implementations in turns of a slice each, in a new random order for each block of slices (seed {})",
        record.seed
    ));
    system["Multiplier"] = value(record.multiplier.to_string());
    let noise: Vec<String> = noise::found(machine).into_iter().map(|n| n.what).collect();
    if !noise.is_empty() {
        system["Noise"] = value(noise.join("; "));
    }
    document["system"] = Item::Table(system);
    Ok(document)
}

fn implementation(program: &Program, lock_digest: &str) -> Table {
    let identity = &program.identity;
    let mut table = Table::new();
    table["name"] = value(&identity.name);
    table["version"] = value(identity.version.as_str());
    if !identity.variant.is_empty() {
        table["variant"] = value(Array::from_iter(&identity.variant));
    }
    table["files"] = value(Array::from_iter([format!("{}/", program.id)]));
    if let Some(day) = program.released {
        table["released"] = value(day::to_toml(day));
    }
    if let Some(url) = &program.target.url {
        table["url"] = value(url);
    }
    let sources = program.target.sources();
    let sources = sources.map_or(String::new(), |s| format!(", sources: {}", s.describe()));
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
    table["tool"] = value(concat!("generator run ", env!("CARGO_PKG_VERSION")));
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
        let machine = Machine {
            cpu: Some("AMD \"EPYC\"".to_owned()),
            ..Machine::default()
        };
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
            "\nMultiplier = \"0.25\"\nNoise = \"load at the start unknown; ",
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
