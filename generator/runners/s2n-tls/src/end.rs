//! One end of a connection.

use crate::memory::Attached;
use harness::{Endpoint, Error, MAX_RECORD, Negotiated, TlsVersion, Wire};
use s2n_tls::connection::Connection;
use s2n_tls::enums::Version as S2nVersion;
use std::task::Poll;

pub(crate) struct End(Attached);

impl End {
    pub(crate) fn new(connection: Connection) -> Result<Self, Error> {
        Ok(Self(Attached::new(connection)?))
    }
}

impl Endpoint for End {
    fn handshake(&mut self, from_peer: &mut Wire, to_peer: &mut Wire) -> Result<(), Error> {
        let done = self
            .0
            .with(from_peer, |c| c.poll_negotiate().map_ok(|_| ()));
        self.0.flush(to_peer);
        match done {
            Poll::Ready(Err(error)) => Err(error.into()),
            Poll::Ready(Ok(())) | Poll::Pending => Ok(()),
        }
    }

    fn is_handshaking(&self) -> bool {
        !self.0.connection().handshake_complete()
    }

    fn write(&mut self, mut data: &[u8]) -> Result<(), Error> {
        while !data.is_empty() {
            match self.0.write(|c| c.poll_send(data)) {
                Poll::Ready(count) => data = &data[count?..],
                Poll::Pending => return Err("memory never blocks".into()),
            }
        }
        Ok(())
    }

    fn flush(&mut self, to_peer: &mut Wire) -> Result<(), Error> {
        self.0.flush(to_peer);
        Ok(())
    }

    fn read(&mut self, from_peer: &mut Wire, mut sink: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut piece = [0; MAX_RECORD];
        self.0.with(from_peer, |connection| {
            while let Poll::Ready(count) = connection.poll_recv(&mut piece) {
                match count? {
                    0 => return Err("the peer closed".into()),
                    count => sink(&piece[..count]),
                }
            }
            Ok(())
        })
    }

    fn negotiated(&self) -> Result<Negotiated, Error> {
        let connection = self.0.connection();
        let version = match connection.actual_protocol_version()? {
            S2nVersion::TLS12 => TlsVersion::V1_2,
            S2nVersion::TLS13 => TlsVersion::V1_3,
            other => return Err(format!("negotiated {other:?}").into()),
        };
        let group = connection.selected_key_exchange_group();
        Ok(Negotiated {
            version,
            suite: iana(connection.cipher_suite()?).to_owned(),
            group: group.map(str::to_owned),
        })
    }

    fn was_resumed(&self) -> bool {
        self.0.connection().resumed()
    }
}

/// Converts OpenSSL's names of TLS 1.2 suites, which s2n-tls uses, to IANA's.
fn iana(suite: &str) -> &str {
    match suite {
        "ECDHE-RSA-AES128-GCM-SHA256" => "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "ECDHE-RSA-AES256-GCM-SHA384" => "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "ECDHE-RSA-CHACHA20-POLY1305" => "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        "ECDHE-ECDSA-AES128-GCM-SHA256" => "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "ECDHE-ECDSA-AES256-GCM-SHA384" => "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "ECDHE-ECDSA-CHACHA20-POLY1305" => "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        other => other,
    }
}
