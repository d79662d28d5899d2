//! Timing of each side's work.

use std::time::{Duration, Instant};

/// Runs `work`, and adds its duration by the monotonic clock to `total`.
pub(crate) fn time<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = work();
    *total += start.elapsed();
    out
}

/// Times of the two ends of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sides {
    pub(crate) client: Duration,
    pub(crate) server: Duration,
}

impl std::ops::AddAssign for Sides {
    fn add_assign(&mut self, other: Self) {
        self.client += other.client;
        self.server += other.server;
    }
}
