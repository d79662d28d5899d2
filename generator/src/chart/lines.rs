//! Values over something that grows: threads, sessions, releases. Either points joined by a
//! line, or points with the line that was fitted through them.

use super::ink::Ink;
use super::scale::{Plot, Scale, draw_grid};
use super::style::Look;
use super::ticks::{self, Tick};
use super::tip::Tip;
use super::{
    Area, Axis, Caption, Drawing, Result, Series, WIDTH, document, looks, marker, placeable, point,
    px, spread, text, upx,
};
use crate::unit::group_thousands;
use plotters::chart::ChartBuilder;
use plotters::element::{Circle, PathElement};
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos;

/// A line chart whose values start at zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Words for those who do not see it.
    pub caption: Caption,
    /// What grows to the right.
    pub x: XAxis,
    /// What the values are.
    pub y: Axis,
    /// The lines; a name stands at the right end of each.
    pub lines: Vec<Line>,
    /// Points that stand out.
    pub marks: Vec<Mark>,
}

/// A ring around a point, with a name that the text beside the chart explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Index of its line, for the colour.
    pub line: usize,
    /// The point.
    pub at: (f64, f64),
    /// A number or letter.
    pub name: String,
    /// A whole ring; else a dashed one.
    pub sure: bool,
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

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Who was measured.
    pub series: Series,
    /// In the order of x.
    pub points: Vec<Point>,
    /// Drawn instead of a line from point to point.
    pub fit: Option<Fit>,
}

/// A measured point; one that is not finite or is negative is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Threads, sessions, a day.
    pub x: f64,
    /// In the y axis's unit.
    pub y: f64,
    /// The ends of the interval of y.
    pub interval: Option<(f64, f64)>,
}

/// y = `slope` · x + `intercept`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// What one more of x adds.
    pub slope: f64,
    /// The value at x = 0.
    pub intercept: f64,
}

/// Height of the plot, and of what is above and below it; px.
const PLOT: f64 = 260.0;
const TOP: f64 = 26.0;
const TICKS: f64 = 24.0;
const NOTE: f64 = 20.0;
/// Height of a row of names below the axis, and room for the marker before it, px.
const ROW: f64 = 20.0;
const ROW_LEFT: f64 = 64.0;
/// Radius of the ring around a point, px.
const RING: f64 = 9.0;
/// Lines with more points than this have a marker and an interval only where there is room for
/// it; [`MARKER_ROOM`] px is enough.
const MANY_POINTS: usize = 40;
const MARKER_ROOM: f64 = 12.0;
/// A name is not cut to less than this, px.
const LEAST_NAME: f64 = 60.0;
/// From the end of a line to the marker before its name, and on to the name; px.
const LEAD: f64 = 16.0;
const NAME: f64 = 9.0;
/// Half of an interval's cap, px.
const CAP: f64 = 3.0;
/// Half the side of the square around a point that shows its words, px.
const REACH: f64 = 9.0;

impl Line {
    fn points(&self) -> impl DoubleEndedIterator<Item = &Point> {
        self.points
            .iter()
            .filter(|p| placeable(p.x) && placeable(p.y) && p.x >= 0.0 && p.y >= 0.0)
    }

    /// The right end of what is drawn.
    fn end(&self, (x_min, x_max): (f64, f64)) -> Option<(f64, f64)> {
        let last = self.points().next_back()?;
        Some(match self.fit() {
            Some(fit) => (x_max.max(x_min), fit.at(x_max)),
            None => (last.x, last.y),
        })
    }

    fn fit(&self) -> Option<Fit> {
        self.fit
            .filter(|f| placeable(f.slope) && placeable(f.intercept))
    }
}

impl Point {
    fn interval(&self) -> Option<(f64, f64)> {
        let (low, high) = self.interval?;
        (placeable(low) && placeable(high)).then_some((low.max(0.0), high.max(0.0)))
    }
}

impl Fit {
    /// The line does not leave the chart below zero.
    fn at(self, x: f64) -> f64 {
        (self.slope * x + self.intercept).max(0.0)
    }
}

/// Where the name of a line is.
struct Name {
    /// The end of its line, backend pixels.
    end: (i32, i32),
    /// Its own height, px.
    y: f64,
}

