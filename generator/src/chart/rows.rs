//! What charts of rows have in common: groups of rows from top to bottom, each row a mark from
//! the left with text behind it, below a legend and above an axis.

use super::axis::{Scale, mesh};
use super::canvas::{Canvas, Plot, Result, document, px};
use super::class::Class;
use super::{Caption, Drawing, Series, WIDTH, largest, text};
use plotters::chart::ChartBuilder;
use plotters::style::text_anchor::HPos::Left;

/// The text of a row.
pub(super) struct Row {
    /// How far along the axis the row's mark ends, 0 to 1; `None` without a mark.
    pub(super) end: Option<f64>,
    /// Behind the mark.
    pub(super) text: String,
    /// Where a pointer rests on the row.
    pub(super) tooltip: Option<String>,
}

/// The rows of a chart, one for each series in each group, and where everything is; in px.
pub(super) struct Rows<'a> {
    series: &'a [Series],
    groups: Vec<(&'a str, Vec<Row>)>,
    /// Left end and middle line of each entry of the legend.
    pub(super) legend: Vec<(f64, f64)>,
    /// Height of a row.
    pitch: f64,
    /// The upper end of each group, and the lower one of the last.
    tops: Vec<f64>,
    /// Width of the plot.
    pub(super) width: f64,
}

/// Height of a group's label, and the gap below a group; px.
const LABEL: f64 = 22.0;
const SPACE: f64 = 10.0;
/// From the end of a mark to its text, px.
const GAP: f64 = 8.0;
/// Ticks' labels, and a line of notes; px.
const TICKS: f64 = 24.0;
const NOTE: f64 = 20.0;

/// Of the legend, px: width of a sample and of the gap behind it, space between two columns,
/// height of a row.
pub(super) const SAMPLE: f64 = 16.0;
const SAMPLE_GAP: f64 = 6.0;
const COLUMN_SPACE: f64 = 18.0;
const LEGEND_ROW: f64 = 21.0;

/// The entries of a legend: as many columns, all as wide as the widest name, as there is room for. plotters' own legend measures names with a font instead
/// of the backend's `estimate_text_size`, and puts them one below the other inside the plot.
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

impl<'a> Rows<'a> {
    pub(super) fn new(
        series: &'a [Series],
        groups: impl Iterator<Item = (&'a str, Vec<Row>)>,
        pitch: f64,
    ) -> Self {
        let groups: Vec<_> = groups.collect();
        let full = WIDTH - text::INSET;
        // As wide as leaves room for the text behind each mark.
        let rows = groups.iter().flat_map(|(_, rows)| rows);
        let width = rows
            .filter_map(|row| Some((full - GAP - text::width(&row.text)) / row.end?))
            .fold(full - 24.0, f64::min)
            .max(WIDTH / 4.0);
        let legend = legend(series);
        let last = legend.last().map_or(0.0, |entry| entry.1);
        let mut tops = vec![last + LEGEND_ROW / 2.0 + 8.0];
        for (_, rows) in &groups {
            tops.push(tops[tops.len() - 1] + LABEL + rows.len() as f64 * pitch + SPACE);
        }
        Self {
            series,
            groups,
            legend,
            pitch,
            tops,
            width,
        }
    }

    fn bottom(&self) -> f64 {
        self.tops[self.groups.len()]
    }

    /// The middle of a line of notes.
    pub(super) fn note(&self, index: usize) -> f64 {
        self.bottom() + TICKS + (index as f64 + 0.5) * NOTE - 2.0
    }

    /// The middle of a row.
    pub(super) fn middle(&self, group: usize, row: usize) -> f64 {
        self.tops[group] + LABEL + (row as f64 + 0.5) * self.pitch
    }

    /// The upper and the lower end of each group's rows.
    pub(super) fn ends(&self) -> impl Iterator<Item = (f64, f64)> {
        let ends = self.tops.windows(2);
        ends.map(|ends| (ends[0] + LABEL, ends[1] - SPACE))
    }

    /// Draws the chart, its marks by `marks` below the text.
    pub(super) fn render(
        &self,
        caption: &Caption,
        scale: Scale,
        notes: &[String],
        marks: impl FnOnce(&Canvas<'_>, &Plot<'_, '_>) -> Result,
    ) -> Drawing {
        let height = self.bottom() + TICKS + notes.len() as f64 * NOTE;
        let size = (WIDTH as u32, height.ceil() as u32);
        document(caption, size, self.series, |canvas| {
            let mut plot = ChartBuilder::on(&canvas.area)
                .margin_top(px(self.tops[0]))
                .margin_left(px(text::INSET))
                .margin_right(px(WIDTH - text::INSET - self.width))
                .margin_bottom(px(notes.len() as f64 * NOTE))
                .x_label_area_size(px(TICKS))
                .build_cartesian_2d(scale, Scale::rows(self.tops[0], self.bottom()))?;
            mesh(&mut plot).disable_y_mesh().draw()?;
            marks(canvas, &plot)?;
            self.draw_text(canvas, notes)
        })
    }

    /// Each row with where its text is.
    fn rows(&self) -> impl Iterator<Item = (f64, f64, &Row)> {
        self.groups.iter().enumerate().flat_map(move |(g, group)| {
            group.1.iter().enumerate().map(move |(r, row)| {
                let x = text::INSET + row.end.unwrap_or(0.0) * self.width + GAP;
                (x, self.middle(g, r), row)
            })
        })
    }

    fn draw_text(&self, canvas: &Canvas<'_>, notes: &[String]) -> Result {
        for ((label, _), top) in self.groups.iter().zip(&self.tops) {
            canvas.text(label, Class::STRONG, Left, (text::INSET, top + LABEL / 2.0))?;
        }
        // One class after the other, because neighbours of one class share an element of the file.
        for (has_mark, class) in [(true, Class::TEXT), (false, Class::MUTED)] {
            for (x, y, row) in self.rows().filter(|r| r.2.end.is_some() == has_mark) {
                canvas.text(&row.text, class, Left, (x, y))?;
            }
        }
        for (index, note) in notes.iter().enumerate().filter(|n| !n.1.is_empty()) {
            let at = (text::INSET, self.note(index));
            canvas.text(note, Class::MUTED, Left, at)?;
        }
        for (series, (x, y)) in self.series.iter().zip(&self.legend) {
            let x = x + SAMPLE + SAMPLE_GAP;
            canvas.text(&series.label, Class::TEXT, Left, (x, *y))?;
        }
        for (_, y, row) in self.rows() {
            if let Some(tooltip) = &row.tooltip {
                let corner = (0.0, y - self.pitch / 2.0);
                canvas.tooltip(corner, (WIDTH, self.pitch), tooltip);
            }
        }
        Ok(())
    }
}
