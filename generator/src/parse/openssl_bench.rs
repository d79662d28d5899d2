//! openssl-bench, its output until 2023 and its current one.
//!
//! ```text
//! negotiated TLSv1.2 with ECDHE-RSA-AES128-GCM-SHA256          until 2023
//! send: 6512.01 MB/s
//! handshakes  client  3419.3  handshakes/s
//! bulk        send    TLSv1.3  SUITE  3108.01  MB/s            now
//! handshake-resume  client  TLSv1.3  SUITE  5454.53  handshakes/s
//! ```
//! Until 2023 only the command echo names the suite. `--ecdsa` in the echo is P-256; an echo
//! without it is RSA-2048; without an echo the key of a TLS 1.3 handshake is unknown.

use super::collector::{cite, quote};
use super::echo::{Context, Echo, side, sides, suite_of_another_version, test, version};
use super::{Collector, number::integer, rate::Rate};
use crate::model::observation::Value;
use crate::model::scenario::{CipherSuite, KeyType, Scenario, Side, TlsVersion, Workload};
use crate::model::unit::{Unit, group_thousands};

pub(super) fn recognise(head: &str) -> bool {
    head.lines().any(|line| {
        let mut fields = line.split('\t');
        (fields.next().and_then(row_test).is_some() && fields.next().and_then(side).is_some())
            || transfer_line(line).is_some()
            || line.starts_with("negotiated TLSv1.")
            || line.starts_with("!!! BoringSSL")
    })
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut state = State::default();
    collector.lines(text, |line, collector| state.line(line, collector));
}

/// Context from earlier lines.
#[derive(Default)]
struct State {
    context: Context,
    negotiated: Option<CipherSuite>,
    caveat: Option<String>,
    /// Whether an echoed shell loop has `--ecdsa` in one of its commands.
    loop_has_ecdsa: bool,
}

impl State {
    fn line(&mut self, line: &str, collector: &mut Collector) -> Result<(), String> {
        if self.context.command(line, collector) {
            self.loop_has_ecdsa |= line.contains('$') && line.contains(" --ecdsa ");
            (self.negotiated, self.caveat) = (None, None);
        } else if let Some(rest) = line.strip_prefix("negotiated ") {
            self.negotiated = Some(self.negotiated(rest)?);
        } else if line.starts_with("connects: ") {
        } else if let Some(rest) = line.strip_prefix("sessions: ") {
            self.caveat = None;
            self.caveat = misses(rest)?;
        } else if let Some(reason) = line.strip_prefix("!!! ") {
            self.unsupported(reason, collector);
        } else if line.contains('\t')
            || transfer_line(line).is_some()
            || line.split(' ').next().and_then(row_test).is_some()
        {
            let (scenario, rate) = self.row(line)?;
            self.context.row(scenario, rate, collector).caveat = self.caveat.clone();
        } else {
            self.context.other(line, collector)?;
        }
        Ok(())
    }

    /// Parses `TLSv1.2 with ECDHE-RSA-AES128-GCM-SHA256`, which must match the command.
    fn negotiated(&self, rest: &str) -> Result<CipherSuite, String> {
        let suite = rest
            .split_once(" with ")
            .and_then(|(_, suite)| CipherSuite::parse(suite.trim()))
            .ok_or_else(|| cite("expected a version and a suite, got", rest))?;
        match self.context.echo.as_ref().and_then(|e| e.suite.as_ref()) {
            Some(asked) if *asked != suite => {
                Err(cite("negotiated", rest) + ", which is not what the command asked for")
            }
            _ => Ok(suite),
        }
    }

    fn unsupported(&self, reason: &str, collector: &mut Collector) {
        let Some(echo) = &self.context.echo else {
            let message = "no command above gives the scenario of";
            return collector.note(cite(message, reason));
        };
        let unit = match is_bulk(&echo.scenario) {
            true => Unit::Throughput,
            false => Unit::HandshakeRate,
        };
        for side in sides(&echo.scenario) {
            let reason = reason.trim().replace(char::is_control, " ");
            let reason = Value::Unsupported(reason);
            collector.push(self.scenario(echo).on(side), unit.clone(), reason);
        }
    }

    /// The scenario of a command, with RSA-2048 if it names no key.
    fn scenario(&self, echo: &Echo) -> Scenario {
        let key = echo.scenario.key.or(Some(KeyType::Rsa2048));
        Scenario {
            key: key.filter(|_| !is_bulk(&echo.scenario) && !self.loop_has_ecdsa),
            ..echo.scenario.clone()
        }
    }

