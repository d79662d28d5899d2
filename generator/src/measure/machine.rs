//! The machine, as reported by the operating system.

#![expect(
    clippy::disallowed_methods,
    reason = "settings that cannot be read are shown as unknown"
)]

use super::{process, system, value_of};
use crate::base::failure::Result;
use crate::files::{exists, read_whole};
use crate::model::machine;
use anyhow::{Context, anyhow};
use rustix::system::uname;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Facts about this machine; `None` is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    /// What must not change within a measurement: the machine itself, the processors that this
    /// program was given (as by `taskset`) unless it has all, and environment variables.
    facts: BTreeMap<String, Answer>,
    /// The processors that it was given, if not all.
    affinity: Option<String>,
    /// Rows for `[system]` of `report.toml`, in the order of the page.
    table: Vec<(&'static str, String)>,
    pub(crate) processors: u32,
    /// Whether hyper-threading is on.
    pub(crate) smt: Option<bool>,
    pub(crate) governor: Option<String>,
    /// Whether turbo frequencies are enabled.
    pub(crate) turbo: Option<bool>,
    /// Whether address-space randomisation is on by default.
    pub(crate) random_addresses: Option<bool>,
    pub(crate) virtualisation: Option<String>,
    /// Load average of the last minute.
    pub(crate) load: f64,
    /// Whether programs may be started without address-space randomisation.
    pub(crate) fixed_addresses: bool,
}

/// A fact from a file or a program, or why it is unknown.
pub(super) type Answer = std::result::Result<String, String>;

pub(super) const CPUINFO: &str = "/proc/cpuinfo";

/// Value of an unknown fact.
const UNKNOWN: &str = "unknown";

/// Starts a program without address-space randomisation, so that counts repeat.
pub(super) const FIXED_ADDRESSES: [&str; 2] = ["setarch", "-R"];

/// CPU flags by which the libraries select their code: AES, wide vectors, carry-less
/// multiplication, SHA; with their names on Arm.
const FLAGS: &str = "aes avx2 avx512f avx512ifma vaes vpclmulqdq sha_ni bmi2 adx \
    pmull sha2 sha512 sha3 sve asimd";

/// Variables that change how a measured program loads libraries, allocates, schedules or selects
/// its code, or the start of their names.
const VARIABLES: &str = "GODEBUG GOGC GOMAXPROCS LD_LIBRARY_PATH LD_PRELOAD _RJEM_MALLOC_CONF \
    MALLOC_ OPENSSL_";

impl Machine {
    /// Captures this machine. Facts that cannot be read are unknown, and not an error.
    pub(crate) fn look() -> Result<Self> {
        let kernel = uname();
        let (bytes, load) = system::memory_and_load()?;
        let [name, release] = [kernel.sysname(), kernel.release()].map(|s| s.to_string_lossy());
        let count = std::thread::available_parallelism();
        let count = count.context("cannot count processors")?.get();
        let cpuinfo = text(CPUINFO);
        let facts = [
            ("cpu", system::processor_name(&cpuinfo)),
            ("flags", flags(&cpuinfo)),
            ("processors", Ok(count.to_string())),
            ("kernel", Ok(format!("{name} {release}"))),
            ("libc", says("getconf", &["GNU_LIBC_VERSION"])),
            ("memory", Ok(format!("{} GiB", bytes >> 30))),
        ];
        let mut facts = BTreeMap::from(facts.map(|(fact, answer)| (fact.to_owned(), answer)));
        let affinity = limited(&system::processors()?, &cpuinfo);
        facts.extend(
            affinity
                .clone()
                .map(|given| ("affinity".to_owned(), Ok(given))),
        );
        facts.extend(variables(env::vars_os(), &cargo_folders()?));
        let no_turbo = switch("/sys/devices/system/cpu/intel_pstate/no_turbo");
        let addresses = line("/proc/sys/kernel/randomize_va_space").ok();
        let mut machine = Self {
            facts,
            affinity,
            table: Vec::new(),
            processors: count as u32,
            smt: switch("/sys/devices/system/cpu/smt/active"),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok(),
            turbo: switch("/sys/devices/system/cpu/cpufreq/boost").or(no_turbo.map(|no| !no)),
            random_addresses: addresses.map(|setting| setting != "0"),
            virtualisation: virtualisation(&cpuinfo),
            load,
            // Containers often forbid it.
            fixed_addresses: output(FIXED_ADDRESSES[0], &[FIXED_ADDRESSES[1], "true"]).is_ok(),
        };
        machine.table = machine.rows(bytes as f64 / f64::from(1 << 30)).collect();
        Ok(machine)
    }

