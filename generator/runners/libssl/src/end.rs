//! One end of a connection.
#![allow(unsafe_code)]

use crate::tls::{self, Context, Ssl, Wires, failure, non_null, text};
use harness::{Endpoint, Error, Negotiated, Plaintext, TlsVersion, Wire};
use std::ffi::c_int;
use std::ptr::NonNull;

pub(crate) struct End {
    ssl: NonNull<Ssl>,
    is_resuming: bool,
}

impl Drop for End {
    fn drop(&mut self) {
        // SAFETY: this owns the connection.
        unsafe { tls::runner_free(self.ssl.as_ptr(), self.is_resuming.into()) }
    }
}

impl End {
    pub(crate) fn new(
        context: NonNull<Context>,
        is_resuming: bool,
        is_client: bool,
    ) -> Result<Self, Error> {
        // SAFETY: contexts are never freed.
        let ssl = unsafe { tls::runner_end(context.as_ptr(), is_client.into()) };
        Ok(Self {
            ssl: non_null(ssl)?,
            is_resuming,
        })
    }

    /// Calls a function that reads from and writes to wires. Returns `None` if it needs more bytes.
    fn call(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
        call: impl FnOnce(*mut Ssl, *mut Wires) -> c_int,
    ) -> Result<Option<c_int>, Error> {
        let mut wires = Wires::new(from_peer, to_peer);
        let done = call(self.ssl.as_ptr(), &mut wires);
        from_peer.consume(from_peer.unread().len() - wires.left);
        match done {
            0 => Ok(None),
            done if done > 0 => Ok(Some(done)),
            _ => Err(failure()),
        }
    }
}

// The connection lives as long as all calls, and has the wires during a call only, when nothing else uses them.
impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let resumes = self.is_resuming.into();
        // SAFETY: as above.
        let handshake = |ssl, wires| unsafe { tls::runner_handshake(ssl, wires, resumes) };
        let done = self.call(from_peer, to_peer, handshake)?;
        if done.is_some() && !from_peer.is_empty() {
            // SAFETY: as above.
            let read_tickets = |ssl, wires| unsafe { tls::runner_read_tickets(ssl, wires) };
            self.call(from_peer, to_peer, read_tickets)?;
        }
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        // SAFETY: as above.
        unsafe { tls::runner_is_handshaking(self.ssl.as_ptr()) == 1 }
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        let count = data.len().try_into()?;
        // SAFETY: the library reads no more than `count` bytes.
        let write = |ssl, wires| unsafe { tls::runner_write(ssl, wires, data.as_ptr(), count) };
        match self.call(&mut Wire::default(), to_peer, write)? {
            Some(written) if written == count => Ok(()),
            _ => Err("the write was incomplete".into()),
        }
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        let mut to_peer = Wire::default();
        // SAFETY: as above.
        while !from_peer.is_empty() || unsafe { tls::runner_pending(self.ssl.as_ptr()) } > 0 {
            let piece = into.piece();
            let (start, room) = (piece.as_mut_ptr(), piece.len() as c_int);
            // SAFETY: the library writes no more than `room` bytes.
            let read = |ssl, wires| unsafe { tls::runner_read(ssl, wires, start, room) };
            match self.call(from_peer, &mut to_peer, read)? {
                Some(count) => into.received(count as usize),
                None => break,
            }
        }
        Ok(())
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let ssl = self.ssl.as_ptr();
        // SAFETY: the connection outlives the calls; names are never freed.
        let (version, suite, group) = unsafe {
            let [suite, group] = [tls::runner_suite(ssl), tls::runner_group(ssl)];
            (tls::runner_version(ssl), text(suite), text(group))
        };
        let version = match version {
            0x303 => TlsVersion::V1_2,
            0x304 => TlsVersion::V1_3,
            other => return Err(format!("negotiated version {other:#x}").into()),
        };
        Ok(Negotiated {
            version,
            suite: suite.ok_or("no suite")?.to_owned(),
            group: group.map(str::to_owned),
        })
    }

    fn was_resumed(&self) -> Option<bool> {
        // SAFETY: as above.
        Some(unsafe { tls::runner_was_resumed(self.ssl.as_ptr()) } == 1)
    }
}
