//! rustls-bench (`bench` of rustls up to 0.22), openssl-bench, and the peak memory of either.
//!
//! ```text
//! bulk        TLSv1_2  SUITE  max_fragment_size:default  send  6720.11  MB/s
//! handshakes  TLSv1_2  Rsa2048  SUITE  client  server-auth  no-resume  4981.63  handshakes/s
//!
//! bulk        send    TLSv1.3  SUITE  3108.01  MB/s                   openssl-bench
//! handshake-resume  client  TLSv1.3  SUITE  5454.53  handshakes/s
//! negotiated TLSv1.2 with ECDHE-RSA-AES128-GCM-SHA256                 the same until 2023
//! send: 6512.01 MB/s
//! handshakes  client  3419.3  handshakes/s
//! ```
//! Fields are recognised by content, not by position: before 2023 rustls-bench printed no key type
//! and no fragment size. The echo of the command above each block may be missing, but until 2023 it
//! alone names the suite of openssl-bench. `--ecdsa` in its echo is P-256; an echo without it is
//! RSA-2048; without an echo the key of a TLS 1.3 handshake is unknown.
//!
//! After the echo of `… time -f %M … memory SUITE N`, a line is the peak resident set in KiB.

use super::echo::{EchoedCommand, key_type, side, sides, test};
use super::prelude::*;
use crate::model::scale::group_thousands;
use std::collections::HashSet;

/// The end of a row: a rate, or that of each thread and their total.
static RATE: LazyLock<Expression> = LazyLock::new(|| {
    let threads = r"\sthreads\s+(\d+)\s.*\stotal\s+(\S+)\s+per-thread\s+\S+";
    Expression::new(&format!(
        r"(?:{threads}|\s([\d.]\S*))\s+(MB/s|handshakes?/s)$"
    ))
});

/// Context from earlier lines, which also splits a text into runs of the suite: a new run starts
/// where an echoed command is repeated or, without echoes, where the first scenario is.
#[derive(Default)]
pub(super) struct TlsBench {
    echo: Option<EchoedCommand>,
    echoed: HashSet<String>,
    first: Option<Scenario>,
    negotiated: Option<CipherSuite>,
    caveat: Option<String>,
    /// Whether an echoed shell loop has `--ecdsa` in one of its commands.
    loop_has_ecdsa: bool,
}

/// What `/usr/bin/time -v` prints instead of the number alone.
const PEAK: &str = "Maximum resident set size (kbytes): ";

impl Tool for TlsBench {
    fn line(&mut self, line: &str, out: &mut Collector) -> Line {
        let is_timed = line.starts_with("\tCommand being timed: ");
        let echo = match is_timed {
            true => EchoedCommand::parse(&line.replace('"', " ")),
            false => EchoedCommand::parse(line),
        };
        if let Some(echo) = echo.filter(|_| !is_timed || self.echo.is_none()) {
            self.echo(line, echo, out);
        } else if is_timed && self.echo.is_none() {
            return Line::Foreign;
        } else if is_timed || (line.starts_with("connects: ") && line.contains("accepts-good")) {
        } else if let Some(rest) = line.strip_prefix("negotiated TLSv1.") {
            let suite = rest.split_once(" with ").map(|(_, suite)| suite.trim());
            self.negotiated = suite.and_then(CipherSuite::parse);
        } else if line.starts_with("sessions: ") && line.contains("hits") {
            self.caveat = misses(line);
        } else if let Some(reason) = line
            .strip_prefix("!!! ")
            .filter(|_| self.echo.is_some() || line.contains("BoringSSL"))
        {
            self.unsupported(reason, out);
        } else if let Some(echo) = self.echo.as_ref().filter(|echo| echo.is_memory())
            && let Some(kib) = peak(line)
        {
            if echo.suite.is_none() || echo.scenario.sessions.is_none() {
                return Line::Odd;
            }
            let value = Value::Number(kib * 1024.0);
            out.push(echo.scenario.clone(), Unit::Memory, value);
        } else {
            let first = line.split_whitespace().next().unwrap_or_default();
            let test = match first {
                // `send: 6512.01 MB/s` is a row like `bulk<TAB>send<TAB>6512.01<TAB>MB/s`.
                "send:" | "recv:" => test("bulk"),
                word => test(word).filter(|test| test.workload != Workload::Memory),
            };
            return match test.map(|test| self.row(test, line)) {
                None => Line::Foreign,
                Some(None) => Line::Odd,
                Some(Some((scenario, unit, base))) => {
                    self.figure(scenario, unit, base, out);
                    Line::Known
                }
            };
        }
        Line::Known
    }

