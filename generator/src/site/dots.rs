//! The dot plot of a comparison: a row for each scenario, with the ratio as a dot on a logarithmic axis,
//! its interval as a line, the words beside it, and the figures of both sides. It is a table, whose text
//! keeps its size at any width. For other pairs, `static/pair.js` fills copies of its rows.

use super::Renderer;
use crate::model::unit::{Better, Kind, Scale};
use crate::report::ComparedRow;
use crate::stats::{Comparison, Verdict};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A dot plot.
#[derive(Clone, Debug, Default)]
pub(crate) struct DotPlot {
    /// `rustls 0.23.46 against OpenSSL 4.0.3`, for those who cannot see the plot.
    pub caption: String,
    /// The names above the figures: candidate and baseline.
    pub sides: [String; 2],
    /// The heading above the sparklines: `since 2023`.
    pub history: String,
    /// Whether a gap parts rows of different work.
    pub is_grouped: bool,
    pub rows: Vec<DotRow>,
}

/// A scenario in a dot plot.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct DotRow {
    pub label: String,
    /// Link of the label.
    pub href: Option<String>,
    /// How many times better the candidate is; below 1 it is worse.
    #[serde(skip)]
    pub ratio: f64,
    #[serde(skip)]
    pub interval: Option<[f64; 2]>,
    /// `2.16x faster`, `as fast`, `unsteady`.
    pub words: String,
    pub kind: Dot,
    /// Candidate and baseline, as shown.
    pub figures: [String; 2],
    /// Unit of the figures.
    pub unit: String,
    /// `2.103–2.221, p < 0.001`, if the plot is to show it.
    pub evidence: Option<String>,
    /// The sparkline of the candidate's releases; empty for none.
    pub spark: String,
}

/// The look of a dot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dot {
    Good,
    Bad,
    /// No difference is shown.
    #[default]
    Even,
    /// Too noisy, too few runs or only one: a hollow dot.
    Unknown,
}

impl DotRow {
    /// Returns a judged row, without link and history.
    pub(crate) fn of(row: &ComparedRow<'_>, known: &Comparison, scale: &Scale) -> Self {
        let turn = |ratio: f64| match row.unit.better() {
            Better::Lower => 1.0 / ratio,
            _ => ratio,
        };
        let ratio = turn(shown_ratio(known));
        let ends = known
            .interval
            .map(|i| [i.low, i.high].map(rounded).map(turn));
        let [old, new] = row
            .estimates
            .map(|v| v.map_or_else(String::new, |v| scale.show(v)));
        Self {
            label: row.scenario.label(),
            ratio,
            interval: ends.map(|[a, b]| [a.min(b), a.max(b)]),
            words: words(known, row.unit.kind()),
            kind: match known.verdict {
                Verdict::TooFew | Verdict::Unsteady | Verdict::Untested => Dot::Unknown,
                Verdict::None => Dot::Even,
                _ if row.unit.better() == Better::Unknown => Dot::Even,
                _ if ratio > 1.0 => Dot::Good,
                _ => Dot::Bad,
            },
            figures: [new, old],
            unit: scale.symbol.clone(),
            ..Self::default()
        }
    }

    fn has_words_left(&self) -> bool {
        self.ratio < 1.0 && self.kind != Dot::Even
    }

    /// `2.16x faster, interval 2.103 to 2.221`, where above 1 is better.
    fn spoken(&self) -> String {
        let words = self.words.replace(" *", ", untested");
        match self.interval {
            None => words,
            Some([low, high]) => format!("{words}, interval {low:.3} to {high:.3}"),
        }
    }
}

/// Limits a scale to three digits of the smaller figure.
pub(super) fn at_a_glance(row: &ComparedRow<'_>, scale: &Scale) -> Scale {
    let figures = row.estimates.iter().flatten().copied();
    scale
        .clone()
        .at_a_glance(figures.fold(f64::INFINITY, f64::min))
}

