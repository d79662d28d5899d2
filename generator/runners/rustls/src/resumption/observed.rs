//! Detects resumption before rustls 0.23.5, where connections do not report it.
//!
//! In a full handshake the server sends its certificates; in a resumed one it does not. (rustls has
//! no suite without certificates, and compresses none without an optional feature.) A mistake would
//! be detected: the harness requires the first handshake to be full.

use harness::{Error, Wire};
use rustls::CommonState;

/// The bytes that a server has sent, at one end of a connection.
pub(crate) struct ResumptionCheck {
    is_client: bool,
    /// Bytes of the server's certificates in PEM, a third more than on the wire.
    chain: usize,
    sent: usize,
}

impl ResumptionCheck {
    pub(crate) fn new(is_client: bool, chain: usize) -> Self {
        Self {
            is_client,
            chain,
            sent: 0,
        }
    }

    /// Runs one turn of a handshake.
    pub(crate) fn turn(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
        turn: impl FnOnce(&mut Wire, &mut Wire) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (received, before) = (from_peer.unread().len(), to_peer.unread().len());
        turn(from_peer, to_peer)?;
        self.sent += match self.is_client {
            true => received,
            false => to_peer.unread().len() - before,
        };
        Ok(())
    }

    pub(crate) fn was_resumed(&self, state: &CommonState) -> bool {
        !state.is_handshaking() && self.sent < self.chain / 2
    }
}
