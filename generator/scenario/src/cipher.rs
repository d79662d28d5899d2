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
