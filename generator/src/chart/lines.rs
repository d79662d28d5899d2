//! Line charts over threads, sizes, releases or reports: points joined by a line. plotters draws the
//! axes and the lines.

use super::axis::{self, Tick};
use super::document::{Panel, document};
use super::svg::{AXIS, GRID, Svg, line, px, units};
use super::{Axis, Drawing, Series, WIDTH, largest, text};
use crate::base::escape::xml;
use crate::chart::look::{self, Look};
use plotters::chart::ChartBuilder;
use plotters::coord::CoordTranslate as _;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::PathElement;
use plotters::series::LineSeries;
use std::convert::Infallible;
use std::ops::Range;

/// A line chart whose values start at zero, unless their axis is logarithmic.
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
    /// The heading of a small chart of ratios, one of several; empty for a whole one.
    pub heading: String,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The implementation.
    pub series: Series,
    /// From left to right.
    pub points: Vec<Point>,
    /// Whether it only shows where others are: grey, without marks and a name.
    pub is_faint: bool,
}

/// A measured point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Threads, a size or a day.
    pub x: f64,
    /// In the y axis's unit.
    pub y: f64,
    /// The ends of the interval of y.
    pub interval: Option<(f64, f64)>,
    /// What it is, exactly.
    pub tooltip: String,
    /// What is written beside it where there is room: of the first, the last, and marked ones.
    pub name: String,
    /// Whether a circle around it says that its level is new.
    pub is_marked: bool,
    /// The level that it varies around, where the line is: the point itself is a dot.
    pub level: Option<f64>,
}

/// The axis below a line chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct XAxis {
    /// Named positions, such as releases; if empty, the ticks are round numbers from zero.
    pub ticks: Vec<Tick>,
    /// Whether it is logarithmic.
    pub is_log: bool,
}

/// Steps of an axis, at most.
const STEPS: usize = 5;
/// Height of the plot, that of a small chart with its width, and the spaces above a plot and below it; px.
const PLOT: f64 = 260.0;
const SMALL_PLOT: f64 = 130.0;
const SMALL_WIDTH: f64 = 230.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 26.0;
/// Distance from the plot to the marker before a line's name, and from there to the name; px.
const LEAD: f64 = 16.0;
const GAP: f64 = 9.0;
/// Points that are closer, in px, to the one before have no mark, in lines with more of them than
/// [`MANY_POINTS`]; dots may be closer.
const MARK_ROOM: f64 = 12.0;
const DOT_ROOM: f64 = 3.0;
const MANY_POINTS: usize = 40;
/// Distance from a point to its name, and the height of the name; px.
const ASIDE: f64 = 18.0;
const NAME_HEIGHT: f64 = 17.0;

/// The coordinates of a plot.
type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;

impl Lines {
    fn is_small(&self) -> bool {
        !self.heading.is_empty()
    }

    /// Width and height of the panel, px.
    fn size(&self) -> (f64, f64) {
        match self.is_small() {
            true => (SMALL_WIDTH, TOP + SMALL_PLOT + BOTTOM),
            false => (WIDTH, TOP + PLOT + BOTTOM),
        }
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.lines.iter().flat_map(|line| &line.points)
    }

    /// Returns a point in the coordinates of the plane, which is linear.
    fn linear(&self, x: f64, y: f64) -> (f64, f64) {
        let of = |value: f64, is_log: bool| if is_log { value.log10() } else { value };
        (of(x, self.x.is_log), of(y, self.y.is_log))
    }

    /// Converts a point of a plot to px.
    fn place(&self, plane: &Plane, x: f64, y: f64) -> (f64, f64) {
        px(plane.translate(&self.linear(x, y)))
    }

    /// Draws a chart, or several small ones, with their alternative text.
    pub fn render(charts: &[Self], title: &str, description: &str) -> Drawing {
        let panels: Vec<Panel> = charts.iter().map(Self::panel).collect();
        document(title, description, &panels)
    }

    fn panel(&self) -> Panel {
        let looks = look::looks(self.lines.iter().map(|line| line.series.look));
        let mut body = String::with_capacity(8 << 10);
        let plane = self.plot(&mut body, &looks);
        // plotters fails only if the backend does, whose error is `Infallible`, or if the backend
        // is shared, and each chart has its own.
        let failed = |error| unreachable!("cannot draw {:?}: {error}", self.of);
        let plane = plane.unwrap_or_else(failed);
        self.draw_x_axis(&mut body, &plane);
        if !self.is_small() {
            self.draw_names(&mut body, &plane, &looks);
        }
        for (line, look) in self.lines.iter().zip(&looks) {
            if !line.is_faint {
                self.draw_marks(&mut body, &plane, line, *look);
            }
        }
        self.draw_point_names(&mut body, &plane);
        let (width, height) = self.size();
        Panel {
            body,
            of: self.of.clone(),
            width,
            height,
        }
    }

