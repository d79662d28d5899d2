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
    let is = |setting: Option<bool>, noisy: bool, what: &str| {
        (setting == Some(noisy)).then(|| what.to_owned())
    };
    let guest = machine.virtualisation.as_ref();
    let load = machine.load;
    let governor = machine.governor.as_deref().unwrap_or("unknown");
    let checks = [
        (
            guest.map(|kind| format!("virtualised ({kind})")),
            "other guests take CPU time unnoticed; measure on your own hardware, or with more runs",
        ),
        (
            (load > MAX_LOAD).then(|| format!("load {load:.2} at the start")),
            "something else may be running; stop it, or wait until `uptime` shows less than 0.5",
        ),
        (
            (governor != "performance").then(|| format!("frequency governor {governor}")),
            "the clock may change with the load; run `cpupower frequency-set -g performance`, on the host of a virtual machine",
        ),
        (
            is(machine.turbo, true, "turbo on"),
            "the clock depends on the temperature; write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost",
        ),
        (
            is(machine.smt, true, "hyper-threading on"),
            "two threads share a core; write off to /sys/devices/system/cpu/smt/control",
        ),
        (
            is(machine.random_addresses, false, "address randomisation off"),
            "all processes of a program share one memory layout, whose luck no number of runs averages out; write 2 to /proc/sys/kernel/randomize_va_space",
        ),
    ];
    let found = checks.into_iter();
    let found = found.filter_map(|(what, remedy)| {
        Some(Noise {
            what: what?,
            remedy,
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noisy_machine_has_all_and_a_quiet_one_none() {
        let mut machine = Machine::of_cpu("some");
        machine.governor = Some("performance".to_owned());
        machine.random_addresses = Some(true);
        machine.load = 0.1;
        assert_eq!(found(&machine), []);
        machine.virtualisation = Some("kvm".to_owned());
        machine.load = 1.75;
        machine.governor = Some("powersave".to_owned());
        (machine.turbo, machine.smt) = (Some(true), Some(true));
        machine.random_addresses = Some(false);
        let words: Vec<String> = found(&machine).into_iter().map(|n| n.what).collect();
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
