//! The dot plot of a comparison: a row for each scenario, with the ratio as a dot on a logarithmic axis,
//! its interval as a line, the words beside it, and the figures of both sides. It is a table, whose text
//! keeps its size at any width. `static/dots.js` draws the same from the verdicts of other pairs.

use crate::base::escape::html;
use crate::model::unit::{Better, Kind};
use crate::report::{ComparedRow, ComparedTable};
use crate::stats::{Comparison, Verdict};

/// A dot plot.
#[derive(Clone, Debug, Default)]
pub(crate) struct DotPlot {
    /// `rustls 0.23.46 against OpenSSL 4.0.3`, for those who cannot see the plot.
    pub caption: String,
    /// The names above the figures: candidate and baseline.
    pub sides: [String; 2],
    /// The heading above the sparklines: `since 2023`.
    pub history: String,
    /// Drawn in this order, with a gap before each row that starts a group.
    pub rows: Vec<DotRow>,
}

/// A scenario in a dot plot.
#[derive(Clone, Debug, Default)]
pub(crate) struct DotRow {
    pub label: String,
    /// Link of the label.
    pub href: Option<String>,
    pub starts_group: bool,
    /// How many times better the candidate is; below 1 it is worse.
    pub ratio: f64,
    pub interval: Option<[f64; 2]>,
    /// `2.16x faster`, `as fast`, `too unsteady to rank`.
    pub words: String,
    pub kind: Dot,
    /// Candidate and baseline, as shown.
    pub figures: [String; 2],
    /// Unit of the figures.
    pub unit: String,
    /// The figures of the candidate's releases, oldest first, for a sparkline.
    pub history: Vec<f64>,
}

/// The look of a dot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dot {
    Good,
    Bad,
    /// No difference is shown.
    #[default]
    Even,
    /// Too noisy, too few runs or only one: a hollow dot.
    Unknown,
}

impl Dot {
    fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Even => "even",
            Self::Unknown => "unknown",
        }
    }
}

impl DotRow {
    /// Returns a judged row, without link and history.
    pub(crate) fn of(table: &ComparedTable<'_>, row: &ComparedRow<'_>, known: &Comparison) -> Self {
        let estimates = row.estimates.iter().flatten();
        let smallest = estimates.copied().fold(f64::INFINITY, f64::min);
        let scale = table.scale(row).clone().at_a_glance(smallest);
        let turn = |ratio: f64| match row.unit.better() {
            Better::Lower => 1.0 / ratio,
            _ => ratio,
        };
        let ends = known
            .interval
            .map(|i| [turn(rounded(i.low)), turn(rounded(i.high))]);
        let ratio = turn(shown_ratio(known));
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
            unit: scale.symbol,
            ..Self::default()
        }
    }
}

/// Returns the ratio with the digits of the words, from which the scripts draw.
fn shown_ratio(known: &Comparison) -> f64 {
    let change = &known.change;
    let is_none = !known.verdict.is_change() && known.verdict != Verdict::Untested;
    match (change.kind, change.word()) {
        _ if is_none => rounded(change.ratio),
        (_, Verdict::None) => rounded(change.ratio),
        (Kind::Rate, _) if change.ratio < 1.0 => 100.0 / (change.size() * 100.0).round_ties_even(),
        (Kind::Rate, _) => (change.size() * 100.0).round_ties_even() / 100.0,
        (Kind::Amount, _) => (change.ratio * 100.0).round_ties_even() / 100.0,
        _ => rounded(change.ratio),
    }
}

fn rounded(ratio: f64) -> f64 {
    (ratio * 1e3).round_ties_even() / 1e3
}

