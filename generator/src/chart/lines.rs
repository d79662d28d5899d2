//! Values over something that grows: threads, sessions, releases. Either points joined by a
//! line, or points with the line that was fitted through them.

use super::annotation::{self, Annotation};
use super::axis::{self, Scale, Tick, mesh};
use super::canvas::{Canvas, Plot, Result, document, place, px};
use super::class::Class;
use super::line::{Line, Point};
use super::{Axis, Caption, Drawing, WIDTH, extent, largest, names, text};
use crate::unit::group_thousands;
use plotters::chart::ChartBuilder;
use plotters::element::PathElement;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos::{Center, Left};

/// A line chart whose values start at zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Its alternative text.
    pub caption: Caption,
    /// The x axis.
    pub x: XAxis,
    /// The y axis.
    pub y: Axis,
    /// The end of the y axis, which charts of one section share; else its own.
    pub y_end: Option<f64>,
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
    /// More names of places, in a row for each line that has any: the versions of each. Where there
    /// is no room for all, the first in the list have theirs.
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
/// From the end of a line to the marker before its name, and on to the name; px.
const LEAD: f64 = 16.0;
const GAP: f64 = 9.0;
/// Half of an interval's cap, px.
const CAP: f64 = 3.0;
/// Half the side of the square around a point that shows its text, px.
const REACH: f64 = 9.0;
/// Lines of no more points show the text of each, however close they are.
const FEW_POINTS: usize = 12;

/// The layout of a line chart.
struct Layout {
    x: (f64, f64),
    y_max: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    /// Room for the labels of the y axis, px.
    left: f64,
    /// Where the plot ends and the names of the lines begin, px.
    right: f64,
}

impl Layout {
    fn of(chart: &Lines) -> Self {
        let points = || chart.lines.iter().flat_map(|l| &l.points);
        // Named places may start anywhere, as years do; counted ones start at nothing.
        let zero = chart.x.ticks.is_empty().then_some(0.0);
        let places = chart.x.ticks.iter().map(|t| t.at).chain(zero);
        let places = places.chain(points().map(|p| p.x));
        let (x_min, x_max) = extent(places).unwrap_or((0.0, 1.0));
        let x_max = if x_max > x_min { x_max } else { x_min + 1.0 };
        let measured = points().map(|p| p.interval.map_or(p.y, |(_, high)| p.y.max(high)));
        let fitted = chart.lines.iter().filter(|l| l.fit.is_some());
        let fitted = fitted.filter_map(|l| Some(l.end((x_min, x_max))?.1));
        let y_max = match largest(measured.chain(fitted).chain(chart.y_end)) {
            highest if highest > 0.0 => highest * 1.04,
            _ => 1.0,
        };
        let y_ticks = axis::linear(y_max, 5);
        let least = if chart.x.rows.is_empty() {
            0.0
        } else {
            ROW_LEFT
        };
        let left = largest(y_ticks.iter().map(|t| text::width(&t.label))) + 9.0;
        let left = left.max(least);
        let names = largest(chart.lines.iter().map(|l| text::width(&l.series.label)));
        let right = WIDTH - LEAD - GAP - names.min(WIDTH * 0.42);
        let x_ticks = match chart.x.ticks.as_slice() {
            [] => axis::linear_within(x_max, 8, right - left),
            named => axis::labels_apart(named, |x| x * (right - left) / (x_max - x_min)),
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
        (self.right - self.left) / (self.x.1 - self.x.0)
    }
}

impl Lines {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let height = TOP + PLOT + self.below();
        let series = self.lines.iter().map(|l| &l.series);
        let size = (WIDTH as u32, height as u32);
        document(&self.caption, size, series, |canvas| {
            self.draw(canvas, &Layout::of(self))
        })
    }

    fn draw(&self, canvas: &Canvas<'_>, layout: &Layout) -> Result {
        let mut plot = ChartBuilder::on(&canvas.area)
            .margin_top(px(TOP))
            .margin_right(px(WIDTH - layout.right))
            .x_label_area_size(px(self.below()))
            .y_label_area_size(px(layout.left))
            .build_cartesian_2d(
                Scale::linear(layout.x.0..layout.x.1, layout.x_ticks.clone()),
                Scale::linear(0.0..layout.y_max, layout.y_ticks.clone()),
            )?;
        let mut mesh = mesh(&mut plot);
        // A title of y would stand on its side, which is hard to read.
        if !self.x.title.is_empty() {
            mesh.x_desc(&self.x.title);
        }
        mesh.disable_x_mesh().draw()?;
        let zero = [(layout.x.0, 0.0), (layout.x.1, 0.0)];
        plot.plotting_area()
            .draw(&PathElement::new(zero, Class::AXIS))?;
        self.draw_intervals(canvas, &plot, layout)?;
        self.draw_lines(canvas, &mut plot, layout)
    }

