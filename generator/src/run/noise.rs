//! What makes figures noisy on this machine, and the remedy.

use super::machine::Machine;
use super::process::Launcher;

/// One source of noise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// A few words for the report: `virtual machine`.
    pub what: String,
    /// Why it matters and what to do, in a sentence.
    pub remedy: &'static str,
}

/// More than this much work by others shows in figures.
const BUSY: f64 = 0.5;

/// All that is found.
pub fn found(machine: &Machine, launcher: &Launcher) -> Vec<Noise> {
    let mut all = Vec::new();
    let mut say = |what: String, remedy| all.push(Noise { what, remedy });
    if let Some(kind) = &machine.virtualisation {
        say(
            format!("virtualised ({kind})"),
            "neighbours take time that nobody sees; measure on hardware of your own, or with more runs",
        );
    }
    if machine.load > BUSY {
        say(
            format!("load {:.2} at the start", machine.load),
            "something else runs; stop it, or wait until `uptime` shows less than 0.5",
        );
    }
    match machine.governor.as_deref() {
        Some("performance") => {}
        Some(other) => say(
            format!("frequency governor {other}"),
            "the clock changes with the load; run `cpupower frequency-set -g performance`",
        ),
        None => say(
            "frequency governor unknown".to_owned(),
            "the clock may change with the load, and this system does not tell; see its host's or firmware's settings",
        ),
    }
    if machine.turbo == Some(true) {
        say(
            "turbo on".to_owned(),
            "the clock depends on heat; write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost",
        );
    }
    if machine.smt == Some(true) {
        say(
            "hyper-threading on".to_owned(),
            "two threads share a core; write off to /sys/devices/system/cpu/smt/control",
        );
    }
    if !launcher.fixed_addresses && machine.random_addresses != Some(false) {
        say(
            "address randomisation on".to_owned(),
            "each process has another layout, and `setarch -R` is not permitted here; write 0 to /proc/sys/kernel/randomize_va_space",
        );
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_remedy_and_a_quiet_machine_none() {
        let quiet = Machine {
            governor: Some("performance".to_owned()),
            random_addresses: Some(false),
            ..Machine::default()
        };
        assert_eq!(found(&quiet, &Launcher::default()), []);
        let noisy = Machine {
            virtualisation: Some("kvm".to_owned()),
            load: 1.75,
            governor: Some("powersave".to_owned()),
            turbo: Some(true),
            smt: Some(true),
            random_addresses: Some(true),
            ..Machine::default()
        };
        let words: Vec<String> = found(&noisy, &Launcher::default())
            .into_iter()
            .map(|n| n.what)
            .collect();
        assert_eq!(
            words,
            [
                "virtualised (kvm)",
                "load 1.75 at the start",
                "frequency governor powersave",
                "turbo on",
                "hyper-threading on",
                "address randomisation on"
            ]
        );
    }
}
