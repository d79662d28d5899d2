//! ClientHellos, with their key shares.

use super::{Figures, rounds};
use crate::clock::time;
use crate::pair::{Link, caveat, prime};
use crate::{Endpoint, MeasureError, Scenario, Tls};
use std::time::Duration;

/// Number of ClientHellos with a multiplier of 1.
const HELLOS: u64 = 4096;

pub(super) fn rate<T: Tls>(
    tls: &mut T,
    scenario: &Scenario,
    multiplier: f64,
) -> Result<Figures, MeasureError> {
    let negotiated = prime(tls, scenario)?;
    let mut link = Link::default();
    let mut total = Duration::ZERO;
    let mut bytes = 0;
    let count = rounds(HELLOS, multiplier);
    for _ in 0..count {
        link.to_server.clear();
        let mut client = tls.client()?;
        time(&mut total, || {
            client.handshake(&mut link.to_client, &mut link.to_server)
        })?;
        bytes = link.to_server.unread().len();
    }
    Ok(Figures {
        values: vec![count as f64 / total.as_secs_f64(), bytes as f64],
        caveat: caveat(scenario, &negotiated),
    })
}
