//! Graphs of pages: SVG files with their alternative texts.

pub(in crate::site) mod bars;
pub(in crate::site) mod dots;
pub(in crate::site) mod releases;
pub(in crate::site) mod sizes;
pub(in crate::site) mod spans;
pub(in crate::site) mod threads;

use crate::base::words::join;
use crate::chart::look::{self, Look};
use crate::chart::{Axis, Drawing, Line, Lines, Mark, Point, Series, Tick, XAxis};
use crate::model::unit::Better;
use crate::report::{Cell, Report, Row, words};
use crate::stats::Interval;
use serde::Serialize;

/// Lines of one graph; more cannot be told apart.
pub(in crate::site) const MAX_LINES: usize = 10;

/// An SVG file with its alternative text.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::site) struct Graph {
    /// File name in the page's folder.
    pub file: String,
    /// Heading above the graph; `None` if the section's own title is enough.
    pub title: Option<String>,
    /// Alternative text: one sentence with the main figures.
    pub alt: String,
    /// The file itself. The page states its width and height, so that loading it shifts nothing.
    #[serde(flatten)]
    pub drawing: Drawing,
}

impl Graph {
    /// Returns a graph; `name` is its file name without the extension.
    pub(in crate::site) fn new(name: &str, title: String, alt: String, drawing: Drawing) -> Self {
        Self {
            file: format!("{name}.svg"),
            title: Some(title),
            alt,
            drawing,
        }
    }
}

/// `8,133 MiB/s, 95% interval 8,120 to 8,150, 30 runs`: what a mark is, exactly.
pub(in crate::site) fn exactly(report: &Report, row: &Row, cell: &Cell) -> String {
    let scale = &row.scale;
    let text = cell.figure.as_ref().map_or("", |figure| &figure.text);
    let ends = cell
        .interval()
        .map(|i| [i.low, i.high].map(|end| scale.show(end)));
    let said = |[low, high]: [String; 2]| format!(", 95% interval {low} to {high}");
    let interval = ends.map_or_else(String::new, said);
    let runs = words::runs_behind(report, cell);
    let unsteady = if cell.is_unsteady { ", unsteady" } else { "" };
    format!("{text} {}{interval}{runs}{unsteady}", scale.symbol)
}

/// Draws a row over what its alternative text says: lines of figures, logarithmic unless some are zero.
pub(in crate::site) fn over(
    file: &str,
    (title, what): (String, &str),
    row: &Row,
    ticks: Vec<Tick>,
    lines: Vec<Line>,
) -> Graph {
    let symbol = &row.scale.symbol;
    let names = lines.iter().map(|line| line.series.label.clone());
    let names = join(&Vec::from_iter(names));
    let alt = format!("Line chart: {title} over {what}, in {symbol}, for {names}.");
    let mut points = lines.iter().flat_map(|line| &line.points);
    let is_log = points.all(|point| point.y > 0.0);
    let chart = Lines {
        x: XAxis {
            ticks,
            ..XAxis::default()
        },
        y: axis(row, is_log),
        lines,
        of: row.scenario.label(),
        heading: String::new(),
    };
    let drawing = Lines::render(&[chart], &title, &alt);
    Graph::new(file, title, alt, drawing)
}

/// Returns the axis of a row's figures.
fn axis(row: &Row, is_log: bool) -> Axis {
    Axis {
        unit: row.scale.symbol.clone(),
        better: row.unit.better(),
        is_log,
    }
}

/// Returns the mark of a build's figure in the unit of `scale`, which is called so.
fn mark(report: &Report, row: &Row, build: usize, name: &str, scale: &Row) -> Option<Mark> {
    let cell = row.cell(build)?;
    Some(Mark {
        value: cell.estimate()? / scale.scale.factor,
        interval: None,
        is_hollow: cell.is_unsteady,
        tooltip: format!("{name}: {}", exactly(report, row, cell)),
    })
}

/// Returns the point of a build's figure, which is called so, in a unit of so many base units.
pub(in crate::site) fn point(
    report: &Report,
    row: &Row,
    build: usize,
    x: f64,
    factor: f64,
    name: &str,
) -> Option<Point> {
    let cell = row.cell(build)?;
    Some(Point {
        x,
        y: cell.estimate()? / factor,
        interval: ends(cell.interval(), factor),
        tooltip: format!("{name}: {}", exactly(report, row, cell)),
        ..Point::default()
    })
}

impl Report {
    /// Returns the look of a library in charts, the same on all pages.
    pub(in crate::site) fn look_of(&self, library: &str) -> Look {
        let assigned = look::assign(self.site_libraries.iter().map(String::as_str));
        let look = assigned.get(library).copied();
        look.unwrap_or_else(|| Look::of(library))
    }
}

/// Returns the line of a library, which is called so.
pub(in crate::site) fn line(
    report: &Report,
    library: &str,
    label: String,
    points: Vec<Point>,
) -> Line {
    let look = report.look_of(library);
    Line {
        series: Series { label, look },
        points,
        is_faint: false,
    }
}

/// Returns the name and look of a build in a chart.
pub(in crate::site) fn series_of(report: &Report, build: usize) -> Series {
    Series {
        label: report.full_name(build),
        look: report.look_of(report.library(build)),
    }
}

/// Returns series named by their libraries alone, unless a library has several.
pub(in crate::site) fn short_series(report: &Report, builds: &[usize]) -> Vec<Series> {
    let mut all = Vec::new();
    for build in builds {
        let library = report.library(*build);
        let own = builds.iter().filter(|b| report.library(**b) == library);
        let mut series = series_of(report, *build);
        if own.count() == 1 {
            series.label = library.to_owned();
        }
        all.push(series);
    }
    all
}

/// Returns how many times better a candidate with this ratio is.
fn times_better(better: Better, ratio: f64) -> f64 {
    match better {
        Better::Lower => 1.0 / ratio,
        Better::Higher | Better::Unknown => ratio,
    }
}

/// Returns the ends of an interval in a unit of so many base units.
fn ends(interval: Option<Interval>, factor: f64) -> Option<(f64, f64)> {
    interval.map(|i| (i.low / factor, i.high / factor))
}
