//! Fits of points generated from known coefficients.

use super::*;
use crate::random::Random;
use proptest::prelude::*;

impl Scalability {
    /// The throughput of `threads` threads.
    fn at(&self, threads: f64) -> f64 {
        let others = threads - 1.0;
        self.lambda * threads / (1.0 + self.sigma * others + self.kappa * threads * others)
    }
}

fn made(lambda: f64, sigma: f64, kappa: f64, threads: &[f64]) -> Vec<(f64, f64)> {
    let law = Scalability {
        lambda,
        sigma,
        kappa,
        r_squared: 1.0,
    };
    threads.iter().map(|n| (*n, law.at(*n))).collect()
}

fn fit(points: &[(f64, f64)]) -> Scalability {
    Scalability::through(points).expect("a fit")
}

const THREADS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0];

#[test]
fn known_coefficients() {
    for (lambda, sigma, kappa) in [
        (1e3, 0.0, 0.0),
        (1e10, 0.05, 0.0),
        (2500.0, 0.0, 0.001),
        (995.6, 0.0267, 0.000769),
        (1e-6, 0.9, 0.1),
    ] {
        for threads in [
            &THREADS[..],
            &[1.0, 2.0, 3.0, 4.0],
            &[4.0, 8.0, 96.0, 192.0],
        ] {
            let found = fit(&made(lambda, sigma, kappa, threads));
            assert!((found.lambda / lambda - 1.0).abs() < 1e-6, "{found:?}");
            assert!((found.sigma - sigma).abs() < 1e-6, "{found:?}");
            assert!((found.kappa - kappa).abs() < 1e-6, "{found:?}");
            assert!((found.r_squared - 1.0).abs() < 1e-9, "{found:?}");
        }
    }
}

#[test]
fn the_peak() {
    let found = fit(&made(1000.0, 0.04, 0.0015, &THREADS));
    let peak = found.peak().expect("a peak");
    assert!((peak - (0.96f64 / 0.0015).sqrt()).abs() < 1e-3);
    assert!(found.at(peak) > found.at(peak - 1.0) && found.at(peak) > found.at(peak + 1.0));
    assert_eq!(
        fit(&made(1000.0, 0.1, 0.0, &THREADS))
            .peak()
            .filter(|p| *p < 1e3),
        None
    );
}

/// Superlinear scaling does not give a negative coefficient.
#[test]
fn coefficients_are_not_negative() {
    let found = fit(&[(1.0, 100.0), (2.0, 210.0), (4.0, 430.0), (8.0, 880.0)]);
    assert_eq!((found.sigma, found.kappa), (0.0, 0.0));
    assert!(found.lambda > 100.0 && found.lambda < 110.0);
}

#[test]
fn none_for_few_or_invalid_points() {
    for points in [
        &[][..],
        &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
        &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (3.0, 3.1), (2.0, 1.9)],
        &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, f64::NAN)],
        &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 0.0)],
        &[(0.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)],
    ] {
        assert_eq!(Scalability::through(points), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// With noise of ±2 %, no nearby coefficients fit better.
    #[test]
    fn no_neighbour_fits_better(
        lambda in 1.0..1e6f64, sigma in 0.0..0.3f64, kappa in 0.0..0.01f64, seed: u64,
    ) {
        let mut random = Random::new(seed);
        let mut points = made(lambda, sigma, kappa, &THREADS);
        for (_, x) in &mut points {
            *x *= 0.98 + 0.04 * random.below(1 << 20) as f64 / f64::from(1 << 20);
        }
        let found = fit(&points);
        let coefficients = [1.0 / found.lambda, found.sigma / found.lambda, found.kappa / found.lambda];
        let least = residual(&points, &coefficients);
        for i in 0..3 {
            for by in [0.999, 1.001] {
                let mut next = coefficients;
                next[i] *= by;
                prop_assert!(residual(&points, &next) >= least * (1.0 - 1e-9));
            }
            let mut next = coefficients;
            next[i] += 1e-4 / found.lambda;
            prop_assert!(residual(&points, &next) >= least * (1.0 - 1e-9));
        }
    }
}