/// Returns the ratio with the digits of the words, from which the scripts draw.
fn shown_ratio(known: &Comparison) -> f64 {
    let change = &known.change;
    let hundredths = |value: f64| (value * 100.0).round_ties_even();
    let is_claimed = known.verdict.is_change() || known.verdict == Verdict::Untested;
    match change.kind {
        _ if !is_claimed || change.word() == Verdict::None => rounded(change.ratio),
        Kind::Rate if change.ratio < 1.0 => 100.0 / hundredths(change.size()),
        Kind::Rate | Kind::Amount => hundredths(change.ratio) / 100.0,
        Kind::Count | Kind::Size => rounded(change.ratio),
    }
}

fn rounded(ratio: f64) -> f64 {
    (ratio * 1e3).round_ties_even() / 1e3
}

/// `2.16x faster`, `as fast`, `2.16x faster *` if that is not tested.
fn words(known: &Comparison, kind: Kind) -> String {
    match known.verdict {
        Verdict::Unsteady => "unsteady".to_owned(),
        Verdict::TooFew => "too few runs".to_owned(),
        Verdict::None if kind == Kind::Rate => "as fast".to_owned(),
        Verdict::None => "no change".to_owned(),
        Verdict::Untested => format!("{} *", known.change),
        _ => known.change.to_string(),
    }
}

/// Factors of ticks on both sides of equal, by importance, and their minimum distance as a share of the
/// axis, which is 288 px on the narrowest screens.
const FACTORS: [f64; 13] = [
    1.0, 2.0, 4.0, 10.0, 1.5, 1.2, 3.0, 1.1, 20.0, 1.05, 100.0, 50.0, 1000.0,
];
const APART: f64 = 0.12;
/// Shares of the axis beside the outermost dots: for words, or without them.
const ROOM: f64 = 0.3;
const MARGIN: f64 = 0.05;
/// The axis reaches at least this factor on the sides that have dots.
const LEAST: f64 = 1.1;

/// The logarithmic axis of the ratios.
struct Axis {
    /// Logarithms of its ends.
    ends: [f64; 2],
    /// Shares of the width left of the first end and right of the last.
    margins: [f64; 2],
}

impl Axis {
    fn of(rows: &[DotRow]) -> Self {
        let known = rows
            .iter()
            .flat_map(|row| row.interval.unwrap_or([row.ratio; 2]));
        let known = known
            .filter(|end| end.is_finite() && *end > 0.0)
            .map(f64::ln);
        let (low, high) = known.fold((0.0, 0.0), |(low, high): (f64, f64), end| {
            (low.min(end), high.max(end))
        });
        let has_words_left = rows.iter().any(DotRow::has_words_left);
        let least = LEAST.ln();
        Self {
            ends: [
                low.min(if has_words_left { -least } else { -least / 4.0 }),
                high.max(least),
            ],
            margins: [if has_words_left { ROOM } else { MARGIN }, ROOM],
        }
    }

    /// Returns the place of a ratio as a share of the width.
    fn share(&self, ratio: f64) -> f64 {
        let ([first, last], [left, right]) = (self.ends, self.margins);
        let place = ((ratio.ln() - first) / (last - first)).clamp(0.0, 1.0);
        left + (1.0 - left - right) * place
    }

    fn ticks(&self) -> Vec<f64> {
        let mut ticks: Vec<f64> = Vec::new();
        for ratio in FACTORS.iter().flat_map(|f| [*f, 1.0 / f]) {
            let is_inside = (self.ends[0]..=self.ends[1]).contains(&ratio.ln());
            let distance = |other: &f64| (self.share(*other) - self.share(ratio)).abs();
            if is_inside && ticks.iter().all(|other| distance(other) >= APART) {
                ticks.push(ratio);
            }
        }
        ticks
    }
}

/// Returns a share with two decimals, rounded as scripts do.
fn percent(share: f64) -> String {
    format!("{}%", (share * 1e4).round() / 100.0)
}

/// Size of a sparkline in half px, the room for its last dot, and the factor that fills its height at
/// least: noise looks flat.
const WIDTH: f64 = 192.0;
const HEIGHT: f64 = 44.0;
const PAD: f64 = 6.0;
const FULL: f64 = 1.5;

