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
    /// Number of rows above the last command.
    rows_above: usize,
    rows: usize,
    echoed: HashSet<String>,
    first: Option<Scenario>,
    negotiated: Option<CipherSuite>,
    caveat: Option<String>,
    /// Whether an echoed shell loop has `--ecdsa` in one of its commands.
    loop_has_ecdsa: bool,
    /// Whether all of what `time -v` prints is there.
    time: Timed,
}

/// What is read of `/usr/bin/time -v`, which prints the peak among other lines.
#[derive(Default, PartialEq)]
enum Timed {
    #[default]
    No,
    Begun,
    /// The last line is the peak, which may be cut.
    Peak,
}

/// What `/usr/bin/time -v` prints instead of the number alone.
const PEAK: &str = "Maximum resident set size (kbytes): ";

impl Tool for TlsBench {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let starts = ["bulk", "handshake", "transfer", "send:", "recv:"];
        let fields = match starts_with_any(line, &starts) {
            true => fields(line),
            false => Vec::new(),
        };
        let is_row = fields.first().copied().and_then(row_test).is_some();
        let is_second = |word: &str| side(word).is_some() || version(word).is_some();
        if line.starts_with("\tCommand being timed: ") {
            // An echo may stand above it.
            if self.echo.is_none()
                && let Some(echo) = EchoedCommand::parse(&line.replace('"', " "))
            {
                self.echo(line, echo, out);
            }
            if self.echo.is_none() {
                return Err(Foreign);
            }
            self.time = Timed::Begun;
        } else if let Some(echo) = EchoedCommand::parse(line) {
            self.echo(line, echo, out);
        } else if let Some(rest) = line
            .strip_prefix("negotiated ")
            .filter(|r| r.starts_with("TLSv1."))
        {
            self.negotiated = Some(self.negotiated(rest)?);
        } else if line.starts_with("connects: ") && line.contains("accepts-good") {
        } else if let Some(rest) = line
            .strip_prefix("sessions: ")
            .filter(|_| line.contains("hits"))
        {
            self.caveat = None;
            self.caveat = misses(rest)?;
        } else if let Some(reason) = line
            .strip_prefix("!!! ")
            .filter(|_| self.echo.is_some() || line.contains("BoringSSL"))
        {
            self.unsupported(reason, out);
        } else if is_row && !line.contains('\t') && !fields.get(1).copied().is_some_and(is_second) {
            let message = "expected a rate and its unit at the end of the row, got";
            return damaged(message, line);
        } else if is_row {
            let (scenario, rate) = self.row(line, &fields)?;
            self.figure(scenario, rate, out);
        } else if let Some(echo) = self.echo.as_ref().filter(|echo| echo.is(Workload::Memory))
            && let Some(kib) = peak(line)
        {
            let base = measured(kib, 1024.0)?;
            if echo.suite.is_none() || echo.scenario.sessions.is_none() {
                let message = "the command above names no cipher suite or no number of sessions";
                return Err(Wrong(message.to_owned()));
            }
            out.measured(echo.scenario.clone(), Unit::Memory, base);
            self.rows += 1;
            if self.time == Timed::Begun {
                self.time = Timed::Peak;
            }
        } else if line.starts_with('\t') && line.contains(": ") && self.time != Timed::No {
            self.time = Timed::Begun;
        } else {
            return Err(Foreign);
        }
        Ok(())
    }

    fn command(&mut self, command: &str, out: &mut Collector) {
        match EchoedCommand::parse(command) {
            Some(echo) => self.echo(command, echo, out),
            None => self.check_last(out),
        }
    }

    fn end(&mut self, out: &mut Collector) {
        self.check_last(out);
    }
}

/// The number of KiB in a line of its own, or that of `time -v`.
fn peak(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix(PEAK).or(Some(line).filter(|line| {
        line.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !line.contains(' ')
    }))
}

impl TlsBench {
    /// Forgets the last command, which must have had figures.
    fn check_last(&mut self, out: &mut Collector) {
        if std::mem::take(&mut self.time) == Timed::Peak {
            out.note("the output of `time -v` ends at the peak, which may be cut");
        }
        if self.echo.take().is_some() && self.rows == self.rows_above && out.problems.is_empty() {
            out.note("the output ends before the figures of the last command");
        }
    }

