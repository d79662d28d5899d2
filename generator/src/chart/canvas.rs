//! The canvas of charts: a plotters drawing area with lengths in px.

use super::axis::AxisScale;
use super::class::Class;
use super::svg::{Svg, UNIT};
use super::{Caption, Drawing, Series, text};
use crate::base::escape::xml;
use crate::chart::look::{self, Look};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::text_anchor::HPos;
use std::cell::RefCell;
use std::collections::BTreeSet;
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

    pub(super) fn rectangle(&self, corners: [(f64, f64); 2], class: Class) -> Result {
        let [(left, top), (right, bottom)] = corners;
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.polygon(corners.to_vec(), class)
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

    /// Draws an interval with a cap at each end that extends by (dx, dy) px to both sides.
    pub(super) fn whisker(&self, ends: [(f64, f64); 2], (dx, dy): (f64, f64)) -> Result {
        let cap = |(x, y): (f64, f64)| [(x - dx, y - dy), (x + dx, y + dy)];
        for path in [ends, cap(ends[0]), cap(ends[1])] {
            self.line(path, Class::WHISKER)?;
        }
        Ok(())
    }

    /// Adds a tooltip to a rectangle, given by its top left corner and its size. Browsers show it
    /// only if the SVG file itself is opened.
    pub(super) fn tooltip(&self, (x, y): (f64, f64), (width, height): (f64, f64), text: &str) {
        let text = xml(text);
        *self.tooltips.borrow_mut() += &format!(
            "<path d=\"M{x:.0} {y:.0}h{width:.0}v{height:.0}H{x:.0}z\"><title>{text}</title></path>"
        );
    }

    /// Adds a tooltip to a square around a point.
    pub(super) fn tooltip_around(&self, (x, y): (f64, f64), reach: f64, text: &str) {
        let corner = (x - reach, y - reach);
        self.tooltip(corner, (2.0 * reach, 2.0 * reach), text);
    }
}

/// Renders a whole SVG file around the marks that `draw` draws.
pub(super) fn document<'a>(
    caption: &Caption,
    (width, height): (f64, f64),
    series: impl IntoIterator<Item = &'a Series>,
    draw: impl FnOnce(&Canvas<'_>) -> Result,
) -> Drawing {
    let (width, height) = (width as u32, height.ceil() as u32);
    let mut body = String::with_capacity(8 << 10);
    let canvas = Canvas {
        area: Svg::new(&mut body, (width, height)).into_drawing_area(),
        looks: look::looks(series.into_iter().map(|s| s.look)),
        tooltips: RefCell::default(),
    };
    let drawn = draw(&canvas).and_then(|()| canvas.area.present());
    let (looks, tooltips) = (canvas.looks, canvas.tooltips.into_inner());
    if let Err(error) = drawn {
        // plotters fails only if the backend does, whose error is `Infallible`, or if the backend
        // is shared, and each chart has its own.
        unreachable!("cannot draw \"{}\": {error}", caption.title);
    }
    if !tooltips.is_empty() {
        body += &format!("<g class=\"i\">{tooltips}</g>\n");
    }
    let (title, description) = (xml(&caption.title), xml(&caption.description));
    let sheet = sheet(width, &looks, &body);
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">{title}</title>\n<desc id=\"d\">{description}</desc>\n"
    );
    let svg = [&head, &sheet, &body, "</svg>\n"].concat();
    Drawing { svg, width, height }
}

/// False for a rule of a single class that no element has. Unused rules are dropped, since a page
/// has many charts.
fn is_used(rule: &str, classes: &BTreeSet<&str>) -> bool {
    let class = rule.strip_prefix('.').and_then(|r| r.split_once('{'));
    class.is_none_or(|(class, _)| {
        let has = |value: &&str| value.split(' ').any(|one| one == class);
        class.contains(',') || classes.iter().any(has)
    })
}

/// The style sheet of a chart, and the patterns it refers to, which plotters does not support.
fn sheet(width: u32, looks: &[Look], body: &str) -> String {
    let values = body.split("class=\"").skip(1);
    let classes: BTreeSet<&str> = values.filter_map(|rest| rest.split('"').next()).collect();
    let rules = include_str!("style.css").split_inclusive('\n');
    let mut css: String = rules.filter(|rule| is_used(rule, &classes)).collect();
    let narrow = text::NARROW_SIZE;
    // Larger text where a chart is shown at less than four fifths of its width.
    css += &format!(
        "@media (max-width:{}px){{svg{{font-size:{narrow}px}}}}\n",
        width * 4 / 5
    );
    let mut patterns = String::new();
    for (series, look) in looks.iter().enumerate() {
        css += &format!(".s{series}{{color:{}}}", look.color);
        let tile = look
            .pattern
            .tile(&format!("p{series}"), Class::MARKER.of(series));
        let filled = classes.contains(&*Class::FILL.of(series).to_string());
        if let Some(tile) = tile.filter(|_| filled) {
            css += &format!(".s{series}.f{{fill:url(#p{series})}}");
            patterns += &tile;
        }
    }
    format!("<style>{css}</style>\n{patterns}")
}
