//! Bars from zero, one group for each scenario, one bar in it for each implementation.

use super::ink::Ink;
use super::legend::Legend;
use super::scale::{Plot, Scale, draw_grid};
use super::ticks::{self, Tick};
use super::tip::Tip;
use super::{
    Area, Axis, Caption, Drawing, Result, Series, WIDTH, document, looks, placeable, point, px,
    text, upx,
};
use crate::unit::group_thousands;
use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::HPos;

/// Grouped horizontal bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// Words for those who do not see it.
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

/// What is known of one series in one group.
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
/// Height of a group's label, and the gap below a group; px.
const LABEL: f64 = 22.0;
const SPACE: f64 = 10.0;
/// From the end of a bar to its figure, px.
const GAP: f64 = 6.0;
/// From a figure to the name behind it, px.
const NAME: f64 = 12.0;
/// Half of an interval's cap, px.
const CAP: f64 = 3.0;
/// Ticks' labels, and the line that names the unit; px.
const TICKS: f64 = 24.0;
const NOTE: f64 = 20.0;

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
            Self::Value {
                interval: Some((low, high)),
                ..
            } if self.value().is_some() => {
                (placeable(*low) && placeable(*high)).then_some((low.max(0.0), high.max(0.0)))
            }
            _ => None,
        }
    }

    /// The right end of all that is drawn of it.
    fn end(&self) -> f64 {
        let value = self.value().unwrap_or(0.0);
        self.interval().map_or(value, |(_, high)| high.max(value))
    }

    fn text(&self) -> (&str, Ink) {
        match self {
            Self::Value { text, .. } if self.value().is_some() => (text, Ink::Text),
            Self::Unsupported => ("unsupported", Ink::Muted),
            _ => ("–", Ink::Muted),
        }
    }
}

/// Where everything is.
struct Layout {
    /// None where the names stand behind the first group's figures.
    legend: Option<Legend>,
    /// Height of the legend, or of the gap in its place, px.
    head: f64,
    /// Upper end of each group, px below the legend.
    tops: Vec<f64>,
    /// Height and width of the plot, px.
    height: f64,
    width: f64,
    /// Value at the right end of the plot.
    max: f64,
    ticks: Vec<Tick>,
}

impl Layout {
    fn of(chart: &Bars) -> Self {
        let mut height = 0.0;
        let mut tops = Vec::new();
        for group in &chart.groups {
            tops.push(height);
            height += LABEL + group.bars.len() as f64 * PITCH + SPACE;
        }
        let bars = || chart.groups.iter().flat_map(|g| &g.bars);
        let max = Some(bars().map(Bar::end).fold(0.0, f64::max))
            .filter(|&m| m > 0.0)
            .unwrap_or(1.0);
        // As wide as leaves room for the figure behind each bar.
        let width = bars()
            .filter(|bar| bar.end() > 0.0)
            .map(|bar| {
                (f64::from(WIDTH) - text::INSET - GAP - text::width(bar.text().0)) * max / bar.end()
            })
            .fold(f64::from(WIDTH) - 30.0, f64::min)
            .max(f64::from(WIDTH) / 4.0);
        let fits = |ticks: &Vec<Tick>| {
            let words: f64 = ticks.iter().map(|t| text::width(&t.label) + 16.0).sum();
            words <= width
        };
        let choices = [6, 5, 4, 3, 2].map(|count| ticks::linear(max, count));
        let ticks = choices
            .into_iter()
            .find(fits)
            .unwrap_or_else(|| ticks::linear(max, 1));
        let named = |bar: &Bar, series: &Series| {
            let words = text::width(bar.text().0) + NAME + text::width(&series.label);
            let end = text::INSET + bar.end() / max * width;
            bar.value().is_some() && end + GAP + words <= f64::from(WIDTH)
        };
        let direct = chart.groups.first().is_some_and(|first| {
            let mut pairs = first.bars.iter().zip(&chart.series);
            first.bars.len() == chart.series.len() && pairs.all(|(bar, series)| named(bar, series))
        });
        let legend = (!direct).then(|| Legend::of(chart.series.iter()));
        Self {
            head: legend.as_ref().map_or(2.0, |l| l.height),
            legend,
            tops,
            height,
            width,
            max,
            ticks,
        }
    }

    /// The middle of a bar, px from the upper end of the plot.
    fn middle(&self, group: usize, bar: usize) -> f64 {
        self.tops[group] + LABEL + (bar as f64 + 0.5) * PITCH
    }
}

impl Bars {
    /// Draws it.
    pub fn render(&self) -> Drawing {
        let layout = Layout::of(self);
        let height = (layout.head + layout.height + TICKS + NOTE).ceil() as u32;
        document(
            &self.caption,
            (WIDTH, height),
            &looks(&self.series),
            |area| self.draw(area, &layout),
        )
    }

    /// Every bar with the index of its series and its middle, px from the upper end of the plot.
    fn bars<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = (usize, f64, &'a Bar)> {
        self.groups.iter().enumerate().flat_map(move |(g, group)| {
            group
                .bars
                .iter()
                .enumerate()
                .map(move |(b, bar)| (b, layout.middle(g, b), bar))
        })
    }