    /// Returns the rows of the table; the memory is in GiB.
    fn rows(&self, memory: f64) -> impl Iterator<Item = (&'static str, String)> {
        let on = |setting: bool| if setting { "on" } else { "off" }.to_owned();
        let or = |value: Option<String>, other: &str| value.or_else(|| Some(other.to_owned()));
        let fact = |fact| Some(self.fact(fact));
        let not_empty = |text: &String| !text.is_empty();
        let version = |program| says(program, &["--version"]).ok();
        let system = field(&text("/etc/os-release"), "PRETTY_NAME").ok();
        let flags = env::var_os("RUSTFLAGS").map(|f| f.to_string_lossy().into_owned());
        let rows = [
            ("OS", or(system, UNKNOWN)),
            ("Kernel", fact("kernel")),
            ("CPU", fact("cpu")),
            ("CPU flags", fact("flags").filter(not_empty)),
            ("Processors", fact("processors")),
            ("Affinity", self.affinity.clone()),
            ("Memory", Some(format!("{memory:.1} GiB"))),
            (
                "Virtualisation",
                or(self.virtualisation.clone(), "none found"),
            ),
            ("Hyper-threading", self.smt.map(on)),
            ("Frequency governor", or(self.governor.clone(), UNKNOWN)),
            ("Turbo", or(self.turbo.map(on), UNKNOWN)),
            ("Address randomisation", self.random_addresses.map(on)),
            ("libc", fact("libc")),
            ("Rust", version("rustc")),
            ("cc", version("cc")),
            ("clang", version("clang")),
            ("Build flags", flags.filter(not_empty)),
        ];
        let rows = rows.into_iter();
        rows.filter_map(|(key, value)| Some((key, value?)))
    }

    /// Fails unless the facts are those `before`, when the measurement into `out` started.
    pub(crate) fn check(&self, before: &BTreeMap<String, String>, out: &Path) -> Result<()> {
        // What cannot be read comes first: it makes other facts look different.
        for (fact, now) in &self.facts {
            if let Err(why) = now
                && before.get(fact).is_none_or(|before| before != UNKNOWN)
            {
                return Err(anyhow!(
                    "the {fact} of this machine is unknown, but must be the same as at the start of the measurement: {why}"
                ).into());
            }
        }
        let facts = self.facts();
        for fact in facts.keys().chain(before.keys()) {
            let [before, now] =
                [before, &facts].map(|facts| facts.get(fact).map_or("nothing", String::as_str));
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
        let virtualisation = self.virtualisation.as_deref();
        machine::name(&self.fact("cpu"), self.processors, virtualisation)
    }

    /// Facts that must not change within a measurement.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        let facts = self.facts.keys();
        facts.map(|fact| (fact.clone(), self.fact(fact))).collect()
    }

    fn fact(&self, fact: &str) -> String {
        match self.facts.get(fact) {
            Some(Ok(value)) => value.clone(),
            _ => UNKNOWN.to_owned(),
        }
    }

    /// Rows for `[system]` of `report.toml`, in the order of the page.
    pub(crate) fn table(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.table.iter().cloned()
    }
}

/// Returns the variables that change figures. `cargo_folders` do not count in `LD_LIBRARY_PATH`.
fn variables(
    all: impl Iterator<Item = (OsString, OsString)>,
    cargo_folders: &[PathBuf],
) -> impl Iterator<Item = (String, Answer)> {
    let all = all.map(|(name, value)| {
        let [name, value] = [name, value].map(|text| text.to_string_lossy().into_owned());
        if name != "LD_LIBRARY_PATH" {
            return (name, value);
        }
        let is_cargo = |path: &&str| cargo_folders.iter().any(|f| Path::new(path).starts_with(f));
        let others: Vec<&str> = value.split(':').filter(|path| !is_cargo(path)).collect();
        (name, others.join(":"))
    });
    let all = all.filter(|(name, value)| {
        !value.is_empty() && VARIABLES.split(' ').any(|start| name.starts_with(start))
    });
    all.map(|(name, value)| (name, Ok(value)))
}