    fn command(&mut self, command: &str, out: &mut Collector) {
        self.echo = None;
        if let Some(echo) = EchoedCommand::parse(command) {
            self.echo(command, echo, out);
        }
    }
}

/// The number of KiB in a line of its own, or that of `time -v`.
fn peak(line: &str) -> Option<f64> {
    let line = line.trim();
    let number = number(line.strip_prefix(PEAK).unwrap_or(line));
    number.into_iter().next()
}

impl TlsBench {
    fn echo(&mut self, line: &str, echo: EchoedCommand, collector: &mut Collector) {
        if !self.echoed.insert(line.to_owned()) {
            self.echoed = HashSet::from([line.to_owned()]);
            collector.scope.run += 1;
        }
        self.loop_has_ecdsa |= echo.in_loop && line.contains(" --ecdsa ");
        (self.negotiated, self.caveat) = (None, None);
        self.echo = Some(echo);
    }

    fn figure(&mut self, scenario: Scenario, unit: Unit, base: f64, collector: &mut Collector) {
        let scenario = scenario.canonical();
        if self.echoed.is_empty() {
            if self.first.as_ref() == Some(&scenario) {
                collector.scope.run += 1;
            }
            self.first.get_or_insert_with(|| scenario.clone());
        }
        let row = collector.push(scenario, unit, Value::Number(base));
        row.caveats.extend(self.caveat.clone());
    }

    fn unsupported(&mut self, reason: &str, collector: &mut Collector) {
        let Some(echo) = &self.echo else {
            let message = "no command above gives the scenario of";
            return collector.note(cite(message, reason));
        };
        let unit = match is_bulk(&echo.scenario) {
            true => Unit::Throughput,
            false => Unit::HandshakeRate,
        };
        let reason = reason.trim().replace(char::is_control, " ");
        for side in sides(&echo.scenario) {
            let reason = Value::Unsupported(reason.clone());
            collector.push(self.commanded(echo).on(side), unit.clone(), reason);
        }
    }

    /// The scenario of a command of openssl-bench, with RSA-2048 if it names no key.
    fn commanded(&self, echo: &EchoedCommand) -> Scenario {
        let key = echo.scenario.key.or(Some(KeyType::Rsa2048));
        Scenario {
            key: key.filter(|_| !is_bulk(&echo.scenario) && !self.loop_has_ecdsa),
            ..echo.scenario.clone()
        }
    }

