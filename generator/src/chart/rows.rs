//! Charts of rows: a group for each scenario, in it a row for each series, below a legend and above
//! an axis. Rows are bars from zero, ranges of times, or ratios.

use super::axis::{self, AxisScale, mesh};
use super::canvas::{Canvas, Plot, Result, document, place, px};
use super::class::Class;
use super::layout::{GAP, LABEL, Layout, NOTE, PITCH, SAMPLE, SAMPLE_GAP, SPACE};
use super::{Caption, Drawing, Series, TICKS, WIDTH, extent, scale_end, text};
use plotters::chart::ChartBuilder;
use plotters::style::text_anchor::HPos::{Left, Right};

/// Rows side by side, in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Its alternative text.
    pub caption: Caption,
    /// What the values are.
    pub axis: RowAxis,
    /// What is compared, in order.
    pub series: Vec<Series>,
    /// The scenarios, from top to bottom.
    pub groups: Vec<RowGroup>,
    /// Stands below the axis: unit, and how to read it.
    pub note: String,
}

/// What values are, and so how they are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowAxis {
    /// Bars from zero.
    Bars,
    /// Percentiles in seconds: a marker at the first, strokes at the others. A bar would have to start
    /// at zero, which the logarithmic axis of a wide range does not have.
    Times,
    /// Markers left or right of 1 on a logarithmic axis.
    Ratios {
        /// The ends of the axis, which charts side by side share.
        range: (f64, f64),
        /// What is left and right of 1: `slower`, `faster`.
        sides: [&'static str; 2],
    },
}

/// One scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGroup {
    /// Stands above its rows.
    pub label: String,
    /// One for each series of the chart, in the same order.
    pub rows: Vec<ChartRow>,
}

/// A mark with its text, or why there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartRow {
    /// Where the bar ends, or the marker is. Without it there is the text alone.
    pub value: Option<f64>,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// Strokes behind the marker, in ascending order.
    pub strokes: Vec<f64>,
    /// The figure as the page shows it, or a word in its place.
    pub text: String,
    /// Where a pointer rests on the row; empty for nothing.
    pub tooltip: String,
}

/// What of a row is bar, px.
const THICKNESS: f64 = 13.0;
/// Half of an interval's cap, and of a stroke; px.
const CAP: f64 = 3.0;
const STROKE: f64 = 5.0;
/// The greatest time over the least from which on the axis is logarithmic: beyond it the small
/// ones would share the first twentieth of a linear axis.
const WIDE: f64 = 20.0;

impl ChartRow {
    /// A word where there is no mark.
    pub fn without(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// All that is drawn of it.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        let ends = self.interval.filter(|_| self.value.is_some());
        let ends = ends.into_iter().flat_map(|(low, high)| [low, high]);
        let values = self.value.into_iter().chain(self.strokes.iter().copied());
        values.chain(ends)
    }
}

fn values<'a>(groups: impl IntoIterator<Item = &'a RowGroup>) -> impl Iterator<Item = f64> {
    let rows = groups.into_iter().flat_map(|g| &g.rows);
    rows.flat_map(ChartRow::values)
}

