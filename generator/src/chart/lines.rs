//! Values over something that grows: threads, sessions, releases. Either points joined by a
//! line, or points with the line that was fitted through them.

use super::annotation::{self, Annotation};
use super::axis::{self, Plot, Scale, Tick, draw_y_grid};
use super::class::Class;
use super::line::Line;
use super::names::{self, Name};
use super::tooltip::Tooltip;
use super::{
    Area, Axis, Caption, Drawing, Result, WIDTH, document, extent, marker, point, px, px_of, text,
    upx,
};
use crate::look::Look;
use crate::unit::group_thousands;
use plotters::chart::ChartBuilder;
use plotters::element::PathElement;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos;

/// A line chart whose values start at zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Its alternative text.
    pub caption: Caption,
    /// The x axis.
    pub x: XAxis,
    /// The y axis.
    pub y: Axis,
    /// The lines; a name stands at the right end of each.
    pub lines: Vec<Line>,
    /// Points that stand out.
    pub annotations: Vec<Annotation>,
}

/// The axis below a line chart.
#[derive(Clone, Debug, PartialEq)]
pub struct XAxis {
    /// What it counts: `threads`.
    pub title: String,
    /// Places that have names of their own, such as releases; where there are none, round
    /// numbers from zero.
    pub ticks: Vec<Tick>,
    /// More names of places, in a row for each line that has any: the versions of each.
    pub rows: Vec<Vec<Tick>>,
}

/// Height of the plot, and of what is above and below it; px.
const PLOT: f64 = 260.0;
const TOP: f64 = 26.0;
const TICKS: f64 = 24.0;
const NOTE: f64 = 20.0;
/// Height of a row of names below the axis, and room for the marker before it, px.
const ROW: f64 = 20.0;
const ROW_LEFT: f64 = 64.0;
/// A name is not cut to less than this, px.
const MIN_NAME: f64 = 60.0;
/// Half of an interval's cap, px.
const CAP: f64 = 3.0;
/// Half the side of the square around a point that shows its text, px.
const REACH: f64 = 9.0;

/// The layout of a line chart.
struct Layout {
    x: (f64, f64),
    y_max: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    /// Room for the labels of the y axis and for the names of the lines, px.
    left: f64,
    right: f64,
}

impl Layout {
    fn of(chart: &Lines) -> Self {
        let points = || chart.lines.iter().flat_map(Line::points);
        let highest = points().map(|p| p.interval().map_or(p.y, |(_, high)| p.y.max(high)));
        // Named places may start anywhere, as years do; counted ones start at nothing.
        let zero = chart.x.ticks.is_empty().then_some(0.0);
        let places = chart.x.ticks.iter().map(|t| t.at).chain(zero);
        let places = places.chain(points().map(|p| p.x));
        let (x_min, x_max) = extent(places).unwrap_or((0.0, 1.0));
        let x_max = if x_max > x_min { x_max } else { x_min + 1.0 };
        let fitted = chart
            .lines
            .iter()
            .filter_map(|l| l.fit().and(l.end((x_min, x_max))))
            .map(|e| e.1);
        let y_max = highest.chain(fitted).fold(0.0, f64::max);
        let y_max = if y_max > 0.0 { y_max * 1.04 } else { 1.0 };
        let y_ticks = axis::linear(y_max, 5);
        let widest =
            |labels: &mut dyn Iterator<Item = &str>| labels.map(text::width).fold(0.0, f64::max);
        let left = widest(&mut y_ticks.iter().map(|t| t.label.as_str())) + 9.0;
        let left = match chart.x.rows.is_empty() {
            true => left,
            false => left.max(ROW_LEFT),
        };
        let names = widest(&mut chart.lines.iter().map(|l| l.series.label.as_str()));
        let right = names::LEAD + names::GAP + names.min(f64::from(WIDTH) * 0.42);
        let plot = f64::from(WIDTH) - left - right;
        let x_ticks = match chart.x.ticks.as_slice() {
            [] => axis::linear_within(x_max, 8, plot),
            named => axis::labels_apart(named, |x| x * plot / (x_max - x_min)),
        };
        Self {
            x: (x_min, x_max),
            y_max,
            x_ticks,
            y_ticks,
            left,
            right,
        }
    }

    fn px_per_x(&self) -> f64 {
        (f64::from(WIDTH) - self.left - self.right) / (self.x.1 - self.x.0)
    }

    /// Where the markers before the names are, px.
    fn names(&self) -> f64 {
        f64::from(WIDTH) - self.right + names::LEAD
    }
}

