//! Distributions of times on one logarithmic axis: a ridge for each implementation, with its
//! percentiles below.

use super::ink::Ink;
use super::scale::{Scale, draw_grid};
use super::style::{Look, Marker};
use super::tip::Tip;
use super::{
    Area, Caption, Drawing, Percentile, Result, Series, WIDTH, document, looks, marker,
    percentiles, placeable_time, point, px, text, ticks, upx,
};
use plotters::chart::ChartBuilder;
use plotters::element::{PathElement, Polygon};
use plotters::style::text_anchor::HPos;

/// Latency distributions, one below the other. Equal areas are equal shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// Words for those who do not see it.
    pub caption: Caption,
    /// From top to bottom.
    pub ridges: Vec<Ridge>,
}

/// One distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// Who was measured.
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
        let sound = |b: &&Bin| {
            placeable_time(b.low)
                && placeable_time(b.high)
                && b.high > b.low
                && (0.0..=1.0).contains(&b.share)
        };
        self.bins.iter().filter(sound)
    }

    fn percentiles(&self) -> impl Iterator<Item = &Percentile> {
        self.percentiles.iter().filter(|p| placeable_time(p.value))
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
    /// Draws it.
    pub fn render(&self) -> Drawing {
        let height = (self.ridges.len() as f64 * ROW + TICKS + NOTES) as u32;
        let looks = looks(self.ridges.iter().map(|r| &r.series));
        document(&self.caption, (WIDTH, height), &looks, |area| {
            self.draw(area, &looks)
        })
    }

    /// The least and the greatest time with a little room, seconds.
    fn range(&self) -> (f64, f64) {
        let bins = self.ridges.iter().flat_map(Ridge::bins);
        let percentiles = self.ridges.iter().flat_map(Ridge::percentiles);
        let ends = bins
            .map(|b| (b.low, b.high))
            .chain(percentiles.map(|p| (p.value, p.value)));
        let (low, high) = ends.fold((f64::INFINITY, 0.0), |all: (f64, f64), one| {
            (all.0.min(one.0), all.1.max(one.1))
        });
        if low < high {
            (low / 1.1, high * 1.05)
        } else {
            (1e-6, 1e-3)
        }
    }

    fn draw(&self, area: &Area<'_>, looks: &[Look]) -> Result<Vec<Tip>> {
        let (low, high) = self.range();
        let ticks = ticks::log_seconds(low, high);
        let height = self.ridges.len() as f64 * ROW;
        let mut chart = ChartBuilder::on(area)
            .margin_bottom(upx(NOTES))
            .x_label_area_size(upx(TICKS))
            .build_cartesian_2d(
                Scale::logarithmic(low, high, ticks).labelled_within(0.0, f64::from(WIDTH)),
                Scale::rows(height),
            )?;
        draw_grid(&mut chart, true)?;
        let columns: Vec<Vec<f64>> = self.ridges.iter().map(|r| r.columns((low, high))).collect();
        let highest = columns
            .iter()
            .flatten()
            .copied()
            .fold(f64::MIN_POSITIVE, f64::max);
        let plot = chart.plotting_area();
        let at = |column: usize| px(f64::from(WIDTH) * column as f64 / COLUMNS as f64);
        for (index, (ridge, shares)) in self.ridges.iter().zip(&columns).enumerate() {
            let base = index as f64 * ROW + NAME + RIDGE;
            let steps = outline(shares, at, |share| px(base - share / highest * RIDGE));
            area.draw(&Polygon::new(steps.clone(), Ink::Tint(index as u8).shape()))?;
            area.draw(&PathElement::new(steps, Ink::Line(index as u8).shape()))?;
            let values: Vec<_> = ridge
                .percentiles()
                .map(|p| plot.map_coordinate(&(p.value, base)).0)
                .collect();
            draw_percentiles(area, looks[index].marker, index as u8, &values, base)?;
        }
        self.draw_words(area, height)?;
        Ok(self.tips())
    }

    /// On each ridge.
    fn tips(&self) -> Vec<Tip> {
        let tip = |(index, ridge): (usize, &Ridge)| {
            let place = (0.0, index as f64 * ROW, f64::from(WIDTH), NAME + RIDGE);
            let words: Vec<String> = ridge
                .percentiles()
                .map(|p| format!("{} {}", p.name, p.text))
                .collect();
            Tip::new(
                place,
                format!("{}: {}", ridge.series.label, words.join(", ")),
            )
        };
        self.ridges.iter().enumerate().map(tip).collect()
    }

    fn draw_words(&self, area: &Area<'_>, height: f64) -> Result<()> {
        let row = |index: usize| index as f64 * ROW;
        for (index, ridge) in self.ridges.iter().enumerate() {
            let at = point((0.0, row(index) + NAME / 2.0));
            area.draw_text(
                &ridge.series.label,
                &text::style(Ink::Strong, HPos::Left),
                at,
            )?;
        }
        // Columns, so that the figures of all ridges can be read down as well.
        let words = |p: &Percentile| format!("{} {}", p.name, p.text);
        let rows: Vec<Vec<String>> = self
            .ridges
            .iter()
            .map(|r| r.percentiles().map(words).collect())
            .collect();
        let starts = columns(&rows);
        for (index, row_words) in rows.iter().enumerate() {
            for (words, x) in row_words.iter().zip(&starts) {
                let at = point((*x, row(index) + NAME + RIDGE + STROKE + 14.0));
                area.draw_text(words, &text::style(Ink::Text, HPos::Left), at)?;
            }
        }
        let names: Vec<&str> = self.ridges.first().map_or(Vec::new(), |ridge| {
            ridge.percentiles().map(|p| p.name.as_str()).collect()
        });
        let notes = [
            percentiles::legend_of(&names),
            Some("logarithmic scale, left is better".to_owned()),
        ];
        for (index, note) in notes.iter().flatten().enumerate() {
            let at = point((0.0, height + TICKS + 8.0 + index as f64 * NOTES / 2.0));
            area.draw_text(note, &text::style(Ink::Muted, HPos::Left), at)?;
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

/// On the line under a ridge, at `values` (backend pixels): a marker at the first, strokes at the
/// others.
fn draw_percentiles(
    area: &Area<'_>,
    shape: Marker,
    series: u8,
    values: &[i32],
    base: f64,
) -> Result<()> {
    let Some((first, others)) = values.split_first() else {
        return Ok(());
    };
    for &x in others {
        let stroke = [(x, px(base - STROKE)), (x, px(base + STROKE))];
        area.draw(&PathElement::new(stroke, Ink::Line(series).shape()))?;
    }
    marker::draw(area, shape, series, (*first, px(base)))
}
