//! Application data from the server to the client.

use super::{Effort, Figures, on_threads, rounds};
use crate::clock::{Sides, time};
use crate::pair::{Link, Pair, prime};
use crate::{Endpoint, Error, MeasureError, Scenario, Tls};

/// Total bytes with a multiplier of 1, for writes of up to 8 KiB, which are slow, and for larger
/// ones, as in rustls-bench (`bench_bulk`).
const SMALL_TOTAL: u64 = 64 << 20;
const TOTAL: u64 = 1 << 30;
const SMALL_WRITE: u64 = 8192;

const MIB: f64 = 1024.0 * 1024.0;

pub(super) fn rates<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    effort: Effort<'_>,
) -> Result<Figures, MeasureError> {
    prime(tls, scenario)?;
    let size = scenario.write_size_or_default();
    let total = if size <= SMALL_WRITE {
        SMALL_TOTAL
    } else {
        TOTAL
    };
    let rounds = rounds(total / size, effort.multiplier);
    let mib = (rounds * size) as f64 / MIB;
    let tls = &*tls;
    let times = on_threads(scenario, || transfer(tls, scenario, rounds))?;
    let rate = |seconds: fn(&Sides) -> f64| times.iter().map(|t| mib / seconds(t)).sum();
    let sending = rate(|t| t.server.as_secs_f64());
    let receiving = rate(|t| t.client.as_secs_f64());
    Ok(vec![sending, receiving].into())
}

fn transfer<T: Tls>(tls: &T, scenario: &Scenario, rounds: u64) -> Result<Sides, Error> {
    let mut link = Link::default();
    let mut pair = Pair::new(tls)?;
    pair.handshake(&mut link)?;
    let plaintext = vec![0; scenario.write_size_or_default() as usize];
    let mut times = Sides::default();
    for _ in 0..rounds {
        let Link {
            to_client, piece, ..
        } = &mut link;
        time(&mut times.server, || {
            pair.server.write(&plaintext, to_client)
        })?;
        let mut received = 0;
        time(&mut times.client, || {
            pair.client
                .read(to_client, piece, |piece| received += piece.len())
        })?;
        if received != plaintext.len() {
            return Err("data was lost in transit".into());
        }
    }
    Ok(times)
}
