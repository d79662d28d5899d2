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

use super::echo::key_type;
use super::number::{is_integer, measured};
use super::{Collector, collector::cite};
use crate::implementation::Implementation;
use crate::observation::Value;
use crate::scenario::{Cipher, Resumption, Scenario, Side, TlsVersion, Workload};
use crate::unit::Unit;

pub(super) fn recognise(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim).filter(|l| !l.is_empty());
    let named = lines.next().and_then(|first| first.split_once(','));
    named.is_some_and(|(name, _)| scenario(name).is_some())
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    collector.lines(text, |line, collector| row(line.trim(), collector));
}

fn row(line: &str, collector: &mut Collector) -> Result<(), String> {
    let mut cells = line.split(',');
    let name = cells.next().unwrap_or_default();
    let (implementation, scenario) =
        scenario(name).ok_or_else(|| cite("no scenario of ci-bench:", name))?;
    let cells: Vec<&str> = cells.collect();
    let units = match (scenario.side, cells.len()) {
        (None, 1..) => vec![Unit::Time; cells.len()],
        (Some(_), 1) => vec![Unit::INSTRUCTIONS],
        // Columns of memory.csv: the whole run's, then those at the peak.
        (Some(_), 4) => vec![
            Unit::Other("heap bytes in total".into()),
            Unit::Other("heap blocks in total".into()),
            Unit::Memory,
            Unit::Other("heap blocks at peak".into()),
        ],
        (_, count) => {
            let message = "figures: a side has 1 of instructions or 4 of memory:";
            return Err(cite(&format!("{count} {message}"), line));
        }
    };
    for (index, (cell, unit)) in cells.iter().zip(units).enumerate() {
        let is_time = unit == Unit::Time;
        let base = match is_integer(cell) {
            true => measured(cell, if is_time { 1e-9 } else { 1.0 }),
            false => Err(cite("expected a whole number, got", cell)),
        };
        if let Some(base) = collector.check(base) {
            let row = collector.push(scenario.clone(), unit, Value::Number(base));
            row.implementation = Some(implementation.clone());
            row.run = if is_time { index as u32 } else { 0 };
        }
    }
    Ok(())
}

/// Reads `handshake_session_id_aws_lc_rs_1.3_ecdsap256_aes_client`: the side is missing where
/// both were timed together, the provider where there was but one.
fn scenario(name: &str) -> Option<(Implementation, Scenario)> {
    use {Resumption::*, Workload::*};
    let (rest, workload, resumption) = [
        ("handshake_no_resume_", FullHandshake, None),
        ("handshake_session_id_", ResumedHandshake, Some(SessionId)),
        ("handshake_tickets_", ResumedHandshake, Some(Ticket)),
        ("transfer_no_resume_", Transfer, None),
    ]
    .into_iter()
    .find_map(|(kind, w, r)| Some((name.strip_prefix(kind)?, w, r)))?;
    let (rest, side) = match (rest.rsplit_once('_'), &workload) {
        (Some((rest, "client")), Transfer) => (rest, Some(Side::Receiving)),
        (Some((rest, "server")), Transfer) => (rest, Some(Side::Sending)),
        (Some((rest, "client")), _) => (rest, Some(Side::Client)),
        (Some((rest, "server")), _) => (rest, Some(Side::Server)),
        _ => (rest, None),
    };
    let at = rest.find("1.2_").or_else(|| rest.find("1.3_"))?;
    let (provider, parameters) = rest.split_at(at);
    let (version, parameters) = parameters.split_once('_')?;
    let (key, cipher, variant) = match parameters {
        "no_crypto" => (None, None, "no-crypto".to_owned()),
        _ => {
            let (key, cipher) = parameters.split_once('_')?;
            let cipher = match cipher {
                "aes" => Cipher::Aes128Gcm,
                "chacha" => Cipher::ChaCha20Poly1305,
                _ => return None,
            };
            (Some(key_type(key)?), Some(cipher), provider_name(provider)?)
        }
    };
    let variant = [variant.as_str()];
    let variant = if variant == [""] { &[] } else { &variant[..] };
    let scenario = Scenario {
        version: Some(TlsVersion::from_word(version)?),
        cipher,
        key,
        resumption,
        side,
        ..Scenario::new(workload)
    };
    Some((Implementation::new("rustls", "", variant), scenario))
}

/// `aws_lc_rs_` as `aws-lc-rs`; nothing where the name has no provider.
fn provider_name(prefix: &str) -> Option<String> {
    let word = if prefix.is_empty() {
        ""
    } else {
        prefix.strip_suffix('_')?
    };
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    (word.bytes().all(is_plain) && word.len() <= 32).then(|| word.replace('_', "-"))
}
