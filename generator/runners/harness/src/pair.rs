//! A client and a server connected over memory buffers, in one thread.

use crate::clock::{CLIENT, Meter, SERVER};
use crate::hello::{self, Negotiated};
use crate::wire::records;
use crate::{
    Credentials, Endpoint, Error, Group, MeasureError, Plaintext, Scenario, Tls, TlsVersion, Wire,
};

/// A library, configured for a scenario, and what every connection must negotiate.
pub(crate) struct Subject<'a, T> {
    pub(crate) tls: T,
    pub(crate) scenario: &'a Scenario,
    version: TlsVersion,
    suite: String,
    pub(crate) group: Option<Group>,
    tickets: u64,
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
    /// What the server has sent that it agrees to.
    negotiated: Option<Negotiated>,
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
            let sent = turn(meter, SERVER, &mut self.server, to_server, to_client)?;
            if self.negotiated.is_none() {
                let flight = &to_client.unread()[to_client.unread().len() - sent..];
                self.negotiated = Negotiated::parse(flight);
            }
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
        })
    }

    /// Creates both ends.
    pub(crate) fn pair(&self, meter: &mut impl Meter) -> Result<Pair<T::Endpoint>, Error> {
        Ok(Pair {
            client: meter.work(CLIENT, || self.tls.client())?,
            server: meter.work(SERVER, || self.tls.server())?,
            negotiated: None,
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
        let negotiated = self.verify(&pair)?;
        if negotiated.is_resumed {
            return Err("the first handshake resumed a session".into());
        }
        pair.server.write(HELLO, &mut link.to_client)?;
        pair.client.read(&mut link.to_client, &mut link.plaintext)?;
        link.plaintext.complete_with(HELLO)?;
        Ok(negotiated)
    }

    /// Verifies what was negotiated, and that the server sends one ticket if the scenario resumes and
    /// else none.
    pub(crate) fn verify(&self, pair: &Pair<T::Endpoint>) -> Result<Negotiated, Error> {
        let same = |what: &str, wanted: &str, got: &str| match wanted == got {
            true => Ok(()),
            false => Err(format!("negotiated the {what} {got} instead of {wanted}")),
        };
        let found = pair.negotiated.ok_or("the server sent no ServerHello")?;
        same("version", self.version.word(), found.version.word())?;
        same(
            "suite",
            &self.suite,
            &hello::name(&hello::SUITES, found.suite),
        )?;
        if let (Some(wanted), Some(got)) = (self.group, found.group) {
            same("group", wanted.word(), &hello::name(&hello::GROUPS, got))?;
        }
        if self.version == TlsVersion::V1_3 && pair.late_records != self.tickets {
            let (sent, wanted) = (pair.late_records, self.tickets);
            return Err(format!("the server sent {sent} tickets instead of {wanted}").into());
        }
        Ok(found)
    }
}

/// Data sent by the server of the first connection.
const HELLO: &[u8] = b"hello";
