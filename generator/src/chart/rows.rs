//! Charts of rows: a legend, a group per scenario with a row per series, and an axis. Rows are bars
//! from zero, or ratios.

use super::axis::{self, AxisScale, mesh};
use super::canvas::{Canvas, Plot, Result, document, place, px};
use super::class::Class;
use super::{Caption, Drawing, Series, TICKS, WIDTH, extent, largest, scale_end, text};
use plotters::chart::ChartBuilder;
use plotters::style::text_anchor::HPos::{Left, Right};

/// A chart of rows, in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Its alternative text.
    pub caption: Caption,
    /// What the values are.
    pub axis: RowAxis,
    /// The compared implementations, in order.
    pub series: Vec<Series>,
    /// The scenarios, from top to bottom.
    pub groups: Vec<RowGroup>,
    /// Text below the axis: the unit, and how to read the chart.
    pub note: String,
}

/// The kind of the values, which determines how they are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowAxis {
    /// Bars from zero.
    Bars,
    /// Markers left or right of 1 on a logarithmic axis.
    Ratios {
        /// The ends of the axis, shared by adjacent charts.
        range: (f64, f64),
        /// Labels of the sides left and right of 1: `slower`, `faster`.
        sides: [&'static str; 2],
    },
}

/// The rows of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGroup {
    /// Heading above the rows.
    pub label: String,
    /// One per series of the chart, in the same order.
    pub rows: Vec<ChartRow>,
}

/// A mark with its text, or the reason why there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartRow {
    /// The end of the bar, or the position of the marker. If `None`, only the text is drawn.
    pub value: Option<f64>,
    /// The ends of the value's interval.
    pub interval: Option<(f64, f64)>,
    /// The figure as displayed, or a word in its place.
    pub text: String,
    /// Tooltip of the row; empty for none.
    pub tooltip: String,
}

/// Thickness of a bar, px.
const THICKNESS: f64 = 13.0;
/// Half the length of an interval's cap, px.
const CAP: f64 = 3.0;

/// Distance from one row to the next, px.
const PITCH: f64 = 18.0;
/// Height of a one-line group label, and the gap below a group; px.
const LABEL: f64 = 22.0;
const SPACE: f64 = 10.0;
/// Gap between a mark and its text, px.
const GAP: f64 = 8.0;
/// Height of a line of notes, px.
const NOTE: f64 = 20.0;
/// The legend, px: width of a sample and of the gap after it, space between columns, height of a
/// row.
const SAMPLE: f64 = 16.0;
const SAMPLE_GAP: f64 = 6.0;
const COLUMN_SPACE: f64 = 18.0;
const LEGEND_ROW: f64 = 21.0;

/// Positions in px.
struct Layout<'a> {
    /// Left end and middle of each entry of the legend.
    legend: Vec<(f64, f64)>,
    /// Each group's label, split into lines.
    labels: Vec<Vec<&'a str>>,
    /// The top of each group, then the bottom of the last.
    tops: Vec<f64>,
    /// Width of the plot.
    width: f64,
}

impl ChartRow {
    /// A row with a word instead of a mark.
    pub fn without(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// All values that are drawn.
    fn values(&self) -> impl Iterator<Item = f64> {
        let ends = self.interval.filter(|_| self.value.is_some());
        let ends = ends.into_iter().flat_map(|(low, high)| [low, high]);
        self.value.into_iter().chain(ends)
    }
}

fn values<'a>(groups: impl IntoIterator<Item = &'a RowGroup>) -> impl Iterator<Item = f64> {
    let rows = groups.into_iter().flat_map(|g| &g.rows);
    rows.flat_map(ChartRow::values)
}

impl RowGroup {
    /// The ends of an axis of ratios for all of these groups, with some room on both sides of 1.
    pub fn range<'a>(groups: impl Iterator<Item = &'a Self>) -> (f64, f64) {
        extent(values(groups).chain([0.9, 1.1])).unwrap_or((0.9, 1.1))
    }
}

