//! A client and a server connected over memory buffers, in one thread.

use crate::clock::{Sides, time};
use crate::{
    Endpoint, Error, MAX_RECORD, MeasureError, Negotiated, Scenario, Tls, TlsVersion, Wire,
};

/// Both directions between two ends. Reused for one handshake after the other.
pub(crate) struct Link {
    pub(crate) to_client: Wire,
    pub(crate) to_server: Wire,
    /// Where either end receives plaintext.
    pub(crate) piece: Box<[u8]>,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            to_client: Wire::default(),
            to_server: Wire::default(),
            piece: vec![0; MAX_RECORD].into(),
        }
    }
}

impl Link {
    pub(crate) fn clear(&mut self) {
        self.to_client.clear();
        self.to_server.clear();
    }
}

/// Both ends of a connection.
pub(crate) struct Pair<E> {
    pub(crate) client: E,
    pub(crate) server: E,
}

/// Limit on turns of each end: a full handshake takes three, one with a HelloRetryRequest four.
pub(crate) const MAX_TURNS: u32 = 8;

pub(crate) fn endless() -> Error {
    "the handshake does not end".into()
}

impl<E: Endpoint> Pair<E> {
    pub(crate) fn new<T: Tls<Endpoint = E>>(tls: &T) -> Result<Self, Error> {
        Ok(Self {
            client: tls.client()?,
            server: tls.server()?,
        })
    }

    /// Runs a whole handshake, and returns the time of each end. The client has the first turn and
    /// the last, in which it reads the server's last flight.
    pub(crate) fn handshake(&mut self, link: &mut Link) -> Result<Sides, Error> {
        let mut times = Sides::default();
        link.clear();
        for _ in 0..MAX_TURNS {
            self.client_turn(link, &mut times)?;
            if !self.is_handshaking() {
                return Ok(times);
            }
            self.server_turn(link, &mut times)?;
        }
        Err(endless())
    }

    pub(crate) fn is_handshaking(&self) -> bool {
        self.client.is_handshaking() || self.server.is_handshaking()
    }

    pub(crate) fn client_turn(&mut self, link: &mut Link, times: &mut Sides) -> Result<(), Error> {
        time(&mut times.client, || {
            self.client
                .handshake(&mut link.to_client, &mut link.to_server)
        })
    }

    pub(crate) fn server_turn(&mut self, link: &mut Link, times: &mut Sides) -> Result<(), Error> {
        time(&mut times.server, || {
            self.server
                .handshake(&mut link.to_server, &mut link.to_client)
        })
    }

    /// Whether the session was resumed. Fails if the two ends disagree.
    pub(crate) fn was_resumed(&self) -> Result<bool, Error> {
        match (self.client.was_resumed(), self.server.was_resumed()) {
            (true, true) => Ok(true),
            (false, false) => Ok(false),
            _ => Err("one end resumed the session and the other did not".into()),
        }
    }

    /// Verifies that both ends negotiated what the scenario asks for. Returns the client's view.
    pub(crate) fn verify(&self, scenario: &Scenario) -> Result<Negotiated, Error> {
        let client = self.client.negotiated()?;
        let server = self.server.negotiated()?;
        let suite = scenario.suite_or_default();
        let same = |what: &str, wanted: &str, got: &str| {
            if wanted.eq_ignore_ascii_case(got) {
                Ok(())
            } else {
                Err(format!("negotiated the {what} {got} instead of {wanted}"))
            }
        };
        for end in [&client, &server] {
            same("version", suite.version.word(), end.version.word())?;
            same("suite", &suite.iana_name(), &end.suite)?;
            if let (Some(wanted), Some(got)) = (scenario.group, &end.group)
                && wanted != crate::Group::Both
            {
                same("group", wanted.word(), got)?;
            }
        }
        Ok(client)
    }
}

/// Makes and verifies a first connection, and keeps its session if the scenario resumes.
pub(crate) fn prime<T: Tls>(tls: &mut T, scenario: &Scenario) -> Result<Negotiated, MeasureError> {
    let mut link = Link::default();
    let mut pair = Pair::new(tls)?;
    pair.handshake(&mut link)?;
    if pair.was_resumed()? {
        return Err("the first handshake resumed a session".into());
    }
    let negotiated = pair.verify(scenario)?;
    // Some clients read tickets only with the data that follows.
    pair.server.write(HELLO, &mut link.to_client)?;
    receive(
        &mut pair.client,
        &mut link.to_client,
        &mut link.piece,
        HELLO,
    )?;
    if scenario.resumption.is_some() {
        tls.keep_session(&mut pair.client)?;
    }
    Ok(negotiated)
}

/// Data sent by the server of the first connection.
const HELLO: &[u8] = b"hello";

/// Fails unless `end` reads exactly `data` from the wire.
pub(crate) fn receive(
    end: &mut impl Endpoint,
    wire: &mut Wire,
    piece: &mut [u8],
    data: &[u8],
) -> Result<(), Error> {
    let mut got = Vec::with_capacity(data.len());
    end.read(wire, piece, |piece| got.extend_from_slice(piece))?;
    if got == data {
        Ok(())
    } else {
        Err("the data received is not the data sent".into())
    }
}

/// Caveat that names the key exchange if the library chose it; else empty.
pub(crate) fn caveat(scenario: &Scenario, negotiated: &Negotiated) -> String {
    let is_dhe = scenario.version_or_default() == TlsVersion::V1_3 || scenario.resumption.is_none();
    match &negotiated.group {
        Some(group) if scenario.group.is_none() && is_dhe => {
            format!("key exchange {}", group.to_ascii_lowercase())
        }
        _ => String::new(),
    }
}
