//! rustls-bench, and `bench` of rustls up to 0.22.
//!
//! ```text
//! bulk        TLSv1_2  SUITE  max_fragment_size:default  send  6720.11  MB/s
//! handshakes  TLSv1_2  Rsa2048  SUITE  client  server-auth  no-resume  4981.63  handshakes/s
//! ```
//! Fields are recognised by content, not by position: before 2023 there was no key type and no
//! fragment size. The command echo above each block may be missing.

use super::collector::cite;
use super::echo::{Context, Echo, key_type, side, suite_of_another_version, version};
use super::{Collector, number::positive, rate, rate::Rate};
use crate::model::scenario::{CipherSuite, Resumption, Scenario, Workload};

pub(super) fn recognise(head: &str) -> bool {
    head.lines().any(|line| {
        let mut fields = line.split('\t');
        fields.next().and_then(test).is_some() && fields.next().and_then(version).is_some()
    })
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    let mut context = Context::default();
    collector.lines(text, |line, collector| {
        if context.command(line, collector) {
            return Ok(());
        }
        let is_row = line.contains('\t') || line.split_whitespace().next().and_then(test).is_some();
        if !is_row {
            return context.other(line, collector);
        }
        let (scenario, rate) = row(line, context.echo.as_ref())?;
        context.row(scenario, rate, collector);
        Ok(())
    });
}

/// Parses the first field: the test, and whether it uses the unbuffered API.
fn test(word: &str) -> Option<Scenario> {
    let (workload, unbuffered) = match word {
        "bulk" | "bulk-buffered" => (Workload::Transfer, false),
        "bulk-unbuffered" => (Workload::Transfer, true),
        "handshakes" | "handshakes-buffered" => (Workload::FullHandshake, false),
        "handshakes-unbuffered" => (Workload::FullHandshake, true),
        _ => return None,
    };
    Some(Scenario {
        unbuffered,
        ..Scenario::new(workload)
    })
}

/// Parses a row. The echo adds what rows do not contain: `--threads 1` and the size of writes.
fn row(line: &str, echo: Option<&Echo>) -> Result<(Scenario, Rate), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let (first, rest) = fields.split_first().unwrap_or((&"", &[]));
    let mut scenario = test(first).ok_or_else(|| cite("no row starts with", first))?;
    let rate_at = rest.iter().position(|f| rate::starts_here(f));
    let (words, rate) = rest.split_at(rate_at.unwrap_or(rest.len()));
    let rate = Rate::parse(rate)?;
    for word in words {
        take_word(&mut scenario, word)?;
    }
    for (missing, name) in [
        (scenario.version.is_none(), "TLS version"),
        (scenario.cipher.is_none(), "cipher suite"),
        (scenario.side.is_none(), "side"),
    ] {
        if missing {
            return Err(cite(&format!("the row names no {name}:"), line));
        }
    }
    scenario.threads = rate.threads.or_else(|| echo?.threads());
    if scenario.workload == Workload::Transfer {
        // The key makes no difference to a transfer, and old versions do not print it.
        scenario.key = None;
        scenario.write_size = echo.and_then(|echo| echo.scenario.write_size);
    }
    if scenario.resumption.is_some() {
        scenario.workload = Workload::ResumedHandshake;
    }
    Ok((scenario, rate))
}

fn take_word(scenario: &mut Scenario, word: &str) -> Result<(), String> {
    if let Some(version) = version(word) {
        scenario.version = Some(version);
    } else if let Some(key) = key_type(word) {
        scenario.key = Some(key);
    } else if let Some(side) = side(word) {
        scenario.side = Some(side);
    } else if let Some(suite) = CipherSuite::parse(word) {
        if scenario.version.is_some_and(|v| v != suite.version) {
            return Err(suite_of_another_version(word));
        }
        scenario.cipher = Some(suite.cipher);
        scenario.key = scenario.key.or(suite.key);
    } else if let Some(size) = word
        .strip_prefix("max_fragment_size:")
        .filter(|s| *s != "default")
    {
        let size = positive(size);
        scenario.fragment = Some(size.ok_or_else(|| cite("expected a fragment size, got", word))?);
    } else {
        match word {
            "server-auth" | "max_fragment_size:default" => {}
            "mutual" => scenario.mutual = true,
            "no-resume" => scenario.resumption = None,
            "sessionid" => scenario.resumption = Some(Resumption::SessionId),
            "tickets" => scenario.resumption = Some(Resumption::Ticket),
            _ => return Err(cite("unknown field of rustls-bench", word)),
        }
    }
    Ok(())
}
