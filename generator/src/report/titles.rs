//! The names of scenarios for people: `Full handshake, TLS 1.3, RSA-2048, X25519, client`. The
//! label stays the key in data, filters, commands and addresses.

use super::Row;
use crate::model::scale::group_thousands;
use crate::model::scenario::{
    Cipher, Group, KeyType, Percentile, Resumption, Scenario, Side, Workload,
};
use std::borrow::Cow;

/// The name of a cipher: `AES-256-GCM`.
fn cipher(cipher: &Cipher) -> Cow<'_, str> {
    match cipher {
        Cipher::ChaCha20Poly1305 => "ChaCha20-Poly1305".into(),
        other => other.word().to_uppercase().into(),
    }
}

/// The name of a key type: `RSA-2048`.
fn key(key: KeyType) -> &'static str {
    match key {
        KeyType::Rsa2048 => "RSA-2048",
        KeyType::Rsa3072 => "RSA-3072",
        KeyType::Rsa4096 => "RSA-4096",
        KeyType::EcdsaP256 => "ECDSA P-256",
        KeyType::EcdsaP384 => "ECDSA P-384",
        KeyType::EcdsaP521 => "ECDSA P-521",
        KeyType::Ed25519 => "Ed25519",
        KeyType::MlDsa44 => "ML-DSA-44",
        KeyType::MlDsa65 => "ML-DSA-65",
        KeyType::MlDsa87 => "ML-DSA-87",
    }
}

/// The name of a key-exchange group: `X25519MLKEM768`.
pub(crate) fn group(group: Group) -> &'static str {
    match group {
        Group::X25519 => "X25519",
        Group::X25519MlKem768 => "X25519MLKEM768",
        Group::Both => "X25519MLKEM768 and X25519",
        Group::Secp256r1 => "P-256",
        Group::Secp384r1 => "P-384",
        Group::Secp256r1MlKem768 => "SecP256r1MLKEM768",
    }
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
    let name = match (&scenario.workload, scenario.side) {
        (Workload::Transfer, Some(Side::Sending)) => "Sending",
        (Workload::Transfer, Some(Side::Receiving)) => "Receiving",
        (Workload::Transfer, _) => "Transfer",
        (Workload::FullHandshake, _) => "Full handshake",
        (Workload::ResumedHandshake, _) => "Resumed handshake",
        (Workload::Memory, _) => "Memory",
        (Workload::FullLatency, _) => "Latency of a full handshake",
        (Workload::ResumedLatency, _) => "Latency of a resumed handshake",
        (Workload::Write, _) => "Write",
        (Workload::ClientHello, _) => "ClientHello",
        (Workload::Footprint, _) => "Footprint",
        (Workload::Build, _) => "Build time",
        (Workload::BuildCpu, _) => "CPU time of a build",
        (Workload::Other(name), _) => name,
    };
    name.to_owned()
}

/// The parts of a scenario's name, the work first.
pub(crate) fn parts(scenario: &Scenario) -> Vec<String> {
    let Scenario {
        workload,
        threads,
        mutual,
        unbuffered,
        fragment,
        write_size,
        version,
        cipher: records,
        key: of_key,
        group: of_group,
        resumption,
        buffers,
        method,
        sessions,
        side,
        percentile,
    } = scenario;
    let is_of_transfer = *workload == Workload::Transfer;
    let mut parts = vec![work(scenario)];
    parts.extend(version.map(|version| format!("TLS {version}")));
    parts.extend(records.as_ref().map(|of| cipher(of).into_owned()));
    parts.extend(of_key.map(|of| key(of).to_owned()));
    parts.extend(of_group.map(|of| group(of).to_owned()));
    parts.extend(resumption.map(|how| match how {
        Resumption::SessionId => "session id".to_owned(),
        Resumption::Ticket => "ticket".to_owned(),
    }));
    parts.extend(buffers.as_ref().map(|of| of.word().to_string()));
    parts.extend(method.map(|of| of.word().to_owned()));
    parts.extend(sessions.map(|n| format!("{} sessions", group_thousands(&n.to_string()))));
    parts.extend(
        side.filter(|_| !is_of_transfer)
            .map(|side| side.word().to_owned()),
    );
    parts.extend(mutual.then(|| "client certificate".to_owned()));
    parts.extend(unbuffered.then(|| "unbuffered API".to_owned()));
    parts.extend(write_size.map(|n| format!("writes of {}", bytes(n))));
    parts.extend(fragment.map(|n| format!("fragments of {}", bytes(n.into()))));
    parts.extend(threads.map(|n| match n {
        1 => "one thread".to_owned(),
        n => format!("{n} threads"),
    }));
    parts.extend(percentile.map(|of| match of {
        Percentile::Min => "minimum".to_owned(),
        Percentile::Max => "maximum".to_owned(),
        of => of.word().to_owned(),
    }));
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

/// The parts of the names of some rows that all share, for a title, and of each row the others.
pub(crate) fn shared(rows: &[&Row]) -> (Vec<String>, Vec<String>) {
    let all: Vec<Vec<String>> = rows.iter().map(|row| parts(&row.scenario)).collect();
    let mut common = all.first().cloned().unwrap_or_default();
    common.retain(|part| all.iter().all(|parts| parts.contains(part)));
    let mut own = Vec::new();
    for parts in &all {
        let rest: Vec<&str> = parts
            .iter()
            .filter(|part| !common.contains(part))
            .map(String::as_str)
            .collect();
        own.push(match rest.is_empty() {
            true => parts.join(", "),
            false => rest.join(", "),
        });
    }
    (common, own)
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
        assert_eq!(common, ["Full handshake", "TLS 1.3", "X25519", "client"]);
        assert_eq!(own, ["RSA-2048", "ECDSA P-256"]);
    }
}
