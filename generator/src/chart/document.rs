//! SVG files, put together from panels.

use super::{Drawing, WIDTH, largest};
use crate::base::escape::xml;

/// A drawing with its own coordinates. A file has several side by side; a page arranges them for
/// its width.
pub(super) struct Panel {
    /// SVG elements.
    pub(super) body: String,
    /// The label of its scenario, for scripts and tests; empty without one.
    pub(super) of: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Space between panels, px.
const SPACE: f64 = 24.0;

/// Renders a whole SVG file with these panels in rows of two, or of four small ones.
pub(super) fn document(title: &str, description: &str, panels: &[Panel]) -> Drawing {
    let (title, description) = (xml(title), xml(description));
    let (mut body, mut top, mut right) = (String::new(), 0.0, 0.0_f64);
    let is_small = panels.iter().all(|panel| panel.width < WIDTH);
    let class = if is_small { "panel small" } else { "panel" };
    for row in panels.chunks(if is_small { 4 } else { 2 }) {
        let mut left = 0.0;
        for panel in row {
            let (width, height) = (panel.width, panel.height.ceil());
            let of = match &*panel.of {
                "" => String::new(),
                of => format!(" data-of=\"{}\"", xml(of)),
            };
            body += &format!(
                "<svg class=\"{class}\"{of} x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{}</svg>",
                panel.body
            );
            left += width + SPACE;
        }
        right = right.max(left - SPACE);
        top += largest(row.iter().map(|panel| panel.height.ceil())) + SPACE;
    }
    let (width, height) = (right as u32, (top - SPACE).max(0.0) as u32);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">{title}</title>\n<desc id=\"d\">{description}</desc>\n\
         <style>\n{}</style>\n",
        include_str!("style.css")
    );
    svg += &body;
    svg += "\n</svg>\n";
    Drawing { svg, width, height }
}
