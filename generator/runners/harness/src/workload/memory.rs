//! Peak memory of a process with many sessions.

use super::Figures;
use crate::pair::{Link, Pair, pass, prime};
use crate::{Refusal, Scenario, Tls};
use std::fs;

/// Lockstep rounds of a turn of each end: enough for any handshake (both reference tools).
const STEPS: u32 = 5;

/// Bytes that each client sends once all are connected (both reference tools).
const MESSAGE: [u8; 1024] = [0; 1024];

/// The peak counts whatever the process did before: it must have done nothing.
pub(super) fn peak<T: Tls>(tls: &mut T, scenario: &Scenario) -> Result<Figures, Refusal> {
    prime(tls, scenario)?;
    let count = scenario.sessions.unwrap_or_default() as usize / 2;
    let mut link = Link::default();
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        pairs.push(Pair::new(tls)?);
    }
    for _ in 0..STEPS {
        for pair in pairs.iter_mut().filter(|pair| pair.is_handshaking()) {
            pair.step(&mut link)?;
            link.to_client.clear();
            link.to_server.clear();
        }
    }
    for pair in &mut pairs {
        pass(
            &mut pair.client,
            &mut pair.server,
            &mut link.to_server,
            &MESSAGE,
        )?;
    }
    Ok(Figures {
        values: vec![peak_kib().map_err(Refusal::Failed)?],
        caveat: String::new(),
    })
}

/// Peak resident memory since the program started, in KiB: what `time -f %M` prints.
fn peak_kib() -> Result<f64, crate::Error> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.trim().strip_suffix(" kB"));
    let kib = number.ok_or("no VmHWM in /proc/self/status")?;
    Ok(kib.trim().parse()?)
}
