//! Scales: how figures are shown, in one unit with one number of decimals.

use super::unit::Unit;

/// How a column of figures is shown to a reader: one unit, one number of decimals.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// One shown unit in base units.
    pub factor: f64,
    /// Its symbol, such as `MiB/s`, `hs/s`, `µs`.
    pub symbol: String,
    /// Digits after the decimal point.
    pub decimals: usize,
}

impl Scale {
    /// Chooses one scale for all of `values` (base units). The unit of times follows from the
    /// median, unless that is too coarse for the smallest value. Decimals are those that the
    /// figures were recorded with, at most two: the third has been noise in every run that we have
    /// seen. More are shown only if the smallest figure is below 1 and three of its digits need
    /// them.
    pub fn of(unit: &Unit, values: impl IntoIterator<Item = f64>) -> Self {
        let values = sorted(values);
        let (middle, smallest) = middle_and_smallest(&values);
        let (factor, symbol) = match unit {
            Unit::Time => time_scale(middle, smallest),
            Unit::Memory if smallest < unit.symbol_factor() => (1.0, "B"),
            Unit::HandshakeRate => (1.0, "hs/s"),
            _ => (unit.symbol_factor(), unit.symbol()),
        };
        let (symbol, decimals) = (symbol.to_owned(), 0);
        let scale = Self {
            factor,
            symbol,
            decimals,
        };
        scale.fitted(unit, values)
    }

    /// The same unit with the decimals of other values (base units).
    pub fn fitted(&self, unit: &Unit, values: impl IntoIterator<Item = f64>) -> Self {
        let decimals = self.decimals_of(unit, &sorted(values));
        Self {
            decimals,
            ..self.clone()
        }
    }

    /// Returns the decimals of values in ascending order.
    fn decimals_of(&self, unit: &Unit, values: &[f64]) -> usize {
        let (middle, smallest) = middle_and_smallest(values);
        // A fraction of a count comes from a mean, and says nothing among tens of thousands.
        let most = match unit {
            Unit::Count(_) if middle >= 10_000.0 => 0,
            _ => usize::max(2, three_digits_of(smallest / self.factor)),
        };
        // Conversion between units loses the last digits of a double.
        let has_more = |value: &f64, decimals: usize| {
            let scaled = value / self.factor * 10f64.powi(decimals as i32);
            (scaled - scaled.round()).abs() > 1e-13 * scaled.abs()
        };
        let suffices = |decimals: &usize| !values.iter().any(|v| has_more(v, *decimals));
        (0..most).find(suffices).unwrap_or(most)
    }

    /// Whether times (seconds) are too unlike for one scale: beside a second, `35.02` of
    /// nanoseconds needs `1,513,136,461.21`.
    pub fn is_per_row(unit: &Unit, times: impl IntoIterator<Item = f64>) -> bool {
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for time in times.into_iter().filter(|time| *time > 0.0) {
            (least, most) = (least.min(time), most.max(time));
        }
        *unit == Unit::Time && most >= 1e4 * least
    }

    /// Limits the decimals to those that `half_width` (base units, half a confidence interval)
    /// supports, two significant digits of it, but shows three digits of `smallest`.
    pub fn supported(mut self, half_width: f64, smallest: f64) -> Self {
        let shown = half_width / self.factor;
        if shown > 0.0 {
            let needed = (1 - shown.log10().floor() as i64).max(0) as usize;
            let least = three_digits_of(smallest / self.factor);
            self.decimals = self.decimals.min(needed.max(least));
        }
        self
    }

    /// Formats `1234567.891` as `1,234,567.89`.
    pub fn show(&self, base: f64) -> String {
        group_thousands(&format!("{:.*}", self.decimals, base / self.factor))
    }
}

fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn middle_and_smallest(values: &[f64]) -> (f64, f64) {
    let middle = values.get(values.len() / 2).copied().unwrap_or(0.0);
    let smallest = values.iter().copied().find(|v| *v > 0.0).unwrap_or(1.0);
    (middle, smallest)
}

