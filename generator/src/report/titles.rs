//! The names of scenarios for people: `Full handshake, TLS 1.3, RSA-2048, X25519, client`. The
//! label stays the key in data, filters, commands and addresses.

use super::Row;
use crate::model::scale::group_thousands;
use crate::model::scenario::{Group, Scenario, Side, Workload};

/// What words of labels are called. Others with a digit are names in capitals.
const NAMES: [(&str, &str); 24] = [
    ("full handshakes", "full handshake"),
    ("resumed handshakes", "resumed handshake"),
    ("latency of full handshakes", "latency of a full handshake"),
    (
        "latency of resumed handshakes",
        "latency of a resumed handshake",
    ),
    ("writes", "write"),
    ("client hello", "ClientHello"),
    ("build CPU time", "CPU time of a build"),
    ("1.2", "TLS 1.2"),
    ("1.3", "TLS 1.3"),
    ("chacha20-poly1305", "ChaCha20-Poly1305"),
    ("rsa", "RSA-2048"),
    ("ecdsa", "ECDSA P-256"),
    ("ecdsa-p384", "ECDSA P-384"),
    ("ecdsa-p521", "ECDSA P-521"),
    ("ed25519", "Ed25519"),
    ("x25519mlkem768+x25519", "X25519MLKEM768 and X25519"),
    ("secp256r1", "P-256"),
    ("secp384r1", "P-384"),
    ("secp256r1mlkem768", "SecP256r1MLKEM768"),
    ("mutual", "client certificate"),
    ("unbuffered", "unbuffered API"),
    ("1 thread", "one thread"),
    ("min", "minimum"),
    ("max", "maximum"),
];

fn name(word: &str) -> String {
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == word) {
        return (*name).to_owned();
    }
    let (number, unit) = word.split_once([' ', '-']).unwrap_or_default();
    match (number.parse(), unit) {
        (Ok(n), "byte writes") => format!("writes of {}", bytes(n)),
        (Ok(n), "byte fragments") => format!("fragments of {}", bytes(n)),
        (Ok(_), unit) => format!("{} {unit}", group_thousands(number)),
        _ if word.contains(|c: char| c.is_ascii_digit()) => word.to_uppercase(),
        _ => word.to_owned(),
    }
}

/// The name of a key-exchange group: `X25519MLKEM768`.
pub(crate) fn group(group: Group) -> String {
    name(group.word())
}

/// `16 KiB`, `64 B`
pub(crate) fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    }
}

/// The work itself: `Full handshake`, `Sending`.
pub(crate) fn work(scenario: &Scenario) -> String {
    match (&scenario.workload, scenario.side) {
        (Workload::Other(name), _) => name.to_string(),
        (Workload::Transfer, Some(Side::Sending)) => "Sending".to_owned(),
        (Workload::Transfer, Some(Side::Receiving)) => "Receiving".to_owned(),
        (known, _) => {
            let name = name(known.word());
            let first = name[..1].to_uppercase();
            first + &name[1..]
        }
    }
}

/// The parts of a scenario's name, the work first.
pub(crate) fn parts(scenario: &Scenario) -> Vec<String> {
    let mut parts = vec![work(scenario)];
    // Buffers are a list in brackets, with commas of its own.
    let mut list = String::new();
    for word in scenario.details().split(", ") {
        list += word;
        if list.contains('[') && !list.contains(']') {
            list += ", ";
            continue;
        }
        match &*std::mem::take(&mut list) {
            "" | "sending" | "receiving" => {}
            word => parts.push(name(word)),
        }
    }
    parts
}

/// `Full handshake, TLS 1.3, RSA-2048, X25519, client`
pub(crate) fn title(scenario: &Scenario) -> String {
    parts(scenario).join(", ")
}

/// The name of the only row, else what rows are called together.
pub(crate) fn title_or(what: &str, rows: &[&Row]) -> String {
    match rows {
        [only] => title(&only.scenario),
        _ => what.to_owned(),
    }
}

