//! The backend: plotters draws, and this writes SVG.

use super::class::Class;
use super::text;
use crate::escape::xml;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// Backend pixels in a px. plotters places marks on whole pixels, which is too coarse for a
/// bar's end; a tenth of a px prints with one decimal.
pub(super) const UNIT: i32 = 10;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Writes marks as SVG elements. Neighbours of one class become one element: shapes share a
/// path, texts a group.
pub(super) struct Svg<'a> {
    out: &'a mut String,
    /// In backend pixels.
    size: (u32, u32),
    run: Option<(Class, Kind)>,
    /// What the current run has written, without the element around it.
    content: String,
    texts: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Path,
    /// With the class of its anchor.
    Text(&'static str),
}

impl<'a> Svg<'a> {
    /// A drawing of `size` px, whose elements are appended to `out`.
    pub(super) fn new(out: &'a mut String, size: (u32, u32)) -> Self {
        let unit = UNIT.unsigned_abs();
        let size = (size.0 * unit, size.1 * unit);
        Self {
            out,
            size,
            run: None,
            content: String::new(),
            texts: 0,
        }
    }

    fn switch_to(&mut self, class: Class, kind: Kind) {
        if self.run != Some((class, kind)) {
            self.finish_run();
            self.run = Some((class, kind));
        }
    }

    fn finish_run(&mut self) {
        let Some((class, kind)) = self.run.take() else {
            return;
        };
        let content = std::mem::take(&mut self.content);
        let element = match kind {
            Kind::Path => format!("<path class=\"{class}\" d=\"{content}\"/>"),
            Kind::Text(anchor) => {
                let class = format!("{class} {anchor}");
                let class = match class.trim() {
                    "" => String::new(),
                    class => format!(" class=\"{class}\""),
                };
                match content.strip_prefix("<text") {
                    Some(rest) if self.texts == 1 => format!("<text{class}{rest}"),
                    _ if class.is_empty() => content,
                    _ => format!("<g{class}>{content}</g>"),
                }
            }
        };
        self.out.extend([&element, "\n"]);
        self.texts = 0;
    }

    fn path(
        &mut self,
        points: impl IntoIterator<Item = BackendCoord>,
        color: BackendColor,
        close: bool,
    ) {
        let mut points = points.into_iter();
        let Some(start) = points.next() else { return };
        self.switch_to(Class::behind(color), Kind::Path);
        self.command('M', &[start.0, start.1]);
        let mut last = start;
        for point in points {
            match (point.0 - last.0, point.1 - last.1) {
                (0, 0) => {}
                (dx, 0) => self.command('h', &[dx]),
                (0, dy) => self.command('v', &[dy]),
                (dx, dy) => self.command('l', &[dx, dy]),
            }
            last = point;
        }
        if close {
            self.content.push('z');
        }
    }

    fn command(&mut self, name: char, numbers: &[i32]) {
        self.content.push(name);
        for (index, &number) in numbers.iter().enumerate() {
            // A minus sign separates as well as a space does.
            if index > 0 && number >= 0 {
                self.content.push(' ');
            }
            self.content += &px(number);
        }
    }

    /// Room for a text at `x` (backend pixels) within the frame, in px.
    fn room(&self, x: i32, h_pos: HPos) -> f64 {
        let width = self.size.0.cast_signed();
        let room = match h_pos {
            HPos::Left => width - x,
            HPos::Right => x,
            HPos::Center => 2 * x.min(width - x),
        };
        f64::from(room) / f64::from(UNIT)
    }
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.finish_run();
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + UNIT, y + UNIT), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        _fill: bool,
    ) -> Drawn {
        self.fill_polygon(
            [(left, top), (right, top), (right, bottom), (left, bottom)],
            style,
        )
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            self.path(path, style.color(), false);
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        _fill: bool,
    ) -> Drawn {
        let radius = radius.cast_signed();
        self.switch_to(Class::behind(style.color()), Kind::Path);
        self.command('M', &[x - radius, y]);
        for diameter in [2 * radius, -2 * radius] {
            self.command('a', &[radius, radius, 0, UNIT, 0, diameter, 0]);
        }
        self.content.push('z');
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            self.path(corners, style.color(), true);
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Drawn {
        let anchor = style.anchor();
        let class = match anchor.h_pos {
            HPos::Left => "",
            HPos::Center => "c",
            HPos::Right => "e",
        };
        self.switch_to(Class::behind(style.color()), Kind::Text(class));
        // All text is centred on its line (`dominant-baseline`), so that it grows both ways.
        let half_line = (text::LINE / 2.0) as i32 * UNIT;
        let middle = match anchor.v_pos {
            VPos::Top => y + half_line,
            VPos::Center => y,
            VPos::Bottom => y - half_line,
        };
        let room = self.room(x, anchor.h_pos);
        // A layout that measured to the end is off by the rounding of two ends.
        let content = match text::width(text) <= room + 1.0 {
            true => xml(text).into_owned(),
            false => {
                let short = text::shorten(text, room);
                format!("{}<title>{}</title>", xml(&short), xml(text))
            }
        };
        let (x, y) = (px(x), px(middle));
        self.content += &format!("<text x=\"{x}\" y=\"{y}\">{content}</text>");
        self.texts += 1;
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let unit = f64::from(UNIT);
        Ok((
            (text::width(text) * unit) as u32,
            (text::LINE * unit) as u32,
        ))
    }
}

/// Backend pixels as px, in the shortest form: `12`, `12.5`, `-.5`.
fn px(units: i32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    match (units.unsigned_abs() / 10, units.unsigned_abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, tenth) => format!("{sign}.{tenth}"),
        (whole, tenth) => format!("{sign}{whole}.{tenth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn px_in_the_shortest_form() {
        for (units, text) in [
            (0, "0"),
            (120, "12"),
            (125, "12.5"),
            (5, ".5"),
            (-5, "-.5"),
            (-130, "-13"),
        ] {
            assert_eq!(px(units), text);
        }
    }

    #[test]
    fn neighbours_of_one_class_share_an_element() {
        let mut out = String::new();
        let mut svg = Svg::new(&mut out, (100, 50));
        let style = Class::FILL.of(2).shape();
        svg.draw_rect((0, 0), (100, 25), &style, true)
            .expect("infallible");
        svg.draw_circle((500, 200), 30, &style, true)
            .expect("infallible");
        svg.draw_line((0, 0), (0, 125), &Class::GRID.shape())
            .expect("infallible");
        let label = text::style(Class::MUTED, HPos::Right);
        svg.draw_text("a<b", &label, (1000, 300))
            .expect("infallible");
        svg.draw_text("far too long for the frame", &label, (400, 400))
            .expect("infallible");
        svg.present().expect("infallible");
        insta::assert_snapshot!(out);
    }
}
