//! What is counted of a scenario, and the amounts of work for callgrind.

use super::{Scenario, TlsVersion, Workload};

/// Units of the counts, besides those of callgrind.
pub const UNITS: [&str; 4] = ["bytes on the wire", "records", "calls", "flights"];

/// Returns the units of a workload: only handshakes have flights.
pub fn units(workload: &Workload) -> &'static [&'static str] {
    match workload {
        Workload::FullHandshake | Workload::ResumedHandshake => &UNITS,
        _ => &UNITS[..UNITS.len() - 1],
    }
}

const MIB: u64 = 1024 * 1024;

/// Returns two amounts of work, in handshakes, ClientHellos or MiB. Their difference excludes the
/// one-time costs of the first operations.
///
/// Valgrind slows an operation down some fifty times, so the numbers are small. They are larger
/// where operations are short and random effects matter more: ML-KEM, the order of extensions, and
/// occasional work such as jemalloc's upkeep, which is 0.7 % of 16 resumed TLS 1.2 handshakes.
pub fn sizes(scenario: &Scenario) -> [u64; 2] {
    let (few, times) = match (&scenario.workload, scenario.version_or_default()) {
        (Workload::ClientHello, _) => (32, 5),
        (Workload::ResumedHandshake, TlsVersion::V1_2) => (8, 11),
        (Workload::ResumedHandshake, _) => (8, 3),
        (Workload::FullHandshake, _) => (1, 7),
        // A write is not divided.
        _ => (scenario.write_size_or_default().div_ceil(MIB), 3),
    };
    [few, times * few]
}
