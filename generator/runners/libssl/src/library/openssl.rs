//! OpenSSL, 3 and later.

use crate::end::Stack;
use foreign_types_openssl::ForeignTypeRef;
use harness::{MeasureError, Scenario, TlsVersion};
use openssl::nid::Nid;
use openssl::ssl::{SslContextBuilder, SslContextRef, SslRef, cipher_name};
use openssl_sys as ffi;
use std::ffi::{c_int, c_long};
use std::ptr;

pub(crate) const NAME: &str = "OpenSSL";

/// With a star, a share is sent (OpenSSL 3.5).
pub(crate) const BOTH_SHARES: &str = "*X25519MLKEM768:*X25519";

// <openssl/ssl.h> of OpenSSL 3.0.
const SET_SESS_CACHE_MODE: c_int = 44;
const SET_MAX_SEND_FRAGMENT: c_int = 52;
const GET_NEGOTIATED_GROUP: c_int = 134;
const CACHE_SERVER: c_long = 2;

/// Of the library that runs, not of the headers: `OpenSSL 3.0.19 27 Jan 2026`.
pub(crate) fn version() -> String {
    let text = openssl::version::version();
    text.split(' ').nth(1).unwrap_or(text).to_owned()
}

/// An error for what only this library cannot do: nothing.
pub(crate) fn check(_: &Scenario) -> Result<(), MeasureError> {
    Ok(())
}

pub(crate) fn set_side(ssl: &mut SslRef, is_client: bool) {
    match is_client {
        true => ssl.set_connect_state(),
        false => ssl.set_accept_state(),
    }
}

pub(crate) fn set_suite(
    context: &mut SslContextBuilder,
    scenario: &Scenario,
) -> Result<(), MeasureError> {
    let suite = scenario.suite_or_default().iana_name();
    match scenario.version_or_default() {
        TlsVersion::V1_2 => context.set_cipher_list(cipher_name(&suite))?,
        TlsVersion::V1_3 => context.set_ciphersuites(&suite)?,
    }
    Ok(())
}

pub(crate) fn set_groups(context: &mut SslContextBuilder, names: &str) -> Result<(), Stack> {
    context.set_groups_list(names)
}

/// Bytes of plaintext in a record; false if OpenSSL does not take so few or so many.
pub(crate) fn set_max_send_fragment(context: &SslContextRef, bytes: u32) -> bool {
    control(context, SET_MAX_SEND_FRAGMENT, c_long::from(bytes)) == 1
}

/// Makes a client not take its sessions for cached ones: else OpenSSL lets it use each ticket
/// of TLS 1.3 only once.
pub(crate) fn stop_caching(context: &SslContextRef) {
    control(context, SET_SESS_CACHE_MODE, CACHE_SERVER);
}

fn control(context: &SslContextRef, command: c_int, argument: c_long) -> c_long {
    // SAFETY: the context lives as long as the call, and both commands take a number only.
    unsafe { ffi::SSL_CTX_ctrl(context.as_ptr(), command, argument, ptr::null_mut()) }
}

/// The group's NID, or its IANA number with the bit `0x1000000` where it has no NID.
fn negotiated_group(ssl: &SslRef) -> c_long {
    // SAFETY: the connection lives as long as the call, and the command takes no argument.
    unsafe { ffi::SSL_ctrl(ssl.as_ptr(), GET_NEGOTIATED_GROUP, 0, ptr::null_mut()) }
}

/// IANA's name of the negotiated group.
pub(crate) fn group(ssl: &SslRef) -> Option<String> {
    /// Groups without a NID; their numbers are IANA's.
    const NO_NID: i32 = 0x100_0000;
    const SECP256R1_ML_KEM_768: i32 = 4587;
    const X25519_ML_KEM_768: i32 = 4588;
    let number = i32::try_from(negotiated_group(ssl))
        .ok()
        .filter(|n| *n > 0)?;
    if number == NO_NID | X25519_ML_KEM_768 {
        return Some("X25519MLKEM768".to_owned());
    }
    if number == NO_NID | SECP256R1_ML_KEM_768 {
        return Some("SecP256r1MLKEM768".to_owned());
    }
    match Nid::from_raw(number).short_name() {
        Ok("prime256v1") => Some("secp256r1".to_owned()),
        Ok(name) => Some(name.to_owned()),
        Err(_) => Some(format!("group {number:#x}")),
    }
}