/// `2.16x faster`, `as fast`, `2.16x faster *` if that is not tested.
fn words(known: &Comparison, kind: Kind) -> String {
    match known.verdict {
        Verdict::Unsteady => "too unsteady to rank".to_owned(),
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

    /// Returns the lines at the ticks.
    fn grid(&self) -> String {
        let line = |tick: &f64| {
            let class = if *tick == 1.0 { " class=\"equal\"" } else { "" };
            let x = percent(self.share(*tick));
            format!("<line{class} x1=\"{x}\" x2=\"{x}\" y2=\"100%\"/>")
        };
        self.ticks().iter().map(line).collect()
    }

    /// Returns the labels of the ticks: `2x` on either side of `equal`.
    fn labels(&self) -> String {
        let label = |tick: &f64| {
            let text = match *tick {
                1.0 => "equal".to_owned(),
                tick => format!("{}x", (1e3 * tick.max(1.0 / tick)).round() / 1e3),
            };
            let x = percent(self.share(*tick));
            format!("<text x=\"{x}\" y=\"70%\">{text}</text>")
        };
        self.ticks().iter().map(label).collect()
    }
}

/// Returns a share with two decimals, rounded as scripts do.
fn percent(share: f64) -> String {
    format!("{}%", (share * 1e4).round() / 100.0)
}

impl DotRow {
    fn has_words_left(&self) -> bool {
        self.ratio < 1.0 && self.kind != Dot::Even
    }

    fn mark(&self, axis: &Axis) -> String {
        let at = |ratio| percent(axis.share(ratio));
        let (x, equal) = (at(self.ratio), at(1.0));
        let [low, high] = self.interval.unwrap_or([self.ratio; 2]);
        let (label, words) = (
            html(&self.spoken()).into_owned(),
            html(&self.words).into_owned(),
        );
        let (side, dx, end) = match self.has_words_left() {
            true => (at(low.min(self.ratio)), -12, " class=\"left\""),
            false => (at(high.max(self.ratio)), 12, ""),
        };
        let interval = match self.interval {
            None => String::new(),
            Some(_) => format!(
                "<line class=\"ci\" x1=\"{}\" x2=\"{}\" y1=\"50%\" y2=\"50%\"/>",
                at(low),
                at(high)
            ),
        };
        format!(
            "<svg role=\"img\" aria-label=\"{label}\">{}<line class=\"stem\" x1=\"{equal}\" x2=\"{x}\" y1=\"50%\" y2=\"50%\"/>{interval}<circle cx=\"{x}\" cy=\"50%\" r=\"5.5\"/><text{end} x=\"{side}\" dx=\"{dx}\" y=\"50%\" dy=\".35em\">{words}</text></svg>",
            axis.grid(),
        )
    }

    /// `2.16x faster, interval 2.103 to 2.221`, where above 1 is better.
    fn spoken(&self) -> String {
        let words = self.words.replace(" *", ", untested");
        match self.interval {
            None => words,
            Some([low, high]) => format!("{words}, interval {low:.3} to {high:.3}"),
        }
    }

    fn html(&self, axis: &Axis, sides: &[String; 2], has_history: bool) -> String {
        let label = html(&self.label);
        let label = match &self.href {
            None => label.into_owned(),
            Some(href) => format!("<a href=\"{}\">{label}</a>", html(href)),
        };
        let group = if self.starts_group { " group" } else { "" };
        let [candidate, baseline] = self.figures.each_ref().map(|figure| html(figure));
        let [ours, theirs] = sides.each_ref().map(|side| html(side));
        let history = match has_history {
            true => format!("<td class=\"spark\">{}</td>", sparkline(&self.history)),
            false => String::new(),
        };
        format!(
            "<tr class=\"{}{group}\"><th scope=\"row\">{label}</th><td class=\"strip\">{}</td><td data-of=\"{ours}\">{candidate}</td><td data-of=\"{theirs}\">{baseline} <i>{}</i></td>{history}</tr>",
            self.kind.class(),
            self.mark(axis),
            html(&self.unit),
        )
    }
}

/// Size of a sparkline in px, the room for its last dot, and the factor that fills its height at least:
/// noise looks flat.
const WIDTH: f64 = 96.0;
const HEIGHT: f64 = 22.0;
const PAD: f64 = 3.0;
const FULL: f64 = 1.5;

/// Draws values at equal distances on a logarithmic axis; empty below two.
fn sparkline(values: &[f64]) -> String {
    let logs: Vec<f64> = values.iter().map(|v| v.ln()).collect();
    let [_, .., last] = logs.as_slice() else {
        return String::new();
    };
    let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
    let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = (high - low).max(FULL.ln());
    // Rounded as scripts do.
    let round = |px: f64| (px * 10.0).round() / 10.0;
    let middle = f64::midpoint(low, high);
    let y = |log: f64| round(HEIGHT / 2.0 - (log - middle) / span * (HEIGHT - 2.0 * PAD));
    let step = (WIDTH - 2.0 * PAD) / (logs.len() - 1) as f64;
    let x = |place: usize| round(PAD + place as f64 * step);
    let points = logs.iter().enumerate();
    let points = points.map(|(place, log)| format!("{},{}", x(place), y(*log)));
    let points: Vec<String> = points.collect();
    let (cx, cy) = (x(logs.len() - 1), y(*last));
    format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" aria-hidden=\"true\"><polyline points=\"{}\"/><circle cx=\"{cx}\" cy=\"{cy}\" r=\"2.5\"/></svg>",
        points.join(" "),
    )
}

