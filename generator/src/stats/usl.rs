//! Fit of throughput over threads by the Universal Scalability Law.

use super::fit::distinct;

/// X(N) = λN / (1 + σ(N − 1) + κN(N − 1)): Gunther, "Guerrilla Capacity Planning" (2007),
/// chapter 6. No coefficient is negative: superlinear scaling is taken as noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scalability {
    /// λ: the throughput of one thread.
    pub lambda: f64,
    /// σ: contention, the share of the work that only one thread can do at a time.
    pub sigma: f64,
    /// κ: coherency, the cost of synchronizing each pair of threads.
    pub kappa: f64,
    /// Coefficient of determination R²; negative where a constant would fit better.
    pub r_squared: f64,
}

/// With three points, three coefficients would always fit exactly.
const MIN_THREADS: usize = 4;

/// N / X = a + b(N − 1) + cN(N − 1), which is linear: a = 1/λ, b = σ/λ, c = κ/λ.
type Coefficients = [f64; 3];

/// Maximum Gauss-Newton steps. Convergence is fast near the minimum, so these are plenty.
const STEPS: usize = 100;

impl Scalability {
    /// Fits points of (threads, throughput) by least squares. `None` below four distinct thread
    /// counts, or with a point that is not finite and positive.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let valid = |v: f64| v.is_finite() && v > 0.0;
        if distinct(points.iter().map(|p| p.0)) < MIN_THREADS
            || !points.iter().all(|p| valid(p.0) && valid(p.1))
        {
            return None;
        }
        // The best fit without negative coefficients is the best of those in which any of them
        // may be fixed at zero.
        let best = [[true, true], [true, false], [false, true], [false, false]]
            .into_iter()
            .filter_map(|[sigma, kappa]| descend(points, [true, sigma, kappa]))
            .filter(|[a, b, c]| *a > 0.0 && *b >= 0.0 && *c >= 0.0)
            .min_by(|a, b| residual(points, a).total_cmp(&residual(points, b)))?;
        let [a, b, c] = best;
        let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len() as f64;
        let total: f64 = points.iter().map(|p| (p.1 - mean).powi(2)).sum();
        Some(Self {
            lambda: 1.0 / a,
            sigma: b / a,
            kappa: c / a,
            r_squared: match total {
                0.0 => 1.0,
                _ => 1.0 - residual(points, &best) / total,
            },
        })
    }

    /// The number of threads beyond which throughput falls: √((1 − σ)/κ). `None` where there is
    /// no such number.
    pub fn peak(&self) -> Option<f64> {
        let peak = ((1.0 - self.sigma) / self.kappa).sqrt();
        (peak.is_finite() && peak >= 1.0).then_some(peak)
    }
}

/// The factors of the coefficients at N threads.
fn terms(threads: f64) -> Coefficients {
    [1.0, threads - 1.0, threads * (threads - 1.0)]
}

fn fitted(threads: f64, coefficients: &Coefficients) -> f64 {
    let products = terms(threads).into_iter().zip(coefficients);
    threads / products.map(|(term, c)| term * c).sum::<f64>()
}

/// The residual sum of squares.
fn residual(points: &[(f64, f64)], coefficients: &Coefficients) -> f64 {
    let rest = |(threads, x): &(f64, f64)| x - fitted(*threads, coefficients);
    points.iter().map(|point| rest(point).powi(2)).sum()
}

/// Gauss-Newton, starting from the linear fit of N / X; a step that does not improve the fit is
/// halved. Coefficients that are not `free` stay zero.
fn descend(points: &[(f64, f64)], free: [bool; 3]) -> Option<Coefficients> {
    let linear = points
        .iter()
        // Weighed by X²/N, so that an error counts as much as it does in X.
        .map(|(threads, x)| (terms(*threads).map(|t| t * x * x / threads), *x));
    let mut best = solve(linear, free)?;
    for _ in 0..STEPS {
        let slopes = points.iter().map(|(threads, x)| {
            let y = fitted(*threads, &best);
            (terms(*threads).map(|t| -t * y * y / threads), x - y)
        });
        let step = solve(slopes, free)?;
        let before = residual(points, &best);
        let mut steps = (0..30)
            .map(|halvings| 0.5f64.powi(halvings))
            .map(|part| [0, 1, 2].map(|i| best[i] + part * step[i]));
        let Some(better) = steps.find(|next| residual(points, next) < before) else {
            break;
        };
        best = better;
    }
    Some(best)
}

/// Linear least squares of three columns by the normal equations, each column scaled to length 1.
/// `None` if the free columns are linearly dependent.
fn solve(
    rows: impl Iterator<Item = (Coefficients, f64)> + Clone,
    free: [bool; 3],
) -> Option<Coefficients> {
    let square = |i: usize| rows.clone().map(|(row, _)| row[i] * row[i]).sum::<f64>();
    let lengths = [0, 1, 2].map(|i| square(i).sqrt());
    let mut matrix = [[0.0; 4]; 3];
    for (row, y) in rows {
        let row = [0, 1, 2].map(|i| if free[i] { row[i] / lengths[i] } else { 0.0 });
        for i in 0..3 {
            for j in 0..3 {
                matrix[i][j] += row[i] * row[j];
            }
            matrix[i][3] += row[i] * y;
        }
    }
    // A coefficient that is not free gets the equation 1·x = 0.
    for i in (0..3).filter(|i| !free[*i]) {
        matrix[i][i] = 1.0;
    }
    let solution = eliminate(matrix)?;
    let unscaled = |i: usize| {
        if free[i] {
            solution[i] / lengths[i]
        } else {
            0.0
        }
    };
    Some([0, 1, 2].map(unscaled))
}

/// Gauss-Jordan elimination; no pivoting, since the matrix is symmetric and positive definite.
fn eliminate(mut matrix: [[f64; 4]; 3]) -> Option<Coefficients> {
    for i in 0..3 {
        let pivot = matrix[i][i];
        if pivot.is_nan() || pivot < 1e-14 {
            return None;
        }
        let row = matrix[i].map(|v| v / pivot);
        for (j, other) in matrix.iter_mut().enumerate() {
            let factor = other[i];
            let reduced = [0, 1, 2, 3].map(|k| other[k] - factor * row[k]);
            *other = if j == i { row } else { reduced };
        }
    }
    Some(matrix.map(|row| row[3]))
}

#[cfg(test)]
mod tests;
