//! Graphs of pages: SVG files with their alternative texts.

pub(in crate::site) mod bars;
pub(in crate::site) mod dots;
pub(in crate::site) mod gauge;
pub(in crate::site) mod releases;
pub(in crate::site) mod sizes;
pub(in crate::site) mod spans;

use crate::chart::look::{self, Look};
use crate::chart::{Drawing, Point, Series};
use crate::model::scale::Scale;
use crate::report::{Dataset, Figure, Table};
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
    /// Draws a graph; `name` is its file name without the extension.
    pub(in crate::site) fn new(
        name: &str,
        title: String,
        alt: String,
        draw: impl FnOnce(&str, &str) -> Drawing,
    ) -> Self {
        Self {
            file: format!("{name}.svg"),
            drawing: draw(&title, &alt),
            title: Some(title),
            alt,
        }
    }

    /// Removes the title, for a graph below a section's own title.
    pub(in crate::site) fn untitled(mut self) -> Self {
        self.title = None;
        self
    }
}

impl Point {
    /// A figure with its interval and number of runs.
    pub(in crate::site) fn of(x: f64, figure: &Figure, scale: &Scale) -> Self {
        Self {
            x,
            y: figure.estimate / scale.factor,
            interval: ends(figure.interval, scale),
            runs: Some(figure.sample.len()).filter(|runs| *runs > 1),
            ..Self::default()
        }
    }
}

impl Dataset {
    /// Returns the look of a library in charts, the same on all pages.
    pub(in crate::site) fn look_of(&self, library: &str) -> Look {
        let assigned = look::assign(self.site_libraries.iter().map(String::as_str));
        let look = assigned.get(library).copied();
        look.unwrap_or_else(|| Look::of(library))
    }
}

/// Returns the name and look of a build in a chart.
pub(in crate::site) fn series_of(table: &Table<'_>, column: usize) -> Series {
    Series {
        label: table.name(column),
        look: table.data.look_of(&table.build(column).name),
    }
}

/// Returns series named by their libraries alone, unless a library has several.
pub(in crate::site) fn short_series(table: &Table<'_>, columns: &[usize]) -> Vec<Series> {
    let library = |column: usize| &*table.build(column).name;
    let mut all = Vec::new();
    for column in columns {
        let own = columns
            .iter()
            .filter(|other| library(**other) == library(*column));
        let mut series = series_of(table, *column);
        if own.count() == 1 {
            series.label = library(*column).to_owned();
        }
        all.push(series);
    }
    all
}

/// Returns the ends of an interval in a chart's scale.
fn ends(interval: Option<Interval>, scale: &Scale) -> Option<(f64, f64)> {
    interval.map(|i| (i.low / scale.factor, i.high / scale.factor))
}
