//! BoringSSL.

use crate::end::Stack;
use boring::ssl::{SslContextBuilder, SslContextRef, SslRef};
use boring_sys as ffi;
use foreign_types_boring::ForeignTypeRef;
use harness::{Cipher, MeasureError, Resumption, Scenario, TlsVersion};
use std::ffi::c_int;
use std::sync::OnceLock;

pub(crate) const NAME: &str = "BoringSSL";

/// Shares for the first of each kind are sent.
pub(crate) const BOTH_SHARES: &str = "X25519MLKEM768:X25519";

/// That of the crate it comes in, and named so.
pub(crate) fn version() -> String {
    let version = VERSION.get().expect("`main` sets it before anything asks");
    (*version).to_owned()
}

/// The version that [`version`] returns.
pub(crate) fn set_version(version: &'static str) {
    VERSION.get_or_init(|| version);
}

static VERSION: OnceLock<&str> = OnceLock::new();

/// An error for what only this library cannot do.
pub(crate) fn check(scenario: &Scenario) -> Result<(), MeasureError> {
    match (scenario.resumption, scenario.version_or_default()) {
        (Some(Resumption::SessionId), TlsVersion::V1_3) => Err(MeasureError::unsupported(
            "no stateful resumption in TLS 1.3",
        )),
        _ => Ok(()),
    }
}

pub(crate) fn set_suite(
    context: &mut SslContextBuilder,
    scenario: &Scenario,
) -> Result<(), MeasureError> {
    match (scenario.version_or_default(), scenario.cipher_or_default()) {
        (TlsVersion::V1_2, _) => {
            context.set_cipher_list(&scenario.suite_or_default().iana_name())?
        }
        // The first choice where the processor has AES.
        (TlsVersion::V1_3, Cipher::Aes128Gcm) => {}
        (TlsVersion::V1_3, Cipher::Aes256Gcm) if prefer_aes_256(context) => {}
        (TlsVersion::V1_3, cipher) => {
            let reason = format!("no way to choose {} in TLS 1.3", cipher.word());
            return Err(MeasureError::unsupported(reason));
        }
    }
    Ok(())
}

pub(crate) fn set_groups(context: &mut SslContextBuilder, names: &str) -> Result<(), Stack> {
    context.set_curves_list(names)
}

/// IANA's name of the negotiated group.
pub(crate) fn group(ssl: &SslRef) -> Option<String> {
    ssl.curve_name().map(|name| match name {
        "P-256" => "secp256r1".to_owned(),
        "P-384" => "secp384r1".to_owned(),
        other => other.to_owned(),
    })
}

/// Bytes of plaintext in a record; false if BoringSSL does not take so few or so many.
pub(crate) fn set_max_send_fragment(context: &SslContextRef, bytes: u32) -> bool {
    // SAFETY: the context lives as long as the call.
    unsafe { ffi::SSL_CTX_set_max_send_fragment(context.as_ptr(), bytes as usize) == 1 }
}

/// Puts AES-256-GCM before the other suites of TLS 1.3, which BoringSSL does not let one choose;
/// openssl-bench does the same.
fn prefer_aes_256(context: &mut SslContextBuilder) -> bool {
    let policy = ffi::ssl_compliance_policy_t::ssl_compliance_policy_cnsa_202407;
    // SAFETY: the context lives as long as the call.
    unsafe { ffi::SSL_CTX_set_compliance_policy(context.as_ptr(), policy) == 1 }
}

/// Makes a client not take its sessions for cached ones, so that it may use each more than once.
pub(crate) fn stop_caching(context: &SslContextRef) {
    // SAFETY: the context lives as long as the call.
    unsafe {
        ffi::SSL_CTX_set_session_cache_mode(context.as_ptr(), ffi::SSL_SESS_CACHE_SERVER as c_int);
    }
}

/// Says which end a connection is.
pub(crate) fn set_side(ssl: &mut SslRef, is_client: bool) {
    // SAFETY: the connection lives as long as the call.
    unsafe {
        if is_client {
            ffi::SSL_set_connect_state(ssl.as_ptr());
        } else {
            ffi::SSL_set_accept_state(ssl.as_ptr());
        }
    }
}
