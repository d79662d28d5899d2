//! One end of a connection.

use crate::crates::api;
use crate::{control, library};
use api::ssl::{self, ErrorCode, ShutdownState, Ssl, SslCipherRef, SslStream, SslVersion};
use harness::{Endpoint, Error, MAX_RECORD, Negotiated, TlsVersion, Wire};
use std::io::{self, Read, Write};
use std::mem;

pub(crate) type Stack = api::error::ErrorStack;

pub(crate) struct End {
    stream: SslStream<Incoming>,
    is_resuming: bool,
}

/// What the library reads. The wire is here only during a call, so that a connection owns no memory
/// of it.
#[derive(Default)]
struct Incoming(Wire);

impl Read for Incoming {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

/// `SslStream` asks for it; the library writes to memory of its own.
impl Write for Incoming {
    fn write(&mut self, _data: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl End {
    pub(crate) fn new(ssl: Ssl, is_resuming: bool) -> Result<Self, Stack> {
        let stream = SslStream::new(ssl, Incoming::default())?;
        control::write_to_memory(stream.ssl())?;
        Ok(Self {
            stream,
            is_resuming,
        })
    }

    /// Does what reads from the wire.
    fn with<T>(
        &mut self,
        wire: &mut Wire,
        act: impl FnOnce(&mut SslStream<Incoming>) -> Result<T, ssl::Error>,
    ) -> Result<T, ssl::Error> {
        mem::swap(&mut self.stream.get_mut().0, wire);
        let done = act(&mut self.stream);
        mem::swap(&mut self.stream.get_mut().0, wire);
        done
    }
}

impl Drop for End {
    /// Both libraries forget the session of a connection that was not shut down.
    fn drop(&mut self) {
        if self.is_resuming {
            self.stream
                .set_shutdown(ShutdownState::SENT | ShutdownState::RECEIVED);
        }
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let done = self.with(from_peer, SslStream::do_handshake);
        self.flush(to_peer)?;
        Ok(or_blocked(done)?)
    }

    fn is_handshaking(&self) -> bool {
        !self.stream.ssl().is_init_finished()
    }

    fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        Ok(self.stream.write_all(data)?)
    }

    fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        control::take_written(self.stream.ssl(), to_peer.sent());
        Ok(())
    }

    fn read(&mut self, from_peer: &mut Wire, mut sink: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut piece = [0; MAX_RECORD];
        let done = self.with(from_peer, |stream| {
            loop {
                let count = stream.ssl_read(&mut piece)?;
                sink(&piece[..count]);
            }
        });
        Ok(or_blocked(done)?)
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let ssl = self.stream.ssl();
        let version = match ssl.version2() {
            Some(SslVersion::TLS1_2) => TlsVersion::V1_2,
            Some(SslVersion::TLS1_3) => TlsVersion::V1_3,
            _ => return Err(format!("negotiated {}", ssl.version_str()).into()),
        };
        let suite = ssl.current_cipher().and_then(SslCipherRef::standard_name);
        Ok(Negotiated {
            version,
            suite: suite.ok_or("no suite")?.to_owned(),
            group: library::group(ssl),
        })
    }

    fn was_resumed(&self) -> bool {
        self.stream.ssl().session_reused()
    }
}

/// That more bytes are needed is no error.
fn or_blocked(result: Result<(), ssl::Error>) -> Result<(), ssl::Error> {
    match result {
        Err(error) if error.code() == ErrorCode::WANT_READ => Ok(()),
        other => other,
    }
}
