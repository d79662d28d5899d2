//! Record ciphers and the cipher suites that name them.

use super::parameters::{KeyType, TlsVersion};
use std::sync::Arc;

/// The cipher that protects records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cipher {
    /// AES-128-GCM
    Aes128Gcm,
    /// AES-256-GCM
    Aes256Gcm,
    /// ChaCha20-Poly1305
    ChaCha20Poly1305,
    /// Another cipher, in lower case with hyphens: `aes-128-cbc-sha`.
    Other(Arc<str>),
}

/// A parsed cipher suite name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CipherSuite {
    /// The protocol version that the suite belongs to.
    pub version: TlsVersion,
    /// The record cipher.
    pub cipher: Cipher,
    /// The key type in names of TLS 1.2 suites. For "RSA" and "ECDSA" that of the reference tools,
    /// RSA-2048 and P-256.
    pub key: Option<KeyType>,
}

impl Cipher {
    /// The word for this cipher.
    pub fn word(&self) -> &str {
        match self {
            Self::Aes128Gcm => "aes-128-gcm",
            Self::Aes256Gcm => "aes-256-gcm",
            Self::ChaCha20Poly1305 => "chacha20-poly1305",
            Self::Other(word) => word,
        }
    }

    /// Parses a word. Words of other ciphers must start with the name of a cipher family.
    pub fn from_word(word: &str) -> Option<Self> {
        const FAMILIES: &[&str] = &[
            "aes", "chacha", "camellia", "aria", "3des", "des", "null", "ascon",
        ];
        match word {
            "aes-128-gcm" => Some(Self::Aes128Gcm),
            "aes-256-gcm" => Some(Self::Aes256Gcm),
            "chacha20-poly1305" => Some(Self::ChaCha20Poly1305),
            _ => {
                let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
                let is_known = FAMILIES.iter().any(|family| word.starts_with(family));
                (is_known && word.bytes().all(is_plain)).then(|| Self::Other(word.into()))
            }
        }
    }
}

impl CipherSuite {
    /// Parses a suite's name in rustls (`TLS13_AES_256_GCM_SHA384`,
    /// `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`), OpenSSL (`ECDHE-RSA-AES128-GCM-SHA256`,
    /// `TLS_AES_256_GCM_SHA384`) and published tables (`ECDHE_RSA_AES128-GCM_SHA256`).
    pub fn parse(name: &str) -> Option<Self> {
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

    /// Returns IANA's name: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`. TLS 1.2 suites with ECDSA are
    /// used for Ed25519 too (RFC 8422). Without a key the suite with RSA is assumed.
    pub fn iana_name(&self) -> String {
        use KeyType::{Rsa2048, Rsa3072, Rsa4096};
        let exchange = match (self.version, self.key) {
            (TlsVersion::V1_3, _) => "",
            (TlsVersion::V1_2, None | Some(Rsa2048 | Rsa3072 | Rsa4096)) => "ECDHE_RSA_WITH_",
            (TlsVersion::V1_2, Some(_)) => "ECDHE_ECDSA_WITH_",
        };
        let cipher = match &self.cipher {
            Cipher::Aes128Gcm => "AES_128_GCM_SHA256",
            Cipher::Aes256Gcm => "AES_256_GCM_SHA384",
            Cipher::ChaCha20Poly1305 => "CHACHA20_POLY1305_SHA256",
            Cipher::Other(word) => &word.to_ascii_uppercase().replace('-', "_"),
        };
        format!("TLS_{exchange}{cipher}")
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
mod tests {
    use super::*;

    #[test]
    fn suite_names() {
        for (name, parsed) in [
            (
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                "1.2 aes-128-gcm rsa",
            ),
            (
                "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                "1.2 aes-256-gcm ecdsa",
            ),
            (
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                "1.2 chacha20-poly1305 rsa",
            ),
            ("TLS13_AES_256_GCM_SHA384", "1.3 aes-256-gcm"),
            ("TLS13_CHACHA20_POLY1305_SHA256", "1.3 chacha20-poly1305"),
            ("TLS_AES_256_GCM_SHA384", "1.3 aes-256-gcm"),
            ("ECDHE-RSA-AES128-GCM-SHA256", "1.2 aes-128-gcm rsa"),
            ("ECDHE-ECDSA-AES256-GCM-SHA384", "1.2 aes-256-gcm ecdsa"),
            ("ECDHE-RSA-CHACHA20-POLY1305", "1.2 chacha20-poly1305 rsa"),
            ("AES128-GCM-SHA256", "1.2 aes-128-gcm rsa"),
            ("ECDHE_RSA_AES128-GCM_SHA256", "1.2 aes-128-gcm rsa"),
            ("ECDHE-RSA-AES128-SHA", "1.2 aes128-sha rsa"),
        ] {
            let suite = CipherSuite::parse(name).expect(name);
            let key = suite.key.map_or("", KeyType::word);
            let found = format!("{} {} {key}", suite.version, suite.cipher.word());
            assert_eq!(found.trim_end(), parsed, "{name}");
        }
        assert_eq!(CipherSuite::parse("ROT13"), None);
    }

    #[test]
    fn iana_names() {
        for name in [
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
            "TLS_CHACHA20_POLY1305_SHA256",
        ] {
            let suite = CipherSuite::parse(name).expect(name);
            assert_eq!(suite.iana_name(), name);
        }
    }
}
