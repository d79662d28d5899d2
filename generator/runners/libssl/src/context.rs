//! The library's contexts and sessions, as far as they are used.
#![allow(unsafe_code)]

use crate::ffi;
use harness::Error;
use std::ffi::{CStr, CString, c_char, c_int};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};

// These are the same in all libraries' <openssl/ssl.h>.
const NO_TICKET: u32 = 1 << 14;
const VERIFY_PEER: c_int = 1;
const VERIFY_FAIL_IF_NO_PEER_CERT: c_int = 2;
const CACHE_BOTH: c_int = 3;
const CACHE_SERVER: c_int = 2;
/// The index of what a program keeps with a context (`SSL_CTX_set_app_data`).
const APP_DATA: c_int = 0;

/// Says what the library says of its last failure.
pub(crate) fn failure() -> Error {
    let mut said = Vec::new();
    loop {
        let mut text = [0; 256];
        // SAFETY: the text is ended within its room.
        let text = unsafe {
            let code = ffi::ERR_get_error();
            if code == 0 {
                break;
            }
            ffi::ERR_error_string_n(code, text.as_mut_ptr(), text.len());
            CStr::from_ptr(text.as_ptr())
        };
        said.push(text.to_string_lossy().into_owned());
    }
    match said.as_slice() {
        [] => "it does not say why".into(),
        said => said.join("; ").into(),
    }
}

/// What most functions return: 1 is success.
pub(crate) fn succeeded(result: c_int) -> Result<(), Error> {
    if result == 1 { Ok(()) } else { Err(failure()) }
}

/// What functions return that make something.
pub(crate) fn made<T>(pointer: *mut T) -> Result<NonNull<T>, Error> {
    NonNull::new(pointer).ok_or_else(failure)
}

/// Text of the library, which is never freed.
///
/// # Safety
/// `text` is null, or ends with a null byte and stays.
pub(crate) unsafe fn text(text: *const c_char) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller says so.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// A value of the library's that belongs to nobody else, and the function that frees it.
pub(crate) struct Owned<T>(NonNull<T>, unsafe extern "C" fn(*mut T));

impl<T> Owned<T> {
    /// What a function of the library has made.
    ///
    /// # Safety
    /// `pointer` is null or of a value that `free` frees.
    pub(crate) unsafe fn new(
        pointer: *mut T,
        free: unsafe extern "C" fn(*mut T),
    ) -> Result<Self, Error> {
        Ok(Self(made(pointer)?, free))
    }

    pub(crate) fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: it was made for this alone.
        unsafe { (self.1)(self.0.as_ptr()) }
    }
}

/// A session to resume.
pub(crate) struct Session(Owned<ffi::SSL_SESSION>);

// SAFETY: sessions count their references atomically, and nothing changes this one.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    pub(crate) fn as_ptr(&self) -> *mut ffi::SSL_SESSION {
        self.0.as_ptr()
    }
}

/// The first session that a server gives. Connections hand it over, and may outlive all else.
pub(crate) type Given = &'static Mutex<Option<Session>>;

/// What connections of one side are made of.
pub(crate) struct Context(Owned<ffi::SSL_CTX>);

