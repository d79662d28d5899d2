//! The machine, as the system describes it.

#![expect(
    clippy::disallowed_methods,
    reason = "what a machine does not tell is unknown, and the report says so"
)]

use super::cargo::rustc;
use super::process::{self, Launcher};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// What is known of this machine; `None` is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    pub(crate) cpu: Option<String>,
    /// Instructions that cryptography gains from.
    pub(crate) flags: String,
    pub(crate) processors: u32,
    pub(crate) smt: Option<bool>,
    pub(crate) governor: Option<String>,
    /// Frequencies above the nominal one.
    pub(crate) turbo: Option<bool>,
    /// Whether addresses are random in processes that are started as usual.
    pub(crate) random_addresses: Option<bool>,
    pub(crate) virtualisation: Option<String>,
    /// `Linux 6.12.1`
    pub(crate) kernel: Option<String>,
    /// `Debian GNU/Linux 12 (bookworm)`
    pub(crate) system: Option<String>,
    /// `glibc 2.36`
    pub(crate) libc: Option<String>,
    /// KiB.
    pub(crate) memory: Option<u64>,
    pub(crate) rustc: String,
    /// First lines of `--version`.
    pub(crate) cc: Option<String>,
    pub(crate) clang: Option<String>,
    /// Mean number of processes that ran in the last minute.
    pub(crate) load: Option<f64>,
    pub(crate) launcher: Launcher,
}

/// AES, wide vectors, carry-less multiplication, SHA: what the libraries choose their code by.
const FLAGS: &[&str] = &[
    "aes",
    "avx2",
    "avx512f",
    "avx512ifma",
    "vaes",
    "vpclmulqdq",
    "sha_ni",
    "bmi2",
    "adx",
    // Arm's names.
    "pmull",
    "sha2",
    "sha512",
    "sha3",
    "sve",
    "asimd",
];

impl Machine {
    /// Looks at this machine. What cannot be read is unknown, and stops no measurement.
    pub(crate) fn look() -> Result<Self> {
        let cpuinfo = |name| field(&text("/proc/cpuinfo")?, name);
        let flags = cpuinfo("flags").or_else(|| cpuinfo("Features"));
        let flags: Vec<&str> = flags.iter().flat_map(|f| f.split(' ')).collect();
        let known_flags = FLAGS.iter().copied().filter(|f| flags.contains(f));
        let load = || line("/proc/loadavg")?.split(' ').next()?.parse().ok();
        let memory = || {
            field(&text("/proc/meminfo")?, "MemTotal")?
                .strip_suffix(" kB")?
                .parse()
                .ok()
        };
        let processors = std::thread::available_parallelism();
        let no_turbo = switch("/sys/devices/system/cpu/intel_pstate/no_turbo");
        Ok(Self {
            // Arm's `/proc/cpuinfo` names no model.
            cpu: cpuinfo("model name").or_else(|| field(&output("lscpu", &[])?, "Model name")),
            flags: Vec::from_iter(known_flags).join(" "),
            processors: processors.context("cannot count processors")?.get() as u32,
            smt: switch("/sys/devices/system/cpu/smt/active"),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            turbo: switch("/sys/devices/system/cpu/cpufreq/boost").or(no_turbo.map(|no| !no)),
            random_addresses: line("/proc/sys/kernel/randomize_va_space").map(|v| v != "0"),
            virtualisation: virtualisation(&flags),
            kernel: line("/proc/sys/kernel/osrelease").map(|release| format!("Linux {release}")),
            system: text("/etc/os-release").and_then(|text| field(&text, "PRETTY_NAME")),
            libc: says("getconf", &["GNU_LIBC_VERSION"]),
            memory: memory(),
            rustc: rustc()?,
            cc: says("cc", &["--version"]),
            clang: says("clang", &["--version"]),
            load: load(),
            launcher: Launcher::probe(),
        })
    }

