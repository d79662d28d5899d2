//! One end of a connection.
#![allow(unsafe_code)]

use crate::config::{Context, HOST, RECEIVED};
use crate::object::{Owned, failure, non_null, succeeded, text};
use crate::{ffi, library};
use harness::{Endpoint, Error, Negotiated, Plaintext, TlsVersion, Wire};
use std::ffi::{c_char, c_int, c_long, c_void};
use std::io::Read;
use std::ptr::{self, NonNull};
use std::slice;

// These are the same in all libraries' headers.
const WANT_READ: c_int = 2;
/// `BIO_CTRL_FLUSH`
const FLUSH: c_int = 11;
const SENT_AND_RECEIVED_SHUTDOWN: c_int = 1 | 2;

pub(crate) struct End {
    ssl: Owned<ffi::SSL>,
    /// The BIO that the connection reads from and writes to. The connection owns it.
    bio: NonNull<ffi::BIO>,
    is_resuming: bool,
}

/// What the BIO reads from and writes to, during one call.
struct Wires<'a> {
    from_peer: &'a mut Wire,
    to_peer: &'a mut Wire,
}

impl Drop for End {
    /// Marks the connection as shut down: otherwise the libraries drop its session from the cache.
    fn drop(&mut self) {
        if self.is_resuming {
            // SAFETY: the connection lives as long as the call.
            unsafe { ffi::SSL_set_shutdown(self.ssl.as_ptr(), SENT_AND_RECEIVED_SHUTDOWN) };
        }
    }
}

impl End {
    pub(crate) fn server(context: &Context) -> Result<Self, Error> {
        let end = Self::new(context)?;
        // SAFETY: the connection lives as long as the call.
        unsafe { ffi::SSL_set_accept_state(end.ssl.as_ptr()) };
        Ok(end)
    }

    /// Creates a client that verifies the name [`HOST`].
    pub(crate) fn client(context: &Context) -> Result<Self, Error> {
        let end = Self::new(context)?;
        let ssl = end.ssl.as_ptr();
        let (name, count) = (HOST.as_ptr(), HOST.to_bytes().len());
        // SAFETY: the name is copied, and the connection takes a reference to the session, which comes
        // from a client of the same context.
        unsafe {
            ffi::SSL_set_connect_state(ssl);
            succeeded(ffi::SSL_set_tlsext_host_name(ssl, name) as c_int)?;
            let param = ffi::SSL_get0_param(ssl);
            succeeded(ffi::X509_VERIFY_PARAM_set1_host(param, name, count))?;
            if let Some(session) = RECEIVED.get() {
                succeeded(ffi::SSL_set_session(ssl, session.as_ptr()))?;
            }
        }
        Ok(end)
    }

    fn new(context: &Context) -> Result<Self, Error> {
        // SAFETY: the connection takes ownership of the BIO, and a reference to the context.
        unsafe {
            let ssl = Owned::new(ffi::SSL_new(context.as_ptr()), ffi::SSL_free)?;
            let bio = non_null(ffi::BIO_new(context.method.as_ptr()))?;
            ffi::BIO_set_init(bio.as_ptr(), 1);
            ffi::SSL_set_bio(ssl.as_ptr(), bio.as_ptr(), bio.as_ptr());
            Ok(Self {
                ssl,
                bio,
                is_resuming: context.is_resuming,
            })
        }
    }

