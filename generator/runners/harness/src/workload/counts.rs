//! Counts the work of each side instead of timing it, in loops separate from those of rates.
//!
//! Each scenario is run with a small and a large amount of work: the difference excludes one-time
//! costs. Callgrind counts the instructions of the same work, by the functions in [`section`].

use super::Figures;
use crate::allocations::{self, totals};
use crate::pair::{Link, MAX_TURNS, Pair, caveat, endless, prime};
use crate::records::Records;
use crate::{Endpoint, Error, MeasureError, Scenario, Side, Tls, Wire, Workload};
use scenario::counts;

const MIB: u64 = 1 << 20;

/// Counts exclude the lowest and the highest tenth of operations: the growth of a table is not part
/// of an operation.
const TRIM_DIVISOR: usize = 10;

/// Units of the rows. Instructions are counted by callgrind, not by this program.
const UNITS: [&str; 7] = [
    "instructions",
    "allocations",
    "bytes allocated",
    "bytes on the wire",
    "records",
    "calls",
    // Handshakes only.
    "flights",
];

/// Functions that callgrind selects by name.
mod section {
    use std::hint::black_box;

    macro_rules! sections {
        ($($name:ident $number:literal)+) => {$(
            #[inline(never)]
            pub(super) fn $name<R>(work: impl FnOnce() -> R) -> R {
                let out = work();
                // Keeps identical functions from being merged, and the call from being a tail call.
                black_box($number);
                out
            }
        )+};
    }
    // The work of each side, and a marker at the end of each amount of work.
    sections! { client 1 server 2 end 3 }
}

/// Scenario and unit of each row. Instructions have a row only if the scenario is unsupported.
pub(super) fn outline(scenario: &Scenario, is_supported: bool) -> Vec<(Scenario, &'static str)> {
    let units = match scenario.workload {
        Workload::FullHandshake | Workload::ResumedHandshake => &UNITS[..],
        _ => &UNITS[..6],
    };
    let units = &units[usize::from(is_supported)..];
    let rows = |(_, of): (usize, Scenario)| units.iter().map(move |unit| (of.clone(), *unit));
    sides(scenario).into_iter().flat_map(rows).collect()
}

const CLIENT: usize = 0;
const SERVER: usize = 1;

/// Indices of the sides that have rows, with their scenarios.
fn sides(scenario: &Scenario) -> Vec<(usize, Scenario)> {
    let on = |index, side| (index, scenario.on(side));
    match scenario.workload {
        Workload::Transfer => vec![on(SERVER, Side::Sending), on(CLIENT, Side::Receiving)],
        Workload::ClientHello => vec![(CLIENT, scenario.clone())],
        _ => vec![on(CLIENT, Side::Client), on(SERVER, Side::Server)],
    }
}

/// Counts the work of one operation: a handshake, a ClientHello, or a MiB.
pub(super) fn counts<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    multiplier: f64,
) -> Result<Figures, MeasureError> {
    let is_counted = matches!(
        scenario.workload,
        Workload::Transfer
            | Workload::FullHandshake
            | Workload::ResumedHandshake
            | Workload::ClientHello
    );
    if !is_counted {
        return Err(format!("`{}` is not counted", scenario.workload.word()).into());
    }
    let sizes = match allocations::are_counted() {
        true => [0, repeats(&scenario.workload)],
        false => counts::sizes(scenario, multiplier),
    };
    let negotiated = prime(tls, scenario)?;
    let count = |rounds| {
        let mut counter = Counter::default();
        match scenario.workload {
            Workload::Transfer => counter.transfer(&*tls, scenario, rounds),
            Workload::ClientHello => counter.hellos(&*tls, rounds),
            _ => counter.handshakes(&*tls, scenario, rounds),
        }?;
        section::end(|| ());
        Ok::<_, Error>(counter.done)
    };
    let (_, done) = (count(sizes[0])?, count(sizes[1])?);
    let of_side = |(side, of): (usize, Scenario)| {
        let count = outline(&of, true).len() / sides(&of).len();
        (0..count)
            .map(|unit| mean(done.iter().map(|sides| sides[side][unit])))
            .collect::<Vec<_>>()
    };
    Ok(Figures {
        values: sides(scenario).into_iter().flat_map(of_side).collect(),
        caveat: caveat(scenario, &negotiated),
    })
}

/// Number of operations to average, for counts other than instructions. They vary with the random
/// length of ECDSA signatures and order of extensions, by which buffers grow.
fn repeats(workload: &Workload) -> u64 {
    match workload {
        Workload::ClientHello => 1000,
        Workload::ResumedHandshake | Workload::FullHandshake => 250,
        _ => 60,
    }
}

