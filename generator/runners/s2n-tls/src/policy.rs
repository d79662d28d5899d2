//! s2n-tls lets one choose neither a version nor a suite nor a group, but one of its security
//! policies, which are lists of these. Here are the policies whose first choice, on both ends, is
//! what a scenario asks for; that it was chosen indeed is verified after the handshake.

use harness::{Cipher, Group, KeyType, MeasureError, Scenario, TlsVersion};

/// Names are from `s2n_security_policies.c` of the release in the lock file; dated ones do not
/// change.
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
        // Those with keys of ML-DSA and with X25519MLKEM768 take AES-128 first.
        (_, Aes256Gcm | ChaCha20Poly1305, _) if is_ml_dsa => return Err(none()),
        (TlsVersion::V1_2, Aes128Gcm, None | Some(Secp256r1)) => "20240501",
        (TlsVersion::V1_2, Aes256Gcm, None | Some(Secp256r1)) => "CloudFront-Upstream-TLS-1-2",
        (TlsVersion::V1_2, ChaCha20Poly1305, None | Some(Secp256r1)) if is_rsa => "20190122",
        // Where the label says nothing, the group that the policy `default` of this release takes.
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
