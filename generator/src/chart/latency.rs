//! Distributions of times on one logarithmic axis: a ridge for each implementation, with its
//! percentiles below.

use super::axis::{Scale, mesh};
use super::canvas::{Canvas, Plot, Result, document, place, px};
use super::class::Class;
use super::{Caption, Drawing, Percentile, Series, WIDTH, extent, largest, percentiles};
use super::{placeable_time, text};
use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Polygon};
use plotters::style::text_anchor::HPos::Left;

/// Latency distributions, one below the other. Equal areas are equal shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// Its alternative text.
    pub caption: Caption,
    /// From top to bottom.
    pub ridges: Vec<Ridge>,
}

/// One distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// The implementation.
    pub series: Series,
    /// In ascending order.
    pub bins: Vec<Bin>,
    /// In ascending order: P50, P90, P99, P99.9, perhaps the maximum.
    pub percentiles: Vec<Percentile>,
}

/// A range of times with the share of the values that lie in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Lower end, seconds; above zero.
    pub low: f64,
    /// Upper end, seconds; above the lower one.
    pub high: f64,
    /// 0 to 1.
    pub share: f64,
}

/// Height of a name, of the highest ridge, of the percentiles below, and of the gap to the next;
/// px.
const NAME: f64 = 22.0;
const RIDGE: f64 = 58.0;
const MARKS: f64 = 30.0;
const SPACE: f64 = 12.0;
const ROW: f64 = NAME + RIDGE + MARKS + SPACE;
const TICKS: f64 = 24.0;
const NOTES: f64 = 40.0;
/// Half of a stroke, px.
const STROKE: f64 = 6.0;
/// Columns that a ridge is drawn in: one for 3 px.
const COLUMNS: usize = 170;

impl Ridge {
    fn bins(&self) -> impl Iterator<Item = &Bin> {
        let valid = |b: &&Bin| {
            placeable_time(b.low)
                && placeable_time(b.high)
                && b.high > b.low
                && (0.0..=1.0).contains(&b.share)
        };
        self.bins.iter().filter(valid)
    }

    fn percentiles(&self) -> Vec<&Percentile> {
        percentiles::valid(&self.percentiles)
    }

    /// The share in each of [`COLUMNS`] columns, which are equally wide on a logarithmic axis. A
    /// bin that lies in several columns is spread over them.
    fn columns(&self, (low, high): (f64, f64)) -> Vec<f64> {
        let mut columns = vec![0.0; COLUMNS];
        let per_log = COLUMNS as f64 / (high / low).ln();
        let column = |value: f64| ((value / low).ln() * per_log).clamp(0.0, COLUMNS as f64);
        for bin in self.bins() {
            let (from, to) = (column(bin.low), column(bin.high));
            let last = (to.ceil() as usize).clamp(1, COLUMNS);
            let first = (from as usize).min(last - 1);
            for (index, share) in columns.iter_mut().enumerate().take(last).skip(first) {
                let overlap = to.min(index as f64 + 1.0) - from.max(index as f64);
                *share += if to > from {
                    bin.share * overlap / (to - from)
                } else {
                    bin.share
                };
            }
        }
        columns
    }
}

