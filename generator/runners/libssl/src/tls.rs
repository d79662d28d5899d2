//! The functions of `tls.c`.
#![allow(unsafe_code)]

use harness::{Error, Wire};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::{iter, ptr, slice};

/// `SSL_CTX`, which is never freed, because the process has one scenario.
#[repr(C)]
pub(crate) struct Context([u8; 0]);

/// `SSL`
#[repr(C)]
pub(crate) struct Ssl([u8; 0]);

/// What a connection reads from and writes to, during one call.
#[repr(C)]
pub(crate) struct Wires {
    unread: *const u8,
    pub(crate) left: usize,
    to_peer: *mut c_void,
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize),
}

macro_rules! functions {
    ($($name:ident($($type:ty),*) $(-> $out:ty)?;)*) => {
        unsafe extern "C" { $(pub(crate) fn $name($(_: $type),*) $(-> $out)?;)* }
    };
}

functions! {
    runner_about() -> *const c_char;
    runner_context(c_int, *const c_char, c_int, c_int) -> *mut Context;
    runner_end(*mut Context, c_int) -> *mut Ssl;
    runner_error(*mut c_char, usize) -> c_int;
    runner_free(*mut Ssl, c_int);
    runner_group(*mut Ssl) -> *const c_char;
    runner_handshake(*mut Ssl, *mut Wires, c_int) -> c_int;
    runner_identify(*mut Context, *const c_char, *const c_char) -> c_int;
    runner_is_handshaking(*const Ssl) -> c_int;
    runner_keep_session(*mut Context);
    runner_pending(*const Ssl) -> c_int;
    runner_read(*mut Ssl, *mut Wires, *mut u8, c_int) -> c_int;
    runner_read_tickets(*mut Ssl, *mut Wires) -> c_int;
    runner_set_groups(*mut Context, *const c_char) -> c_int;
    runner_suite(*const Ssl) -> *const c_char;
    runner_verify(*mut Context, *const c_char) -> c_int;
    runner_version(*const Ssl) -> c_int;
    runner_was_resumed(*const Ssl) -> c_int;
    runner_write(*mut Ssl, *mut Wires, *const u8, c_int) -> c_int;
}

impl Wires {
    pub(crate) fn new(from_peer: &Wire, to_peer: &mut Wire) -> Self {
        Self {
            unread: from_peer.unread().as_ptr(),
            left: from_peer.unread().len(),
            to_peer: ptr::from_mut(to_peer).cast(),
            write,
        }
    }
}

unsafe extern "C" fn write(wire: *mut c_void, from: *const u8, count: usize) {
    // SAFETY: it is the wire of the current call, which nothing else uses, and `from` has `count` bytes.
    let (wire, from) = unsafe {
        (
            &mut *wire.cast::<Wire>(),
            slice::from_raw_parts(from, count),
        )
    };
    wire.sent().extend_from_slice(from);
}

/// Takes the library's error queue as an error.
pub(crate) fn failure() -> Error {
    let next = || {
        let mut text = [0; 256];
        // SAFETY: the text is NUL-terminated within its length.
        let text = unsafe {
            let has_error = runner_error(text.as_mut_ptr(), text.len()) != 0;
            has_error.then(|| CStr::from_ptr(text.as_ptr()))?
        };
        Some(text.to_string_lossy().into_owned())
    };
    let errors: Vec<String> = iter::from_fn(next).collect();
    match errors.as_slice() {
        [] => "the library reports no error".into(),
        errors => errors.join("; ").into(),
    }
}

/// Checks the result of a function that returns 1 on success.
pub(crate) fn succeeded(result: c_int) -> Result<(), Error> {
    if result == 1 { Ok(()) } else { Err(failure()) }
}

/// Checks the result of a function that returns a new object, or null on failure.
pub(crate) fn non_null<T>(pointer: *mut T) -> Result<NonNull<T>, Error> {
    NonNull::new(pointer).ok_or_else(failure)
}

/// Converts a static text of the library.
///
/// # Safety
/// `text` is null, or NUL-terminated and never freed.
pub(crate) unsafe fn text(text: *const c_char) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}
