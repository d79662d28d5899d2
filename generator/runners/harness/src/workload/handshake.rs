//! Handshakes: rates and latencies.

use super::{Effort, Figures, latency, on_threads, rounds};
use crate::clock::Sides;
use crate::pair::{Link, Pair, caveat, prime};
use crate::percentile::percentiles;
use crate::{Error, MeasureError, Scenario, Tls};
use std::time::{Duration, SystemTime};

/// Numbers of handshakes with a multiplier of 1, as in both reference tools.
const FULL: u64 = 512;
const RESUMED: u64 = 4096;

/// One handshake.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handshake {
    /// Time of day at its end.
    pub(super) at: SystemTime,
    pub(super) times: Sides,
}

pub(super) fn rates<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    effort: Effort<'_>,
) -> Result<Figures, MeasureError> {
    let (threads, caveat) = all(tls, scenario, effort)?;
    let rate = |side: fn(&Sides) -> Duration| {
        threads
            .iter()
            .map(|all| {
                let total: Duration = all.iter().map(|one| side(&one.times)).sum();
                all.len() as f64 / total.as_secs_f64()
            })
            .sum()
    };
    Ok(Figures {
        values: vec![rate(|t| t.client), rate(|t| t.server)],
        caveat,
    })
}

/// Percentiles over the handshakes of all threads. Also writes the time of each one to files, if
/// requested.
pub(super) fn latencies<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    effort: Effort<'_>,
) -> Result<Figures, MeasureError> {
    let (threads, caveat) = all(tls, scenario, effort)?;
    if let Some(folder) = effort.latencies {
        latency::write(folder, scenario, &threads)?;
    }
    let points = |side: fn(&Sides) -> Duration| {
        let mut samples: Vec<Duration> = threads.iter().flatten().map(|h| side(&h.times)).collect();
        percentiles(&mut samples)
    };
    Ok(Figures {
        values: [points(|t| t.client), points(|t| t.server)].concat(),
        caveat,
    })
}

/// Measures the handshakes of all threads. Returns them by thread, and the caveat.
fn all<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    effort: Effort<'_>,
) -> Result<(Vec<Vec<Handshake>>, String), MeasureError> {
    let negotiated = prime(tls, scenario)?;
    let count = if scenario.resumption.is_some() {
        RESUMED
    } else {
        FULL
    };
    let rounds = rounds(count, effort.multiplier);
    let tls = &*tls;
    let threads = on_threads(scenario, || handshakes(tls, scenario, rounds))?;
    Ok((threads, caveat(scenario, &negotiated)))
}

fn handshakes<T: Tls>(tls: &T, scenario: &Scenario, rounds: u64) -> Result<Vec<Handshake>, Error> {
    // TLS 1.3 tickets are used once: threads that share a session cache may find it empty, and
    // refill it by a full handshake, which is not counted.
    let mut spare = if scenario.threads > Some(1) {
        rounds
    } else {
        0
    };
    let mut link = Link::default();
    let mut done = Vec::with_capacity(rounds as usize);
    while (done.len() as u64) < rounds {
        let mut pair = Pair::new(tls)?;
        let times = pair.handshake(&mut link)?;
        let at = SystemTime::now();
        pair.verify(scenario)?;
        match (scenario.resumption.is_some(), pair.was_resumed()?) {
            (false, true) => return Err("a handshake was resumed instead of full".into()),
            (true, false) if spare == 0 => {
                let number = done.len() + 1;
                return Err(format!("handshake {number} of {rounds} was not resumed").into());
            }
            (true, false) => spare -= 1,
            _ => done.push(Handshake { at, times }),
        }
    }
    Ok(done)
}
