//! Wrappers of the library's contexts and sessions.
#![allow(unsafe_code)]

use crate::ffi;
use harness::{Error, Resumption};
use std::ffi::{CStr, CString, c_char, c_int};
use std::iter;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

// These are the same in all libraries' <openssl/ssl.h>.
const NO_TICKET: u32 = 1 << 14;
const VERIFY_PEER: c_int = 1;
const VERIFY_FAIL_IF_NO_PEER_CERT: c_int = 2;
const CACHE_OFF: c_int = 0;
const CACHE_BOTH: c_int = 3;
const CACHE_SERVER: c_int = 2;

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

/// A session to resume.
pub(crate) struct Session(Owned<ffi::SSL_SESSION>);

// SAFETY: sessions count their references atomically, and this one is not modified.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    pub(crate) fn as_ptr(&self) -> *mut ffi::SSL_SESSION {
        self.0.as_ptr()
    }
}

/// The first session that a client receives, which later clients resume. The process has one scenario.
pub(crate) static RECEIVED: OnceLock<Session> = OnceLock::new();

/// The configuration of one side's connections.
pub(crate) struct Context(Owned<ffi::SSL_CTX>);

// SAFETY: contexts are configured through `&mut`, and can be shared by threads afterwards.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// Creates a context for one version of TLS: 0x0303 or 0x0304.
    pub(crate) fn new(version: u16) -> Result<Self, Error> {
        // SAFETY: the functions require only a valid context.
        unsafe {
            let context = ffi::SSL_CTX_new(ffi::TLS_method());
            let context = Self(Owned::new(context, ffi::SSL_CTX_free)?);
            succeeded(ffi::SSL_CTX_set_min_proto_version(
                context.as_ptr(),
                version,
            ))?;
            succeeded(ffi::SSL_CTX_set_max_proto_version(
                context.as_ptr(),
                version,
            ))?;
            Ok(context)
        }
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::SSL_CTX {
        self.0.as_ptr()
    }

    /// Sets the suites of TLS 1.2.
    pub(crate) fn set_cipher_list(&mut self, names: &CStr) -> Result<(), Error> {
        // SAFETY: the names are NUL-terminated, and copied.
        succeeded(unsafe { ffi::SSL_CTX_set_cipher_list(self.as_ptr(), names.as_ptr()) })
    }

    pub(crate) fn set_groups(&mut self, names: &str) -> Result<(), Error> {
        let names = CString::new(names)?;
        // SAFETY: the names are NUL-terminated, and copied.
        succeeded(unsafe { ffi::SSL_CTX_set1_groups_list(self.as_ptr(), names.as_ptr()) })
    }

    /// Sets the maximum plaintext of a record, in bytes. Fails if the library does not support it.
    pub(crate) fn set_max_send_fragment(&mut self, bytes: u32) -> Result<(), Error> {
        // SAFETY: the context lives as long as the call.
        succeeded(unsafe { ffi::SSL_CTX_set_max_send_fragment(self.as_ptr(), bytes as usize) })
    }

    /// Sets the chain, leaf first, and the key of the leaf.
    pub(crate) fn identify(&mut self, chain: &[u8], key: &[u8]) -> Result<(), Error> {
        let mut chain = certificates(chain)?.into_iter();
        let leaf = chain.next().ok_or("no certificate")?;
        let pem = pem(key)?;
        // SAFETY: the context takes its own references to certificates and key.
        unsafe {
            succeeded(ffi::SSL_CTX_use_certificate(self.as_ptr(), leaf.as_ptr()))?;
            for link in chain {
                succeeded(ffi::SSL_CTX_add1_chain_cert(self.as_ptr(), link.as_ptr()))?;
            }
            let key =
                ffi::PEM_read_bio_PrivateKey(pem.as_ptr(), ptr::null_mut(), None, ptr::null_mut());
            let key = Owned::new(key, ffi::EVP_PKEY_free)?;
            succeeded(ffi::SSL_CTX_use_PrivateKey(self.as_ptr(), key.as_ptr()))
        }
    }

    /// Requires the peer to have a chain to `root`.
    pub(crate) fn verify(&mut self, root: &[u8]) -> Result<(), Error> {
        let mode = VERIFY_PEER | VERIFY_FAIL_IF_NO_PEER_CERT;
        // SAFETY: the context owns the store, which takes its own references.
        unsafe {
            let store = ffi::SSL_CTX_get_cert_store(self.as_ptr());
            for root in certificates(root)? {
                succeeded(ffi::X509_STORE_add_cert(store, root.as_ptr()))?;
            }
            ffi::SSL_CTX_set_verify(self.as_ptr(), mode, None);
        }
        Ok(())
    }

    /// Sets how sessions are resumed, if at all. A server sends one ticket in a TLS 1.3 handshake
    /// then, and else none.
    pub(crate) fn set_resumption(
        &mut self,
        resumption: Option<Resumption>,
        name: &CStr,
    ) -> Result<(), Error> {
        let name = name.to_bytes();
        let cache = match resumption {
            Some(_) => CACHE_BOTH,
            None => CACHE_OFF,
        };
        // SAFETY: the name is copied.
        unsafe {
            ffi::SSL_CTX_set_session_cache_mode(self.as_ptr(), cache);
            if resumption != Some(Resumption::Ticket) {
                ffi::SSL_CTX_set_options(self.as_ptr(), NO_TICKET.into());
            }
            let tickets = resumption.is_some().into();
            succeeded(ffi::SSL_CTX_set_num_tickets(self.as_ptr(), tickets))?;
            let count = name.len().try_into()?;
            succeeded(ffi::SSL_CTX_set_session_id_context(
                self.as_ptr(),
                name.as_ptr(),
                count,
            ))
        }
    }

    /// Makes clients keep the first session that they receive.
    pub(crate) fn keep_first_session(&mut self) {
        // SAFETY: the callback has the type that the library expects.
        unsafe { ffi::SSL_CTX_sess_set_new_cb(self.as_ptr(), Some(keep_session)) };
    }
}

