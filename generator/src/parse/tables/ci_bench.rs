//! rustls ci-bench: names that contain the scenario, then integers. The name and the number of
//! columns determine their meaning:
//!
//! ```text
//! handshake_no_resume_ring_1.2_rsa_aes_server,11327015             icounts.csv: instructions
//! handshake_no_resume_ring_1.2_rsa_aes,6035261,1714158,977368      walltime: ns per iteration
//! handshake_no_resume_ring_1.2_rsa_aes_server,6512,91,4096,52      memory.csv: heap, see below
//! ```
//!
//! `aes` is AES-128-GCM and `chacha` ChaCha20-Poly1305; in transfers the server sends. Wall times
//! include both sides.

use super::echo;
use super::prelude::*;
use crate::base::limits::LINE;

pub(in crate::parse) fn recognise(head: &str) -> bool {
    let mut lines = head.lines().filter(|l| !l.trim().is_empty());
    let first = lines.next().and_then(|first| first.split_once(','));
    first.is_some_and(|(name, _)| scenario(name.trim()).is_some())
}

pub(in crate::parse) fn parse(text: &str, collector: &mut Collector) {
    let mut above = None;
    super::lines(text, LINE, collector, |line, collector| {
        let mut cells = line.trim().split(',');
        let name = cells.next().unwrap_or_default();
        let cells: Vec<&str> = cells.collect();
        let named = scenario(name).ok_or_else(|| cite("not a scenario of ci-bench:", name));
        let (implementation, scenario) = named?;
        let units = match (scenario.side, cells.len()) {
            (None, 1..) => vec![Unit::Time; cells.len()],
            (Some(_), 1) => vec![Unit::INSTRUCTIONS],
            // Columns of memory.csv: totals, then the state at the peak.
            (Some(_), 4) => vec![
                Unit::other("heap bytes in total"),
                Unit::other("heap blocks in total"),
                Unit::Memory,
                Unit::other("heap blocks at peak"),
            ],
            (_, count) => {
                let message = "figures: a side has 1 of instructions or 4 of memory:";
                return Err(cite(&format!("{count} {message}"), line.trim()));
            }
        };
        // A row that is cut after its first figure would be one of instructions.
        let above = *above.get_or_insert(cells.len());
        if cells.len() != above {
            let message = format!("{} figures, but the first row has {above}:", cells.len());
            return Err(cite(&message, line.trim()));
        }
        collector.of(implementation);
        for (index, (cell, unit)) in cells.iter().zip(units).enumerate() {
            let (factor, run) = match unit {
                Unit::Time => (1e-9, index as u32),
                _ => (1.0, 0),
            };
            let base = match is_integer(cell) {
                true => measured(cell, factor),
                false => Err(cite("expected a whole number, got", cell)),
            };
            if let Some(base) = collector.check(base) {
                collector.measured(scenario.clone(), unit, base).run = run;
            }
        }
        Ok(())
    });
}

/// `handshake_session_id_aws_lc_rs_1.3_ecdsap256_aes_client`: the side is missing if both were
/// timed together, the provider if there was only one.
static NAME: Pattern = Pattern::new(
    r"^(handshake_no_resume|handshake_session_id|handshake_tickets|transfer_no_resume)_(?:([a-z0-9_]{1,32})_)?(1\.[23])_(?:no_crypto|([^_]+)_(aes|chacha))(?:_(client|server))?$",
);

fn scenario(name: &str) -> Option<(Implementation, Scenario)> {
    let [_, test, provider, version, key, cipher, side] = NAME.groups(name)?;
    let test = echo::test(&test.replace('_', "-"))?;
    let side = match (side, &test.workload) {
        ("", _) => None,
        ("client", Workload::Transfer) => Some(Side::Receiving),
        (_, Workload::Transfer) => Some(Side::Sending),
        (side, _) => Side::from_word(side),
    };
    let (cipher, variant) = match cipher {
        "" => (None, "no-crypto"),
        "aes" => (Some(Cipher::Aes128Gcm), &*provider.replace('_', "-")),
        _ => (Some(Cipher::ChaCha20Poly1305), &*provider.replace('_', "-")),
    };
    let scenario = Scenario {
        version: TlsVersion::from_word(version),
        key: match key {
            "" => None,
            key => Some(echo::key_type(key)?),
        },
        cipher,
        side,
        ..test
    };
    Some((Implementation::new("rustls", "", &[variant]), scenario))
}
