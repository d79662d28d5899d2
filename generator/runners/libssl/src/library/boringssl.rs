//! BoringSSL.

use crate::config::Context;
use crate::ffi;
use crate::object::succeeded;
use harness::{Cipher, MeasureError, Scenario, TlsVersion};
use std::ffi::CString;
use std::ptr;
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
    if scenario.version_or_default() == TlsVersion::V1_2 {
        let suite = CString::new(scenario.suite_or_default().iana_name())?;
        return Ok(context.set_cipher_list(&suite)?);
    }
    // Numbers in IANA's registry.
    let suite: u16 = match scenario.cipher_or_default() {
        Cipher::Aes128Gcm => 0x1301,
        Cipher::Aes256Gcm => 0x1302,
        Cipher::ChaCha20Poly1305 => 0x1303,
        Cipher::Other(name) => {
            return Err(MeasureError::unsupported(format!("no {name} in TLS 1.3")));
        }
    };
    // SAFETY: the suite is copied, and null means no flags.
    let set = unsafe { ffi::SSL_CTX_set1_tls13_ciphers(context.as_ptr(), &suite, ptr::null(), 1) };
    Ok(succeeded(set)?)
}
