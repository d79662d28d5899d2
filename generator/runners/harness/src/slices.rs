//! Slices: a number of operations, timed on all of the scenario's threads.

use crate::clock::{self, Times, cpu_time};
use crate::pair::Subject;
use crate::workload::{Operation, ends, operation};
use crate::{Error, Tls, Workload};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Untimed work before a slice that follows a pause: so many operations that take so long. It brings
/// back caches and branch predictions that other programs have used: docs/measurements.md shows how
/// much slower the first operations of each library are after others.
const LEAD_IN: RangeInclusive<Duration> = Duration::from_micros(500)..=Duration::from_millis(40);
const LEAD_IN_OPERATIONS: u32 = 8;

/// Between the slices of a turn, a program waits for less.
const PAUSE: Duration = Duration::from_millis(1);

/// Calls `serve` with a function that runs a slice of a number of operations, and returns the
/// answer to it.
pub(crate) fn with<T: Tls>(
    subject: &Subject<'_, T>,
    serve: impl FnOnce(&mut dyn FnMut(u64) -> Result<String, Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    clock::calibrate();
    let workload = &subject.scenario.workload;
    let count = subject.scenario.threads.unwrap_or(1);
    let gate = &Gate::new(count);
    if count == 1 {
        // As in rustls-bench, which found transfers faster on the main thread on Intel.
        let mut lane = lane(subject, gate);
        return serve(&mut |operations| answer(workload, &[lane(operations)?]));
    }
    thread::scope(|scope| {
        let start = |_| {
            let (order, orders) = mpsc::channel();
            let (share, shares) = mpsc::channel();
            scope.spawn(move || {
                let mut done = orders.into_iter().map(lane(subject, gate));
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

/// Where the threads of a slice wait for each other at work, before and after it: one that sleeps
/// would leave its caches and its processor to others.
struct Gate {
    threads: u64,
    arrived: AtomicU64,
}

impl Gate {
    fn new(threads: u32) -> Self {
        Self {
            threads: threads.into(),
            arrived: AtomicU64::new(0),
        }
    }

    /// Works until all threads have arrived for the `round`th time.
    fn pass(&self, round: u64, mut work: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
        self.arrived.fetch_add(1, Relaxed);
        while self.arrived.load(Relaxed) < round * self.threads {
            work()?;
        }
        Ok(())
    }

    /// Lets all threads pass from now on: one has failed, and the program will end.
    fn open(&self) {
        self.arrived.store(u64::MAX / 2, Relaxed);
    }
}

/// One thread's share of a slice.
struct Share {
    times: Times,
    wall: Duration,
    cpu: Duration,
    probe: Duration,
    /// Of each operation, if the scenario asks for them.
    single_times: Vec<Times>,
}

/// Returns what one thread does for each slice.
fn lane<'a, T: Tls>(
    subject: &'a Subject<'_, T>,
    gate: &'a Gate,
) -> impl FnMut(u64) -> Result<Share, Error> {
    let (mut work, mut rounds, mut last) = (None, 0, None);
    move |operations| {
        rounds += 2;
        let is_cold = last.is_none_or(|last: Instant| last.elapsed() > PAUSE);
        let share = slice(subject, gate, rounds, &mut work, is_cold, operations);
        last = Some(Instant::now());
        if share.is_err() {
            gate.open();
        }
        share
    }
}

/// Leads in after a pause until all threads have, does the operations of a slice, and goes on until
/// all threads have done theirs.
fn slice<'a, T: Tls>(
    subject: &'a Subject<'_, T>,
    gate: &Gate,
    rounds: u64,
    work: &mut Option<Operation<'a, Times>>,
    is_cold: bool,
    operations: u64,
) -> Result<Share, Error> {
    let once = match work {
        Some(once) => once,
        none => none.insert(operation(subject)?),
    };
    let (start, mut done) = (Instant::now(), 0);
    let is_warm = |done, time| done >= LEAD_IN_OPERATIONS && time >= *LEAD_IN.start();
    while is_cold && !is_warm(done, start.elapsed()) && start.elapsed() < *LEAD_IN.end() {
        once(&mut Times::default())?;
        done += 1;
    }
    gate.pass(rounds - 1, || once(&mut Times::default()).map(drop))?;
    let share = share(subject, once, operations)?;
    gate.pass(rounds, || once(&mut Times::default()).map(drop))?;
    Ok(share)
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
    clock::probed();
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
    Ok(Share {
        times,
        wall: start.elapsed(),
        cpu: cpu_time() - before,
        probe: clock::probed(),
        single_times,
    })
}

/// Formats `FIRST SECOND WALL CPU PROBE` of a thread in the mean, but CPU in total, and the single
/// times.
fn answer(workload: &Workload, shares: &[Share]) -> Result<String, Error> {
    let ends = ends(workload);
    let of_side = |number: usize| match ends.get(number) {
        Some(end) => mean(shares.iter().map(|share| share.times.0[*end])),
        None => 0,
    };
    let wall: Duration = shares.iter().map(|share| share.wall).sum();
    let probes: Duration = shares.iter().map(|share| share.probe).sum();
    let cpu: Duration = shares.iter().map(|share| share.cpu).sum();
    let mut text = format!(
        "{} {} {} {} {}",
        of_side(0),
        of_side(1),
        wall.as_nanos() / shares.len() as u128,
        cpu.as_nanos(),
        probes.as_nanos() / shares.len() as u128
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
