//! `report.toml` of a measurement. People edit it, so later runs only add implementations to it.

use crate::base::day;
use crate::base::failure::{Failure, Result};
use crate::files::{self, hex_digest};
use crate::measure::build::program::Program;
use crate::measure::records::machine::Machine;
use crate::measure::records::record::Record;
use crate::measure::turns::command::CommandSide;
use crate::model::implementation::Implementation;
use crate::parse::{Declaration, Manifest};
use anyhow::Context;
use jiff::{Timestamp, tz::TimeZone};
use std::path::{Path, absolute};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

const HEADING: &str = "# Captured by `generator run`, which adds implementations here and changes nothing else: edit freely.\n\n";

/// An implementation, and its table in the file.
pub(crate) type Entry<'a> = (&'a Implementation, Table);

/// Describes a program. Its lock file is copied into `out`.
pub(crate) fn program<'a>(program: &'a Program, out: &Path) -> Result<Entry<'a>> {
    let target = &program.target;
    let lock = target.go().map_or("Cargo.lock", |_| "go.mod");
    let bytes = files::read_whole(&program.path.with_file_name(lock))?;
    let lock = format!("locks/{}.lock", program.id);
    files::create_folder(&out.join("locks"))?;
    files::write(&out.join(&lock), &bytes)?;
    let mut build = target.build_command();
    build += &format!(", with {lock} (SHA-256 {})", &hex_digest(&bytes)[..16]);
    if let Some(options) = &program.options {
        build += &format!(", the library with {options}");
    }
    if let Some(sources) = &target.sources {
        build += &format!(", sources: {}", sources.describe());
    }
    let command = format!("{} --certificates DIR SCENARIO", target.program());
    let mut table = table(&target.identity, &program.id, &build, &command);
    if let Some(day) = target.released {
        table["released"] = value(day::to_toml(day));
    }
    if let Some(url) = &target.url {
        table["url"] = value(url);
    }
    if !program.with.is_empty() {
        table["with"] = value(program.with.join(" / "));
    }
    Ok((&target.identity, table))
}

/// Describes a side of a command.
pub(crate) fn side<'a>(side: &'a CommandSide, command: &str) -> Entry<'a> {
    let (identity, sources) = (&side.identity, side.sources.describe());
    (identity, table(identity, &side.name, &sources, command))
}

fn table(identity: &Implementation, id: &str, build: &str, command: &str) -> Table {
    let mut table = Table::new();
    table["name"] = value(&identity.name);
    table["version"] = value(identity.version.as_str());
    if !identity.variant.is_empty() {
        table["variant"] = value(Array::from_iter(&identity.variant));
    }
    table["files"] = value(Array::from_iter([format!("{id}/")]));
    table["build"] = value(build);
    table["command"] = value(command);
    table["tool"] = value(concat!("generator run ", env!("CARGO_PKG_VERSION")));
    table
}

