//! Line charts over threads, sessions, releases or time: points joined by a line, or points with a
//! line fitted through them.

use super::axis::{self, AxisScale, Tick, mesh};
use super::canvas::{Canvas, Plot, Result, place, plotted, px};
use super::class::Class;
use super::{
    Axis, Caption, Drawing, REACH, Series, TICKS, WIDTH, extent, largest, names, scale_end, text,
};
use crate::base::words::count;
use crate::model::unit::group_thousands;
use crate::stats::LinearFit;
use plotters::chart::ChartBuilder;
use plotters::element::PathElement;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos::{Center, Left};
use std::ops::Range;

/// A line chart whose values start at zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Its alternative text.
    pub caption: Caption,
    /// The x axis.
    pub x: XAxis,
    /// The y axis.
    pub y: Axis,
    /// The minimum end of the y axis, shared by the charts of a section.
    pub y_end: Option<f64>,
    /// The lines, each labelled at its right end.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The implementation.
    pub series: Series,
    /// Joined from left to right. One that is right of its successor stands alone.
    pub points: Vec<Point>,
    /// A fitted line, drawn instead of joining the points.
    pub fit: Option<LinearFit>,
}

/// A measured point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Threads, sessions or a day.
    pub x: f64,
    /// In the y axis's unit.
    pub y: f64,
    /// The ends of the interval of y.
    pub interval: Option<(f64, f64)>,
    /// The number of runs, if known.
    pub runs: Option<usize>,
    /// What stands here, such as a version.
    pub label: Option<String>,
    /// A ring around the point.
    pub ring: Option<Ring>,
}

/// A ring around a point, with a name that is explained in the text beside the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// A number or letter; empty for a ring without a name.
    pub name: String,
    /// Whether the ring is solid; otherwise it is dashed.
    pub tested: bool,
}

/// The axis below a line chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct XAxis {
    /// The counted thing: `threads`.
    pub title: String,
    /// Named positions, such as releases; if empty, the ticks are round numbers from zero.
    pub ticks: Vec<Tick>,
}

/// Height of the plot, and of the space above it; px.
const PLOT: f64 = 260.0;
const TOP: f64 = 26.0;
/// Height of the title of the x axis, px.
const ROW: f64 = 20.0;
/// Distance from the plot to the marker before a line's name, and from there to the name; px.
const LEAD: f64 = 16.0;
const GAP: f64 = 9.0;
/// Half the length of an interval's cap, px.
const CAP: f64 = 3.0;
/// Lines with up to this many points have a tooltip on each, however close they are.
const FEW_POINTS: usize = 12;

/// Lines with more points than this have markers and intervals only at points that are at least
/// [`MARKER_ROOM`] px apart.
const MANY_POINTS: usize = 40;
const MARKER_ROOM: f64 = 12.0;

/// Radius of a ring, px.
const RADIUS: f64 = 7.0;
/// Vertical distance from the centre of a ring to that of its name, and the height of a name; px.
const ASIDE: f64 = RADIUS + 9.0;
const ROOM: f64 = 14.0;

impl Line {
    /// The points with a marker: all of them, unless there are many and they are too close.
    fn with_markers(&self, px_per_x: f64) -> Vec<&Point> {
        let mut points: Vec<&Point> = self.points.iter().collect();
        if points.len() > MANY_POINTS {
            points.dedup_by(|p, last| (p.x - last.x) * px_per_x < MARKER_ROOM);
        }
        points
    }

    /// The points to join: the measured ones, or both ends of the fitted line, clamped at zero.
    fn path(&self, x: &Range<f64>) -> Vec<(f64, f64)> {
        match self.fit {
            Some(fit) => [x.start, x.end].map(|x| (x, fit.at(x).max(0.0))).to_vec(),
            None => {
                // A line does not run backwards: an old branch is maintained beside newer ones.
                let mut path: Vec<(f64, f64)> = Vec::new();
                for point in self.points.iter().rev() {
                    if path.last().is_none_or(|(next, _)| point.x <= *next) {
                        path.push((point.x, point.y));
                    }
                }
                path.reverse();
                path
            }
        }
    }

    /// The right end of the drawn line.
    fn end(&self, x: &Range<f64>) -> (f64, f64) {
        self.path(x).pop().unwrap_or((x.start, 0.0))
    }
}

