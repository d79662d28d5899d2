//! What BoringSSL's C API has and the `boring` crate does not pass on.
#![allow(unsafe_code)]

use crate::end::Stack;
use boring::ssl::{SslContextBuilder, SslContextRef, SslRef, SslSessionRef};
use boring_sys as ffi;
use foreign_types_shared::ForeignTypeRef;
use std::ffi::c_int;

/// Bytes of plaintext in a record; false if BoringSSL does not take so few or so many.
pub(crate) fn set_max_send_fragment(context: &SslContextRef, bytes: u32) -> bool {
    // SAFETY: the context lives as long as the call.
    unsafe { ffi::SSL_CTX_set_max_send_fragment(context.as_ptr(), bytes as usize) == 1 }
}

/// Puts AES-256-GCM before the other suites of TLS 1.3, which BoringSSL does not let one choose;
/// openssl-bench does the same.
pub(crate) fn prefer_aes_256(context: &mut SslContextBuilder) -> bool {
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

/// Makes the connection write to a memory BIO, as openssl-bench does: what a program without
/// sockets of its own uses.
pub(crate) fn write_to_memory(ssl: &SslRef) -> Result<(), Stack> {
    // SAFETY: the connection takes the BIO over, and lets go of one reference to its old one.
    unsafe {
        let bio = ffi::BIO_new(ffi::BIO_s_mem());
        if bio.is_null() {
            return Err(Stack::get());
        }
        ffi::SSL_set0_wbio(ssl.as_ptr(), bio);
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
        let pending = c_int::try_from(ffi::BIO_pending(bio)).unwrap_or(c_int::MAX);
        if pending > 0 {
            bytes.resize(start + pending as usize, 0);
            let read = ffi::BIO_read(bio, bytes[start..].as_mut_ptr().cast(), pending);
            bytes.truncate(start + read.max(0) as usize);
        }
    }
}

/// Offers to resume `session`, which must come from a connection of the same context.
pub(crate) fn resume(ssl: &mut SslRef, session: &SslSessionRef) -> Result<(), Stack> {
    // SAFETY: every session of a `config::BoringSsl` comes from a client of its one context.
    unsafe { ssl.set_session(session) }
}
