//! The machine, as reported by the operating system, and what makes its figures noisy.

#![expect(
    clippy::disallowed_methods,
    reason = "settings that cannot be read are shown as unknown"
)]

use crate::base::failure::Result;
use crate::files::{exists, read_whole};
use crate::measure::{process, system, value_of};
use crate::model::machine;
use anyhow::{Context, anyhow};
use rustix::system::uname;
use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;

/// Facts about this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    /// What must not change within a measurement, by its name in `run.toml`: the machine itself, the
    /// processors that this program was given (as by `taskset`) unless it has all, and environment
    /// variables.
    pub(crate) facts: BTreeMap<String, String>,
    /// Rows for `[system]` of `report.toml`, in the order of the page.
    pub(crate) rows: Vec<(&'static str, String)>,
    pub(crate) processors: u32,
    /// Load average of the last minute.
    load: f64,
    /// Whether programs may be started without address-space randomisation.
    pub(crate) fixed_addresses: bool,
}

/// Value of a fact that was looked for.
const NONE: &str = "none found";

/// Load average above which figures are disturbed.
const MAX_LOAD: f64 = 0.5;

/// Starts a program without address-space randomisation, so that counts repeat.
pub(in crate::measure) const FIXED_ADDRESSES: [&str; 2] = ["setarch", "-R"];

/// CPU flags by which the libraries select their code: AES, wide vectors, carry-less
/// multiplication, SHA; with their names on Arm.
const FLAGS: [&str; 15] = [
    "aes",
    "avx2",
    "avx512f",
    "avx512ifma",
    "vaes",
    "vpclmulqdq",
    "sha_ni",
    "bmi2",
    "adx",
    "pmull",
    "sha2",
    "sha512",
    "sha3",
    "sve",
    "asimd",
];

/// Variables that change how a measured program loads libraries, allocates, schedules or selects
/// its code, or the start of their names.
const VARIABLES: [&str; 8] = [
    "GODEBUG",
    "GOGC",
    "GOMAXPROCS",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "_RJEM_MALLOC_CONF",
    "MALLOC_",
    "OPENSSL_",
];

/// What makes figures noisy: a row, whether its value does, why it matters and what to do.
type Rule = (&'static str, fn(&str) -> bool, &'static str);

const RULES: [Rule; 5] = [
    (
        "Virtualisation",
        |value| value != NONE,
        "other guests take CPU time unnoticed; measure on your own hardware, or with more runs",
    ),
    (
        "Frequency governor",
        |value| value != "performance",
        "the clock may change with the load; run `cpupower frequency-set -g performance`, on the host of a virtual machine",
    ),
    (
        "Turbo",
        |value| value == "on",
        "the clock depends on the temperature; write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost",
    ),
    (
        "Hyper-threading",
        |value| value == "on",
        "two threads share a core; write off to /sys/devices/system/cpu/smt/control",
    ),
    (
        "Address randomisation",
        |value| value == "off",
        "all processes of a program share one memory layout, whose luck no number of runs averages out; write 2 to /proc/sys/kernel/randomize_va_space",
    ),
];

/// A row, its name in `run.toml` if it is a fact that must not change, and its value, from the
/// text of `/proc/cpuinfo` if it is there. Without a value there is no row.
type Fact = (&'static str, &'static str, fn(&str) -> Option<String>);

const FACTS: [Fact; 13] = [
    ("OS", "", |_| {
        value_of(&text("/etc/os-release")?, "PRETTY_NAME")
    }),
    ("Kernel", "kernel", |_| {
        let uname = uname();
        let [name, release] = [uname.sysname(), uname.release()].map(|s| s.to_string_lossy());
        Some(format!("{name} {release}"))
    }),
    ("CPU", "cpu", system::processor_name),
    ("CPU flags", "flags", flags),
    ("Virtualisation", "", virtualisation),
    ("Hyper-threading", "", |_| {
        switch("/sys/devices/system/cpu/smt/active", ["off", "on"])
    }),
    ("Frequency governor", "", |_| {
        text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    }),
    ("Turbo", "", |_| {
        switch("/sys/devices/system/cpu/cpufreq/boost", ["off", "on"]).or_else(|| {
            let path = "/sys/devices/system/cpu/intel_pstate/no_turbo";
            switch(path, ["on", "off"])
        })
    }),
    ("Address randomisation", "", |_| {
        switch("/proc/sys/kernel/randomize_va_space", ["off", "on"])
    }),
    ("libc", "libc", |_| output("getconf", &["GNU_LIBC_VERSION"])),
    ("Rust", "", |_| output("rustc", &["--version"])),
    ("cc", "", |_| output("cc", &["--version"])),
    ("clang", "", |_| output("clang", &["--version"])),
];

