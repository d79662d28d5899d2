//! Which rows are work of their own kind. A row with one thread, another size of writes, another
//! number of sessions or another percentile repeats or varies another row: in a mean or a count of
//! wins, one speaks for all.

use super::Key;
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::Unit;
use std::collections::BTreeMap;

/// Returns the places of the rows that speak for their kind of work, in order.
pub(crate) fn one_of_each_kind<'a>(keys: impl IntoIterator<Item = Key<'a>>) -> Vec<usize> {
    let mut best: BTreeMap<(Scenario, &Unit), (usize, &Scenario)> = BTreeMap::new();
    for (place, (scenario, unit)) in keys.into_iter().enumerate() {
        let known = best
            .entry((kind(scenario), unit))
            .or_insert((place, scenario));
        if rank(scenario) > rank(known.1) {
            *known = (place, scenario);
        }
    }
    let mut places: Vec<usize> = best.into_values().map(|(place, _)| place).collect();
    places.sort_unstable();
    places
}

/// Returns the scenario without the parameters that vary the same work.
fn kind(scenario: &Scenario) -> Scenario {
    Scenario {
        threads: None,
        write_size: None,
        sessions: None,
        percentile: None,
        buffers: None,
        method: None,
        ..scenario.clone()
    }
}

/// The row without parameters comes first, then the median, the most sessions and the fewest
/// threads.
fn rank(scenario: &Scenario) -> impl Ord {
    (
        scenario.threads.is_none(),
        scenario.write_size.is_none(),
        scenario.percentile == Some(Percentile::P50),
        scenario.sessions,
        std::cmp::Reverse(scenario.threads),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_speaks_for_its_variations() {
        let labels = [
            "full handshakes, 1.3, rsa, client",
            "full handshakes, 1.3, rsa, client, 1 thread",
            "full handshakes, 1.3, rsa, client, 2 threads",
            "full handshakes, 1.3, rsa, server",
            "transfer, 1.3, aes-128-gcm, sending, 256-byte writes",
            "transfer, 1.3, aes-128-gcm, sending",
            "memory, 1.3, aes-128-gcm, 100 sessions",
            "memory, 1.3, aes-128-gcm, 1000 sessions",
        ];
        let scenarios = labels.map(|label| Scenario::from_label(label).expect("a label"));
        let keys = scenarios.iter().map(|s| (s, &Unit::HandshakeRate));
        assert_eq!(one_of_each_kind(keys), [0, 3, 5, 7]);
    }
}
