//! Line charts over threads, sessions, releases or time: points joined by a line, or points with a
//! line fitted through them. plotters draws the axes and the lines.

use super::axis::{self, Tick};
use super::document::{Panel, document};
use super::svg::{AXIS, GRID, Svg, gap, line, px, units};
use super::{Axis, Drawing, Series, WIDTH, extent, largest, text};
use crate::base::escape::xml;
use crate::base::words::count;
use crate::chart::look::{self, Look};
use crate::model::scale::group_thousands;
use crate::stats::LinearFit;
use plotters::chart::ChartBuilder;
use plotters::coord::CoordTranslate as _;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::PathElement;
use plotters::series::LineSeries;
use plotters::style::RGBColor;
use std::convert::Infallible;
use std::ops::Range;

/// A line chart whose values start at zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The x axis.
    pub x: XAxis,
    /// The y axis.
    pub y: Axis,
    /// The lines, each labelled at its right end.
    pub lines: Vec<Line>,
    /// The label of the scenario; empty for several.
    pub of: String,
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
    /// The figure with its unit of which y is a ratio; empty if y is the figure.
    pub figure: String,
    /// What is written beside it where there is room, the longest first.
    pub names: Vec<String>,
    /// A ring around the point.
    pub ring: Option<Ring>,
    /// Whether something is missing between the point before and this one.
    pub is_after_gap: bool,
}

/// A ring around a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ring {
    /// Of what is tested.
    Solid,
    /// Of what is not.
    Dashed,
}

/// The axis below a line chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct XAxis {
    /// The counted thing in the singular, if any: `thread`.
    pub counted: String,
    /// Named positions, such as releases; if empty, the ticks are round numbers from zero.
    pub ticks: Vec<Tick>,
    /// Whether it is logarithmic.
    pub is_log: bool,
}

/// Steps of an axis, at most.
const STEPS: usize = 5;
/// Height of the plot, and of the spaces above it and below it; px.
const PLOT: f64 = 260.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 44.0;
/// Distance from the plot to the marker before a line's name, and from there to the name; px.
const LEAD: f64 = 16.0;
const GAP: f64 = 9.0;
/// An axis of ratios shows at least these differences from one, and so much beyond all marks.
const FLAT: f64 = 0.05;
const MARGIN: f64 = 1.02;
/// Half the width of a marker, px.
const MARKER: f64 = 5.0;
/// Points that are closer, in px, to the one before have no mark, in lines with more of them than
/// [`MANY_POINTS`].
const MARK_ROOM: f64 = 12.0;
const MANY_POINTS: usize = 40;
/// Distance from a point to its name, and the height of the name; px.
const ASIDE: f64 = 18.0;
const NAME_HEIGHT: f64 = 17.0;

impl Line {
    /// The points to join: the measured ones, or both ends of the fitted line, clamped at zero.
    fn path(&self, x: &Range<f64>) -> Vec<(f64, f64)> {
        match self.fit {
            Some(fit) => [x.start, x.end].map(|x| (x, fit.at(x).max(0.0))).to_vec(),
            None => self.joined().into_iter().map(|p| (p.x, p.y)).collect(),
        }
    }

    /// A line does not run backwards: an old branch is maintained beside newer ones.
    fn joined(&self) -> Vec<&Point> {
        let mut joined: Vec<&Point> = Vec::new();
        for point in self.points.iter().rev() {
            if joined.last().is_none_or(|next| point.x <= next.x) {
                joined.push(point);
            }
        }
        joined.reverse();
        joined
    }

    /// The joined points in parts with their colours: across a gap, the line is dashed.
    fn parts(&self, series: usize, x: &Range<f64>) -> Vec<(RGBColor, Vec<(f64, f64)>)> {
        let path = self.path(x);
        let joined = self.joined();
        let has_gap = |place: usize| self.fit.is_none() && joined[place].is_after_gap;
        let mut parts = vec![(line(series), Vec::new())];
        for (place, point) in path.iter().enumerate() {
            if place > 0 && has_gap(place) {
                parts.push((gap(series), vec![path[place - 1], *point]));
                parts.push((line(series), Vec::new()));
            }
            let last = parts.len() - 1;
            parts[last].1.push(*point);
        }
        parts.retain(|(_, points)| points.len() > 1);
        parts
    }

