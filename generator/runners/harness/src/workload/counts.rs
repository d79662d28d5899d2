//! Counts the work of each side instead of timing it.
//!
//! Callgrind counts the instructions and allocations of the same work, by the functions in [`section`], for a small
//! and a large amount of it: the difference excludes one-time costs.

use super::{ends, operation};
use crate::clock::{CLIENT, Meter};
use crate::pair::Subject;
use crate::wire::records;
use crate::{Error, Scenario, Tls, Workload};
use scenario::counts;
use std::mem;

const MIB: u64 = 1 << 20;

/// Counts exclude the lowest and the highest tenth of operations: the growth of a table is not part
/// of an operation.
const TRIM_DIVISOR: usize = 10;

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

/// Does the two amounts of work for callgrind.
pub(crate) fn instructions<T: Tls>(subject: &Subject<'_, T>) -> Result<(), Error> {
    for size in counts::sizes(subject.scenario) {
        tallies(subject, size)?;
        section::end(|| ());
    }
    Ok(())
}

/// Counts the work of one operation: a handshake, a ClientHello, a message, or a MiB. Returns a
/// number for each unit of each end.
pub(crate) fn counts<T: Tls>(subject: &Subject<'_, T>) -> Result<String, Error> {
    let scenario = subject.scenario;
    // They vary with the random length of ECDSA signatures and order of extensions, by which
    // buffers grow.
    let repeats = match scenario.workload {
        Workload::ClientHello | Workload::Write => 1000,
        Workload::Transfer => 60,
        _ => 250,
    };
    let tallies = tallies(subject, repeats)?;
    let per_mib = match scenario.workload {
        Workload::Transfer => MIB as f64 / bytes(scenario) as f64,
        _ => 1.0,
    };
    let mut counts = Vec::new();
    for end in ends(&scenario.workload) {
        for unit in 0..counts::units(&scenario.workload).len() {
            let mean = mean(tallies.iter().map(|tally| tally[*end][unit]));
            counts.push((mean * per_mib).to_string());
        }
    }
    Ok(counts.join(" "))
}

/// Trimmed mean. A median would jump between two equally frequent counts.
fn mean(counts: impl Iterator<Item = u64>) -> f64 {
    let mut counts: Vec<u64> = counts.collect();
    counts.sort_unstable();
    let trimmed = counts.len() / TRIM_DIVISOR;
    let kept = &counts[trimmed..counts.len() - trimmed];
    kept.iter().sum::<u64>() as f64 / kept.len() as f64
}

/// Writes that are counted as one operation: a MiB, or one that is larger.
fn writes(scenario: &Scenario) -> u64 {
    match scenario.workload {
        Workload::Transfer => (MIB / scenario.write_size_or_default()).max(1),
        _ => 1,
    }
}

/// Bytes of these writes.
fn bytes(scenario: &Scenario) -> u64 {
    writes(scenario) * scenario.write_size_or_default()
}

/// Counts `amount` operations or MiB. Returns the tally of each.
fn tallies<T: Tls>(subject: &Subject<'_, T>, amount: u64) -> Result<Vec<[Tally; 2]>, Error> {
    let mut once = operation(subject)?;
    let operations = match subject.scenario.workload {
        Workload::Transfer => (amount * MIB).div_ceil(bytes(subject.scenario)),
        _ => amount,
    };
    let mut counter = Counter::default();
    let mut done = Vec::new();
    for _ in 0..operations {
        for _ in 0..writes(subject.scenario) {
            once(&mut counter)?;
        }
        done.push(mem::take(&mut counter).0);
    }
    Ok(done)
}

/// Counts of one side, in the order of [`counts::UNITS`].
type Tally = [u64; counts::UNITS.len()];

/// Counts of the current operation of both sides.
#[derive(Default)]
pub(crate) struct Counter([Tally; 2]);

impl Counter {
    /// Bytes that the client has sent.
    pub(crate) fn sent_by_client(&self) -> u64 {
        self.0[CLIENT][0]
    }
}

impl Meter for Counter {
    fn work<R>(&mut self, end: usize, work: impl FnOnce() -> R) -> R {
        match end {
            CLIENT => section::client(work),
            _ => section::server(work),
        }
    }

    fn note(&mut self, end: usize, calls: u64, bytes: &[u8]) {
        let [on_wire, in_records, called, flights] = &mut self.0[end];
        *on_wire += bytes.len() as u64;
        *in_records += records(bytes);
        *called += calls;
        *flights += u64::from(!bytes.is_empty());
    }
}
