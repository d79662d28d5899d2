//! Errors and objects of the library.
#![allow(unsafe_code)]

use crate::ffi;
use harness::Error;
use std::ffi::{CStr, c_char, c_int};
use std::iter;
use std::ptr::NonNull;

/// Takes the library's error queue as an error.
pub(crate) fn failure() -> Error {
    let next = || {
        let mut text = [0; 256];
        // SAFETY: the text is NUL-terminated within its length.
        let text = unsafe {
            let code = ffi::ERR_get_error();
            ffi::ERR_error_string_n(code, text.as_mut_ptr(), text.len());
            (code != 0).then(|| CStr::from_ptr(text.as_ptr()))?
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

/// An owned object of the library, and the function that frees it.
pub(crate) struct Owned<T>(NonNull<T>, unsafe extern "C" fn(*mut T));

// SAFETY: contexts and sessions, which threads share, are not modified after the first connection, and
// count their references atomically.
unsafe impl<T> Send for Owned<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Owned<T> {}

impl<T> Owned<T> {
    /// Takes ownership of a new object.
    ///
    /// # Safety
    /// `pointer` is null, or points to an object that `free` frees.
    pub(crate) unsafe fn new(
        pointer: *mut T,
        free: unsafe extern "C" fn(*mut T),
    ) -> Result<Self, Error> {
        Ok(Self(non_null(pointer)?, free))
    }

    pub(crate) fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: this owns the object.
        unsafe { (self.1)(self.0.as_ptr()) }
    }
}