    fn echo(&mut self, line: &str, echo: EchoedCommand, collector: &mut Collector) {
        if !self.echoed.insert(line.to_owned()) {
            self.echoed = HashSet::from([line.to_owned()]);
            collector.next_run();
        }
        self.loop_has_ecdsa |= echo.in_loop && line.contains(" --ecdsa ");
        (self.negotiated, self.caveat, self.time) = (None, None, Timed::No);
        self.rows_above = self.rows;
        self.echo = Some(echo);
    }

    fn figure(&mut self, scenario: Scenario, rate: Rate, collector: &mut Collector) {
        let scenario = scenario.canonical();
        if self.echoed.is_empty() {
            if self.first.as_ref() == Some(&scenario) {
                collector.next_run();
            }
            self.first.get_or_insert_with(|| scenario.clone());
        }
        self.rows += 1;
        let row = collector.measured(scenario, rate.unit, rate.base);
        row.caveat.clone_from(&self.caveat);
    }

    /// Parses `TLSv1.2 with ECDHE-RSA-AES128-GCM-SHA256`, which must match the command.
    fn negotiated(&self, rest: &str) -> Result<CipherSuite, String> {
        let suite = rest.split_once(" with ").map(|(_, suite)| suite.trim());
        let suite = suite.and_then(CipherSuite::parse);
        let suite = suite.ok_or_else(|| cite("expected a version and a suite, got", rest))?;
        match self.echo.as_ref().and_then(|e| e.suite.as_ref()) {
            Some(asked) if *asked != suite => {
                Err(cite("negotiated", rest) + ", which is not what the command asked for")
            }
            _ => Ok(suite),
        }
    }

