//! Scenario names of published tables: the 2023 comparison tables
//! (`handshake-ticket_1.2_ECDHE_RSA_AES256-GCM_SHA384_client`) and the calls of the SSL_writev
//! benchmark (`SSL_write() with memcpy [100, 50]`).

use crate::model::scenario::{
    Buffers, CipherSuite, Resumption, Scenario, Side, TlsVersion, Workload, WriteMethod,
};

/// Parses such a name; `None` for other names.
pub(super) fn scenario(name: &str) -> Option<Scenario> {
    let scenario = published_2023(name).or_else(|| ssl_write(name));
    scenario.map(Scenario::canonical)
}

fn published_2023(name: &str) -> Option<Scenario> {
    let (test, rest) = name.split_once('_')?;
    let (version, rest) = rest.split_once('_')?;
    let (suite, side) = rest.rsplit_once('_')?;
    let (workload, resumption) = match test {
        "bulk" => (Workload::Transfer, None),
        "handshake-full" => (Workload::FullHandshake, None),
        "handshake-session-id" => (Workload::ResumedHandshake, Some(Resumption::SessionId)),
        "handshake-ticket" => (Workload::ResumedHandshake, Some(Resumption::Ticket)),
        _ => return None,
    };
    let side = match side {
        "sent" => Side::Sending,
        "received" => Side::Receiving,
        word => Side::from_word(word)?,
    };
    // These names have the TLS 1.2 form of the suite for both versions, so only its cipher and key
    // are used.
    let suite = CipherSuite::parse(suite)?;
    Some(Scenario {
        version: Some(TlsVersion::from_word(version)?),
        cipher: Some(suite.cipher),
        key: suite.key,
        resumption,
        side: Some(side),
        ..Scenario::new(workload)
    })
}

fn ssl_write(name: &str) -> Option<Scenario> {
    let (method, buffers) = if let Some(rest) = name.strip_prefix("SSL_writev() ") {
        (WriteMethod::Vectored, rest)
    } else if let Some(rest) = name.strip_prefix("SSL_write() with memcpy ") {
        (WriteMethod::Copy, rest)
    } else {
        (WriteMethod::Each, name.strip_prefix("SSL_write() ")?)
    };
    Some(Scenario {
        buffers: Some(Buffers::from_word(&buffers.replace('\\', ""))?),
        method: Some(method),
        ..Scenario::new(Workload::Write)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_names() {
        for (name, label) in [
            (
                "bulk_1.2_ECDHE_RSA_AES128-GCM_SHA256_sent",
                "transfer, 1.2, aes-128-gcm, sending",
            ),
            (
                "bulk_1.2_ECDHE_RSA_CHACHA20_POLY1305_received",
                "transfer, 1.2, chacha20-poly1305, receiving",
            ),
            (
                "bulk_1.3_ECDHE_RSA_AES256-GCM_SHA384_sent",
                "transfer, 1.3, aes-256-gcm, sending",
            ),
            (
                "handshake-full_1.3_ECDHE_RSA_AES256-GCM_SHA384_server",
                "full handshakes, 1.3, rsa, server",
            ),
            (
                "handshake-session-id_1.2_ECDHE_RSA_AES256-GCM_SHA384_client",
                "resumed handshakes, 1.2, session id, client",
            ),
            (
                "handshake-ticket_1.3_ECDHE_RSA_AES256-GCM_SHA384_server",
                "resumed handshakes, 1.3, ticket, server",
            ),
            (
                "SSL_write() with memcpy [50] * 20",
                "writes, [50] * 20, copy and write",
            ),
            ("SSL_writev() [100, 50]", "writes, [100, 50], vectored"),
        ] {
            assert_eq!(scenario(name).map(|s| s.label()).as_deref(), Some(label));
        }
    }
}
