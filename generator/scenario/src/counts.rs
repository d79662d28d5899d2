//! How much is done to count what an operation takes.

use super::Workload;

/// Two sizes of the work, in handshakes, ClientHellos or MiB: they differ by what is done again and
/// again, without what the first operations do once. Under valgrind each operation takes some fifty
/// times as long, so they are few, but more where each is short and chance weighs more: ML-KEM and
/// the order of extensions.
pub fn sizes(workload: &Workload, multiplier: f64) -> [u64; 2] {
    let few = match workload {
        Workload::ClientHello => 32.0,
        Workload::ResumedHandshake => 8.0,
        _ => 1.0,
    };
    let few = (few * multiplier).round().max(1.0) as u64;
    [few, 3 * few]
}
