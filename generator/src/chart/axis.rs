//! Labelled positions on axes.

use super::{Axis, text};
use crate::model::scale::group_thousands;
use plotters::coord::ranged1d::Ranged as _;
use plotters::coord::types::RangedCoordf64;

/// A labelled position on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The position, in the axis's unit.
    pub at: f64,
    /// The text there.
    pub label: String,
}

impl Tick {
    /// A label at a position.
    pub fn new(at: f64, label: impl Into<String>) -> Self {
        let label = label.into();
        Self { at, label }
    }

    fn number(at: f64, decimals: f64) -> Self {
        let decimals = decimals.max(0.0) as usize;
        Self::new(at, group_thousands(&format!("{at:.decimals$}")))
    }
}

/// Ticks at plotters' round numbers of a linear axis from `min` to `max`, with at most `count` intervals.
fn round(min: f64, max: f64, count: usize) -> Vec<Tick> {
    let places = RangedCoordf64::from(min..max).key_points(count + 1);
    let step = match places[..] {
        [first, second, ..] => second - first,
        _ => max,
    };
    let decimals = -(step * (1.0 + 1e-9)).log10().floor();
    let tick = |at| Tick::number(at, decimals);
    places.into_iter().map(tick).collect()
}

impl Axis {
    /// Ticks from `min` to `max`, of a linear axis with at most `count` intervals.
    pub(super) fn ticks(&self, min: f64, max: f64, count: usize) -> Vec<Tick> {
        match self.is_log {
            true => logarithmic(min, max),
            false => round(min, max, count),
        }
    }
}

/// Steps of a decade, the coarsest first.
const DECADE: [&[f64]; 4] = [
    &[1.0],
    &[1.0, 3.0],
    &[1.0, 2.0, 5.0],
    &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
];

/// Ticks of a logarithmic axis from `min` to `max`: at least three where there are round values enough.
fn logarithmic(min: f64, max: f64) -> Vec<Tick> {
    for steps in DECADE {
        let mut ticks = Vec::new();
        for power in min.log10().floor() as i32..=max.log10().ceil() as i32 {
            for step in steps {
                let at = step * 10f64.powi(power);
                let decimals = f64::from(-power) + step.fract().ceil();
                if (min..=max).contains(&at) {
                    ticks.push(Tick::number(at, decimals));
                }
            }
        }
        if ticks.len() > 2 {
            return ticks;
        }
    }
    // Within less than a decade, steps of the same size.
    round(min, max, 5)
}

/// The ticks with labels that do not overlap those of earlier ones in the list; `x` converts to px.
pub(super) fn without_overlaps(mut ticks: Vec<Tick>, x: impl Fn(f64) -> f64) -> Vec<Tick> {
    const GAP: f64 = 10.0;
    let mut end = f64::NEG_INFINITY;
    ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
    ticks.retain(|tick| {
        let (middle, half) = (x(tick.at), text::width(&tick.label) / 2.0);
        let fits = !tick.label.is_empty() && middle - half >= end + GAP;
        if fits {
            end = middle + half;
        }
        fits
    });
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_of_a_logarithmic_axis() {
        let labels = |min, max| {
            let labels: Vec<String> = logarithmic(min, max).into_iter().map(|t| t.label).collect();
            labels.join(" ")
        };
        assert_eq!(labels(41.0, 7000.0), "100 300 1,000 3,000");
        assert_eq!(
            labels(1200.0, 2300.0),
            "1,200 1,400 1,600 1,800 2,000 2,200"
        );
        assert_eq!(labels(0.9, 2.0), "1 1.5 2");
        assert_eq!(labels(0.93, 1.07), "0.95 1.00 1.05");
        assert_eq!(
            labels(5010.0, 5610.0),
            "5,100 5,200 5,300 5,400 5,500 5,600"
        );
    }

    #[test]
    fn round_numbers() {
        let labels = |max, count| {
            let labels: Vec<String> = round(0.0, max, count)
                .into_iter()
                .map(|t| t.label)
                .collect();
            labels.join(" ")
        };
        assert_eq!(labels(13524.99, 4), "0 5,000 10,000");
        assert_eq!(labels(0.3, 5), "0.0 0.1 0.2 0.3");
        assert_eq!(labels(10.0, 5), "0 2 4 6 8 10");
        assert_eq!(labels(1.0, 4), "0.0 0.5 1.0");
    }
}
