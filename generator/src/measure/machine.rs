//! The machine, as reported by the operating system.

#![expect(
    clippy::disallowed_methods,
    reason = "facts that cannot be read are unknown, and reported as such"
)]

use super::cargo::rustc;
use super::process;
use super::value_of;
use crate::base::failure::Result;
use crate::files::{exists, read_whole};
use crate::model::machine;
use anyhow::{Context, anyhow};
use rustix::thread::{CpuSet, sched_getaffinity};
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Facts about this machine; `None` is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    pub(crate) cpu: Option<String>,
    /// Instruction sets that speed up cryptography.
    pub(crate) flags: Option<String>,
    pub(crate) processors: u32,
    /// The processors that this program was given, as by `taskset`: `0, 2`. `None` if it has all.
    pub(crate) affinity: Option<String>,
    pub(crate) smt: Option<bool>,
    pub(crate) governor: Option<String>,
    /// Whether turbo frequencies are enabled.
    pub(crate) turbo: Option<bool>,
    /// Whether address-space randomisation is on by default.
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
    /// First line of `cc --version`.
    pub(crate) cc: Option<String>,
    pub(crate) clang: Option<String>,
    /// Load average of the last minute.
    pub(crate) load: Option<f64>,
    /// Whether programs may be started without address-space randomisation.
    pub(crate) fixed_addresses: bool,
    /// Environment variables that change figures, of those that are set.
    pub(crate) variables: BTreeMap<String, String>,
    /// Why a fact is unknown.
    pub(crate) unknown: BTreeMap<&'static str, String>,
}

/// A fact from a file or a program, or why it is unknown.
type Answer = std::result::Result<String, String>;

const CPUINFO: &str = "/proc/cpuinfo";

/// Starts a program without address-space randomisation, so that counts repeat.
pub(super) const FIXED_ADDRESSES: [&str; 2] = ["setarch", "-R"];

/// CPU flags by which the libraries select their code: AES, wide vectors, carry-less
/// multiplication, SHA.
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
    // Names on Arm.
    "pmull",
    "sha2",
    "sha512",
    "sha3",
    "sve",
    "asimd",
];

impl Machine {
    /// Captures this machine. Facts that cannot be read are unknown, and not an error.
    pub(crate) fn look() -> Result<Self> {
        let mut unknown = BTreeMap::new();
        let mut fact = |name, answer: Answer| {
            let answer = answer.map_err(|why| unknown.insert(name, why));
            answer.ok()
        };
        // On Arm the file has no model name.
        let of_lscpu = || value_of(&output("lscpu", &[]).ok()?, "Model name");
        let cpu = field(CPUINFO, "model name").or_else(|why| of_lscpu().ok_or(why));
        let flags = text(CPUINFO).map(|text| {
            let flags = value_of(&text, "flags").or_else(|| value_of(&text, "Features"));
            flags.unwrap_or_default()
        });
        let is_virtual = flags.iter().any(|flags| has(flags, "hypervisor"));
        let known_flags = flags.map(|flags| {
            let known = FLAGS.iter().copied().filter(|flag| has(&flags, flag));
            Vec::from_iter(known).join(" ")
        });
        let load = || line("/proc/loadavg").ok()?.split(' ').next()?.parse().ok();
        let memory = fact("memory", field("/proc/meminfo", "MemTotal"));
        let processors = std::thread::available_parallelism();
        let no_turbo = switch("/sys/devices/system/cpu/intel_pstate/no_turbo");
        Ok(Self {
            cpu: fact("cpu", cpu),
            flags: fact("flags", known_flags),
            processors: processors.context("cannot count processors")?.get() as u32,
            affinity: affinity()?,
            smt: switch("/sys/devices/system/cpu/smt/active"),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok(),
            turbo: switch("/sys/devices/system/cpu/cpufreq/boost").or(no_turbo.map(|no| !no)),
            random_addresses: line("/proc/sys/kernel/randomize_va_space")
                .ok()
                .map(|setting| setting != "0"),
            virtualisation: virtualisation(is_virtual),
            kernel: fact("kernel", line("/proc/sys/kernel/osrelease"))
                .map(|release| format!("Linux {release}")),
            system: field("/etc/os-release", "PRETTY_NAME").ok(),
            libc: fact("libc", says("getconf", &["GNU_LIBC_VERSION"])),
            memory: memory.and_then(|memory| memory.strip_suffix(" kB")?.parse().ok()),
            rustc: rustc()?,
            cc: says("cc", &["--version"]).ok(),
            clang: says("clang", &["--version"]).ok(),
            load: load(),
            // Containers often forbid it.
            fixed_addresses: output(FIXED_ADDRESSES[0], &[FIXED_ADDRESSES[1], "true"]).is_ok(),
            variables: variables(env::vars_os(), &cargo_folders()?),
            unknown,
        })
    }

