//! `report.toml` of a measurement: written once, then only added to, because people edit it.

use super::build::Program;
use super::machine::Machine;
use super::noise::Noise;
use super::process::Launcher;
use crate::day;
use crate::failure::{Failure, Result};
use crate::fs::{self, hex_digest};
use crate::report::Manifest;
use anyhow::Context;
use jiff::civil::Date;
use std::path::{Path, absolute};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

/// What a report says of a measurement besides its figures.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) launcher: &'a Launcher,
    pub(crate) noise: &'a [Noise],
    pub(crate) seed: u32,
    pub(crate) multiplier: f64,
    /// The day, in UTC.
    pub(crate) today: Date,
}

const HEADING: &str = "# Captured by `generator run`, which adds implementations here and changes nothing else: edit freely.\n\n";

/// Writes `report.toml` and the lock files, or adds what is not there yet.
pub(crate) fn write(out: &Path, facts: &Facts<'_>, programs: &[Program]) -> Result<()> {
    let path = out.join("report.toml");
    let (heading, mut document, declared) = match fs::read_optional(&path)? {
        None => (HEADING, facts.document(out)?, Vec::new()),
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
        let what = "`implementation` is a list in brackets, to which nothing can be added: write each as [[implementation]]";
        Failure::at(&path, 0, what)
    })?;
    let is_declared = |program: &Program| {
        let mut declared = declared.iter();
        declared.any(|d| d.implementation == program.identity)
    };
    let before = entries.len();
    for program in programs {
        let lock = std::fs::read(&program.lock)
            .with_context(|| format!("cannot read {}", program.lock.display()))?;
        fs::create_folder(&out.join("locks"))?;
        fs::write(&out.join(lock_name(program)), &lock)?;
        if !is_declared(program) {
            entries.push(facts.implementation(program, &hex_digest(&lock)));
        }
    }
    if entries.len() > before {
        fs::write(&path, format!("{heading}{document}").as_bytes())?;
    }
    Ok(())
}

fn lock_name(program: &Program) -> String {
    format!("locks/{}.lock", program.id)
}

impl Facts<'_> {
    fn document(&self, out: &Path) -> Result<DocumentMut> {
        let mut document = DocumentMut::new();
        let out = absolute(out).context("cannot resolve --out")?;
        let named = Manifest::default().day(&super::file_name(&out));
        if named.is_none() {
            document["date"] = value(day::to_toml(self.today));
        }
        document["machine"] = value(self.machine.name());
        document["architecture"] = value(Machine::architecture());
        let mut system = Table::new();
        for (fact, said) in self.machine.table(self.launcher) {
            system[fact] = value(said);
        }
        system["Order"] = value(format!(
            "all implementations in turns, in a new random order for each run (seed {})",
            self.seed
        ));
        system["Multiplier"] = value(self.multiplier.to_string());
        if !self.noise.is_empty() {
            let words: Vec<&str> = self.noise.iter().map(|n| n.what.as_str()).collect();
            system["Noise"] = value(words.join("; "));
        }
        document["system"] = Item::Table(system);
        Ok(document)
    }

    fn implementation(&self, program: &Program, lock_digest: &str) -> Table {
        let identity = &program.identity;
        let mut table = Table::new();
        table["name"] = value(&identity.name);
        table["version"] = value(identity.version.as_str());
        if !identity.variant.is_empty() {
            table["variant"] = value(Array::from_iter(&identity.variant));
        }
        table["files"] = value(Array::from_iter([format!("{}/", program.id)]));
        if let Some(url) = &program.url {
            table["url"] = value(url);
        }
        let features = match program.features.as_slice() {
            [] => String::new(),
            some => format!(" --features {}", some.join(",")),
        };
        table["build"] = value(format!(
            "cargo build --release --locked --no-default-features{features}, with {} (SHA-256 {})",
            lock_name(program),
            &lock_digest[..16]
        ));
        let prefix = match self.launcher.fixed_addresses {
            true => "setarch -R ",
            false => "",
        };
        table["command"] = value(format!(
            "{prefix}{} --certificates DIR --multiplier {} --run N SCENARIO",
            super::file_name(&program.path),
            self.multiplier
        ));
        table["tool"] = value(concat!("generator run ", env!("CARGO_PKG_VERSION")));
        if !program.with.is_empty() {
            table["with"] = value(program.with.join(" / "));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::Implementation;

    fn program(folder: &Path, variant: &str) -> Program {
        let lock = folder.join("Cargo.lock");
        std::fs::write(&lock, "version = 4\n").expect("written");
        Program {
            id: format!("toy_1.0.0_{variant}"),
            identity: Implementation::new("Toy", "1.0.0", &[variant]),
            path: "/build/runner-toy".into(),
            digest: String::new(),
            lock,
            features: vec![variant.to_owned()],
            with: Vec::new(),
            url: None,
        }
    }

    fn write_into(folder: &Path, variants: &[&str]) -> Result<String> {
        let programs: Vec<Program> = variants.iter().map(|v| program(folder, v)).collect();
        let facts = Facts {
            machine: &Machine {
                cpu: Some("AMD \"EPYC\"".to_owned()),
                ..Machine::default()
            },
            launcher: &Launcher::default(),
            noise: &[],
            seed: 7,
            multiplier: 0.25,
            today: Date::constant(2026, 11, 21),
        };
        write(folder, &facts, &programs)?;
        Ok(std::fs::read_to_string(folder.join("report.toml")).expect("written"))
    }

    #[test]
    fn a_new_file_has_all_and_is_not_touched_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = write_into(folder.path(), &["a"]).expect("written");
        for part in [
            "changes nothing else: edit freely.\n\ndate = 2026-11-21\nmachine = ",
            "\n\n[system]\nOS = ",
            "\nCPU = 'AMD \"EPYC\"'\n",
            "\nMultiplier = \"0.25\"\n\n[[implementation]]\nname = \"Toy\"\n",
            "\nvariant = [\"a\"]\nfiles = [\"toy_1.0.0_a/\"]\nbuild = \"cargo build",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(write_into(folder.path(), &["a"]).expect("read"), text);
    }

    #[test]
    fn what_people_wrote_stays() {
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
    fn a_list_in_brackets_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.toml");
        std::fs::write(&path, "implementation = [{ name = \"Joy\" }]\n").expect("written");
        let failure = write_into(folder.path(), &["a"]).expect_err("no entries");
        assert_eq!(failure.exit_code(), 3);
    }
}
