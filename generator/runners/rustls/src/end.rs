//! One end of a connection, with either API.

use crate::buffered::Buffered;
use crate::builder::ProtocolVersion;
use crate::choice::iana;
use crate::resumption::ResumptionCheck;
#[cfg(has_unbuffered)]
use crate::unbuffered::Unbuffered;
use harness::{Endpoint, Error, Negotiated, TlsVersion, Wire};
use rustls::CommonState;
use std::io::IoSlice;

pub(crate) struct End {
    api: Api,
    check: ResumptionCheck,
}

enum Api {
    Buffered(Buffered),
    #[cfg(has_unbuffered)]
    Unbuffered(Unbuffered),
}

impl From<Buffered> for End {
    fn from(end: Buffered) -> Self {
        Self {
            api: Api::Buffered(end),
            check: ResumptionCheck::default(),
        }
    }
}

#[cfg(has_unbuffered)]
impl From<Unbuffered> for End {
    fn from(end: Unbuffered) -> Self {
        Self {
            api: Api::Unbuffered(end),
            check: ResumptionCheck::default(),
        }
    }
}

/// Calls the same method for either API.
macro_rules! either {
    ($api:expr, $inner:ident => $call:expr) => {
        match $api {
            Api::Buffered($inner) => $call,
            #[cfg(has_unbuffered)]
            Api::Unbuffered($inner) => $call,
        }
    };
}

impl End {
    /// `None` before the first turn.
    fn state(&self) -> Option<&CommonState> {
        either!(&self.api, end => end.state())
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let Self { api, check } = self;
        check.turn(|| either!(api, end => end.handshake(from_peer, to_peer)))
    }

    fn is_handshaking(&self) -> bool {
        self.state().is_none_or(CommonState::is_handshaking)
    }

    fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        either!(&mut self.api, end => end.write(data))
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> Result<(), Error> {
        match &mut self.api {
            Api::Buffered(end) => end.write_vectored(parts),
            #[cfg(has_unbuffered)]
            Api::Unbuffered(_) => Err("the unbuffered API has no vectored write".into()),
        }
    }

    fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        either!(&mut self.api, end => end.flush(to_peer))
    }

    fn read(&mut self, from_peer: &mut Wire, sink: impl FnMut(&[u8])) -> Result<(), Error> {
        either!(&mut self.api, end => end.read(from_peer, sink))
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let state = self.state().ok_or("no handshake yet")?;
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
        self.check.was_resumed(self.state())
    }
}