    /// Calls a function that reads from and writes to wires. Returns `None` if it needs more bytes.
    fn call(
        &self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
        call: impl FnOnce(*mut ffi::SSL) -> c_int,
    ) -> Result<Option<c_int>, Error> {
        let ssl = self.ssl.as_ptr();
        let mut wires = Wires { from_peer, to_peer };
        // SAFETY: the BIO has the wires during the call only, when nothing else uses them.
        let done = unsafe {
            ffi::BIO_set_data(self.bio.as_ptr(), ptr::from_mut(&mut wires).cast());
            let done = call(ssl);
            ffi::BIO_set_data(self.bio.as_ptr(), ptr::null_mut());
            done
        };
        if done > 0 {
            return Ok(Some(done));
        }
        // SAFETY: the connection lives as long as the call.
        match unsafe { ffi::SSL_get_error(ssl, done) } {
            WANT_READ => Ok(None),
            _ => Err(failure()),
        }
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        // SAFETY: the connection lives as long as the call.
        let done = self.call(from_peer, to_peer, |ssl| unsafe {
            ffi::SSL_do_handshake(ssl)
        })?;
        if done.is_none() {
            return Ok(());
        }
        if self.is_resuming {
            // SAFETY: as above.
            self.call(from_peer, to_peer, |ssl| unsafe {
                library::send_tickets(ssl)
            })?;
        }
        if !from_peer.is_empty() {
            let mut byte = 0;
            let into = ptr::from_mut::<u8>(&mut byte).cast();
            // SAFETY: the library writes no more than a byte.
            let read_tickets = |ssl| unsafe { ffi::SSL_peek(ssl, into, 1) };
            self.call(from_peer, to_peer, read_tickets)?;
        }
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        // SAFETY: the connection lives as long as the call.
        unsafe { ffi::SSL_is_init_finished(self.ssl.as_ptr()) == 0 }
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        let count = data.len().try_into()?;
        // SAFETY: the library reads no more than `count` bytes.
        let write = |ssl| unsafe { ffi::SSL_write(ssl, data.as_ptr().cast(), count) };
        match self.call(&mut Wire::default(), to_peer, write)? {
            Some(written) if written == count => Ok(()),
            _ => Err("the write was incomplete".into()),
        }
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        let mut to_peer = Wire::default();
        // SAFETY: the connection lives as long as the call.
        while !from_peer.is_empty() || unsafe { ffi::SSL_pending(self.ssl.as_ptr()) } > 0 {
            let piece = into.piece();
            let (start, room) = (piece.as_mut_ptr().cast(), piece.len() as c_int);
            // SAFETY: the library writes no more than `room` bytes.
            let read = |ssl| unsafe { ffi::SSL_read(ssl, start, room) };
            match self.call(from_peer, &mut to_peer, read)? {
                Some(count) => into.received(count as usize),
                None => break,
            }
        }
        Ok(())
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let ssl = self.ssl.as_ptr();
        // SAFETY: the connection outlives the calls; names of suites are never freed.
        let (version, suite) = unsafe {
            let cipher = ffi::SSL_get_current_cipher(ssl);
            if cipher.is_null() {
                return Err("no suite".into());
            }
            let name = text(ffi::SSL_CIPHER_standard_name(cipher));
            (ffi::SSL_version(ssl), name)
        };
        let version = match version {
            0x303 => TlsVersion::V1_2,
            0x304 => TlsVersion::V1_3,
            other => return Err(format!("negotiated version {other:#x}").into()),
        };
        Ok(Negotiated {
            version,
            suite: suite.ok_or("no suite")?.to_owned(),
            group: library::group(&self.ssl),
        })
    }

    fn was_resumed(&self) -> Option<bool> {
        // SAFETY: the connection lives as long as the call.
        Some(unsafe { ffi::SSL_session_reused(self.ssl.as_ptr()) } == 1)
    }
}

/// Creates the type of BIO that reads from and writes to wires directly, so that bytes are copied
/// once.
pub(crate) fn method() -> Result<NonNull<ffi::BIO_METHOD>, Error> {
    // SAFETY: the callbacks have the types that the library expects.
    unsafe {
        let method = non_null(ffi::BIO_meth_new(0, c"wire".as_ptr()))?;
        succeeded(ffi::BIO_meth_set_read(method.as_ptr(), Some(read)))?;
        succeeded(ffi::BIO_meth_set_write(method.as_ptr(), Some(write)))?;
        succeeded(ffi::BIO_meth_set_ctrl(method.as_ptr(), Some(control)))?;
        Ok(method)
    }
}

/// Returns the wires of the current call, or null.
///
/// # Safety
/// `bio` is of the type of [`method`].
unsafe fn wires<'a>(bio: *mut ffi::BIO) -> *mut Wires<'a> {
    // SAFETY: guaranteed by the caller: `call` sets the data.
    unsafe { ffi::BIO_get_data(bio).cast() }
}

unsafe extern "C" fn read(bio: *mut ffi::BIO, into: *mut c_char, room: c_int) -> c_int {
    // SAFETY: `into` has room for `room` bytes, and nothing else uses the wires.
    unsafe {
        ffi::BIO_clear_retry_flags(bio);
        let into = slice::from_raw_parts_mut(into.cast::<u8>(), room as usize);
        if let Some(Ok(count)) = wires(bio).as_mut().map(|wires| wires.from_peer.read(into)) {
            return count as c_int;
        }
        ffi::BIO_set_retry_read(bio);
    }
    -1
}

unsafe extern "C" fn write(bio: *mut ffi::BIO, from: *const c_char, count: c_int) -> c_int {
    // SAFETY: `from` has `count` bytes, and nothing else uses the wires.
    unsafe {
        let Some(wires) = wires(bio).as_mut() else {
            return -1;
        };
        let from = slice::from_raw_parts(from.cast::<u8>(), count as usize);
        wires.to_peer.sent().extend_from_slice(from);
    }
    count
}

/// Flushes, which is no work. Supports no other command.
unsafe extern "C" fn control(
    _: *mut ffi::BIO,
    command: c_int,
    _: c_long,
    _: *mut c_void,
) -> c_long {
    (command == FLUSH).into()
}
