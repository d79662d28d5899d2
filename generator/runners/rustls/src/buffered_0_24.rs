//! One end of a connection by the only API of rustls 0.24, in which the caller owns the buffers of
//! both directions. As in rustls-bench, each end has a `VecInput`.

use crate::builder::Name;
use harness::{Endpoint, Error, Plaintext, Wire};
use rustls::crypto::cipher::OutboundPlain;
use rustls::{
    ClientConfig, ClientSide, Connection, ServerConfig, ServerSide, SideData, Tcp, VecInput,
};
use std::io::IoSlice;
use std::sync::Arc;

pub(crate) struct End {
    side: Side,
    input: VecInput,
    /// What there is to send since a client was created, or data were read.
    pending: Vec<u8>,
}

enum Side {
    Client(Connection<ClientSide, Tcp>),
    Server(Connection<ServerSide, Tcp>),
}

/// Runs the same code for the connection of either side: their types differ in a parameter.
macro_rules! either {
    ($side:expr, $connection:ident => $do:expr) => {
        match $side {
            Side::Client($connection) => $do,
            Side::Server($connection) => $do,
        }
    };
}

impl End {
    pub(crate) fn client(config: Arc<ClientConfig>, name: Name) -> Result<Self, Error> {
        let mut hello = Vec::new();
        let connection = config.connect(name).build(&mut hello)?;
        Ok(Self::new(Side::Client(connection), hello))
    }

    pub(crate) fn server(config: Arc<ServerConfig>) -> Result<Self, Error> {
        Ok(Self::new(
            Side::Server(Connection::new(config)?),
            Vec::new(),
        ))
    }

    fn new(side: Side, pending: Vec<u8>) -> Self {
        let input = VecInput::default();
        Self {
            side,
            input,
            pending,
        }
    }

    fn write_plain(&mut self, plain: OutboundPlain<'_>, to_peer: &mut Wire) -> Result<(), Error> {
        let records = to_peer.sent();
        records.append(&mut self.pending);
        either!(&mut self.side, connection => Ok(connection.write(plain, records)?))
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let answer = to_peer.sent();
        answer.append(&mut self.pending);
        either!(&mut self.side, connection => {
            process(connection, &mut self.input, from_peer, answer, |_| ())
        })
    }

    fn is_handshaking(&self) -> bool {
        either!(&self.side, connection => connection.is_handshaking())
    }

    fn write(&mut self, data: &[u8], to_peer: &mut Wire) -> Result<(), Error> {
        self.write_plain(data.into(), to_peer)
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>], to_peer: &mut Wire) -> Result<(), Error> {
        let chunks: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
        self.write_plain(OutboundPlain::new(&chunks), to_peer)
    }

    /// Copies the data, which rustls decrypts in place, as earlier releases do.
    fn read(&mut self, from_peer: &mut Wire, into: &mut Plaintext) -> Result<(), Error> {
        let sink = |data: &[u8]| {
            into.piece()[..data.len()].copy_from_slice(data);
            into.received(data.len());
        };
        either!(&mut self.side, connection => {
            process(connection, &mut self.input, from_peer, &mut self.pending, sink)
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
