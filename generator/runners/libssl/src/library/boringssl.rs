//! BoringSSL.

use crate::context::Context;
use crate::ffi;
use harness::{Cipher, MeasureError, Scenario, TlsVersion};
use std::ffi::CString;
use std::sync::OnceLock;

pub(crate) const NAME: &str = "BoringSSL";

/// The version of the crate with its sources: `boring-5.4.0`.
pub(crate) fn version() -> String {
    let version = VERSION.get().expect("`main` sets it before anything asks");
    (*version).to_owned()
}

/// Sets the result of [`version`].
pub(crate) fn set_version(version: &'static str) {
    VERSION.get_or_init(|| version);
}

static VERSION: OnceLock<&str> = OnceLock::new();

pub(crate) fn released() -> Option<String> {
    None
}

pub(crate) fn set_suite(context: &mut Context, scenario: &Scenario) -> Result<(), MeasureError> {
    match (scenario.version_or_default(), scenario.cipher_or_default()) {
        (TlsVersion::V1_2, _) => {
            let suite = CString::new(scenario.suite_or_default().iana_name())?;
            context.set_cipher_list(&suite)?;
        }
        // Preferred by default on processors with AES.
        (TlsVersion::V1_3, Cipher::Aes128Gcm) => {}
        (TlsVersion::V1_3, Cipher::Aes256Gcm) if prefer_aes_256(context) => {}
        (TlsVersion::V1_3, cipher) => {
            let reason = format!("no way to choose {} in TLS 1.3", cipher.word());
            return Err(MeasureError::unsupported(reason));
        }
    }
    Ok(())
}

/// Prefers AES-256-GCM in TLS 1.3 by a compliance policy, as openssl-bench does: BoringSSL has no
/// setting for the suites.
fn prefer_aes_256(context: &mut Context) -> bool {
    let policy = ffi::ssl_compliance_policy_t::ssl_compliance_policy_cnsa_202407;
    // SAFETY: the context lives as long as the call.
    unsafe { ffi::SSL_CTX_set_compliance_policy(context.as_ptr(), policy) == 1 }
}
