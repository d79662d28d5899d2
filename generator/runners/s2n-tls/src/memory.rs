//! Input and output of a connection, in memory.
#![allow(unsafe_code)]

use harness::Wire;
use s2n_tls::connection::Connection;
use s2n_tls::error::Error;
use std::ffi::{c_int, c_void};
use std::io::{Read, Write};
use std::ptr::NonNull;
use std::{mem, slice};

/// The buffers that s2n-tls reads from and writes to. Wires are swapped in only during a call, so
/// that a connection does not own their memory.
#[derive(Default)]
pub(crate) struct Memory {
    incoming: Wire,
    outgoing: Wire,
}

/// A connection with its memory, which must not move.
pub(crate) struct Attached {
    // Dropped first, because it has a pointer to the memory.
    connection: Connection,
    memory: Pinned,
}

/// Memory that s2n-tls has a pointer to. Not a `Box`, which would require unique access.
struct Pinned(NonNull<Memory>);

impl Pinned {
    fn get(&mut self) -> &mut Memory {
        // SAFETY: it lives as long as this, and s2n-tls uses it only during calls to s2n-tls.
        unsafe { self.0.as_mut() }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: it came from a `Box` (`Attached::new`), and nothing uses it any more.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl Attached {
    pub(crate) fn new(mut connection: Connection) -> Result<Self, Error> {
        let memory = Pinned(NonNull::from(Box::leak(Box::default())));
        let context = memory.0.as_ptr();
        connection.set_receive_callback(Some(receive))?;
        connection.set_send_callback(Some(send))?;
        // SAFETY: the memory outlives the connection.
        unsafe {
            connection.set_receive_context(context.cast())?;
            connection.set_send_context(context.cast())?;
        }
        Ok(Self { connection, memory })
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Calls the connection, for operations that only write.
    pub(crate) fn write<T>(&mut self, act: impl FnOnce(&mut Connection) -> T) -> T {
        act(&mut self.connection)
    }

    /// Calls the connection, with a wire to read from.
    pub(crate) fn with<T>(&mut self, wire: &mut Wire, act: impl FnOnce(&mut Connection) -> T) -> T {
        mem::swap(&mut self.memory.get().incoming, wire);
        let done = act(&mut self.connection);
        mem::swap(&mut self.memory.get().incoming, wire);
        done
    }

    /// Appends all written bytes to a wire.
    pub(crate) fn flush(&mut self, wire: &mut Wire) {
        let outgoing = &mut self.memory.get().outgoing;
        if wire.is_empty() {
            mem::swap(outgoing, wire);
        } else {
            wire.sent().extend_from_slice(outgoing.unread());
        }
        outgoing.clear();
    }
}

unsafe extern "C" fn receive(context: *mut c_void, into: *mut u8, room: u32) -> c_int {
    // SAFETY: s2n-tls passes the context of `Attached::new`, and a buffer of `room` bytes.
    let (memory, into) = unsafe {
        (
            &mut *context.cast::<Memory>(),
            slice::from_raw_parts_mut(into, room as usize),
        )
    };
    match memory.incoming.read(into) {
        Ok(count) => count as c_int,
        Err(_) => {
            // Like a nonblocking socket without data.
            errno::set_errno(errno::Errno(EWOULDBLOCK));
            -1
        }
    }
}

/// <errno.h> of Linux.
const EWOULDBLOCK: c_int = 11;

unsafe extern "C" fn send(context: *mut c_void, from: *const u8, count: u32) -> c_int {
    // SAFETY: as in `receive`.
    let (memory, from) = unsafe {
        (
            &mut *context.cast::<Memory>(),
            slice::from_raw_parts(from, count as usize),
        )
    };
    match memory.outgoing.write(from) {
        Ok(written) => written as c_int,
        Err(_) => -1,
    }
}
