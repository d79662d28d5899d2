//! ClientHellos, with their key shares.

use crate::clock::{CLIENT, Meter};
use crate::pair::{Link, turn};
use crate::{Error, Tls};

pub(crate) struct Hellos<'a, T> {
    tls: &'a T,
    link: Link,
}

impl<'a, T: Tls> Hellos<'a, T> {
    pub(super) fn new(tls: &'a T) -> Self {
        let link = Link::default();
        Self { tls, link }
    }

    pub(super) fn once(&mut self, meter: &mut impl Meter) -> Result<(), Error> {
        let (to_client, to_server) = (&mut self.link.to_client, &mut self.link.to_server);
        to_server.clear();
        let mut client = meter.work(CLIENT, || self.tls.client())?;
        turn(meter, CLIENT, &mut client, to_client, to_server)
    }
}
