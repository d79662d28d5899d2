//! Detects resumption from rustls 0.23.5 on, where connections report it.

use rustls::{CommonState, HandshakeKind};

#[derive(Default)]
pub(crate) struct ResumptionCheck {}

impl ResumptionCheck {
    /// Runs one turn of a handshake.
    pub(crate) fn turn<T>(&mut self, turn: impl FnOnce() -> T) -> T {
        turn()
    }

    pub(crate) fn was_resumed(&self, state: &CommonState) -> bool {
        state.handshake_kind() == Some(HandshakeKind::Resumed)
    }
}
