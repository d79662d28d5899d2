//! One end of a connection.
#![allow(unsafe_code)]

use harness::{Endpoint, Error, Plaintext, Wire};
use s2n_tls::config::Config;
use s2n_tls::connection::Connection;
use s2n_tls::enums::Blinding;
use std::ffi::{c_int, c_void};
use std::io::Read;
use std::ptr;
use std::slice;
use std::task::Poll;

pub(crate) struct End(pub(crate) Connection);

impl End {
    pub(crate) fn new(mut connection: Connection, config: &Config) -> Result<Self, Error> {
        // Errors end the run, and need no delay against timing attacks.
        connection.set_blinding(Blinding::SelfService)?;
        // Records of 16 KiB.
        connection.prefer_throughput()?;
        connection.set_config(config.clone())?;
        connection.set_receive_callback(Some(receive))?;
        connection.set_send_callback(Some(send))?;
        Ok(Self(connection))
    }

    /// Calls the connection, with wires to read from and write to.
    fn call<T>(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
        act: impl FnOnce(&mut Connection) -> T,
    ) -> Result<T, Error> {
        // SAFETY: the connection uses the wires during the call only, when nothing else does.
        unsafe {
            self.0
                .set_receive_context(ptr::from_mut(from_peer).cast())?;
            self.0.set_send_context(ptr::from_mut(to_peer).cast())?;
        }
        Ok(act(&mut self.0))
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let done = self.call(from_peer, to_peer, |c| c.poll_negotiate().map_ok(|_| ()))?;
        if let Poll::Ready(done) = done {
            done?;
            if !from_peer.is_empty() {
                // Tickets are read only with the data that follows.
                let read = self.call(from_peer, to_peer, |c| c.poll_recv(&mut [0]))?;
                if read.is_ready() {
                    return Err("data follows the handshake".into());
                }
            }
        }
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        !self.0.handshake_complete()
    }

    fn write(&mut self, mut data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        self.call(&mut Wire::default(), to_peer, |connection| {
            while !data.is_empty() {
                match connection.poll_send(data) {
                    Poll::Ready(count) => data = &data[count?..],
                    Poll::Pending => return Err("memory never blocks".into()),
                }
            }
            Ok(())
        })?
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        let mut to_peer = Wire::default();
        while !from_peer.is_empty() || self.0.peek_len() > 0 {
            match self.call(from_peer, &mut to_peer, |c| c.poll_recv(into.piece()))? {
                Poll::Ready(Ok(0)) => return Err("the peer closed".into()),
                Poll::Ready(count) => into.received(count?),
                Poll::Pending => break,
            }
        }
        Ok(())
    }
}

/// <errno.h> of Linux.
const EWOULDBLOCK: c_int = 11;

unsafe extern "C" fn receive(wire: *mut c_void, into: *mut u8, room: u32) -> c_int {
    // SAFETY: s2n-tls passes the wire of `End::call`.
    let wire = unsafe { &mut *wire.cast::<Wire>() };
    // SAFETY: the buffer has `room` bytes.
    let into = unsafe { slice::from_raw_parts_mut(into, room as usize) };
    match wire.read(into) {
        Ok(count) => count as c_int,
        Err(_) => {
            // Like a nonblocking socket without data.
            errno::set_errno(errno::Errno(EWOULDBLOCK));
            -1
        }
    }
}

unsafe extern "C" fn send(wire: *mut c_void, from: *const u8, count: u32) -> c_int {
    // SAFETY: s2n-tls passes the wire of `End::call`.
    let wire = unsafe { &mut *wire.cast::<Wire>() };
    // SAFETY: the buffer has `count` bytes.
    wire.sent()
        .extend_from_slice(unsafe { slice::from_raw_parts(from, count as usize) });
    count as c_int
}