    fn unsupported(&mut self, reason: &str, collector: &mut Collector) {
        self.rows += 1;
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

    fn row(&self, line: &str, fields: &[&str]) -> Result<(Scenario, Rate), String> {
        let (first, rest) = fields.split_first().unwrap_or((&"", &[]));
        let test = row_test(first).ok_or_else(|| cite("no row starts with", first))?;
        let rate_at = rest.iter().position(|f| starts_rate(f));
        let (words, rate) = rest.split_at(rate_at.unwrap_or(rest.len()));
        let rate = Rate::parse(rate)?;
        let mut scenario = test.clone();
        let mut suite = None;
        for word in words {
            match CipherSuite::parse(word) {
                Some(found) => suite = Some((word, found)),
                None => take_word(&mut scenario, word)?,
            }
        }
        let missing = |what: &str| cite(&format!("the row names no {what}:"), line);
        let side = scenario.side.ok_or_else(|| missing("side"))?;
        if !sides(&test).contains(&side) {
            return Err(quote(first) + " has no side " + &quote(side.word()));
        }
        let echo = self.echo.as_ref();
        match (suite, scenario.version) {
            (Some((name, suite)), Some(version)) => {
                if suite.version != version {
                    return Err(quote(name) + " is not a suite of the version in the row");
                }
                scenario.key = scenario.key.or(suite.key);
                // rustls-bench starts with the version.
                if self::side(words[0]).is_some() {
                    let of_command = echo.filter(|echo| !echo.in_loop).map(|e| e.suite.as_ref());
                    if of_command.is_some_and(|asked| asked != Some(&suite)) {
                        return Err(quote(name) + " is not what the command above asked for");
                    }
                    let of_command = || self.commanded(echo?).key;
                    scenario.key = scenario.key.or_else(of_command);
                }
                scenario.cipher = Some(suite.cipher);
            }
            (Some(_), None) => return Err(missing("TLS version")),
            (None, Some(_)) => return Err(missing("cipher suite")),
            (None, None) => scenario = self.undeclared(&test, line)?.on(side),
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
        Ok((scenario, rate))
    }

    /// The scenario of a row of openssl-bench until 2023: version and suite come from the command
    /// or, for transfers, from the negotiated suite.
    fn undeclared(&self, test: &Scenario, line: &str) -> Result<Scenario, String> {
        let bulk = is_bulk(test);
        match (&self.echo, &self.negotiated) {
            // Rows of all three handshake tests start with `handshakes`.
            (Some(echo), _) if is_bulk(&echo.scenario) == bulk && echo.suite.is_some() => {
                Ok(self.commanded(echo))
            }
            (None, Some(suite)) if bulk => Ok(suite.clone().of(test.clone())),
            _ => Err(cite("no command above names the cipher suite of", line)),
        }
    }
}

fn is_bulk(test: &Scenario) -> bool {
    test.workload == Workload::Transfer
}

fn take_word(scenario: &mut Scenario, word: &str) -> Result<(), String> {
    let fragment = word.strip_prefix("max_fragment_size:");
    if let Some(version) = version(word) {
        scenario.version = Some(version);
    } else if let Some(key) = key_type(word) {
        scenario.key = Some(key);
    } else if let Some(side) = side(word) {
        scenario.side = Some(side);
    } else if let Some(size) = fragment.filter(|size| *size != "default") {
        let size = positive(size);
        scenario.fragment = Some(size.ok_or_else(|| cite("expected a fragment size, got", word))?);
    } else {
        match word {
            "server-auth" | "max_fragment_size:default" => {}
            "mutual" => scenario.mutual = true,
            "no-resume" => scenario.resumption = None,
            "sessionid" => scenario.resumption = Some(Resumption::SessionId),
            "tickets" => scenario.resumption = Some(Resumption::Ticket),
            _ => return Err(cite("unknown field of a row", word)),
        }
    }
    Ok(())
}

static SESSIONS: Pattern = Pattern::new(r"^\d+, hits: (\d+), misses: (\d+)$");

/// Makes a caveat from `20479, hits: 20479, misses: 12289`: in TLS 1.3 OpenSSL's server cache
/// overflows, and every miss is a full handshake in a row of resumed ones.
fn misses(rest: &str) -> Result<Option<String>, String> {
    let [_, hits, misses] = SESSIONS.groups(rest).unwrap_or_default();
    let (Some(hits), Some(misses)) = (integer::<u64>(hits), integer::<u64>(misses)) else {
        return Err(cite("expected hits and misses, got", rest));
    };
    let all = [misses, hits.saturating_add(misses)];
    let [missed, all] = all.map(|n| group_thousands(&n.to_string()));
    let caveat =
        || format!("{missed} of {all} handshakes were full ones: the session was not found");
    Ok((misses > 0).then(caveat))
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
    fn parse(fields: &[&str]) -> Result<Self, String> {
        let (count, rates, total, symbol) = match fields {
            [total, symbol] => (None, &[][..], total, symbol),
            [
                "threads",
                count,
                rest @ ..,
                "total",
                total,
                "per-thread",
                _,
                symbol,
            ] => (Some(count), rest, total, symbol),
            _ => {
                let message = "expected a rate and its unit at the end of the row, got";
                return Err(cite(message, &fields.join(" ")));
            }
        };
        let (unit, factor) = match *symbol {
            // Both tools divide by 1024·1024 (rustls-bench and bench.cc, `total_mbs`).
            "MB/s" => (Unit::Throughput, MIB),
            "handshakes/s" | "handshake/s" => (Unit::HandshakeRate, 1.0),
            _ => return Err(cite("expected the unit MB/s or handshakes/s, got", symbol)),
        };
        let base = measured(total, factor)?;
        let mut threads = None;
        if let Some(count) = count {
            threads = positive(count);
            if threads.is_none_or(|n: u32| n as usize != rates.len()) {
                let message = format!("{} rates, but the threads are", rates.len());
                return Err(cite(&message, count));
            }
            let rates = rates.iter().map(|r| measured(r, factor));
            let sum = rates.sum::<Result<f64, String>>()?;
            // Both have at least five significant digits.
            if (sum / base - 1.0).abs() > 1e-4 {
                let message = "the rates of the threads do not add up to the total";
                return Err(cite(message, total));
            }
        }
        Ok(Self {
            unit,
            base,
            threads,
        })
    }
}
