//! Ratios on a logarithmic axis: how much slower or faster, or in other words worse or better.

use super::axis::Scale;
use super::canvas::{Canvas, Plot, Result, place};
use super::class::Class;
use super::rows::{Row, Rows};
use super::{Caption, Drawing, Series, extent, text};
use plotters::style::text_anchor::HPos::{Left, Right};

/// For each scenario a point for each series, with its interval, left or right of equality.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// Its alternative text.
    pub caption: Caption,
    /// What changed, in order.
    pub series: Vec<Series>,
    /// The scenarios, from top to bottom.
    pub groups: Vec<RatioGroup>,
    /// The ends of the axis, which charts side by side share.
    pub range: (f64, f64),
    /// What is left and right of equality: `slower`, `faster`.
    pub sides: [&'static str; 2],
}

/// One scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioGroup {
    /// Stands above its points.
    pub label: String,
    /// One for each series of the chart, in the same order.
    pub ratios: Vec<Option<Ratio>>,
}

/// A ratio, above 1 where it is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio {
    /// The point.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// The change in words, `1.54x faster`, or `~`.
    pub text: String,
}

/// Height of a row, and half of an interval's cap; px.
const PITCH: f64 = 18.0;
const CAP: f64 = 3.0;

impl Ratio {
    fn low(&self) -> f64 {
        self.interval.map_or(self.value, |(low, _)| low)
    }

    fn high(&self) -> f64 {
        self.interval.map_or(self.value, |(_, high)| high)
    }
}

impl Ratios {
    /// An axis for all of these, with some room on both sides of equality.
    pub fn range<'a>(ratios: impl Iterator<Item = &'a Ratio>) -> (f64, f64) {
        let ends = ratios.flat_map(|r| [r.low(), r.value, r.high()]);
        extent(ends.chain([0.9, 1.1])).unwrap_or((0.9, 1.1))
    }

    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let scale = Scale::log_ratios(self.range.0 / 1.02..self.range.1);
        let groups = self.groups.iter().map(|group| {
            let rows = group.ratios.iter().map(|ratio| Row {
                end: ratio.as_ref().map(|r| scale.share(r.high())),
                text: ratio
                    .as_ref()
                    .map_or_else(|| "–".to_owned(), |r| r.text.clone()),
                tooltip: None,
            });
            (group.label.as_str(), rows.collect())
        });
        let rows = Rows::new(&self.series, groups, PITCH);
        let scale = scale.labelled_within(text::INSET, rows.width);
        let mut ratios = self.groups.iter().flat_map(|g| g.ratios.iter().flatten());
        let kind = match ratios.any(|r| r.interval.is_some()) {
            true => "logarithmic scale, with 95% intervals",
            false => "logarithmic scale",
        };
        let notes = [String::new(), kind.to_owned()];
        rows.render(&self.caption, scale, &notes, |canvas, plot| {
            self.draw(canvas, plot, &rows)
        })
    }

    fn draw(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, rows: &Rows<'_>) -> Result {
        let (equal, bottom) = (place(plot, 1.0, 0.0).0, rows.note(0));
        for (top, bottom) in rows.ends() {
            canvas.line([(equal, top), (equal, bottom)], Class::AXIS)?;
        }
        for (word, anchor, aside) in [(self.sides[0], Right, -10.0), (self.sides[1], Left, 10.0)] {
            canvas.text(word, Class::STRONG, anchor, (equal + aside, bottom))?;
        }
        for index in 0..self.series.len() {
            let points = self.groups.iter().enumerate().filter_map(|(g, group)| {
                Some((group.ratios.get(index)?.as_ref()?, rows.middle(g, index)))
            });
            for (ratio, y) in points.clone() {
                if let Some((low, high)) = ratio.interval {
                    canvas.whisker([low, high].map(|x| place(plot, x, y)), (0.0, CAP))?;
                }
            }
            if let Some((x, y)) = rows.legend.get(index) {
                canvas.marker(index, (x + 7.0, *y))?;
            }
            for (ratio, y) in points {
                canvas.marker(index, place(plot, ratio.value, y))?;
            }
        }
        Ok(())
    }
}