    /// Fails if a fact is unknown that was known at the start of the measurement.
    pub(crate) fn knows(&self, facts: &BTreeMap<String, String>) -> Result<()> {
        let was_known = |fact: &str| facts.get(fact).is_some_and(|value| value != UNKNOWN);
        match self.unknown.iter().find(|(fact, _)| was_known(fact)) {
            Some((fact, why)) => Err(anyhow!(
                "the {fact} of this machine is unknown, but must be the same as at the start of the measurement: {why}"
            ).into()),
            None => Ok(()),
        }
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
        let virtualisation = self.virtualisation.as_deref();
        machine::name(&known(&self.cpu), self.processors, virtualisation)
    }

    /// Facts that must not change within a measurement.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        let gib = self.memory.map(|kib| format!("{} GiB", kib >> 20));
        [
            ("cpu", known(&self.cpu)),
            ("flags", known(&self.flags)),
            ("processors", self.processors.to_string()),
            ("kernel", known(&self.kernel)),
            ("libc", known(&self.libc)),
            ("memory", known(&gib)),
        ]
        .into_iter()
        .chain(self.affinity.clone().map(|given| ("affinity", given)))
        .map(|(fact, value)| (fact.to_owned(), value))
        .chain(self.variables.clone())
        .collect()
    }

    /// Rows for `[system]` of `report.toml`, in the order of the page.
    pub(crate) fn table(&self) -> impl Iterator<Item = (&'static str, String)> {
        let on = |setting: bool| if setting { "on" } else { "off" }.to_owned();
        let gib = |kib: u64| format!("{:.1} GiB", kib as f64 / f64::from(1 << 20));
        let none = || Some("none found".to_owned());
        let not_empty = |text: &String| !text.is_empty();
        let flags = env::var_os("RUSTFLAGS").map(|f| f.to_string_lossy().into_owned());
        let rows = [
            ("OS", Some(known(&self.system))),
            ("Kernel", Some(known(&self.kernel))),
            ("CPU", Some(known(&self.cpu))),
            ("CPU flags", self.flags.clone().filter(not_empty)),
            ("Processors", Some(self.processors.to_string())),
            ("Affinity", self.affinity.clone()),
            ("Memory", Some(known(&self.memory.map(gib)))),
            ("Virtualisation", self.virtualisation.clone().or_else(none)),
            ("Hyper-threading", self.smt.map(on)),
            ("Frequency governor", Some(known(&self.governor))),
            ("Turbo", Some(known(&self.turbo.map(on)))),
            ("Address randomisation", self.random_addresses.map(on)),
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

/// Variables that change how a measured program loads libraries, allocates, schedules or selects
/// its code.
const VARIABLES: &[&str] = &[
    "GODEBUG",
    "GOGC",
    "GOMAXPROCS",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "_RJEM_MALLOC_CONF",
];

/// Starts of the names of others: of glibc's allocator and of OpenSSL.
const VARIABLE_STARTS: &[&str] = &["MALLOC_", "OPENSSL_"];

/// Returns the variables that change figures. `cargo_folders` do not count in `LD_LIBRARY_PATH`.
fn variables(
    all: impl Iterator<Item = (OsString, OsString)>,
    cargo_folders: &[PathBuf],
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, value) in all {
        let name = name.to_string_lossy().into_owned();
        let mut value = value.to_string_lossy().into_owned();
        if name == "LD_LIBRARY_PATH" {
            let is_cargo =
                |path: &&str| cargo_folders.iter().any(|f| Path::new(path).starts_with(f));
            let others: Vec<&str> = value.split(':').filter(|path| !is_cargo(path)).collect();
            value = others.join(":");
        }
        let is_one = VARIABLES.contains(&name.as_str())
            || VARIABLE_STARTS.iter().any(|start| name.starts_with(start));
        if is_one && !value.is_empty() {
            found.insert(name, value);
        }
    }
    found
}

/// The folders that cargo adds to `LD_LIBRARY_PATH` when the generator runs as `cargo generator`:
/// those of its own build and of the compiler.
fn cargo_folders() -> Result<Vec<PathBuf>> {
    if env::var_os("CARGO").is_none() {
        return Ok(Vec::new());
    }
    let own = env::current_exe().context("cannot find this program")?;
    let mut folders: Vec<PathBuf> = own.parent().map(Path::to_owned).into_iter().collect();
    // A test is in the folder `deps` of its build.
    if let Some(build) = own.parent().filter(|folder| folder.ends_with("deps")) {
        folders.extend(build.parent().map(Path::to_owned));
    }
    let sysroot = says("rustc", &["--print", "sysroot"]);
    folders.extend(sysroot.ok().map(PathBuf::from));
    Ok(folders)
}

/// Value of an unknown fact.
const UNKNOWN: &str = "unknown";

fn known(fact: &Option<String>) -> String {
    fact.clone().unwrap_or(UNKNOWN.to_owned())
}

fn has(flags: &str, flag: &str) -> bool {
    flags.split(' ').any(|word| word == flag)
}

fn text(path: &str) -> Answer {
    match read_whole(Path::new(path)) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(format!("{error:#}")),
    }
}

