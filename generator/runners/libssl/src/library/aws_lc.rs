//! AWS-LC, a fork of BoringSSL.

use crate::config::Context;
use crate::ffi;
use crate::object::{succeeded, text};
use harness::{MeasureError, Scenario, TlsVersion};
use std::ffi::CString;

pub(crate) const NAME: &str = "AWS-LC";

/// Parses the library's text: `OpenSSL 1.1.1 (compatible; AWS-LC 5.12.0)`.
pub(crate) fn version() -> String {
    // SAFETY: the text is never freed.
    let text = unsafe { text(ffi::OpenSSL_version(0)) }.unwrap_or_default();
    let version = text.rsplit(' ').next().unwrap_or(text);
    version.trim_end_matches(')').to_owned()
}

pub(crate) fn released() -> Option<String> {
    None
}

pub(crate) fn set_suite(context: &mut Context, scenario: &Scenario) -> Result<(), MeasureError> {
    let suite = CString::new(scenario.suite_or_default().iana_name())?;
    match scenario.version_or_default() {
        TlsVersion::V1_2 => context.set_cipher_list(&suite)?,
        // SAFETY: the name is NUL-terminated, and copied.
        TlsVersion::V1_3 => {
            succeeded(unsafe { ffi::SSL_CTX_set_ciphersuites(context.as_ptr(), suite.as_ptr()) })?
        }
    }
    Ok(())
}
