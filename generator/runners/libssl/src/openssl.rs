//! OpenSSL, from 1.1.1 on.
#![allow(unsafe_code)]

use crate::config::Context;
use crate::ffi;
use crate::object::{Owned, succeeded, text};
use harness::{MeasureError, Scenario, TlsVersion};
use std::ffi::{CString, c_int};
use std::ptr;

pub(crate) const NAME: &str = "OpenSSL";

/// Precedes each group for which a share is sent, if there are several (OpenSSL 3.5).
pub(crate) const MARK_OF_SHARES: &str = "*";

/// The version of the linked library, not of its headers: `3.0.19`.
pub(crate) fn version() -> String {
    let text = about();
    text.split_whitespace().nth(1).unwrap_or(text).to_owned()
}

/// The release day in the library's text.
pub(crate) fn released() -> Option<String> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = about().split_whitespace().skip(2);
    let day: u8 = words.next()?.parse().ok()?;
    let month = words.next().filter(|word| word.len() == 3)?;
    let month = MONTHS.find(month)? / 3 + 1;
    let year: u16 = words.next()?.parse().ok()?;
    Some(format!("{year}-{month:02}-{day:02}"))
}

/// `OpenSSL 3.0.19 27 Jan 2026`
fn about() -> &'static str {
    // SAFETY: the text is never freed.
    unsafe { text(ffi::OpenSSL_version(0)) }.expect("OpenSSL names its version")
}

/// Fails if a scenario is unsupported by this library: never.
pub(crate) fn check(_: &Scenario) -> Result<(), MeasureError> {
    Ok(())
}

pub(crate) fn set_suite(context: &mut Context, scenario: &Scenario) -> Result<(), MeasureError> {
    let suite = CString::new(scenario.suite_or_default().iana_name())?;
    // SAFETY: the names are NUL-terminated; those of OpenSSL are never freed.
    unsafe {
        match scenario.version_or_default() {
            TlsVersion::V1_2 => {
                let name = text(ffi::OPENSSL_cipher_name(suite.as_ptr()));
                let name = CString::new(name.ok_or("no such suite")?)?;
                context.set_cipher_list(&name)?;
            }
            TlsVersion::V1_3 => succeeded(ffi::SSL_CTX_set_ciphersuites(
                context.as_ptr(),
                suite.as_ptr(),
            ))?,
        }
    }
    Ok(())
}

/// Sends a server's tickets after the handshake: they are sent in it.
pub(crate) unsafe fn send_tickets(_: *mut ffi::SSL) -> c_int {
    1
}

/// Returns IANA's name of the negotiated group. OpenSSL 1.1.1 has it for servers only.
pub(crate) fn group(ssl: &Owned<ffi::SSL>) -> Option<String> {
    /// `SSL_CTRL_GET_NEGOTIATED_GROUP` of OpenSSL 3.0.
    const NEGOTIATED: c_int = 134;
    /// `SSL_CTRL_GET_SHARED_GROUP`: the first that both ends support, which is the negotiated one,
    /// since the client prefers it too, and 1.1.1 sends a share for its first group alone.
    const FIRST_SHARED: c_int = 93;
    /// It has no NID, so the lower half is IANA's number.
    const X25519_ML_KEM_768: c_int = 0x100_0000 | 4588;
    let number = |command| {
        // SAFETY: the connection lives as long as the call, and the commands take no pointer.
        let number = unsafe { ffi::SSL_ctrl(ssl.as_ptr(), command, 0, ptr::null_mut()) };
        // Commands that a library does not know have no result.
        c_int::try_from(number).ok().filter(|number| *number > 0)
    };
    let name = match number(NEGOTIATED).or_else(|| number(FIRST_SHARED))? {
        X25519_ML_KEM_768 => "X25519MLKEM768",
        // SAFETY: the text is never freed.
        number => match unsafe { text(ffi::OBJ_nid2sn(number)) } {
            Some("prime256v1") => "secp256r1",
            Some(name) => name,
            None => return Some(format!("group {number:#x}")),
        },
    };
    Some(name.to_owned())
}
