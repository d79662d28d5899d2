//! Suites: named lists of scenarios to measure.

use crate::model::scenario::{Scenario, Side, WriteMethod};
use clap::ValueEnum;

/// A list of scenarios that is measured together, in the order of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub(crate) enum Suite {
    /// Transfers, full and resumed handshakes with X25519.
    Measure,
    /// The handshakes of `measure` with the key exchange that each library prefers.
    Defaults,
    /// Handshakes with post-quantum key exchange and signatures.
    Pq,
    /// Handshakes with client certificates, and with RSA-4096.
    Auth,
    /// Transfers in writes of 16 bytes to 1 MiB.
    Sizes,
    /// The time of each handshake.
    Latency,
    /// Handshakes on one thread, and more up to the number of processors.
    Threads,
    /// Peak memory of 100 to 10,000 sessions.
    Memory,
    /// Writes of several buffers.
    Write,
    /// All of the above.
    All,
    /// Instructions, allocations, bytes, records and calls per operation, for the scenarios of
    /// `measure` and `pq`. Not in `all`, because three runs are enough.
    Counts,
    /// What a library adds to a program: bytes, crates, tools, and the time of a build from scratch.
    /// Not in `all`, because one run is enough.
    Footprint,
}

/// The labels of each suite, under its word.
const LABELS: &str = include_str!("suites.txt");

/// Every number of threads is measured up to this one; beyond it, each doubling.
const EVERY_THREAD: u32 = 8;

impl Suite {
    /// The name on the command line and in file names.
    pub(crate) fn word(self) -> String {
        let value = self.to_possible_value().expect("none is skipped");
        value.get_name().to_owned()
    }

    /// Expands the values of `--suite`, without duplicates.
    pub(crate) fn each(named: &[Self]) -> Vec<Self> {
        let mut all = Self::value_variants().to_vec();
        let has_all = named.contains(&Self::All);
        all.retain(|suite| named.contains(suite) || has_all && !suite.is_counted());
        all.retain(|suite| *suite != Self::All);
        all
    }

    /// Whether it counts and sizes scenarios, instead of timing them or measuring memory.
    pub(crate) fn is_counted(self) -> bool {
        matches!(self, Self::Counts | Self::Footprint)
    }

    /// Upper limit of the default number of runs.
    pub(crate) fn most_default_runs(self) -> u32 {
        match self {
            Self::Counts => 3,
            Self::Footprint => 1,
            _ => u32::MAX,
        }
    }

    /// Its scenarios, without sides, as a program prints both. `processors` limits the threads.
    pub(crate) fn scenarios(self, processors: u32) -> Vec<Scenario> {
        let suites = match self {
            Self::Counts => vec![Self::Measure, Self::Pq],
            one => vec![one],
        };
        let mut ends = vec![String::new()];
        if self == Self::Threads {
            let counts = thread_counts(processors).into_iter();
            ends = counts.map(|n| format!(", {n} threads")).collect();
        } else if self == Self::Write {
            let methods = WriteMethod::ALL.iter();
            ends = methods.map(|method| format!(", {method}")).collect();
        }
        let mut scenarios = Vec::new();
        for label in suites.iter().flat_map(|suite| suite.listed()) {
            let labels = ends.iter().map(|end| label.to_owned() + end);
            scenarios.extend(labels.map(|label| Scenario::from_label(&label).expect("a label")));
        }
        scenarios
    }

    /// Returns the labels under its word.
    fn listed(self) -> impl Iterator<Item = &'static str> {
        let heading = format!("[{}]", self.word());
        let lines = LABELS.lines();
        let lines = lines.skip_while(move |line| *line != heading).skip(1);
        let lines = lines.take_while(|line| !line.starts_with('['));
        lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
}

fn thread_counts(processors: u32) -> Vec<u32> {
    let doublings = std::iter::successors(Some(EVERY_THREAD * 2), |n| n.checked_mul(2));
    let counts = (1..=EVERY_THREAD).chain(doublings);
    let below = counts.take_while(|n| *n < processors);
    below.chain([processors.max(1)]).collect()
}

/// Whether `--filter` and `--filter-not`, as `wants`, select a scenario by its label without a
/// percentile. A scenario without a side is also selected if one of its sides is.
pub(crate) fn wanted(scenario: &Scenario, wants: impl Fn(&str) -> bool) -> bool {
    let whole = Scenario {
        percentile: None,
        ..scenario.clone()
    };
    let mut sides = Side::ALL.iter().map(|side| whole.on(*side));
    wants(&whole.label()) || scenario.side.is_none() && sides.any(|s| wants(&s.label()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scenario::Workload;
    use std::collections::HashSet;

    fn labels(suite: Suite, processors: u32) -> Vec<String> {
        let scenarios = suite.scenarios(processors);
        scenarios.iter().map(Scenario::label).collect()
    }

    #[test]
    fn scenarios_are_unique_and_labels_round_trip() {
        let mut seen = HashSet::new();
        let all = Suite::each(&[Suite::All]).into_iter();
        for scenario in all.flat_map(|suite| suite.scenarios(80)) {
            let label = scenario.label();
            assert_eq!(Scenario::from_label(&label).as_ref(), Ok(&scenario));
            assert_ne!(scenario.workload, Workload::Other(label.as_str().into()));
            // The default write size is in two suites.
            let is_new = seen.insert(scenario);
            assert!(
                is_new || label == "transfer, 1.3, aes-256-gcm",
                "{label} is there twice"
            );
        }
        assert_eq!(seen.len(), 12 + 6 + 8 + 6 + 12 + 4 + 4 * 12 + 8 + 30);
        assert_eq!(Suite::Counts.scenarios(2).len(), 12 + 8);
        assert_eq!(Suite::Footprint.scenarios(2).len(), 2);
    }

    /// `defaults` repeats the handshakes of `measure` in which the group was left to the library.
    #[test]
    fn groups_of_handshakes() {
        let mut measured = labels(Suite::Measure, 2);
        measured.retain(|label| label.contains(", x25519"));
        let without: Vec<String> = measured.iter().map(|l| l.replace(", x25519", "")).collect();
        assert_eq!(labels(Suite::Defaults, 2), without);
    }

    #[test]
    fn thread_counts_end_with_all_processors() {
        let labels = labels(Suite::Threads, 2);
        let expected = ["1 thread", "2 threads"].map(|n| format!("full handshakes, 1.2, rsa, {n}"));
        assert_eq!(labels[..2], expected);
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(2), [1, 2]);
        assert_eq!(thread_counts(80), [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80]);
    }
}
