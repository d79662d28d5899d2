//! Linear regression by least squares.

use std::collections::BTreeSet;

/// y = slope·x + intercept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearFit {
    /// Per unit of x.
    pub slope: f64,
    /// At x = 0.
    pub intercept: f64,
}

/// With fewer distinct x, a line would always fit.
const MIN_POINTS: usize = 3;

impl LinearFit {
    /// Fits a line by least squares; `None` below three distinct x.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let distinct: BTreeSet<u64> = points.iter().map(|p| p.0.to_bits()).collect();
        let mean =
            |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
        let (mean_x, mean_y) = (mean(|p| p.0), mean(|p| p.1));
        let sxx: f64 = points.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
        let sxy: f64 = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
        let slope = sxy / sxx;
        let intercept = mean_y - slope * mean_x;
        (distinct.len() >= MIN_POINTS).then_some(Self { slope, intercept })
    }

    /// y at x.
    pub fn at(&self, x: f64) -> f64 {
        self.slope * x + self.intercept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TLS 1.3 memory in the 2019 article, in KiB over sessions. The article prints 27.2N + 3417
    /// and 59.3N + 6789, and 269 and 586 MB for 10,000 sessions (KiB / 1024, intercept included).
    #[test]
    fn fits_of_2019() {
        for (kib, slope, intercept, c10k) in [
            ([6184.0, 30596.0, 139592.0], "27.233", "3416.754", "269"),
            ([12812.0, 66000.0, 303424.0], "59.323", "6788.610", "586"),
        ] {
            let points: Vec<_> = [100.0, 1000.0, 5000.0].into_iter().zip(kib).collect();
            let line = LinearFit::through(&points).expect("a line");
            assert_eq!(
                (
                    format!("{:.3}", line.slope),
                    format!("{:.3}", line.intercept)
                ),
                (slope.to_owned(), intercept.to_owned())
            );
            assert_eq!(format!("{:.0}", line.at(10_000.0) / 1024.0), c10k);
        }
    }

    #[test]
    fn none_below_three_distinct_x() {
        assert_eq!(
            LinearFit::through(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0)]),
            None
        );
    }
}
