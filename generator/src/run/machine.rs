//! The machine: captured, not typed.

use super::cargo::rustc;
use super::process::Launcher;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is known of this machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Model of the processor.
    pub cpu: String,
    /// Instructions that cryptography gains from.
    pub flags: Vec<&'static str>,
    /// Processors that the system sees.
    pub processors: u32,
    /// Hyper-threading; `None` where it cannot be told.
    pub smt: Option<bool>,
    /// Of the first processor.
    pub governor: Option<String>,
    /// Frequencies above the nominal one.
    pub turbo: Option<bool>,
    /// Whether addresses are random in processes that are started as usual.
    pub random_addresses: Option<bool>,
    /// Hypervisor or container.
    pub virtualisation: Option<String>,
    /// `Linux 6.12.1`
    pub kernel: String,
    /// `Debian GNU/Linux 12 (bookworm)`
    pub system: String,
    /// `glibc 2.36`
    pub libc: String,
    /// KiB.
    pub memory: u64,
    /// First lines of `--version`.
    pub compilers: Vec<(&'static str, String)>,
    /// Mean number of processes that ran in the last minute.
    pub load: f64,
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
    /// Looks at this machine.
    pub fn look() -> Self {
        let cpuinfo = text("/proc/cpuinfo");
        let field = |name: &str| {
            let line = cpuinfo.lines().find(|l| l.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let flags = field("flags")
            .or_else(|| field("Features"))
            .unwrap_or_default();
        let has = |flag: &&&str| flags.split(' ').any(|f| f == **flag);
        Self {
            cpu: field("model name")
                .or_else(lscpu)
                .unwrap_or_else(|| "unknown".to_owned()),
            flags: FLAGS.iter().filter(has).copied().collect(),
            processors: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
            smt: switch("/sys/devices/system/cpu/smt/active"),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            turbo: switch("/sys/devices/system/cpu/cpufreq/boost")
                .or(switch("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|no| !no)),
            random_addresses: line("/proc/sys/kernel/randomize_va_space").map(|v| v != "0"),
            virtualisation: virtualisation(&flags),
            kernel: format!(
                "Linux {}",
                line("/proc/sys/kernel/osrelease").unwrap_or_default()
            ),
            system: os_release().unwrap_or_else(|| "Linux".to_owned()),
            libc: says("getconf", &["GNU_LIBC_VERSION"]).unwrap_or_else(|| "unknown".to_owned()),
            memory: memory().unwrap_or(0),
            compilers: ["cc", "clang"]
                .into_iter()
                .filter_map(|name| Some((name, says(name, &["--version"])?)))
                .collect(),
            load: line("/proc/loadavg")
                .and_then(|l| l.split(' ').next()?.parse().ok())
                .unwrap_or(0.0),
        }
    }

    /// `x86_64`, `arm64`.
    pub fn architecture() -> &'static str {
        match std::env::consts::ARCH {
            "aarch64" => "arm64",
            other => other,
        }
    }

    /// The machine in a few words, by which reports of one machine are told from others.
    pub fn name(&self) -> String {
        let virtualisation = self.virtualisation.as_deref();
        let of = virtualisation.map_or(String::new(), |v| format!(", {v}"));
        format!("{}, {} processors{of}", self.cpu, self.processors)
    }

    /// What must not change within a measurement.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let memory = self.memory >> 20;
        [
            ("cpu", self.cpu.clone()),
            ("flags", self.flags.join(" ")),
            ("processors", self.processors.to_string()),
            ("kernel", self.kernel.clone()),
            ("libc", self.libc.clone()),
            ("memory", format!("{memory} GiB")),
        ]
        .map(|(fact, value)| (fact.to_owned(), value))
        .into()
    }

    /// For `[system]` of `report.toml`, in the order in which the page shows it.
    pub fn table(&self, launcher: &Launcher) -> Vec<(String, String)> {
        let yes = |known: Option<bool>| known.map(|on| if on { "on" } else { "off" }.to_owned());
        let addresses = if launcher.fixed_addresses {
            Some("off (setarch -R)".to_owned())
        } else {
            yes(self.random_addresses)
        };
        let gib = self.memory as f64 / f64::from(1 << 20);
        let mut rows = vec![
            ("OS", Some(self.system.clone())),
            ("Kernel", Some(self.kernel.clone())),
            ("CPU", Some(self.cpu.clone())),
            (
                "CPU flags",
                Some(self.flags.join(" ")).filter(|f| !f.is_empty()),
            ),
            ("Processors", Some(self.processors.to_string())),
            ("Memory", Some(format!("{gib:.1} GiB"))),
            (
                "Virtualisation",
                Some(self.virtualisation.clone().unwrap_or("none found".into())),
            ),
            ("Hyper-threading", yes(self.smt)),
            (
                "Frequency governor",
                Some(self.governor.clone().unwrap_or("cannot be told".into())),
            ),
            (
                "Turbo",
                Some(yes(self.turbo).unwrap_or("cannot be told".into())),
            ),
            ("Address randomisation", addresses),
            ("libc", Some(self.libc.clone())),
            ("Rust", Some(rustc())),
        ];
        rows.extend(
            self.compilers
                .iter()
                .map(|(name, said)| (*name, Some(said.clone()))),
        );
        rows.push((
            "Build flags",
            std::env::var("RUSTFLAGS").ok().filter(|f| !f.is_empty()),
        ));
        rows.into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?)))
            .collect()
    }
}

fn text(path: &str) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn line(path: &str) -> Option<String> {
    let text = text(path);
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

fn switch(path: &str) -> Option<bool> {
    line(path).map(|value| value == "1")
}

/// The first line that a program prints.
fn says(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let first = text.lines().next()?.trim();
    (output.status.success() && !first.is_empty()).then(|| first.to_owned())
}

/// Arm's `/proc/cpuinfo` names no model.
fn lscpu() -> Option<String> {
    let output = Command::new("lscpu").env("LC_ALL", "C").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|l| l.strip_prefix("Model name:"))?;
    Some(line.trim().to_owned())
}

fn os_release() -> Option<String> {
    let text = text("/etc/os-release");
    let name = text.lines().find_map(|l| l.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

/// KiB of memory.
fn memory() -> Option<u64> {
    let text = text("/proc/meminfo");
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The hypervisor, or that there is one.
fn virtualisation(flags: &str) -> Option<String> {
    let detected = |what| says("systemd-detect-virt", &[what]).filter(|v| v != "none");
    let named = detected("--vm");
    let product = line("/sys/class/dmi/id/product_name");
    let known = [
        "KVM",
        "VMware",
        "VirtualBox",
        "Virtual Machine",
        "HVM",
        "QEMU",
    ];
    let by_product = product.filter(|p| known.iter().any(|k| p.contains(k)));
    let is_guest = flags.split(' ').any(|flag| flag == "hypervisor");
    let container = Path::new("/.dockerenv")
        .exists()
        .then(|| "container".to_owned());
    named
        .or(by_product)
        .or_else(|| is_guest.then(|| "virtual machine".to_owned()))
        .or(container)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_captured() {
        let machine = Machine::look();
        assert!(machine.processors >= 1 && machine.memory > 0);
        assert!(machine.kernel.len() > "Linux ".len());
        let table = machine.table(&Launcher::default());
        for key in ["OS", "Kernel", "CPU", "Memory", "Rust", "Virtualisation"] {
            let row = table.iter().find(|(k, _)| k == key).expect(key);
            assert!(!row.1.is_empty(), "{key}");
        }
        assert_eq!(machine.facts(), Machine::look().facts());
    }
}
