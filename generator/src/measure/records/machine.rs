//! The machine, as reported by the operating system, and what makes its figures noisy.

#![expect(
    clippy::disallowed_methods,
    reason = "settings that cannot be read are shown as unknown"
)]

use crate::base::failure::Result;
use crate::files::read_whole;
use crate::measure::{process, system, value_of};
use crate::model::machine;
use anyhow::Context;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Facts about this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    /// What must not change within a measurement, by its name in `run.toml`: the machine itself, the
    /// processors that this program was given (as by `taskset`) unless it has all, and environment
    /// variables.
    pub(crate) facts: Facts,
    /// Rows for `[system]` of `report.toml`, in the order of the page.
    pub(crate) rows: Vec<(&'static str, String)>,
    pub(crate) processors: u32,
    /// Load average of the last minute.
    load: f64,
}

/// Load average above which figures are disturbed.
const MAX_LOAD: f64 = 0.5;

/// The table of rows, `machine.toml`, which says what its keys mean.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    variables: Vec<String>,
    memory: Vec<Source>,
    load: Vec<Source>,
    #[serde(rename = "row")]
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    fact: Option<String>,
    sources: Vec<Source>,
    quiet: Option<String>,
    #[serde(default)]
    remedy: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    file: Option<PathBuf>,
    #[serde(default)]
    command: Vec<String>,
    key: Option<String>,
    words: Option<[String; 2]>,
    only: Option<Vec<String>>,
    means: Option<String>,
}

static KNOWN: LazyLock<Known> =
    LazyLock::new(|| toml::from_str(include_str!("machine.toml")).expect("a sound table"));

impl Source {
    /// Returns its value; `None` if it cannot be read, or if it has none of the words.
    fn value(&self) -> Option<String> {
        let text = match (&self.file, &self.command[..]) {
            (Some(path), _) => text(path)?,
            (None, [program, arguments @ ..]) => {
                let mut command = Command::new(program);
                process::text(command.args(arguments).env("LC_ALL", "C")).ok()?
            }
            (None, []) => String::new(),
        };
        let value = match &self.key {
            Some(key) => value_of(&text, key)?,
            None => text,
        };
        let mut value = value.lines().next().unwrap_or_default().trim().to_owned();
        if let Some(only) = &self.only {
            let has = |word: &&String| value.split(' ').any(|other| other == *word);
            let found: Vec<&str> = only.iter().filter(has).map(String::as_str).collect();
            value = Some(found.join(" ")).filter(|found| !found.is_empty())?;
        }
        if let Some([zero, other]) = &self.words {
            value = if value == "0" { zero } else { other }.clone();
        }
        Some(self.means.clone().unwrap_or(value))
    }
}

/// Returns the first number of some sources' value, and the word after it.
fn number(sources: &[Source]) -> Option<(f64, String)> {
    let value = sources.iter().find_map(Source::value)?;
    let mut words = value.split_whitespace();
    let number = words.by_ref().find_map(|word| word.parse().ok())?;
    Some((number, words.next().unwrap_or_default().to_owned()))
}

impl Machine {
    /// Captures this machine. Facts that cannot be read are left out, and not an error.
    pub(crate) fn look() -> Result<Self> {
        let (memory, unit) = number(&KNOWN.memory).context("cannot read the size of the memory")?;
        let (load, _) = number(&KNOWN.load).context("cannot read the load")?;
        let gib = memory * if unit == "kB" { 1024.0 } else { 1.0 } / f64::from(1 << 30);
        let count = std::thread::available_parallelism();
        let processors = count.context("cannot count processors")?.get();
        let is_under_cargo = env::var_os("CARGO").is_some();
        let all = env::vars_os();
        let all = all.map(|(name, value)| [name, value].map(|s| s.to_string_lossy().into_owned()));
        let mut machine = Self {
            facts: variables(all, is_under_cargo),
            rows: Vec::new(),
            processors: processors as u32,
            load,
        };
        for row in &KNOWN.rows {
            if let Some(value) = row.sources.iter().find_map(Source::value) {
                let fact = row.fact.clone().map(|fact| (fact, value.clone()));
                machine.facts.extend(fact);
                machine.rows.push((&row.name, value));
            }
        }
        let mut add = |row, fact: &str, shown, kept| {
            machine.rows.push((row, shown));
            machine.facts.insert(fact.to_owned(), kept);
        };
        if let Some(given) = affinity()? {
            add("Affinity", "affinity", given.clone(), given);
        }
        let count = processors.to_string();
        add("Processors", "processors", count.clone(), count);
        let [shown, kept] = [format!("{gib:.1} GiB"), format!("{} GiB", gib.floor())];
        add("Memory", "memory", shown, kept);
        if let Ok(flags) = env::var("RUSTFLAGS") {
            machine.rows.push(("Build flags", flags));
        }
        Ok(machine)
    }