/// Trimmed mean. A median would jump between two equally frequent counts.
fn mean(counts: impl Iterator<Item = u64>) -> f64 {
    let mut counts: Vec<u64> = counts.collect();
    counts.sort_unstable();
    let trimmed = counts.len() / TRIM_DIVISOR;
    let kept = &counts[trimmed..counts.len() - trimmed];
    kept.iter().sum::<u64>() as f64 / kept.len() as f64
}

/// Counts of both sides, for one amount of work.
#[derive(Default)]
struct Counter {
    /// Counts of the current operation.
    sides: [Tally; 2],
    /// Counts of each finished operation.
    done: Vec<[[u64; 6]; 2]>,
}

/// Counts of one side.
#[derive(Default)]
struct Tally {
    allocations: u64,
    allocated: u64,
    on_wire: u64,
    records: Records,
    calls: u64,
    flights: u64,
}

impl Tally {
    /// In the order of [`UNITS`], without the first.
    fn values(&self) -> [u64; 6] {
        [
            self.allocations,
            self.allocated,
            self.on_wire,
            self.records.count,
            self.calls,
            self.flights,
        ]
    }

    fn passed(&mut self, bytes: &[u8]) {
        self.on_wire += bytes.len() as u64;
        self.records.pass(bytes);
    }
}

impl Counter {
    fn end_operation(&mut self) {
        let sides = std::mem::take(&mut self.sides);
        self.done.push(sides.map(|side| side.values()));
    }

    /// Runs work of a side in its section for callgrind, and counts its allocations.
    fn work<R>(&mut self, side: usize, work: impl FnOnce() -> R) -> R {
        let before = totals();
        let out = match side {
            CLIENT => section::client(work),
            _ => section::server(work),
        };
        let [requests, bytes] = totals();
        self.sides[side].allocations += requests - before[0];
        self.sides[side].allocated += bytes - before[1];
        out
    }

    fn turn(
        &mut self,
        side: usize,
        end: &mut impl Endpoint,
        [from, to]: [&mut Wire; 2],
    ) -> Result<(), Error> {
        let before = to.unread().len();
        self.work(side, || end.handshake(from, to))?;
        let sent = &to.unread()[before..];
        self.sides[side].calls += 1;
        self.sides[side].flights += u64::from(!sent.is_empty());
        self.sides[side].passed(sent);
        Ok(())
    }

    fn handshakes<T: Tls>(
        &mut self,
        tls: &T,
        scenario: &Scenario,
        rounds: u64,
    ) -> Result<(), Error> {
        let mut link = Link::default();
        for _ in 0..rounds {
            let mut pair = Pair::new(tls)?;
            link.clear();
            let mut turns = 0;
            loop {
                self.turn(
                    CLIENT,
                    &mut pair.client,
                    [&mut link.to_client, &mut link.to_server],
                )?;
                turns += 1;
                if !pair.is_handshaking() {
                    break;
                } else if turns == MAX_TURNS {
                    return Err(endless());
                }
                self.turn(
                    SERVER,
                    &mut pair.server,
                    [&mut link.to_server, &mut link.to_client],
                )?;
            }
            pair.verify(scenario)?;
            if pair.was_resumed()? != scenario.resumption.is_some() {
                return Err("a handshake was resumed that should not be, or vice versa".into());
            }
            self.end_operation();
        }
        Ok(())
    }

    fn hellos<T: Tls>(&mut self, tls: &T, rounds: u64) -> Result<(), Error> {
        let mut link = Link::default();
        for _ in 0..rounds {
            link.clear();
            let mut client = tls.client()?;
            self.turn(
                CLIENT,
                &mut client,
                [&mut link.to_client, &mut link.to_server],
            )?;
            self.end_operation();
        }
        Ok(())
    }

    /// Transfers `mib` MiB. Both sides count all bytes and records: one sends what the other
    /// receives.
    fn transfer<T: Tls>(&mut self, tls: &T, scenario: &Scenario, mib: u64) -> Result<(), Error> {
        let mut link = Link::default();
        let mut pair = Pair::new(tls)?;
        pair.handshake(&mut link)?;
        let plaintext = vec![0; scenario.write_size_or_default() as usize];
        let writes = MIB / scenario.write_size_or_default();
        for number in 1..=mib * writes {
            let (wire, piece) = (&mut link.to_client, &mut link.piece);
            self.work(SERVER, || pair.server.write(&plaintext, wire))?;
            self.sides[SERVER].calls += 1;
            for side in &mut self.sides {
                side.passed(wire.unread());
            }
            let (mut received, mut pieces) = (0, 0);
            self.work(CLIENT, || {
                pair.client.read(wire, piece, |piece| {
                    received += piece.len();
                    pieces += 1;
                })
            })?;
            self.sides[CLIENT].calls += pieces;
            if received != plaintext.len() {
                return Err("data was lost in transit".into());
            }
            if number % writes == 0 {
                self.end_operation();
            }
        }
        Ok(())
    }
}
