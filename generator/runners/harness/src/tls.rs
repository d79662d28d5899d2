//! The traits that a library implements to be measured.

use crate::{Credentials, Plaintext, Scenario, Wire};
use std::io::IoSlice;

/// Any error of a library.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no figure.
#[derive(Debug)]
pub enum MeasureError {
    /// The library cannot do it, for this reason. A row states it, and the run continues.
    Unsupported(String),
    /// An unexpected failure: the run fails.
    Failed(Error),
}

impl MeasureError {
    /// Creates an [`Unsupported`](Self::Unsupported) error. The reason is shown in the report.
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
/// Both configurations offer only the scenario's cipher suite, version and group, and have the
/// scenario's certificates. The client verifies the server's chain and its name, `localhost`. If
/// the scenario resumes, clients keep the first session that they receive, for later ones to
/// resume.
pub trait Tls: Sized + Sync {
    /// One end of a connection.
    type Endpoint: Endpoint;

    /// Whether the library can write several buffers at once.
    const HAS_VECTORED_WRITE: bool = false;

    /// The library's name as its authors write it.
    fn name() -> &'static str;

    /// The linked release: from the library itself, or that of the lock file.
    fn version() -> String {
        crate::version().to_owned()
    }

    /// The release day, such as `2025-07-01`, if the library reports it.
    fn released() -> Option<String> {
        None
    }

    /// The options with which the library was compiled, if it knows them.
    fn options() -> Option<String> {
        None
    }

    /// The other distinctions between builds: provider, allocator, compiler.
    fn variant() -> Vec<String> {
        let allocator = cfg!(feature = "replace-malloc").then_some("jemalloc");
        allocator.map(str::to_owned).into_iter().collect()
    }

    /// Configures both sides for a scenario.
    ///
    /// # Errors
    /// [`MeasureError::Unsupported`] if the library cannot do the scenario.
    fn configure(scenario: &Scenario, credentials: &Credentials) -> Result<Self, MeasureError>;

    /// Creates a client. This is timed as a part of its handshake.
    fn client(&self) -> Result<Self::Endpoint, Error>;

    /// Creates a server. This is timed as a part of its handshake.
    fn server(&self) -> Result<Self::Endpoint, Error>;
}

/// One end of a connection over memory buffers.
pub trait Endpoint {
    /// Advances as far as the bytes from the peer allow, and sends all pending bytes. A client
    /// also reads the tickets that follow the handshake: it leaves no bytes on the wire.
    ///
    /// # Errors
    /// Any error of the library. A need for more bytes is not an error.
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error>;

    /// Whether the handshake is incomplete, so that application data cannot be sent yet.
    fn is_handshaking(&self) -> bool;

    /// Encrypts all of `data`. Returns when all of its records are on the wire.
    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error>;

    /// Encrypts all buffers as one write, if the library supports that.
    ///
    /// # Errors
    /// Any error of the library; always in the default implementation.
    fn write_vectored(&mut self, parts: &[IoSlice<'_>], to_peer: &mut Wire) -> Result<(), Error> {
        let _ = (parts, to_peer);
        Err("this library has no vectored write".into())
    }

    /// Decrypts all available records. A library that decrypts in place copies the data, so that
    /// all do the same work.
    ///
    /// # Errors
    /// Any error of the library. A need for more bytes is not an error.
    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error>;
}
