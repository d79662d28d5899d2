//! Messages of several buffers, written in three ways.

use super::{Figures, rounds};
use crate::clock::time;
use crate::pair::{Link, Pair, prime};
use crate::percentile::percentiles;
use crate::{Endpoint, Error, MeasureError, Scenario, Tls, Wire, WriteMethod};
use std::io::IoSlice;
use std::time::Duration;

/// Number of messages with a multiplier of 1. The slowest 65 are beyond the 99.9th percentile.
const MESSAGES: u64 = 65_536;

pub(super) fn latencies<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    multiplier: f64,
) -> Result<Figures, MeasureError> {
    prime(tls, scenario)?;
    let buffers = scenario.buffers.as_ref().ok_or("no buffers to write")?;
    let buffers: Vec<Vec<u8>> = buffers
        .sizes()
        .iter()
        .map(|&n| vec![0; n as usize])
        .collect();
    let parts: Vec<IoSlice<'_>> = buffers.iter().map(|b| IoSlice::new(b)).collect();
    let size: usize = buffers.iter().map(Vec::len).sum();
    let mut copy = Vec::with_capacity(size);

    let mut link = Link::default();
    let mut pair = Pair::new(tls)?;
    pair.handshake(&mut link)?;
    let mut samples = Vec::new();
    let mut on_wire = 0;
    for _ in 0..rounds(MESSAGES, multiplier) {
        let wire = &mut link.to_server;
        let mut sample = Duration::ZERO;
        time(&mut sample, || {
            write(
                &mut pair.client,
                scenario.method,
                &buffers,
                &parts,
                &mut copy,
                wire,
            )
        })?;
        samples.push(sample);
        on_wire = wire.unread().len();
        let mut received = 0;
        pair.server
            .read(wire, &mut link.piece, |piece| received += piece.len())?;
        if received != size {
            return Err("data was lost in transit".into());
        }
    }
    let mut values = percentiles(&mut samples);
    values.push(on_wire as f64);
    Ok(values.into())
}

fn write(
    end: &mut impl Endpoint,
    method: Option<WriteMethod>,
    buffers: &[Vec<u8>],
    parts: &[IoSlice<'_>],
    copy: &mut Vec<u8>,
    wire: &mut Wire,
) -> Result<(), Error> {
    match method {
        Some(WriteMethod::Vectored) => end.write_vectored(parts, wire),
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
