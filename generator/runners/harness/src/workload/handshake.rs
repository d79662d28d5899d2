//! Handshakes: rates, and the time of each.

use super::{Figures, on_threads, rounds};
use crate::clock::Sides;
use crate::pair::{Link, Pair, caveat, prime};
use crate::percentile::percentiles;
use crate::{Error, Refusal, Scenario, Tls};
use std::time::Duration;

/// Handshakes with a multiplier of 1, as both reference tools do.
const FULL: u64 = 512;
const RESUMED: u64 = 4096;

pub(super) fn rates<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    multiplier: f64,
) -> Result<Figures, Refusal> {
    let (threads, caveat) = all(tls, scenario, multiplier)?;
    let rate = |side: fn(&Sides) -> Duration| {
        threads
            .iter()
            .map(|times| {
                times.len() as f64 / times.iter().map(side).sum::<Duration>().as_secs_f64()
            })
            .sum()
    };
    Ok(Figures {
        values: vec![rate(|t| t.client), rate(|t| t.server)],
        caveat,
    })
}

/// Percentiles over the handshakes of all threads.
pub(super) fn latencies<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    multiplier: f64,
) -> Result<Figures, Refusal> {
    let (threads, caveat) = all(tls, scenario, multiplier)?;
    let points = |side: fn(&Sides) -> Duration| {
        let mut samples: Vec<Duration> = threads.iter().flatten().map(side).collect();
        percentiles(&mut samples).map(|(_, ns)| ns as f64)
    };
    Ok(Figures {
        values: [points(|t| t.client), points(|t| t.server)].concat(),
        caveat,
    })
}

/// The times of each handshake of each thread, and the caveat.
fn all<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    multiplier: f64,
) -> Result<(Vec<Vec<Sides>>, String), Refusal> {
    let negotiated = prime(tls, scenario)?;
    let usual = if scenario.is_resumed() { RESUMED } else { FULL };
    let rounds = rounds(usual, multiplier);
    let tls = &*tls;
    let times = on_threads(scenario, || handshakes(tls, scenario, rounds))?;
    Ok((times, caveat(scenario, &negotiated)))
}

fn handshakes<T: Tls>(tls: &T, scenario: &Scenario, rounds: u64) -> Result<Vec<Sides>, Error> {
    // TLS 1.3 tickets are used once: threads that share a cache of sessions may find it empty,
    // and then fill it with a full handshake, which does not count.
    let mut spare = if scenario.threads > Some(1) {
        rounds
    } else {
        0
    };
    let mut link = Link::default();
    let mut times = Vec::with_capacity(rounds as usize);
    while (times.len() as u64) < rounds {
        let mut pair = Pair::new(tls)?;
        let time = pair.handshake(&mut link)?;
        pair.verify(scenario)?;
        match (scenario.is_resumed(), pair.was_resumed()?) {
            (false, true) => return Err("a full handshake was asked for, and was resumed".into()),
            (true, false) if spare == 0 => {
                return Err(
                    format!("handshake {} of {rounds} was not resumed", times.len() + 1).into(),
                );
            }
            (true, false) => spare -= 1,
            _ => times.push(time),
        }
    }
    Ok(times)
}
