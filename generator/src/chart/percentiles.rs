//! Percentiles of times, side by side: ways to write, or implementations, in several cases.

use super::ink::Ink;
use super::legend::Legend;
use super::scale::{Plot, Scale, draw_grid};
use super::style::Look;
use super::ticks;
use super::tip::Tip;
use super::{
    Area, Caption, Drawing, Percentile, Result, Series, WIDTH, document, looks, marker,
    placeable_time, point, px, text, upx,
};
use plotters::chart::ChartBuilder;
use plotters::element::PathElement;
use plotters::style::text_anchor::HPos;

/// For each case and series a range of percentiles: a marker at the first, strokes at the
/// others. A bar would have to start at zero, which a logarithmic axis does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Percentiles {
    /// Words for those who do not see it.
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

/// Height of a row, of a case's label, and of the gap below a case; px.
const PITCH: f64 = 20.0;
const LABEL: f64 = 22.0;
const SPACE: f64 = 10.0;
/// From the end of a range to its words, px.
const GAP: f64 = 9.0;
const TICKS: f64 = 24.0;
const NOTE: f64 = 20.0;
/// The greatest time over the least from which on the axis is logarithmic: beyond it the small
/// ones would share the first twentieth of a linear axis.
const WIDE: f64 = 20.0;

/// Those that can be drawn.
fn sound(row: &[Percentile]) -> Vec<&Percentile> {
    row.iter().filter(|p| placeable_time(p.value)).collect()
}

/// The first and the last: `1.21 µs, P99.9 8.90 µs`.
fn words(row: &[&Percentile]) -> String {
    match row {
        [] => "–".to_owned(),
        [only] => only.text.clone(),
        [first, .., last] => format!("{}, {} {}", first.text, last.name, last.text),
    }
}

/// How to read a range: `marker at P50, strokes at P90, P99, P99.9`.
pub(super) fn legend_of(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [only] => Some(format!("marker at {only}")),
        [first, others @ ..] => Some(format!(
            "marker at {first}, strokes at {}",
            others.join(", ")
        )),
    }
}

/// Where everything is.
struct Layout {
    legend: Legend,
    tops: Vec<f64>,
    height: f64,
    width: f64,
    scale: Scale,
    notes: Vec<String>,
}

impl Layout {
    fn of(chart: &Percentiles) -> Self {
        let mut height = 0.0;
        let mut tops = Vec::new();
        for group in &chart.groups {
            tops.push(height);
            height += LABEL + group.rows.len() as f64 * PITCH + SPACE;
        }
        let rows: Vec<_> = chart
            .groups
            .iter()
            .flat_map(|g| &g.rows)
            .map(|row| sound(row))
            .collect();
        let values = || rows.iter().flatten().map(|p| p.value);
        let (low, high) = values().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), v| {
            (low.min(v), high.max(v))
        });
        let (low, high) = if low <= high {
            (low, high)
        } else {
            (1e-6, 1e-5)
        };
        let logarithmic = high / low > WIDE;
        let share = |value: f64| match logarithmic {
            true => (value / low * 1.1).ln() / (high / low * 1.1).ln(),
            false => value / high,
        };
        // As wide as leaves room for the words behind each range.
        let width = rows
            .iter()
            .filter_map(|row| {
                let room = f64::from(WIDTH) - text::INSET - GAP - text::width(&words(row));
                Some(room / share(row.last()?.value))
            })
            .fold(f64::from(WIDTH) - 40.0, f64::min)
            .max(f64::from(WIDTH) * 0.4);
        let scale = match logarithmic {
            true => Scale::logarithmic(low / 1.1, high, ticks::log_seconds(low / 1.1, high)),
            false => Scale::linear(0.0, high, ticks::linear_seconds(high, 3)),
        };
        let scale = scale.labelled_within(text::INSET, width);
        let names: Vec<&str> = rows.first().map_or(Vec::new(), |row| {
            row.iter().map(|p| p.name.as_str()).collect()
        });
        let axis = if logarithmic {
            "logarithmic scale"
        } else {
            "from zero"
        };
        let notes = [legend_of(&names), Some(format!("{axis}, lower is better"))];
        let notes = notes.into_iter().flatten().collect();
        Self {
            legend: Legend::of(chart.series.iter()),
            tops,
            height,
            width,
            scale,
            notes,
        }
    }

    /// Height of what is below the plot, px.
    fn foot(&self) -> f64 {
        TICKS + self.notes.len() as f64 * NOTE
    }

    /// The middle of a row, px from the upper end of the plot.
    fn middle(&self, group: usize, row: usize) -> f64 {
        self.tops[group] + LABEL + (row as f64 + 0.5) * PITCH
    }
}

