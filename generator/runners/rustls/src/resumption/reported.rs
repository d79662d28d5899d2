//! Detects resumption from rustls 0.23.5 on, where connections report it.

use harness::{Error, Wire};
use rustls::{CommonState, HandshakeKind};

pub(crate) struct ResumptionCheck {}

impl ResumptionCheck {
    pub(crate) fn new(_: bool, _: usize) -> Self {
        Self {}
    }

    /// Runs one turn of a handshake.
    pub(crate) fn turn(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
        turn: impl FnOnce(&mut Wire, &mut Wire) -> Result<(), Error>,
    ) -> Result<(), Error> {
        turn(from_peer, to_peer)
    }

    pub(crate) fn was_resumed(&self, state: &CommonState) -> bool {
        state.handshake_kind() == Some(HandshakeKind::Resumed)
    }
}
