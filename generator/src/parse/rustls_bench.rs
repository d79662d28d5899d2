//! rustls-bench, and `bench` of rustls up to 0.22.
//!
//! ```text
//! bulk        TLSv1_2  SUITE  max_fragment_size:default  send  6720.11  MB/s
//! handshakes  TLSv1_2  Rsa2048  SUITE  client  server-auth  no-resume  4981.63  handshakes/s
//! ```
//! Fields are recognised by what they say, not by where they stand: before 2023 there was no key
//! type and no fragment size. The command echo above each block may be missing.

use super::collector::quote;
use super::echo::{Echo, Runs, Test, key_type};
use super::rate::{self, Rate};
use super::{Collector, memory};
use crate::scenario::{CipherSuite, Resumption, Scenario, Side, TlsVersion, Workload};

pub(super) fn recognise(head: &str) -> bool {
    head.lines().any(|line| {
        let mut fields = line.split('\t');
        fields.next().and_then(workload).is_some()
            && fields.next().is_some_and(|f| version(f).is_some())
    })
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let mut runs = Runs::default();
    let mut echo: Option<Echo> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        if line.trim().is_empty() {
            continue;
        }
        if let Some(command) = Echo::parse(line) {
            runs.echo(line, collector);
            echo = Some(command);
        } else if line.contains('\t')
            || workload(line.split_whitespace().next().unwrap_or_default()).is_some()
        {
            let Some((scenario, rate)) = collector.check(number, row(line, echo.as_ref())) else {
                continue;
            };
            runs.row(&scenario, collector);
            collector.measured(number, scenario, rate.unit, rate.base);
        } else if !memory::row(number, line, echo.as_ref(), collector) {
            collector.stray(number, line);
        }
    }
}

/// First field: the test and the API.
fn workload(word: &str) -> Option<(Test, bool)> {
    Some(match word {
        "bulk" | "bulk-buffered" => (Test::Bulk, false),
        "bulk-unbuffered" => (Test::Bulk, true),
        "handshakes" | "handshakes-buffered" => (Test::Handshake, false),
        "handshakes-unbuffered" => (Test::Handshake, true),
        _ => return None,
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
    let (test, unbuffered) =
        workload(fields[0]).ok_or_else(|| format!("no row starts with {}", quote(fields[0])))?;
    let words = fields
        .iter()
        .skip(1)
        .take_while(|f| !rate::starts_here(f))
        .count();
    let rate = Rate::parse(&fields[1 + words..])?;
    let mut scenario = Scenario {
        unbuffered,
        ..Scenario::new(test.workload().0)
    };
    for word in &fields[1..=words] {
        take_word(&mut scenario, word)?;
    }
    for (missing, name) in [
        (scenario.version.is_none(), "TLS version"),
        (scenario.cipher.is_none(), "cipher suite"),
        (scenario.side.is_none(), "side"),
    ] {
        if missing {
            return Err(format!("the row tells no {name}: {}", quote(line)));
        }
    }
    if scenario.resumption.is_some() {
        scenario.workload = Workload::ResumedHandshake;
    }
    scenario.threads = rate
        .threads
        .or_else(|| echo.filter(|e| !e.in_loop).and_then(|e| e.threads));
    if echo.is_some_and(|e| e.in_loop) && rate.threads.is_none() {
        scenario.threads = Some(1);
    }
    if test == Test::Bulk {
        // A transfer does the same work with any key, and old versions do not print it.
        scenario.key = None;
        scenario.write_size = echo.filter(|e| e.test == Test::Bulk).and_then(|e| e.amount);
    }
    Ok((scenario.canonical(), rate))
}

fn take_word(scenario: &mut Scenario, word: &str) -> Result<(), String> {
    if let Some(version) = version(word) {
        scenario.version = Some(version);
    } else if let Some(key) = key_type(word) {
        scenario.key = Some(key);
    } else if let Some(suite) = CipherSuite::parse(word) {
        if scenario.version.is_some_and(|v| v != suite.version) {
            return Err(format!(
                "{} is no suite of the version that the row names",
                quote(word)
            ));
        }
        scenario.cipher = Some(suite.cipher);
        scenario.key = scenario.key.or(suite.key);
    } else if let Some(size) = word.strip_prefix("max_fragment_size:") {
        scenario.fragment = match size {
            "default" => None,
            _ => Some(
                size.parse()
                    .map_err(|_| format!("expected a fragment size, got {}", quote(word)))?,
            ),
        };
    } else {
        match word {
            "send" => scenario.side = Some(Side::Sending),
            "recv" => scenario.side = Some(Side::Receiving),
            "client" => scenario.side = Some(Side::Client),
            "server" => scenario.side = Some(Side::Server),
            "server-auth" => {}
            "mutual" => scenario.mutual = true,
            "no-resume" => scenario.resumption = None,
            "sessionid" => scenario.resumption = Some(Resumption::SessionId),
            "tickets" => scenario.resumption = Some(Resumption::Ticket),
            _ => return Err(format!("no field of rustls-bench says {}", quote(word))),
        }
    }
    Ok(())
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