    /// The ends of the x axis: named positions may start anywhere, as years do; counts start at zero.
    fn x_range(&self) -> Range<f64> {
        let zero = (self.x.ticks.is_empty() && !self.x.is_log).then_some(0.0);
        let places = self.x.ticks.iter().map(|tick| tick.at).chain(zero);
        let all = places.chain(self.points().map(|p| p.x));
        let ends = all.map(|x| (x, x));
        let ends = ends.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
        let (start, end) = ends.unwrap_or_default();
        start..if end > start { end } else { start + 1.0 }
    }

    /// The ends of the y axis: from zero, or below all points of a logarithmic one.
    fn y_range(&self) -> Range<f64> {
        let ends = |p: &Point| {
            let (low, high) = p.interval.unwrap_or((p.y, p.y));
            [low.min(p.y), high.max(p.y)]
        };
        let highest = largest(self.points().flat_map(ends));
        let highest = if highest > 0.0 { highest } else { 1.0 };
        let positive = self.points().flat_map(ends).filter(|y| *y > 0.0);
        let lowest = positive.fold(highest, f64::min);
        match self.y.is_log {
            // Room for a name.
            true if self.is_small() => lowest / 1.7..highest * 1.7,
            // Noise looks flat.
            true if highest / lowest < 1.5 => lowest / 1.25..highest * 1.25,
            true => lowest / 1.1..highest * 1.1,
            false => 0.0..highest * 1.04,
        }
    }

    /// Draws the grid, the y axis and the lines.
    fn plot(
        &self,
        out: &mut String,
        looks: &[Look],
    ) -> Result<Plane, DrawingAreaErrorKind<Infallible>> {
        let (x, y) = (self.x_range(), self.y_range());
        let ticks = self.y.ticks(y.start, y.end, STEPS);
        let label = |tick: &Tick| match (self.is_small(), tick.at == 1.0) {
            (false, _) => tick.label.clone(),
            (true, true) => "equal".to_owned(),
            (true, false) => format!("{}x", tick.label),
        };
        let labels = largest(ticks.iter().map(|tick| text::width(&label(tick))));
        let area = Svg {
            out,
            size: self.size(),
            colors: looks.iter().map(|look| look.color()).collect(),
        }
        .into_drawing_area();
        let (first, last) = (self.linear(x.start, y.start), self.linear(x.end, y.end));
        let mut plot = ChartBuilder::on(&area)
            .margin_top(units(TOP))
            .margin_bottom(units(BOTTOM))
            .margin_right(units(self.size().0 - self.right()))
            .margin_left(units(labels + 9.0))
            .build_cartesian_2d(first.0..last.0, first.1..last.1)?;
        for tick in &ticks {
            let base = if self.is_small() { 1.0 } else { 0.0 };
            let color = if tick.at == base { AXIS } else { GRID };
            let line = [x.start, x.end].map(|x| self.linear(x, tick.at));
            plot.plotting_area().draw(&PathElement::new(line, color))?;
        }
        for (series, one) in self.lines.iter().enumerate() {
            let path = one.points.iter();
            let path = path.map(|p| self.linear(p.x, p.level.unwrap_or(p.y)));
            let color = if one.is_faint { GRID } else { line(series) };
            plot.draw_series(LineSeries::new(path, color))?;
        }
        let plane = plot.as_coord_spec().clone();
        drop(plot);
        drop(area);
        let start = self.place(&plane, x.start, y.end).0;
        for tick in ticks {
            let y = self.place(&plane, x.start, tick.at).1;
            *out += &text::element("m e", (start - 8.0, y), &label(&tick), labels);
        }
        Ok(plane)
    }

    /// The right end of the plot, before the names of the lines; px.
    fn right(&self) -> f64 {
        if self.is_small() {
            return SMALL_WIDTH - GAP;
        }
        let names = largest(self.lines.iter().map(|l| text::width(&l.series.label)));
        WIDTH - LEAD - GAP - names.min(WIDTH * 0.36)
    }