    /// The lines, what is drawn on them, and all text.
    fn draw_lines(&self, canvas: &Canvas<'_>, plot: &mut Plot<'_, '_>, layout: &Layout) -> Result {
        let lines = self.lines.iter().enumerate();
        let lines = lines.filter_map(|(index, line)| {
            let (x, y) = line.end(layout.x)?;
            Some((index, line, place(plot, x, y)))
        });
        let lines: Vec<(usize, &Line, (f64, f64))> = lines.collect();
        let wanted: Vec<f64> = lines.iter().map(|(.., end)| end.1).collect();
        let names = names::apart(&wanted, text::LINE, TOP - 6.0, TOP + PLOT + TICKS);
        let name = |y: f64| (layout.right + LEAD, y);
        for ((.., end), y) in lines.iter().zip(&names) {
            canvas.line([*end, name(*y)], Class::GRID)?;
        }
        for ((index, line, _), y) in lines.iter().zip(&names) {
            let path = line.path(layout.x);
            plot.draw_series(LineSeries::new(path, Class::LINE.of(*index)))?;
            for p in line.with_markers(layout.px_per_x()) {
                canvas.marker(*index, place(plot, p.x, p.y))?;
            }
            canvas.marker(*index, name(*y))?;
        }
        let mut points = Vec::new();
        for (index, line, _) in &lines {
            let places: Vec<_> = line.points.iter().map(|p| place(plot, p.x, p.y)).collect();
            // Many that lie on one another would be much to load and hard to point at.
            let apart = |pair: &[(f64, f64)]| pair[1].0 - pair[0].0 >= 2.0 * REACH;
            if places.len() <= FEW_POINTS || places.windows(2).all(apart) {
                for (p, at) in line.points.iter().zip(&places) {
                    canvas.tooltip_around(*at, REACH, &self.tooltip(*index, line, p));
                }
            }
            points.extend(places);
        }
        annotation::draw(canvas, plot, &self.annotations, points)?;
        self.draw_rows(canvas, plot, layout)?;
        canvas.text(&self.y.note(), Class::MUTED, Left, (0.0, 10.0))?;
        for ((_, line, _), y) in lines.iter().zip(&names) {
            let at = (layout.right + LEAD + GAP, *y);
            canvas.text(&line.series.label, Class::TEXT, Left, at)?;
        }
        Ok(())
    }

    fn tooltip(&self, index: usize, line: &Line, p: &Point) -> String {
        let own = self.x.rows.get(index).into_iter().flatten();
        let mut ticks = self.x.ticks.iter().chain(own);
        let place = match ticks.find(|t| t.at == p.x && !t.label.is_empty()) {
            Some(tick) => tick.label.clone(),
            None => format!("{} {}", group_thousands(&p.x.to_string()), self.x.title),
        };
        let value = group_thousands(&format!("{:.1}", p.y));
        format!("{}, {place}: {value} {}", line.series.label, self.y.unit)
    }

    /// The rows of names that have any, with the index of their lines.
    fn rows(&self) -> impl Iterator<Item = (usize, &Vec<Tick>)> {
        let rows = self.x.rows.iter().take(self.lines.len()).enumerate();
        rows.filter(|(_, row)| !row.is_empty())
    }

    /// Height of what is below the plot, px.
    fn below(&self) -> f64 {
        TICKS + self.rows().count() as f64 * ROW + NOTE
    }

    /// Below the axis, each behind the marker of its line.
    fn draw_rows(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, layout: &Layout) -> Result {
        let px_per_x = layout.px_per_x();
        for (index, (line, row)) in self.rows().enumerate() {
            let y = TOP + PLOT + TICKS + (index as f64 + 0.5) * ROW - 2.0;
            canvas.marker(line, (6.0, y))?;
            for tick in axis::labels_apart(&shortened(row, px_per_x), |x| x * px_per_x) {
                let (x, _) = place(plot, tick.at, 0.0);
                canvas.text(&tick.label, Class::MUTED, Center, (x, y))?;
            }
        }
        Ok(())
    }

    fn draw_intervals(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, layout: &Layout) -> Result {
        let points = self
            .lines
            .iter()
            .flat_map(|l| l.with_markers(layout.px_per_x()));
        for (p, (low, high)) in points.filter_map(|p| Some((p, p.interval?))) {
            let ends = [low, high].map(|y| place(plot, p.x, y));
            canvas.whisker(ends, (CAP, 0.0))?;
        }
        Ok(())
    }
}

/// Names no longer than the room between two neighbours.
fn shortened(ticks: &[Tick], px_per_x: f64) -> Vec<Tick> {
    let mut places: Vec<f64> = ticks.iter().map(|t| t.at).collect();
    places.sort_by(f64::total_cmp);
    let gaps = places.windows(2).map(|p| (p[1] - p[0]) * px_per_x);
    let room = gaps.fold(f64::INFINITY, f64::min) - 8.0;
    let shorten = |tick: &Tick| match text::width(&tick.label) > room && room > MIN_NAME {
        true => Tick {
            at: tick.at,
            label: text::shorten(&tick.label, room),
        },
        false => tick.clone(),
    };
    ticks.iter().map(shorten).collect()
}
