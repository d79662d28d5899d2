//! One end of a connection, by either API.

use crate::buffered::Buffered;
use crate::config::iana;
use crate::unbuffered::Unbuffered;
use harness::{Endpoint, Error, Negotiated, Version, Wire};
use rustls::{CommonState, HandshakeKind, ProtocolVersion};
use std::io::IoSlice;

pub(crate) enum End {
    Buffered(Buffered),
    Unbuffered(Unbuffered),
}

/// Calls the same method of whichever end it is.
macro_rules! either {
    ($end:expr, $inner:ident => $call:expr) => {
        match $end {
            End::Buffered($inner) => $call,
            End::Unbuffered($inner) => $call,
        }
    };
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        either!(self, end => end.handshake(from_peer, to_peer))
    }

    fn is_handshaking(&self) -> bool {
        either!(self, end => end.state().is_none_or(CommonState::is_handshaking))
    }

    fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        either!(self, end => end.write(data))
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> Result<(), Error> {
        match self {
            Self::Buffered(end) => end.write_vectored(parts),
            Self::Unbuffered(_) => Err("the unbuffered API has no vectored write".into()),
        }
    }

    fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        either!(self, end => end.flush(to_peer))
    }

    fn read(&mut self, from_peer: &mut Wire, sink: impl FnMut(&[u8])) -> Result<(), Error> {
        either!(self, end => end.read(from_peer, sink))
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let state = either!(self, end => end.state()).ok_or("no handshake yet")?;
        let version = match state.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => Version::V1_2,
            Some(ProtocolVersion::TLSv1_3) => Version::V1_3,
            other => return Err(format!("negotiated {other:?}").into()),
        };
        let suite = state.negotiated_cipher_suite().ok_or("no suite")?;
        let group = state.negotiated_key_exchange_group();
        Ok(Negotiated {
            version,
            suite: iana(suite.suite()),
            group: group.map(|g| format!("{:?}", g.name())),
        })
    }

    fn was_resumed(&self) -> bool {
        let state = either!(self, end => end.state());
        state.and_then(CommonState::handshake_kind) == Some(HandshakeKind::Resumed)
    }
}
