//! What the C API of both libraries has and their crates do not pass on.
#![allow(unsafe_code)]

use crate::crates::foreign_types::ForeignTypeRef;
use crate::crates::{api, ffi};
use crate::end::Stack;
use api::ssl::{SslRef, SslSessionRef};
use std::ffi::c_int;
use std::ptr;

/// `BIO_CTRL_PENDING` of <openssl/bio.h>
const PENDING: c_int = 10;

unsafe extern "C" {
    fn SSL_set0_wbio(ssl: *mut ffi::SSL, bio: *mut ffi::BIO);
}

/// Makes the connection write to a memory BIO, as openssl-bench does: what a program without
/// sockets of its own uses.
pub(crate) fn write_to_memory(ssl: &SslRef) -> Result<(), Stack> {
    // SAFETY: the connection takes the BIO over, and releases one reference to its old one.
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
    // SAFETY: every session of a `config::Library` comes from a client of its one context.
    unsafe { ssl.set_session(session) }
}
