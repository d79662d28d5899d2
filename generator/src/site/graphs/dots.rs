//! The dot plot of a comparison: a row for each scenario, with the ratio as a dot on a logarithmic axis around equal,
//! its interval as a line, the words beside it, and the figures of both sides. It is a table, whose text keeps its
//! size at any width. For other pairs, `static/pair.js` does the same with what `compare` wrote.

use super::times_better;
use crate::report::{Compared, Link, titles, words};
use crate::site::links::Links;
use crate::site::renderer::Renderer;
use crate::stats::{Comparison, Verdict};
use anyhow::Result;
use serde_json::json;

/// A verdict in a dot plot: the dot, its interval and the words beside them.
#[derive(Clone, Debug)]
pub(in crate::site) struct Mark {
    /// How many times better the candidate is, and the ends of the interval: a thousand times the logarithm, so
    /// that the swapped comparison has the opposite numbers.
    pub x: [i32; 3],
    /// `2.16x faster`, `~`.
    pub words: String,
    /// CSS class of the dot: `good`, `bad`, `even`, `unknown`.
    pub look: &'static str,
}

impl Mark {
    pub(in crate::site) fn of(known: &Comparison) -> Self {
        let place = |ratio| {
            let place = times_better(known.change.better, ratio).ln() * 1e3;
            place.round().clamp(-FAR, FAR) as i32
        };
        let x = place(known.change.ratio);
        let ends = known.interval.map(|i| [place(i.low), place(i.high)]);
        let [one, other] = ends.unwrap_or([x; 2]);
        Self {
            x: [x, one.min(other).min(x), one.max(other).max(x)],
            words: Self::words(known),
            look: words::class(known.verdict),
        }
    }

    /// Returns the words beside the dot: the longest have to fit on a phone.
    pub(in crate::site) fn words(known: &Comparison) -> String {
        match known.verdict {
            Verdict::Untested => words::verdict(known),
            _ => words::verdict_in_words(known),
        }
    }

    /// Whether the words are left of the dot.
    fn is_left(&self) -> bool {
        self.x[0] < 0 && self.look != "even"
    }
}

/// Factors of the ticks on both sides of equal: the largest on the axis, unless it is too close to equal.
const FACTORS: [f64; 12] = [
    1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0,
];
const APART: f64 = 0.2;
/// The axis reaches at least a factor of 1.1 to both sides.
const LEAST: f64 = 96.0;
/// Where a change from or to zero stands, which has no factor.
const FAR: f64 = 10_000.0;
/// Shares of the width beside the axis in percent: for words, or without them.
const ROOM: f64 = 30.0;
const MARGIN: f64 = 5.0;

impl Renderer<'_> {
    /// Writes a plot of a candidate and a baseline in one line, with the evidence beside each row if wanted.
    pub(in crate::site) fn plot(
        &self,
        sides: [&str; 2],
        rows: &[Compared<'_>],
        links: &Links<'_>,
        has_evidence: bool,
    ) -> Result<String> {
        let marked: Vec<Mark> = rows.iter().map(|one| Mark::of(&one.known)).collect();
        // The interval of an unsteady row would make all others small; it may end at the axis.
        let places = marked.iter().map(|mark| f64::from(mark.x[0]));
        let places: Vec<f64> = places.filter(|x| x.abs() < FAR).collect();
        let low = places.iter().copied().fold(-LEAST, f64::min);
        let high = places.iter().copied().fold(LEAST, f64::max);
        let left = match marked.iter().any(Mark::is_left) {
            true => ROOM,
            false => MARGIN,
        };
        let share = |x: f64| (x.clamp(low, high) - low) / (high - low);
        let at = |x: f64| {
            let place = left + (100.0 - left - ROOM) * share(x);
            format!("{}%", (place * 100.0).round() / 100.0)
        };
        let mut ticks = vec![json!({"x": at(0.0), "text": "equal"})];
        for (end, sign) in [(-low, -1.0), (high, 1.0)] {
            let inside = FACTORS.into_iter().filter(|f| f.ln() * 1e3 <= end);
            let factor = inside.fold(1.0, f64::max);
            let x = sign * factor.ln() * 1e3;
            if (share(x) - share(0.0)).abs() >= APART {
                ticks.push(json!({"x": at(x), "text": format!("{factor}x")}));
            }
        }
        let mut marks = Vec::new();
        for (one, mark) in rows.iter().zip(&marked) {
            let is_left = mark.is_left();
            let [x, low, high] = mark.x.map(|x| at(f64::from(x)));
            let [old, new] = one.figures();
            let label = one.row.scenario.label();
            marks.push(json!({
                "of": label,
                "href": links.address(&Link::Scenario(label.clone())),
                "title": titles::title(&one.row.scenario),
                "look": mark.look,
                "words": mark.words,
                "evidence": words::evidence(one),
                "figures": [new, old],
                "unit": one.row.scale.symbol,
                "is_left": is_left,
                "x": x,
                "words_x": if is_left { &low } else { &high },
                "ends": [low, high],
            }));
        }
        let view = json!({
            "sides": sides,
            "has_evidence": has_evidence,
            "ticks": ticks,
            "equal": at(0.0),
            "rows": marks,
        });
        self.template("dots.html.tera", &view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    #[test]
    fn a_plot_marks_equal_and_has_no_blank_line() {
        let mut table = "scenario,unit,run,a,b\n".to_owned();
        for run in 0..9 {
            table += &format!("x,ns,{run},100,200\ny,ns,{run},220,200\nz,ns,{run},1e9,1\n");
        }
        let report = Report::example("2026-01-01", "", &table);
        let rows = report.compare([1, 0]);
        let renderer = Renderer::new("perf", Vec::new(), Default::default()).expect("templates");
        let text = renderer.plot(["a", "b"], &rows, &renderer.links("../"), false);
        let text = text.expect("a plot");
        assert!(
            text.contains(">equal</text>") && !text.contains("\n\n") && !text.contains("NaN"),
            "{text}"
        );
        assert_eq!(text.matches("class=\"equal\"").count(), 3, "{text}");
    }
}
