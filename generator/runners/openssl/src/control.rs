//! What OpenSSL's C API has and the `openssl` crate does not pass on.
#![allow(unsafe_code)]

use foreign_types_shared::ForeignTypeRef;
use openssl::ssl::{SslContextRef, SslRef, SslSessionRef};
use openssl_sys as ffi;
use std::ffi::{c_int, c_long};
use std::ptr;

// <openssl/ssl.h> of OpenSSL 3.0.
const SET_SESS_CACHE_MODE: c_int = 44;
const SET_MAX_SEND_FRAGMENT: c_int = 52;
const GET_NEGOTIATED_GROUP: c_int = 134;
const CACHE_SERVER: c_long = 2;

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
pub(crate) fn negotiated_group(ssl: &SslRef) -> c_long {
    // SAFETY: the connection lives as long as the call, and the command takes no argument.
    unsafe { ffi::SSL_ctrl(ssl.as_ptr(), GET_NEGOTIATED_GROUP, 0, ptr::null_mut()) }
}

/// Offers to resume `session`, which must come from a connection of the same context.
pub(crate) fn resume(ssl: &mut SslRef, session: &SslSessionRef) -> Result<(), super::end::Stack> {
    // SAFETY: every session of a `config::OpenSsl` comes from a client of its one context.
    unsafe { ssl.set_session(session) }
}
