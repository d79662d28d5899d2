//! Names at the right ends of lines, moved apart where they would cover each other.

/// Positions as near as possible to `wanted` (in the sense of least squares) that keep the order
/// of `wanted`, neighbours at least `spacing` apart, all of them half of that within `low..high`.
/// Where they do not fit there, they run over the end.
pub(super) fn apart(wanted: &[f64], spacing: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let offset = |rank: usize| rank as f64 * spacing;
    // Less the room of those before it, each name wants a place of its own, and the places only
    // have to be in order: isotonic regression, by pooling adjacent violators.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mean = |&(sum, count): &(f64, usize)| sum / count as f64;
    for (rank, &index) in order.iter().enumerate() {
        let mut pool = (wanted[index] - offset(rank), 1);
        while let Some(before) = pools.pop_if(|before| mean(before) > mean(&pool)) {
            pool = (before.0 + pool.0, before.1 + pool.1);
        }
        pools.push(pool);
    }
    let min = low + spacing / 2.0;
    let max = high - spacing / 2.0 - offset(order.len().saturating_sub(1));
    let places = pools
        .iter()
        .flat_map(|pool| std::iter::repeat_n(mean(pool).min(max).max(min), pool.1));
    let mut result = vec![0.0; wanted.len()];
    for (rank, (&index, place)) in order.iter().zip(places).enumerate() {
        result[index] = place + offset(rank);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::apart;
    use proptest::prelude::*;

    #[test]
    fn names_with_room_stay() {
        assert_eq!(apart(&[50.0, 10.0], 20.0, 0.0, 100.0), [50.0, 10.0]);
    }

    #[test]
    fn equal_ones_share_the_move() {
        let equal = apart(&[50.0, 50.0, 50.0], 10.0, 0.0, 100.0);
        assert_eq!(equal, [40.0, 50.0, 60.0]);
        assert_eq!(apart(&[0.0, 0.0], 10.0, 0.0, 100.0), [5.0, 15.0]);
    }

    proptest! {
        #[test]
        fn none_cover_each_other(wanted in prop::collection::vec(-50.0..150.0f64, 1..10), spacing in 1.0..10.0f64) {
            let places = apart(&wanted, spacing, 0.0, 100.0);
            for a in 0..places.len() {
                prop_assert!(places[a] - spacing / 2.0 > -1e-9 && places[a] + spacing / 2.0 < 100.0 + 1e-9);
                for b in 0..a {
                    prop_assert!((places[a] - places[b]).abs() + 1e-9 >= spacing);
                }
            }
        }
    }
}
