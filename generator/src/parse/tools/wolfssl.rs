//! wolfSSL's `tls_bench`: of each side and cipher suite, the time of connecting and the throughput.
//!
//! ```text
//! Side    Cipher                     Group       Total Bytes  Num Conns  …  Connect Total ms  Connect Avg ms
//! Server  TLS13-AES256-GCM-SHA384    ECC_X25519     90000000        300  …           800.000           2.667
//! ```
//!
//! MB are MiB. A side waits for the other while it connects. Before wolfSSL printed the group, some
//! versions had the figures of reading and writing under each other's headings.

use super::prelude::*;

static LINES: Lines<10> = Lines {
    pattern: Pattern::new(
        r"^(Server|Client) +(\S+)(?: +([A-Za-z]\S*))? +(\d+) +(\d+) +[\d.]+ +[\d.]+ +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3})$",
    ),
    marks: &[
        "Server TLS",
        "Client TLS",
        "Server ECDHE",
        "Client ECDHE",
        "Server DHE",
        "Client DHE",
        "Server  ",
        "Client  ",
    ],
    expected: "a side, a cipher suite and eight figures",
};

#[derive(Default)]
pub(super) struct TlsBench;

impl Tool for TlsBench {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if line.starts_with("Side ") && line.contains("Connect Avg ms") {
            return Ok(());
        } else if !line.starts_with("Server ") && !line.starts_with("Client ") {
            return Err(Foreign);
        }
        let [_, side, suite, group, _, count, read, written, total, mean] = LINES.find(line)?;
        let [count, total, mean] = [number(count)?, number(total)?, number(mean)?];
        if (total / count - mean).abs() > 0.0006 + mean * 1e-6 {
            return wrong("the mean time is not that of the connections:", line);
        }
        out.of(Implementation::new("wolfSSL", "", &[]));
        let side = side.to_lowercase();
        let words: Vec<&str> = [suite, group, &side]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let name = words.join(" ");
        let rate = count / total * 1e3;
        let exchange = match group {
            "" => Some(None),
            "ECC_X25519" => Some(Some(Group::X25519)),
            group => {
                Group::from_word(&group.trim_start_matches("ECC_").to_ascii_lowercase()).map(Some)
            }
        };
        match (CipherSuite::parse(suite), exchange, Side::from_word(&side)) {
            (Some(known), Some(group), Some(side)) => {
                let scenario = Scenario {
                    group,
                    ..known.of(Scenario::new(Workload::FullHandshake))
                };
                let row = out.measured(scenario.on(side), Unit::HandshakeRate, rate);
                row.caveat = Some("connecting includes the wait for the other side".to_owned());
            }
            _ => out.benchmark(&format!("{name} handshakes"), Unit::HandshakeRate, rate)?,
        }
        for (what, figure) in [("reading", read), ("writing", written)] {
            let base = amount(figure)? * MIB;
            out.benchmark(&format!("{name} {what}"), Unit::Throughput, base)?;
            let row = out.parsed.observations.last_mut();
            if let Some(row) = row.filter(|_| group.is_empty()) {
                row.caveat =
                    Some("in some versions of wolfSSL, reading and writing are swapped".to_owned());
            }
        }
        Ok(())
    }
}
