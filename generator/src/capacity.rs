//! What a load needs of a library: processor cores and memory, each a sum of independent costs.
//!
//! The page does the same in `static/capacity/model.js`, which a test compares with this.

use crate::stats::line_weights;
use serde::Serialize;

/// An estimate, and the ends of its interval if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The number that stands for the runs.
    pub estimate: f64,
    /// Of its 95 % confidence interval.
    pub ends: Option<[f64; 2]>,
}

/// What a server has to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// New connections a second.
    pub connections: f64,
    /// The part of them that is resumed, 0 to 1.
    pub resumed: f64,
    /// Data that it sends, 10⁹ bits a second.
    pub gbit: f64,
    /// Sessions that are open at once.
    pub idle: f64,
}

/// What a library does on one core, as far as it was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Performance {
    /// Full handshakes a second.
    pub full: Option<Figure>,
    /// Resumed handshakes a second.
    pub resumed: Option<Figure>,
    /// MiB/s.
    pub transfer: Option<Figure>,
    /// KiB of a process with that many sessions.
    pub memory: Vec<(f64, Figure)>,
}

/// MiB in 10⁹ bits.
const MIB_IN_GBIT: f64 = 1e9 / 8.0 / 1_048_576.0;

impl Performance {
    /// Cores that full handshakes, resumed handshakes and data keep busy; none where the load has
    /// some of it and the rate is unknown.
    pub fn parts(&self, load: &Load) -> [Option<Figure>; 3] {
        let part = |amount: f64, rate: Option<Figure>| match amount > 0.0 {
            true => rate.map(|rate| sum(&[(amount, rate.inverse())])),
            false => Some(sum(&[])),
        };
        [
            part(load.connections * (1.0 - load.resumed), self.full),
            part(load.connections * load.resumed, self.resumed),
            part(load.gbit * MIB_IN_GBIT, self.transfer),
        ]
    }

    /// All of them.
    pub fn cores(&self, load: &Load) -> Option<Figure> {
        let parts = self.parts(load).into_iter().collect::<Option<Vec<_>>>()?;
        Some(sum(&parts.iter().map(|p| (1.0, *p)).collect::<Vec<_>>()))
    }

    /// MiB with the load's idle sessions, on the least-squares line through those measured. The line
    /// is a weighted sum of the points, so its interval is that of their ends.
    pub fn mebibytes(&self, load: &Load) -> Option<Figure> {
        let sessions: Vec<f64> = self.memory.iter().map(|p| p.0).collect();
        let weights = line_weights(&sessions, load.idle)?;
        let points = weights.iter().zip(&self.memory);
        let terms: Vec<_> = points.map(|(w, (_, kib))| (w / 1024.0, *kib)).collect();
        Some(sum(&terms))
    }
}

impl Figure {
    /// Seconds of a core for one, of a rate.
    fn inverse(self) -> Self {
        Self {
            estimate: 1.0 / self.estimate,
            ends: self.ends.map(|[low, high]| [1.0 / high, 1.0 / low]),
        }
    }
}

/// Σ weight · figure. Its ends are the sums of the ends: wider than the interval of the sum, which
/// would take the figures' errors to be independent. Without the interval of one there is none.
fn sum(terms: &[(f64, Figure)]) -> Figure {
    let empty = Figure {
        estimate: 0.0,
        ends: Some([0.0, 0.0]),
    };
    terms.iter().fold(empty, |sum, (weight, figure)| Figure {
        estimate: sum.estimate + weight * figure.estimate,
        ends: sum.ends.zip(figure.ends).map(|(sum, ends)| {
            let [a, b] = ends.map(|end| weight * end);
            [sum[0] + a.min(b), sum[1] + a.max(b)]
        }),
    })
}

/// Decimals of a column with this greatest figure: three significant digits of it, four decimals at
/// most.
pub fn decimals(largest: f64) -> usize {
    let scaled = |decimals: &usize| largest * 10f64.powi(*decimals as i32) >= 100.0;
    (0..4).find(scaled).unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(estimate: f64, ends: [f64; 2]) -> Figure {
        let ends = Some(ends);
        Figure { estimate, ends }
    }

    const LOAD: Load = Load {
        connections: 1000.0,
        resumed: 0.25,
        gbit: 8.388608,
        idle: 10_000.0,
    };

    /// 750 / 3000 + 250 / 10000 + 1000 / 4000, and the same of the other ends; KiB by the line of
    /// the 2019 article, 269 MiB.
    #[test]
    fn by_hand() {
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
