//! Ticks: the round numbers on an axis, and how they are written.

use crate::unit::group_thousands;

/// A place on an axis with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where, in the axis's unit.
    pub at: f64,
    /// What stands there.
    pub label: String,
}

/// Round numbers (1, 2 or 5 times a power of ten apart) from zero to `max`, `count` intervals
/// at the most.
pub(super) fn linear(max: f64, count: usize) -> Vec<Tick> {
    let step = round_up(max / count as f64);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let steps = (max / step * (1.0 + 1e-9)).floor() as usize;
    (0..=steps)
        .map(|k| {
            let at = k as f64 * step;
            Tick {
                at,
                label: group_thousands(&format!("{at:.decimals$}")),
            }
        })
        .collect()
}

/// The least of 1, 2 or 5 times a power of ten that is not below `value`.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors
        .iter()
        .map(|f| f * power)
        .find(|&step| step >= value * (1.0 - 1e-9))
        .unwrap_or(value)
}

/// The end of a scale that starts at zero and holds `value`: the next fifth of a round number.
pub(super) fn nice_end(value: f64) -> f64 {
    let step = round_up(value / 5.0);
    (value / step * (1.0 - 1e-9)).ceil() * step
}

/// Times on a logarithmic axis: powers of ten, and between them 2 and 5 where the axis is short.
pub(super) fn log_seconds(low: f64, high: f64) -> Vec<Tick> {
    let decades = (high / low).log10();
    let factors: &[f64] = match decades {
        d if d < 0.8 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
        d if d < 2.5 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let exponents = low.log10().floor() as i32..=high.log10().ceil() as i32;
    exponents
        .flat_map(|e| factors.iter().map(move |f| f * 10f64.powi(e)))
        .filter(|at| (low..=high).contains(at))
        .map(|at| Tick {
            at,
            label: seconds(at),
        })
        .collect()
}

/// Times on an axis that starts at zero, in one unit.
pub(super) fn linear_seconds(max: f64, count: usize) -> Vec<Tick> {
    let (factor, symbol) = time_unit(max);
    let ticks = linear(max / factor, count).into_iter();
    ticks
        .map(|t| Tick {
            at: t.at * factor,
            label: format!("{} {symbol}", t.label),
        })
        .collect()
}

/// A round time in its own unit: `20 µs`, `1 s`.
fn seconds(value: f64) -> String {
    let (factor, symbol) = time_unit(value);
    let number = (value / factor * 10.0).round() / 10.0;
    format!("{} {symbol}", group_thousands(&number.to_string()))
}

fn time_unit(seconds: f64) -> (f64, &'static str) {
    // A power of ten may be a bit less than its name, as 10f64.powi(-3) is.
    match seconds * (1.0 + 1e-9) {
        s if s >= 1.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e-3, "ms"),
        s if s >= 1e-6 => (1e-6, "µs"),
        _ => (1e-9, "ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> String {
        ticks
            .iter()
            .map(|t| t.label.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn round_numbers() {
        assert_eq!(labels(&linear(13524.99, 4)), "0 5,000 10,000");
        assert_eq!(labels(&linear(0.3, 5)), "0.0 0.1 0.2 0.3");
        assert_eq!(labels(&linear(10.0, 5)), "0 2 4 6 8 10");
        assert_eq!(labels(&linear(1.0, 4)), "0.0 0.5 1.0");
    }

    #[test]
    fn ends_of_scales() {
        for (value, end) in [
            (8133.85, 10000.0),
            (72480.52, 80000.0),
            (10.0, 10.0),
            (0.003, 0.003),
        ] {
            assert!(
                (nice_end(value) - end).abs() < end * 1e-9,
                "{value}: {}",
                nice_end(value)
            );
        }
    }

    #[test]
    fn times() {
        assert_eq!(
            labels(&log_seconds(90e-6, 5e-3)),
            "100 µs 200 µs 500 µs 1 ms 2 ms 5 ms"
        );
        assert_eq!(
            labels(&log_seconds(1e-7, 2.0)),
            "100 ns 1 µs 10 µs 100 µs 1 ms 10 ms 100 ms 1 s"
        );
        assert_eq!(labels(&linear_seconds(3.5e-6, 4)), "0 µs 1 µs 2 µs 3 µs");
    }
}