/// Where everything is.
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
        let x_max = points()
            .map(|p| p.x)
            .chain(chart.x.ticks.iter().map(|t| t.at))
            .fold(f64::NEG_INFINITY, f64::max);
        // Named places may start anywhere, as years do; counted ones start at nothing.
        let x_min = chart
            .x
            .ticks
            .iter()
            .map(|t| t.at)
            .reduce(f64::min)
            .map_or(0.0, |first| points().map(|p| p.x).fold(first, f64::min));
        let x_max = if x_max > x_min { x_max } else { x_min + 1.0 };
        let fitted = chart
            .lines
            .iter()
            .filter_map(|l| l.fit().and(l.end((x_min, x_max))))
            .map(|e| e.1);
        let y_max = highest.chain(fitted).fold(0.0, f64::max);
        let y_max = if y_max > 0.0 { y_max * 1.04 } else { 1.0 };
        let y_ticks = ticks::linear(y_max, 5);
        let widest =
            |labels: &mut dyn Iterator<Item = &str>| labels.map(text::width).fold(0.0, f64::max);
        let left = widest(&mut y_ticks.iter().map(|t| t.label.as_str())) + 9.0;
        let left = if chart.x.rows.is_empty() {
            left
        } else {
            left.max(ROW_LEFT)
        };
        let names = widest(&mut chart.lines.iter().map(|l| l.series.label.as_str()));
        let right = LEAD + NAME + names.min(f64::from(WIDTH) * 0.42);
        let plot = f64::from(WIDTH) - left - right;
        let x_ticks = if chart.x.ticks.is_empty() {
            let fits =
                |t: &Vec<Tick>| t.iter().map(|t| text::width(&t.label) + 14.0).sum::<f64>() < plot;
            let choices = [8, 6, 4, 3, 2].map(|count| ticks::linear(x_max, count));
            choices
                .into_iter()
                .find(fits)
                .unwrap_or_else(|| ticks::linear(x_max, 1))
        } else {
            thin_out(&chart.x.ticks, plot / (x_max - x_min))
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
}

/// The named ticks whose names do not run into the one before.
fn thin_out(ticks: &[Tick], px_per_x: f64) -> Vec<Tick> {
    let mut kept: Vec<Tick> = Vec::new();
    for tick in ticks {
        let free = kept.last().is_none_or(|last| {
            let room = (text::width(&last.label) + text::width(&tick.label)) / 2.0 + 8.0;
            (tick.at - last.at) * px_per_x >= room
        });
        if free && tick.at.is_finite() {
            kept.push(tick.clone());
        }
    }
    kept
}

impl Lines {
    /// Draws it.
    pub fn render(&self) -> Drawing {
        let layout = Layout::of(self);
        let looks = looks(self.lines.iter().map(|l| &l.series));
        let rows = self.rows().count() as f64 * ROW;
        let height = (TOP + PLOT + TICKS + rows + NOTE) as u32;
        document(&self.caption, (WIDTH, height), &looks, |area| {
            self.draw(area, &layout, &looks)
        })
    }

