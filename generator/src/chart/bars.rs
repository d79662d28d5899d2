//! Bars from zero, one group for each scenario, one bar in it for each implementation.

use super::axis::{self, Scale};
use super::canvas::{Canvas, Plot, Result, place};
use super::class::Class;
use super::rows::{Row, Rows, SAMPLE};
use super::{Axis, Caption, Drawing, Series, scale_end};
use crate::unit::group_thousands;
use plotters::element::{PathElement, Rectangle};

/// Grouped horizontal bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// Its alternative text.
    pub caption: Caption,
    /// What the values are.
    pub axis: Axis,
    /// The implementations, in order.
    pub series: Vec<Series>,
    /// The scenarios, from top to bottom.
    pub groups: Vec<Group>,
}

/// The bars of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Stands above its bars.
    pub label: String,
    /// One for each series of the chart, in the same order.
    pub bars: Vec<Bar>,
}

/// A bar, or why there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// The estimate, where the bar ends, in the axis's unit. Without one there is no bar.
    pub value: Option<f64>,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// The figure as the page shows it, or a word in its place.
    pub text: String,
}

/// From one bar to the next, and what of it is bar; px.
const PITCH: f64 = 18.0;
const THICKNESS: f64 = 13.0;
/// Half of an interval's cap, px.
const CAP: f64 = 3.0;

impl Bar {
    /// A word where there is no bar.
    pub fn without(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// The right end of all that is drawn of it.
    fn end(&self) -> Option<f64> {
        let value = self.value?;
        Some(self.interval.map_or(value, |(_, high)| high.max(value)))
    }
}

impl Bars {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let bars = self.groups.iter().flat_map(|g| &g.bars);
        let max = scale_end(bars.filter_map(Bar::end));
        let row = |(bar, series): (&Bar, &Series)| Row {
            end: bar.end().map(|end| end / max),
            text: bar.text.clone(),
            tooltip: bar.value.map(|_| self.tooltip(bar, series)),
        };
        let groups = self.groups.iter().map(|group| {
            let rows = group.bars.iter().zip(&self.series);
            (group.label.as_str(), rows.map(row).collect())
        });
        let rows = Rows::new(&self.series, groups, PITCH);
        let scale = Scale::linear(0.0..max, axis::linear_within(max, 6, rows.width));
        let notes = [self.axis.note()];
        rows.render(&self.caption, scale, &notes, |canvas, plot| {
            self.draw(canvas, plot, &rows)
        })
    }

    fn draw(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, rows: &Rows<'_>) -> Result {
        let area = plot.plotting_area();
        // Series after series, because neighbours of one class share an element of the file.
        for index in 0..self.series.len() {
            let class = Class::FILL.of(index);
            if let Some((x, y)) = rows.legend.get(index) {
                canvas.rectangle([(*x, y - 5.5), (x + SAMPLE, y + 5.5)], class)?;
            }
            for (g, group) in self.groups.iter().enumerate() {
                let y = rows.middle(g, index);
                if let Some(value) = group.bars.get(index).and_then(|bar| bar.value) {
                    let corners = [(0.0, y - THICKNESS / 2.0), (value, y + THICKNESS / 2.0)];
                    area.draw(&Rectangle::new(corners, class))?;
                }
            }
        }
        for (g, group) in self.groups.iter().enumerate() {
            for (index, bar) in group.bars.iter().take(self.series.len()).enumerate() {
                let y = rows.middle(g, index);
                // plotters' error bar draws a circle at the value, which is the bar's end.
                if let Some((low, high)) = bar.interval {
                    canvas.whisker([low, high].map(|x| place(plot, x, y)), (0.0, CAP))?;
                }
            }
        }
        // Zero stands beside the bars only: it would run through the first letters of the labels.
        for (top, bottom) in rows.ends() {
            area.draw(&PathElement::new([(0.0, top), (0.0, bottom)], Class::AXIS))?;
        }
        Ok(())
    }

    /// Whose bar it is, and its interval: `rustls 0.23.37: 95% interval 8,120.10 to 8,150.00
    /// MiB/s`. The figure stands behind the bar.
    fn tooltip(&self, bar: &Bar, Series { label, .. }: &Series) -> String {
        let Some((low, high)) = bar.interval else {
            return label.clone();
        };
        let decimals = bar.text.split_once('.').map_or(0, |(_, d)| d.len());
        let [low, high] = [low, high].map(|v| group_thousands(&format!("{v:.decimals$}")));
        let unit = &self.axis.unit;
        format!("{label}: 95% interval {low} to {high} {unit}")
    }
}
