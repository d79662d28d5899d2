//! The canvas of charts: a plotters drawing area with lengths in px.

use super::axis::AxisScale;
use super::class::Class;
use super::svg::{Svg, UNIT};
use super::{Caption, Drawing, Series, largest};
use crate::base::escape::xml;
use crate::chart::look::{self, Look};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::text_anchor::HPos;
use std::cell::RefCell;
use std::convert::Infallible;

pub(super) type Result<T = ()> = std::result::Result<T, DrawingAreaErrorKind<Infallible>>;

/// A chart that plotters has laid out.
pub(super) type Plot<'a, 'b> = ChartContext<'a, Svg<'b>, Cartesian2d<AxisScale, AxisScale>>;

pub(super) struct Canvas<'a> {
    pub(super) area: DrawingArea<Svg<'a>, Shift>,
    /// The looks of the chart's series.
    looks: Vec<Look>,
    /// Invisible areas on top of all marks: plotters has no element for SVG's `<title>`.
    tooltips: RefCell<String>,
}

/// Converts px to backend pixels.
pub(super) fn px(length: f64) -> i32 {
    (length * f64::from(UNIT)).round() as i32
}

/// The position of a point of a plot, px.
pub(super) fn place(plot: &Plot<'_, '_>, x: f64, y: f64) -> (f64, f64) {
    let (x, y) = plot.backend_coord(&(x, y));
    let unit = f64::from(UNIT);
    (f64::from(x) / unit, f64::from(y) / unit)
}

fn point((x, y): (f64, f64)) -> (i32, i32) {
    (px(x), px(y))
}

impl Canvas<'_> {
    /// Draws text, vertically centred on `at`.
    pub(super) fn text(&self, text: &str, class: Class, anchor: HPos, at: (f64, f64)) -> Result {
        let style = class.text(anchor);
        self.area.draw_text(text, &style, point(at))
    }

    pub(super) fn line<const N: usize>(&self, points: [(f64, f64); N], class: Class) -> Result {
        let path = PathElement::new(points.map(point), class);
        self.area.draw(&path)
    }

    pub(super) fn polygon(&self, corners: Vec<(f64, f64)>, class: Class) -> Result {
        let corners: Vec<_> = corners.into_iter().map(point).collect();
        self.area.draw(&Polygon::new(corners, class))
    }

    pub(super) fn circle(&self, center: (f64, f64), radius: f64, class: Class) -> Result {
        self.area
            .draw(&Circle::new(point(center), px(radius), class))
    }

    /// Draws the marker of a series.
    pub(super) fn marker(&self, series: usize, (x, y): (f64, f64)) -> Result {
        let class = Class::MARKER.of(series);
        let corners = match self.looks[series].marker.corners() {
            [] => return self.circle((x, y), 4.0, class),
            corners => corners.iter().map(|(dx, dy)| (x + dx, y + dy)),
        };
        self.polygon(corners.collect(), class)
    }

    /// Draws an interval of a series with a cap at each end that extends by (dx, dy) px to both sides.
    pub(super) fn whisker(
        &self,
        ends: [(f64, f64); 2],
        (dx, dy): (f64, f64),
        series: usize,
    ) -> Result {
        let cap = |(x, y): (f64, f64)| [(x - dx, y - dy), (x + dx, y + dy)];
        for path in [ends, cap(ends[0]), cap(ends[1])] {
            self.line(path, Class::WHISKER.of(series))?;
        }
        Ok(())
    }

    /// Adds a tooltip to a square around a point of a series.
    pub(super) fn tooltip(&self, series: usize, (x, y): (f64, f64), reach: f64, text: &str) {
        let (text, left, top, side) = (xml(text), x - reach, y - reach, 2.0 * reach);
        *self.tooltips.borrow_mut() += &format!(
            "<path class=\"mark\" data-s=\"{series}\" d=\"M{left:.0} {top:.0}h{side:.0}v{side:.0}h-{side:.0}z\"><title>{text}</title></path>"
        );
    }
}

/// A drawing with its own coordinates. A file has several side by side; a page arranges them for its
/// width.
pub(super) struct Panel {
    /// SVG elements.
    pub(super) body: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Space between panels, px.
const SPACE: f64 = 24.0;

/// Renders a whole SVG file with these panels in rows of two.
pub(super) fn document(caption: &Caption, panels: Vec<Panel>) -> Drawing {
    let (title, description) = (xml(&caption.title), xml(&caption.description));
    let (mut body, mut top, mut right) = (String::new(), 0.0, 0.0_f64);
    for row in panels.chunks(2) {
        let mut left = 0.0;
        for panel in row {
            let (width, height) = (panel.width, panel.height.ceil());
            body += &format!(
                "<svg class=\"panel\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{}</svg>",
                panel.body
            );
            left += width + SPACE;
        }
        right = right.max(left - SPACE);
        top += largest(row.iter().map(|panel| panel.height.ceil())) + SPACE;
    }
    let (width, height) = (right as u32, (top - SPACE).max(0.0) as u32);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">{title}</title>\n<desc id=\"d\">{description}</desc>\n\
         <style>\n{}</style>\n{body}\n</svg>\n",
        include_str!("style.css")
    );
    Drawing { svg, width, height }
}

/// Renders a whole SVG file around the marks that `draw` draws.
pub(super) fn plotted<'a>(
    caption: &Caption,
    (width, height): (f64, f64),
    series: impl IntoIterator<Item = &'a Series>,
    draw: impl FnOnce(&Canvas<'_>) -> Result,
) -> Drawing {
    let size = (width as u32, height.ceil() as u32);
    let mut body = String::with_capacity(8 << 10);
    let looks = look::looks(series.into_iter().map(|s| s.look));
    let colors = looks.iter().map(|look| look.color).collect();
    let canvas = Canvas {
        area: Svg::new(&mut body, size, colors).into_drawing_area(),
        looks,
        tooltips: RefCell::default(),
    };
    let drawn = draw(&canvas).and_then(|()| canvas.area.present());
    let tooltips = canvas.tooltips.into_inner();
    if let Err(error) = drawn {
        // plotters fails only if the backend does, whose error is `Infallible`, or if the backend
        // is shared, and each chart has its own.
        unreachable!("cannot draw \"{}\": {error}", caption.title);
    }
    if !tooltips.is_empty() {
        body += &format!("<g class=\"i\">{tooltips}</g>\n");
    }
    document(
        caption,
        vec![Panel {
            body,
            width,
            height,
        }],
    )
}
