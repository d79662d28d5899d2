//! Measures the work of each end of a connection, and the CPU time of the thread.

use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Indices of the two ends.
pub(crate) const CLIENT: usize = 0;
pub(crate) const SERVER: usize = 1;

/// Percent of its time by which all timed work is prolonged: SLOW_CONTROL, of a control of
/// `generator run`, for tests.
pub(crate) static SLOWED: AtomicU32 = AtomicU32::new(0);

/// Nanoseconds that the clock itself adds to each time, which are subtracted.
static OVERHEAD: AtomicU64 = AtomicU64::new(0);

/// Measures the overhead of the clock: what it shows for no work, in the least disturbed hundred of
/// times.
pub(crate) fn calibrate() {
    let mut least = Duration::MAX;
    for _ in 0..10 {
        least = least.min((0..100).map(|_| Instant::now().elapsed()).sum());
    }
    OVERHEAD.store(least.as_nanos() as u64 / 100, Relaxed);
}

/// Time between two probes, at least.
const PROBE_INTERVAL: Duration = Duration::from_micros(50);

thread_local! {
    /// The end of the last probe, and the time and the number of all since [`probed`].
    static PROBES: Cell<(Option<Instant>, Duration, u32)> = const { Cell::new((None, Duration::ZERO, 0)) };
}

/// Times a fixed piece of work if the last one is some time ago, and returns the time after it. It
/// takes longer while something else uses the same core, be it in another virtual machine, whatever
/// the library does.
fn probe(now: Instant) -> Instant {
    let (last, time, count) = PROBES.get();
    if last.is_some_and(|last| now - last < PROBE_INTERVAL) {
        return now;
    }
    // As many independent chains as keep the core's units busy, of products that vectors cannot hold: after
    // some AVX code of libraries, the vector instructions of SSE take three times as long.
    let mut chains = black_box([1_u64, 2, 3, 4, 5, 6, 7, 8]);
    for _ in 0..600 {
        for x in &mut chains {
            let product = u128::from(*x) * 0x9e37_79b9_7f4a_7c15;
            *x = (product >> 64) as u64 ^ product as u64;
        }
    }
    black_box(chains);
    let end = Instant::now();
    PROBES.set((Some(end), time + (end - now), count + 1));
    end
}

/// Returns the mean time of a probe since the last call; 0 without any.
pub(crate) fn probed() -> Duration {
    let (last, time, count) = PROBES.get();
    PROBES.set((last, Duration::ZERO, 0));
    time.checked_div(count).unwrap_or_default()
}

/// Measures the work of both ends, by their indices.
pub(crate) trait Meter {
    /// Runs work of an end.
    fn work<R>(&mut self, end: usize, work: impl FnOnce() -> R) -> R;

    /// Takes note of what the work did: calls of the library, and bytes on the wire. Not timed.
    fn note(&mut self, _end: usize, _calls: u64, _bytes: &[u8]) {}
}

/// Times of both ends, by the monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times(pub(crate) [Duration; 2]);

impl Meter for Times {
    fn work<R>(&mut self, end: usize, work: impl FnOnce() -> R) -> R {
        let start = probe(Instant::now());
        let out = work();
        let mut time = start.elapsed();
        let percent = SLOWED.load(Relaxed);
        if percent > 0 {
            let slowed = time * (100 + percent) / 100;
            while time < slowed {
                time = start.elapsed();
            }
        }
        self.0[end] += time.saturating_sub(Duration::from_nanos(OVERHEAD.load(Relaxed)));
        out
    }
}

impl std::ops::AddAssign for Times {
    fn add_assign(&mut self, other: Self) {
        self.0[CLIENT] += other.0[CLIENT];
        self.0[SERVER] += other.0[SERVER];
    }
}

/// Returns the CPU time of this thread.
#[allow(unsafe_code, reason = "a system call without a safe interface")]
pub(crate) fn cpu_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the call fills the structure that it is given, for which zeros are valid.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