    /// The right end of the drawn line.
    fn end(&self, x: &Range<f64>) -> (f64, f64) {
        self.path(x).pop().unwrap_or((x.start, 0.0))
    }
}

/// The coordinates of a plot.
type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;

impl Lines {
    /// Returns a point in the coordinates of the plane, which is linear.
    fn linear(&self, x: f64, y: f64) -> (f64, f64) {
        let of = |value: f64, is_log: bool| if is_log { value.log10() } else { value };
        (of(x, self.x.is_log), of(y, self.y.is_log))
    }

    /// Converts a point of a plot to px.
    fn place(&self, plane: &Plane, x: f64, y: f64) -> (f64, f64) {
        px(plane.translate(&self.linear(x, y)))
    }

    /// Draws the chart, with its alternative text.
    pub fn render(&self, title: &str, description: &str) -> Drawing {
        let looks = look::looks(self.lines.iter().map(|line| line.series.look));
        let all = 0..self.lines.len();
        let panels: Vec<Panel> = match self.is_flat() {
            true => all.map(|one| self.panel(one..one + 1, &looks)).collect(),
            false => vec![self.panel(all, &looks)],
        };
        document(title, description, &panels)
    }

    /// Whether all lines are flat and would hide each other: each has a panel, with the same axes.
    fn is_flat(&self) -> bool {
        let mut points = self.lines.iter().flat_map(|line| &line.points);
        self.y.is_ratio() && points.all(|p| (p.y - 1.0).abs() < FLAT)
    }

    fn height(&self) -> f64 {
        if self.is_flat() { PLOT / 2.0 } else { PLOT }
    }

    fn panel(&self, shown: Range<usize>, looks: &[Look]) -> Panel {
        let mut body = String::with_capacity(8 << 10);
        let plane = match self.plot(&mut body, looks, shown.clone()) {
            Ok(plane) => plane,
            // plotters fails only if the backend does, whose error is `Infallible`, or if the backend
            // is shared, and each chart has its own.
            Err(error) => unreachable!("cannot draw {:?}: {error}", self.of),
        };
        self.draw_x_axis(&mut body, &plane);
        self.draw_names(&mut body, &plane, looks, shown.clone());
        for series in shown.clone() {
            self.draw_marks(
                &mut body,
                &plane,
                (series, &self.lines[series]),
                looks[series],
            );
        }
        self.draw_point_names(&mut body, &plane, &self.lines[shown]);
        Panel {
            body,
            of: self.of.clone(),
            width: WIDTH,
            height: TOP + self.height() + BOTTOM,
        }
    }

    /// The ends of the x axis: named positions may start anywhere, as years do; counts start at zero.
    fn x_range(&self) -> Range<f64> {
        let zero = (self.x.ticks.is_empty() && !self.x.is_log).then_some(0.0);
        let points = self.lines.iter().flat_map(|line| &line.points);
        let places = self.x.ticks.iter().map(|tick| tick.at).chain(zero);
        let (start, end) = extent(places.chain(points.map(|p| p.x))).unwrap_or((0.0, 1.0));
        start..if end > start { end } else { start + 1.0 }
    }

