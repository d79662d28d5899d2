//! Handshake latencies, as rustls-bench and openssl-bench write them with `--latency-prefix`: one
//! line `unix_seconds<TAB>microseconds` per handshake. Captures can be gigabytes in size, so only
//! a histogram is kept.

mod chunks;
mod line;
mod name;
mod tally;

use super::{Collector, Parsed};
use crate::base::failure::Diagnostic;
use crate::model::observation::Value;
use crate::model::unit::Unit;
use chunks::Chunks;
pub(crate) use name::scenario;
use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use tally::{Tallied, Tally};

/// Bytes per chunk: enough to amortize a system call and a lock, and small enough for a core's
/// second-level cache (1 MiB on the development machine).
const CHUNK: usize = 512 * 1024;

/// Two workers keep up with the page cache; more would wait for each other to read.
const WORKERS: usize = 2;

/// Whether the first line is a Unix time in seconds, a tab, and one more field.
pub(super) fn recognise(head: &str) -> bool {
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    let first = head.lines().next().and_then(|line| line.split_once('\t'));
    first.is_some_and(|(seconds, micros)| {
        line::is_time_of_day(seconds.as_bytes()) && seconds.contains('.') && !micros.contains('\t')
    })
}

pub(super) fn parse(text: &str, collector: &mut Collector) {
    put(distribution(&collector.path, text.as_bytes()), collector);
}

/// Reads a file of any size in a few MiB of memory, on two threads. The file name gives the
/// scenario: `latency-fullhs-tls13-server-1-latency.tsv`.
///
/// # Errors
/// The first problems of the file, in the order of lines, and the number of others.
pub fn stream(path: impl AsRef<Path>, reader: impl Read + Send) -> Result<Parsed, Vec<Diagnostic>> {
    let mut collector = Collector::new(path.as_ref());
    let outcome = distribution(&collector.path, reader);
    put(outcome, &mut collector);
    collector.finish()
}

/// Reads all latencies of a capture into one histogram, with a note on omitted ones.
///
/// # Errors
/// As for [`stream`].
pub(crate) fn distribution(path: &Path, reader: impl Read + Send) -> Tallied {
    let available = thread::available_parallelism().map_or(1, NonZero::get);
    read(path, reader, CHUNK, available.min(WORKERS))
}

fn put(outcome: Tallied, collector: &mut Collector) {
    let scenario = scenario(&collector.path);
    let scenario = collector.check(scenario);
    match (scenario, outcome) {
        (Some(scenario), Ok((distribution, note))) => {
            let value = Value::Distribution(Box::new(distribution));
            collector.push(scenario, Unit::Time, value);
            collector.parsed.notes.extend(note);
        }
        (_, outcome) => collector
            .problems
            .extend(outcome.err().into_iter().flatten()),
    }
}

/// The calling thread is one of the workers, and the only one if the file fits in one chunk.
fn read(path: &Path, reader: impl Read + Send, chunk: usize, workers: usize) -> Tallied {
    let chunks = Mutex::new(Chunks::new(reader, chunk));
    let mut tally = Tally::default();
    let mut buffer = Vec::new();
    let more = take(&chunks, &mut buffer, &mut tally) && !lock(&chunks).ended();
    if more {
        let work = || {
            let mut tally = Tally::default();
            let mut buffer = Vec::new();
            while take(&chunks, &mut buffer, &mut tally) {}
            tally
        };
        thread::scope(|scope| {
            let spawned: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
            while take(&chunks, &mut buffer, &mut tally) {}
            for worker in spawned {
                match worker.join() {
                    Ok(other) => tally.merge(other),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
    }
    tally.finish(path)
}

/// Reads a chunk under the lock and parses it outside. False at the end.
fn take(chunks: &Mutex<Chunks<impl Read>>, buffer: &mut Vec<u8>, tally: &mut Tally) -> bool {
    let chunk = lock(chunks).next(buffer);
    match chunk {
        Ok(Some(chunk)) => tally.take(&chunk, buffer),
        Ok(None) => return false,
        Err(error) => tally.failed(&error),
    }
    true
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A panic of the other worker is resumed when it is joined.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
