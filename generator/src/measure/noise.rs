//! Sources of noise on this machine, and their remedies.

use super::machine::Machine;

/// One source of noise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noise {
    /// Short description for the report: `virtualised (kvm)`.
    pub(crate) what: String,
    /// Why it matters and what to do, as one sentence.
    pub(crate) remedy: &'static str,
}

/// Load average above which figures are disturbed.
const MAX_LOAD: f64 = 0.5;

/// Finds all sources of noise.
pub(crate) fn found(machine: &Machine) -> Vec<Noise> {
    let load = match machine.load {
        Some(load) if load <= MAX_LOAD => None,
        Some(load) => Some(format!("load {load:.2} at the start")),
        None => Some("load at the start unknown".to_owned()),
    };
    let governor = machine.governor.as_deref().unwrap_or("unknown");
    let is = |noisy: bool, what: &str| noisy.then(|| what.to_owned());
    let all = [
        (
            machine
                .virtualisation
                .as_ref()
                .map(|kind| format!("virtualised ({kind})")),
            "other guests take CPU time unnoticed; measure on your own hardware, or with more runs",
        ),
        (
            load,
            "something else may be running; stop it, or wait until `uptime` shows less than 0.5",
        ),
        (
            is(
                governor != "performance",
                &format!("frequency governor {governor}"),
            ),
            "the clock may change with the load; run `cpupower frequency-set -g performance`, on the host of a virtual machine",
        ),
        (
            is(machine.turbo == Some(true), "turbo on"),
            "the clock depends on the temperature; write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost",
        ),
        (
            is(machine.smt == Some(true), "hyper-threading on"),
            "two threads share a core; write off to /sys/devices/system/cpu/smt/control",
        ),
        (
            is(
                machine.random_addresses == Some(false),
                "address randomisation off",
            ),
            "all processes of a program share one memory layout, whose luck no number of runs averages out; write 2 to /proc/sys/kernel/randomize_va_space",
        ),
    ];
    let noise = |(what, remedy): (Option<String>, _)| {
        Some(Noise {
            what: what?,
            remedy,
        })
    };
    all.into_iter().filter_map(noise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noisy_machine_has_all_and_a_quiet_one_none() {
        let quiet = Machine {
            governor: Some("performance".to_owned()),
            random_addresses: Some(true),
            load: Some(0.1),
            ..Machine::default()
        };
        assert_eq!(found(&quiet), []);
        let silent = Machine {
            load: None,
            ..quiet
        };
        let found_there = found(&silent);
        assert_eq!(found_there[0].what, "load at the start unknown");
        let noisy = Machine {
            virtualisation: Some("kvm".to_owned()),
            load: Some(1.75),
            governor: Some("powersave".to_owned()),
            turbo: Some(true),
            smt: Some(true),
            random_addresses: Some(false),
            ..Machine::default()
        };
        let words: Vec<String> = found(&noisy).into_iter().map(|n| n.what).collect();
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