    fn draw(&self, area: &Area<'_>, layout: &Layout, looks: &[Look]) -> Result<Vec<Tip>> {
        let muted = |h_pos| text::style(Ink::Muted, h_pos);
        let mut chart = ChartBuilder::on(area)
            .margin_top(upx(TOP))
            .margin_right(upx(layout.right))
            .margin_bottom(upx(NOTE + self.rows().count() as f64 * ROW))
            .x_label_area_size(upx(TICKS))
            .y_label_area_size(upx(layout.left))
            .build_cartesian_2d(
                Scale::linear(layout.x.0, layout.x.1, layout.x_ticks.clone()),
                Scale::linear(0.0, layout.y_max, layout.y_ticks.clone()),
            )?;
        draw_grid(&mut chart, false)?;
        let zero = [(layout.x.0, 0.0), (layout.x.1, 0.0)];
        chart
            .plotting_area()
            .draw(&PathElement::new(zero, Ink::Axis.shape()))?;
        self.draw_intervals(area, &chart, layout)?;
        let names = self.names(&chart, layout);
        self.draw_leads(area, layout, &names)?;
        for (index, (line, look)) in self.lines.iter().zip(looks).enumerate() {
            let series = index as u8;
            chart.draw_series(LineSeries::new(
                line.path(layout),
                Ink::Line(series).shape(),
            ))?;
            for p in line.with_markers(layout) {
                marker::draw(area, look.marker, series, chart.backend_coord(&(p.x, p.y)))?;
            }
            if let Some(name) = &names[index] {
                marker::draw(
                    area,
                    look.marker,
                    series,
                    (px(Self::names_from(layout)), px(name.y)),
                )?;
            }
        }
        self.draw_marks(area, &chart)?;
        self.draw_rows(area, &chart, layout, looks)?;
        let x_note = (
            f64::from(WIDTH) - layout.right,
            TOP + PLOT + TICKS + self.rows().count() as f64 * ROW + NOTE / 2.0 - 2.0,
        );
        area.draw_text(&self.x.title, &muted(HPos::Right), point(x_note))?;
        area.draw_text(&self.y.note(), &muted(HPos::Left), point((0.0, 10.0)))?;
        for (line, name) in self.lines.iter().zip(&names) {
            if let Some(name) = name {
                let at = point((Self::names_from(layout) + NAME, name.y));
                area.draw_text(&line.series.label, &text::style(Ink::Text, HPos::Left), at)?;
            }
        }
        Ok(self.tips(&chart))
    }

    /// On each point.
    fn tips(&self, chart: &Plot<'_, '_>) -> Vec<Tip> {
        let tip = |line: &Line, p: &Point| {
            let (x, y) = chart.backend_coord(&(p.x, p.y));
            let place = self.x.ticks.iter().find(|t| t.at == p.x);
            let place = place.map_or_else(
                || format!("{} {}", group_thousands(&p.x.to_string()), self.x.title),
                |t| t.label.clone(),
            );
            let value = group_thousands(&format!("{:.1}", p.y));
            let words = format!("{}, {place}: {value} {}", line.series.label, self.y.unit);
            let unit = f64::from(px(1.0));
            Tip::around((f64::from(x) / unit, f64::from(y) / unit), REACH, words)
        };
        let of_line = |line| Line::points(line).map(move |p| tip(line, p));
        self.lines.iter().flat_map(of_line).collect()
    }

    /// Where the markers before the names are, px.
    fn names_from(layout: &Layout) -> f64 {
        f64::from(WIDTH) - layout.right + LEAD
    }

    /// The rows of names that have any, with the index of their lines.
    fn rows(&self) -> impl Iterator<Item = (usize, &Vec<Tick>)> {
        let rows = self.x.rows.iter().take(self.lines.len()).enumerate();
        rows.filter(|(_, row)| !row.is_empty())
    }

    /// Below the axis, each behind the marker of its line.
    fn draw_rows(
        &self,
        area: &Area<'_>,
        chart: &Plot<'_, '_>,
        layout: &Layout,
        looks: &[Look],
    ) -> Result<()> {
        let plot = f64::from(WIDTH) - layout.left - layout.right;
        let per_x = plot / (layout.x.1 - layout.x.0);
        for (place, (line, row)) in self.rows().enumerate() {
            let y = TOP + PLOT + TICKS + (place as f64 + 0.5) * ROW - 2.0;
            marker::draw(area, looks[line].marker, line as u8, point((6.0, y)))?;
            for tick in thin_out(&shortened(row, per_x), per_x) {
                let (x, _) = chart.backend_coord(&(tick.at, 0.0));
                let style = text::style(Ink::Muted, HPos::Center);
                area.draw_text(&tick.label, &style, (x, px(y)))?;
            }
        }
        Ok(())
    }

