//! The dot plot of a comparison: a row for each scenario, with the ratio as a dot on a logarithmic
//! axis, its interval as a line, the words beside it, and the figures of both sides. It is a table,
//! whose text keeps its size at any width. For other pairs, `static/pair.js` fills copies of its
//! rows with what `compare` wrote.

use super::times_better;
use crate::report::{Compared, titles, words};
use crate::site::renderer::Renderer;
use crate::stats::{Comparison, Verdict};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A dot plot.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct DotPlot {
    /// `rustls 0.23.46 against OpenSSL 4.0.3`, for those who cannot see the plot.
    pub caption: String,
    /// The names above the figures: candidate and baseline.
    pub sides: [String; 2],
    /// Whether a gap parts rows of different work.
    pub is_grouped: bool,
    /// Whether the evidence stands beside each row.
    pub has_evidence: bool,
    pub rows: Vec<DotRow>,
}

/// A scenario in a dot plot.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::site) struct DotRow {
    pub label: String,
    /// The label of the scenario.
    pub of: String,
    /// Link of the label.
    pub href: Option<String>,
    #[serde(flatten)]
    pub mark: Mark,
    /// The words for those who cannot see the plot, and the evidence.
    pub spoken: String,
    /// Candidate and baseline, as shown.
    pub figures: [String; 2],
    /// Unit of the figures.
    pub unit: String,
    /// `2.10x to 2.22x, p < 0.001, n = 20`
    pub evidence: String,
}

/// A verdict in a dot plot: the dot, its interval and the words beside them.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::site) struct Mark {
    /// How many times better the candidate is; below 1 it is worse.
    #[serde(skip)]
    pub ratio: f64,
    /// The ends of the interval; without one, the ratio.
    #[serde(skip)]
    pub ends: [f64; 2],
    /// Whether the words are left of the dot.
    pub is_left: bool,
    /// `2.16x faster`, `~`.
    pub words: String,
    /// CSS class of the dot: `good`, `bad`, `even`, `unknown`.
    pub look: &'static str,
}

impl DotRow {
    /// Returns a judged row, without link.
    pub(in crate::site) fn of(one: &Compared<'_>) -> Self {
        let evidence = words::evidence(one);
        let [old, new] = one.figures();
        let mark = Mark::of(&one.known);
        Self {
            label: titles::title(&one.row.scenario),
            of: one.row.scenario.label(),
            spoken: format!("{}, {evidence}", mark.words),
            mark,
            figures: [new, old],
            unit: one.row.scale.symbol.clone(),
            evidence,
            ..Self::default()
        }
    }
}

impl Mark {
    pub(in crate::site) fn of(known: &Comparison) -> Self {
        let times_better = |ratio| times_better(known.change.better, ratio);
        let ratio = times_better(known.change.ratio);
        let ends = known.interval.map_or([ratio; 2], |i| {
            let [a, b] = [i.low, i.high].map(times_better);
            [a.min(b).min(ratio), a.max(b).max(ratio)]
        });
        Self {
            ratio,
            ends,
            is_left: ratio < 1.0 && has_direction(known),
            words: words::verdict_in_words(known),
            look: words::class(known.verdict),
        }
    }
}

/// Whether words stand on the side of the better build.
fn has_direction(known: &Comparison) -> bool {
    known.verdict.is_change() || known.verdict == Verdict::Untested
}

/// Factors of ticks on both sides of equal, by importance, and their minimum distance as a share of
/// the axis: on phones it has 130 px between the words, and a label takes 25.
const FACTORS: [f64; 13] = [
    1.0, 2.0, 4.0, 10.0, 1.5, 1.2, 3.0, 1.1, 20.0, 1.05, 100.0, 50.0, 1000.0,
];
const APART: f64 = 0.2;
/// Shares of the width beside the axis: for words, or without them. Words of rows without a change
/// are on the right.
const ROOM: f64 = 0.3;
const MARGIN: f64 = 0.05;
/// The axis reaches at least this factor on both sides.
const LEAST: f64 = 1.1;

/// The logarithmic axis of the ratios. That of the swapped comparison is its mirror image.
struct Axis {
    /// Logarithms of its ends.
    ends: [f64; 2],
}