/// Above the folders that cargo adds to `LD_LIBRARY_PATH` when the generator runs as `cargo generator`:
/// those of its own build and of the compiler.
fn cargo_folders() -> Result<Vec<PathBuf>> {
    let Some(cargo) = env::var_os("CARGO") else {
        return Ok(Vec::new());
    };
    // `target/debug/generator`, or of a test `debug/deps/generator`; and `SYSROOT/bin/cargo`.
    let programs = [
        env::current_exe().context("cannot find this program")?,
        cargo.into(),
    ];
    let above = programs.iter().filter_map(|path| path.ancestors().nth(2));
    Ok(above.map(Path::to_owned).collect())
}

/// Returns those of [`FLAGS`] that the processor has.
fn flags(cpuinfo: &Answer) -> Answer {
    let flags = field(cpuinfo, "flags").or_else(|_| field(cpuinfo, "Features"))?;
    let has = |flag: &&str| flags.split(' ').any(|word| word == *flag);
    let known: Vec<&str> = FLAGS.split(' ').filter(has).collect();
    Ok(known.join(" "))
}

fn text(path: &str) -> Answer {
    match read_whole(Path::new(path)) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(format!("{error:#}")),
    }
}

fn line(path: &str) -> Answer {
    first_line(&text(path)?)
}

fn first_line(text: &str) -> Answer {
    let line = text.lines().next().map(str::trim);
    let line = line.filter(|line| !line.is_empty());
    line.map(str::to_owned)
        .ok_or_else(|| "it is empty".to_owned())
}

fn switch(path: &str) -> Option<bool> {
    line(path).ok().map(|value| value == "1")
}

/// Runs a program. Returns its standard output.
pub(super) fn output(program: &str, arguments: &[&str]) -> Answer {
    let mut command = Command::new(program);
    let printed = process::text(command.args(arguments).env("LC_ALL", "C"));
    printed.map_err(|stop| stop.fatal(format!("{program} fails: ")).to_string())
}

fn says(program: &str, arguments: &[&str]) -> Answer {
    first_line(&output(program, arguments)?).map_err(|why| format!("{program}: {why}"))
}

pub(super) fn field(text: &Answer, name: &str) -> Answer {
    let text = text.as_ref().map_err(String::clone)?;
    value_of(text, name).ok_or_else(|| format!("there is no `{name}`"))
}

/// The processors given, unless they are all that `cpuinfo` lists. If that is unreadable, they may
/// be fewer than all, so they are named.
fn limited(given: &[usize], cpuinfo: &Answer) -> Option<String> {
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
fn virtualisation(cpuinfo: &Answer) -> Option<String> {
    let named = says("systemd-detect-virt", &["--vm"]).ok();
    let flags = field(cpuinfo, "flags");
    let is_virtual = flags.is_ok_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let is_container = exists(Path::new("/.dockerenv")).is_ok_and(|is| is);
    let kind = match is_virtual {
        true => Some("virtual machine"),
        false => is_container.then_some("container"),
    };
    let named = named.filter(|name| name != "none");
    named.or(kind.map(str::to_owned))
}

#[cfg(test)]
impl Machine {
    pub(crate) fn of_cpu(name: &str) -> Self {
        let cpu = ("cpu".to_owned(), Ok(name.to_owned()));
        Self {
            facts: [cpu].into(),
            table: vec![("OS", UNKNOWN.to_owned()), ("CPU", name.to_owned())],
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_affinity_is_kept_where_processors_cannot_be_counted() {
        let both = || Ok("processor\t: 0\n\nprocessor\t: 1\n".to_owned());
        assert_eq!(limited(&[0, 1], &both()), None);
        assert_eq!(limited(&[1], &both()).as_deref(), Some("1"));
        let unreadable = Err("Permission denied".to_owned());
        assert_eq!(limited(&[0, 2], &unreadable).as_deref(), Some("0, 2"));
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
            facts: variables(all.into_iter(), &folders).collect(),
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
        assert!(machine.processors >= 1);
        assert!(machine.facts()["kernel"].starts_with("Linux "));
        let table: Vec<(&str, String)> = machine.table().collect();
        for key in ["OS", "Kernel", "CPU", "Memory", "Rust", "Virtualisation"] {
            let row = table.iter().find(|(k, _)| *k == key).expect(key);
            assert!(!row.1.is_empty(), "{key}");
        }
        let again = Machine::look().expect("a machine");
        assert_eq!(machine.facts(), again.facts());
    }
}
