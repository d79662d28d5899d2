//! rustls-bench, and `bench` of rustls up to 0.22.
//!
//! ```text
//! bulk        TLSv1_2  SUITE  max_fragment_size:default  send  6720.11  MB/s
//! handshakes  TLSv1_2  Rsa2048  SUITE  client  server-auth  no-resume  4981.63  handshakes/s
//! ```
//! Fields are recognised by what they say, not by where they stand: before 2023 there was no key
//! type and no fragment size. The command echo above each block may be missing.

use super::collector::{cite, quote};
use super::echo::{Above, Echo, key_type, side};
use super::{Collector, number::positive, rate, rate::Rate};
use crate::scenario::{CipherSuite, Resumption, Scenario, TlsVersion, Workload};

pub(super) fn recognise(head: &str) -> bool {
    head.lines().any(|line| {
        let mut fields = line.split('\t');
        fields.next().and_then(test).is_some() && fields.next().and_then(version).is_some()
    })
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let mut above = Above::default();
    collector.lines(text, |line, collector| {
        if above.command(line, collector) {
            return Ok(());
        }
        let is_row = line.contains('\t') || line.split_whitespace().next().and_then(test).is_some();
        if !is_row {
            return above.other(line, collector);
        }
        let (scenario, rate) = row(line, above.echo.as_ref())?;
        above.row(scenario, rate, collector);
        Ok(())
    });
}

/// First field: the test, and whether it uses the unbuffered API.
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

fn version(word: &str) -> Option<TlsVersion> {
    match word {
        "TLSv1_2" => Some(TlsVersion::V1_2),
        "TLSv1_3" => Some(TlsVersion::V1_3),
        _ => None,
    }
}

/// A whole row. The echo adds what rows do not say: `--threads 1` and the size of a write.
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
            return Err(cite(&format!("the row tells no {name}:"), line));
        }
    }
    scenario.threads = rate.threads.or_else(|| echo?.threads());
    if scenario.workload == Workload::Transfer {
        // A transfer does the same work with any key, and old versions do not print it.
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
            _ => return Err(cite("no field of rustls-bench says", word)),
        }
    }
    Ok(())
}

/// A row names its version and a suite.
pub(super) fn suite_of_another_version(name: &str) -> String {
    quote(name) + " is no suite of the version that the row names"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Value;

    fn labels(text: &str) -> Vec<(String, u32)> {
        assert!(recognise(text));
        let parsed = crate::parse::parse("output_1", text.as_bytes()).expect("rustls-bench");
        parsed
            .observations
            .into_iter()
            .map(|o| (o.scenario.label(), o.run))
            .collect()
    }

    #[test]
    fn old_and_new_columns() {
        let text = "target/release/examples/bench bulk TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\n\
            bulk\tTLSv1_2\tTLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\tmax_fragment_size:default\tsend\t6720.11\tMB/s\n\
            bulk\tTLSv1_2\tTLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\trecv\t6023.23\tMB/s\n\
            handshakes\tTLSv1_2\tRsa\tTLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384\tclient\tserver-auth\tno-resume\t4981.63\thandshake/s\n\
            handshakes-unbuffered\tTLSv1_3\tEd25519\tTLS13_AES_256_GCM_SHA384\tserver\tmutual\ttickets\t9259.64\thandshakes/s\n\
            bulk-unbuffered\tTLSv1_3\tTLS13_CHACHA20_POLY1305_SHA256\tmax_fragment_size:10000\trecv\tthreads\t2\t1.5\t2.5\ttotal\t4.0\tper-thread\t2.0\tMB/s\n";
        let expected = [
            "transfer, 1.2, aes-128-gcm, sending",
            "transfer, 1.2, aes-128-gcm, receiving",
            "full handshakes, 1.2, rsa, client",
            "resumed handshakes, 1.3, ed25519, ticket, server, mutual, unbuffered",
            "transfer, 1.3, chacha20-poly1305, receiving, unbuffered, 10000-byte fragments, 2 threads",
        ];
        assert_eq!(labels(text), expected.map(|l| (l.to_owned(), 0)));
    }

    #[test]
    fn one_thread_is_told_by_the_command() {
        let text = "target/release/rustls-bench --threads 1 handshake TLS13_AES_256_GCM_SHA384\n\
            handshakes\tTLSv1_3\tRsa2048\tTLS13_AES_256_GCM_SHA384\tserver\tserver-auth\tno-resume\t2869.91\thandshakes/s\n";
        assert_eq!(
            labels(text)[0].0,
            "full handshakes, 1.3, rsa, server, 1 thread"
        );
    }

    #[test]
    fn runs_in_one_file() {
        let row = "bulk\tTLSv1_3\tTLS13_AES_256_GCM_SHA384\tmax_fragment_size:default\tsend\t6279.99\tMB/s\n";
        let with_echo = format!("./bench bulk TLS13_AES_256_GCM_SHA384\n{row}").repeat(3);
        assert_eq!(
            labels(&with_echo).iter().map(|r| r.1).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        assert_eq!(
            labels(&row.repeat(2))
                .iter()
                .map(|r| r.1)
                .collect::<Vec<_>>(),
            [0, 1]
        );
        // rustls 0.22 ran ChaCha20 once for each key type within one command.
        let twice_in_a_run = format!("./bench bulk TLS13_AES_256_GCM_SHA384\n{row}{row}");
        assert_eq!(
            labels(&twice_in_a_run)
                .iter()
                .map(|r| r.1)
                .collect::<Vec<_>>(),
            [0, 0]
        );
    }

    #[test]
    fn mebibytes_whatever_the_unit_says() {
        let text = "bulk\tTLSv1_3\tTLS13_AES_256_GCM_SHA384\tsend\t1\tMB/s\n";
        let parsed = crate::parse::parse("x", text.as_bytes()).expect("a row");
        assert_eq!(parsed.observations[0].value, Value::Number(1048576.0));
    }

    #[test]
    fn all_problems_at_once() {
        let text = "bulk\tTLSv1_3\tTLS13_AES_256_GCM_SHA384\tsend\tNaN\tMB/s\n\
            bulk\tTLSv1_3\tTLS13_AES_256_GCM_SHA384\tsend\t1.5\n\
            bulk\tTLSv1_3\tsend\t1.5\tMB/s\n\
            bulk\tTLSv1_2\tTLS13_AES_256_GCM_SHA384\tsend\t1.5\tMB/s\n\
            bulk\tTLSv1_3\tTLS13_AES_256_GCM_SHA384\tsned\t1.5\tMB/s\n";
        let problems = crate::parse::parse("x", text.as_bytes()).expect_err("five damaged rows");
        assert_eq!(
            problems.iter().map(|p| p.line).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5]
        );
        assert!(problems[4].message.contains("`sned`"), "{}", problems[4]);
    }
}