impl Axis {
    fn of<'m>(marks: impl Iterator<Item = &'m Mark>) -> Self {
        // The interval of an unsteady row would make all others small; it may end at the axis.
        let ratios = marks.map(|mark| mark.ratio);
        let ratios = ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0);
        let [mut low, mut high] = [1.0 / LEAST, LEAST];
        for ratio in ratios {
            (low, high) = (low.min(ratio), high.max(ratio));
        }
        Self {
            ends: [low.ln(), high.ln()],
        }
    }

    /// Returns the place of a ratio as a share of the axis.
    fn share(&self, ratio: f64) -> f64 {
        let [first, last] = self.ends;
        ((ratio.ln() - first) / (last - first)).clamp(0.0, 1.0)
    }

    fn thousandths(&self, ratio: f64) -> u32 {
        (self.share(ratio) * 1e3).round() as u32
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

impl Renderer<'_> {
    /// Writes a plot in one line.
    pub(in crate::site) fn plot(&self, plot: &DotPlot) -> Result<String> {
        self.template("dots.html.tera", &plot.view())
    }
}

impl DotPlot {
    /// The share of the width left of the axis.
    fn left_margin(&self) -> f64 {
        match self.rows.iter().any(|row| row.mark.is_left) {
            true => ROOM,
            false => MARGIN,
        }
    }

    fn view(&self) -> Json {
        let axis = Axis::of(self.rows.iter().map(|row| &row.mark));
        let left = self.left_margin();
        let at = |ratio| {
            // As the script places other plots.
            let share = left + (1.0 - left - ROOM) * f64::from(axis.thousandths(ratio)) / 1e3;
            format!("{}%", (share * 1e4).round() / 100.0)
        };
        let ticks = axis.ticks().into_iter();
        let ticks = ticks.map(|ratio| json!({"x": at(ratio), "text": tick(ratio)}));
        let work = |row: &DotRow| row.of.split(", ").next().map(str::to_owned);
        let mut rows = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            let is_first = place > 0 && work(&self.rows[place - 1]) != work(row);
            rows.push(json!({
                "of": row,
                "x": at(row.mark.ratio),
                "ends": row.mark.ends.map(at),
                "words_x": at(row.mark.ends[usize::from(!row.mark.is_left)]),
                "starts_group": self.is_grouped && is_first,
            }));
        }
        json!({
            "caption": self.caption,
            "sides": self.sides,
            "has_evidence": self.has_evidence,
            "ticks": ticks.collect::<Json>(),
            "equal": at(1.0),
            "rows": rows,
        })
    }
}

/// Returns the places of marks for a script, in thousandths of the axis: equal, the ticks, and for
/// each mark the dot and how far the interval reaches to its left and right. Of the swapped
/// comparison, they are counted from the other end.
pub(in crate::site) fn places(marks: &[Mark]) -> (u32, Vec<(u32, String)>, Vec<[u32; 3]>) {
    let axis = Axis::of(marks.iter());
    let at = |ratio| axis.thousandths(ratio);
    let mut ticks = Vec::new();
    for ratio in axis.ticks() {
        ticks.push((at(ratio), tick(ratio)));
    }
    let mut reaches = Vec::new();
    for mark in marks {
        let [x, low, high] = [mark.ratio, mark.ends[0], mark.ends[1]].map(at);
        reaches.push([x, x - low, high - x]);
    }
    (at(1.0), ticks, reaches)
}

/// `equal`, `1.5x`
fn tick(ratio: f64) -> String {
    match ratio {
        1.0 => "equal".to_owned(),
        ratio => format!("{}x", (1e3 * ratio.max(1.0 / ratio)).round() / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ratio: f64, look: &'static str) -> DotRow {
        DotRow {
            label: format!("{ratio}"),
            mark: Mark {
                ratio,
                ends: [ratio * 0.99, ratio * 1.01],
                is_left: ratio < 1.0,
                look,
                words: String::new(),
            },
            ..DotRow::default()
        }
    }

    #[test]
    fn a_plot_marks_equal_and_has_no_blank_line() {
        let rows = vec![
            row(1.5, "good"),
            row(0.9, "bad"),
            row(f64::INFINITY, "unknown"),
        ];
        let plot = DotPlot {
            rows,
            ..DotPlot::default()
        };
        let renderer = Renderer::new("perf", Vec::new(), Default::default()).expect("templates");
        let text = renderer.plot(&plot).expect("a plot");
        assert!(
            text.contains(">equal</text>") && !text.contains("\n\n") && !text.contains("NaN"),
            "{text}"
        );
        assert_eq!(text.matches("class=\"equal\"").count(), 3, "{text}");
    }
}
