//! Suites: named lists of scenarios to measure.

use crate::model::scenario::{Scenario, Side};
use clap::ValueEnum;

/// A list of scenarios that is measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub(crate) enum Suite {
    /// Transfers, full and resumed handshakes.
    Measure,
    /// Peak memory of 100 to 10,000 sessions.
    Memory,
    /// Handshakes on one thread, and more up to the number of processors.
    Threads,
    /// The time of each handshake.
    Latency,
    /// Writes of several buffers.
    Write,
    /// Handshakes with and without post-quantum key exchange and signatures.
    Pq,
    /// Handshakes with client certificates, and with RSA-4096.
    Auth,
    /// Transfers in writes of 16 bytes to 1 MiB.
    Sizes,
    /// All of the above.
    All,
    /// Instructions, allocations, bytes, records and calls per operation, for the scenarios of
    /// `measure` and `pq`. Not in `all`, because three runs are enough.
    Counts,
    /// What a library adds to a program: bytes, crates, tools, and the time of a build from scratch.
    /// Not in `all`, because one run is enough.
    Footprint,
}

/// The suites of `all`, in the order of pages.
const EACH: [Suite; 8] = [
    Suite::Measure,
    Suite::Pq,
    Suite::Auth,
    Suite::Sizes,
    Suite::Latency,
    Suite::Threads,
    Suite::Memory,
    Suite::Write,
];

const MEASURE: [&str; 12] = [
    "transfer, 1.2, aes-128-gcm",
    "transfer, 1.2, aes-256-gcm",
    "transfer, 1.2, chacha20-poly1305",
    "transfer, 1.3, aes-256-gcm",
    "full handshakes, 1.2, rsa",
    "full handshakes, 1.2, ecdsa",
    "full handshakes, 1.3, rsa",
    "full handshakes, 1.3, ecdsa",
    "resumed handshakes, 1.2, session id",
    "resumed handshakes, 1.2, ticket",
    "resumed handshakes, 1.3, session id",
    "resumed handshakes, 1.3, ticket",
];

const POST_QUANTUM: [&str; 10] = [
    "full handshakes, 1.3, rsa, x25519",
    "full handshakes, 1.3, rsa, x25519mlkem768",
    "full handshakes, 1.3, ecdsa, x25519",
    "full handshakes, 1.3, ecdsa, x25519mlkem768",
    "full handshakes, 1.3, ml-dsa-44, x25519mlkem768",
    "full handshakes, 1.3, ml-dsa-65, x25519mlkem768",
    "full handshakes, 1.3, ml-dsa-87, x25519mlkem768",
    "client hello, x25519",
    "client hello, x25519mlkem768",
    "client hello, x25519mlkem768+x25519",
];

const AUTHENTICATION: [&str; 6] = [
    "full handshakes, 1.2, rsa, mutual",
    "full handshakes, 1.2, ecdsa, mutual",
    "full handshakes, 1.3, rsa, mutual",
    "full handshakes, 1.3, ecdsa, mutual",
    "full handshakes, 1.3, rsa-4096",
    "full handshakes, 1.3, rsa-4096, mutual",
];

const HANDSHAKES: [&str; 4] = [
    "full handshakes, 1.2, rsa",
    "resumed handshakes, 1.2, ticket",
    "full handshakes, 1.3, rsa",
    "resumed handshakes, 1.3, ticket",
];

const FOOTPRINT: [&str; 3] = ["footprint", "build time", "build CPU time"];

/// Numbers of sessions in the 2019 article on memory, and C10K.
const SESSIONS: [u32; 4] = [100, 1000, 5000, 10_000];

/// Bytes per write.
const SIZES: [u64; 9] = [16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576];

