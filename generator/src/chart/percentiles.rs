//! Percentiles of times, side by side: ways to write, or implementations, in several cases.

use super::axis::{self, Scale};
use super::canvas::{Canvas, Plot, Result, place};
use super::class::Class;
use super::rows::{Row, Rows};
use super::{Caption, Drawing, Percentile, Series, extent, text};

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
/// Half of a stroke, px.
const STROKE: f64 = 5.0;

/// `P50 281 µs`
pub(super) fn figures(row: &[Percentile]) -> Vec<String> {
    let figure = |p: &Percentile| format!("{} {}", p.name, p.text);
    row.iter().map(figure).collect()
}

/// The first and the last: `1.21 µs, P99.9 8.90 µs`.
fn summary(row: &[Percentile]) -> String {
    match row {
        [] => "–".to_owned(),
        [only] => only.text.clone(),
        [first, .., last] => format!("{}, {} {}", first.text, last.name, last.text),
    }
}

/// How to read ranges such as `row`: `marker at P50, strokes at P90, P99, P99.9`.
pub(super) fn how_to_read(row: &[Percentile]) -> Option<String> {
    let names: Vec<&str> = row.iter().map(|p| p.name.as_str()).collect();
    let (first, others) = names.split_first()?;
    Some(match others.join(", ") {
        none if none.is_empty() => format!("marker at {first}"),
        others => format!("marker at {first}, strokes at {others}"),
    })
}

impl Percentiles {
    /// Draws the chart.
    pub fn render(&self) -> Drawing {
        let all = || self.groups.iter().flat_map(|g| &g.rows);
        let times = all().flatten().map(|p| p.value);
        let (low, high) = extent(times).unwrap_or((1e-6, 1e-5));
        let (scale, kind) = match high / low > WIDE {
            true => (Scale::log_seconds(low / 1.1..high), "logarithmic scale"),
            false => {
                let ticks = axis::linear_seconds(high, 3);
                (Scale::linear(0.0..high, ticks), "from zero")
            }
        };
        let groups = self.groups.iter().map(|group| {
            let row = |(row, series): (&Vec<Percentile>, &Series)| {
                let figures = figures(row).join(", ");
                Row {
                    end: row.last().map(|p| scale.share(p.value)),
                    text: summary(row),
                    tooltip: Some(format!("{}, {}: {figures}", group.label, series.label)),
                }
            };
            let rows = group.rows.iter().zip(&self.series).map(row).collect();
            (group.label.as_str(), rows)
        });
        let rows = Rows::new(&self.series, groups, PITCH);
        let scale = scale.labelled_within(text::INSET, rows.width);
        let how_to_read = all().next().and_then(|row| how_to_read(row));
        let kind = format!("{kind}, lower is better");
        let notes: Vec<String> = how_to_read.into_iter().chain([kind]).collect();
        rows.render(&self.caption, scale, &notes, |canvas, plot| {
            self.draw(canvas, plot, &rows)
        })
    }

    fn draw(&self, canvas: &Canvas<'_>, plot: &Plot<'_, '_>, rows: &Rows<'_>) -> Result {
        for index in 0..self.series.len() {
            if let Some((x, y)) = rows.legend.get(index) {
                canvas.marker(index, (x + 7.0, *y))?;
            }
            let mut firsts = Vec::new();
            for (g, group) in self.groups.iter().enumerate() {
                let at = |p: &Percentile| place(plot, p.value, rows.middle(g, index));
                let row = group.rows.get(index).into_iter().flatten();
                let places: Vec<_> = row.map(at).collect();
                draw_range(canvas, &places, Class::LINE.of(index))?;
                firsts.extend(places.first().copied());
            }
            for at in firsts {
                canvas.marker(index, at)?;
            }
        }
        Ok(())
    }
}

/// A line from the first percentile to the last, and a stroke at each but the first.
fn draw_range(canvas: &Canvas<'_>, places: &[(f64, f64)], class: Class) -> Result {
    let [first, others @ .., last] = places else {
        return Ok(());
    };
    canvas.line([*first, *last], class)?;
    for (x, y) in others.iter().chain([last]) {
        canvas.line([(*x, y - STROKE), (*x, y + STROKE)], class)?;
    }
    Ok(())
}
