//! Distributions of times on one logarithmic axis: a ridge for each implementation, with its
//! percentiles below.

use super::axis::{Scale, draw_x_grid};
use super::class::Class;
use super::tooltip::Tooltip;
use super::{
    Area, Caption, Drawing, Percentile, Result, Series, WIDTH, document, extent, marker,
    percentiles, placeable_time, point, px, text, upx,
};
use crate::look::Look;
use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Polygon};
use plotters::style::text_anchor::HPos;

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

    fn percentiles(&self) -> impl Iterator<Item = &Percentile> {
        self.percentiles.iter().filter(|p| placeable_time(p.value))
    }

    /// `P50 281 µs`
    fn figures(&self) -> Vec<String> {
        let figure = |p: &Percentile| format!("{} {}", p.name, p.text);
        self.percentiles().map(figure).collect()
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
        let height = (self.ridges.len() as f64 * ROW + TICKS + NOTES) as u32;
        let series = self.ridges.iter().map(|r| &r.series);
        document(&self.caption, (WIDTH, height), series, |area, looks| {
            self.draw(area, looks)
        })
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

    fn draw(&self, area: &Area<'_>, looks: &[Look]) -> Result<Vec<Tooltip>> {
        let (low, high) = self.range();
        let height = self.ridges.len() as f64 * ROW;
        let mut chart = ChartBuilder::on(area)
            .margin_bottom(upx(NOTES))
            .x_label_area_size(upx(TICKS))
            .build_cartesian_2d(
                Scale::log_seconds(low..high).labelled_within(0.0, f64::from(WIDTH)),
                Scale::rows(height),
            )?;
        draw_x_grid(&mut chart)?;
        let columns: Vec<Vec<f64>> = self.ridges.iter().map(|r| r.columns((low, high))).collect();
        let shares = columns.iter().flatten().copied();
        let highest = shares.fold(f64::MIN_POSITIVE, f64::max);
        let x = |column: usize| px(f64::from(WIDTH) * column as f64 / COLUMNS as f64);
        for (index, (ridge, shares)) in self.ridges.iter().zip(&columns).enumerate() {
            let base = index as f64 * ROW + NAME + RIDGE;
            let steps = outline(shares, x, |share| px(base - share / highest * RIDGE));
            area.draw(&Polygon::new(steps.clone(), Class::TINT.of(index).shape()))?;
            area.draw(&PathElement::new(steps, Class::LINE.of(index).shape()))?;
            // On the base line a marker at the first percentile, strokes at the others.
            let x = |p: &Percentile| chart.backend_coord(&(p.value, base)).0;
            for x in ridge.percentiles().skip(1).map(x) {
                let stroke = [(x, px(base - STROKE)), (x, px(base + STROKE))];
                area.draw(&PathElement::new(stroke, Class::LINE.of(index).shape()))?;
            }
            if let Some(first) = ridge.percentiles().next() {
                marker::draw(area, looks[index].marker, index, (x(first), px(base)))?;
            }
        }
        self.draw_text(area, height)?;
        Ok(self.tooltips())
    }

    /// On each ridge.
    fn tooltips(&self) -> Vec<Tooltip> {
        let tooltip = |(index, ridge): (usize, &Ridge)| {
            let area = (0.0, index as f64 * ROW, f64::from(WIDTH), NAME + RIDGE);
            let text = format!("{}: {}", ridge.series.label, ridge.figures().join(", "));
            Tooltip::new(area, text)
        };
        self.ridges.iter().enumerate().map(tooltip).collect()
    }

    fn draw_text(&self, area: &Area<'_>, height: f64) -> Result<()> {
        let style = |class| text::style(class, HPos::Left);
        for (index, ridge) in self.ridges.iter().enumerate() {
            let at = point((0.0, index as f64 * ROW + NAME / 2.0));
            area.draw_text(&ridge.series.label, &style(Class::STRONG), at)?;
        }
        // Columns, so that the figures of all ridges can be read down as well.
        let rows: Vec<Vec<String>> = self.ridges.iter().map(Ridge::figures).collect();
        let starts = columns(&rows);
        for (index, row) in rows.iter().enumerate() {
            let y = index as f64 * ROW + NAME + RIDGE + STROKE + 14.0;
            for (figure, x) in row.iter().zip(&starts) {
                area.draw_text(figure, &style(Class::TEXT), point((*x, y)))?;
            }
        }
        let names: Vec<&str> = self.ridges.first().map_or(Vec::new(), |ridge| {
            ridge.percentiles().map(|p| p.name.as_str()).collect()
        });
        let notes = [
            percentiles::how_to_read(&names),
            Some("logarithmic scale, left is better".to_owned()),
        ];
        for (index, note) in notes.iter().flatten().enumerate() {
            let at = point((0.0, height + TICKS + 8.0 + index as f64 * NOTES / 2.0));
            area.draw_text(note, &style(Class::MUTED), at)?;
        }
        Ok(())
    }
}

/// Where the columns of a table start, px: each as wide as its widest words, and what is left of
/// the chart's width between them.
fn columns(rows: &[Vec<String>]) -> Vec<f64> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|r| r.get(column))
            .map(|w| text::width(w))
            .fold(0.0, f64::max)
    };
    let all: f64 = (0..count).map(width).sum();
    let gap = ((f64::from(WIDTH) - all) / count.saturating_sub(1).max(1) as f64).clamp(6.0, 40.0);
    let mut next = 0.0;
    (0..count)
        .map(|column| {
            let start = next;
            next += width(column) + gap;
            start
        })
        .collect()
}

/// The upper edge of a histogram from its first to its last column that is not empty; `x` and
/// `y` give backend pixels. A tail of columns that are equally high is one step.
fn outline(shares: &[f64], x: impl Fn(usize) -> i32, y: impl Fn(f64) -> i32) -> Vec<(i32, i32)> {
    let Some(first) = shares.iter().position(|&s| s > 0.0) else {
        return Vec::new();
    };
    let last = shares.iter().rposition(|&s| s > 0.0).unwrap_or(first);
    let mut steps = vec![(x(first), y(0.0))];
    let mut height = y(0.0);
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
