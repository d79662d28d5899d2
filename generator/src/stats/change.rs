//! Changes: a candidate compared with a baseline, in numbers and words.

use super::Verdict;
use crate::model::unit::{Better, Kind};
use std::fmt;

/// The ratio of two estimates of the same scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// candidate / baseline.
    pub ratio: f64,
    /// Which way the metric improves.
    pub better: Better,
    /// Amounts and counts change by a percentage, rates and times by a factor.
    pub kind: Kind,
}

impl Change {
    /// `None` unless both are positive and finite; counts, amounts and
    /// figures of other units may be zero.
    pub fn new(baseline: f64, candidate: f64, better: Better, kind: Kind) -> Option<Self> {
        let may_be_zero = kind.is_count() || matches!(kind, Kind::Amount | Kind::Other);
        let ratio = match may_be_zero && baseline == candidate {
            true => 1.0,
            false => candidate / baseline,
        };
        let is_positive = baseline > 0.0 && candidate > 0.0 && ratio.is_finite() && ratio > 0.0;
        let is_valid = is_positive || may_be_zero && baseline >= 0.0 && candidate >= 0.0;
        is_valid.then_some(Self {
            ratio,
            better,
            kind,
        })
    }

    /// The verdict on this change if it is shown; [`Verdict::NotShown`] where the displayed digits
    /// show none.
    pub fn direction(&self) -> Verdict {
        // A half rounds to the even digit; the doubles nearest to 0.05 and 1.005 are slightly above
        // and below.
        let is_displayed = match self.kind {
            Kind::Amount => self.percent() > 0.5,
            Kind::Count | Kind::Size => self.percent() >= 0.05,
            Kind::Rate | Kind::Time | Kind::Other => self.size() > 1.005,
        };
        match (self.better, self.ratio > 1.0) {
            _ if !is_displayed => Verdict::NotShown,
            (Better::Unknown, _) => Verdict::Differs,
            (better, more) if (better == Better::Higher) == more => Verdict::Better,
            _ => Verdict::Worse,
        }
    }

    /// The word for the direction of the change, in the direction of the metric.
    pub fn word(&self) -> &'static str {
        let is_better = self.direction() == Verdict::Better;
        match (self.kind, self.ratio > 1.0) {
            (Kind::Rate | Kind::Time, _) if is_better => "faster",
            (Kind::Rate | Kind::Time, _) => "slower",
            (Kind::Amount | Kind::Size | Kind::Count, true) => "more",
            (Kind::Amount | Kind::Size, false) => "less",
            (Kind::Count, false) => "fewer",
            (Kind::Other, true) => "higher",
            (Kind::Other, false) => "lower",
        }
    }

    /// How much worse the candidate is, in percent of the baseline; negative where it is better,
    /// `None` where the better direction is unknown.
    pub fn percent_worse(&self) -> Option<f64> {
        let percent = (self.ratio - 1.0) * 100.0;
        match self.better {
            Better::Higher => Some(-percent),
            Better::Lower => Some(percent),
            Better::Unknown => None,
        }
    }

    /// The factor ≥ 1, unrounded: equal for a change and its reverse.
    pub fn size(&self) -> f64 {
        self.ratio.max(1.0 / self.ratio)
    }

    /// Whether the candidate is better, however little; false where the direction is unknown.
    pub fn is_better(&self) -> bool {
        self.percent_worse().is_some_and(|worse| worse < 0.0)
    }

    /// The size with a digit more than [`Self::amount`] where that is a whole percentage, for the
    /// ends of an interval.
    pub fn precise_amount(&self) -> String {
        match self.kind {
            Kind::Amount if self.ratio.is_finite() => format!("{:.1}%", self.percent()),
            _ => self.amount(),
        }
    }

    fn percent(&self) -> f64 {
        ((self.ratio - 1.0) * 100.0).abs()
    }

    /// The size as displayed: `1.54x`, `27%`; `∞%` if the baseline is zero.
    pub fn amount(&self) -> String {
        match self.kind {
            _ if self.ratio.is_infinite() => "∞%".to_owned(),
            Kind::Amount => format!("{:.0}%", self.percent()),
            Kind::Count | Kind::Size => format!("{:.1}%", self.percent()),
            Kind::Rate | Kind::Time | Kind::Other => format!("{:.2}x", self.size()),
        }
    }
}