    /// `x86_64`, `arm64`.
    pub(crate) fn architecture() -> &'static str {
        match std::env::consts::ARCH {
            "aarch64" => "arm64",
            other => other,
        }
    }

    /// The machine in a few words, which reports of one machine have in common.
    pub(crate) fn name(&self) -> String {
        let virtualisation = self.virtualisation.iter().map(|v| format!(", {v}"));
        let (cpu, virtualisation) = (known(&self.cpu), virtualisation.collect::<String>());
        format!("{cpu}, {} processors{virtualisation}", self.processors)
    }

    /// What must not change within a measurement.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        let gib = self.memory.map(|kib| format!("{} GiB", kib >> 20));
        [
            ("cpu", known(&self.cpu)),
            ("flags", self.flags.clone()),
            ("processors", self.processors.to_string()),
            ("kernel", known(&self.kernel)),
            ("libc", known(&self.libc)),
            ("memory", known(&gib)),
        ]
        .map(|(fact, value)| (fact.to_owned(), value))
        .into()
    }

    /// For `[system]` of `report.toml`, in the order in which the page shows it.
    pub(crate) fn table(&self) -> impl Iterator<Item = (&'static str, String)> {
        let on = |setting: bool| if setting { "on" } else { "off" }.to_owned();
        let gib = |kib: u64| format!("{:.1} GiB", kib as f64 / f64::from(1 << 20));
        let addresses = match self.launcher.fixed_addresses {
            true => Some("off (setarch -R)".to_owned()),
            false => self.random_addresses.map(on),
        };
        let none = || Some("none found".to_owned());
        let not_empty = |text: &String| !text.is_empty();
        let flags = std::env::var_os("RUSTFLAGS").map(|f| f.to_string_lossy().into_owned());
        let rows = [
            ("OS", Some(known(&self.system))),
            ("Kernel", Some(known(&self.kernel))),
            ("CPU", Some(known(&self.cpu))),
            ("CPU flags", Some(self.flags.clone()).filter(not_empty)),
            ("Processors", Some(self.processors.to_string())),
            ("Memory", Some(known(&self.memory.map(gib)))),
            ("Virtualisation", self.virtualisation.clone().or_else(none)),
            ("Hyper-threading", self.smt.map(on)),
            ("Frequency governor", Some(known(&self.governor))),
            ("Turbo", Some(known(&self.turbo.map(on)))),
            ("Address randomisation", addresses),
            ("libc", Some(known(&self.libc))),
            ("Rust", Some(self.rustc.clone())),
            ("cc", self.cc.clone()),
            ("clang", self.clang.clone()),
            ("Build flags", flags.filter(not_empty)),
        ];
        rows.into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
    }
}

fn known(fact: &Option<String>) -> String {
    fact.clone().unwrap_or("unknown".to_owned())
}

fn text(path: &str) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn line(path: &str) -> Option<String> {
    first_line(&text(path)?)
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

fn switch(path: &str) -> Option<bool> {
    line(path).map(|value| value == "1")
}

/// What a program prints.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    process::text(command.args(arguments).env("LC_ALL", "C"))
        .ok()?
        .ok()
}

fn says(program: &str, arguments: &[&str]) -> Option<String> {
    first_line(&output(program, arguments)?)
}

/// The value of a line like `MemTotal: 1 kB` or `PRETTY_NAME="Debian"`.
fn field(text: &str, name: &str) -> Option<String> {
    let mut values = text.lines().filter_map(|line| line.strip_prefix(name));
    let value = values.find_map(|rest| rest.trim_start().strip_prefix([':', '=']))?;
    Some(value.trim().trim_matches('"').to_owned())
}

const HYPERVISORS: [&str; 6] = [
    "KVM",
    "VMware",
    "VirtualBox",
    "Virtual Machine",
    "HVM",
    "QEMU",
];

/// The hypervisor, or that there is one.
fn virtualisation(flags: &[&str]) -> Option<String> {
    let named = says("systemd-detect-virt", &["--vm"]).filter(|name| name != "none");
    let product = line("/sys/class/dmi/id/product_name");
    let product = product.filter(|name| HYPERVISORS.iter().any(|known| name.contains(known)));
    let is_container = fs::exists("/.dockerenv").is_ok_and(|is| is);
    let kind = match flags.contains(&"hypervisor") {
        true => Some("virtual machine"),
        false => is_container.then_some("container"),
    };
    named.or(product).or(kind.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_captured() {
        let machine = Machine::look().expect("a machine");
        assert!(machine.processors >= 1 && machine.memory > Some(0));
        assert!(machine.kernel.is_some() && machine.load.is_some());
        let table: Vec<(&str, String)> = machine.table().collect();
        for key in ["OS", "Kernel", "CPU", "Memory", "Rust", "Virtualisation"] {
            let row = table.iter().find(|(k, _)| *k == key).expect(key);
            assert!(!row.1.is_empty(), "{key}");
        }
        let again = Machine::look().expect("a machine");
        assert_eq!(machine.facts(), again.facts());
    }
}