impl Machine {
    /// Captures this machine. Facts that cannot be read are left out, and not an error.
    pub(crate) fn look() -> Result<Self> {
        let (bytes, load) = system::memory_and_load()?;
        let count = std::thread::available_parallelism();
        let processors = count.context("cannot count processors")?.get();
        let cpuinfo = text("/proc/cpuinfo").unwrap_or_default();
        let is_under_cargo = env::var_os("CARGO").is_some();
        let all = env::vars_os()
            .map(|(name, value)| [name, value].map(|s| s.to_string_lossy().into_owned()));
        let mut machine = Self {
            facts: variables(all, is_under_cargo),
            rows: Vec::new(),
            processors: processors as u32,
            load,
            // Containers often forbid it.
            fixed_addresses: output(FIXED_ADDRESSES[0], &[FIXED_ADDRESSES[1], "true"]).is_some(),
        };
        for (row, fact, value) in FACTS {
            let Some(value) = value(&cpuinfo) else {
                continue;
            };
            let value = value.lines().next().unwrap_or_default().trim().to_owned();
            if !fact.is_empty() {
                machine.facts.insert(fact.to_owned(), value.clone());
            }
            machine.rows.push((row, value));
        }
        let mut add = |row, fact: &str, shown, kept| {
            machine.rows.push((row, shown));
            machine.facts.insert(fact.to_owned(), kept);
        };
        if let Some(given) = affinity(&cpuinfo)? {
            add("Affinity", "affinity", given.clone(), given);
        }
        let count = processors.to_string();
        add("Processors", "processors", count.clone(), count);
        let memory = format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
        add("Memory", "memory", memory, format!("{} GiB", bytes >> 30));
        let flags = env::var("RUSTFLAGS").ok();
        machine
            .rows
            .extend(flags.map(|flags| ("Build flags", flags)));
        Ok(machine)
    }

    /// Fails unless the facts are those `before`, when the measurement into `out` started.
    pub(crate) fn check(&self, before: &BTreeMap<String, String>, out: &Path) -> Result<()> {
        for fact in self.facts.keys().chain(before.keys()) {
            let [before, now] = [before, &self.facts]
                .map(|facts| facts.get(fact).map_or("nothing", String::as_str));
            if before != now {
                return Err(anyhow!(
                    "{} was measured on another machine, whose {fact} is `{before}` and not `{now}`: give another --out",
                    out.display()
                ).into());
            }
        }
        Ok(())
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
        let guest = self.row("Virtualisation").filter(|guest| *guest != NONE);
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
        for (row, is_noisy, remedy) in RULES {
            if let Some(value) = self.row(row).filter(|value| is_noisy(value)) {
                noise.push((format!("{}: {value}", row.to_lowercase()), remedy));
            }
        }
        if self.load > MAX_LOAD {
            let remedy = "something else may be running; stop it, or wait until `uptime` shows less than 0.5";
            noise.push((format!("load at the start: {:.2}", self.load), remedy));
        }
        noise
    }
}

/// Returns the variables that change figures. Cargo sets one of them for what it runs.
fn variables(
    all: impl Iterator<Item = [String; 2]>,
    is_under_cargo: bool,
) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    for [name, value] in all {
        let is_one = VARIABLES.iter().any(|start| name.starts_with(start));
        if is_one && !value.is_empty() && !(is_under_cargo && name == "LD_LIBRARY_PATH") {
            facts.insert(name, value);
        }
    }
    facts
}

/// Returns those of [`FLAGS`] that the processor has.
fn flags(cpuinfo: &str) -> Option<String> {
    let flags = value_of(cpuinfo, "flags").or_else(|| value_of(cpuinfo, "Features"))?;
    let has = |flag: &&str| flags.split(' ').any(|word| word == *flag);
    Some(Vec::from_iter(FLAGS.into_iter().filter(has)).join(" "))
}

fn text(path: &str) -> Option<String> {
    let bytes = read_whole(Path::new(path)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the word for the setting in a file: the first if it is 0.
fn switch(path: &str, [zero, other]: [&str; 2]) -> Option<String> {
    let is_zero = text(path)?.trim() == "0";
    Some(if is_zero { zero } else { other }.to_owned())
}

/// Runs a program. Returns its standard output.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    process::text(command.args(arguments).env("LC_ALL", "C")).ok()
}

/// Returns the processors given, unless they are all that `cpuinfo` lists.
fn affinity(cpuinfo: &str) -> Result<Option<String>> {
    let given = system::processors()?;
    let lines = cpuinfo.lines();
    let online = lines.filter(|line| line.starts_with("processor")).count();
    let numbers: Vec<String> = given.iter().map(usize::to_string).collect();
    Ok((given.len() < online).then(|| numbers.join(", ")))
}

/// Returns the hypervisor's name if known, else `virtual machine` or `container`.
fn virtualisation(cpuinfo: &str) -> Option<String> {
    let named = output("systemd-detect-virt", &["--vm"]);
    let flags = value_of(cpuinfo, "flags").unwrap_or_default();
    let kind = match flags.split(' ').any(|flag| flag == "hypervisor") {
        true => "virtual machine",
        false if exists(Path::new("/.dockerenv")).is_ok_and(|is| is) => "container",
        false => NONE,
    };
    // It fails where there is none.
    named.or_else(|| Some(kind.to_owned()))
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
            ("Virtualisation", NONE),
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
                "frequency governor: powersave",
                "turbo: on",
                "hyper-threading: on",
                "address randomisation: off",
                "load at the start: 1.75",
            ]
        );
    }
}
