//! rustls' unbuffered API, in which the caller owns the buffers.

use crate::builder::Name;
use harness::{Error, Wire};
use rustls::client::UnbufferedClientConnection;
use rustls::server::UnbufferedServerConnection;
use rustls::unbuffered::{
    ConnectionState, EncodeError, EncryptError, InsufficientSizeError, UnbufferedStatus,
};
use rustls::{ClientConfig, CommonState, ServerConfig};
use std::sync::Arc;

/// Initial buffer size for a flight, in bytes; most fit.
const FLIGHT: usize = 16 * 1024;

/// A connection, which is created in the first turn, because that includes its key share.
enum Connection {
    NewClient(Arc<ClientConfig>, Name),
    NewServer(Arc<ServerConfig>),
    Client(UnbufferedClientConnection),
    Server(UnbufferedServerConnection),
}

pub(crate) struct Unbuffered {
    connection: Connection,
    /// Encrypted records, not flushed yet, in the first `used` bytes.
    records: Vec<u8>,
    used: usize,
}

/// Runs the same code for the next state of either side: their types differ in a parameter.
macro_rules! next {
    ($connection:expr, $input:expr, $status:ident => $do:expr) => {
        match $connection {
            Connection::Client(c) => {
                let $status = c.process_tls_records($input);
                $do
            }
            Connection::Server(c) => {
                let $status = c.process_tls_records($input);
                $do
            }
            _ => return Err("no handshake yet".into()),
        }
    };
}

impl Unbuffered {
    pub(crate) fn client(config: Arc<ClientConfig>, name: Name) -> Self {
        Self::new(Connection::NewClient(config, name))
    }

    pub(crate) fn server(config: Arc<ServerConfig>) -> Self {
        Self::new(Connection::NewServer(config))
    }

    fn new(connection: Connection) -> Self {
        Self {
            connection,
            records: Vec::new(),
            used: 0,
        }
    }

    pub(crate) fn state(&self) -> Option<&CommonState> {
        match &self.connection {
            Connection::Client(c) => Some(c),
            Connection::Server(c) => Some(c),
            _ => None,
        }
    }

    fn open(&mut self) -> Result<(), Error> {
        self.connection = match &self.connection {
            Connection::NewClient(config, name) => Connection::Client(
                UnbufferedClientConnection::new(config.clone(), name.clone())?,
            ),
            Connection::NewServer(config) => {
                Connection::Server(UnbufferedServerConnection::new(config.clone())?)
            }
            _ => return Ok(()),
        };
        Ok(())
    }

    pub(crate) fn handshake(
        &mut self,
        from_peer: &mut Wire,
        to_peer: &mut Wire,
    ) -> Result<(), Error> {
        self.open()?;
        loop {
            let go_on = next!(&mut self.connection, from_peer.unread(), status => {
                let UnbufferedStatus { state, discard, .. } = status;
                let go_on = match state? {
                    ConnectionState::EncodeTlsData(mut data) => {
                        append(to_peer.sent(), |room| data.encode(room).map_err(needed_to_encode))?;
                        true
                    }
                    ConnectionState::TransmitTlsData(data) => {
                        data.done();
                        true
                    }
                    ConnectionState::BlockedHandshake | ConnectionState::WriteTraffic(_) => false,
                    other => return Err(format!("unexpected in a handshake: {other:?}").into()),
                };
                from_peer.consume(discard);
                go_on
            });
            if !go_on {
                return Ok(());
            }
        }
    }

    pub(crate) fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        next!(&mut self.connection, &mut [], status => {
            let ConnectionState::WriteTraffic(mut traffic) = status.state? else {
                return Err("cannot write yet".into());
            };
            let mut encrypt = |room: &mut [u8]| traffic.encrypt(data, room);
            let written = match encrypt(&mut self.records[self.used..]) {
                Err(EncryptError::InsufficientSize(InsufficientSizeError { required_size })) => {
                    self.records.resize(self.used + required_size, 0);
                    encrypt(&mut self.records[self.used..])?
                }
                other => other?,
            };
            self.used += written;
        });
        Ok(())
    }

    /// Copies all records to the wire. (With this API, a caller could pass on the buffer itself.)
    pub(crate) fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        to_peer.sent().extend_from_slice(&self.records[..self.used]);
        self.used = 0;
        Ok(())
    }

    /// Passes the data on in place.
    pub(crate) fn read(
        &mut self,
        from_peer: &mut Wire,
        mut sink: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        while !from_peer.is_empty() {
            let discard = next!(&mut self.connection, from_peer.unread(), status => {
                let UnbufferedStatus { state, mut discard, .. } = status;
                match state? {
                    ConnectionState::ReadTraffic(mut traffic) => {
                        while let Some(record) = traffic.next_record() {
                            let record = record?;
                            discard += record.discard;
                            sink(record.payload);
                        }
                    }
                    ConnectionState::WriteTraffic(_) if discard == 0 => return Ok(()),
                    ConnectionState::WriteTraffic(_) => {}
                    other => return Err(format!("unexpected in a transfer: {other:?}").into()),
                }
                discard
            });
            from_peer.consume(discard);
        }
        Ok(())
    }
}

/// Appends the output of `encode`, growing the buffer if it asks for more room.
fn append(
    bytes: &mut Vec<u8>,
    mut encode: impl FnMut(&mut [u8]) -> Result<usize, Result<usize, Error>>,
) -> Result<(), Error> {
    let start = bytes.len();
    let mut room = FLIGHT;
    loop {
        bytes.resize(start + room, 0);
        match encode(&mut bytes[start..]) {
            Ok(written) => {
                bytes.truncate(start + written);
                return Ok(());
            }
            Err(Ok(needed)) => room = needed,
            Err(Err(error)) => return Err(error),
        }
    }
}

fn needed_to_encode(error: EncodeError) -> Result<usize, Error> {
    match error {
        EncodeError::InsufficientSize(InsufficientSizeError { required_size }) => Ok(required_size),
        other => Err(other.into()),
    }
}
