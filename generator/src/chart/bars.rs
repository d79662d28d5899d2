//! Bars from zero, one group for each scenario, one bar in it for each implementation.

use super::axis::{self, Plot, Scale};
use super::class::Class;
use super::legend::Legend;
use super::rows::{Row, Rows};
use super::{
    Area, Axis, Caption, Drawing, Result, Series, document, placeable, placeable_interval, point,
};
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
#[derive(Clone, Debug, PartialEq)]
pub enum Bar {
    /// A figure, in the axis's unit; finite and not negative, or it counts as missing.
    Value {
        /// The estimate, where the bar ends.
        value: f64,
        /// The ends of its interval.
        interval: Option<(f64, f64)>,
        /// The figure as the page shows it.
        text: String,
    },
    /// Not measured: `–`.
    Missing,
    /// The implementation cannot do it.
    Unsupported,
}

/// From one bar to the next, and what of it is bar; px.
const PITCH: f64 = 18.0;
const THICKNESS: f64 = 13.0;
/// Half of an interval's cap, px.
const CAP: f64 = 3.0;

impl Bar {
    fn value(&self) -> Option<f64> {
        match self {
            Self::Value { value, .. } if placeable(*value) && *value >= 0.0 => Some(*value),
            _ => None,
        }
    }

    /// The interval, where there is a value and it is an interval.
    fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Self::Value { interval, .. } if self.value().is_some() => placeable_interval(*interval),
            _ => None,
        }
    }

    /// The right end of all that is drawn of it.
    fn end(&self) -> Option<f64> {
        let value = self.value()?;
        Some(self.interval().map_or(value, |(_, high)| high.max(value)))
    }

    fn text(&self) -> &str {
        match self {
            Self::Value { text, .. } if self.value().is_some() => text,
            Self::Unsupported => "unsupported",
            _ => "–",
        }
    }
}

impl Bars {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let bars = self.groups.iter().flat_map(|g| &g.bars);
        let max = bars.filter_map(Bar::end).fold(0.0, f64::max);
        let max = if max > 0.0 { max } else { 1.0 };
        let groups = self.groups.iter().map(|group| {
            let rows = group.bars.iter().zip(&self.series);
            let row = |(bar, series): (&Bar, &Series)| Row {
                end: bar.end().map(|end| end / max),
                text: bar.text().to_owned(),
                tooltip: bar.value().map(|_| self.tooltip(bar, series)),
            };
            (group.label.as_str(), rows.map(row).collect())
        });
        let rows = Rows::new(&self.series, groups, PITCH);
        let scale = Scale::linear(0.0..max, axis::linear_within(max, 6, rows.width));
        let notes = [self.axis.note()];
        document(
            &self.caption,
            rows.size(notes.len()),
            &self.series,
            |area, _| rows.draw(area, scale, &notes, |plot| self.draw(area, plot, &rows)),
        )
    }

    fn draw(&self, area: &Area<'_>, chart: &Plot<'_, '_>, rows: &Rows<'_>) -> Result<()> {
        let plot = chart.plotting_area();
        // Series after series, because neighbours of one class share an element of the file.
        for index in 0..self.series.len() {
            let fill = Class::FILL.of(index).shape();
            if let Some(legend) = &rows.legend {
                let sample = Legend::sample(legend.entries[index]);
                area.draw(&Rectangle::new(sample.map(point), fill))?;
            }
            for (g, group) in self.groups.iter().enumerate() {
                let y = rows.middle(g, index);
                if let Some(value) = group.bars.get(index).and_then(Bar::value) {
                    let corners = [(0.0, y - THICKNESS / 2.0), (value, y + THICKNESS / 2.0)];
                    plot.draw(&Rectangle::new(corners, fill))?;
                }
            }
        }
        for (g, group) in self.groups.iter().enumerate() {
            for (index, bar) in group.bars.iter().take(self.series.len()).enumerate() {
                let y = rows.middle(g, index);
                // plotters' error bar draws a circle at the value, which is the bar's end.
                if let Some((low, high)) = bar.interval() {
                    let cap = |x| [(x, y - CAP), (x, y + CAP)];
                    for line in [[(low, y), (high, y)], cap(low), cap(high)] {
                        plot.draw(&PathElement::new(line, Class::WHISKER.shape()))?;
                    }
                }
            }
        }
        // Zero stands beside the bars only: it would run through the first letters of the labels.
        for group in 0..self.groups.len() {
            let (top, bottom) = rows.ends(group);
            let zero = [(0.0, top), (0.0, bottom)];
            plot.draw(&PathElement::new(zero, Class::AXIS.shape()))?;
        }
        Ok(())
    }

    /// Whose bar it is, and its interval: `rustls 0.23.37: 95% interval 8,120.10 to 8,150.00
    /// MiB/s`. The figure stands behind the bar.
    fn tooltip(&self, bar: &Bar, series: &Series) -> String {
        let Some((low, high)) = bar.interval() else {
            return series.label.clone();
        };
        let decimals = bar.text().split_once('.').map_or(0, |(_, d)| d.len());
        let show = |v: f64| group_thousands(&format!("{v:.decimals$}"));
        format!(
            "{}: 95% interval {} to {} {}",
            series.label,
            show(low),
            show(high),
            self.axis.unit
        )
    }
}
