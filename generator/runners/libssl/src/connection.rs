//! One end of a connection.
#![allow(unsafe_code)]

use crate::context::{Context, Owned, Session, failure, non_null, succeeded, text};
use crate::{ffi, library};
use harness::{Endpoint, Error, MAX_RECORD, Negotiated, TlsVersion, Wire};
use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::io::Read;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::OnceLock;

// These are the same in all libraries' <openssl/ssl.h>.
const WANT_READ: c_int = 2;
const SENT_AND_RECEIVED_SHUTDOWN: c_int = 1 | 2;

pub(crate) struct End {
    ssl: Owned<ffi::SSL>,
    /// The BIOs that the connection reads from and writes to. It owns them.
    incoming: NonNull<ffi::BIO>,
    outgoing: NonNull<ffi::BIO>,
    is_resuming: bool,
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
    pub(crate) fn server(context: &Context, is_resuming: bool) -> Result<Self, Error> {
        let end = Self::new(context, is_resuming)?;
        // SAFETY: the connection lives as long as the call.
        unsafe { ffi::SSL_set_accept_state(end.ssl.as_ptr()) };
        Ok(end)
    }

    /// Creates a client that verifies the name `host`. A session must come from a client of the
    /// same context.
    pub(crate) fn client(
        context: &Context,
        host: &CStr,
        is_resuming: bool,
        session: Option<&Session>,
    ) -> Result<Self, Error> {
        let end = Self::new(context, is_resuming)?;
        let ssl = end.ssl.as_ptr();
        let count = host.to_bytes().len();
        // SAFETY: the name is copied, and the connection takes a reference to the session.
        unsafe {
            ffi::SSL_set_connect_state(ssl);
            succeeded(ffi::SSL_set_tlsext_host_name(ssl, host.as_ptr()) as c_int)?;
            let param = ffi::SSL_get0_param(ssl);
            let name = host.as_ptr();
            succeeded(ffi::X509_VERIFY_PARAM_set1_host(param, name, count))?;
            if let Some(session) = session {
                succeeded(ffi::SSL_set_session(ssl, session.as_ptr()))?;
            }
        }
        Ok(end)
    }

    /// Creates an end that writes to a memory BIO, as openssl-bench does.
    fn new(context: &Context, is_resuming: bool) -> Result<Self, Error> {
        // SAFETY: the connection takes ownership of both BIOs, and a reference to the context.
        unsafe {
            let ssl = Owned::new(ffi::SSL_new(context.as_ptr()), ffi::SSL_free)?;
            let incoming = non_null(ffi::BIO_new(reader()?))?;
            ffi::SSL_set0_rbio(ssl.as_ptr(), incoming.as_ptr());
            let outgoing = non_null(ffi::BIO_new(ffi::BIO_s_mem()))?;
            ffi::SSL_set0_wbio(ssl.as_ptr(), outgoing.as_ptr());
            ffi::BIO_set_init(incoming.as_ptr(), 1);
            Ok(Self {
                ssl,
                incoming,
                outgoing,
                is_resuming,
            })
        }
    }

    /// Calls a function that reads from the wire. Returns `None` if it needs more bytes.
    fn reading(
        &mut self,
        wire: &mut Wire,
        call: impl FnOnce(*mut ffi::SSL) -> c_int,
    ) -> Result<Option<c_int>, Error> {
        let (ssl, incoming) = (self.ssl.as_ptr(), self.incoming.as_ptr());
        // SAFETY: the BIO has the wire during the call only, when nothing else uses it.
        let done = unsafe {
            ffi::BIO_set_data(incoming, ptr::from_mut(wire).cast());
            let done = call(ssl);
            ffi::BIO_set_data(incoming, ptr::null_mut());
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
        let done = self.reading(from_peer, |ssl| unsafe { ffi::SSL_do_handshake(ssl) });
        self.flush(to_peer)?;
        done.map(|_| ())
    }

    fn is_handshaking(&self) -> bool {
        // SAFETY: the connection lives as long as the call.
        unsafe { ffi::SSL_is_init_finished(self.ssl.as_ptr()) == 0 }
    }

    fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        let count = data.len().try_into()?;
        // SAFETY: the library reads no more than `count` bytes.
        let written = unsafe { ffi::SSL_write(self.ssl.as_ptr(), data.as_ptr().cast(), count) };
        match written == count {
            true => Ok(()),
            false => Err(failure()),
        }
    }

    fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        let bytes = to_peer.sent();
        let start = bytes.len();
        // SAFETY: the BIO writes no more than `pending` bytes, for which there is room.
        unsafe {
            let pending = ffi::BIO_pending(self.outgoing.as_ptr());
            let pending = c_int::try_from(pending).unwrap_or(c_int::MAX);
            if pending > 0 {
                bytes.resize(start + pending as usize, 0);
                let into = bytes[start..].as_mut_ptr().cast();
                let read = ffi::BIO_read(self.outgoing.as_ptr(), into, pending);
                bytes.truncate(start + read.max(0) as usize);
            }
        }
        Ok(())
    }

    fn read(&mut self, from_peer: &mut Wire, mut sink: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut piece = [0; MAX_RECORD];
        let (into, room) = (piece.as_mut_ptr().cast(), MAX_RECORD as c_int);
        // SAFETY: the library writes no more than `room` bytes.
        let read = |ssl| unsafe { ffi::SSL_read(ssl, into, room) };
        while let Some(count) = self.reading(from_peer, read)? {
            sink(&piece[..count as usize]);
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

    fn was_resumed(&self) -> bool {
        // SAFETY: the connection lives as long as the call.
        unsafe { ffi::SSL_session_reused(self.ssl.as_ptr()) == 1 }
    }
}

/// Returns the type of BIO that reads from a wire directly, so that bytes are copied once.
fn reader() -> Result<*mut ffi::BIO_METHOD, Error> {
    struct Method(NonNull<ffi::BIO_METHOD>);
    // SAFETY: it is not modified after its creation.
    unsafe impl Send for Method {}
    // SAFETY: as above.
    unsafe impl Sync for Method {}
    static READER: OnceLock<Method> = OnceLock::new();

    if let Some(method) = READER.get() {
        return Ok(method.0.as_ptr());
    }
    // SAFETY: both callbacks have the types that the library expects.
    let method = unsafe {
        let method = non_null(ffi::BIO_meth_new(0, c"wire".as_ptr()))?;
        succeeded(ffi::BIO_meth_set_read(method.as_ptr(), Some(read)))?;
        succeeded(ffi::BIO_meth_set_ctrl(method.as_ptr(), Some(control)))?;
        method
    };
    Ok(READER.get_or_init(|| Method(method)).0.as_ptr())
}

unsafe extern "C" fn read(bio: *mut ffi::BIO, into: *mut c_char, room: c_int) -> c_int {
    // SAFETY: the data was set by `reading`, and `into` has room for `room` bytes.
    let (wire, into) = unsafe {
        ffi::BIO_clear_retry_flags(bio);
        let wire = ffi::BIO_get_data(bio).cast::<Wire>().as_mut();
        let room = usize::try_from(room).unwrap_or_default();
        (wire, slice::from_raw_parts_mut(into.cast::<u8>(), room))
    };
    if let Some(Ok(count)) = wire.map(|wire| wire.read(into)) {
        return count as c_int;
    }
    // SAFETY: the BIO lives as long as the call.
    unsafe { ffi::BIO_set_retry_read(bio) };
    -1
}

/// Supports no control command.
unsafe extern "C" fn control(_: *mut ffi::BIO, _: c_int, _: c_long, _: *mut c_void) -> c_long {
    0
}
