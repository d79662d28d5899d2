//! The machine, as reported by the operating system, and what makes its figures noisy.

#![expect(
    clippy::disallowed_methods,
    reason = "settings that cannot be read are shown as unknown"
)]

use crate::base::failure::Result;
use crate::files::{exists, read_whole};
use crate::measure::process;
use crate::measure::system;
use crate::measure::value_of;
use crate::model::machine;
use anyhow::{Context, anyhow};
use rustix::system::uname;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Facts about this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    /// What must not change within a measurement, by its name in `run.toml`: the machine itself, the
    /// processors that this program was given (as by `taskset`) unless it has all, and environment
    /// variables.
    facts: BTreeMap<String, Answer>,
    /// Rows for `[system]` of `report.toml`, in the order of the page.
    pub(crate) rows: Vec<(&'static str, String)>,
    pub(crate) processors: u32,
    /// Load average of the last minute.
    load: f64,
    /// Whether programs may be started without address-space randomisation.
    pub(crate) fixed_addresses: bool,
}

/// A fact from a file or a program, or why it is unknown.
pub(in crate::measure) type Answer = std::result::Result<String, String>;

pub(in crate::measure) const CPUINFO: &str = "/proc/cpuinfo";

const GOVERNOR: &str = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

const SMT: &str = "/sys/devices/system/cpu/smt/active";

const ADDRESSES: &str = "/proc/sys/kernel/randomize_va_space";

/// Value of an unknown fact.
const UNKNOWN: &str = "unknown";

/// Value of a fact that was looked for.
const NONE: &str = "none found";

/// Load average above which figures are disturbed.
const MAX_LOAD: f64 = 0.5;

/// Starts a program without address-space randomisation, so that counts repeat.
pub(in crate::measure) const FIXED_ADDRESSES: [&str; 2] = ["setarch", "-R"];

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
        let (bytes, load) = system::memory_and_load()?;
        let count = std::thread::available_parallelism();
        let processors = count.context("cannot count processors")?.get();
        let cpuinfo = &text(CPUINFO);
        let gib = bytes as f64 / f64::from(1 << 30);
        let uname = uname();
        let [name, release] = [uname.sysname(), uname.release()].map(|s| s.to_string_lossy());
        let mut machine = Self {
            facts: variables(env::vars_os(), &cargo_folders()?),
            rows: Vec::new(),
            processors: processors as u32,
            load,
            // Containers often forbid it.
            fixed_addresses: output(FIXED_ADDRESSES[0], &[FIXED_ADDRESSES[1], "true"]).is_ok(),
        };
        machine.add_row("OS", field(&text("/etc/os-release"), "PRETTY_NAME"));
        machine.add_fact("kernel", "Kernel", Ok(format!("{name} {release}")));
        machine.add_fact("cpu", "CPU", system::processor_name(cpuinfo));
        machine.add_fact("flags", "CPU flags", flags(cpuinfo));
        machine.add_fact("processors", "Processors", Ok(processors.to_string()));
        if let Some(given) = limited(&system::processors()?, cpuinfo) {
            machine.add_fact("affinity", "Affinity", Ok(given));
        }
        let whole = Ok(format!("{} GiB", bytes >> 30));
        machine.facts.insert("memory".to_owned(), whole);
        machine.add_row("Memory", Ok(format!("{gib:.1} GiB")));
        machine.add_row("Virtualisation", Ok(virtualisation(cpuinfo)));
        machine.add_row("Hyper-threading", known(switch(SMT)));
        let governor = text(GOVERNOR).and_then(|text| first_line(&text));
        machine.add_row("Frequency governor", governor);
        machine.add_row("Turbo", turbo());
        machine.add_row("Address randomisation", known(switch(ADDRESSES)));
        machine.add_fact("libc", "libc", says("getconf", &["GNU_LIBC_VERSION"]));
        machine.add_row("Rust", known(says("rustc", &["--version"])));
        machine.add_row("cc", known(says("cc", &["--version"])));
        machine.add_row("clang", known(says("clang", &["--version"])));
        let build_flags = env::var("RUSTFLAGS").unwrap_or_default();
        machine.add_row("Build flags", Ok(build_flags));
        Ok(machine)
    }

    /// Adds a row unless its value is empty.
    fn add_row(&mut self, name: &'static str, value: Answer) {
        let shown = value.unwrap_or_else(|_| UNKNOWN.to_owned());
        if !shown.is_empty() {
            self.rows.push((name, shown));
        }
    }

    /// Adds a row that must not change.
    fn add_fact(&mut self, name: &str, row: &'static str, value: Answer) {
        self.add_row(row, value.clone());
        self.facts.insert(name.to_owned(), value);
    }

    /// Fails unless the facts are those `before`, when the measurement into `out` started.
    pub(crate) fn check(&self, before: &BTreeMap<String, String>, out: &Path) -> Result<()> {
        // What cannot be read comes first: it makes other facts look different.
        for (fact, value) in &self.facts {
            if let Err(why) = value
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
        let guest = self.row("Virtualisation").filter(|guest| *guest != NONE);
        machine::name(self.row("CPU").unwrap_or(UNKNOWN), self.processors, guest)
    }

    /// What must not change within a measurement, as `run.toml` has it.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        let mut facts = BTreeMap::new();
        for (name, value) in &self.facts {
            let value = value.as_deref().unwrap_or(UNKNOWN);
            facts.insert(name.clone(), value.to_owned());
        }
        facts
    }

    fn row(&self, name: &str) -> Option<&str> {
        let mut rows = self.rows.iter();
        rows.find_map(|(row, value)| (*row == name).then_some(&**value))
    }

    /// Finds what makes figures noisy on this machine: a short description, such as
    /// `virtualised (kvm)`, and why it matters and what to do, as one sentence.
    pub(crate) fn noise(&self) -> Vec<(String, &'static str)> {
        let mut noise = Vec::new();
        let guest = self.row("Virtualisation").filter(|guest| *guest != NONE);
        if let Some(guest) = guest {
            let remedy = "other guests take CPU time unnoticed; measure on your own hardware, or with more runs";
            noise.push((format!("virtualised ({guest})"), remedy));
        }
        if self.load > MAX_LOAD {
            let remedy = "something else may be running; stop it, or wait until `uptime` shows less than 0.5";
            noise.push((format!("load {:.2} at the start", self.load), remedy));
        }
        let governor = self.row("Frequency governor").unwrap_or(UNKNOWN);
        if governor != "performance" {
            let remedy = "the clock may change with the load; run `cpupower frequency-set -g performance`, on the host of a virtual machine";
            noise.push((format!("frequency governor {governor}"), remedy));
        }
        for (row, noisy, remedy) in [
            (
                "Turbo",
                "on",
                "the clock depends on the temperature; write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost",
            ),
            (
                "Hyper-threading",
                "on",
                "two threads share a core; write off to /sys/devices/system/cpu/smt/control",
            ),
            (
                "Address randomisation",
                "off",
                "all processes of a program share one memory layout, whose luck no number of runs averages out; write 2 to /proc/sys/kernel/randomize_va_space",
            ),
        ] {
            if self.row(row) == Some(noisy) {
                noise.push((format!("{} {noisy}", row.to_lowercase()), remedy));
            }
        }
        noise
    }
}

