//! Peak memory of a process with many sessions.

use crate::clock::{CLIENT, SERVER, Times};
use crate::pair::{Link, Subject};
use crate::{Endpoint, Error, Tls, Wire};
use std::{fs, mem};

/// Rounds in lockstep, enough for any handshake, as in both reference tools.
const STEPS: u32 = 5;

/// Data sent by each client once all are connected, as in both reference tools.
const MESSAGE: [u8; 1024] = [0; 1024];

/// Returns the process's peak memory in KiB, so this must be its first work.
pub(crate) fn peak<T: Tls>(subject: &Subject<'_, T>) -> Result<u64, Error> {
    let count = subject.scenario.sessions.ok_or("no number of sessions")? as usize / 2;
    let (link, meter) = (&mut Link::default(), &mut Times::default());
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        pairs.push((subject.pair(meter)?, Wire::default()));
    }
    for step in 0..=STEPS {
        for (pair, waiting) in &mut pairs {
            link.to_client.clear();
            link.to_server = mem::take(waiting);
            if step > 0 {
                pair.turn(SERVER, link, meter)?;
            }
            pair.turn(CLIENT, link, meter)?;
            // Keep the client's bytes for the next step, without spare capacity.
            *waiting = mem::take(&mut link.to_server);
            waiting.shrink();
        }
    }
    for (pair, _) in &mut pairs {
        if pair.client.is_handshaking() || pair.server.is_handshaking() {
            return Err("the handshakes do not end".into());
        }
        pair.client.write(&MESSAGE, &mut link.to_server)?;
        pair.server.read(&mut link.to_server, &mut link.plaintext)?;
        link.plaintext.complete_with(&MESSAGE)?;
    }
    let peak = peak_kib()?;
    if let Some((pair, _)) = pairs.first() {
        subject.verify(pair)?;
    }
    Ok(peak)
}

/// Peak resident memory since the start of the program, in KiB, as printed by `time -f %M`.
fn peak_kib() -> Result<u64, Error> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.trim().strip_suffix(" kB"));
    let kib = number.ok_or("no VmHWM in /proc/self/status")?;
    Ok(kib.trim().parse()?)
}