    /// The scenario and the rate of a row, in the base unit.
    fn row(&self, test: Scenario, line: &str) -> Option<(Scenario, Unit, f64)> {
        let [tail, threads, total, rate, symbol] = RATE.groups(line)?;
        let threads = threads.parse().into_iter().next();
        // Both tools divide by 1024·1024 (rustls-bench and bench.cc, `total_mbs`).
        let (unit, factor) = match symbol {
            "MB/s" => (Unit::Throughput, MIB),
            _ => (Unit::HandshakeRate, 1.0),
        };
        let rate = if rate.is_empty() { total } else { rate };
        let base = number(rate).into_iter().next()? * factor;
        let words = line.trim_end().strip_suffix(tail)?.split_whitespace();
        let words = words.map(|word| word.trim_end_matches(':'));
        let mut words: Vec<&str> = words.filter(|word| self::test(word).is_none()).collect();
        let mut scenario = test.clone();
        let mut suite = None;
        for word in &words {
            match CipherSuite::parse(word) {
                Some(found) => suite = Some(found),
                None => take_word(&mut scenario, word)?,
            }
        }
        let side = scenario.side.filter(|side| sides(&test).contains(side))?;
        let echo = self.echo.as_ref();
        match (suite, scenario.version) {
            (Some(suite), Some(_)) => {
                scenario.key = scenario.key.or(suite.key);
                // rustls-bench starts with the version.
                if self::side(words.remove(0)).is_some() {
                    let of_command = || self.commanded(echo?).key;
                    scenario.key = scenario.key.or_else(of_command);
                }
                scenario.cipher = Some(suite.cipher);
            }
            (None, None) => scenario = self.undeclared(&test)?.on(side),
            _ => return None,
        }
        // In a loop, the threads of its first iteration.
        let of_command = || echo?.scenario.threads.or(echo?.in_loop.then_some(1));
        scenario.threads = threads.or_else(of_command);
        if is_bulk(&test) {
            // The key makes no difference to a transfer, and old versions do not print it.
            scenario.key = None;
            scenario.write_size = echo.and_then(|echo| echo.scenario.write_size);
        }
        if scenario.resumption.is_some() {
            scenario.workload = Workload::ResumedHandshake;
        }
        Some((scenario, unit, base))
    }

    /// The scenario of a row of openssl-bench until 2023: version and suite come from the command
    /// or, for transfers, from the negotiated suite.
    fn undeclared(&self, test: &Scenario) -> Option<Scenario> {
        let bulk = is_bulk(test);
        match (&self.echo, &self.negotiated) {
            // Rows of all three handshake tests start with `handshakes`.
            (Some(echo), negotiated) if is_bulk(&echo.scenario) == bulk => {
                let asked = echo.suite.as_ref()?;
                let is_so = negotiated.as_ref().is_none_or(|suite| suite == asked);
                is_so.then(|| self.commanded(echo))
            }
            (None, Some(suite)) if bulk => Some(suite.clone().of(test.clone())),
            _ => None,
        }
    }
}

fn is_bulk(test: &Scenario) -> bool {
    test.workload == Workload::Transfer
}

fn take_word(scenario: &mut Scenario, word: &str) -> Option<()> {
    // `TLSv1_3` in rows of rustls-bench, `TLSv1.3` in those of openssl-bench.
    let version = word.strip_prefix("TLSv").map(|word| word.replace('_', "."));
    if let Some(version) = version {
        scenario.version = Some(TlsVersion::from_word(&version)?);
    } else if let Some(key) = key_type(word) {
        scenario.key = Some(key);
    } else if let Some(side) = side(word) {
        scenario.side = Some(side);
    } else {
        match word {
            "server-auth" | "max_fragment_size:default" => {}
            "mutual" => scenario.mutual = true,
            "no-resume" => scenario.resumption = None,
            "sessionid" => scenario.resumption = Some(Resumption::SessionId),
            "tickets" => scenario.resumption = Some(Resumption::Ticket),
            _ => scenario.fragment = Some(positive(word.strip_prefix("max_fragment_size:")?)?),
        }
    }
    Some(())
}

static SESSIONS: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^sessions: \d+, hits: (\d+), misses: (\d+)$"));

/// Makes a caveat from `sessions: 20479, hits: 20479, misses: 12289`: in TLS 1.3 OpenSSL's server cache
/// overflows, and every miss is a full handshake in a row of resumed ones.
fn misses(line: &str) -> Option<String> {
    let [_, hits, misses] = SESSIONS.groups(line)?;
    let (hits, misses) = (integer::<u64>(hits)?, integer::<u64>(misses)?);
    let all = [misses, hits.saturating_add(misses)];
    let [missed, all] = all.map(|n| group_thousands(&n.to_string()));
    let caveat =
        || format!("{missed} of {all} handshakes were full ones: the session was not found");
    (misses > 0).then(caveat)
}