impl RowGroup {
    /// The ends of an axis of ratios for all of these, with some room on both sides of 1.
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
            let mut plot = ChartBuilder::on(&canvas.area)
                .margin_top(px(layout.tops[0]))
                .margin_left(px(text::INSET))
                .margin_right(px(WIDTH - text::INSET - layout.width))
                .margin_bottom(px(below))
                .x_label_area_size(px(TICKS))
                .build_cartesian_2d(
                    self.scale(layout.width),
                    AxisScale::without_ticks(layout.bottom()..layout.tops[0]),
                )?;
            mesh(&mut plot).disable_y_mesh().draw()?;
            self.draw_marks(canvas, &plot, &layout)?;
            self.draw_text(canvas, &plot, &layout)?;
            for (index, note) in notes.iter().enumerate().filter(|n| !n.1.is_empty()) {
                canvas.text(note, Class::MUTED, Left, (text::INSET, layout.note(index)))?;
            }
            Ok(())
        })
    }

    /// The axis, if it is `width` px long.
    pub(super) fn scale(&self, width: f64) -> AxisScale {
        let scale = match self.axis {
            RowAxis::Bars => {
                let max = scale_end(values(&self.groups));
                return AxisScale::linear(0.0..max, axis::linear_within(max, 6, width));
            }
            RowAxis::Ratios { range, .. } => AxisScale::log_ratios(range.0 / 1.02..range.1),
            RowAxis::Times => match extent(values(&self.groups)).unwrap_or((1e-6, 1e-5)) {
                (low, high) if high / low > WIDE => AxisScale::log_seconds(low / 1.1..high),
                (_, high) => AxisScale::linear(0.0..high, axis::linear_seconds(high, 3)),
            },
        };
        scale.labelled_within(text::INSET, width)
    }

    /// What stands below the axis; the sides of ratios have a line of their own.
    fn notes(&self) -> Vec<String> {
        let note = self.note.clone();
        let of_times = |kind: &str| vec![note.clone(), format!("{kind}, lower is better")];
        match self.axis {
            RowAxis::Bars => vec![note],
            RowAxis::Times if self.scale(WIDTH).is_logarithmic => of_times("logarithmic scale"),
            RowAxis::Times => of_times("from zero"),
            RowAxis::Ratios { .. } => vec![String::new(), format!("logarithmic scale{note}")],
        }
    }

    /// The rows, each with its series and the middle of its line.
    fn rows<'a>(
        &'a self,
        layout: &'a Layout<'a>,
    ) -> impl Iterator<Item = (usize, &'a ChartRow, f64)> {
        let groups = self.groups.iter().enumerate();
        groups.flat_map(move |(g, group)| {
            let rows = group.rows.iter().take(self.series.len()).enumerate();
            rows.map(move |(series, row)| (series, row, layout.middle(g, series)))
        })
    }

    fn draw_marks(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, layout: &Layout<'_>) -> Result {
        let base = match self.axis {
            RowAxis::Bars => Some(0.0),
            RowAxis::Ratios { .. } => Some(1.0),
            RowAxis::Times => None,
        };
        let base = base.map(|base| place(plot, base, 0.0).0);
        // Where rows start stands beside them only: it would run through the letters of labels.
        let groups = 0..self.groups.len();
        for (x, group) in groups.filter_map(|group| Some((base?, group))) {
            let bottom = layout.tops[group + 1] - SPACE;
            canvas.line([(x, layout.rows_top(group)), (x, bottom)], Class::AXIS)?;
        }
        if let (RowAxis::Ratios { sides, .. }, Some(x)) = (self.axis, base) {
            let y = layout.note(0);
            // Where 1 is near the left edge, both words move as far as the first needs.
            let end = (x - 10.0).max(text::INSET + text::width(sides[0]));
            canvas.text(sides[0], Class::STRONG, Right, (end, y))?;
            canvas.text(sides[1], Class::STRONG, Left, (end + 20.0, y))?;
        }
        let is_bar = self.axis == RowAxis::Bars;
        let marks = |series: usize| {
            let rows = self.rows(layout).filter(move |row| row.0 == series);
            rows.filter_map(|(_, row, y)| Some((row, row.value?, y)))
        };
        // Series after series, because neighbours of one class share an element of the file.
        for (index, (x, y)) in layout.legend.iter().enumerate() {
            let (fill, line) = (Class::FILL.of(index), Class::LINE.of(index));
            if is_bar {
                canvas.rectangle([(*x, y - 5.5), (x + SAMPLE, y + 5.5)], fill)?;
            }
            for (row, value, y) in marks(index) {
                let x = |value: f64| place(plot, value, y).0;
                if is_bar {
                    let (above, below) = (y - THICKNESS / 2.0, y + THICKNESS / 2.0);
                    canvas.rectangle([(text::INSET, above), (x(value), below)], fill)?;
                }
                if let Some(last) = row.strokes.last() {
                    canvas.line([(x(value), y), (x(*last), y)], line)?;
                }
                for stroke in row.strokes.iter().map(|s| x(*s)) {
                    canvas.line([(stroke, y - STROKE), (stroke, y + STROKE)], line)?;
                }
            }
        }
        for (row, _, y) in (0..self.series.len()).flat_map(marks) {
            // plotters' error bar draws a circle at the value, which is the bar's end.
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
        // One class after the other, because neighbours of one class share an element of the file.
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
