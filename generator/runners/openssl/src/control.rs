//! What OpenSSL's C API has and the `openssl` crate does not pass on.
#![allow(unsafe_code)]

use crate::end::Stack;
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
// <openssl/bio.h>
const PENDING: c_int = 10;

unsafe extern "C" {
    fn SSL_set0_wbio(ssl: *mut ffi::SSL, bio: *mut ffi::BIO);
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
pub(crate) fn negotiated_group(ssl: &SslRef) -> c_long {
    // SAFETY: the connection lives as long as the call, and the command takes no argument.
    unsafe { ffi::SSL_ctrl(ssl.as_ptr(), GET_NEGOTIATED_GROUP, 0, ptr::null_mut()) }
}

/// Makes the connection write to a memory BIO, as openssl-bench does: what a program without
/// sockets of its own uses.
pub(crate) fn write_to_memory(ssl: &SslRef) -> Result<(), Stack> {
    // SAFETY: the connection takes the BIO over, and lets go of one reference to its old one.
    unsafe {
        let bio = ffi::BIO_new(ffi::BIO_s_mem());
        if bio.is_null() {
            return Err(Stack::get());
        }
        SSL_set0_wbio(ssl.as_ptr(), bio);
    }
    Ok(())
}

/// Takes all that was written to memory, behind what is in `bytes`.
pub(crate) fn take_written(ssl: &SslRef, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    // SAFETY: a connection of `write_to_memory` has a BIO, which writes no more than it is
    // given room for.
    unsafe {
        let bio = ffi::SSL_get_wbio(ssl.as_ptr());
        let pending = ffi::BIO_ctrl(bio, PENDING, 0, ptr::null_mut());
        let pending = c_int::try_from(pending).unwrap_or(c_int::MAX);
        if pending > 0 {
            bytes.resize(start + pending as usize, 0);
            let read = ffi::BIO_read(bio, bytes[start..].as_mut_ptr().cast(), pending);
            bytes.truncate(start + read.max(0) as usize);
        }
    }
}

/// Offers to resume `session`, which must come from a connection of the same context.
pub(crate) fn resume(ssl: &mut SslRef, session: &SslSessionRef) -> Result<(), Stack> {
    // SAFETY: every session of a `config::OpenSsl` comes from a client of its one context.
    unsafe { ssl.set_session(session) }
}
