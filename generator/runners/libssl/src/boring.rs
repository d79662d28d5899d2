//! BoringSSL, and AWS-LC, which is a fork of it.
#![allow(unsafe_code)]

use crate::config::Context;
use crate::ffi;
use crate::object::{Owned, succeeded, text};
use harness::{MeasureError, Resumption, Scenario, TlsVersion};
use std::ffi::{CString, c_int};

pub(crate) const NAME: &str = match cfg!(feature = "aws-lc") {
    true => "AWS-LC",
    false => "BoringSSL",
};

/// Parses AWS-LC's text: `OpenSSL 1.1.1 (compatible; AWS-LC 5.12.0)`.
#[cfg(feature = "aws-lc")]
pub(crate) fn version() -> String {
    // SAFETY: the text is never freed.
    let text = unsafe { text(ffi::OpenSSL_version(0)) }.expect("AWS-LC names its version");
    let version = text.rsplit(' ').next().unwrap_or(text);
    version.trim_end_matches(')').to_owned()
}

/// BoringSSL has no releases: the version of the crate with its sources.
#[cfg(feature = "boringssl")]
pub(crate) fn version() -> String {
    concat!("boring-", env!("BORING_VERSION")).to_owned()
}

pub(crate) fn released() -> Option<String> {
    None
}

pub(crate) fn set_suite(context: &mut Context, scenario: &Scenario) -> Result<(), MeasureError> {
    if scenario.version_or_default() == TlsVersion::V1_2 {
        let suite = CString::new(scenario.suite_or_default().iana_name())?;
        return Ok(context.set_cipher_list(&suite)?);
    }
    // SAFETY: names are NUL-terminated, and suites are copied.
    let set = unsafe {
        #[cfg(feature = "aws-lc")]
        {
            let suite = CString::new(scenario.suite_or_default().iana_name())?;
            ffi::SSL_CTX_set_ciphersuites(context.as_ptr(), suite.as_ptr())
        }
        #[cfg(feature = "boringssl")]
        {
            // Numbers in IANA's registry.
            let suite: u16 = match scenario.cipher_or_default() {
                harness::Cipher::Aes128Gcm => 0x1301,
                harness::Cipher::Aes256Gcm => 0x1302,
                harness::Cipher::ChaCha20Poly1305 => 0x1303,
                other => return Err(MeasureError::unsupported(format!("no {}", other.word()))),
            };
            let flags = std::ptr::null();
            ffi::SSL_CTX_set1_tls13_ciphers(context.as_ptr(), &suite, flags, 1)
        }
    };
    Ok(succeeded(set)?)
}

/// None: these libraries send a share each for the first post-quantum and the first classical group.
pub(crate) const MARK_OF_SHARES: &str = "";

/// Fails if a scenario is unsupported by these libraries.
pub(crate) fn check(scenario: &Scenario) -> Result<(), MeasureError> {
    match (scenario.resumption, scenario.version_or_default()) {
        (Some(Resumption::SessionId), TlsVersion::V1_3) => Err(MeasureError::unsupported(
            "no stateful resumption in TLS 1.3",
        )),
        _ => Ok(()),
    }
}

/// Sends a server's tickets after the handshake. These libraries keep them until the first write,
/// which may be empty, and is then no record.
///
/// # Safety
/// `ssl` is a connection.
pub(crate) unsafe fn send_tickets(ssl: *mut ffi::SSL) -> c_int {
    // SAFETY: guaranteed by the caller; nothing is read.
    match unsafe { ffi::SSL_write(ssl, [].as_ptr(), 0) } {
        0 => 1,
        failed => failed,
    }
}

/// Returns the name of the negotiated group, which is IANA's of those that are measured.
pub(crate) fn group(ssl: &Owned<ffi::SSL>) -> Option<String> {
    // SAFETY: the connection lives as long as the calls, and names are never freed.
    let name = unsafe { text(ffi::SSL_get_group_name(ffi::SSL_get_group_id(ssl.as_ptr()))) };
    name.map(str::to_owned)
}