/// Places values at equal distances on a logarithmic axis: `6,22 96,13 186,8`. Empty below two.
pub(super) fn sparkline(values: &[f64]) -> String {
    if values.len() < 2 {
        return String::new();
    }
    let logs = values.iter().map(|v| v.ln());
    let low = logs.clone().fold(f64::INFINITY, f64::min);
    let high = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    let span = (high - low).max(FULL.ln());
    let middle = f64::midpoint(low, high);
    let step = (WIDTH - 2.0 * PAD) / (values.len() - 1) as f64;
    let point = |(place, log): (usize, f64)| {
        let y = HEIGHT / 2.0 - (log - middle) / span * (HEIGHT - 2.0 * PAD);
        format!("{:.0},{y:.0}", PAD + place as f64 * step)
    };
    logs.enumerate().map(point).collect::<Vec<_>>().join(" ")
}

impl Renderer<'_> {
    /// Writes a plot in one line.
    pub(super) fn plot(&self, plot: &DotPlot) -> Result<String> {
        self.template("dots.html.tera", &plot.view())
    }
}

impl DotPlot {
    fn view(&self) -> Json {
        let axis = Axis::of(&self.rows);
        let at = |ratio| percent(axis.share(ratio));
        let text = |ratio: f64| match ratio {
            1.0 => "equal".to_owned(),
            ratio => format!("{}x", (1e3 * ratio.max(1.0 / ratio)).round() / 1e3),
        };
        let ticks = axis.ticks().into_iter();
        let ticks = ticks.map(|ratio| json!({"x": at(ratio), "text": text(ratio)}));
        let work = |row: &DotRow| row.label.split(", ").next().map(str::to_owned);
        let rows = self.rows.iter().enumerate().map(|(place, row)| {
            let ends = row.interval.unwrap_or([row.ratio; 2]);
            let is_left = row.has_words_left();
            let words_x = match is_left {
                true => ends[0].min(row.ratio),
                false => ends[1].max(row.ratio),
            };
            let is_first = place > 0 && work(&self.rows[place - 1]) != work(row);
            json!({
                "of": row,
                "x": at(row.ratio),
                "ends": ends.map(at),
                "is_left": is_left,
                "words_x": at(words_x),
                "spoken": row.spoken(),
                "starts_group": self.is_grouped && is_first,
            })
        });
        json!({
            "caption": self.caption,
            "sides": self.sides,
            "history": self.history,
            "has_evidence": self.rows.iter().any(|row| row.evidence.is_some()),
            "ticks": ticks.collect::<Json>(),
            "equal": at(1.0),
            "rows": rows.collect::<Json>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ratio: f64, kind: Dot) -> DotRow {
        DotRow {
            label: format!("{ratio}"),
            ratio,
            interval: Some([ratio * 0.99, ratio * 1.01]),
            kind,
            ..DotRow::default()
        }
    }

    #[test]
    fn a_plot_marks_equal_and_has_no_blank_line() {
        let rows = vec![
            row(1.5, Dot::Good),
            row(0.9, Dot::Bad),
            row(f64::INFINITY, Dot::Unknown),
        ];
        let plot = DotPlot {
            rows,
            ..DotPlot::default()
        };
        let renderer = Renderer::new("perf", Vec::new()).expect("templates");
        let text = renderer.plot(&plot).expect("a plot");
        assert!(
            text.contains(">equal</text>") && !text.contains("\n\n") && !text.contains("NaN"),
            "{text}"
        );
        assert_eq!(text.matches("class=\"equal\"").count(), 3, "{text}");
    }

    #[test]
    fn noise_is_flat_in_a_sparkline() {
        let height = |values: &[f64]| {
            let points = sparkline(values);
            let points = points.split(' ').filter_map(|point| point.split_once(','));
            let points = points.map(|(_, y)| y.parse::<f64>().expect("px"));
            points.clone().fold(0.0, f64::max) - points.fold(HEIGHT, f64::min)
        };
        assert!(height(&[100.0, 101.0, 99.5]) < 3.0);
        assert!(height(&[100.0, 200.0]) > 30.0);
        assert!(sparkline(&[1.0]).is_empty());
    }
}