/// `1.54x faster`, `27% less`, `no change`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.direction() {
            Verdict::NotShown => f.write_str("no change"),
            _ if self.ratio.is_infinite() => write!(f, "{} (was 0)", self.word()),
            _ if self.ratio == 0.0 => write!(f, "{} (now 0)", self.word()),
            _ => write!(f, "{} {}", self.amount(), self.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(baseline: f64, candidate: f64, better: Better, kind: Kind) -> String {
        Change::new(baseline, candidate, better, kind)
            .expect("a change")
            .to_string()
    }

    /// Changes from rustls.dev 2025-07-31, where the 1.01x (1.0138) is printed as 1.02x.
    #[test]
    fn published_changes() {
        for (old, new, expected) in [
            (4813.91, 3125.36, "1.54x slower"),
            (2788.76, 2222.21, "1.25x slower"),
            (6803.93, 4187.28, "1.62x slower"),
            (5043.04, 8575.27, "1.70x faster"),
            (64722.55, 65617.35, "1.01x faster"),
            (71149.91, 74771.51, "1.05x faster"),
        ] {
            assert_eq!(words(old, new, Better::Higher, Kind::Rate), expected);
        }
    }

    /// The memory table of December 2023, where one of them is printed as -0.26.
    #[test]
    fn published_percentages() {
        for (openssl, rustls, expected) in [
            (15860.0, 11540.0, "27% less"),
            (83300.0, 21044.0, "75% less"),
            (382476.0, 57124.0, "85% less"),
            (756380.0, 104932.0, "86% less"),
            (15544.0, 11536.0, "26% less"),
            (76712.0, 21792.0, "72% less"),
            (348640.0, 70728.0, "80% less"),
            (688436.0, 131816.0, "81% less"),
        ] {
            let change =
                Change::new(openssl, rustls, Better::Lower, Kind::Amount).expect("a change");
            assert_eq!(change.to_string(), expected);
        }
    }

    #[test]
    fn worse_by_direction() {
        let worse = |old, new, better| {
            Change::new(old, new, better, Kind::Rate)
                .expect("a change")
                .percent_worse()
        };
        assert_eq!(worse(100.0, 75.0, Better::Higher), Some(25.0));
        assert_eq!(worse(100.0, 125.0, Better::Lower), Some(25.0));
        assert_eq!(worse(100.0, 75.0, Better::Lower), Some(-25.0));
        assert_eq!(worse(100.0, 75.0, Better::Unknown), None);
    }

    /// The word agrees with the digits beside it, even at the edges of rounding.
    #[test]
    fn a_change_that_rounds_to_none_has_no_word() {
        let edges = [
            1.005f64,
            0.995,
            1.0 / 1.005,
            1.004,
            1.006,
            1.0005,
            0.9995,
            1.0,
        ];
        for ratio in edges
            .into_iter()
            .flat_map(|e| [e.next_down(), e, e.next_up()])
        {
            for kind in [
                Kind::Rate,
                Kind::Amount,
                Kind::Count,
                Kind::Size,
                Kind::Other,
            ] {
                let change = Change::new(1.0, ratio, Better::Lower, kind).expect("a change");
                let percent = ((ratio - 1.0) * 100.0).abs();
                let digits = match kind {
                    Kind::Rate | Kind::Time | Kind::Other => {
                        format!("{:.2}", if ratio < 1.0 { 1.0 / ratio } else { ratio })
                    }
                    Kind::Amount => format!("{percent:.0}"),
                    Kind::Count | Kind::Size => format!("{percent:.1}"),
                };
                let same = ["0", "0.0", "1.00"].contains(&digits.as_str());
                assert_eq!(
                    change.direction() == Verdict::NotShown,
                    same,
                    "{ratio:?} {digits}"
                );
            }
        }
    }

    #[test]
    fn direction_and_equality() {
        assert_eq!(words(10.0, 5.0, Better::Lower, Kind::Time), "2.00x faster");
        assert_eq!(words(10.0, 20.0, Better::Lower, Kind::Time), "2.00x slower");
        assert_eq!(words(10.0, 10.0, Better::Higher, Kind::Rate), "no change");
        assert_eq!(
            words(1000.0, 1004.0, Better::Higher, Kind::Rate),
            "no change"
        );
        assert_eq!(words(100.0, 73.0, Better::Lower, Kind::Amount), "27% less");
        assert_eq!(words(100.0, 104.0, Better::Lower, Kind::Amount), "4% more");
        assert_eq!(
            words(1000.0, 1004.0, Better::Lower, Kind::Amount),
            "no change"
        );
        for (a, b) in [
            (0.0, 1.0),
            (1.0, 0.0),
            (-1.0, 1.0),
            (f64::NAN, 1.0),
            (1.0, f64::INFINITY),
        ] {
            assert_eq!(Change::new(a, b, Better::Higher, Kind::Rate), None);
        }
    }
}