/// Returns the variables that change figures. `cargo_folders` do not count in `LD_LIBRARY_PATH`.
fn variables(
    all: impl Iterator<Item = (OsString, OsString)>,
    cargo_folders: &[PathBuf],
) -> BTreeMap<String, Answer> {
    let mut facts = BTreeMap::new();
    for (name, value) in all {
        let [name, mut value] = [name, value].map(|text| text.to_string_lossy().into_owned());
        if name == "LD_LIBRARY_PATH" {
            let is_cargo =
                |path: &str| cargo_folders.iter().any(|f| Path::new(path).starts_with(f));
            let others = value.split(':').filter(|path| !is_cargo(path));
            value = others.collect::<Vec<_>>().join(":");
        }
        if !value.is_empty() && VARIABLES.split(' ').any(|start| name.starts_with(start)) {
            facts.insert(name, Ok(value));
        }
    }
    facts
}

/// Above the folders that cargo adds to `LD_LIBRARY_PATH` when the generator runs as
/// `cargo generator`: those of its own build and of the compiler.
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

fn first_line(text: &str) -> Answer {
    match text.lines().next().map(str::trim) {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => Err("it is empty".to_owned()),
    }
}

/// Returns whether the setting in a file is on.
fn switch(path: &str) -> Answer {
    let setting = first_line(&text(path)?)?;
    Ok(if setting == "0" { "off" } else { "on" }.to_owned())
}

fn turbo() -> Answer {
    let boost = switch("/sys/devices/system/cpu/cpufreq/boost");
    boost.or_else(|_| {
        let off = switch("/sys/devices/system/cpu/intel_pstate/no_turbo")?;
        Ok(if off == "on" { "off" } else { "on" }.to_owned())
    })
}

/// Empties a fact that is unknown, which is then not shown.
fn known(fact: Answer) -> Answer {
    Ok(fact.unwrap_or_default())
}

/// Runs a program. Returns its standard output.
pub(in crate::measure) fn output(program: &str, arguments: &[&str]) -> Answer {
    let mut command = Command::new(program);
    let printed = process::text(command.args(arguments).env("LC_ALL", "C"));
    printed.map_err(|stop| stop.fatal(format!("{program} fails: ")).to_string())
}

fn says(program: &str, arguments: &[&str]) -> Answer {
    first_line(&output(program, arguments)?).map_err(|why| format!("{program}: {why}"))
}

pub(in crate::measure) fn field(text: &Answer, name: &str) -> Answer {
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
fn virtualisation(cpuinfo: &Answer) -> String {
    let named = says("systemd-detect-virt", &["--vm"]).ok();
    let flags = field(cpuinfo, "flags").unwrap_or_default();
    let kind = match flags.split(' ').any(|flag| flag == "hypervisor") {
        true => "virtual machine",
        false if exists(Path::new("/.dockerenv")).is_ok_and(|is| is) => "container",
        false => NONE,
    };
    named
        .filter(|name| name != "none")
        .unwrap_or_else(|| kind.to_owned())
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
        let found = variables(all.into_iter(), &folders);
        let found: Vec<String> = found
            .into_iter()
            .map(|(name, value)| format!("{name}={}", value.expect("a value")))
            .collect();
        assert_eq!(
            found,
            [
                "GOGC=off",
                "LD_LIBRARY_PATH=/opt/lib",
                "MALLOC_ARENA_MAX=1",
                "OPENSSL_ia32cap=~0x20"
            ]
        );
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
                "virtualised (kvm)",
                "load 1.75 at the start",
                "frequency governor powersave",
                "turbo on",
                "hyper-threading on",
                "address randomisation off"
            ]
        );
    }
}