    /// Rings, and their names where they cover nothing.
    fn draw_marks(&self, area: &Area<'_>, chart: &Plot<'_, '_>) -> Result<()> {
        let at = |p: (f64, f64)| chart.backend_coord(&p);
        let sound = |m: &&Mark| placeable(m.at.0) && placeable(m.at.1) && m.at.1 >= 0.0;
        let marks: Vec<&Mark> = self.marks.iter().filter(sound).collect();
        let mut taken: Vec<(i32, i32)> = self
            .lines
            .iter()
            .flat_map(Line::points)
            .map(|p| at((p.x, p.y)))
            .collect();
        for mark in marks {
            let (x, y) = at(mark.at);
            let ink = if mark.sure {
                Ink::Whisker
            } else {
                Ink::Ghost(mark.line as u8)
            };
            area.draw(&Circle::new((x, y), px(RING), ink.shape()))?;
            let (right, down) = (px(RING + 7.0), px(RING + 7.0));
            let around = [
                (right, -down),
                (right, down),
                (-right, -down),
                (-right, down),
            ];
            let far = |a: i32, b: i32| (a - b).abs() > px(13.0);
            let places: Vec<(i32, i32)> = around.iter().map(|d| (x + d.0, y + d.1)).collect();
            let free = |p: &&(i32, i32)| taken.iter().all(|t| far(p.0, t.0) || far(p.1, t.1));
            let place = *places.iter().find(free).unwrap_or(&places[0]);
            taken.push(place);
            let style = text::style(Ink::Strong, HPos::Center);
            area.draw_text(&mark.name, &style, place)?;
        }
        Ok(())
    }

    fn draw_intervals(&self, area: &Area<'_>, chart: &Plot<'_, '_>, layout: &Layout) -> Result<()> {
        let intervals = self.lines.iter().flat_map(|l| l.with_markers(layout));
        for (x, (low, high)) in intervals.filter_map(|p| Some((p.x, p.interval()?))) {
            let (low, high) = (
                chart.backend_coord(&(x, low)),
                chart.backend_coord(&(x, high)),
            );
            let cap = |(x, y): (i32, i32)| [(x - px(CAP), y), (x + px(CAP), y)];
            for path in [[low, high], cap(low), cap(high)] {
                area.draw(&PathElement::new(path, Ink::Whisker.shape()))?;
            }
        }
        Ok(())
    }

    /// A place for the name of each line that has an end; names do not cover each other.
    fn names(&self, chart: &Plot<'_, '_>, layout: &Layout) -> Vec<Option<Name>> {
        let ends: Vec<_> = self
            .lines
            .iter()
            .map(|line| line.end(layout.x).map(|end| chart.backend_coord(&end)))
            .collect();
        let wanted: Vec<f64> = ends
            .iter()
            .flatten()
            .map(|end| f64::from(end.1) / f64::from(px(1.0)))
            .collect();
        let sizes = vec![text::LINE; wanted.len()];
        let mut heights = spread::apart(&wanted, &sizes, TOP - 6.0, TOP + PLOT + TICKS).into_iter();
        ends.into_iter()
            .map(|end| {
                Some(Name {
                    end: end?,
                    y: heights.next()?,
                })
            })
            .collect()
    }

    /// Thin lines from the ends to the names.
    fn draw_leads(&self, area: &Area<'_>, layout: &Layout, names: &[Option<Name>]) -> Result<()> {
        for name in names.iter().flatten() {
            let (x, y) = name.end;
            let to = (px(Self::names_from(layout)), px(name.y));
            area.draw(&PathElement::new([(x, y), to], Ink::Grid.shape()))?;
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
        label: if text::width(&t.label) > room && room > LEAST_NAME {
            text::shorten(&t.label, room)
        } else {
            t.label.clone()
        },
    };
    ticks.iter().map(shorten).collect()
}

impl Line {
    /// Its points that have a marker: all, unless they stand too close.
    fn with_markers(&self, layout: &Layout) -> Vec<&Point> {
        let points: Vec<&Point> = self.points().collect();
        if points.len() <= MANY_POINTS {
            return points;
        }
        let plot = f64::from(WIDTH) - layout.left - layout.right;
        let room = MARKER_ROOM * (layout.x.1 - layout.x.0) / plot;
        let mut kept: Vec<&Point> = Vec::new();
        for p in points {
            if kept.last().is_none_or(|last| p.x - last.x >= room) {
                kept.push(p);
            }
        }
        kept
    }

    /// The points to join: the measured ones, or two of the fitted line.
    fn path(&self, layout: &Layout) -> Vec<(f64, f64)> {
        match self.fit() {
            Some(fit) => [layout.x.0, layout.x.1].map(|x| (x, fit.at(x))).to_vec(),
            None => self.points().map(|p| (p.x, p.y)).collect(),
        }
    }
}
