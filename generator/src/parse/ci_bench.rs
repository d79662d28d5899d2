//! rustls ci-bench: names that hold the scenario, then whole numbers. What the columns are is
//! distinguished by the name and their count:
//!
//! ```text
//! handshake_no_resume_ring_1.2_rsa_aes_server,11327015             icounts.csv: instructions
//! handshake_no_resume_ring_1.2_rsa_aes,6035261,1714158,977368      walltime: ns, an iteration each
//! handshake_no_resume_ring_1.2_rsa_aes_server,6512,91,4096,52      memory.csv: heap, see below
//! ```
//!
//! `aes` is AES-128-GCM and `chacha` ChaCha20-Poly1305; in transfers the server sends. Wall
//! times are those of both sides together.

use super::{Collector, collector::quote, measured};
use crate::implementation::Implementation;
use crate::observation::Value;
use crate::scenario::{Cipher, KeyType, Resumption, Scenario, Side, TlsVersion, Workload};
use crate::unit::Unit;

/// Columns of memory.csv: the whole run's, then those at the peak.
const MEMORY: [&str; 4] = [
    "heap bytes in total",
    "heap blocks in total",
    "heap bytes at peak",
    "heap blocks at peak",
];

pub(super) fn recognise(head: &str) -> bool {
    let first = head
        .lines()
        .find(|l| !l.trim().is_empty())
        .unwrap_or_default();
    let mut cells = first.trim().split(',');
    let named = cells.next().is_some_and(|name| scenario(name).is_some());
    named && cells.next().is_some()
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    for (index, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            row(index as u32 + 1, line.trim(), collector);
        }
    }
}

fn row(line: u32, text: &str, collector: &mut Collector) {
    let mut cells = text.split(',');
    let name = cells.next().unwrap_or_default();
    let cells: Vec<&str> = cells.collect();
    let Some((implementation, scenario)) = scenario(name) else {
        return collector.problem(line, format!("no scenario of ci-bench: {}", quote(name)));
    };
    let mut push = |run: usize, unit: Unit, factor: f64, cell: &str| {
        let whole = cell.bytes().all(|b| b.is_ascii_digit());
        let value = if whole {
            measured(cell, factor)
        } else {
            Err(format!("expected a whole number, got {}", quote(cell)))
        };
        if let Some(base) = collector.check(line, value) {
            let row = collector.push_for(
                &implementation,
                line,
                scenario.clone(),
                unit,
                Value::Number(base),
            );
            row.run = run as u32;
        }
    };
    match (scenario.side, cells.as_slice()) {
        (None, [_, ..]) => cells
            .iter()
            .enumerate()
            .for_each(|(run, cell)| push(run, Unit::Time, 1e-9, cell)),
        (Some(_), [icount]) => push(0, Unit::Instructions, 1.0, icount),
        (Some(_), [_, _, _, _]) => {
            for (cell, column) in cells.iter().zip(MEMORY) {
                let unit = if column == MEMORY[2] {
                    Unit::Memory
                } else {
                    Unit::Other(column.into())
                };
                push(0, unit, 1.0, cell);
            }
        }
        _ => collector.problem(
            line,
            format!(
                "{} figures: a side has 1 of instructions or 4 of memory: {}",
                cells.len(),
                quote(text)
            ),
        ),
    }
}

/// Reads `handshake_session_id_aws_lc_rs_1.3_ecdsap256_aes_client`: the side is missing where
/// both were timed together, the provider where there was but one.
fn scenario(name: &str) -> Option<(Implementation, Scenario)> {
    let (kind, rest) = KINDS
        .iter()
        .find_map(|(prefix, kind)| Some((kind, name.strip_prefix(prefix)?)))?;
    let (rest, side) = match rest.rsplit_once('_') {
        Some((rest, "client")) => (rest, Some(Side::Client)),
        Some((rest, "server")) => (rest, Some(Side::Server)),
        _ => (rest, None),
    };
    let at = rest.find("1.2_").or_else(|| rest.find("1.3_"))?;
    let (provider, parameters) = rest.split_at(at);
    let version = TlsVersion::from_word(&parameters[..3])?;
    let (key, cipher, variant) = match &parameters[4..] {
        "no_crypto" => (None, None, "no-crypto".to_owned()),
        parameters => {
            let (key, cipher) = parameters.split_once('_')?;
            (
                Some(self::key(key)?),
                Some(self::cipher(cipher)?),
                provider_name(provider)?,
            )
        }
    };
    let side = side.map(|side| match (kind.workload.clone(), side) {
        (Workload::Transfer, Side::Server) => Side::Sending,
        (Workload::Transfer, _) => Side::Receiving,
        (_, side) => side,
    });
    let variant: Vec<&str> = Some(variant.as_str())
        .filter(|v| !v.is_empty())
        .into_iter()
        .collect();
    let scenario = Scenario {
        version: Some(version),
        cipher,
        key,
        resumption: kind.resumption,
        side,
        ..Scenario::new(kind.workload.clone())
    };
    Some((Implementation::new("rustls", "", &variant), scenario))
}

struct Kind {
    workload: Workload,
    resumption: Option<Resumption>,
}

