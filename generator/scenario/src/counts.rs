//! How much is done to count what an operation takes.

use super::Workload;

/// Two sizes of the work, in handshakes, ClientHellos or MiB: they differ by what is done again and
/// again, without what the first operations do once. Under valgrind each operation takes some fifty
/// times as long, so they are few, but more where each is short and chance weighs more: ML-KEM, the
/// order of extensions, and what happens in one handshake of some.
pub fn sizes(workload: &Workload, multiplier: f64) -> [u64; 2] {
    let (few, times) = match workload {
        Workload::ClientHello => (32.0, 5),
        Workload::ResumedHandshake => (8.0, 3),
        Workload::FullHandshake => (1.0, 7),
        _ => (1.0, 3),
    };
    let few = (few * multiplier).round().max(1.0) as u64;
    [few, times * few]
}