/// What the names of several rows share, for a title, and of each row the rest.
pub(crate) fn shared(rows: &[&Row]) -> (Option<String>, Vec<String>) {
    let mut all: Vec<Vec<String>> = rows.iter().map(|row| parts(&row.scenario)).collect();
    let mut common = all.first().cloned().unwrap_or_default();
    common.retain(|part| all.iter().all(|parts| parts.contains(part)));
    let is_free = |row: &&Row| matches!(row.scenario.workload, Workload::Other(_));
    if rows.len() > 1 && rows.iter().all(is_free) {
        common.extend(take_ends(&mut all));
    }
    let mut own = Vec::new();
    for parts in &all {
        let mut rest = parts.clone();
        rest.retain(|part| !common.contains(part));
        own.push(if rest.is_empty() { parts } else { &rest }.join(", "));
    }
    let is_shared = rows.len() > 1 && !common.is_empty();
    (is_shared.then(|| common.join(", ")), own)
}

/// Takes from free names the path or module that they start with, and Go's prefix and number of processors:
/// `example.org/parser.Benchmark…-2`. `None` if they share nothing, or if that is all of a name.
fn take_ends(all: &mut [Vec<String>]) -> Option<String> {
    const GO: &str = "Benchmark";
    let names: Vec<String> = all.iter().map(|parts| parts[0].clone()).collect();
    let first = names.first()?;
    let starts = first.match_indices(['/', '.', ':']).map(|(at, _)| at + 1);
    let is_start = |end: &usize| names.iter().all(|name| name.starts_with(&first[..*end]));
    let mut start = starts.filter(is_start).max().unwrap_or(0);
    if names.iter().all(|name| name[start..].starts_with(GO)) {
        start += GO.len();
    }
    let number = first.rsplit_once('-').map_or("", |(_, number)| number);
    let is_end = |name: &String| {
        let processors = name
            .strip_suffix(number)
            .and_then(|name| name.strip_suffix('-'));
        processors.is_some_and(|name| name.len() > start)
    };
    let end = match number.parse::<u16>().is_ok() && names.iter().all(is_end) {
        true => number.len() + 1,
        false => 0,
    };
    if start + end == 0 || names.iter().any(|name| name.len() == start) {
        return None;
    }
    for (parts, name) in all.iter_mut().zip(&names) {
        parts[0] = name[start..name.len() - end].to_owned();
    }
    Some(format!(
        "{}…{}",
        &first[..start],
        &first[first.len() - end..]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people() {
        for (label, name) in [
            (
                "full handshakes, 1.3, rsa, x25519, client",
                "Full handshake, TLS 1.3, RSA-2048, X25519, client",
            ),
            (
                "transfer, 1.3, aes-256-gcm, sending, 4096-byte writes",
                "Sending, TLS 1.3, AES-256-GCM, writes of 4 KiB",
            ),
            (
                "resumed handshakes, 1.2, session id, server, mutual, 2 threads",
                "Resumed handshake, TLS 1.2, session id, server, client certificate, 2 threads",
            ),
            (
                "memory, 1.3, 10000 sessions",
                "Memory, TLS 1.3, 10,000 sessions",
            ),
            ("parse JSON, large", "parse JSON, large"),
        ] {
            let scenario = Scenario::from_label(label).expect(label);
            assert_eq!(title(&scenario), name);
        }
    }

    #[test]
    fn what_rows_share_is_said_once() {
        let labels = [
            "full handshakes, 1.3, rsa, x25519, client",
            "full handshakes, 1.3, ecdsa, x25519, client",
        ];
        let rows = labels.map(Row::example);
        let (common, own) = shared(&[&rows[0], &rows[1]]);
        assert_eq!(
            common.as_deref(),
            Some("Full handshake, TLS 1.3, X25519, client")
        );
        assert_eq!(own, ["RSA-2048", "ECDSA P-256"]);
        let of = |labels: &[&str]| {
            let rows: Vec<Row> = labels.iter().map(|label| Row::example(label)).collect();
            let (common, own) = shared(&rows.iter().collect::<Vec<_>>());
            format!("{}: {}", common.unwrap_or_default(), own.join(" "))
        };
        for (labels, expected) in [
            (
                ["a.org/x.BenchmarkGet/1-2", "a.org/x.BenchmarkGet-2"],
                "a.org/x.Benchmark…-2: Get/1 Get",
            ),
            (["BenchmarkA-2", "BenchmarkA-4"], "Benchmark…: A-2 A-4"),
            (["x::é", "x::ü"], "x::…: é ü"),
            (["x/", "x/a"], ": x/ x/a"),
            (["parse_a", "parse_b"], ": parse_a parse_b"),
            (["a-2", "-2"], ": a-2 -2"),
        ] {
            assert_eq!(of(&labels), expected);
        }
    }
}
