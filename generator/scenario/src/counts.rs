//! How much is done to count what an operation takes.

use super::{Scenario, TlsVersion, Workload};

/// Two sizes of the work, in handshakes, ClientHellos or MiB: they differ by what is done again and
/// again, without what the first operations do once. Under valgrind each operation takes some fifty
/// times as long, so they are few, but more where each is short and chance weighs more: ML-KEM, the
/// order of extensions, and what happens in one handshake of some, as jemalloc's upkeep does, which
/// is 0.7 % of 16 resumed handshakes of TLS 1.2.
pub fn sizes(scenario: &Scenario, multiplier: f64) -> [u64; 2] {
    let (few, times) = match (&scenario.workload, scenario.version_or_default()) {
        (Workload::ClientHello, _) => (32.0, 5),
        (Workload::ResumedHandshake, TlsVersion::V1_2) => (8.0, 11),
        (Workload::ResumedHandshake, _) => (8.0, 3),
        (Workload::FullHandshake, _) => (1.0, 7),
        _ => (1.0, 3),
    };
    let few = (few * multiplier).round().max(1.0) as u64;
    [few, times * few]
}