fn line(path: &str) -> Answer {
    first_line(&text(path)?).ok_or_else(|| format!("{path} is empty"))
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

fn switch(path: &str) -> Option<bool> {
    line(path).ok().map(|value| value == "1")
}

/// Runs a program. Returns its standard output.
fn output(program: &str, arguments: &[&str]) -> Answer {
    let mut command = Command::new(program);
    let printed = process::text(command.args(arguments).env("LC_ALL", "C"));
    printed.map_err(|stop| stop.fatal(format!("{program} fails: ")).to_string())
}

fn says(program: &str, arguments: &[&str]) -> Answer {
    first_line(&output(program, arguments)?).ok_or_else(|| format!("{program} prints nothing"))
}

fn field(path: &str, name: &str) -> Answer {
    value_of(&text(path)?, name).ok_or_else(|| format!("{path} has no `{name}`"))
}

fn affinity() -> Result<Option<String>> {
    let given = sched_getaffinity(None).context("cannot read which processors may be used")?;
    let given: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|n| given.is_set(*n)).collect();
    Ok(limited(&given, text(CPUINFO)))
}

/// The processors given, unless they are all that `cpuinfo` lists. If that is unreadable, they may
/// be fewer than all, so they are named.
fn limited(given: &[usize], cpuinfo: Answer) -> Option<String> {
    if let Ok(text) = cpuinfo {
        let online = text.lines().filter(|line| line.starts_with("processor"));
        if given.len() >= online.count() {
            return None;
        }
    }
    let numbers: Vec<String> = given.iter().map(usize::to_string).collect();
    Some(numbers.join(", "))
}

/// Returns the hypervisor's name if known, else `virtual machine` or `container`.
fn virtualisation(is_virtual: bool) -> Option<String> {
    let named = says("systemd-detect-virt", &["--vm"]).ok();
    let named = named.filter(|name| name != "none");
    let is_container = exists(Path::new("/.dockerenv")).is_ok_and(|is| is);
    let kind = match is_virtual {
        true => Some("virtual machine"),
        false => is_container.then_some("container"),
    };
    named.or(kind.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_affinity_is_kept_where_processors_cannot_be_counted() {
        let both = || Ok("processor\t: 0\n\nprocessor\t: 1\n".to_owned());
        assert_eq!(limited(&[0, 1], both()), None);
        assert_eq!(limited(&[1], both()).as_deref(), Some("1"));
        let unreadable = Err("Permission denied".to_owned());
        assert_eq!(limited(&[0, 2], unreadable).as_deref(), Some("0, 2"));
    }

    #[test]
    fn variables_that_change_figures_are_facts() {
        let all = [
            ("MALLOC_ARENA_MAX", "1"),
            ("OPENSSL_ia32cap", "~0x20"),
            ("GOGC", "off"),
            ("LD_PRELOAD", ""),
            ("LD_LIBRARY_PATH", "/build/debug/deps:/opt/lib:/rust/lib"),
            ("HOME", "/root"),
        ];
        let all = all.map(|(name, value)| (name.into(), value.into()));
        let folders = ["/build/debug".into(), "/rust".into()];
        let machine = Machine {
            variables: variables(all.into_iter(), &folders),
            ..Machine::default()
        };
        let facts = machine.facts();
        for (name, value) in [
            ("MALLOC_ARENA_MAX", Some("1")),
            ("OPENSSL_ia32cap", Some("~0x20")),
            ("GOGC", Some("off")),
            ("LD_PRELOAD", None),
            ("LD_LIBRARY_PATH", Some("/opt/lib")),
            ("HOME", None),
        ] {
            assert_eq!(facts.get(name).map(String::as_str), value, "{name}");
        }
    }

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