    /// Writes the unit of the y axis, which has no rotated title, and the labels of the x axis.
    fn draw_x_axis(&self, out: &mut String, plane: &Plane) {
        *out += &match self.is_small() {
            true => text::element("b", (0.0, 10.0), &self.heading, SMALL_WIDTH),
            false => text::element("m", (0.0, 10.0), &self.y.note(), WIDTH),
        };
        let ticks = match self.x.ticks.is_empty() {
            true => Axis::default().ticks(0.0, self.x_range().end, STEPS),
            false => self.x.ticks.clone(),
        };
        let bottom = self.y_range().start;
        for tick in axis::without_overlaps(ticks, |at| self.place(plane, at, bottom).0) {
            let (x, y) = self.place(plane, tick.at, bottom);
            let half = text::width(&tick.label) / 2.0;
            let x = x.min(self.size().0 - half).max(half);
            *out += &text::element("m c", (x, y + 15.0), &tick.label, WIDTH);
        }
    }

    /// Writes the name of each line at its end, moved so that names do not overlap.
    fn draw_names(&self, out: &mut String, plane: &Plane, looks: &[Look]) {
        let mut ends = Vec::new();
        for (line, look) in self.lines.iter().zip(looks) {
            let last = line.points.last();
            ends.extend(last.map(|last| (self.place(plane, last.x, last.y), line, look)));
        }
        ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
        let wanted: Vec<f64> = ends.iter().map(|end| end.0.1).collect();
        let places = spaced(&wanted, text::LINE, TOP + PLOT + BOTTOM);
        let x = self.right() + LEAD;
        for (((from_x, from_y), line, look), y) in ends.into_iter().zip(places) {
            let color = look.color();
            let marker = look.marker();
            let name = text::element("y", (x + GAP, y), &line.series.label, WIDTH - x - GAP);
            *out += &format!(
                "<path class=\"g\" d=\"M{from_x} {from_y}L{x:.1} {y:.1}\"/><g color=\"{color}\"><g transform=\"translate({x:.1} {y:.1})\">{marker}</g>{name}</g>\n"
            );
        }
    }

    /// Draws points with what they show when pointed at, their intervals, and circles around those that are
    /// marked.
    fn draw_marks(&self, out: &mut String, plane: &Plane, line: &Line, look: Look) {
        let mut before = f64::NEG_INFINITY;
        let color = look.color();
        *out += &format!("<g color=\"{color}\">\n");
        for point in &line.points {
            let (x, y) = self.place(plane, point.x, point.y);
            let (room, marker) = match point.level {
                Some(_) => (DOT_ROOM, "<circle class=\"d k\" r=\"2\"/>"),
                None => (MARK_ROOM, look.marker()),
            };
            let is_close = line.points.len() > MANY_POINTS && (x - before).abs() < room;
            if is_close && !point.is_marked {
                continue;
            }
            before = x;
            let tooltip = xml(&point.tooltip);
            *out += &format!(
                "<g class=\"mark\" transform=\"translate({x} {y})\"><title>{tooltip}</title>"
            );
            if let Some((low, high)) = point.interval {
                let [low, high] = [low, high].map(|end| self.place(plane, point.x, end).1 - y);
                *out += &format!("<path class=\"w\" d=\"M-3 {low:.1}h6m-3 0V{high:.1}m-3 0h6\"/>");
            }
            *out += marker;
            if point.is_marked {
                *out += "<circle class=\"w\" r=\"7\"/>";
            }
            *out += "</g>\n";
        }
        *out += "</g>\n";
    }

    /// Writes the names of the first and the last point of each line and of marked ones, above or below them
    /// where no other name is. A name without room is in the tooltip.
    fn draw_point_names(&self, out: &mut String, plane: &Plane) {
        let note = text::width(&self.y.note()) / 2.0;
        let mut taken = vec![(note, 10.0, note)];
        let own = self.lines.iter().filter(|line| !line.is_faint);
        for point in own.clone().flat_map(|line| &line.points) {
            let (x, y) = self.place(plane, point.x, point.y);
            taken.push((x, y, 4.0));
        }
        let (left, bottom) = self.place(plane, self.x_range().start, self.y_range().start);
        for Line { points, .. } in own {
            for (place, point) in points.iter().enumerate() {
                let is_end = place == 0 || place + 1 == points.len();
                if point.name.is_empty() || !is_end && !point.is_marked {
                    continue;
                }
                let at = self.place(plane, point.x, point.y);
                let half = text::width(&point.name) / 2.0;
                let x = at.0.max(left + half).min(self.right() - half);
                let is_free = |y: &f64| {
                    let is_apart = |other: &(f64, f64, f64)| {
                        (x - other.0).abs() > half + other.2 || (y - other.1).abs() > NAME_HEIGHT
                    };
                    taken.iter().all(is_apart) && *y < bottom - NAME_HEIGHT / 2.0
                };
                if let Some(y) = [at.1 - ASIDE, at.1 + ASIDE].into_iter().find(is_free) {
                    taken.push((x, y, half));
                    *out += &text::element("m c", (x, y), &point.name, 2.0 * half);
                }
            }
        }
    }
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