impl Percentiles {
    /// Draws it.
    pub fn render(&self) -> Drawing {
        let layout = Layout::of(self);
        let looks = looks(&self.series);
        let height = (layout.legend.height + layout.height + layout.foot()).ceil() as u32;
        document(&self.caption, (WIDTH, height), &looks, |area| {
            self.draw(area, &layout, &looks)
        })
    }

    fn draw(&self, area: &Area<'_>, layout: &Layout, looks: &[Look]) -> Result<Vec<Tip>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(upx(layout.legend.height))
            .margin_left(upx(text::INSET))
            .margin_right(upx(f64::from(WIDTH) - text::INSET - layout.width))
            .margin_bottom(upx(layout.foot() - TICKS))
            .x_label_area_size(upx(TICKS))
            .build_cartesian_2d(layout.scale.clone(), Scale::rows(layout.height))?;
        draw_grid(&mut chart, true)?;
        for (index, (place, look)) in layout.legend.places.iter().zip(looks).enumerate() {
            marker::draw(
                area,
                look.marker,
                index as u8,
                point((place.0 + 7.0, place.1)),
            )?;
            for (group, case) in self.groups.iter().enumerate() {
                let row = case.rows.get(index).map_or(Vec::new(), |row| sound(row));
                draw_range(area, &chart, &row, index as u8, layout.middle(group, index))?;
            }
            for (group, case) in self.groups.iter().enumerate() {
                let row = case.rows.get(index).map_or(Vec::new(), |row| sound(row));
                if let Some(first) = row.first() {
                    let at = chart.backend_coord(&(first.value, layout.middle(group, index)));
                    marker::draw(area, look.marker, index as u8, at)?;
                }
            }
        }
        self.draw_words(area, &chart, layout)?;
        Ok(self.tips(layout))
    }

    /// On the whole line of each range.
    fn tips(&self, layout: &Layout) -> Vec<Tip> {
        let mut tips = Vec::new();
        for (group, case) in self.groups.iter().enumerate() {
            for (index, (row, series)) in case.rows.iter().zip(&self.series).enumerate() {
                let top = layout.legend.height + layout.middle(group, index) - PITCH / 2.0;
                let words: Vec<String> = sound(row)
                    .iter()
                    .map(|p| format!("{} {}", p.name, p.text))
                    .collect();
                let words = format!("{}, {}: {}", case.label, series.label, words.join(", "));
                tips.push(Tip::new((0.0, top, f64::from(WIDTH), PITCH), words));
            }
        }
        tips
    }

    fn draw_words(&self, area: &Area<'_>, chart: &Plot<'_, '_>, layout: &Layout) -> Result<()> {
        let style = |ink| text::style(ink, HPos::Left);
        for (case, top) in self.groups.iter().zip(&layout.tops) {
            let at = point((text::INSET, layout.legend.height + top + LABEL / 2.0));
            area.draw_text(&case.label, &style(Ink::Strong), at)?;
        }
        for (group, case) in self.groups.iter().enumerate() {
            for (index, row) in case.rows.iter().enumerate() {
                let row = sound(row);
                let end = row.last().map_or(chart.x_range().start, |p| p.value);
                let (x, y) = chart.backend_coord(&(end, layout.middle(group, index)));
                area.draw_text(&words(&row), &style(Ink::Text), (x + px(GAP), y))?;
            }
        }
        for (series, place) in self.series.iter().zip(&layout.legend.places) {
            area.draw_text(
                &series.label,
                &style(Ink::Text),
                point(Legend::name(*place)),
            )?;
        }
        for (index, note) in layout.notes.iter().enumerate() {
            let y =
                layout.legend.height + layout.height + TICKS + (index as f64 + 0.5) * NOTE - 2.0;
            area.draw_text(note, &style(Ink::Muted), point((text::INSET, y)))?;
        }
        Ok(())
    }
}

/// A line from the first percentile to the last, and a stroke at each but the first.
fn draw_range(
    area: &Area<'_>,
    chart: &Plot<'_, '_>,
    row: &[&Percentile],
    series: u8,
    y: f64,
) -> Result<()> {
    let places: Vec<_> = row
        .iter()
        .map(|p| chart.backend_coord(&(p.value, y)))
        .collect();
    let [first, .., last] = places.as_slice() else {
        return Ok(());
    };
    let style = Ink::Line(series).shape();
    area.draw(&PathElement::new([*first, *last], style))?;
    for (x, y) in &places[1..] {
        area.draw(&PathElement::new(
            [(*x, y - px(5.0)), (*x, y + px(5.0))],
            style,
        ))?;
    }
    Ok(())
}
