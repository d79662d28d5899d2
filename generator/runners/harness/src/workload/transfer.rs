//! Application data from the server to the client.

use crate::clock::{CLIENT, Meter, SERVER, Times};
use crate::pair::{Link, Pair};
use crate::{Endpoint, Error, Scenario, Tls};
use std::hint::black_box;

pub(crate) struct Transfer<E> {
    pair: Pair<E>,
    link: Link,
    plaintext: Vec<u8>,
}

impl<E: Endpoint> Transfer<E> {
    pub(super) fn new<T: Tls<Endpoint = E>>(tls: &T, scenario: &Scenario) -> Result<Self, Error> {
        let mut link = Link::default();
        Ok(Self {
            pair: Pair::connected(tls, &mut link, &mut Times::default())?,
            link,
            plaintext: vec![0; scenario.write_size_or_default() as usize],
        })
    }

    /// Makes one write, and reads it.
    pub(super) fn once(&mut self, meter: &mut impl Meter) -> Result<(), Error> {
        let Pair { client, server, .. } = &mut self.pair;
        let (wire, piece) = (&mut self.link.to_client, &mut self.link.piece);
        meter.work(SERVER, || server.write(&self.plaintext, wire))?;
        meter.note(SERVER, 1, wire.unread());
        // One end sends what the other receives.
        meter.note(CLIENT, 0, wire.unread());
        let (mut received, mut pieces) = (0, 0);
        meter.work(CLIENT, || {
            client.read(wire, piece, |piece| {
                // The data is used, as far as the optimiser knows.
                received += black_box(piece).len();
                pieces += 1;
            })
        })?;
        meter.note(CLIENT, pieces, &[]);
        match received == self.plaintext.len() {
            true => Ok(()),
            false => Err("data was lost in transit".into()),
        }
    }
}