impl Lines {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let size = (WIDTH, TOP + PLOT + self.below());
        let series = self.lines.iter().map(|l| &l.series);
        plotted(&self.caption, size, series, |canvas| {
            let mut plot = self.draw_axes(canvas)?;
            self.draw_intervals(canvas, &plot)?;
            self.draw_lines(canvas, &mut plot)?;
            self.draw_text(canvas, &plot)
        })
    }

    /// The right end of the plot, before the names of the lines; px.
    fn right(&self) -> f64 {
        let names = largest(self.lines.iter().map(|l| text::width(&l.series.label)));
        WIDTH - LEAD - GAP - names.min(WIDTH * 0.36)
    }

    fn draw_axes<'a, 'b>(&self, canvas: &'a Canvas<'b>) -> Result<Plot<'a, 'b>> {
        let points = || self.lines.iter().flat_map(|l| &l.points);
        // Named positions may start anywhere, as years do; counts start at zero.
        let zero = self.x.ticks.is_empty().then_some(0.0);
        let places = self.x.ticks.iter().map(|t| t.at).chain(zero);
        let places = places.chain(points().map(|p| p.x));
        let (start, end) = extent(places).unwrap_or((0.0, 1.0));
        let x = start..if end > start { end } else { start + 1.0 };
        let measured = points().map(|p| p.interval.map_or(p.y, |(_, high)| p.y.max(high)));
        let fitted = self.lines.iter().filter(|l| l.fit.is_some());
        let fitted = fitted.map(|l| l.end(&x).1);
        let highest = scale_end(measured.chain(fitted).chain(self.y_end)) * 1.04;
        let y_ticks = axis::linear(highest, 5);
        let labels = largest(y_ticks.iter().map(|t| text::width(&t.label)));
        let left = labels + 9.0;
        let width = self.right() - left;
        let x_ticks = match self.x.ticks.as_slice() {
            [] => axis::linear_within(x.end, 8, width),
            named => axis::without_overlaps(named, |at| at * width / (x.end - x.start)),
        };
        let zero = [(x.start, 0.0), (x.end, 0.0)];
        let x = AxisScale::linear(x, x_ticks);
        let y = AxisScale::linear(0.0..highest, y_ticks);
        let mut plot = ChartBuilder::on(&canvas.area)
            .margin_top(px(TOP))
            .margin_right(px(WIDTH - self.right()))
            .x_label_area_size(px(self.below()))
            .y_label_area_size(px(left))
            .build_cartesian_2d(x, y)?;
        let mut mesh = mesh(&mut plot);
        // No title of the y axis: it would be rotated, which is hard to read.
        if !self.x.title.is_empty() {
            mesh.x_desc(&self.x.title);
        }
        mesh.disable_x_mesh().draw()?;
        let axis = PathElement::new(zero, Class::AXIS);
        plot.plotting_area().draw(&axis)?;
        Ok(plot)
    }

    /// The position of each line's name, px.
    fn names(&self, plot: &Plot<'_, '_>) -> Vec<(f64, f64)> {
        let ends = self.lines.iter().map(|l| l.end(&plot.x_range()));
        let wanted: Vec<f64> = ends.map(|(x, y)| place(plot, x, y).1).collect();
        let spaced = names::spaced(&wanted, text::LINE, TOP - 6.0, TOP + PLOT + TICKS);
        let right = self.right() + LEAD;
        spaced.into_iter().map(|y| (right, y)).collect()
    }

    fn draw_lines(&self, canvas: &Canvas<'_>, plot: &mut Plot<'_, '_>) -> Result {
        let (range, names) = (plot.x_range(), self.names(plot));
        for (line, name) in self.lines.iter().zip(&names) {
            let (x, y) = line.end(&range);
            canvas.line([place(plot, x, y), *name], Class::GRID)?;
        }
        for (index, (line, name)) in self.lines.iter().zip(&names).enumerate() {
            let path = line.path(&range);
            plot.draw_series(LineSeries::new(path, Class::LINE.of(index)))?;
            for p in line.with_markers(px_per_x(plot)) {
                canvas.marker(index, place(plot, p.x, p.y))?;
            }
            canvas.marker(index, *name)?;
        }
        Ok(())
    }

    fn draw_text(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>) -> Result {
        let mut points = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let places: Vec<_> = line.points.iter().map(|p| place(plot, p.x, p.y)).collect();
            // Many overlapping tooltips would bloat the file and be hard to point at.
            let apart = |pair: &[(f64, f64)]| pair[1].0 - pair[0].0 >= 2.0 * REACH;
            if places.len() <= FEW_POINTS || places.windows(2).all(apart) {
                for (p, at) in line.points.iter().zip(&places) {
                    canvas.tooltip(index, *at, REACH, &self.tooltip(line, p));
                }
            }
            points.extend(places);
        }
        self.draw_rings(canvas, plot, points)?;
        canvas.text(&self.y.note(), Class::MUTED, Left, (0.0, 10.0))?;
        for (index, (line, (x, y))) in self.lines.iter().zip(self.names(plot)).enumerate() {
            let class = Class::NAME.of(index);
            canvas.text(&line.series.label, class, Left, (x + GAP, y))?;
        }
        Ok(())
    }

    fn tooltip(&self, line: &Line, p: &Point) -> String {
        let tick = self.x.ticks.iter().find(|t| t.at == p.x);
        let labels = [tick.map(|t| &t.label), p.label.as_ref()];
        let place = match labels.into_iter().flatten().find(|l| !l.is_empty()) {
            Some(label) => label.clone(),
            None => format!("{} {}", group_thousands(&p.x.to_string()), self.x.title),
        };
        let figure = |value: f64| group_thousands(&format!("{value:.1}"));
        let interval = p.interval.map_or_else(String::new, |(low, high)| {
            format!(", 95% interval {} to {}", figure(low), figure(high))
        });
        let runs = p
            .runs
            .map_or_else(String::new, |n| format!(", {}", count(n, "run")));
        let (name, unit) = (&line.series.label, &self.y.unit);
        format!("{name}, {place}: {} {unit}{interval}{runs}", figure(p.y))
    }

    /// Draws rings, with names placed to avoid each other and the points (px).
    fn draw_rings(
        &self,
        canvas: &Canvas<'_>,
        plot: &Plot<'_, '_>,
        points: Vec<(f64, f64)>,
    ) -> Result {
        let points = points.into_iter();
        let mut taken: Vec<(f64, f64, f64)> = points.map(|(x, y)| (x, y, REACH / 2.0)).collect();
        let lines = self.lines.iter().enumerate();
        for (line, point) in lines.flat_map(|(i, l)| l.points.iter().map(move |p| (i, p))) {
            let Some(ring) = &point.ring else { continue };
            let (x, y) = place(plot, point.x, point.y);
            let class = match ring.tested {
                true => Class::WHISKER.of(line),
                false => Class::DASHED.of(line),
            };
            canvas.circle((x, y), RADIUS, class)?;
            if ring.name.is_empty() {
                continue;
            }
            let half = text::width(&ring.name) / 2.0;
            let places = [
                (0.0, -1.0),
                (0.0, 1.0),
                (1.0, -1.0),
                (1.0, 1.0),
                (-1.0, -1.0),
                (-1.0, 1.0),
            ]
            .map(|(right, down)| (x + right * (half + RADIUS), y + down * ASIDE));
            let free = |p: &&(f64, f64)| {
                let is_inside = p.0 - half >= 0.0 && p.0 + half <= self.right() + LEAD;
                let is_apart = |t: &(f64, f64, f64)| {
                    (p.0 - t.0).abs() > half + t.2 || (p.1 - t.1).abs() > ROOM
                };
                is_inside && taken.iter().all(is_apart)
            };
            // A name without room is in the tooltip.
            if let Some((x, y)) = places.iter().find(free) {
                taken.push((*x, *y, half));
                canvas.text(&ring.name, Class::MUTED, Center, (*x, *y))?;
            }
        }
        Ok(())
    }

    /// Height of the space below the plot, px.
    fn below(&self) -> f64 {
        match self.x.title.is_empty() {
            true => TICKS + 4.0,
            false => TICKS + ROW,
        }
    }

    fn draw_intervals(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>) -> Result {
        let px_per_x = px_per_x(plot);
        for (series, line) in self.lines.iter().enumerate() {
            for p in line.with_markers(px_per_x) {
                if let Some((low, high)) = p.interval {
                    let ends = [low, high].map(|y| place(plot, p.x, y));
                    canvas.whisker(ends, (CAP, 0.0), series)?;
                }
            }
        }
        Ok(())
    }
}

fn px_per_x(plot: &Plot<'_, '_>) -> f64 {
    let Range { start, end } = plot.x_range();
    (place(plot, end, 0.0).0 - place(plot, start, 0.0).0) / (end - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_does_not_run_backwards() {
        let point = |(x, y)| Point {
            x,
            y,
            ..Point::default()
        };
        let line = Line {
            points: [(2.0, 5.0), (1.0, 2.0), (3.0, 4.0)].map(point).to_vec(),
            ..Line::default()
        };
        assert_eq!(line.path(&(0.0..4.0)), [(1.0, 2.0), (3.0, 4.0)]);
    }
}
