//! One end of a connection.

use crate::buffered::Buffered;
use crate::builder::ProtocolVersion;
use crate::choice::iana;
use harness::{Endpoint, Error, Negotiated, TlsVersion, Wire};
use std::io::IoSlice;

pub(crate) struct End {
    inner: Buffered,
    is_client: bool,
    /// Bytes that the server has sent during the handshake.
    from_server: usize,
    /// Bytes of the server's certificates in PEM, a third more than on the wire.
    certificates: usize,
}

impl End {
    pub(crate) fn new(inner: Buffered, is_client: bool, certificates: usize) -> Self {
        Self {
            inner,
            is_client,
            from_server: 0,
            certificates,
        }
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let (received, before) = (from_peer.unread().len(), to_peer.unread().len());
        self.inner.handshake(from_peer, to_peer)?;
        self.from_server += match self.is_client {
            true => received,
            false => to_peer.unread().len() - before,
        };
        Ok(())
    }

    fn is_handshaking(&self) -> bool {
        self.inner.state().is_handshaking()
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        self.inner.write(data, to_peer)
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>], to_peer: &mut Wire) -> Result<(), Error> {
        self.inner.write_vectored(parts, to_peer)
    }

    fn read(
        &mut self,
        from_peer: &mut Wire,
        piece: &mut [u8],
        sink: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        self.inner.read(from_peer, piece, sink)
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let state = self.inner.state();
        let version = match state.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => TlsVersion::V1_2,
            Some(ProtocolVersion::TLSv1_3) => TlsVersion::V1_3,
            other => return Err(format!("negotiated {other:?}").into()),
        };
        let suite = state.negotiated_cipher_suite().ok_or("no suite")?;
        #[cfg(reports_group)]
        let group = state
            .negotiated_key_exchange_group()
            .map(|g| format!("{:?}", g.name()));
        #[cfg(not(reports_group))]
        let group = None;
        Ok(Negotiated {
            version,
            suite: iana(suite.suite()),
            group,
        })
    }

    /// rustls reports this from 0.23.5 on. For all releases alike, it is seen on the wire: the server
    /// sends its certificates in a full handshake and not in a resumed one. (rustls has no suite
    /// without certificates, and compresses none without an optional feature.)
    fn was_resumed(&self) -> bool {
        !self.is_handshaking() && self.from_server < self.certificates / 2
    }
}
