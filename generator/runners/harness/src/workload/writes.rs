//! Messages of several buffers, written in three ways.

use crate::clock::{CLIENT, Meter, Times};
use crate::pair::{Link, Pair};
use crate::{Endpoint, Error, Scenario, Tls, Wire, WriteMethod};
use std::io::IoSlice;

pub(crate) struct Messages<E> {
    pair: Pair<E>,
    link: Link,
    method: Option<WriteMethod>,
    /// Leaked: the process has one scenario.
    buffers: Vec<IoSlice<'static>>,
    size: usize,
    /// For all buffers in one, with [`WriteMethod::Copy`].
    copy: Vec<u8>,
}

impl<E: Endpoint> Messages<E> {
    pub(super) fn new<T: Tls<Endpoint = E>>(tls: &T, scenario: &Scenario) -> Result<Self, Error> {
        let sizes = scenario.buffers.as_ref().ok_or("no buffers to write")?;
        let buffer = |size: &u32| IoSlice::new(vec![0; *size as usize].leak());
        let buffers: Vec<_> = sizes.sizes().iter().map(buffer).collect();
        let size = buffers.iter().map(|b| b.len()).sum();
        let mut link = Link::default();
        Ok(Self {
            pair: Pair::connected(tls, &mut link, &mut Times::default())?,
            link,
            method: scenario.method,
            buffers,
            size,
            copy: Vec::with_capacity(size),
        })
    }

    /// Writes one message, from the buffers to the records on the wire. Reading is not measured.
    pub(super) fn once(&mut self, meter: &mut impl Meter) -> Result<(), Error> {
        let Pair { client, server, .. } = &mut self.pair;
        let (wire, piece) = (&mut self.link.to_server, &mut self.link.piece);
        meter.work(CLIENT, || {
            write(client, self.method, &self.buffers, &mut self.copy, wire)
        })?;
        meter.note(CLIENT, 1, wire.unread());
        let mut received = 0;
        server.read(wire, piece, |piece| received += piece.len())?;
        match received == self.size {
            true => Ok(()),
            false => Err("data was lost in transit".into()),
        }
    }
}

fn write(
    end: &mut impl Endpoint,
    method: Option<WriteMethod>,
    buffers: &[IoSlice<'_>],
    copy: &mut Vec<u8>,
    wire: &mut Wire,
) -> Result<(), Error> {
    match method {
        Some(WriteMethod::Vectored) => end.write_vectored(buffers, wire),
        Some(WriteMethod::Copy) => {
            copy.clear();
            for buffer in buffers {
                copy.extend_from_slice(buffer);
            }
            end.write(copy, wire)
        }
        Some(WriteMethod::Each) | None => buffers.iter().try_for_each(|b| end.write(b, wire)),
    }
}
