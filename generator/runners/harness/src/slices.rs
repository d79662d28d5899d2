//! Slices: a number of operations, timed on all of the scenario's threads.

use crate::clock::{self, Times, cpu_time};
use crate::pair::Subject;
use crate::workload::{self, Operation, ends, operation};
use crate::{Error, Tls, Workload};
use std::fmt::Write;
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Calls `serve` with a function that runs a slice of a number of operations, and returns the
/// answer to it.
pub(crate) fn with<T: Tls>(
    subject: &Subject<'_, T>,
    serve: impl FnOnce(&mut dyn FnMut(u64) -> Result<String, Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    clock::calibrate();
    let workload = &subject.scenario.workload;
    let count = subject.scenario.threads.unwrap_or(1);
    let barrier = &Barrier::new(count as usize);
    if count == 1 {
        // As in rustls-bench, which found transfers faster on the main thread on Intel.
        let mut lane = lane(subject, barrier);
        return serve(&mut |operations| answer(workload, &[lane(operations)?]));
    }
    thread::scope(|scope| {
        let start = |_| {
            let (order, orders) = mpsc::channel();
            let (share, shares) = mpsc::channel();
            scope.spawn(move || {
                let mut done = orders.into_iter().map(lane(subject, barrier));
                // Ends with the orders.
                done.try_for_each(|done| share.send(done))
            });
            (order, shares)
        };
        let threads: Vec<_> = (0..count).map(start).collect();
        serve(&mut |operations| {
            for (order, _) in &threads {
                order.send(operations)?;
            }
            let shares = threads.iter().map(|(_, shares)| shares.recv()?);
            answer(workload, &shares.collect::<Result<Vec<_>, _>>()?)
        })
    })
}

/// One thread's share of a slice.
struct Share {
    times: Times,
    start: Instant,
    end: Instant,
    cpu: Duration,
    /// Of each operation, if the scenario asks for them.
    single_times: Vec<Times>,
}

/// Returns what one thread does for each slice, after the barrier where all threads start together.
fn lane<'a, T: Tls>(
    subject: &'a Subject<'_, T>,
    barrier: &'a Barrier,
) -> impl FnMut(u64) -> Result<Share, Error> {
    let mut work = None;
    move |operations| {
        let led_in = lead_in(subject, &mut work);
        // Others wait for this thread even if it failed.
        barrier.wait();
        share(subject, led_in?, operations)
    }
}

/// Does the operations that bring caches back. Returns what does one.
fn lead_in<'a, 'b, T: Tls>(
    subject: &'a Subject<'_, T>,
    work: &'b mut Option<Operation<'a, Times>>,
) -> Result<&'b mut Operation<'a, Times>, Error> {
    let once = match work {
        Some(once) => once,
        none => none.insert(operation(subject)?),
    };
    for _ in 0..workload::lead_in(&subject.scenario.workload) {
        once(&mut Times::default())?;
    }
    Ok(once)
}

fn share<T>(
    subject: &Subject<'_, T>,
    once: &mut Operation<'_, Times>,
    operations: u64,
) -> Result<Share, Error> {
    let is_single = subject.scenario.workload.has_single_times();
    let capacity = if is_single { operations as usize } else { 0 };
    let mut single_times = Vec::with_capacity(capacity);
    let mut times = Times::default();
    let mut done = 0;
    // Limits handshakes that do not count: other threads may take the ticket of one that was full.
    let mut spare = operations + u64::from(subject.scenario.threads.unwrap_or(1));
    let before = cpu_time();
    let start = Instant::now();
    while done < operations {
        let mut single = Times::default();
        if once(&mut single)? {
            done += 1;
            times += single;
            if is_single {
                single_times.push(single);
            }
        } else {
            spare = spare.checked_sub(1).ok_or("handshakes were not resumed")?;
        }
    }
    let end = Instant::now();
    let cpu = cpu_time() - before;
    Ok(Share {
        times,
        start,
        end,
        cpu,
        single_times,
    })
}

/// Formats `FIRST SECOND WALL CPU`, and the single times.
fn answer(workload: &Workload, shares: &[Share]) -> Result<String, Error> {
    let ends = ends(workload);
    let of_side = |number: usize| match ends.get(number) {
        Some(end) => mean(shares.iter().map(|share| share.times.0[*end])),
        None => 0,
    };
    let start = shares.iter().map(|share| share.start).min();
    let end = shares.iter().map(|share| share.end).max();
    let wall = end.ok_or("no threads")? - start.ok_or("no threads")?;
    let cpu: Duration = shares.iter().map(|share| share.cpu).sum();
    let mut text = format!(
        "{} {} {} {}",
        of_side(0),
        of_side(1),
        wall.as_nanos(),
        cpu.as_nanos()
    );
    for end in ends {
        for single in shares.iter().flat_map(|share| &share.single_times) {
            write!(text, " {}", single.0[*end].as_nanos())?;
        }
    }
    Ok(text)
}

/// Harmonic mean in nanoseconds: the threads' total rate is their number of operations by it.
fn mean(times: impl ExactSizeIterator<Item = Duration>) -> u64 {
    let count = times.len() as f64;
    let inverse: f64 = times.map(|time| 1.0 / time.as_nanos() as f64).sum();
    (count / inverse).round() as u64
}
