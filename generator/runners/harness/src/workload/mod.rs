//! The workloads: each does one operation at a time, measured by a [`Meter`].

pub(crate) mod counts;
pub(crate) mod memory;

use crate::clock::{CLIENT, Meter, SERVER, Times};
use crate::pair::{Link, Pair, Subject, turn};
use crate::{Endpoint, Error, Side, Tls, Wire, Workload, WriteMethod};
use std::io::IoSlice;

/// Does one operation. Returns whether it counts.
pub(crate) type Operation<'a, M> = Box<dyn FnMut(&mut M) -> Result<bool, Error> + 'a>;

/// Returns the operation of a scenario.
pub(crate) fn operation<'a, T: Tls, M: Meter>(
    subject: &'a Subject<'_, T>,
) -> Result<Operation<'a, M>, Error> {
    use Workload::*;
    match &subject.scenario.workload {
        Transfer => transfer(subject),
        FullHandshake | ResumedHandshake | FullLatency | ResumedLatency => Ok(handshakes(subject)),
        Write => messages(subject),
        ClientHello => Ok(hellos(subject)),
        Memory | Footprint | Build | BuildCpu | Other(_) => {
            Err(format!("`{}` has no operations", subject.scenario).into())
        }
    }
}

/// The ends that a workload measures, in the order of its answers.
pub(crate) fn ends(workload: &Workload) -> &'static [usize] {
    match workload.sides() {
        [Side::Sending, _] => &[SERVER, CLIENT],
        [] => &[CLIENT],
        _ => &[CLIENT, SERVER],
    }
}

/// Handshakes, full or resumed, which are verified after the timed part.
fn handshakes<'a, T: Tls, M: Meter>(subject: &'a Subject<'_, T>) -> Operation<'a, M> {
    let is_resuming = subject.scenario.resumption.is_some();
    // TLS 1.3 tickets are used once: threads that share a session cache may find it empty, and
    // refill it by a full handshake, which is not counted.
    let may_be_full = subject.scenario.threads > Some(1);
    let mut link = Link::default();
    Box::new(move |meter| {
        let pair = subject.connect(&mut link, meter)?;
        match (is_resuming, subject.verify(&pair)?.is_resumed) {
            (false, true) => Err("a handshake was resumed instead of full".into()),
            (true, false) if !may_be_full => Err("a handshake was not resumed".into()),
            (wanted, resumed) => Ok(wanted == resumed),
        }
    })
}

/// Writes from the server to the client, which reads them.
fn transfer<'a, T: Tls, M: Meter>(subject: &'a Subject<'_, T>) -> Result<Operation<'a, M>, Error> {
    let mut link = Link::default();
    let Pair {
        mut client,
        mut server,
        ..
    } = subject.connect(&mut link, &mut Times::default())?;
    let (mut wire, mut plaintext) = (link.to_client, link.plaintext);
    let data = vec![0; subject.scenario.write_size_or_default() as usize];
    Ok(Box::new(move |meter| {
        meter.work(SERVER, || server.write(&data, &mut wire))?;
        meter.note(SERVER, 1, wire.unread());
        // One end sends what the other receives.
        meter.note(CLIENT, 0, wire.unread());
        meter.work(CLIENT, || client.read(&mut wire, &mut plaintext))?;
        meter.note(CLIENT, plaintext.complete(data.len())?, &[]);
        Ok(true)
    }))
}

/// Messages of several buffers from the client, until their records are on the wire. Reading is not
/// measured.
fn messages<'a, T: Tls, M: Meter>(subject: &'a Subject<'_, T>) -> Result<Operation<'a, M>, Error> {
    let sizes = subject.scenario.buffers.as_ref();
    let sizes = sizes.ok_or("no buffers to write")?.sizes();
    // Leaked: the process has one scenario.
    let buffer = |size: &u32| IoSlice::new(vec![0; *size as usize].leak());
    let buffers: Vec<_> = sizes.iter().map(buffer).collect();
    let size = buffers.iter().map(|buffer| buffer.len()).sum();
    let mut copy = Vec::with_capacity(size);
    let method = subject.scenario.method;
    let mut link = Link::default();
    let mut pair = subject.connect(&mut link, &mut Times::default())?;
    let (mut wire, mut plaintext) = (link.to_server, link.plaintext);
    Ok(Box::new(move |meter| {
        meter.work(CLIENT, || {
            write(&mut pair.client, method, &buffers, &mut copy, &mut wire)
        })?;
        meter.note(CLIENT, 1, wire.unread());
        pair.server.read(&mut wire, &mut plaintext)?;
        plaintext.complete(size)?;
        Ok(true)
    }))
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

/// ClientHellos, with their key shares.
fn hellos<'a, T: Tls, M: Meter>(subject: &'a Subject<'_, T>) -> Operation<'a, M> {
    let mut link = Link::default();
    Box::new(move |meter| {
        link.to_server.clear();
        let mut client = meter.work(CLIENT, || subject.tls.client())?;
        turn(
            meter,
            CLIENT,
            &mut client,
            &mut link.to_client,
            &mut link.to_server,
        )?;
        Ok(true)
    })
}
