//! rustls' buffered API, in which the connection owns its buffers.

use crate::builder::Name;
use harness::{Error, MAX_RECORD, Wire};
use rustls::{
    ClientConfig, ClientConnection, CommonState, Connection, ServerConfig, ServerConnection,
};
use std::io::{self, IoSlice, Read, Write};
use std::sync::Arc;

/// Maximum bytes of one flush, as in rustls-bench (`TempBuffers`). Pieces of this size stay in the
/// cache between encryption and decryption.
const PIECE: usize = 256 * 1024;

/// A connection, which is created in the first turn, because that includes its key share.
#[expect(
    clippy::large_enum_variant,
    reason = "short-lived, and indirection costs"
)]
pub(crate) enum Buffered {
    Client(Arc<ClientConfig>, Name),
    Server(Arc<ServerConfig>),
    Open(Connection),
}

impl Buffered {
    pub(crate) fn client(config: Arc<ClientConfig>, name: Name) -> Self {
        Self::Client(config, name)
    }

    pub(crate) fn server(config: Arc<ServerConfig>) -> Self {
        Self::Server(config)
    }

    pub(crate) fn state(&self) -> Option<&CommonState> {
        match self {
            Self::Open(connection) => Some(connection),
            _ => None,
        }
    }

    fn open(&mut self) -> Result<&mut Connection, Error> {
        let mut connection = match self {
            Self::Open(connection) => return Ok(connection),
            Self::Client(config, name) => {
                Connection::Client(ClientConnection::new(config.clone(), name.clone())?)
            }
            Self::Server(config) => Connection::Server(ServerConnection::new(config.clone())?),
        };
        connection.set_buffer_limit(None);
        *self = Self::Open(connection);
        self.open()
    }

    pub(crate) fn handshake(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
    ) -> Result<(), Error> {
        let connection = self.open()?;
        while !from_peer.is_empty() {
            connection.read_tls(from_peer)?;
            connection.process_new_packets()?;
        }
        while connection.wants_write() {
            connection.write_tls(to_peer)?;
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        Ok(self.open()?.writer().write_all(data)?)
    }

    pub(crate) fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> Result<(), Error> {
        let written = self.open()?.writer().write_vectored(parts)?;
        match written == parts.iter().map(|p| p.len()).sum() {
            true => Ok(()),
            false => Err("the vectored write was incomplete".into()),
        }
    }

    pub(crate) fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        let connection = self.open()?;
        let mut left = PIECE;
        while connection.wants_write() && left > 0 {
            let mut piece = Piece(to_peer, left);
            left -= connection.write_tls(&mut piece)?;
        }
        Ok(())
    }

    pub(crate) fn read(
        &mut self,
        from_peer: &mut Wire,
        mut sink: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        let connection = self.open()?;
        let mut piece = [0; MAX_RECORD];
        while !from_peer.is_empty() {
            connection.read_tls(from_peer)?;
            connection.process_new_packets()?;
            loop {
                match connection.reader().read(&mut piece) {
                    Ok(count) => sink(&piece[..count]),
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                    Err(e) => return Err(e.into()),
                }
            }
        }
        Ok(())
    }
}

/// A writer to a wire that takes no more than the given number of bytes.
struct Piece<'a>(&'a mut Wire, usize);

impl Write for Piece<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.write(&data[..data.len().min(self.1)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