// SAFETY: once a context is configured, which takes it mutably, threads may share it.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// Of one version of TLS: 0x0303 or 0x0304.
    pub(crate) fn new(version: u16) -> Result<Self, Error> {
        // SAFETY: both functions ask for nothing but a context.
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

    /// Suites of TLS 1.2.
    pub(crate) fn set_cipher_list(&mut self, names: &CStr) -> Result<(), Error> {
        // SAFETY: the names are text that ends, and are copied.
        succeeded(unsafe { ffi::SSL_CTX_set_cipher_list(self.as_ptr(), names.as_ptr()) })
    }

    pub(crate) fn set_groups(&mut self, names: &str) -> Result<(), Error> {
        let names = CString::new(names)?;
        // SAFETY: the names are text that ends, and are copied.
        succeeded(unsafe { ffi::SSL_CTX_set1_groups_list(self.as_ptr(), names.as_ptr()) })
    }

    /// Bytes of plaintext in a record; an error if the library does not take so few or so many.
    pub(crate) fn set_max_send_fragment(&mut self, bytes: u32) -> Result<(), Error> {
        // SAFETY: the context lives as long as the call.
        succeeded(unsafe { ffi::SSL_CTX_set_max_send_fragment(self.as_ptr(), bytes as usize) })
    }

    /// Presents a chain, the leaf first, with the key of the leaf.
    pub(crate) fn identify(&mut self, chain: &[u8], key: &[u8]) -> Result<(), Error> {
        let mut chain = certificates(chain)?.into_iter();
        let leaf = chain.next().ok_or("no certificate")?;
        let mut pem = Pem::new(key)?;
        // SAFETY: the context takes references of its own to certificates and key.
        unsafe {
            succeeded(ffi::SSL_CTX_use_certificate(self.as_ptr(), leaf.as_ptr()))?;
            for link in chain {
                succeeded(ffi::SSL_CTX_add1_chain_cert(self.as_ptr(), link.as_ptr()))?;
            }
            let key = Owned::new(pem.key(), ffi::EVP_PKEY_free)?;
            succeeded(ffi::SSL_CTX_use_PrivateKey(self.as_ptr(), key.as_ptr()))
        }
    }

    /// Verifies the peer, who has to have a chain to `root`.
    pub(crate) fn verify(&mut self, root: &[u8]) -> Result<(), Error> {
        let mode = VERIFY_PEER | VERIFY_FAIL_IF_NO_PEER_CERT;
        // SAFETY: the store belongs to the context, and takes references of its own.
        unsafe {
            let store = ffi::SSL_CTX_get_cert_store(self.as_ptr());
            for root in certificates(root)? {
                succeeded(ffi::X509_STORE_add_cert(store, root.as_ptr()))?;
            }
            ffi::SSL_CTX_set_verify(self.as_ptr(), mode, None);
        }
        Ok(())
    }

    /// Keeps sessions: in tickets, or else in a cache of the server's.
    pub(crate) fn enable_resumption(&mut self, name: &CStr, tickets: bool) -> Result<(), Error> {
        let name = name.to_bytes();
        // SAFETY: the name is copied.
        unsafe {
            ffi::SSL_CTX_set_session_cache_mode(self.as_ptr(), CACHE_BOTH);
            if !tickets {
                ffi::SSL_CTX_set_options(self.as_ptr(), NO_TICKET.into());
            }
            let count = name.len().try_into()?;
            succeeded(ffi::SSL_CTX_set_session_id_context(
                self.as_ptr(),
                name.as_ptr(),
                count,
            ))
        }
    }

    /// Where clients put the first session that they get.
    pub(crate) fn keep_first_session(&mut self) -> Result<Given, Error> {
        let given: Given = Box::leak(Box::default());
        // SAFETY: `keep_session` reads what is put here, and it stays.
        unsafe {
            let data = ptr::from_ref(given).cast_mut().cast();
            succeeded(ffi::SSL_CTX_set_ex_data(self.as_ptr(), APP_DATA, data))?;
            ffi::SSL_CTX_sess_set_new_cb(self.as_ptr(), Some(keep_session));
        }
        Ok(given)
    }

    /// Makes a client not take its sessions for cached ones: else OpenSSL lets it use each ticket
    /// of TLS 1.3 only once.
    pub(crate) fn stop_caching(&mut self) {
        // SAFETY: the context lives as long as the call, and no connection is at work.
        unsafe { ffi::SSL_CTX_set_session_cache_mode(self.as_ptr(), CACHE_SERVER) };
    }
}

/// Returns 1 where it takes the session over.
unsafe extern "C" fn keep_session(ssl: *mut ffi::SSL, session: *mut ffi::SSL_SESSION) -> c_int {
    // SAFETY: `keep_first_session` put it there.
    let given = unsafe {
        let context = ffi::SSL_get_SSL_CTX(ssl);
        &*ffi::SSL_CTX_get_ex_data(context, APP_DATA).cast::<Mutex<Option<Session>>>()
    };
    let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(session) = NonNull::new(session).filter(|_| given.is_none()) else {
        return 0;
    };
    *given = Some(Session(Owned(session, ffi::SSL_SESSION_free)));
    1
}

/// Text in PEM, to be read once.
struct Pem<'a>(NonNull<ffi::BIO>, PhantomData<&'a [u8]>);

impl<'a> Pem<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let count = bytes.len().try_into()?;
        // SAFETY: the bytes live as long as the BIO, which only reads them.
        let bio = unsafe { ffi::BIO_new_mem_buf(bytes.as_ptr().cast(), count) };
        Ok(Self(made(bio)?, PhantomData))
    }

    /// The next certificate, or null.
    fn certificate(&mut self) -> *mut ffi::X509 {
        let (bio, nothing, data) = (self.0.as_ptr(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: the BIO lives as long as the call, and makes a new certificate.
        unsafe { ffi::PEM_read_bio_X509(bio, nothing, None, data) }
    }

    /// The next key, or null.
    fn key(&mut self) -> *mut ffi::EVP_PKEY {
        let (bio, nothing, data) = (self.0.as_ptr(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: the BIO lives as long as the call, and makes a new key.
        unsafe { ffi::PEM_read_bio_PrivateKey(bio, nothing, None, data) }
    }
}

impl Drop for Pem<'_> {
    fn drop(&mut self) {
        // SAFETY: the BIO was made for this alone.
        unsafe { ffi::BIO_free(self.0.as_ptr()) };
    }
}

/// All certificates of a text in PEM.
fn certificates(bytes: &[u8]) -> Result<Vec<Owned<ffi::X509>>, Error> {
    let mut pem = Pem::new(bytes)?;
    let mut all = Vec::new();
    while let Some(certificate) = NonNull::new(pem.certificate()) {
        all.push(Owned(certificate, ffi::X509_free));
    }
    // That none is left is an error to the library.
    let said = failure();
    if all.is_empty() { Err(said) } else { Ok(all) }
}