impl Rows {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let layout = Layout::of(self);
        let notes = self.notes();
        let below = notes.len() as f64 * NOTE;
        let size = (WIDTH, layout.bottom() + TICKS + below);
        document(&self.caption, size, &self.series, |canvas| {
            let y = AxisScale::linear(layout.bottom()..layout.tops[0], Vec::new());
            let mut plot = ChartBuilder::on(&canvas.area)
                .margin_top(px(layout.tops[0]))
                .margin_left(px(text::INSET))
                .margin_right(px(WIDTH - text::INSET - layout.width))
                .margin_bottom(px(below))
                .x_label_area_size(px(TICKS))
                .build_cartesian_2d(self.scale(layout.width), y)?;
            mesh(&mut plot).disable_y_mesh().draw()?;
            self.draw_marks(canvas, &plot, &layout)?;
            self.draw_text(canvas, &plot, &layout)?;
            for (index, note) in notes.iter().enumerate().filter(|n| !n.1.is_empty()) {
                canvas.text(note, Class::MUTED, Left, (text::INSET, layout.note(index)))?;
            }
            Ok(())
        })
    }

    /// The axis at a length of `width` px.
    fn scale(&self, width: f64) -> AxisScale {
        let scale = match self.axis {
            RowAxis::Bars => {
                let max = scale_end(values(&self.groups));
                return AxisScale::linear(0.0..max, axis::linear_within(max, 6, width));
            }
            RowAxis::Ratios { range, .. } => AxisScale::log_ratios(range.0 / 1.02..range.1),
        };
        scale.with_fitting_labels(text::INSET, width)
    }

    /// The lines of text below the axis; for ratios the first is left free for the sides.
    fn notes(&self) -> Vec<String> {
        match self.axis {
            RowAxis::Bars => vec![self.note.clone()],
            RowAxis::Ratios { .. } => {
                vec![String::new(), format!("logarithmic scale{}", self.note)]
            }
        }
    }

    /// The rows, each with the index of its series and the y of its middle.
    fn rows<'a>(
        &'a self,
        layout: &'a Layout<'a>,
    ) -> impl Iterator<Item = (usize, &'a ChartRow, f64)> {
        let groups = self.groups.iter().enumerate();
        groups.flat_map(move |(g, group)| {
            let rows = group.rows.iter().take(self.series.len()).enumerate();
            let middle = move |series| layout.rows_top(g) + (series as f64 + 0.5) * PITCH;
            rows.map(move |(series, row)| (series, row, middle(series)))
        })
    }

    fn draw_marks(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, layout: &Layout<'_>) -> Result {
        let base = match self.axis {
            RowAxis::Bars => 0.0,
            RowAxis::Ratios { .. } => 1.0,
        };
        let (x, _) = place(plot, base, 0.0);
        // The base line is interrupted at the labels of groups, so as not to cross their text.
        for group in 0..self.groups.len() {
            let bottom = layout.tops[group + 1] - SPACE;
            canvas.line([(x, layout.rows_top(group)), (x, bottom)], Class::AXIS)?;
        }
        if let RowAxis::Ratios { sides, .. } = self.axis {
            let y = layout.note(0);
            // Where 1 is near the left edge, both words move to make room for the first.
            let end = (x - 10.0).max(text::INSET + text::width(sides[0]));
            canvas.text(sides[0], Class::STRONG, Right, (end, y))?;
            canvas.text(sides[1], Class::STRONG, Left, (end + 20.0, y))?;
        }
        let is_bar = self.axis == RowAxis::Bars;
        let marks = |series: usize| {
            let rows = self.rows(layout).filter(move |row| row.0 == series);
            rows.filter_map(|(_, row, y)| Some((row, row.value?, y)))
        };
        // By series, because consecutive marks of one class share an SVG element.
        for (index, (x, y)) in layout.legend.iter().enumerate().filter(|_| is_bar) {
            let fill = Class::FILL.of(index);
            canvas.rectangle([(*x, y - 5.5), (x + SAMPLE, y + 5.5)], fill)?;
            for (_, value, y) in marks(index) {
                let (end, _) = place(plot, value, y);
                let (above, below) = (y - THICKNESS / 2.0, y + THICKNESS / 2.0);
                canvas.rectangle([(text::INSET, above), (end, below)], fill)?;
            }
        }
        for (row, _, y) in (0..self.series.len()).flat_map(marks) {
            // Not plotters' error bar, which draws a circle at the value.
            if let Some((low, high)) = row.interval {
                canvas.whisker([low, high].map(|x| place(plot, x, y)), (0.0, CAP))?;
            }
        }
        for (index, (x, y)) in layout.legend.iter().enumerate().filter(|_| !is_bar) {
            canvas.marker(index, (x + 7.0, *y))?;
            for (_, value, y) in marks(index) {
                canvas.marker(index, place(plot, value, y))?;
            }
        }
        Ok(())
    }

    fn draw_text(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, layout: &Layout<'_>) -> Result {
        for (lines, top) in layout.labels.iter().zip(&layout.tops) {
            for (index, line) in lines.iter().enumerate() {
                let y = top + LABEL / 2.0 + index as f64 * text::LINE;
                canvas.text(line, Class::STRONG, Left, (text::INSET, y))?;
            }
        }
        // By class, because consecutive texts of one class share an SVG element.
        for (has_mark, class) in [(true, Class::TEXT), (false, Class::MUTED)] {
            let rows = self.rows(layout);
            for (_, row, y) in rows.filter(|(_, row, _)| row.value.is_some() == has_mark) {
                let end = row.values().map(|v| place(plot, v, y).0).reduce(f64::max);
                let x = end.unwrap_or(text::INSET) + GAP;
                canvas.text(&row.text, class, Left, (x, y))?;
            }
        }
        for (series, (x, y)) in self.series.iter().zip(&layout.legend) {
            let x = x + SAMPLE + SAMPLE_GAP;
            canvas.text(&series.label, Class::TEXT, Left, (x, *y))?;
        }
        for (_, row, y) in self.rows(layout).filter(|r| !r.1.tooltip.is_empty()) {
            canvas.tooltip((0.0, y - PITCH / 2.0), (WIDTH, PITCH), &row.tooltip);
        }
        Ok(())
    }
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
    fn of(chart: &'a Rows) -> Self {
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

    fn bottom(&self) -> f64 {
        self.tops[self.tops.len() - 1]
    }

    /// The top of a group's rows, below its label.
    fn rows_top(&self, group: usize) -> f64 {
        self.tops[group] + label_height(&self.labels[group])
    }

    /// The y of the middle of a line of notes below the axis.
    fn note(&self, line: usize) -> f64 {
        self.bottom() + TICKS + (line as f64 + 0.5) * NOTE - 2.0
    }
}
