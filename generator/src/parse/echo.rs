//! The command echo that `make` prints before each block of rustls-bench and openssl-bench.
//!
//! `env LD_LIBRARY_PATH=../openssl ./bench --ecdsa handshake TLS_AES_256_GCM_SHA384`

use super::collector::cite;
use super::{Collector, memory, number::integer, rate::Rate};
use crate::observation::Observation;
use crate::scenario::{CipherSuite, KeyType, Resumption, Scenario, Side, Workload};
use std::collections::HashSet;

/// What a benchmark program was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Bulk,
    Handshake,
    HandshakeResume,
    HandshakeTicket,
    Memory,
}

/// One echoed command.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Echo {
    pub(super) test: Test,
    pub(super) suite: Option<CipherSuite>,
    /// `--rsa`, `--ecdsa` or `--key-type`.
    pub(super) key: Option<KeyType>,
    /// `--threads`.
    threads: Option<u32>,
    /// What follows the suite: bytes of a write, or the number of sessions.
    pub(super) amount: Option<u64>,
    /// Part of an echoed shell loop: its arguments are not numbers but `$t`.
    pub(super) in_loop: bool,
}

impl Test {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "bulk" => Self::Bulk,
            "handshake" => Self::Handshake,
            "handshake-resume" => Self::HandshakeResume,
            "handshake-ticket" => Self::HandshakeTicket,
            "memory" => Self::Memory,
            _ => return None,
        })
    }

    /// Workload and resumption of what the test measures.
    pub(super) fn workload(self) -> (Workload, Option<Resumption>) {
        match self {
            Self::Bulk => (Workload::Transfer, None),
            Self::Handshake => (Workload::FullHandshake, None),
            Self::HandshakeResume => (Workload::ResumedHandshake, Some(Resumption::SessionId)),
            Self::HandshakeTicket => (Workload::ResumedHandshake, Some(Resumption::Ticket)),
            Self::Memory => (Workload::Memory, None),
        }
    }

    /// The two sides that the test has a figure for.
    pub(super) fn sides(self) -> [Side; 2] {
        match self {
            Self::Bulk => [Side::Sending, Side::Receiving],
            _ => [Side::Client, Side::Server],
        }
    }
}

/// The side that a row of either tool names.
pub(super) fn side(word: &str) -> Option<Side> {
    Some(match word {
        "send" => Side::Sending,
        "recv" => Side::Receiving,
        "client" => Side::Client,
        "server" => Side::Server,
        _ => return None,
    })
}

impl Echo {
    /// Reads a line that calls a program named `…bench…`; `None` for all other lines.
    pub(super) fn parse(line: &str) -> Option<Self> {
        if line.contains('\t') && !line.starts_with('\t') {
            return None;
        }
        let mut words = line.split_whitespace().skip_while(|w| !is_bench(w));
        words.next()?;
        let (mut key, mut threads) = (None, None);
        let mut positional = Vec::new();
        while let Some(word) = words.next() {
            match word {
                ";" | "\\" | "&&" | "|" | ">" | ">>" => break,
                "--rsa" => key = Some(KeyType::Rsa2048),
                "--ecdsa" => key = Some(KeyType::EcdsaP256),
                "--key-type" => key = words.next().and_then(key_type),
                "--threads" => threads = words.next().and_then(integer),
                flag if flag.starts_with("--") => drop(words.next()),
                _ => positional.push(word),
            }
        }
        Some(Self {
            test: Test::from_word(positional.first()?)?,
            suite: positional
                .get(1)
                .and_then(|suite| CipherSuite::parse(suite)),
            key,
            threads,
            amount: positional.get(2).and_then(|n| integer(n)),
            in_loop: line.contains('$'),
        })
    }

    /// Threads of a row that names none: in a loop, those of its first turn.
    pub(super) fn threads(&self) -> Option<u32> {
        self.threads.or(self.in_loop.then_some(1))
    }

    /// Bytes of each write.
    pub(super) fn write_size(&self) -> Option<u64> {
        self.amount.filter(|_| self.test == Test::Bulk)
    }

    /// The fields of a scenario that this command tells; `side` is left open.
    pub(super) fn scenario(&self) -> Scenario {
        let (workload, resumption) = self.test.workload();
        let suite = self.suite.as_ref();
        Scenario {
            version: suite.map(|s| s.version),
            cipher: suite.map(|s| s.cipher.clone()),
            key: self.key.or(suite.and_then(|s| s.key)),
            resumption,
            threads: self.threads,
            write_size: self.write_size(),
            ..Scenario::new(workload)
        }
    }
}