    /// The start of the y axis: zero, or below all points of a logarithmic one.
    fn y_start(&self) -> f64 {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let lowest = points.map(|p| p.interval.map_or(p.y, |i| i.0.min(p.y)));
        let lowest = lowest.filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min);
        match self.y.is_log && lowest.is_finite() {
            true if self.y.is_ratio() => lowest.min(1.0 - FLAT) / MARGIN,
            true => lowest / 1.15,
            false => 0.0,
        }
    }

    /// The end of the y axis, above all points, intervals and fitted lines.
    fn y_end(&self, x: &Range<f64>) -> f64 {
        let of_line = |line: &Line| {
            let fit = line.fit.map(|_| line.end(x).1);
            let points = line.points.iter();
            largest(
                points
                    .map(|p| p.interval.map_or(p.y, |i| i.1.max(p.y)))
                    .chain(fit),
            )
        };
        let highest = largest(self.lines.iter().map(of_line));
        match self.y.is_ratio() {
            true => MARGIN * highest.max(1.0 + FLAT),
            false => 1.04 * if highest > 0.0 { highest } else { 1.0 },
        }
    }

    /// Draws the grid, the y axis and the lines.
    fn plot(
        &self,
        out: &mut String,
        looks: &[Look],
        shown: Range<usize>,
    ) -> Result<Plane, DrawingAreaErrorKind<Infallible>> {
        let x = self.x_range();
        let y = self.y_start()..self.y_end(&x);
        let ticks = match self.y.is_log {
            true => axis::logarithmic(y.start, y.end),
            false => axis::linear(y.end, STEPS),
        };
        let labels = largest(ticks.iter().map(|tick| text::width(&tick.label)));
        let area = Svg {
            out,
            size: (WIDTH, TOP + self.height() + BOTTOM),
            colors: looks.iter().map(|look| look.color()).collect(),
        }
        .into_drawing_area();
        let (first, last) = (self.linear(x.start, y.start), self.linear(x.end, y.end));
        let mut plot = ChartBuilder::on(&area)
            .margin_top(units(TOP))
            .margin_bottom(units(BOTTOM))
            .margin_right(units(WIDTH - self.right()))
            .margin_left(units(labels + 9.0))
            .build_cartesian_2d(first.0..last.0, first.1..last.1)?;
        for tick in &ticks {
            let color = if tick.at == self.y.origin { AXIS } else { GRID };
            let line = [x.start, x.end].map(|x| self.linear(x, tick.at));
            plot.plotting_area().draw(&PathElement::new(line, color))?;
        }
        for series in shown {
            for (color, points) in self.lines[series].parts(series, &x) {
                let path = points.into_iter().map(|(x, y)| self.linear(x, y));
                plot.draw_series(LineSeries::new(path, color))?;
            }
        }
        let plane = plot.as_coord_spec().clone();
        drop(plot);
        drop(area);
        let start = self.place(&plane, x.start, y.end).0;
        for tick in ticks {
            let y = self.place(&plane, x.start, tick.at).1;
            *out += &text::element("m e", (start - 8.0, y), &tick.label, labels);
        }
        Ok(plane)
    }

    /// The right end of the plot, before the names of the lines; px.
    fn right(&self) -> f64 {
        let names = largest(self.lines.iter().map(|l| text::width(&l.series.label)));
        WIDTH - LEAD - GAP - names.min(WIDTH * 0.36)
    }

    /// Writes the unit of the y axis, which has no rotated title, and the labels of the x axis.
    fn draw_x_axis(&self, out: &mut String, plane: &Plane) {
        *out += &text::element("m", (0.0, 10.0), &self.y.note(), WIDTH);
        let ticks = match self.x.ticks.is_empty() {
            true => axis::linear(self.x_range().end, STEPS),
            false => self.x.ticks.clone(),
        };
        let centered = |x: f64, y: f64, label: &str| {
            text::element("m c", (x, y), label, 2.0 * x.min(WIDTH - x))
        };
        for tick in axis::without_overlaps(ticks, |at| self.place(plane, at, self.y_start()).0) {
            let (x, y) = self.place(plane, tick.at, self.y_start());
            *out += &centered(x, y + 15.0, &tick.label);
        }
        if !self.x.counted.is_empty() {
            let Range { start, end } = self.x_range();
            let (x, y) = self.place(plane, (start + end) / 2.0, self.y_start());
            *out += &centered(x, y + 34.0, &format!("{}s", self.x.counted));
        }
    }

    /// Writes the name of each line at its end, moved so that names do not overlap.
    fn draw_names(&self, out: &mut String, plane: &Plane, looks: &[Look], shown: Range<usize>) {
        let x_range = self.x_range();
        let end = |line: &Line| {
            let (x, y) = line.end(&x_range);
            self.place(plane, x, y)
        };
        let mut lines: Vec<_> = self.lines.iter().zip(looks).enumerate().collect();
        lines.retain(|(series, _)| shown.contains(series));
        lines.sort_by(|(_, a), (_, b)| end(a.0).1.total_cmp(&end(b.0).1));
        let wanted: Vec<f64> = lines.iter().map(|(_, (line, _))| end(line).1).collect();
        let places = spaced(&wanted, text::LINE, TOP + self.height() + BOTTOM);
        let x = self.right() + LEAD;
        for ((series, (line, look)), y) in lines.into_iter().zip(places) {
            let ((from_x, from_y), color) = (end(line), look.color());
            let marker = look.marker();
            let name = text::element("y", (x + GAP, y), &line.series.label, WIDTH - x - GAP);
            *out += &format!(
                "<path class=\"g\" d=\"M{from_x} {from_y}L{x:.1} {y:.1}\"/><g color=\"{color}\" data-s=\"{series}\"><g transform=\"translate({x:.1} {y:.1})\">{marker}</g>{name}</g>\n"
            );
        }
    }

    /// Draws points with what they show when pointed at, their intervals and rings.
    fn draw_marks(
        &self,
        out: &mut String,
        plane: &Plane,
        (series, line): (usize, &Line),
        look: Look,
    ) {
        let mut before = f64::NEG_INFINITY;
        let color = look.color();
        *out += &format!("<g color=\"{color}\" data-s=\"{series}\">\n");
        for point in &line.points {
            let (x, y) = self.place(plane, point.x, point.y);
            let is_close = line.points.len() > MANY_POINTS && (x - before).abs() < MARK_ROOM;
            if is_close && point.ring.is_none() {
                continue;
            }
            before = x;
            let tooltip = self.tooltip(line, point);
            let tooltip = xml(&tooltip);
            *out += &format!(
                "<g class=\"mark\" transform=\"translate({x} {y})\"><title>{tooltip}</title>"
            );
            if let Some((low, high)) = point.interval {
                let [low, high] = [low, high].map(|end| self.place(plane, point.x, end).1 - y);
                *out += &format!("<path class=\"w\" d=\"M-3 {low:.1}h6m-3 0V{high:.1}m-3 0h6\"/>");
            }
            *out += look.marker();
            if let Some(ring) = &point.ring {
                let class = match ring {
                    Ring::Solid => "w",
                    Ring::Dashed => "h",
                };
                *out += &format!("<circle class=\"{class}\" r=\"7\"/>");
            }
            *out += "</g>\n";
        }
        *out += "</g>\n";
    }

    /// Writes the names of points above or below them where there is room: beside no other text, and on no
    /// line.
    fn draw_point_names(&self, out: &mut String, plane: &Plane, shown: &[Line]) {
        let points = || shown.iter().flat_map(|line| &line.points);
        let note = text::width(&self.y.note()) / 2.0;
        let mut taken = vec![(note, 10.0, note)];
        for point in points() {
            let (x, y) = self.place(plane, point.x, point.y);
            taken.push((x, y, 4.0));
        }
        let x_range = self.x_range();
        let mut segments = Vec::new();
        for line in shown {
            let path: Vec<_> = line.path(&x_range);
            let path: Vec<_> = path
                .into_iter()
                .map(|(x, y)| self.place(plane, x, y))
                .collect();
            segments.extend(path.windows(2).map(|ends| [ends[0], ends[1]]));
        }
        let (left, bottom) = self.place(plane, x_range.start, self.y_start());
        for point in points() {
            let at = self.place(plane, point.x, point.y);
            let mut places = point
                .names
                .iter()
                .flat_map(|name| [(name, -ASIDE), (name, ASIDE)]);
            let fitting = places.find_map(|(name, aside)| {
                let half = text::width(name) / 2.0;
                // Right of the labels of the y axis, and left of the markers before the names of lines.
                let x =
                    at.0.max(left + half)
                        .min(self.right() + LEAD - MARKER - half);
                let y = at.1 + aside;
                let is_apart = |other: &(f64, f64, f64)| {
                    (x - other.0).abs() > half + other.2 || (y - other.1).abs() > NAME_HEIGHT
                };
                let is_free = taken.iter().all(is_apart)
                    && y < bottom - NAME_HEIGHT / 2.0
                    && !segments.iter().any(|ends| crosses(*ends, (x, y), half));
                is_free.then_some((name, x, y, half))
            });
            // A name without room is in the tooltip.
            if let Some((name, x, y, half)) = fitting {
                taken.push((x, y, half));
                *out += &text::element("m c", (x, y), name, 2.0 * half);
            }
        }
    }

    fn tooltip(&self, line: &Line, p: &Point) -> String {
        let tick = self.x.ticks.iter().find(|t| t.at == p.x);
        let labels = [tick.map(|t| &t.label), p.label.as_ref()];
        let place = match labels.into_iter().flatten().find(|l| !l.is_empty()) {
            Some(label) => label.clone(),
            None => {
                let number = group_thousands(&p.x.to_string());
                let plural = if p.x == 1.0 { "" } else { "s" };
                format!("{number} {}{plural}", self.x.counted)
            }
        };
        let decimals = self.y.decimals;
        let figure = |value: f64| group_thousands(&format!("{value:.decimals$}"));
        let interval = p.interval.map_or_else(String::new, |(low, high)| {
            format!(", 95% interval {} to {}", figure(low), figure(high))
        });
        let runs = p
            .runs
            .map_or_else(String::new, |n| format!(", {}", count(n, "run")));
        let (name, unit) = (&line.series.label, &self.y.unit);
        let of = match p.figure.is_empty() {
            true => String::new(),
            false => format!("{}; ", p.figure),
        };
        format!(
            "{name}, {place}: {of}{} {unit}{interval}{runs}",
            figure(p.y)
        )
    }
}

