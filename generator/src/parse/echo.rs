//! The command that `make` echoes before each block of rustls-bench and openssl-bench output.
//!
//! `env LD_LIBRARY_PATH=../openssl ./bench --ecdsa handshake TLS_AES_256_GCM_SHA384`

use super::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct EchoedCommand {
    /// The scenario as far as the command names it, which is without the side.
    pub(super) scenario: Scenario,
    pub(super) suite: Option<CipherSuite>,
    /// Whether it is part of an echoed shell loop, with arguments such as `$t` instead of numbers.
    pub(super) in_loop: bool,
}

/// The scenario of a test, as commands, rows and other tools' names of scenarios call it.
pub(in crate::parse) fn test(word: &str) -> Option<Scenario> {
    let unbuffered = word.ends_with("-unbuffered");
    let word = word.trim_end_matches("-unbuffered");
    let (workload, resumption) = match word.trim_end_matches("-buffered") {
        "bulk" | "transfer-no-resume" => (Workload::Transfer, None),
        "handshake" | "handshakes" | "handshake-full" | "handshake-no-resume" => {
            (Workload::FullHandshake, None)
        }
        "handshake-resume" | "handshake-session-id" => {
            (Workload::ResumedHandshake, Some(Resumption::SessionId))
        }
        "handshake-ticket" | "handshake-tickets" => {
            (Workload::ResumedHandshake, Some(Resumption::Ticket))
        }
        "memory" => (Workload::Memory, None),
        _ => return None,
    };
    Some(Scenario {
        resumption,
        unbuffered,
        ..Scenario::new(workload)
    })
}

/// The two sides of a test, each of which has a figure.
pub(in crate::parse) fn sides(test: &Scenario) -> [Side; 2] {
    match test.workload {
        Workload::Transfer => [Side::Sending, Side::Receiving],
        _ => [Side::Client, Side::Server],
    }
}

/// Parses the side in a row of either tool, or in a published table.
pub(in crate::parse) fn side(word: &str) -> Option<Side> {
    match word {
        "send" | "sent" => Some(Side::Sending),
        "recv" | "received" => Some(Side::Receiving),
        word => Side::from_word(word),
    }
}

impl EchoedCommand {
    /// Parses a line that runs a benchmark program; `None` for all other lines.
    pub(in crate::parse) fn parse(line: &str) -> Option<Self> {
        if !line.contains("bench") || (line.contains('\t') && !line.starts_with('\t')) {
            return None;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        // What follows `cargo run … --` is for the program; else the name of a folder in a prompt may be
        // like that of a program.
        let dashes = words.iter().position(|word| *word == "--");
        let dashes = dashes.filter(|at| words[..*at].contains(&"cargo"));
        let program = words.iter().rposition(|word| is_bench(word))?;
        let mut words = words.into_iter().skip(dashes.unwrap_or(program) + 1);
        let (mut key, mut threads) = (None, None);
        let mut positional = Vec::new();
        while let Some(word) = words.next() {
            match word {
                ";" | "\\" | "&&" | "|" | ">" | ">>" => break,
                "--rsa" => key = Some(KeyType::Rsa2048),
                "--ecdsa" => key = Some(KeyType::EcdsaP256),
                "--key-type" => key = words.next().and_then(key_type),
                "--threads" => threads = words.next().and_then(positive),
                flag if flag.starts_with("--") => drop(words.next()),
                _ => positional.push(word),
            }
        }
        let suite = positional.get(1).and_then(|s| CipherSuite::parse(s));
        let mut scenario = test(positional.first()?)?;
        if let Some(suite) = suite.clone() {
            scenario = suite.of(scenario);
        }
        let amount = positional.get(2);
        match scenario.workload {
            Workload::Transfer => scenario.write_size = amount.and_then(|n| positive(n)),
            Workload::Memory => scenario.sessions = amount.and_then(|n| positive(n)),
            _ => {}
        }
        scenario.threads = threads;
        scenario.key = key.or(scenario.key);
        // `$t` or `${t}`; a prompt is none.
        let mut after = line.split('$').skip(1);
        let is_variable = |c: char| c.is_ascii_alphabetic() || "{(".contains(c);
        Some(Self {
            scenario,
            suite,
            in_loop: after.any(|text| text.starts_with(is_variable)),
        })
    }

    pub(in crate::parse) fn is_memory(&self) -> bool {
        self.scenario.workload == Workload::Memory
    }
}

/// Whether a word is a benchmark program: `./bench`, `target/release/examples/bench`,
/// `rustls-bench`.
fn is_bench(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "bench" | "rustls-bench" | "openssl-bench") || name.starts_with("bench-")
}

/// Parses key types as rustls-bench prints and accepts them, in any case: `Rsa` (0.22), `Rsa2048`,
/// `rsa2048`, `EcdsaP256`, `ecdsa-p256` …
pub(in crate::parse) fn key_type(word: &str) -> Option<KeyType> {
    let word = word.to_ascii_lowercase().replace(['-', '_'], "");
    let mut all = KeyType::ALL.iter().copied();
    match word.as_str() {
        "rsa2048" => Some(KeyType::Rsa2048),
        "ecdsap256" => Some(KeyType::EcdsaP256),
        word => all.find(|key| key.word().replace('-', "") == word),
    }
}
