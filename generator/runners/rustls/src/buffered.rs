//! One end of a connection by rustls' buffered API, in which the connection owns its buffers.

use crate::builder::Name;
use harness::{Endpoint, Error, Plaintext, Wire};
use rustls::{ClientConfig, ClientConnection, Connection, ServerConfig, ServerConnection};
use std::io::{self, IoSlice, Read, Write};
use std::sync::Arc;

pub(crate) struct End(Connection);

impl End {
    pub(crate) fn client(config: Arc<ClientConfig>, name: Name) -> Result<Self, Error> {
        Ok(Self::new(ClientConnection::new(config, name)?.into()))
    }

    pub(crate) fn server(config: Arc<ServerConfig>) -> Result<Self, Error> {
        Ok(Self::new(ServerConnection::new(config)?.into()))
    }

    fn new(mut connection: Connection) -> Self {
        connection.set_buffer_limit(None);
        Self(connection)
    }

    fn send(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        while self.0.wants_write() {
            self.0.write_tls(to_peer)?;
        }
        Ok(())
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        while !from_peer.is_empty() {
            self.0.read_tls(from_peer)?;
            self.0.process_new_packets()?;
        }
        self.send(to_peer)
    }

    fn is_handshaking(&self) -> bool {
        self.0.is_handshaking()
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        self.0.writer().write_all(data)?;
        self.send(to_peer)
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>], to_peer: &mut Wire) -> Result<(), Error> {
        let written = self.0.writer().write_vectored(parts)?;
        match written == parts.iter().map(|p| p.len()).sum() {
            true => self.send(to_peer),
            false => Err("the vectored write was incomplete".into()),
        }
    }

    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        while !from_peer.is_empty() {
            self.0.read_tls(from_peer)?;
            self.0.process_new_packets()?;
            loop {
                match self.0.reader().read(into.piece()) {
                    Ok(count) => into.received(count),
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                    Err(e) => return Err(e.into()),
                }
            }
        }
        Ok(())
    }
}
