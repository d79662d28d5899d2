//! Distributions of times on one logarithmic axis: a ridge per implementation, with its
//! percentiles below.

use super::axis::{AxisScale, Tick, mesh};
use super::canvas::{Canvas, Plot, Result, document, place, px};
use super::class::Class;
use super::{Caption, Drawing, Series, TICKS, WIDTH, extent, largest, text};
use crate::model::distribution::Bin;
use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Polygon};
use plotters::style::text_anchor::HPos::Left;

/// Latency distributions, stacked vertically. Equal areas represent equal shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// Its alternative text.
    pub caption: Caption,
    /// The distributions, from top to bottom.
    pub ridges: Vec<Ridge>,
    /// How to read the marks: `marker at P50, strokes at P90, P99`.
    pub note: String,
    /// The ends of the axis in seconds, shared by the charts of a section.
    pub range: (f64, f64),
}

/// One distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// The implementation.
    pub series: Series,
    /// In ascending order; all bins of a chart are equally wide on a logarithmic axis.
    pub bins: Vec<Bin>,
    /// In ascending order: `P50 281 µs`.
    pub percentiles: Vec<Tick>,
}

/// Height of a name, of the highest ridge, of the percentiles below, and of the gap to the next;
/// px.
const NAME: f64 = 22.0;
const RIDGE: f64 = 58.0;
const MARKS: f64 = 30.0;
const SPACE: f64 = 12.0;
const ROW: f64 = NAME + RIDGE + MARKS + SPACE;
const NOTES: f64 = 40.0;
/// Half the length of a stroke, px.
const STROKE: f64 = 6.0;

impl Latency {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let size = (WIDTH, self.bottom() + TICKS + NOTES);
        let series = self.ridges.iter().map(|r| &r.series);
        document(&self.caption, size, series, |canvas| {
            let x = AxisScale::log_seconds(self.range.0..self.range.1);
            let x = x.with_fitting_labels(0.0, WIDTH);
            let mut plot = ChartBuilder::on(&canvas.area)
                .margin_bottom(px(NOTES))
                .x_label_area_size(px(TICKS))
                .build_cartesian_2d(x, AxisScale::without_ticks(self.bottom()..0.0))?;
            mesh(&mut plot).disable_y_mesh().draw()?;
            self.draw_ridges(canvas, &plot)?;
            self.draw_text(canvas)
        })
    }

    /// The lower end of the plot, px.
    fn bottom(&self) -> f64 {
        self.ridges.len() as f64 * ROW
    }

    /// The ends of a common axis: the shortest and the longest time with some margin, in seconds.
    pub fn range<'a>(ridges: impl Iterator<Item = &'a Ridge>) -> (f64, f64) {
        let bins = ridges.flat_map(|r| &r.bins);
        match extent(bins.flat_map(|b| [b.low, b.high])) {
            Some((low, high)) if low < high => (low / 1.1, high * 1.05),
            _ => (1e-6, 1e-3),
        }
    }

    fn draw_ridges(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>) -> Result {
        let bins = self.ridges.iter().flat_map(|r| &r.bins);
        let highest = bins.map(|b| b.share).fold(f64::MIN_POSITIVE, f64::max);
        for (index, ridge) in self.ridges.iter().enumerate() {
            let class = Class::LINE.of(index);
            let base = index as f64 * ROW + NAME + RIDGE;
            let outline = outline(&ridge.bins, |time, share| {
                plot.backend_coord(&(time, base - share / highest * RIDGE))
            });
            let area = Polygon::new(outline.clone(), Class::TINT.of(index));
            canvas.area.draw(&area)?;
            canvas.area.draw(&PathElement::new(outline, class))?;
            // On the base line: a marker at the first percentile, strokes at the others.
            let at = |p: &Tick| place(plot, p.at, base);
            for (x, _) in ridge.percentiles.iter().skip(1).map(at) {
                canvas.line([(x, base - STROKE), (x, base + STROKE)], class)?;
            }
            if let Some(first) = ridge.percentiles.first() {
                canvas.marker(index, at(first))?;
            }
        }
        Ok(())
    }

    fn draw_text(&self, canvas: &Canvas<'_>) -> Result {
        for (index, ridge) in self.ridges.iter().enumerate() {
            let at = (0.0, index as f64 * ROW + NAME / 2.0);
            canvas.text(&ridge.series.label, Class::STRONG, Left, at)?;
        }
        // In columns, so that figures can be compared between ridges.
        let starts = column_starts(&self.ridges);
        for (index, ridge) in self.ridges.iter().enumerate() {
            let top = index as f64 * ROW;
            let y = top + NAME + RIDGE + STROKE + 14.0;
            let figures: Vec<&str> = ridge.percentiles.iter().map(|p| &*p.label).collect();
            for (figure, x) in figures.iter().zip(&starts) {
                canvas.text(figure, Class::TEXT, Left, (*x, y))?;
            }
            let text = format!("{}: {}", ridge.series.label, figures.join(", "));
            canvas.tooltip((0.0, top), (WIDTH, NAME + RIDGE), &text);
        }
        let notes = [&self.note, "logarithmic scale, left is better"];
        for (index, note) in notes.into_iter().enumerate() {
            let y = self.bottom() + TICKS + 8.0 + index as f64 * NOTES / 2.0;
            canvas.text(note, Class::MUTED, Left, (0.0, y))?;
        }
        Ok(())
    }
}

/// The left edges of the columns of percentiles, px: each is as wide as its widest text, and the
/// rest of the chart's width is divided between them.
fn column_starts(ridges: &[Ridge]) -> Vec<f64> {
    let rows = || ridges.iter().map(|r| &r.percentiles);
    let count = rows().map(Vec::len).max().unwrap_or(0);
    let figures = |column: usize| rows().filter_map(move |row| row.get(column));
    let width = |column| largest(figures(column).map(|p| text::width(&p.label)));
    let widths: Vec<f64> = (0..count).map(width).collect();
    let gaps = count.saturating_sub(1).max(1) as f64;
    let gap = ((WIDTH - widths.iter().sum::<f64>()) / gaps).clamp(6.0, 40.0);
    let start = |column: usize| widths[..column].iter().map(|w| w + gap).sum();
    (0..count).map(start).collect()
}

/// The upper edge of a histogram, starting and ending at zero, in backend pixels; `place` maps a
/// time and a share. Adjacent bins of equal height are merged into one step.
fn outline(bins: &[Bin], place: impl Fn(f64, f64) -> (i32, i32)) -> Vec<(i32, i32)> {
    let height = |b: &Bin| place(b.low, b.share).1;
    let steps = bins.chunk_by(|a, b| height(a) == height(b));
    let steps = steps.flat_map(|step| {
        let (first, last) = (step[0], step[step.len() - 1]);
        [place(first.low, first.share), place(last.high, first.share)]
    });
    let start = bins.first().map(|b| place(b.low, 0.0));
    let end = bins.last().map(|b| place(b.high, 0.0));
    start.into_iter().chain(steps).chain(end).collect()
}