/// Whether a line from one end to the other crosses a name around a place.
fn crosses([from, to]: [(f64, f64); 2], (x, y): (f64, f64), half: f64) -> bool {
    let (left, right) = (x - half, x + half);
    if from.0.max(to.0) < left || from.0.min(to.0) > right {
        return false;
    }
    let height = |at: f64| {
        let share = (at - from.0) / (to.0 - from.0);
        from.1
            + (to.1 - from.1)
                * if share.is_finite() {
                    share.clamp(0.0, 1.0)
                } else {
                    0.0
                }
    };
    let (one, other) = (height(left), height(right));
    one.min(other) < y + NAME_HEIGHT / 2.0 && one.max(other) > y - NAME_HEIGHT / 2.0
}

/// Moves positions, which are in order, so that neighbours are `spacing` apart, the last within `end`
/// if there is room for all.
fn spaced(wanted: &[f64], spacing: f64, end: f64) -> Vec<f64> {
    let mut places = Vec::new();
    let mut free = 0.0_f64;
    for (index, place) in wanted.iter().enumerate() {
        let room_below = spacing * (wanted.len() - index) as f64 - spacing / 2.0;
        let place = place.min(end - room_below).max(free);
        free = place + spacing;
        places.push(place);
    }
    places
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

    #[test]
    fn a_point_shows_its_figure_as_tables_do() {
        let point = Point {
            x: 1.0,
            y: 0.01,
            runs: Some(1),
            ..Point::default()
        };
        let mut chart = Lines::default();
        chart.x.counted = "thread".to_owned();
        chart.y.decimals = 4;
        let shown = chart.tooltip(&Line::default(), &point);
        assert!(shown.ends_with(", 1 thread: 0.0100 , 1 run"), "{shown}");
    }

    #[test]
    fn names_are_apart_and_within_the_drawing() {
        assert_eq!(spaced(&[10.0, 50.0], 20.0, 100.0), [10.0, 50.0]);
        assert_eq!(spaced(&[50.0, 50.0, 50.0], 10.0, 100.0), [50.0, 60.0, 70.0]);
        assert_eq!(spaced(&[90.0, 99.0], 20.0, 100.0), [70.0, 90.0]);
    }
}
