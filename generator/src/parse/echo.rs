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
    let (word, unbuffered) = match word.strip_suffix("-unbuffered") {
        Some(word) => (word, true),
        None => (word.strip_suffix("-buffered").unwrap_or(word), false),
    };
    let (workload, resumption) = match word {
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

/// The test of a row, which measures a side.
pub(in crate::parse) fn row_test(word: &str) -> Option<Scenario> {
    test(word).filter(|test| test.workload != Workload::Memory)
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

/// Parses `TLSv1_3`, as in rows of rustls-bench, and `TLSv1.3`, as in those of openssl-bench.
pub(in crate::parse) fn version(word: &str) -> Option<TlsVersion> {
    TlsVersion::from_word(&word.strip_prefix("TLSv")?.replace('_', "."))
}

impl EchoedCommand {
    /// Parses a line that runs a benchmark program; `None` for all other lines.
    pub(in crate::parse) fn parse(line: &str) -> Option<Self> {
        if !line.contains("bench") || (line.contains('\t') && !line.starts_with('\t')) {
            return None;
        }
        // What follows `cargo run … --` is for the program.
        let (cargo, program) = line.split_once(" -- ").unwrap_or(("", line));
        let is_cargo = cargo.contains("cargo ") && cargo.split_whitespace().any(is_bench);
        let words = if is_cargo { program } else { line };
        let mut words = words.split_whitespace();
        if !is_cargo {
            // The name of a folder in a prompt may be like that of a program.
            let program = words.clone().filter(|word| is_bench(word)).count();
            words
                .by_ref()
                .filter(|word| is_bench(word))
                .nth(program.checked_sub(1)?);
        }
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
        let mut scenario = test(positional.first()?)?;
        let suite = positional.get(1).and_then(|s| CipherSuite::parse(s));
        let amount = positional.get(2);
        match scenario.workload {
            Workload::Transfer => scenario.write_size = amount.and_then(|n| positive(n)),
            Workload::Memory => scenario.sessions = amount.and_then(|n| positive(n)),
            _ => {}
        }
        scenario.threads = threads;
        if let Some(suite) = suite.clone() {
            scenario = suite.of(scenario);
        }
        scenario.key = key.or(scenario.key);
        Some(Self {
            scenario,
            suite,
            in_loop: has_variable(line),
        })
    }

    pub(in crate::parse) fn is(&self, workload: Workload) -> bool {
        self.scenario.workload == workload
    }

    /// Threads of a row that does not name them: in a loop, those of its first iteration.
    pub(in crate::parse) fn threads(&self) -> Option<u32> {
        self.scenario.threads.or(self.in_loop.then_some(1))
    }
}

/// Whether a command has one such as `$t` or `${t}`; a prompt is none.
fn has_variable(command: &str) -> bool {
    let mut after = command.split('$').skip(1);
    after.any(|text| text.starts_with(|c: char| c.is_ascii_alphabetic() || "{(".contains(c)))
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
