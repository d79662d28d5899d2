//! The capacity model: processor cores and memory that a load needs, each a sum of independent costs.
//!
//! `static/capacity/model.js` is the same model for the page; a test compares both.

use crate::stats::line_weights;
use serde::Serialize;

/// An estimate, with its interval if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Amount {
    /// The estimate.
    pub estimate: f64,
    /// The ends of its 95 % confidence interval.
    pub ends: Option<[f64; 2]>,
}

/// The load of a server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// New connections per second.
    pub connections: f64,
    /// The share of them that is resumed, 0 to 1.
    pub resumed: f64,
    /// Data sent, in 10⁹ bits per second.
    pub gbit: f64,
    /// Open sessions.
    pub idle: f64,
}

/// The performance of a library on one core, as far as it was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Performance {
    /// Full handshakes per second.
    pub full: Option<Amount>,
    /// Resumed handshakes per second.
    pub resumed: Option<Amount>,
    /// MiB/s.
    pub transfer: Option<Amount>,
    /// Numbers of sessions, with the memory of a process in KiB.
    pub memory: Vec<(f64, Amount)>,
}

/// MiB in 10⁹ bits.
const MIB_IN_GBIT: f64 = 1e9 / 8.0 / 1_048_576.0;

impl Performance {
    /// Returns the cores that full handshakes, resumed handshakes and data keep busy; `None` for a
    /// part of the load whose rate is unknown.
    pub fn parts(&self, load: &Load) -> [Option<Amount>; 3] {
        let part = |amount: f64, rate: Option<Amount>| match amount > 0.0 {
            true => rate.map(|rate| sum(&[(amount, rate.inverse())])),
            false => Some(sum(&[])),
        };
        [
            part(load.connections * (1.0 - load.resumed), self.full),
            part(load.connections * load.resumed, self.resumed),
            part(load.gbit * MIB_IN_GBIT, self.transfer),
        ]
    }

    /// Returns the sum of [`Self::parts`].
    pub fn cores(&self, load: &Load) -> Option<Amount> {
        let parts = self.parts(load).into_iter().collect::<Option<Vec<_>>>()?;
        Some(sum(&parts.iter().map(|p| (1.0, *p)).collect::<Vec<_>>()))
    }

    /// Returns the MiB for the load's idle sessions, on the least-squares line through the measured
    /// points. That line is a weighted sum of the points, so its interval follows from theirs.
    pub fn mebibytes(&self, load: &Load) -> Option<Amount> {
        let sessions: Vec<f64> = self.memory.iter().map(|p| p.0).collect();
        let weights = line_weights(&sessions, load.idle)?;
        let points = weights.iter().zip(&self.memory);
        let terms: Vec<_> = points.map(|(w, (_, kib))| (w / 1024.0, *kib)).collect();
        Some(sum(&terms))
    }
}

impl Amount {
    /// Turns a rate into seconds of a core per operation.
    fn inverse(self) -> Self {
        Self {
            estimate: 1.0 / self.estimate,
            ends: self.ends.map(|[low, high]| [1.0 / high, 1.0 / low]),
        }
    }
}

/// Returns Σ weight · figure. Its ends are the sums of the ends: wider than the interval of a sum
/// of independent figures. If one figure has no interval, the sum has none.
fn sum(terms: &[(f64, Amount)]) -> Amount {
    let empty = Amount {
        estimate: 0.0,
        ends: Some([0.0, 0.0]),
    };
    terms.iter().fold(empty, |sum, (weight, figure)| Amount {
        estimate: sum.estimate + weight * figure.estimate,
        ends: sum.ends.zip(figure.ends).map(|(sum, ends)| {
            let [a, b] = ends.map(|end| weight * end);
            [sum[0] + a.min(b), sum[1] + a.max(b)]
        }),
    })
}

/// Returns the decimals of a column whose largest figure this is: enough for three significant digits
/// of it, at most four.
pub fn decimals(largest: f64) -> usize {
    let scaled = |decimals: &usize| largest * 10f64.powi(*decimals as i32) >= 100.0;
    (0..4).find(scaled).unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(estimate: f64, ends: [f64; 2]) -> Amount {
        let ends = Some(ends);
        Amount { estimate, ends }
    }

    const LOAD: Load = Load {
        connections: 1000.0,
        resumed: 0.25,
        gbit: 8.388608,
        idle: 10_000.0,
    };

    /// 750 / 3000 + 250 / 10000 + 1000 / 4000, and likewise for the ends; memory on the line of the
    /// 2019 article, 269 MiB.
    #[test]
    fn sums_match_those_by_hand() {
        let kib = [(100.0, 6184.0), (1000.0, 30596.0), (5000.0, 139_592.0)];
        let mut library = Performance {
            full: Some(figure(3000.0, [2500.0, 3750.0])),
            resumed: Some(figure(10_000.0, [5000.0, 12_500.0])),
            transfer: Some(figure(4000.0, [2000.0, 5000.0])),
            memory: kib.map(|(n, kib)| (n, figure(kib, [kib, kib]))).to_vec(),
        };
        let cores = library.cores(&LOAD).expect("all is known");
        let [low, high] = cores.ends.expect("an interval");
        for (found, wanted) in [(cores.estimate, 0.525), (low, 0.42), (high, 0.85)] {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        let memory = library.mebibytes(&LOAD).expect("three points");
        assert_eq!(format!("{:.1}", memory.estimate), "269.3");
        library.resumed = None;
        assert_eq!(library.cores(&LOAD), None);
        let without = Load {
            resumed: 0.0,
            ..LOAD
        };
        assert!(library.cores(&without).is_some());
        library.memory.pop();
        assert_eq!(library.mebibytes(&LOAD), None);
    }

    #[test]
    fn digits_of_columns() {
        for (largest, wanted) in [
            (1234.5, 0),
            (100.0, 0),
            (42.0, 1),
            (1.5, 2),
            (0.02, 4),
            (0.0, 4),
        ] {
            assert_eq!(decimals(largest), wanted, "{largest}");
        }
    }
}
