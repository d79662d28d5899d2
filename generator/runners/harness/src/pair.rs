//! A client and a server connected over memory buffers, in one thread.

use crate::clock::{CLIENT, Meter, SERVER, Times};
use crate::records::Records;
use crate::{
    Endpoint, Error, Group, MAX_RECORD, MeasureError, Negotiated, Scenario, Tls, TlsVersion, Wire,
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

/// Both ends of a connection.
pub(crate) struct Pair<E> {
    pub(crate) client: E,
    pub(crate) server: E,
    /// Number of records that the server sent after the client's end of the handshake: in TLS 1.3,
    /// those with tickets.
    late_records: u64,
}

/// Limit on turns of each end: a full handshake takes three, one with a HelloRetryRequest four.
const MAX_TURNS: u32 = 8;

impl<E: Endpoint> Pair<E> {
    pub(crate) fn new<T: Tls<Endpoint = E>>(
        tls: &T,
        meter: &mut impl Meter,
    ) -> Result<Self, Error> {
        Ok(Self {
            client: meter.work(CLIENT, || tls.client())?,
            server: meter.work(SERVER, || tls.server())?,
            late_records: 0,
        })
    }

    /// Creates both ends, and runs the whole handshake. The client has the first turn and the last,
    /// in which it reads the server's last flight.
    pub(crate) fn connected<T: Tls<Endpoint = E>>(
        tls: &T,
        link: &mut Link,
        meter: &mut impl Meter,
    ) -> Result<Self, Error> {
        link.to_client.clear();
        link.to_server.clear();
        let mut pair = Self::new(tls, meter)?;
        for _ in 0..MAX_TURNS {
            let (to_client, to_server) = (&mut link.to_client, &mut link.to_server);
            turn(meter, CLIENT, &mut pair.client, to_client, to_server)?;
            let is_client_done = !pair.client.is_handshaking();
            if is_client_done && !pair.server.is_handshaking() {
                return match to_client.is_empty() {
                    true => Ok(pair),
                    false => Err("the client left bytes on the wire".into()),
                };
            }
            turn(meter, SERVER, &mut pair.server, to_server, to_client)?;
            if is_client_done {
                let mut records = Records::default();
                records.pass(to_client.unread());
                pair.late_records = records.count;
            }
        }
        Err("the handshake does not end".into())
    }

    /// Whether the session was resumed. Fails if the two ends disagree.
    pub(crate) fn was_resumed(&self) -> Result<bool, Error> {
        match (self.client.was_resumed(), self.server.was_resumed()) {
            (true, true) => Ok(true),
            (false, false) => Ok(false),
            _ => Err("one end resumed the session and the other did not".into()),
        }
    }
}

/// Runs one turn of an end.
pub(crate) fn turn(
    meter: &mut impl Meter,
    index: usize,
    end: &mut impl Endpoint,
    from_peer: &mut Wire,
    to_peer: &mut Wire,
) -> Result<(), Error> {
    let before = to_peer.unread().len();
    meter.work(index, || end.handshake(from_peer, to_peer))?;
    meter.note(index, 1, &to_peer.unread()[before..]);
    Ok(())
}

/// What every connection of a scenario must negotiate.
pub(crate) struct Wanted {
    version: TlsVersion,
    suite: String,
    group: Option<Group>,
    tickets: u64,
}

impl Wanted {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        Self {
            version: scenario.version_or_default(),
            suite: scenario.suite_or_default().iana_name(),
            group: scenario.group.filter(|group| *group != Group::Both),
            tickets: u64::from(scenario.resumption.is_some()),
        }
    }

    /// Verifies what both ends negotiated, and that the server sends one ticket if the scenario
    /// resumes and else none. Returns the client's view.
    pub(crate) fn verify<E: Endpoint>(&self, pair: &Pair<E>) -> Result<Negotiated, Error> {
        let same = |what: &str, wanted: &str, got: &str| {
            if wanted.eq_ignore_ascii_case(got) {
                Ok(())
            } else {
                Err(format!("negotiated the {what} {got} instead of {wanted}"))
            }
        };
        let (client, server) = (pair.client.negotiated()?, pair.server.negotiated()?);
        for end in [&client, &server] {
            same("version", self.version.word(), end.version.word())?;
            same("suite", &self.suite, &end.suite)?;
            if let (Some(wanted), Some(got)) = (self.group, &end.group) {
                same("group", wanted.word(), got)?;
            }
        }
        if self.version == TlsVersion::V1_3 && pair.late_records != self.tickets {
            let (sent, wanted) = (pair.late_records, self.tickets);
            return Err(format!("the server sent {sent} tickets instead of {wanted}").into());
        }
        Ok(client)
    }
}

/// Makes and verifies a first connection, and keeps its session if the scenario resumes.
pub(crate) fn prime<T: Tls>(tls: &mut T, scenario: &Scenario) -> Result<Negotiated, MeasureError> {
    let mut link = Link::default();
    let mut pair = Pair::connected(tls, &mut link, &mut Times::default())?;
    if pair.was_resumed()? {
        return Err("the first handshake resumed a session".into());
    }
    let negotiated = Wanted::new(scenario).verify(&pair)?;
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
