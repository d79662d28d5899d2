//! Percentiles of times, side by side: ways to write, or implementations, in several cases.

use super::axis::{self, Plot, Scale};
use super::class::Class;
use super::rows::{Row, Rows};
use super::{
    Area, Caption, Drawing, Percentile, Result, Series, document, extent, marker, placeable_time,
    point, px, text,
};
use crate::look::Look;
use plotters::element::PathElement;

/// For each case and series a range of percentiles: a marker at the first, strokes at the
/// others. A bar would have to start at zero, which a logarithmic axis does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Percentiles {
    /// Its alternative text.
    pub caption: Caption,
    /// What is compared, in order.
    pub series: Vec<Series>,
    /// The cases, from top to bottom.
    pub groups: Vec<PercentileGroup>,
}

/// One case.
#[derive(Clone, Debug, PartialEq)]
pub struct PercentileGroup {
    /// Stands above its rows.
    pub label: String,
    /// One for each series, in the same order: its percentiles in ascending order, empty where
    /// it was not measured.
    pub rows: Vec<Vec<Percentile>>,
}

/// Height of a row, px.
const PITCH: f64 = 20.0;
/// The greatest time over the least from which on the axis is logarithmic: beyond it the small
/// ones would share the first twentieth of a linear axis.
const WIDE: f64 = 20.0;

/// Those that can be drawn.
fn valid(row: &[Percentile]) -> Vec<&Percentile> {
    row.iter().filter(|p| placeable_time(p.value)).collect()
}

/// The first and the last: `1.21 µs, P99.9 8.90 µs`.
fn summary(row: &[&Percentile]) -> String {
    match row {
        [] => "–".to_owned(),
        [only] => only.text.clone(),
        [first, .., last] => format!("{}, {} {}", first.text, last.name, last.text),
    }
}

/// How to read a range: `marker at P50, strokes at P90, P99, P99.9`.
pub(super) fn how_to_read(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [only] => Some(format!("marker at {only}")),
        [first, others @ ..] => Some(format!(
            "marker at {first}, strokes at {}",
            others.join(", ")
        )),
    }
}

impl Percentiles {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let rows = || {
            self.groups
                .iter()
                .flat_map(|g| &g.rows)
                .map(|row| valid(row))
        };
        let values = rows().flatten().map(|p| p.value);
        let (low, high) = extent(values).unwrap_or((1e-6, 1e-5));
        let logarithmic = high / low > WIDE;
        let scale = match logarithmic {
            true => Scale::log_seconds(low / 1.1..high),
            false => Scale::linear(0.0..high, axis::linear_seconds(high, 3)),
        };
        let groups = self.groups.iter().map(|group| {
            let row = |(row, series): (&Vec<Percentile>, &Series)| {
                let row = valid(row);
                Row {
                    end: row.last().map(|p| scale.share(p.value)),
                    text: summary(&row),
                    tooltip: Some(tooltip(&group.label, series, &row)),
                }
            };
            let rows = group.rows.iter().zip(&self.series).map(row).collect();
            (group.label.as_str(), rows)
        });
        let laid_out = Rows::new(&self.series, groups, PITCH);
        let scale = scale.labelled_within(text::INSET, laid_out.width);
        let names = rows().next().unwrap_or_default();
        let names: Vec<&str> = names.iter().map(|p| p.name.as_str()).collect();
        let kind = match logarithmic {
            true => "logarithmic scale",
            false => "from zero",
        };
        let notes = [
            how_to_read(&names),
            Some(format!("{kind}, lower is better")),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let size = laid_out.size(notes.len());
        document(&self.caption, size, &self.series, |area, looks| {
            laid_out.draw(area, scale, &notes, |chart| {
                self.draw(area, chart, &laid_out, looks)
            })
        })
    }

    fn draw(
        &self,
        area: &Area<'_>,
        chart: &Plot<'_, '_>,
        rows: &Rows<'_>,
        looks: &[Look],
    ) -> Result<()> {
        for (index, look) in looks.iter().enumerate() {
            if let Some(legend) = &rows.legend {
                let (x, y) = legend.entries[index];
                marker::draw(area, look.marker, index, point((x + 7.0, y)))?;
            }
            let mut firsts = Vec::new();
            for (g, group) in self.groups.iter().enumerate() {
                let row = group.rows.get(index).map_or(Vec::new(), |row| valid(row));
                let at = |p: &&Percentile| chart.backend_coord(&(p.value, rows.middle(g, index)));
                let places: Vec<_> = row.iter().map(at).collect();
                draw_range(area, &places, index)?;
                firsts.extend(places.first().copied());
            }
            for at in firsts {
                marker::draw(area, look.marker, index, at)?;
            }
        }
        Ok(())
    }
}

fn tooltip(label: &str, series: &Series, row: &[&Percentile]) -> String {
    let figures = row.iter().map(|p| format!("{} {}", p.name, p.text));
    let figures: Vec<String> = figures.collect();
    format!("{label}, {}: {}", series.label, figures.join(", "))
}

/// A line from the first percentile to the last, and a stroke at each but the first.
fn draw_range(area: &Area<'_>, places: &[(i32, i32)], series: usize) -> Result<()> {
    let [first, others @ .., last] = places else {
        return Ok(());
    };
    let style = Class::LINE.of(series).shape();
    area.draw(&PathElement::new([*first, *last], style))?;
    for (x, y) in others.iter().chain([last]) {
        let stroke = [(*x, y - px(5.0)), (*x, y + px(5.0))];
        area.draw(&PathElement::new(stroke, style))?;
    }
    Ok(())
}
