//! A client and a server connected over memory buffers, in one thread.

use crate::clock::{CLIENT, Meter, SERVER};
use crate::wire::records;
use crate::{
    Credentials, Endpoint, Error, Group, MeasureError, Negotiated, Plaintext, Scenario, Tls,
    TlsVersion, Wire,
};
use std::fs;

/// A library, configured for a scenario, and what every connection must negotiate.
pub(crate) struct Subject<'a, T> {
    pub(crate) tls: T,
    pub(crate) scenario: &'a Scenario,
    version: TlsVersion,
    suite: String,
    pub(crate) group: Option<Group>,
    tickets: u64,
    /// Bytes of the server's certificates in PEM, a third more than on the wire.
    certificates: u64,
}

/// Both directions between two ends. Reused for one handshake after the other.
#[derive(Default)]
pub(crate) struct Link {
    pub(crate) to_client: Wire,
    pub(crate) to_server: Wire,
    /// Where either end receives plaintext.
    pub(crate) plaintext: Plaintext,
}

/// Both ends of a connection.
pub(crate) struct Pair<E> {
    pub(crate) client: E,
    pub(crate) server: E,
    /// Bytes that the server has sent during the handshake.
    from_server: usize,
    /// Number of records that the server sent after the client's end of the handshake: in TLS 1.3,
    /// those with tickets.
    late_records: u64,
}

/// Limit on turns of each end: a full handshake takes three, one with a HelloRetryRequest four.
const MAX_TURNS: u32 = 8;

impl<E: Endpoint> Pair<E> {
    /// Runs one turn of an end.
    pub(crate) fn turn(
        &mut self,
        index: usize,
        link: &mut Link,
        meter: &mut impl Meter,
    ) -> Result<(), Error> {
        let (to_client, to_server) = (&mut link.to_client, &mut link.to_server);
        if index == CLIENT {
            turn(meter, CLIENT, &mut self.client, to_client, to_server)?;
        } else {
            self.from_server += turn(meter, SERVER, &mut self.server, to_server, to_client)?;
        }
        Ok(())
    }
}

/// Runs one turn of an end. Returns how many bytes it sent.
pub(crate) fn turn(
    meter: &mut impl Meter,
    index: usize,
    end: &mut impl Endpoint,
    from_peer: &mut Wire,
    to_peer: &mut Wire,
) -> Result<usize, Error> {
    let before = to_peer.unread().len();
    meter.work(index, || end.handshake(from_peer, to_peer))?;
    let sent = &to_peer.unread()[before..];
    meter.note(index, 1, sent);
    Ok(sent.len())
}

impl<'a, T: Tls> Subject<'a, T> {
    /// Configures the library.
    pub(crate) fn new(
        scenario: &'a Scenario,
        credentials: &Credentials,
    ) -> Result<Self, MeasureError> {
        let chain = &credentials.server.chain;
        let certificates = fs::metadata(chain).map_err(|e| format!("{}: {e}", chain.display()))?;
        let tls = T::configure(scenario, credentials).map_err(|error| match error {
            // Most libraries lack ML-DSA, and only failing to load a key shows it.
            MeasureError::Failed(error) if scenario.key_or_default().is_ml_dsa() => {
                MeasureError::unsupported(format!("no ML-DSA keys: {error}"))
            }
            error => error,
        })?;
        Ok(Self {
            tls,
            scenario,
            version: scenario.version_or_default(),
            suite: scenario.suite_or_default().iana_name(),
            group: scenario.group.filter(|group| *group != Group::Both),
            tickets: u64::from(scenario.resumption.is_some()),
            certificates: certificates.len(),
        })
    }

    /// Creates both ends.
    pub(crate) fn pair(&self, meter: &mut impl Meter) -> Result<Pair<T::Endpoint>, Error> {
        Ok(Pair {
            client: meter.work(CLIENT, || self.tls.client())?,
            server: meter.work(SERVER, || self.tls.server())?,
            from_server: 0,
            late_records: 0,
        })
    }

    /// Creates both ends, and runs the whole handshake. The client has the first turn and the last,
    /// in which it reads the server's last flight.
    pub(crate) fn connect(
        &self,
        link: &mut Link,
        meter: &mut impl Meter,
    ) -> Result<Pair<T::Endpoint>, Error> {
        link.to_client.clear();
        link.to_server.clear();
        let mut pair = self.pair(meter)?;
        for _ in 0..MAX_TURNS {
            pair.turn(CLIENT, link, meter)?;
            let is_client_done = !pair.client.is_handshaking();
            if is_client_done && !pair.server.is_handshaking() {
                return match link.to_client.is_empty() {
                    true => Ok(pair),
                    false => Err("the client left bytes on the wire".into()),
                };
            }
            pair.turn(SERVER, link, meter)?;
            if is_client_done {
                pair.late_records = records(link.to_client.unread());
            }
        }
        Err("the handshake does not end".into())
    }

    /// Makes and verifies a first connection, whose session later ones resume if the scenario does.
    pub(crate) fn prime(&self, meter: &mut impl Meter) -> Result<Negotiated, Error> {
        let mut link = Link::default();
        let mut pair = self.connect(&mut link, meter)?;
        if self.was_resumed(&pair)? {
            return Err("the first handshake resumed a session".into());
        }
        let negotiated = self.verify(&pair)?;
        pair.server.write(HELLO, &mut link.to_client)?;
        pair.client.read(&mut link.to_client, &mut link.plaintext)?;
        link.plaintext.complete_with(HELLO)?;
        Ok(negotiated)
    }

    /// Verifies what both ends negotiated, and that the server sends one ticket if the scenario
    /// resumes and else none. Returns the client's view, with the server's group where only the
    /// server knows it.
    pub(crate) fn verify(&self, pair: &Pair<T::Endpoint>) -> Result<Negotiated, Error> {
        let same = |what: &str, wanted: &str, got: &str| match wanted.eq_ignore_ascii_case(got) {
            true => Ok(()),
            false => Err(format!("negotiated the {what} {got} instead of {wanted}")),
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
        Ok(Negotiated {
            group: client.group.or(server.group),
            ..client
        })
    }

    /// Whether the session was resumed. Fails if the two ends disagree.
    ///
    /// Where the library does not report it, it is seen on the wire: the server sends its
    /// certificates in a full handshake and not in a resumed one.
    pub(crate) fn was_resumed(&self, pair: &Pair<T::Endpoint>) -> Result<bool, Error> {
        let seen = (pair.from_server as u64) < self.certificates / 2;
        let client = pair.client.was_resumed().unwrap_or(seen);
        match client == pair.server.was_resumed().unwrap_or(seen) {
            true => Ok(client),
            false => Err("one end resumed the session and the other did not".into()),
        }
    }
}

/// Data sent by the server of the first connection.
const HELLO: &[u8] = b"hello";