impl DotPlot {
    /// Writes the plot in one line, because a blank one would end the block of HTML.
    pub(crate) fn html(&self) -> String {
        let axis = Axis::of(&self.rows);
        let has_history = self.rows.iter().any(|row| row.history.len() > 1);
        let history = match has_history {
            true => format!(
                "<th scope=\"col\" class=\"spark\">{}</th>",
                html(&self.history)
            ),
            false => String::new(),
        };
        let [ours, theirs] = self.sides.each_ref().map(|side| html(side));
        let rows: String = self
            .rows
            .iter()
            .map(|row| row.html(&axis, &self.sides, has_history))
            .collect();
        format!(
            "<table class=\"dots\"><caption>{}</caption><thead><tr><th scope=\"col\"><span>scenario</span></th><th scope=\"col\" class=\"strip\"><svg role=\"img\" aria-label=\"ratio\">{}</svg></th><th scope=\"col\">{ours}</th><th scope=\"col\">{theirs}</th>{history}</tr></thead><tbody>{rows}</tbody></table>",
            html(&self.caption),
            axis.labels(),
        )
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
    fn equal_distances_are_equal_factors() {
        let axis = Axis::of(&[row(4.0, Dot::Good), row(0.25, Dot::Bad)]);
        let [quarter, half, one, two, four] = [0.25, 0.5, 1.0, 2.0, 4.0].map(|r| axis.share(r));
        for (low, high) in [(quarter, half), (half, one), (one, two), (two, four)] {
            assert!((high - low - (four - quarter) / 4.0).abs() < 1e-12);
        }
        assert!(
            (axis.share(4.0 * 1.01) - (1.0 - ROOM)).abs() < 1e-12,
            "words fit beside the largest"
        );
    }

    #[test]
    fn a_plot_marks_equal_and_has_no_blank_line() {
        let plot = DotPlot {
            rows: vec![
                row(1.5, Dot::Good),
                row(0.9, Dot::Bad),
                row(f64::INFINITY, Dot::Unknown),
            ],
            ..DotPlot::default()
        };
        let text = plot.html();
        assert!(
            text.contains(">equal</text>") && !text.contains('\n') && !text.contains("NaN"),
            "{text}"
        );
        assert_eq!(text.matches("class=\"equal\"").count(), 3, "{text}");
    }

    #[test]
    fn noise_is_flat_in_a_sparkline() {
        let heights = |values: &[f64]| {
            let text = sparkline(values);
            let points = text
                .split('"')
                .find(|part| part.contains(','))
                .expect("points");
            let all = points.split(' ').map(|p| {
                p.split(',')
                    .nth(1)
                    .expect("y")
                    .parse::<f64>()
                    .expect("a number")
            });
            let all: Vec<f64> = all.collect();
            all.iter().copied().fold(0.0, f64::max) - all.iter().copied().fold(HEIGHT, f64::min)
        };
        assert!(heights(&[100.0, 101.0, 99.5]) < 1.0);
        assert!(heights(&[100.0, 200.0]) > 15.0);
        assert_eq!(sparkline(&[1.0]), "");
    }
}
