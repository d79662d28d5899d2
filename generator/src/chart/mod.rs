//! Charts as SVG files, by plotters on a backend of our own.
//!
//! A chart is a struct of finished figures and words, in the unit that the page shows. The file
//! stands alone: text is text, colours follow the reader's light or dark scheme, and `<title>`
//! and `<desc>` say what there is to see. It asks for nothing from outside and holds no script.

mod bars;
mod gauge;
mod ink;
mod latency;
mod legend;
mod lines;
mod marker;
mod percentiles;
mod scale;
mod spread;
pub mod style;
mod svg;
mod text;
mod ticks;
mod tip;
mod trend;

pub use bars::{Bar, Bars, Group};
pub use gauge::{Gauge, Needle};
pub use latency::{Bin, Latency, Ridge};
pub use lines::{Fit, Line, Lines, Mark, Point, XAxis};
pub use percentiles::{PercentileGroup, Percentiles};
pub use ticks::Tick;
pub use trend::{Trend, TrendLine, TrendPoint};

use crate::escape::xml;
use crate::unit::Better;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use serde::Serialize;
use std::convert::Infallible;
use style::Look;
use svg::{Svg, UNIT};
use tip::Tip;

type Result<T> = std::result::Result<T, DrawingAreaErrorKind<Infallible>>;
type Area<'a> = DrawingArea<Svg<'a>, Shift>;

/// Width of every chart but the gauge, px: that of a column of text, and little enough that its
/// words can be read when a phone shows it at 320 px.
const WIDTH: u32 = 520;

/// A chart as an SVG file, with its size in px.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Drawing {
    /// The whole file.
    #[serde(skip)]
    pub svg: String,
    /// Of the view box.
    pub width: u32,
    /// Of the view box.
    pub height: u32,
}

/// What a chart says to those who do not see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caption {
    /// A few words.
    pub title: String,
    /// A sentence or two with the figures that matter.
    pub description: String,
}

/// One of the things that a chart compares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// As the chart shows it: `rustls 0.23.37`.
    pub label: String,
    /// What decides its look, see [`style::looks`]: the implementation's name.
    pub implementation: String,
}

/// An axis of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// As the reader sees it: `MiB/s`.
    pub unit: String,
    /// Which way is better.
    pub better: Better,
}

/// A percentile of a distribution of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Percentile {
    /// `P50`, `P99.9`, `max`.
    pub name: String,
    /// Seconds.
    pub value: f64,
    /// The value as the reader sees it: `281 µs`.
    pub text: String,
}

impl Axis {
    /// `MiB/s, higher is better`.
    fn note(&self) -> String {
        match self.better {
            Better::Unknown => self.unit.clone(),
            better => format!("{}, {}", self.unit, direction(better)),
        }
    }
}

/// Whether a value can be placed on an axis. No figure of a benchmark comes near the limit; it
/// keeps sums and products of values finite.
fn placeable(value: f64) -> bool {
    value.abs() <= 1e30
}

/// Whether a time can be placed on a logarithmic axis: a picosecond to thirty years.
fn placeable_time(seconds: f64) -> bool {
    (1e-12..=1e9).contains(&seconds)
}

fn direction(better: Better) -> &'static str {
    match better {
        Better::Higher => "higher is better",
        Better::Lower => "lower is better",
        Better::Unknown => "",
    }
}

fn looks<'a>(series: impl IntoIterator<Item = &'a Series>) -> Vec<Look> {
    style::looks(series.into_iter().map(|s| s.implementation.as_str()))
}

/// Px as backend pixels.
fn px(length: f64) -> i32 {
    (length * f64::from(UNIT)).round() as i32
}

/// Px as backend pixels, for plotters' sizes.
fn upx(length: f64) -> u32 {
    px(length.max(0.0)).unsigned_abs()
}

fn point((x, y): (f64, f64)) -> (i32, i32) {
    (px(x), px(y))
}

/// A whole file: the frame, and in it what `draw` draws, with the tips that it gives on top.
fn document(
    caption: &Caption,
    (width, height): (u32, u32),
    looks: &[Look],
    draw: impl FnOnce(&Area<'_>) -> Result<Vec<Tip>>,
) -> Drawing {
    let mut body = String::with_capacity(8 << 10);
    let area = Svg::new(&mut body, (width, height)).into_drawing_area();
    let drawn = draw(&area).and_then(|tips| area.present().map(|()| tips));
    drop(area);
    let tips = match drawn {
        Ok(tips) => tips,
        // plotters fails where its backend does, which `Infallible` excludes, and where two
        // drawings share one, which each chart has of its own.
        Err(error) => unreachable!("cannot draw \"{}\": {error}", caption.title),
    };
    let (title, description) = (xml(&caption.title), xml(&caption.description));
    body += &tip::layer(&tips);
    let sheet = style::sheet(width, looks, &body);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">{title}</title>\n<desc id=\"d\">{description}</desc>\n{sheet}{body}</svg>\n"
    );
    Drawing { svg, width, height }
}
