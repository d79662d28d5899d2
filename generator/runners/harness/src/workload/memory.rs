//! Peak memory of a process with many sessions.

use super::Figures;
use crate::clock::Sides;
use crate::pair::{Link, Pair, prime, receive};
use crate::{Endpoint, MeasureError, Scenario, Tls, Wire};
use std::{fs, mem};

/// Rounds in lockstep, enough for any handshake, as in both reference tools.
const STEPS: u32 = 5;

/// Data sent by each client once all are connected, as in both reference tools.
const MESSAGE: [u8; 1024] = [0; 1024];

/// Measures the process's peak memory, so it must be the first work of the process.
pub(super) fn peak<T: Tls>(tls: &mut T, scenario: &Scenario) -> Result<Figures, MeasureError> {
    prime(tls, scenario)?;
    let count = scenario.sessions.ok_or("no number of sessions")? as usize / 2;
    let mut link = Link::default();
    let mut times = Sides::default();
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        pairs.push((Pair::new(tls)?, Wire::default()));
    }
    for step in 0..=STEPS {
        for (pair, waiting) in &mut pairs {
            link.to_client.clear();
            link.to_server = mem::take(waiting);
            if step > 0 {
                pair.server_turn(&mut link, &mut times)?;
            }
            pair.client_turn(&mut link, &mut times)?;
            // Keep the client's bytes for the next step, without spare capacity.
            *waiting = mem::take(&mut link.to_server);
            waiting.shrink();
        }
    }
    if pairs.iter().any(|(pair, _)| pair.is_handshaking()) {
        return Err("the handshakes do not end".into());
    }
    for (pair, _) in &mut pairs {
        let wire = &mut link.to_server;
        pair.client.write(&MESSAGE, wire)?;
        receive(&mut pair.server, wire, &mut link.piece, &MESSAGE)?;
    }
    Ok(vec![peak_kib().map_err(MeasureError::Failed)?].into())
}

/// Peak resident memory since the start of the program, in KiB, as printed by `time -f %M`.
fn peak_kib() -> Result<f64, crate::Error> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.trim().strip_suffix(" kB"));
    let kib = number.ok_or("no VmHWM in /proc/self/status")?;
    Ok(kib.trim().parse()?)
}
