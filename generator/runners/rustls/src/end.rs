//! One end of a connection.

use crate::buffered::Buffered;
use crate::builder::ProtocolVersion;
use crate::choice::iana;
use crate::resumption::ResumptionCheck;
use harness::{Endpoint, Error, Negotiated, TlsVersion, Wire};
use std::io::IoSlice;

pub(crate) struct End {
    inner: Buffered,
    check: ResumptionCheck,
}

impl End {
    pub(crate) fn new(inner: Buffered, check: ResumptionCheck) -> Self {
        Self { inner, check }
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let Self { inner, check } = self;
        check.turn(from_peer, to_peer, |from, to| inner.handshake(from, to))
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

    fn was_resumed(&self) -> bool {
        self.check.was_resumed(self.inner.state())
    }
}
