//! The only API of rustls 0.24, in which the caller owns the buffers of both directions. As in
//! rustls-bench, each end has a `VecInput` and a vector of records.

use crate::builder::Name;
use harness::{Error, Wire};
use rustls::crypto::cipher::OutboundPlain;
use rustls::{
    ClientConfig, ClientSide, CommonState, Connection, ServerConfig, ServerSide, SideData, Tcp,
    VecInput,
};
use std::io::IoSlice;
use std::sync::Arc;

pub(crate) struct Buffered {
    side: Side,
    input: VecInput,
    /// Encrypted records, not flushed yet.
    records: Vec<u8>,
}

/// A connection, which is created in the first turn, because that includes its key share.
enum Side {
    NewClient(Arc<ClientConfig>, Name),
    NewServer(Arc<ServerConfig>),
    Client(Connection<ClientSide, Tcp>),
    Server(Connection<ServerSide, Tcp>),
}

/// Runs the same code for the connection of either side: their types differ in a parameter.
macro_rules! either {
    ($side:expr, $connection:ident => $do:expr) => {
        match $side {
            Side::Client($connection) => $do,
            Side::Server($connection) => $do,
            _ => return Err("no handshake yet".into()),
        }
    };
}

impl Buffered {
    pub(crate) fn client(config: Arc<ClientConfig>, name: Name) -> Self {
        Self::new(Side::NewClient(config, name))
    }

    pub(crate) fn server(config: Arc<ServerConfig>) -> Self {
        Self::new(Side::NewServer(config))
    }

    fn new(side: Side) -> Self {
        Self {
            side,
            input: VecInput::default(),
            records: Vec::new(),
        }
    }

    pub(crate) fn state(&self) -> Option<&CommonState> {
        match &self.side {
            Side::Client(connection) => Some(connection),
            Side::Server(connection) => Some(connection),
            _ => None,
        }
    }

    pub(crate) fn handshake(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
    ) -> Result<(), Error> {
        self.side = match &self.side {
            Side::NewClient(config, name) => {
                Side::Client(config.connect(name.clone()).build(to_peer.sent())?)
            }
            Side::NewServer(config) => Side::Server(Connection::new(config.clone())?),
            _ => return self.process(from_peer, to_peer.sent(), |_| ()),
        };
        self.handshake(from_peer, to_peer)
    }

    pub(crate) fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        self.write_plain(data.into())
    }

    pub(crate) fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> Result<(), Error> {
        let chunks: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
        self.write_plain(OutboundPlain::new(&chunks))
    }

    fn write_plain(&mut self, plain: OutboundPlain<'_>) -> Result<(), Error> {
        either!(&mut self.side, connection => Ok(connection.write(plain, &mut self.records)?))
    }

    /// Copies all records to the wire. (With this API, a caller could pass on the buffer itself.)
    pub(crate) fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        to_peer.sent().append(&mut self.records);
        Ok(())
    }

    /// Passes the data on in place.
    pub(crate) fn read(
        &mut self,
        from_peer: &mut Wire,
        sink: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        let mut answer = std::mem::take(&mut self.records);
        let done = self.process(from_peer, &mut answer, sink);
        self.records = answer;
        done
    }

    fn process(
        &mut self,
        from_peer: &mut Wire,
        answer: &mut Vec<u8>,
        sink: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        either!(&mut self.side, connection => {
            process(connection, &mut self.input, from_peer, answer, sink)
        })
    }
}

fn process<S: SideData>(
    connection: &mut Connection<S, Tcp>,
    input: &mut VecInput,
    from_peer: &mut Wire,
    answer: &mut Vec<u8>,
    mut sink: impl FnMut(&[u8]),
) -> Result<(), Error> {
    while !from_peer.is_empty() {
        input.read(from_peer)?;
        let mut messages = connection.read_tls(input, answer);
        while let Some(payload) = messages.next_payload() {
            sink(payload?.bytes());
        }
    }
    Ok(())
}