/// Returns the largest unit that leaves digits to the median and to the smallest figure, in
/// seconds.
fn time_scale(middle: f64, smallest: f64) -> (f64, &'static str) {
    match (middle, smallest) {
        (m, s) if m >= 1.0 && s >= 1.0 => (1.0, "s"),
        (m, s) if m >= 1e-2 && s >= 1e-3 => (1e-3, "ms"),
        (m, s) if m >= 1e-5 && s >= 1e-6 => (1e-6, "µs"),
        _ => (1e-9, "ns"),
    }
}

/// Returns the decimals that show three digits of a number.
fn three_digits_of(number: f64) -> usize {
    (2.0 - number.log10().floor()).max(0.0) as usize
}

/// Puts a comma between groups of three digits of the integer part.
pub fn group_thousands(number: &str) -> String {
    let mut grouped = number.to_owned();
    let start = usize::from(number.starts_with('-'));
    let mut at = number.find('.').unwrap_or(number.len());
    while at > start + 3 {
        at -= 3;
        grouped.insert(at, ',');
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_scale_for_a_column() {
        let scale = Scale::of(&Unit::Time, [282.691e-6, 1.2e-3, 900e-6]);
        assert_eq!(
            (scale.symbol.as_str(), scale.show(282.691e-6).as_str()),
            ("µs", "282.69")
        );
        let scale = Scale::of(&Unit::HandshakeRate, [2169.0, 3186.87, 13524.99]);
        assert_eq!(scale.show(2169.0), "2,169.00");
        assert_eq!(scale.show(13524.99), "13,524.99");
    }

    #[test]
    fn a_scale_leaves_digits_to_the_smallest_figure() {
        for (unit, values, expected) in [
            (
                Unit::Time,
                vec![53.27e-9, 3e-3, 4e-3],
                ["53.27 ns", "4,000,000.00 ns"],
            ),
            (
                Unit::Time,
                vec![0.25e-9, 2.0],
                ["0.25 ns", "2,000,000,000.00 ns"],
            ),
            (Unit::Time, vec![0.3, 2.0, 4.0], ["300 ms", "4,000 ms"]),
            (Unit::Memory, vec![16.0, 24.0], ["16 B", "24 B"]),
            (Unit::Memory, vec![16.0, 2048.0], ["16 B", "2,048 B"]),
            (Unit::Memory, vec![2048.0, 4096.0], ["2 KiB", "4 KiB"]),
            (
                Unit::Rate,
                vec![0.00456789, 3.0],
                ["0.00457 ops/s", "3.00000 ops/s"],
            ),
            (Unit::Rate, vec![0.0, 3.25], ["0.00 ops/s", "3.25 ops/s"]),
        ] {
            let scale = Scale::of(&unit, values.iter().copied());
            let show = |value: f64| format!("{} {}", scale.show(value), scale.symbol);
            let shown = [show(values[0]), show(values[values.len() - 1])];
            assert_eq!(shown, expected, "{values:?}");
        }
    }

    #[test]
    fn decimals_follow_the_interval_but_leave_three_digits() {
        let scale = Scale::of(&Unit::HandshakeRate, [2169.12]);
        let decimals = |half: f64, smallest| scale.clone().supported(half, smallest).decimals;
        assert_eq!(decimals(31.0, 2169.12), 0);
        assert_eq!(decimals(3.1, 2169.12), 1);
        assert_eq!(decimals(0.31, 2169.12), 2);
        assert_eq!(decimals(31.0, 2.17), 2);
        assert_eq!(decimals(31.0, 21.7), 1);
    }

    #[test]
    fn thousands() {
        for (plain, grouped) in [
            ("0", "0"),
            ("999", "999"),
            ("1000.5", "1,000.5"),
            ("-1234567", "-1,234,567"),
        ] {
            assert_eq!(group_thousands(plain), grouped);
        }
    }
}