    fn draw(&self, area: &Area<'_>, layout: &Layout) -> Result<Vec<Tip>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(upx(layout.head))
            .margin_left(upx(text::INSET))
            .margin_right(upx(f64::from(WIDTH) - text::INSET - layout.width))
            .margin_bottom(upx(NOTE))
            .x_label_area_size(upx(TICKS))
            .build_cartesian_2d(
                Scale::linear(0.0, layout.max, layout.ticks.clone()),
                Scale::rows(layout.height),
            )?;
        draw_grid(&mut chart, true)?;
        let plot = chart.plotting_area();
        // Series after series, because neighbours of one ink share an element of the file.
        for index in 0..self.series.len() {
            let fill = Ink::Fill(index as u8).shape();
            if let Some(legend) = &layout.legend {
                let sample = Legend::sample(legend.places[index]);
                area.draw(&Rectangle::new(sample.map(point), fill))?;
            }
            for (_, y, bar) in self.bars(layout).filter(|b| b.0 == index) {
                if let Some(value) = bar.value() {
                    let corners = [(0.0, y - THICKNESS / 2.0), (value, y + THICKNESS / 2.0)];
                    plot.draw(&Rectangle::new(corners, fill))?;
                }
            }
        }
        for (_, y, bar) in self.bars(layout) {
            if let Some((low, high)) = bar.interval() {
                for (from, to) in [
                    ((low, y), (high, y)),
                    ((low, y - CAP), (low, y + CAP)),
                    ((high, y - CAP), (high, y + CAP)),
                ] {
                    plot.draw(&PathElement::new([from, to], Ink::Whisker.shape()))?;
                }
            }
        }
        // Zero stands beside the bars only: it would run through the first letters of the labels.
        for (group, top) in self.groups.iter().zip(&layout.tops) {
            let from = top + LABEL;
            let zero = [(0.0, from), (0.0, from + group.bars.len() as f64 * PITCH)];
            plot.draw(&PathElement::new(zero, Ink::Axis.shape()))?;
        }
        self.draw_words(area, &chart, layout)?;
        Ok(self.tips(layout))
    }

    /// On the whole line of each bar whose it is, and its interval: the figure stands there.
    fn tips(&self, layout: &Layout) -> Vec<Tip> {
        let mut tips = Vec::new();
        for (b, y, bar) in self.bars(layout) {
            if bar.value().is_some() {
                let place = (0.0, layout.head + y - PITCH / 2.0, f64::from(WIDTH), PITCH);
                let interval = self.interval(bar).unwrap_or_default();
                let words = format!("{}{interval}", self.series[b].label);
                tips.push(Tip::new(place, words));
            }
        }
        tips
    }

    /// `: 95% interval 8,120.10 to 8,150.00 MiB/s`.
    fn interval(&self, bar: &Bar) -> Option<String> {
        let (low, high) = bar.interval()?;
        let decimals = bar.text().0.split_once('.').map_or(0, |(_, d)| d.len());
        let show = |v: f64| group_thousands(&format!("{v:.decimals$}"));
        Some(format!(
            ": 95% interval {} to {} {}",
            show(low),
            show(high),
            self.axis.unit
        ))
    }

    fn draw_words(&self, area: &Area<'_>, chart: &Plot<'_, '_>, layout: &Layout) -> Result<()> {
        for (group, top) in self.groups.iter().zip(&layout.tops) {
            let style = text::style(Ink::Strong, HPos::Left);
            area.draw_text(
                &group.label,
                &style,
                chart.backend_coord(&(0.0, top + LABEL / 2.0)),
            )?;
        }
        for wanted in [Ink::Text, Ink::Muted] {
            let style = text::style(wanted, HPos::Left);
            for (_, y, bar) in self.bars(layout) {
                let (words, ink) = bar.text();
                if ink == wanted {
                    let (x, y) = chart.backend_coord(&(bar.end(), y));
                    area.draw_text(words, &style, (x + px(GAP), y))?;
                }
            }
        }
        let note = (
            text::INSET,
            layout.head + layout.height + TICKS + NOTE / 2.0 - 2.0,
        );
        area.draw_text(
            &self.axis.note(),
            &text::style(Ink::Muted, HPos::Left),
            point(note),
        )?;
        for (index, series) in self.series.iter().enumerate() {
            let (at, ink) = match &layout.legend {
                Some(legend) => (point(Legend::name(legend.places[index])), Ink::Text),
                None => {
                    let bar = &self.groups[0].bars[index];
                    let y = layout.head + layout.middle(0, index);
                    let end = text::INSET + bar.end() / layout.max * layout.width;
                    let figure = text::width(bar.text().0);
                    (point((end + GAP + figure + NAME, y)), Ink::Muted)
                }
            };
            area.draw_text(&series.label, &text::style(ink, HPos::Left), at)?;
        }
        Ok(())
    }
}