impl Latency {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let height = self.bottom() + TICKS + NOTES;
        let size = (WIDTH as u32, height as u32);
        let series = self.ridges.iter().map(|r| &r.series);
        document(&self.caption, size, series, |canvas| {
            let (low, high) = self.range();
            let x = Scale::log_seconds(low..high).labelled_within(0.0, WIDTH);
            let mut plot = ChartBuilder::on(&canvas.area)
                .margin_bottom(px(NOTES))
                .x_label_area_size(px(TICKS))
                .build_cartesian_2d(x, Scale::rows(0.0, self.bottom()))?;
            mesh(&mut plot).disable_y_mesh().draw()?;
            self.draw_ridges(canvas, &plot, (low, high))?;
            self.draw_text(canvas)
        })
    }

    /// The lower end of the plot, px.
    fn bottom(&self) -> f64 {
        self.ridges.len() as f64 * ROW
    }

    /// The shortest and the longest time with a little room, seconds.
    fn range(&self) -> (f64, f64) {
        let bins = self.ridges.iter().flat_map(Ridge::bins);
        let percentiles = self.ridges.iter().flat_map(Ridge::percentiles);
        let times = bins.flat_map(|b| [b.low, b.high]);
        match extent(times.chain(percentiles.map(|p| p.value))) {
            Some((low, high)) if low < high => (low / 1.1, high * 1.05),
            _ => (1e-6, 1e-3),
        }
    }

    fn draw_ridges(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, range: (f64, f64)) -> Result {
        let columns: Vec<Vec<f64>> = self.ridges.iter().map(|r| r.columns(range)).collect();
        let highest = columns
            .iter()
            .flatten()
            .copied()
            .fold(f64::MIN_POSITIVE, f64::max);
        for (index, (ridge, shares)) in self.ridges.iter().zip(&columns).enumerate() {
            let class = Class::LINE.of(index);
            let base = index as f64 * ROW + NAME + RIDGE;
            let steps = outline(shares, |share| px(base - share / highest * RIDGE));
            canvas
                .area
                .draw(&Polygon::new(steps.clone(), Class::TINT.of(index)))?;
            canvas.area.draw(&PathElement::new(steps, class))?;
            // On the base line a marker at the first percentile, strokes at the others.
            let places = ridge
                .percentiles()
                .into_iter()
                .map(|p| place(plot, p.value, base));
            let places: Vec<(f64, f64)> = places.collect();
            for (x, _) in places.iter().skip(1) {
                canvas.line([(*x, base - STROKE), (*x, base + STROKE)], class)?;
            }
            if let Some((x, _)) = places.first() {
                canvas.marker(index, (*x, base))?;
            }
        }
        Ok(())
    }

    fn draw_text(&self, canvas: &Canvas<'_>) -> Result {
        for (index, ridge) in self.ridges.iter().enumerate() {
            let at = (0.0, index as f64 * ROW + NAME / 2.0);
            canvas.text(&ridge.series.label, Class::STRONG, Left, at)?;
        }
        // Columns, so that the figures of all ridges can be read down as well.
        let rows = self
            .ridges
            .iter()
            .map(|r| percentiles::figures(&r.percentiles()));
        let rows: Vec<Vec<String>> = rows.collect();
        let starts = starts(&rows);
        for (index, (row, ridge)) in rows.iter().zip(&self.ridges).enumerate() {
            let top = index as f64 * ROW;
            for (figure, x) in row.iter().zip(&starts) {
                canvas.text(
                    figure,
                    Class::TEXT,
                    Left,
                    (*x, top + NAME + RIDGE + STROKE + 14.0),
                )?;
            }
            let text = format!("{}: {}", ridge.series.label, row.join(", "));
            canvas.tooltip((0.0, top), (WIDTH, NAME + RIDGE), &text);
        }
        let first = self.ridges.first().map_or(Vec::new(), Ridge::percentiles);
        let how_to_read = percentiles::how_to_read(&first);
        let notes = how_to_read
            .as_deref()
            .into_iter()
            .chain(["logarithmic scale, left is better"]);
        for (index, note) in notes.enumerate() {
            let y = self.bottom() + TICKS + 8.0 + index as f64 * NOTES / 2.0;
            canvas.text(note, Class::MUTED, Left, (0.0, y))?;
        }
        Ok(())
    }
}

/// Where the columns of a table start, px: each as wide as its widest words, and what is left of
/// the chart's width between them.
fn starts(rows: &[Vec<String>]) -> Vec<f64> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let words = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let width = |column| largest(words(column).map(|w| text::width(w)));
    let widths: Vec<f64> = (0..count).map(width).collect();
    let gaps = count.saturating_sub(1).max(1) as f64;
    let gap = ((WIDTH - widths.iter().sum::<f64>()) / gaps).clamp(6.0, 40.0);
    let start = |column: usize| widths[..column].iter().map(|w| w + gap).sum();
    (0..count).map(start).collect()
}

/// The upper edge of a histogram from its first to its last column that is not empty, in backend
/// pixels, which `y` gives of a share. A tail of columns that are equally high is one step.
fn outline(shares: &[f64], y: impl Fn(f64) -> i32) -> Vec<(i32, i32)> {
    let filled = |share: &f64| *share > 0.0;
    let (Some(first), Some(last)) = (
        shares.iter().position(filled),
        shares.iter().rposition(filled),
    ) else {
        return Vec::new();
    };
    let x = |column: usize| px(WIDTH * column as f64 / COLUMNS as f64);
    let mut height = y(0.0);
    let mut steps = vec![(x(first), height)];
    for (index, share) in shares.iter().enumerate().take(last + 1).skip(first) {
        if y(*share) != height {
            steps.push((x(index), height));
            height = y(*share);
            steps.push((x(index), height));
        }
    }
    steps.extend([(x(last + 1), height), (x(last + 1), y(0.0))]);
    steps
}