impl Lines {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let layout = Layout::of(self);
        let height = (TOP + PLOT + TICKS + self.rows_height() + NOTE) as u32;
        let series = self.lines.iter().map(|l| &l.series);
        document(&self.caption, (WIDTH, height), series, |area, looks| {
            self.draw(area, &layout, looks)
        })
    }

    fn draw(&self, area: &Area<'_>, layout: &Layout, looks: &[Look]) -> Result<Vec<Tooltip>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(upx(TOP))
            .margin_right(upx(layout.right))
            .x_label_area_size(upx(TICKS + self.rows_height() + NOTE))
            .y_label_area_size(upx(layout.left))
            .build_cartesian_2d(
                Scale::linear(layout.x.0..layout.x.1, layout.x_ticks.clone()),
                Scale::linear(0.0..layout.y_max, layout.y_ticks.clone()),
            )?;
        draw_y_grid(&mut chart, &self.x.title)?;
        let zero = [(layout.x.0, 0.0), (layout.x.1, 0.0)];
        let zero = PathElement::new(zero, Class::AXIS.shape());
        chart.plotting_area().draw(&zero)?;
        self.draw_intervals(area, &chart, layout)?;
        let ends = self.lines.iter().map(|line| line.end(layout.x));
        let ends = ends.map(|end| end.map(|at| chart.backend_coord(&at)));
        let names = names::place(ends, TOP - 6.0, TOP + PLOT + TICKS);
        names::draw_leads(area, layout.names(), &names)?;
        for (index, (line, look)) in self.lines.iter().zip(looks).enumerate() {
            let class = Class::LINE.of(index).shape();
            chart.draw_series(LineSeries::new(line.path(layout.x), class))?;
            for p in line.with_markers(layout.px_per_x()) {
                marker::draw(area, look.marker, index, chart.backend_coord(&(p.x, p.y)))?;
            }
            if let Some(Name { y, .. }) = names[index] {
                marker::draw(area, look.marker, index, point((layout.names(), y)))?;
            }
        }
        let taken = self.lines.iter().flat_map(Line::points);
        let taken = taken.map(|p| chart.backend_coord(&(p.x, p.y))).collect();
        annotation::draw(area, &chart, &self.annotations, taken)?;
        self.draw_rows(area, &chart, layout, looks)?;
        let style = text::style(Class::MUTED, HPos::Left);
        area.draw_text(&self.y.note(), &style, point((0.0, 10.0)))?;
        let labels = self.lines.iter().map(|l| l.series.label.as_str());
        names::draw(area, layout.names(), labels.zip(&names))?;
        Ok(self.tooltips(&chart))
    }

    /// On each point.
    fn tooltips(&self, chart: &Plot<'_, '_>) -> Vec<Tooltip> {
        let tooltip = |line: &Line, p: &super::Point| {
            let tick = self.x.ticks.iter().find(|t| t.at == p.x);
            let place = tick.map_or_else(
                || format!("{} {}", group_thousands(&p.x.to_string()), self.x.title),
                |t| t.label.clone(),
            );
            let value = group_thousands(&format!("{:.1}", p.y));
            let text = format!("{}, {place}: {value} {}", line.series.label, self.y.unit);
            Tooltip::around(px_of(chart.backend_coord(&(p.x, p.y))), REACH, text)
        };
        let of_line = |line| Line::points(line).map(move |p| tooltip(line, p));
        self.lines.iter().flat_map(of_line).collect()
    }

    /// The rows of names that have any, with the index of their lines.
    fn rows(&self) -> impl Iterator<Item = (usize, &Vec<Tick>)> {
        let rows = self.x.rows.iter().take(self.lines.len()).enumerate();
        rows.filter(|(_, row)| !row.is_empty())
    }

    fn rows_height(&self) -> f64 {
        self.rows().count() as f64 * ROW
    }

    /// Below the axis, each behind the marker of its line.
    fn draw_rows(
        &self,
        area: &Area<'_>,
        chart: &Plot<'_, '_>,
        layout: &Layout,
        looks: &[Look],
    ) -> Result<()> {
        let px_per_x = layout.px_per_x();
        for (place, (line, row)) in self.rows().enumerate() {
            let y = TOP + PLOT + TICKS + (place as f64 + 0.5) * ROW - 2.0;
            marker::draw(area, looks[line].marker, line, point((6.0, y)))?;
            for tick in axis::labels_apart(&shortened(row, px_per_x), |x| x * px_per_x) {
                let (x, _) = chart.backend_coord(&(tick.at, 0.0));
                let style = text::style(Class::MUTED, HPos::Center);
                area.draw_text(&tick.label, &style, (x, px(y)))?;
            }
        }
        Ok(())
    }

    fn draw_intervals(&self, area: &Area<'_>, chart: &Plot<'_, '_>, layout: &Layout) -> Result<()> {
        let points = self
            .lines
            .iter()
            .flat_map(|l| l.with_markers(layout.px_per_x()));
        for (x, (low, high)) in points.filter_map(|p| Some((p.x, p.interval()?))) {
            let ends = [low, high].map(|y| chart.backend_coord(&(x, y)));
            let cap = |(x, y): (i32, i32)| [(x - px(CAP), y), (x + px(CAP), y)];
            for path in [ends, cap(ends[0]), cap(ends[1])] {
                area.draw(&PathElement::new(path, Class::WHISKER.shape()))?;
            }
        }
        Ok(())
    }
}

/// Names no longer than the room between two neighbours.
fn shortened(ticks: &[Tick], px_per_x: f64) -> Vec<Tick> {
    let gaps = ticks.windows(2).map(|p| (p[1].at - p[0].at) * px_per_x);
    let room = gaps.fold(f64::INFINITY, f64::min) - 8.0;
    let shorten = |t: &Tick| Tick {
        at: t.at,
        label: if text::width(&t.label) > room && room > MIN_NAME {
            text::shorten(&t.label, room)
        } else {
            t.label.clone()
        },
    };
    ticks.iter().map(shorten).collect()
}
