//! What a library has to do to be measured.

use crate::{Credentials, Scenario, TlsVersion, Wire};
use std::io::IoSlice;

/// The largest plaintext of a record.
pub const MAX_RECORD: usize = 16 * 1024;

/// Whatever a library reports as its error.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no figure.
#[derive(Debug)]
pub enum MeasureError {
    /// The library cannot do it, and why: a row says so, and the run goes on.
    Unsupported(String),
    /// It should have worked: the run fails.
    Failed(Error),
}

impl MeasureError {
    /// A reason that a reader of the report understands.
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::Unsupported(reason.into())
    }
}

impl<E: Into<Error>> From<E> for MeasureError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A library, configured for one scenario on both sides.
///
/// Both configurations offer the scenario's one cipher suite, version and group, have the
/// scenario's certificates, and the client verifies the server's chain and that its name is
/// `localhost`.
pub trait Tls: Sized + Sync {
    /// One end of a connection.
    type Endpoint: Endpoint;

    /// The library's name as its authors write it.
    const NAME: &'static str;

    /// Whether there is an API without buffers of the library's own.
    const HAS_UNBUFFERED: bool = false;

    /// Whether several buffers can be written at once.
    const HAS_VECTORED_WRITE: bool = false;

    /// The release that is linked, as the library itself or the lock file names it.
    fn version() -> String;

    /// The day on which that release was published, `2025-07-01`, if the library tells it.
    fn released() -> Option<String> {
        None
    }

    /// What else distinguishes builds: provider, allocator, compiler.
    fn variant() -> Vec<String> {
        Vec::new()
    }

    /// # Errors
    /// [`MeasureError::Unsupported`] for what the library cannot do.
    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError>;

    /// A client that has done nothing yet.
    ///
    /// This is outside of the time that is taken; whatever cryptography making a client does,
    /// such as a key share, has to wait for the first [`Endpoint::handshake`].
    fn client(&self) -> Result<Self::Endpoint, Error>;

    /// A server that has done nothing yet; the same holds as for a client.
    fn server(&self) -> Result<Self::Endpoint, Error>;

    /// Keeps the session of a client that has received data, for the clients to come. Nothing
    /// is to be done where the configuration keeps it by itself.
    ///
    /// # Errors
    /// Why there is no session to resume.
    fn keep_session(&mut self, client: &mut Self::Endpoint) -> Result<(), Error> {
        let _ = client;
        Ok(())
    }
}

/// One end of a connection, over memory.
pub trait Endpoint {
    /// Advances as far as the bytes from the peer allow, and sends what there is to send.
    ///
    /// # Errors
    /// Any but that more bytes are needed.
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error>;

    /// Whether application data cannot be sent yet.
    fn is_handshaking(&self) -> bool;

    /// Encrypts all of `data`. It need not stand on a wire before [`Endpoint::flush`].
    fn write(&mut self, data: &[u8]) -> Result<(), Error>;

    /// Encrypts all buffers as one write, if the library can.
    ///
    /// # Errors
    /// The library's own; without an implementation, that there is none.
    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> Result<(), Error> {
        let _ = parts;
        Err("this library has no vectored write".into())
    }

    /// Sends what was encrypted, or a part of it; nothing is sent when all has been.
    fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error>;

    /// Decrypts all that is there, and gives it to `sink` in the pieces that the library's API
    /// gives it: from the caller's buffer of 16 KiB, or from where it is decrypted in place.
    ///
    /// # Errors
    /// Any but that more bytes are needed.
    fn read(&mut self, from_peer: &mut Wire, sink: impl FnMut(&[u8])) -> Result<(), Error>;

    /// What was agreed upon, once the handshake is over.
    ///
    /// # Errors
    /// If the library does not report it.
    fn negotiated(&self) -> Result<Negotiated, Error>;

    /// Whether this end says that the handshake resumed an earlier session.
    fn was_resumed(&self) -> bool;
}

/// What both ends agreed upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiated {
    /// Protocol version.
    pub version: TlsVersion,
    /// The cipher suite's name in IANA's registry.
    pub suite: String,
    /// The key-exchange group's name in IANA's registry, in any case; `None` where the library
    /// does not report it, or where a TLS 1.2 session was resumed and no keys were exchanged.
    pub group: Option<String>,
}
