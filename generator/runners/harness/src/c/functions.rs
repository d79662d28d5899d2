//! The functions of `runner.h`.

use crate::{Error, Wire};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::{iter, ptr, slice};

/// The library's configuration of one side, which is never freed.
#[repr(C)]
pub(super) struct Context([u8; 0]);

/// The library's end of a connection.
#[repr(C)]
pub(super) struct Connection([u8; 0]);

/// `struct scenario`
#[repr(C)]
pub(super) struct Settings {
    pub(super) version: c_int,
    pub(super) suite: c_int,
    pub(super) suite_name: *const c_char,
    pub(super) groups: *const c_int,
    pub(super) group_count: c_int,
    pub(super) has_all_shares: c_int,
    pub(super) resumes: c_int,
    pub(super) has_tickets: c_int,
    pub(super) is_vectored: c_int,
    pub(super) threads: c_int,
}

/// `struct wires`
#[repr(C)]
pub(super) struct Wires {
    unread: *const u8,
    pub(super) left: usize,
    to_peer: *mut c_void,
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize),
}

macro_rules! functions {
    ($($name:ident($($type:ty),*) $(-> $out:ty)?;)*) => {
        unsafe extern "C" { $(pub(super) fn $name($(_: $type),*) $(-> $out)?;)* }
    };
}

functions! {
    runner_about() -> *const c_char;
    runner_context(*const Settings, c_int) -> *mut Context;
    runner_end(*mut Context) -> *mut Connection;
    runner_error(*mut c_char, usize) -> c_int;
    runner_free(*mut Connection);
    runner_handshake(*mut Connection, *mut Wires) -> c_int;
    runner_trust(*mut Context, *const c_char, *const c_char, *const c_char) -> c_int;
    runner_pending(*mut Connection) -> c_int;
    runner_read(*mut Connection, *mut Wires, *mut u8, c_int) -> c_int;
    runner_read_tickets(*mut Connection, *mut Wires) -> c_int;
    runner_unsupported(*const Settings) -> *const c_char;
    runner_write(*mut Connection, *mut Wires, *const libc::iovec, c_int) -> c_int;
}

impl Wires {
    pub(super) fn new(from_peer: &Wire, to_peer: &mut Wire) -> Self {
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
pub(super) fn failure() -> Error {
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
pub(super) fn succeeded(result: c_int) -> Result<(), Error> {
    if result == 1 { Ok(()) } else { Err(failure()) }
}

/// Checks the result of a function that returns a new object, or null on failure.
pub(super) fn non_null<T>(pointer: *mut T) -> Result<NonNull<T>, Error> {
    NonNull::new(pointer).ok_or_else(failure)
}

/// Converts a static text of the library.
///
/// # Safety
/// `text` is null, or NUL-terminated and never freed.
pub(super) unsafe fn text(text: *const c_char) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}
