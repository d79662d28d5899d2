//! Names of cipher suites.

use super::prelude::*;

impl CipherSuite {
    /// Parses a suite's name in rustls (`TLS13_AES_256_GCM_SHA384`,
    /// `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`), OpenSSL (`ECDHE-RSA-AES128-GCM-SHA256`,
    /// `TLS_AES_256_GCM_SHA384`) and published tables (`ECDHE_RSA_AES128-GCM_SHA256`).
    pub(super) fn parse(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase().replace('_', "-");
        let body = lower
            .strip_prefix("tls13-")
            .or_else(|| lower.strip_prefix("tls-"))
            .unwrap_or(&lower);
        let is_13 = !body.contains("with-") && body.len() < lower.len();
        let (exchange, cipher) = match body.split_once("with-") {
            Some((exchange, cipher)) => (exchange, cipher),
            None => split_exchange(body),
        };
        let cipher = match cipher {
            "aes-128-gcm-sha256" | "aes128-gcm-sha256" => Cipher::Aes128Gcm,
            "aes-256-gcm-sha384" | "aes256-gcm-sha384" => Cipher::Aes256Gcm,
            "chacha20-poly1305-sha256" => Cipher::ChaCha20Poly1305,
            // Published tables have ChaCha20-Poly1305 without its hash.
            word => Cipher::from_word(word)?,
        };
        let (version, key) = match exchange.trim_end_matches('-') {
            _ if is_13 => (TlsVersion::V1_3, None),
            e if e.ends_with("ecdsa") => (TlsVersion::V1_2, Some(KeyType::EcdsaP256)),
            e if e.ends_with("rsa") || e.is_empty() => (TlsVersion::V1_2, Some(KeyType::Rsa2048)),
            _ => (TlsVersion::V1_2, None),
        };
        Some(Self {
            version,
            cipher,
            key,
        })
    }

    /// Returns the scenario with this suite.
    pub(super) fn of(self, scenario: Scenario) -> Scenario {
        Scenario {
            version: Some(self.version),
            cipher: Some(self.cipher),
            key: self.key,
            ..scenario
        }
    }
}

/// Splits OpenSSL's TLS 1.2 names, which have no `WITH`, into key exchange and cipher.
fn split_exchange(body: &str) -> (&str, &str) {
    let cipher_at = ["aes", "chacha", "camellia", "aria", "des-"]
        .iter()
        .filter_map(|f| body.find(f))
        .min();
    body.split_at(cipher_at.unwrap_or(0))
}

#[cfg(test)]
#[path = "tests/suite.rs"]
mod tests;
