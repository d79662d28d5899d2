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

use super::echo::{EchoedCommand, key_type, row_test, side, sides, version};
use super::prelude::*;
use crate::model::scale::group_thousands;
use std::collections::HashSet;

/// Splits a row; `send: 6512.01 MB/s` is one like `bulk<TAB>send<TAB>6512.01<TAB>MB/s`.
fn fields(line: &str) -> Vec<&str> {
    match line.split_once(": ") {
        Some((side @ ("send" | "recv"), rate)) => {
            ["bulk", side].into_iter().chain(rate.split(' ')).collect()
        }
        // A terminal's copy has spaces for tabs.
        _ if !line.contains('\t') => line.split_whitespace().collect(),
        _ => line.split('\t').collect(),
    }
}

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
        let starts = ["bulk", "handshake", "transfer", "send:", "recv:"];
        let fields = match starts.iter().any(|start| line.starts_with(start)) {
            true => fields(line),
            false => Vec::new(),
        };
        if line.starts_with("\tCommand being timed: ") {
            // An echo may stand above it.
            let command = EchoedCommand::parse(&line.replace('"', " "));
            match command.filter(|_| self.echo.is_none()) {
                Some(echo) => self.echo(line, echo, out),
                None if self.echo.is_none() => return Line::Foreign,
                None => {}
            }
        } else if let Some(echo) = EchoedCommand::parse(line) {
            self.echo(line, echo, out);
        } else if let Some(rest) = line.strip_prefix("negotiated TLSv1.") {
            let suite = rest.split_once(" with ").map(|(_, suite)| suite.trim());
            self.negotiated = suite.and_then(CipherSuite::parse);
        } else if line.starts_with("connects: ") && line.contains("accepts-good") {
        } else if line.starts_with("sessions: ") && line.contains("hits") {
            self.caveat = misses(line);
        } else if let Some(reason) = line
            .strip_prefix("!!! ")
            .filter(|_| self.echo.is_some() || line.contains("BoringSSL"))
        {
            self.unsupported(reason, out);
        } else if fields.first().copied().and_then(row_test).is_some() {
            let Some((scenario, rate)) = self.row(&fields) else {
                return Line::Odd;
            };
            self.figure(scenario, rate, out);
        } else if let Some(echo) = self.echo.as_ref().filter(|echo| echo.is(Workload::Memory))
            && let Some(kib) = peak(line)
        {
            if echo.suite.is_none() || echo.scenario.sessions.is_none() {
                return Line::Odd;
            }
            let value = Value::Number(kib * 1024.0);
            out.push(echo.scenario.clone(), Unit::Memory, value);
        } else {
            return Line::Foreign;
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

    fn figure(&mut self, scenario: Scenario, rate: Rate, collector: &mut Collector) {
        let scenario = scenario.canonical();
        if self.echoed.is_empty() {
            if self.first.as_ref() == Some(&scenario) {
                collector.scope.run += 1;
            }
            self.first.get_or_insert_with(|| scenario.clone());
        }
        let row = collector.push(scenario, rate.unit, Value::Number(rate.base));
        row.caveats.extend(self.caveat.clone());
    }

    fn unsupported(&mut self, reason: &str, collector: &mut Collector) {
        let Some(echo) = &self.echo else {
            let message = "no command above gives the scenario of";
            return collector.note(cite(message, reason));
        };
        let unit = match echo.is(Workload::Transfer) {
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
            key: key.filter(|_| !echo.is(Workload::Transfer) && !self.loop_has_ecdsa),
            ..echo.scenario.clone()
        }
    }

    fn row(&self, fields: &[&str]) -> Option<(Scenario, Rate)> {
        let (first, rest) = fields.split_first()?;
        let test = row_test(first)?;
        let (words, rate) = rest.split_at(rest.iter().position(|field| starts_rate(field))?);
        let rate = Rate::parse(rate)?;
        let mut scenario = test.clone();
        let mut suite = None;
        for word in words {
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
                if self::side(words[0]).is_some() {
                    let of_command = || self.commanded(echo?).key;
                    scenario.key = scenario.key.or_else(of_command);
                }
                scenario.cipher = Some(suite.cipher);
            }
            (None, None) => scenario = self.undeclared(&test)?.on(side),
            _ => return None,
        }
        scenario.threads = rate.threads.or_else(|| echo?.threads());
        if is_bulk(&test) {
            // The key makes no difference to a transfer, and old versions do not print it.
            scenario.key = None;
            scenario.write_size = echo.and_then(|echo| echo.scenario.write_size);
        }
        if scenario.resumption.is_some() {
            scenario.workload = Workload::ResumedHandshake;
        }
        Some((scenario, rate))
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
    if let Some(version) = version(word) {
        scenario.version = Some(version);
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

/// The end of a row: a total rate in base units, and the number of threads, if known.
struct Rate {
    unit: Unit,
    base: f64,
    threads: Option<u32>,
}

/// Whether a field is the first of those for [`Rate::parse`].
fn starts_rate(field: &str) -> bool {
    field == "threads"
        || field.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        || field.parse().is_ok_and(|value: f64| !value.is_finite())
}

impl Rate {
    /// Parses `6720.11 MB/s`, or `threads 2 3151.66 3857.44 total 7009.10 per-thread 3504.55 MB/s`.
    fn parse(fields: &[&str]) -> Option<Self> {
        let (threads, total, symbol) = match fields {
            [total, symbol] => (None, total, symbol),
            [
                "threads",
                count,
                ..,
                "total",
                total,
                "per-thread",
                _,
                symbol,
            ] => (Some(positive(count)?), total, symbol),
            _ => return None,
        };
        let (unit, factor) = match *symbol {
            // Both tools divide by 1024·1024 (rustls-bench and bench.cc, `total_mbs`).
            "MB/s" => (Unit::Throughput, MIB),
            "handshakes/s" | "handshake/s" => (Unit::HandshakeRate, 1.0),
            _ => return None,
        };
        let base = number(total).into_iter().next()? * factor;
        Some(Self {
            unit,
            base,
            threads,
        })
    }
}