/// The cases of ssl-writev-benchmark.
const BUFFERS: [&str; 10] = [
    "[50]",
    "[300]",
    "[5000]",
    "[100, 50]",
    "[50, 300]",
    "[2000, 1000]",
    "[100, 50, 100]",
    "[50, 300, 100]",
    "[1000, 3000, 2000]",
    "[50] * 20",
];

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
        let wanted = |suite: &Self| named.contains(suite) || named.contains(&Self::All);
        let alone = [Self::Counts, Self::Footprint].into_iter();
        let alone = alone.filter(|suite| named.contains(suite));
        EACH.into_iter().filter(wanted).chain(alone).collect()
    }

    /// Whether it counts and sizes scenarios, instead of timing them or measuring memory.
    pub(crate) fn is_counted(self) -> bool {
        matches!(self, Self::Counts | Self::Footprint)
    }

    /// Upper limit of the default number of runs.
    pub(crate) fn enough_runs(self) -> u32 {
        match self {
            Self::Counts => 3,
            Self::Footprint => 1,
            _ => u32::MAX,
        }
    }

    /// Its scenarios, without sides, as a program prints both. `processors` limits the threads.
    pub(crate) fn scenarios(self, processors: u32) -> Vec<Scenario> {
        let labels = self.labels(processors);
        let scenario = |label: &String| Scenario::from_label(label).expect("a label");
        labels.iter().map(scenario).collect()
    }

    fn labels(self, processors: u32) -> Vec<String> {
        let owned = |labels: &[&str]| labels.iter().map(ToString::to_string).collect();
        match self {
            Self::Measure => owned(&MEASURE),
            Self::Pq => owned(&POST_QUANTUM),
            Self::Auth => owned(&AUTHENTICATION),
            Self::Footprint => owned(&FOOTPRINT),
            Self::Counts => owned(&[&MEASURE[..], &POST_QUANTUM].concat()),
            Self::Latency => HANDSHAKES.map(|label| format!("latency of {label}")).into(),
            Self::Sizes => {
                let of_size = |bytes| format!("transfer, 1.3, aes-256-gcm, {bytes}-byte writes");
                SIZES.map(of_size).into()
            }
            Self::Threads => {
                let counts = thread_counts(processors);
                let of_label = |label| counts.iter().map(move |n| format!("{label}, {n} threads"));
                HANDSHAKES.into_iter().flat_map(of_label).collect()
            }
            Self::Memory => {
                let of = |version| SESSIONS.map(|n| format!("memory, {version}, {n} sessions"));
                ["1.2", "1.3"].map(of).concat()
            }
            Self::Write => {
                let methods = ["write each", "copy and write", "vectored"];
                let of = |buffers| methods.map(|method| format!("writes, {buffers}, {method}"));
                BUFFERS.map(of).concat()
            }
            Self::All => EACH.map(|suite| suite.labels(processors)).concat(),
        }
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
    use std::collections::HashSet;

    fn labels(suite: Suite, processors: u32) -> Vec<String> {
        let scenarios = suite.scenarios(processors);
        scenarios.iter().map(Scenario::label).collect()
    }

    #[test]
    fn scenarios_are_unique_and_labels_round_trip() {
        let mut seen = HashSet::new();
        for scenario in Suite::All.scenarios(80) {
            let label = scenario.label();
            assert_eq!(Scenario::from_label(&label).as_ref(), Ok(&scenario));
            // The default write size is in two suites.
            let is_new = seen.insert(scenario);
            assert!(
                is_new || label == "transfer, 1.3, aes-256-gcm",
                "{label} is there twice"
            );
        }
        assert_eq!(seen.len(), 12 + 10 + 6 + 8 + 4 + 4 * 12 + 8 + 30);
    }

    #[test]
    fn scenarios_of_each_suite() {
        assert_eq!(
            labels(Suite::Sizes, 2)[7..],
            [
                "transfer, 1.3, aes-256-gcm, 262144-byte writes",
                "transfer, 1.3, aes-256-gcm",
            ]
        );
        assert_eq!(
            labels(Suite::Latency, 2),
            [
                "latency of full handshakes, 1.2, rsa",
                "latency of resumed handshakes, 1.2, ticket",
                "latency of full handshakes, 1.3, rsa",
                "latency of resumed handshakes, 1.3, ticket",
            ]
        );
        assert_eq!(
            labels(Suite::Threads, 2)[..4],
            [
                "full handshakes, 1.2, rsa, 1 thread",
                "full handshakes, 1.2, rsa, 2 threads",
                "resumed handshakes, 1.2, ticket, 1 thread",
                "resumed handshakes, 1.2, ticket, 2 threads",
            ]
        );
        assert_eq!(labels(Suite::Memory, 2)[7], "memory, 1.3, 10000 sessions");
        assert_eq!(
            labels(Suite::Write, 2)[27..],
            [
                "writes, [50] * 20, write each",
                "writes, [50] * 20, copy and write",
                "writes, [50] * 20, vectored",
            ]
        );
    }

    #[test]
    fn thread_counts_end_with_all_processors() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(2), [1, 2]);
        assert_eq!(thread_counts(80), [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80]);
    }

    #[test]
    fn filters_match_sides() {
        let scenario = Scenario::from_label("transfer, 1.3, aes-256-gcm").expect("a label");
        assert!(wanted(&scenario, |label| label.ends_with("receiving")));
        assert!(wanted(&scenario, |label| !label.ends_with("receiving")));
        assert!(!wanted(&scenario, |label| !label.starts_with("transfer")));
        assert!(!wanted(&scenario, |label| label.contains("handshakes")));
    }

    #[test]
    fn all_expands_to_each_suite() {
        assert_eq!(Suite::each(&[Suite::All]), EACH);
        assert_eq!(
            Suite::each(&[Suite::Memory, Suite::Measure, Suite::Memory]),
            [Suite::Measure, Suite::Memory]
        );
        assert_eq!(Suite::each(&[Suite::Counts]), [Suite::Counts]);
    }
}
