//! Addresses of pages, and ids of rows: distinct for each text, and deterministic.

use crate::base::slug::{is_device, slug};
use crate::files::hex_digest;
use crate::model::scenario::{Scenario, Workload};
use crate::report::Row;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Hexadecimal digits of a label's digest, enough for about ten thousand labels.
const DIGITS: usize = 12;

/// Returns an id for each row of a report, whose rows are sorted, for names of files: its label, and
/// its unit unless it is the first rate, time or amount of its scenario.
pub(super) fn rows(rows: &[Row]) -> Vec<String> {
    let mut wanted = Vec::new();
    let mut before = None;
    for row in rows {
        let label = row.scenario.label();
        let whole = format!("{label} {}", row.unit.symbol());
        let is_main = !row.unit.kind().is_count() && before != Some(&row.scenario);
        let id = slug(if is_main { &label } else { &whole });
        wanted.push((whole, id));
        before = Some(&row.scenario);
    }
    distinct(&wanted)
}

/// Returns an address for each scenario. Free benchmark names are prefixed with `benchmark`, so
/// that they cannot clash with known scenarios.
pub(super) fn scenarios<'a>(scenarios: impl Iterator<Item = &'a Scenario>) -> Vec<String> {
    let mut wanted = Vec::new();
    for scenario in scenarios {
        let label = scenario.label();
        let address = match scenario.workload {
            Workload::Other(_) => slug(&format!("benchmark {label}")),
            _ => slug(&label),
        };
        wanted.push((label, address));
    }
    distinct(&wanted)
}

/// Returns an address for each name of an implementation. All start with a letter, because Zola
/// strips a leading date.
pub(super) fn implementations<'a>(names: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let starts_well =
        |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_device(&slug(name));
    let wanted: Vec<(&str, String)> = names
        .iter()
        .map(|name| match starts_well(name) {
            true => (*name, slug(name)),
            false => (*name, slug(&format!("implementation {name}"))),
        })
        .collect();
    names.iter().copied().zip(distinct(&wanted)).collect()
}

/// Appends the text's digest to addresses that several texts would share, after two hyphens, which
/// no other address contains.
pub(super) fn distinct(wanted: &[(impl AsRef<str>, String)]) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for (_, address) in wanted {
        *uses.entry(address).or_default() += 1;
    }
    let mut addresses = Vec::new();
    for (text, address) in wanted {
        addresses.push(match uses[address.as_str()] {
            1 => address.clone(),
            _ => {
                let digest = hex_digest(text.as_ref().as_bytes());
                format!("{address}--{}", &digest[..DIGITS])
            }
        });
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(labels: &[&str]) -> Vec<String> {
        let named = labels.iter().map(|label| Scenario::other(*label));
        scenarios(named.collect::<Vec<_>>().iter())
    }

    #[test]
    fn known_scenarios_have_plain_addresses() {
        let labels = ["transfer, 1.2, aes-128-gcm, sending", "memory, 1.3"];
        let known = labels.map(|label| Scenario::from_label(label).expect("a label"));
        assert_eq!(
            scenarios(known.iter()),
            ["transfer-1-2-aes-128-gcm-sending", "memory-1-3"]
        );
    }

    #[test]
    fn no_two_labels_share_an_address() {
        let long = |end: &str| "x".repeat(300) + end;
        let labels = [
            "a b",
            "a-b",
            "a  b",
            "A/b",
            "…",
            "!",
            "../../etc/passwd",
            "CON",
            "2026-03-07",
            "a.b--0123456789ab",
            &long("1"),
            &long("2"),
            "memory, 1.3",
            "\u{202e}",
            "",
            "_index.md",
        ];
        let found = free(&labels);
        let distinct: BTreeSet<&String> = found.iter().collect();
        assert_eq!(distinct.len(), labels.len(), "{found:?}");
        for address in &found {
            assert!(
                address.starts_with("benchmark") && address.len() <= 120,
                "{address}"
            );
            let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(address.chars().all(safe), "{address}");
        }
        assert!(!found.contains(&"memory-1-3".to_owned()));
    }

    #[test]
    fn address_of_another_label_as_label_does_not_clash() {
        let first = free(&["a b", "a-b"]);
        let made = first[0].trim_start_matches("benchmark-").to_owned();
        let all = free(&["a b", "a-b", &made]);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 3, "{all:?}");
    }

    #[test]
    fn implementations_start_with_a_letter() {
        let names = BTreeSet::from(["rustls", "Mbed TLS", "2026-03-07-x", "…", "RUSTLS"]);
        let found = implementations(&names);
        assert_eq!(found["Mbed TLS"], "mbed-tls");
        assert_eq!(found["2026-03-07-x"], "implementation-2026-03-07-x");
        assert_eq!(found["…"], "implementation");
        assert!(found["rustls"] != found["RUSTLS"]);
        assert!(found["rustls"].starts_with("rustls--"));
    }
}
