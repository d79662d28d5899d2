//! One end of a connection.

use super::functions::{self, Connection, Context, Wires, failure, non_null};
use crate::{Endpoint, Error, Plaintext, Wire};
use std::ffi::c_int;
use std::io::IoSlice;
use std::ptr::NonNull;

pub(crate) struct End {
    connection: NonNull<Connection>,
    is_handshaking: bool,
}

impl Drop for End {
    fn drop(&mut self) {
        // SAFETY: this owns the connection.
        unsafe { functions::runner_free(self.connection.as_ptr()) }
    }
}

impl End {
    pub(super) fn new(context: NonNull<Context>) -> Result<Self, Error> {
        // SAFETY: contexts are never freed.
        let end = unsafe { functions::runner_end(context.as_ptr()) };
        Ok(Self {
            connection: non_null(end)?,
            is_handshaking: true,
        })
    }

    /// Calls a function that reads from and writes to wires. Returns `None` if it needs more bytes.
    fn call(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
        call: impl FnOnce(*mut Connection, *mut Wires) -> c_int,
    ) -> Result<Option<usize>, Error> {
        let mut wires = Wires::new(from_peer, to_peer);
        let done = call(self.connection.as_ptr(), &mut wires);
        from_peer.consume(from_peer.unread().len() - wires.left);
        match done {
            0 => Ok(None),
            done if done > 0 => Ok(Some(done as usize)),
            _ => Err(failure()),
        }
    }

    /// Writes buffers. Returns how many bytes were written.
    fn write_some(&mut self, parts: &[IoSlice<'_>], to_peer: &mut Wire) -> Result<usize, Error> {
        let (start, count) = (parts.as_ptr().cast(), parts.len().try_into()?);
        let write = |end, wires| {
            // SAFETY: `IoSlice` is compatible with `iovec`.
            unsafe { functions::runner_write(end, wires, start, count) }
        };
        let written = self.call(&mut Wire::default(), to_peer, write)?;
        written.ok_or("memory never blocks".into())
    }
}

// The connection lives as long as all calls, and has the wires during a call only, when nothing
// else uses them.
impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        // SAFETY: as above.
        let handshake = |end, wires| unsafe { functions::runner_handshake(end, wires) };
        let done = self.call(from_peer, to_peer, handshake)?;
        self.is_handshaking = done.is_none();
        if done.is_some() && !from_peer.is_empty() {
            // SAFETY: as above.
            let read_tickets = |end, wires| unsafe { functions::runner_read_tickets(end, wires) };
            self.call(from_peer, to_peer, read_tickets)?;
        }
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        self.is_handshaking
    }

    fn write(&mut self, mut data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        while !data.is_empty() {
            let written = self.write_some(&[IoSlice::new(data)], to_peer)?;
            data = &data[written..];
        }
        Ok(())
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>], to_peer: &mut Wire) -> Result<(), Error> {
        let size = parts.iter().map(|part| part.len()).sum();
        match self.write_some(parts, to_peer)? == size {
            true => Ok(()),
            false => Err("the write was incomplete".into()),
        }
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        let mut to_peer = Wire::default();
        // SAFETY: as above.
        while !from_peer.is_empty()
            || unsafe { functions::runner_pending(self.connection.as_ptr()) } > 0
        {
            let piece = into.piece();
            let (start, room) = (piece.as_mut_ptr(), piece.len() as c_int);
            // SAFETY: the library writes no more than `room` bytes.
            let read = |end, wires| unsafe { functions::runner_read(end, wires, start, room) };
            match self.call(from_peer, &mut to_peer, read)? {
                Some(count) => into.received(count),
                None => break,
            }
        }
        Ok(())
    }
}
