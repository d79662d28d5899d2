//! What charts of rows have in common: groups of rows from top to bottom, each row a mark from
//! the left with text behind it, below a legend and above an axis.

use super::axis::{Plot, Scale, draw_x_grid};
use super::class::Class;
use super::legend::Legend;
use super::tooltip::Tooltip;
use super::{Area, Result, Series, WIDTH, point, text, upx};
use plotters::chart::ChartBuilder;
use plotters::style::text_anchor::HPos;

/// The text of a row.
pub(super) struct Row {
    /// How far along the axis the row's mark ends, 0 to 1; `None` without a mark.
    pub(super) end: Option<f64>,
    /// Behind the mark.
    pub(super) text: String,
    /// Where a pointer rests on the row.
    pub(super) tooltip: Option<String>,
}

/// The rows of a chart, one for each series in each group, and where everything is.
pub(super) struct Rows<'a> {
    pub(super) series: &'a [Series],
    groups: Vec<(&'a str, Vec<Row>)>,
    /// `None` where the names stand behind the first group.
    pub(super) legend: Option<Legend>,
    /// Where they start there, px.
    names: f64,
    /// Height of the legend, or of the gap in its place, px.
    head: f64,
    /// Height of a row, px.
    pitch: f64,
    /// Upper end of each group, px below the legend.
    tops: Vec<f64>,
    /// Height and width of the plot, px.
    height: f64,
    pub(super) width: f64,
}

/// Height of a group's label, and the gap below a group; px.
pub(super) const LABEL: f64 = 22.0;
const SPACE: f64 = 10.0;
/// From the end of a mark to its text, and from there to a name, px.
const GAP: f64 = 8.0;
const NAME: f64 = 12.0;
/// Ticks' labels, and a line of notes; px.
const TICKS: f64 = 24.0;
const NOTE: f64 = 20.0;

impl<'a> Rows<'a> {
    pub(super) fn new(
        series: &'a [Series],
        groups: impl Iterator<Item = (&'a str, Vec<Row>)>,
        pitch: f64,
    ) -> Self {
        let groups: Vec<_> = groups.collect();
        let mut height = 0.0;
        let mut tops = Vec::new();
        for (_, rows) in &groups {
            tops.push(height);
            height += LABEL + rows.len() as f64 * pitch + SPACE;
        }
        let full = f64::from(WIDTH) - text::INSET;
        // As wide as leaves room for the text behind each mark.
        let rows = groups.iter().flat_map(|(_, rows)| rows);
        let width = rows
            .filter_map(|row| Some((full - GAP - text::width(&row.text)) / row.end?))
            .fold(full - 24.0, f64::min)
            .max(f64::from(WIDTH) / 4.0);
        // Names in a column behind the first group need no legend, if there is room for them.
        let first = groups.first().map_or(&[][..], |(_, rows)| rows);
        let end = |row: &Row| Some(row.end? * width + GAP + text::width(&row.text));
        let ends: Option<Vec<f64>> = first.iter().map(end).collect();
        let names = ends.map_or(f64::INFINITY, |ends| {
            ends.into_iter().fold(0.0, f64::max) + NAME
        });
        let widest = series
            .iter()
            .map(|s| text::width(&s.label))
            .fold(0.0, f64::max);
        let named = first.len() == series.len() && names + widest <= full;
        let legend = (!named).then(|| Legend::of(series));
        Self {
            series,
            groups,
            head: legend.as_ref().map_or(2.0, |l| l.height),
            legend,
            names: text::INSET + names,
            pitch,
            tops,
            height,
            width,
        }
    }

    /// Width and height of the chart, px.
    pub(super) fn size(&self, notes: usize) -> (u32, u32) {
        let height = self.head + self.height + TICKS + notes as f64 * NOTE;
        (WIDTH, height.ceil() as u32)
    }

    /// The middle of a row, px from the upper end of the plot.
    pub(super) fn middle(&self, group: usize, row: usize) -> f64 {
        self.tops[group] + LABEL + (row as f64 + 0.5) * self.pitch
    }

    /// The upper and the lower end of a group's rows.
    pub(super) fn ends(&self, group: usize) -> (f64, f64) {
        let top = self.tops[group] + LABEL;
        (top, top + self.groups[group].1.len() as f64 * self.pitch)
    }

    /// Draws all but the marks, which `marks` draws below the text.
    pub(super) fn draw(
        &self,
        area: &Area<'_>,
        scale: Scale,
        notes: &[String],
        marks: impl FnOnce(&Plot<'_, '_>) -> Result<()>,
    ) -> Result<Vec<Tooltip>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(upx(self.head))
            .margin_left(upx(text::INSET))
            .margin_right(upx(f64::from(WIDTH) - text::INSET - self.width))
            .margin_bottom(upx(notes.len() as f64 * NOTE))
            .x_label_area_size(upx(TICKS))
            .build_cartesian_2d(scale, Scale::rows(self.height))?;
        draw_x_grid(&mut chart)?;
        marks(&chart)?;
        let style = |class| text::style(class, HPos::Left);
        for ((label, _), top) in self.groups.iter().zip(&self.tops) {
            let at = (text::INSET, self.head + top + LABEL / 2.0);
            area.draw_text(label, &style(Class::STRONG), point(at))?;
        }
        // One class after the other, because neighbours of one class share an element of the file.
        for has_mark in [true, false] {
            let class = if has_mark { Class::TEXT } else { Class::MUTED };
            for (x, y, row) in self.rows().filter(|r| r.2.end.is_some() == has_mark) {
                area.draw_text(&row.text, &style(class), point((x, self.head + y)))?;
            }
        }
        for (index, note) in notes.iter().enumerate() {
            let y = self.head + self.height + TICKS + (index as f64 + 0.5) * NOTE - 2.0;
            area.draw_text(note, &style(Class::MUTED), point((text::INSET, y)))?;
        }
        self.draw_names(area)?;
        Ok(self.tooltips())
    }

    /// Each row with where its text is, px; y from the upper end of the plot.
    fn rows(&self) -> impl Iterator<Item = (f64, f64, &Row)> {
        self.groups.iter().enumerate().flat_map(move |(g, group)| {
            group.1.iter().enumerate().map(move |(r, row)| {
                let x = text::INSET + row.end.unwrap_or(0.0) * self.width + GAP;
                (x, self.middle(g, r), row)
            })
        })
    }

    fn draw_names(&self, area: &Area<'_>) -> Result<()> {
        match &self.legend {
            Some(legend) => {
                let style = text::style(Class::TEXT, HPos::Left);
                for (series, entry) in self.series.iter().zip(&legend.entries) {
                    area.draw_text(&series.label, &style, point(Legend::name(*entry)))?;
                }
            }
            None => {
                let style = text::style(Class::MUTED, HPos::Left);
                for (series, (_, y, _)) in self.series.iter().zip(self.rows()) {
                    area.draw_text(&series.label, &style, point((self.names, self.head + y)))?;
                }
            }
        }
        Ok(())
    }

    /// On the whole line of each row.
    fn tooltips(&self) -> Vec<Tooltip> {
        let tooltip = |(_, y, row): (f64, f64, &Row)| {
            let top = self.head + y - self.pitch / 2.0;
            let area = (0.0, top, f64::from(WIDTH), self.pitch);
            Some(Tooltip::new(area, row.tooltip.clone()?))
        };
        self.rows().filter_map(tooltip).collect()
    }
}
