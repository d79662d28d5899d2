//! Quantiles of any numbers, such as logarithms and differences.

/// Returns the value below which a share of all values lies, interpolated between the two beside
/// it;
/// `None` without values.
pub fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let at = share * values.len().checked_sub(1)? as f64;
    let [low, high] = [at.floor(), at.ceil()].map(|index| values[index as usize]);
    Some(low + (high - low) * at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(quantile(vec![], 0.5), None);
        let values = vec![5.0, -1.0, 2.0, 3.0];
        for (share, expected) in [(0.0, -1.0), (0.25, 1.25), (0.5, 2.5), (1.0, 5.0)] {
            assert_eq!(quantile(values.clone(), share), Some(expected), "{share}");
        }
    }
}
