//! What is measured: lists of scenarios under a word.

use crate::scenario::{Scenario, Side};
use clap::ValueEnum;
use regex::Regex;

/// A list of scenarios that is measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Suite {
    /// Transfers, full and resumed handshakes.
    Measure,
    /// Peak memory of 100 to 10,000 sessions.
    Memory,
    /// Handshakes by one thread to as many as there are processors.
    Threads,
    /// The time of each handshake.
    Latency,
    /// Writes of several buffers.
    Write,
    /// Handshakes with and without post-quantum key exchange.
    Pq,
    /// All of these.
    All,
}

/// Each by itself, in the order of pages.
const EACH: [Suite; 6] = [
    Suite::Measure,
    Suite::Pq,
    Suite::Latency,
    Suite::Threads,
    Suite::Memory,
    Suite::Write,
];

/// Those that the article on memory of 2019 has, and C10K.
const SESSIONS: [u32; 4] = [100, 1000, 5000, 10_000];

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

/// Up to so many threads each number is measured, then each doubling.
const EVERY_THREAD: u32 = 8;

impl Suite {
    /// The word on the command line and in names of files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Measure => "measure",
            Self::Memory => "memory",
            Self::Threads => "threads",
            Self::Latency => "latency",
            Self::Write => "write",
            Self::Pq => "pq",
            Self::All => "all",
        }
    }

    /// What `--suite` names, each once.
    pub fn each(named: &[Self]) -> Vec<Self> {
        let wanted = |suite: &Self| named.contains(suite) || named.contains(&Self::All);
        EACH.into_iter().filter(wanted).collect()
    }

    /// The scenarios, without a side: a program prints both. `processors` bounds the threads.
    pub fn labels(self, processors: u32) -> Vec<String> {
        match self {
            Self::Measure => measure(),
            Self::Memory => versions(|v| {
                SESSIONS
                    .map(|n| format!("memory, {v}, {n} sessions"))
                    .to_vec()
            }),
            Self::Threads => threads(processors),
            Self::Latency => versions(|v| {
                let words = ["full handshakes, V, rsa", "resumed handshakes, V, ticket"];
                words
                    .map(|w| format!("latency of {}", w.replace('V', v)))
                    .to_vec()
            }),
            Self::Write => {
                let methods = ["write each", "copy and write", "vectored"];
                let case = |buffers| methods.map(|m| format!("writes, {buffers}, {m}"));
                BUFFERS.into_iter().flat_map(case).collect()
            }
            Self::Pq => post_quantum(),
            Self::All => Vec::new(),
        }
    }
}

fn versions(each: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    ["1.2", "1.3"].into_iter().flat_map(each).collect()
}

fn measure() -> Vec<String> {
    let transfers = [
        "transfer, 1.2, aes-128-gcm",
        "transfer, 1.2, aes-256-gcm",
        "transfer, 1.2, chacha20-poly1305",
        "transfer, 1.3, aes-256-gcm",
    ];
    let full = |v: &str| ["rsa", "ecdsa"].map(|key| format!("full handshakes, {v}, {key}"));
    let resumed =
        |v: &str| ["session id", "ticket"].map(|how| format!("resumed handshakes, {v}, {how}"));
    let mut labels: Vec<String> = transfers.map(str::to_owned).to_vec();
    labels.extend(versions(|v| full(v).to_vec()));
    labels.extend(versions(|v| resumed(v).to_vec()));
    labels
}

fn threads(processors: u32) -> Vec<String> {
    let doublings = std::iter::successors(Some(EVERY_THREAD * 2), |n| n.checked_mul(2));
    let mut counts: Vec<u32> = (1..=EVERY_THREAD)
        .chain(doublings)
        .take_while(|n| *n < processors)
        .collect();
    counts.push(processors.max(1));
    let words = ["full handshakes, V, rsa", "resumed handshakes, V, ticket"];
    let of = |words: &str, n: u32| format!("{words}, {n} thread{}", if n == 1 { "" } else { "s" });
    versions(|v| {
        let words = words.map(|w| w.replace('V', v));
        words
            .iter()
            .flat_map(|w| counts.iter().map(|n| of(w, *n)))
            .collect()
    })
}

fn post_quantum() -> Vec<String> {
    let groups = ["x25519", "x25519mlkem768"];
    let full = ["rsa", "ecdsa"]
        .into_iter()
        .flat_map(|key| groups.map(|group| format!("full handshakes, 1.3, {key}, {group}")));
    let hello = groups.into_iter().chain(["x25519mlkem768+x25519"]);
    full.chain(hello.map(|shares| format!("client hello, {shares}")))
        .collect()
}

/// Which scenarios `--filter` and `--filter-not` leave. A program prints both sides of a
/// scenario, so it is wanted if one of them is.
pub fn wanted(label: &str, filter: Option<&Regex>, filter_not: Option<&Regex>) -> bool {
    let scenario = Scenario::from_label(label).ok();
    let of_side = |side: &Side| {
        let scenario = scenario.clone()?;
        Some(
            Scenario {
                side: Some(*side),
                ..scenario
            }
            .label(),
        )
    };
    let sides = Side::ALL.iter().filter_map(of_side);
    std::iter::once(label.to_owned()).chain(sides).any(|label| {
        filter.is_none_or(|f| f.is_match(&label)) && filter_not.is_none_or(|f| !f.is_match(&label))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_label_is_a_scenario_of_its_own() {
        let labels: Vec<String> = EACH.iter().flat_map(|s| s.labels(80)).collect();
        let mut seen = HashSet::new();
        for label in &labels {
            let scenario = Scenario::from_label(label).expect(label);
            assert_eq!(scenario.label(), *label);
            assert!(seen.insert(scenario), "{label} is there twice");
        }
        assert_eq!(Suite::Measure.labels(2).len(), 12);
        assert_eq!(Suite::Memory.labels(2).len(), 8);
        assert_eq!(Suite::Write.labels(2).len(), 30);
        assert_eq!(Suite::Pq.labels(2).len(), 7);
    }

    #[test]
    fn one_to_all_threads() {
        let counts = |processors| {
            let labels = threads(processors);
            let first = labels
                .iter()
                .filter(|l| l.starts_with("full handshakes, 1.2"));
            first
                .map(|l| l.rsplit(", ").next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(counts(1), ["1 thread"]);
        assert_eq!(counts(2), ["1 thread", "2 threads"]);
        let of_80: Vec<String> = [2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80]
            .map(|n| format!("{n} threads"))
            .to_vec();
        assert_eq!(counts(80)[1..], of_80);
    }

    #[test]
    fn a_filter_sees_sides() {
        let regex = |text| Regex::new(text).expect("an expression");
        let label = "transfer, 1.3, aes-256-gcm";
        assert!(wanted(label, Some(&regex("receiving$")), None));
        assert!(wanted(label, None, Some(&regex("receiving"))));
        assert!(!wanted(label, None, Some(&regex("^transfer"))));
        assert!(!wanted(label, Some(&regex("handshakes")), None));
    }

    #[test]
    fn all_is_each() {
        assert_eq!(Suite::each(&[Suite::All]), EACH);
        assert_eq!(
            Suite::each(&[Suite::Memory, Suite::Measure, Suite::Memory]),
            [Suite::Measure, Suite::Memory]
        );
    }
}
