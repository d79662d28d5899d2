//! Positions of the names at the right ends of lines, without overlaps.

/// Moves positions as little as possible (by least squares) from `wanted`, keeping their order, so
/// that neighbours are at least `spacing` apart and all are at least half of that within
/// `low..high`. If there is no room for all, they extend beyond `high`.
pub(super) fn spaced(wanted: &[f64], spacing: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // With the room of earlier names subtracted, positions only have to be in order: isotonic
    // regression, by its max-min formula.
    let offset = |rank: usize| rank as f64 * spacing;
    let own = order.iter().enumerate();
    let own: Vec<f64> = own.map(|(rank, &i)| wanted[i] - offset(rank)).collect();
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let min = low + spacing / 2.0;
    let max = high - spacing / 2.0 - offset(own.len().saturating_sub(1));
    let mut result = vec![0.0; wanted.len()];
    for (rank, index) in order.into_iter().enumerate() {
        let least = |from: usize| {
            let means = (rank + 1..=own.len()).map(|to| mean(&own[from..to]));
            means.fold(f64::INFINITY, f64::min)
        };
        let place = (0..=rank).map(least).fold(f64::NEG_INFINITY, f64::max);
        result[index] = place.min(max).max(min) + offset(rank);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::spaced;
    use proptest::prelude::*;

    #[test]
    fn names_with_room_stay() {
        assert_eq!(spaced(&[50.0, 10.0], 20.0, 0.0, 100.0), [50.0, 10.0]);
    }

    #[test]
    fn equal_positions_spread_evenly() {
        let equal = spaced(&[50.0, 50.0, 50.0], 10.0, 0.0, 100.0);
        assert_eq!(equal, [40.0, 50.0, 60.0]);
        assert_eq!(spaced(&[0.0, 0.0], 10.0, 0.0, 100.0), [5.0, 15.0]);
    }

    proptest! {
        #[test]
        fn names_do_not_overlap(wanted in prop::collection::vec(-50.0..150.0f64, 1..10), spacing in 1.0..10.0f64) {
            let places = spaced(&wanted, spacing, 0.0, 100.0);
            for a in 0..places.len() {
                prop_assert!(places[a] - spacing / 2.0 > -1e-9 && places[a] + spacing / 2.0 < 100.0 + 1e-9);
                for b in 0..a {
                    prop_assert!((places[a] - places[b]).abs() + 1e-9 >= spacing);
                }
            }
        }
    }
}