/// Writes `report.toml`, or adds the implementations that it lacks.
pub(crate) fn write(
    out: &Path,
    machine: &Machine,
    record: &Record,
    entries: &[Entry<'_>],
) -> Result<()> {
    let path = out.join("report.toml");
    let (heading, mut document, declared) = match files::read_optional(&path)? {
        None => {
            let document = document(out, machine, record, entries)?;
            (HEADING, document, Vec::new())
        }
        Some(bytes) => {
            let manifest = Manifest::parse(&path, &bytes)?;
            let text = String::from_utf8(bytes).context("report.toml is not UTF-8")?;
            let document: DocumentMut = text.parse().context("cannot read report.toml")?;
            ("", document, manifest.declarations)
        }
    };
    let there = document.entry("implementation");
    let there = there.or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let there = there.as_array_of_tables_mut().ok_or_else(|| {
        let what = "`implementation` is an inline array, to which nothing can be added: write each entry as [[implementation]]";
        Failure::at(&path, 0, what)
    })?;
    let mut is_changed = false;
    for (identity, table) in entries {
        let folder = table["files"][0].as_str();
        let is_it = |declaration: &Declaration| {
            let mut folders = declaration.files.iter().map(|at| &*at.value.0);
            declaration.implementation == **identity || folders.any(|at| Some(at) == folder)
        };
        if !declared.iter().any(is_it) {
            there.push(table.clone());
            is_changed = true;
        }
    }
    if is_changed {
        files::write(&path, format!("{heading}{document}").as_bytes())?;
    }
    Ok(())
}

/// A new document, without implementations. A command's sides are compared with the first.
fn document(
    out: &Path,
    machine: &Machine,
    record: &Record,
    entries: &[Entry<'_>],
) -> Result<DocumentMut> {
    let mut document = DocumentMut::new();
    let out = absolute(out).context("cannot resolve --out")?;
    if Manifest::default().day(&files::file_name(&out)).is_none() {
        let today = Timestamp::now().to_zoned_datetime(TimeZone::UTC).date();
        document["date"] = value(day::to_toml(today));
    }
    document["machine"] = value(machine.name());
    document["architecture"] = value(Machine::architecture());
    let mut system = Table::new();
    for (fact, text) in &machine.rows {
        system[*fact] = value(text);
    }
    let is_command = record.command.is_some();
    let order = match is_command {
        true => "the command in each of them in turns, in a new random order for each run",
        false => {
            "all implementations in turns of 25 ms or more, in a new random order for each round"
        }
    };
    system["Order"] = value(format!("{order} (seed {})", record.seed));
    if !is_command {
        // A command's runs last too long for neighbours to disturb both of a pair alike.
        document["paired"] = value(true);
        system["Multiplier"] = value(record.multiplier.to_string());
    }
    let noise: Vec<String> = machine.noise().into_iter().map(|(what, _)| what).collect();
    if !noise.is_empty() {
        system["Noise"] = value(noise.join("; "));
    }
    document["system"] = Item::Table(system);
    document["implementation"] = Item::ArrayOfTables(ArrayOfTables::new());
    let mut comparisons = ArrayOfTables::new();
    for (new, _) in entries.iter().skip(1).filter(|_| is_command) {
        let (old, new) = (entries[0].0.to_string(), new.to_string());
        let mut comparison = Table::new();
        comparison["title"] = value(format!("{old} ➡️ {new}"));
        comparison["baseline"] = value(old);
        comparison["candidate"] = value(new);
        comparisons.push(comparison);
    }
    document["comparison"] = Item::ArrayOfTables(comparisons);
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::libraries::target::Target;

    fn write_into(folder: &Path, variants: &[&str]) -> Result<String> {
        std::fs::write(folder.join("Cargo.lock"), "version = 4\n").expect("written");
        let of_variant = |variant: &&str| Program {
            id: format!("toy_1.0.0_{variant}"),
            target: Target {
                identity: Implementation::new("Toy", "1.0.0", &[variant]),
                ..Target::default()
            },
            path: folder.join("runner-toy"),
            ..Program::default()
        };
        let programs: Vec<Program> = variants.iter().map(of_variant).collect();
        let entries = programs.iter().map(|p| program(p, folder));
        let entries: Vec<Entry<'_>> = entries.collect::<Result<_>>()?;
        let machine = Machine::example(&[("OS", "unknown"), ("CPU", "AMD \"EPYC\"")]);
        let record = Record {
            seed: 7,
            multiplier: 0.25,
            ..Record::default()
        };
        write(folder, &machine, &record, &entries)?;
        Ok(std::fs::read_to_string(folder.join("report.toml")).expect("written"))
    }

    #[test]
    fn manual_edits_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.toml");
        let mine = "title   =   'Mine' # and stays\n\n[[implementation]]\nname = \"Toy\"\nversion = \"1.0.0\"\nvariant = [ \"a\" ]\n\n[[comparison]]\nbaseline = \"Toy 1.0.0, a\"\ncandidate = \"Toy 1.0.0, b\"\n";
        std::fs::write(&path, mine).expect("written");
        let text = write_into(folder.path(), &["a", "b"]).expect("written");
        assert_eq!(write_into(folder.path(), &["b", "a"]).expect("read"), text);
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