    fn row(&self, line: &str) -> Result<(Scenario, Rate), String> {
        if let Some((side, rest)) = transfer_line(line) {
            let rate = Rate::parse(&rest.split(' ').collect::<Vec<_>>())?;
            return Ok((self.undeclared(true, side, line)?, rate));
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let test = row_test(fields[0]).ok_or_else(|| cite("no row starts with", fields[0]))?;
        let side = fields.get(1).and_then(|f| side(f));
        let side = side.ok_or_else(|| cite("the row names no side:", line))?;
        if !sides(&test).contains(&side) {
            return Err(cite(&(quote(fields[0]) + " has no side"), fields[1]));
        }
        let Some(version) = fields.get(2).and_then(|f| version(f)) else {
            let rate = Rate::parse(&fields[2..])?;
            return Ok((self.undeclared(is_bulk(&test), side, line)?, rate));
        };
        let suite = fields.get(3).ok_or("the row names no cipher suite")?;
        let mut scenario = self.declared(test, version, suite)?.on(side);
        let rate = Rate::parse(&fields[4..])?;
        scenario.threads = rate.threads.or(scenario.threads);
        Ok((scenario, rate))
    }

    /// The scenario of a current row, which names version and suite.
    fn declared(
        &self,
        test: Scenario,
        version: TlsVersion,
        name: &str,
    ) -> Result<Scenario, String> {
        let suite = CipherSuite::parse(name).filter(|s| s.version == version);
        let suite = suite.ok_or_else(|| suite_of_another_version(name))?;
        let echo = self.context.echo.as_ref();
        if echo.is_some_and(|e| !e.in_loop && e.suite.as_ref() != Some(&suite)) {
            return Err(quote(name) + " is not what the command above asked for");
        }
        let is_bulk = is_bulk(&test);
        let key = suite.key.or_else(|| self.scenario(echo?).key);
        Ok(Scenario {
            version: Some(version),
            cipher: Some(suite.cipher),
            key: key.filter(|_| !is_bulk),
            threads: echo.and_then(Echo::threads),
            write_size: echo.and_then(|e| e.scenario.write_size).filter(|_| is_bulk),
            ..test
        })
    }

    /// The scenario of a row as printed until 2023: version and suite come from the command or, for
    /// transfers, from the negotiated suite.
    fn undeclared(&self, bulk: bool, side: Side, line: &str) -> Result<Scenario, String> {
        match (&self.context.echo, &self.negotiated) {
            // Rows of all three handshake tests start with `handshakes`.
            (Some(echo), _) if is_bulk(&echo.scenario) == bulk && echo.suite.is_some() => {
                Ok(self.scenario(echo).on(side))
            }
            (None, Some(suite)) if bulk => Ok(Scenario {
                version: Some(suite.version),
                cipher: Some(suite.cipher.clone()),
                side: Some(side),
                ..Scenario::new(Workload::Transfer)
            }),
            _ => Err(cite("no command above names the cipher suite of", line)),
        }
    }
}

fn is_bulk(test: &Scenario) -> bool {
    test.workload == Workload::Transfer
}

/// `send: 6512.01 MB/s`
fn transfer_line(line: &str) -> Option<(Side, &str)> {
    let (word, rest) = line.split_once(": ")?;
    let side = side(word).filter(|s| matches!(s, Side::Sending | Side::Receiving))?;
    Some((side, rest))
}

fn row_test(word: &str) -> Option<Scenario> {
    match word {
        "handshakes" => test("handshake"),
        "bulk" | "handshake-resume" | "handshake-ticket" => test(word),
        _ => None,
    }
}

/// Makes a caveat from `20479, hits: 20479, misses: 12289`: in TLS 1.3 OpenSSL's server cache
/// overflows, and every miss is a full handshake in a row of resumed ones.
fn misses(rest: &str) -> Result<Option<String>, String> {
    let count = |name: &str| {
        let (_, after) = rest.split_once(name)?;
        integer::<u64>(after.split(',').next()?.trim())
    };
    let (Some(hits), Some(misses)) = (count("hits: "), count("misses: ")) else {
        return Err(cite("expected hits and misses, got", rest));
    };
    let [missed, all] =
        [misses, hits.saturating_add(misses)].map(|n| group_thousands(&n.to_string()));
    Ok((misses > 0)
        .then(|| format!("{missed} of {all} handshakes were full ones: the session was not found")))
}