/// Program names: `./bench`, `target/release/examples/bench`, `rustls-bench`.
fn is_bench(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "bench" | "rustls-bench" | "openssl-bench") || name.starts_with("bench-")
}

/// Key types as rustls-bench prints and takes them: `Rsa` (0.22), `Rsa2048`, `rsa2048`,
/// `EcdsaP256`, `ecdsa-p256` … any case.
pub(super) fn key_type(word: &str) -> Option<KeyType> {
    let word = word.to_ascii_lowercase().replace(['-', '_'], "");
    match word.as_str() {
        "rsa2048" => Some(KeyType::Rsa2048),
        "ecdsap256" => Some(KeyType::EcdsaP256),
        word => KeyType::ALL
            .iter()
            .copied()
            .find(|key| key.word().replace('-', "") == word),
    }
}

/// What the lines above say about those below. Tells runs of the suite apart in one file: a new
/// run starts where a command that was already echoed comes again, or, without echoes, where the
/// first scenario does.
#[derive(Default)]
pub(super) struct Above {
    pub(super) echo: Option<Echo>,
    echoed: HashSet<String>,
    first: Option<Scenario>,
}

impl Above {
    /// Takes a line that is an echoed command; false for all other lines.
    pub(super) fn command(&mut self, line: &str, collector: &mut Collector) -> bool {
        let Some(echo) = Echo::parse(line) else {
            return false;
        };
        if !self.echoed.insert(line.to_owned()) {
            self.echoed = HashSet::from([line.to_owned()]);
            collector.next_run();
        }
        self.echo = Some(echo);
        true
    }

    /// Adds a row that was read.
    pub(super) fn row<'a>(
        &mut self,
        scenario: Scenario,
        rate: Rate,
        collector: &'a mut Collector,
    ) -> &'a mut Observation {
        let scenario = scenario.canonical();
        match &self.first {
            _ if !self.echoed.is_empty() => {}
            None => self.first = Some(scenario.clone()),
            Some(first) if *first == scenario => collector.next_run(),
            Some(_) => {}
        }
        collector.measured(scenario, rate.unit, rate.base)
    }

    /// Takes a line that is neither a command nor a rate: peak memory, or one that is not of the
    /// tool's making, such as a compiler's.
    pub(super) fn other(&self, line: &str, collector: &mut Collector) -> Result<(), String> {
        if !memory::row(line, self.echo.as_ref(), collector)? {
            collector.note(cite("not output of the benchmark, left out:", line));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Cipher, TlsVersion};

    #[test]
    fn commands() {
        let echo = Echo::parse("env LD_LIBRARY_PATH=../openssl ./bench --threads 2 --ecdsa handshake TLS_AES_256_GCM_SHA384").expect("echo");
        assert_eq!(
            (echo.test, echo.key, echo.threads),
            (Test::Handshake, Some(KeyType::EcdsaP256), Some(2))
        );
        let echo = Echo::parse("/usr/bin/env time -f %M target/release/rustls-bench memory TLS13_AES_256_GCM_SHA384 5000").expect("echo");
        assert_eq!((echo.test, echo.amount), (Test::Memory, Some(5000)));
        let suite = echo.suite.expect("suite");
        assert_eq!(
            (suite.version, suite.cipher),
            (TlsVersion::V1_3, Cipher::Aes256Gcm)
        );
        let echo = Echo::parse("target/release/rustls-bench --latency-prefix x --key-type rsa2048 handshake-ticket TLS13_AES_256_GCM_SHA384").expect("echo");
        assert_eq!(
            (echo.test, echo.key),
            (Test::HandshakeTicket, Some(KeyType::Rsa2048))
        );
        let echo =
            Echo::parse("  env ./bench --threads $thr bulk TLS_AES_256_GCM_SHA384 1048576 ; \\")
                .expect("echo");
        assert!(echo.in_loop);
    }

    #[test]
    fn rows_are_no_commands() {
        for line in [
            "bulk\tsend\tTLSv1.3\tTLS_AES_256_GCM_SHA384\t3108.01\tMB/s",
            "make: Leaving directory '/x/bench'",
            "15860",
            "",
        ] {
            assert_eq!(Echo::parse(line), None, "{line}");
        }
    }
}
