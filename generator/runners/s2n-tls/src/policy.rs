//! s2n-tls has no settings for version, suite and group, only for security policies, which are
//! lists of these. This maps scenarios to policies that prefer what the scenario asks for. The
//! harness verifies the choice after the handshake.

use harness::{Cipher, Group, KeyType, MeasureError, Scenario, TlsVersion};

/// Returns the name of a scenario's policy, from `s2n_security_policies.c` of the release in the
/// lock file. Dated policies do not change.
pub(crate) fn of(scenario: &Scenario) -> Result<&'static str, MeasureError> {
    use Cipher::{Aes128Gcm, Aes256Gcm, ChaCha20Poly1305};
    use Group::{Secp256r1, Secp384r1, X25519, X25519MlKem768};
    let is_rsa = scenario.key_or_default() == KeyType::Rsa2048;
    let is_ml_dsa = scenario.key_or_default().is_ml_dsa();
    let policy = match (
        scenario.version_or_default(),
        scenario.cipher_or_default(),
        scenario.group,
    ) {
        // Policies with ML-DSA and X25519MLKEM768 prefer AES-128.
        (_, Aes256Gcm | ChaCha20Poly1305, _) if is_ml_dsa => return Err(none()),
        (TlsVersion::V1_2, Aes128Gcm, None | Some(Secp256r1)) => "20240501",
        (TlsVersion::V1_2, Aes256Gcm, None | Some(Secp256r1)) => "CloudFront-Upstream-TLS-1-2",
        (TlsVersion::V1_2, ChaCha20Poly1305, None | Some(Secp256r1)) if is_rsa => "20190122",
        // Without a group in the label, that of this release's policy `default`.
        (TlsVersion::V1_3, Aes128Gcm, None | Some(X25519MlKem768)) => "20250721",
        (TlsVersion::V1_3, Aes128Gcm, Some(X25519)) => "20240417",
        (TlsVersion::V1_3, Aes128Gcm, Some(Secp256r1)) => "20240503",
        (TlsVersion::V1_3, Aes256Gcm, None | Some(X25519MlKem768)) => "PQ-TLS-1-2-2024-10-09",
        (TlsVersion::V1_3, Aes256Gcm, Some(X25519)) => "20190801",
        (TlsVersion::V1_3, Aes256Gcm, Some(Secp256r1)) => "20190802",
        (TlsVersion::V1_3, Aes256Gcm, Some(Secp384r1)) => "20250414",
        _ => return Err(none()),
    };
    Ok(policy)
}

fn none() -> MeasureError {
    MeasureError::unsupported("no security policy of s2n-tls prefers this")
}
