//! The layout of charts of rows.

use super::rows::{ChartRow, Rows};
use super::{Series, TICKS, WIDTH, largest, text};

/// Distance from one row to the next, px.
pub(super) const PITCH: f64 = 18.0;
/// Height of a one-line group label, and the gap below a group; px.
pub(super) const LABEL: f64 = 22.0;
pub(super) const SPACE: f64 = 10.0;
/// Gap between a mark and its text, px.
pub(super) const GAP: f64 = 8.0;
/// Height of a line of notes, px.
pub(super) const NOTE: f64 = 20.0;
/// The legend, px: width of a sample and of the gap after it, space between columns, height of a
/// row.
pub(super) const SAMPLE: f64 = 16.0;
pub(super) const SAMPLE_GAP: f64 = 6.0;
const COLUMN_SPACE: f64 = 18.0;
const LEGEND_ROW: f64 = 21.0;

/// Positions in px.
pub(super) struct Layout<'a> {
    /// Left end and middle of each entry of the legend.
    pub(super) legend: Vec<(f64, f64)>,
    /// Each group's label, split into lines.
    pub(super) labels: Vec<Vec<&'a str>>,
    /// The top of each group, then the bottom of the last.
    pub(super) tops: Vec<f64>,
    /// Width of the plot.
    pub(super) width: f64,
}

/// Lays out the legend in as many columns as fit, all as wide as the widest entry. plotters' own
/// legend measures names with a font instead of the backend's `estimate_text_size`, and stacks them
/// inside the plot.
fn legend(series: &[Series]) -> Vec<(f64, f64)> {
    let width = |s: &Series| SAMPLE + SAMPLE_GAP + text::width(&s.label) + COLUMN_SPACE;
    let widest = largest(series.iter().map(width));
    let columns = (((WIDTH - text::INSET + COLUMN_SPACE) / widest) as usize).max(1);
    let entry = |index: usize| {
        let (row, column) = (index / columns, index % columns);
        let left = text::INSET + column as f64 * widest;
        (left, (row as f64 + 0.5) * LEGEND_ROW)
    };
    (0..series.len()).map(entry).collect()
}

/// Height of a group label with these lines, px.
fn label_height(lines: &[&str]) -> f64 {
    LABEL + lines.len().saturating_sub(1) as f64 * text::LINE
}

impl<'a> Layout<'a> {
    pub(super) fn of(chart: &'a Rows) -> Self {
        let full = WIDTH - text::INSET;
        let scale = chart.scale(full);
        // The maximum width that leaves room for the text after each mark.
        let room = |row: &ChartRow| {
            let end = row.values().map(|v| scale.share(v)).reduce(f64::max)?;
            Some((full - GAP - text::width(&row.text)) / end)
        };
        let rooms = chart.groups.iter().flat_map(|g| &g.rows).filter_map(room);
        let width = rooms.fold(full - 24.0, f64::min).max(WIDTH / 4.0);
        let legend = legend(&chart.series);
        let last = legend.last().map_or(0.0, |entry| entry.1);
        let groups = chart.groups.iter();
        let labels: Vec<_> = groups.map(|g| text::lines(&g.label, full)).collect();
        let mut tops = vec![last + LEGEND_ROW / 2.0 + 8.0];
        for (group, label) in chart.groups.iter().zip(&labels) {
            let rows = group.rows.len() as f64 * PITCH;
            tops.push(tops[tops.len() - 1] + label_height(label) + rows + SPACE);
        }
        Self {
            legend,
            labels,
            tops,
            width,
        }
    }

    pub(super) fn bottom(&self) -> f64 {
        self.tops[self.tops.len() - 1]
    }

    /// The top of a group's rows, below its label.
    pub(super) fn rows_top(&self, group: usize) -> f64 {
        self.tops[group] + label_height(&self.labels[group])
    }

    /// The y of the middle of a row.
    pub(super) fn middle(&self, group: usize, row: usize) -> f64 {
        self.rows_top(group) + (row as f64 + 0.5) * PITCH
    }

    /// The y of the middle of a line of notes below the axis.
    pub(super) fn note(&self, line: usize) -> f64 {
        self.bottom() + TICKS + (line as f64 + 0.5) * NOTE - 2.0
    }
}