const KINDS: &[(&str, Kind)] = &[
    (
        "handshake_no_resume_",
        Kind {
            workload: Workload::FullHandshake,
            resumption: None,
        },
    ),
    (
        "handshake_session_id_",
        Kind {
            workload: Workload::ResumedHandshake,
            resumption: Some(Resumption::SessionId),
        },
    ),
    (
        "handshake_tickets_",
        Kind {
            workload: Workload::ResumedHandshake,
            resumption: Some(Resumption::Ticket),
        },
    ),
    (
        "transfer_no_resume_",
        Kind {
            workload: Workload::Transfer,
            resumption: None,
        },
    ),
];

fn key(word: &str) -> Option<KeyType> {
    match word {
        "rsa" => Some(KeyType::Rsa2048),
        // Without a curve in the years when there was but one.
        "ecdsa" | "ecdsap256" => Some(KeyType::EcdsaP256),
        "ecdsap384" => Some(KeyType::EcdsaP384),
        _ => None,
    }
}

fn cipher(word: &str) -> Option<Cipher> {
    match word {
        "aes" => Some(Cipher::Aes128Gcm),
        "chacha" => Some(Cipher::ChaCha20Poly1305),
        _ => None,
    }
}

/// `aws_lc_rs_` as `aws-lc-rs`; nothing where the name has no provider.
fn provider_name(prefix: &str) -> Option<String> {
    let word = prefix.strip_suffix('_').unwrap_or(prefix);
    let plain = word
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    (plain && (prefix.is_empty() || prefix.ends_with('_')) && word.len() <= 32)
        .then(|| word.replace('_', "-"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const ICOUNTS: &str = "\
handshake_no_resume_ring_1.2_rsa_aes_server,11327015
handshake_session_id_aws_lc_rs_1.3_ecdsap256_chacha_client,4327564
handshake_tickets_1.2_rsa_aes_server,11347746
transfer_no_resume_ring_1.3_ecdsap384_aes_server,8775780
transfer_no_resume_ring_1.3_ecdsap384_aes_client,8818847
handshake_no_resume_1.3_no_crypto_client,901234
";
    pub(in crate::parse) const WALLTIME: &str = "\
handshake_no_resume_ring_1.2_rsa_aes,6035261,1714158,977368
transfer_no_resume_aws_lc_rs_1.3_rsa_chacha,10192862,10374258,8988854
";

    #[test]
    fn instructions() {
        assert_eq!(
            read(Format::CiBench, "icounts.csv", ICOUNTS),
            [
                "1: rustls, ring: full handshakes, 1.2, aes-128-gcm, rsa, server = 11327015 instructions",
                "2: rustls, aws-lc-rs: resumed handshakes, 1.3, chacha20-poly1305, ecdsa, session id, client = 4327564 instructions",
                "3: rustls: resumed handshakes, 1.2, aes-128-gcm, ticket, server = 11347746 instructions",
                "4: rustls, ring: transfer, 1.3, aes-128-gcm, ecdsa-p384, sending = 8775780 instructions",
                "5: rustls, ring: transfer, 1.3, aes-128-gcm, ecdsa-p384, receiving = 8818847 instructions",
                "6: rustls, no-crypto: full handshakes, 1.3, client = 901234 instructions",
            ]
        );
    }

    #[test]
    fn wall_times_are_runs() {
        assert_eq!(
            read(Format::CiBench, "out", WALLTIME),
            [
                "1: rustls, ring: full handshakes, 1.2, aes-128-gcm, rsa = 6035261 ns",
                "1: rustls, ring: full handshakes, 1.2, aes-128-gcm, rsa = 1714158 ns, run 1",
                "1: rustls, ring: full handshakes, 1.2, aes-128-gcm, rsa = 977368 ns, run 2",
                "2: rustls, aws-lc-rs: transfer, 1.3, chacha20-poly1305 = 10192862 ns",
                "2: rustls, aws-lc-rs: transfer, 1.3, chacha20-poly1305 = 10374258 ns, run 1",
                "2: rustls, aws-lc-rs: transfer, 1.3, chacha20-poly1305 = 8988854 ns, run 2",
            ]
        );
    }

    #[test]
    fn memory() {
        assert_eq!(
            read(
                Format::CiBench,
                "memory.csv",
                "handshake_tickets_ring_1.3_rsa_aes_client,6512,91,4096,52 \n"
            ),
            [
                "1: rustls, ring: resumed handshakes, 1.3, aes-128-gcm, ticket, client = 6512 heap bytes in total",
                "1: rustls, ring: resumed handshakes, 1.3, aes-128-gcm, ticket, client = 91 heap blocks in total",
                "1: rustls, ring: resumed handshakes, 1.3, aes-128-gcm, ticket, client = 4 KiB",
                "1: rustls, ring: resumed handshakes, 1.3, aes-128-gcm, ticket, client = 52 heap blocks at peak",
            ]
        );
    }

    #[test]
    fn problems() {
        let broken = ICOUNTS
            .replace("_chacha", "_chacho")
            .replace("11347746", "1e3")
            .replace("8775780", "8775780,2");
        assert_eq!(
            read(Format::CiBench, "out", &broken),
            [
                "2! no scenario of ci-bench: `handshake_session_id_aws_lc_rs_1.3_ecdsap256_chacho_client`",
                "3! expected a whole number, got `1e3`",
                "4! 2 figures: a side has 1 of instructions or 4 of memory: `transfer_no_resume_ring_1.3_ecdsap384_aes_server,8775780,2`",
            ]
        );
    }
}