    /// `x86_64`, `arm64`.
    pub(crate) fn architecture() -> &'static str {
        match env::consts::ARCH {
            "aarch64" => "arm64",
            other => other,
        }
    }

    /// Short description of the machine, the same in all its reports.
    pub(crate) fn name(&self) -> String {
        let guest = self.row("Virtualisation");
        let guest = guest.filter(|guest| *guest != "none found");
        machine::name(self.row("CPU").unwrap_or("unknown"), self.processors, guest)
    }

    fn row(&self, name: &str) -> Option<&str> {
        let mut rows = self.rows.iter();
        rows.find_map(|(row, value)| (*row == name).then_some(&**value))
    }

    /// Finds what makes figures noisy on this machine: a short description, such as
    /// `virtualisation: kvm`, and why it matters and what to do, as one sentence.
    pub(crate) fn noise(&self) -> Vec<(String, &'static str)> {
        let mut noise = Vec::new();
        for row in KNOWN.rows.iter().filter(|row| row.quiet.is_some()) {
            let value = self.row(&row.name);
            if let Some(value) = value.filter(|value| Some(*value) != row.quiet.as_deref()) {
                let what = format!("{}: {value}", row.name.to_lowercase());
                noise.push((what, &*row.remedy));
            }
        }
        if self.load > MAX_LOAD {
            let remedy = "something else may be running; stop it, or wait until `uptime` shows less than 0.5";
            noise.push((format!("load at the start: {:.2}", self.load), remedy));
        }
        noise
    }
}

type Facts = BTreeMap<String, String>;

/// Returns the variables that change figures. Cargo sets one of them for what it runs.
fn variables(all: impl Iterator<Item = [String; 2]>, is_under_cargo: bool) -> Facts {
    let mut facts = Facts::new();
    for [name, value] in all {
        let is_one = KNOWN.variables.iter().any(|start| name.starts_with(start));
        if is_one && !value.is_empty() && !(is_under_cargo && name == "LD_LIBRARY_PATH") {
            facts.insert(name, value);
        }
    }
    facts
}

fn text(path: &Path) -> Option<String> {
    let bytes = read_whole(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the processors given, unless they are all that this system lists.
fn affinity() -> Result<Option<String>> {
    let given = system::processors()?;
    let cpuinfo = text(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let lines = cpuinfo.lines();
    let online = lines.filter(|line| line.starts_with("processor")).count();
    let numbers: Vec<String> = given.iter().map(usize::to_string).collect();
    Ok((given.len() < online).then(|| numbers.join(", ")))
}

#[cfg(test)]
impl Machine {
    pub(crate) fn example(rows: &[(&'static str, &str)]) -> Self {
        Self {
            rows: rows
                .iter()
                .map(|(row, value)| (*row, (*value).to_owned()))
                .collect(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_change_figures_are_facts() {
        let all = [
            ["MALLOC_ARENA_MAX", "1"],
            ["OPENSSL_ia32cap", "~0x20"],
            ["GOGC", "off"],
            ["LD_PRELOAD", ""],
            ["LD_LIBRARY_PATH", "/build/debug/deps"],
            ["HOME", "/root"],
        ];
        let all = all.map(|pair| pair.map(str::to_owned));
        let names = |is_under_cargo| {
            let found = variables(all.clone().into_iter(), is_under_cargo);
            found.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["GOGC", "MALLOC_ARENA_MAX", "OPENSSL_ia32cap"]);
        assert!(names(false).contains(&"LD_LIBRARY_PATH".to_owned()));
    }

    #[test]
    fn a_noisy_machine_has_all_and_a_quiet_one_none() {
        let machine = Machine::example(&[
            ("Virtualisation", "none found"),
            ("Frequency governor", "performance"),
            ("Address randomisation", "on"),
        ]);
        assert_eq!(machine.noise(), []);
        let machine = Machine {
            load: 1.75,
            ..Machine::example(&[
                ("Virtualisation", "kvm"),
                ("Frequency governor", "powersave"),
                ("Turbo", "on"),
                ("Hyper-threading", "on"),
                ("Address randomisation", "off"),
            ])
        };
        let words: Vec<String> = machine.noise().into_iter().map(|(what, _)| what).collect();
        assert_eq!(
            words,
            [
                "virtualisation: kvm",
                "hyper-threading: on",
                "frequency governor: powersave",
                "turbo: on",
                "address randomisation: off",
                "load at the start: 1.75",
            ]
        );
    }
}
