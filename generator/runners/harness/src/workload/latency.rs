//! Writes the time of each handshake in the format of rustls-bench: the time of day in seconds, a
//! tab, and the duration in microseconds. One file per side and thread.

use super::handshake::Handshake;
use crate::{Error, Scenario, Side, Workload};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::SystemTime;

/// Writes `fullhs-tls13-client-0-latency.tsv` and the like into `folder`.
///
/// # Errors
/// A file cannot be created, or exists: names do not include all of a scenario, so two scenarios
/// could use the same file.
pub(super) fn write(
    folder: &Path,
    scenario: &Scenario,
    threads: &[Vec<Handshake>],
) -> Result<(), Error> {
    let workload = match scenario.workload {
        Workload::ResumedLatency => "resume",
        _ => "fullhs",
    };
    let version = scenario.version_or_default().word().replace('.', "");
    for side in [Side::Client, Side::Server] {
        if scenario.side.is_some_and(|only| only != side) {
            continue;
        }
        for (number, handshakes) in threads.iter().enumerate() {
            let word = side.word();
            let name = format!("{workload}-tls{version}-{word}-{number}-latency.tsv");
            let path = folder.join(name);
            let named = |e| format!("{}: {e}", path.display());
            let mut file = BufWriter::new(File::create_new(&path).map_err(named)?);
            for handshake in handshakes {
                let at = handshake.at.duration_since(SystemTime::UNIX_EPOCH)?;
                let time = match side {
                    Side::Client => handshake.times.client,
                    _ => handshake.times.server,
                };
                writeln!(
                    file,
                    "{}.{:09}\t{}.{:03}",
                    at.as_secs(),
                    at.subsec_nanos(),
                    time.as_micros(),
                    time.subsec_nanos() % 1000
                )
                .map_err(named)?;
            }
            file.flush().map_err(named)?;
        }
    }
    Ok(())
}