/// Callback for new sessions. Returns 1 if it takes ownership of the session.
unsafe extern "C" fn keep_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    let Some(session) = NonNull::new(session).filter(|_| RECEIVED.get().is_none()) else {
        return 0;
    };
    // Turns off the client's cache: otherwise OpenSSL uses each TLS 1.3 ticket only once.
    // SAFETY: the connection and its context live as long as the call.
    unsafe { ffi::SSL_CTX_set_session_cache_mode(ffi::SSL_get_SSL_CTX(ssl), CACHE_SERVER) };
    RECEIVED.get_or_init(|| Session(Owned(session, ffi::SSL_SESSION_free)));
    1
}

/// Returns a reader of PEM text.
fn pem(bytes: &[u8]) -> Result<Owned<ffi::BIO>, Error> {
    let count = bytes.len().try_into()?;
    // SAFETY: callers use it while they have the bytes, which it only reads.
    unsafe {
        Owned::new(
            ffi::BIO_new_mem_buf(bytes.as_ptr().cast(), count),
            ffi::BIO_vfree,
        )
    }
}

/// Reads all certificates of PEM text.
fn certificates(bytes: &[u8]) -> Result<Vec<Owned<ffi::X509>>, Error> {
    let pem = pem(bytes)?;
    // SAFETY: the reader outlives the call, which creates a new certificate.
    let next = || unsafe {
        let read = ffi::PEM_read_bio_X509(pem.as_ptr(), ptr::null_mut(), None, ptr::null_mut());
        Owned::new(read, ffi::X509_free)
    };
    let mut all = Vec::new();
    // The library reports the end of the text as an error.
    let end = loop {
        match next() {
            Ok(certificate) => all.push(certificate),
            Err(end) => break end,
        }
    };
    if all.is_empty() { Err(end) } else { Ok(all) }
}
