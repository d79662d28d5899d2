//! The drawing backend of plotters that writes SVG.

use super::class::Class;
use super::look::Rgb;
use super::text;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// Backend pixels per px. plotters places marks on whole pixels, which is too coarse for the end
/// of a bar; a tenth of a px is written with one decimal.
pub(super) const UNIT: i32 = 10;

type Drawn<T = ()> = Result<T, DrawingErrorKind<Infallible>>;

/// Writes marks as SVG elements. Consecutive marks of one class become one element: shapes share a
/// path, texts a group.
pub(super) struct Svg<'a> {
    out: &'a mut String,
    /// In backend pixels.
    size: (u32, u32),
    /// The colours of the series.
    colors: Vec<Rgb>,
    /// The class of the current run of marks and, for text, that of the anchor.
    run: Option<(Class, Option<&'static str>)>,
    /// The output of the current run, without the surrounding element.
    content: String,
}

impl<'a> Svg<'a> {
    /// A drawing of `size` px, whose elements are appended to `out`.
    pub(super) fn new(out: &'a mut String, (width, height): (u32, u32), colors: Vec<Rgb>) -> Self {
        let unit = UNIT.unsigned_abs();
        Self {
            out,
            size: (width * unit, height * unit),
            colors,
            run: None,
            content: String::new(),
        }
    }

    fn switch_to(&mut self, class: Class, anchor: Option<&'static str>) {
        if self.run != Some((class, anchor)) {
            self.finish_run();
            self.run = Some((class, anchor));
        }
    }

    fn finish_run(&mut self) {
        let Some((class, anchor)) = self.run.take() else {
            return;
        };
        let content = std::mem::take(&mut self.content);
        let series = class.series().and_then(|s| Some((s, self.colors.get(s)?)));
        let series = series.map_or_else(String::new, |(s, color)| {
            format!(" color=\"{color}\" data-s=\"{s}\"")
        });
        let class = format!("{class} {}", anchor.unwrap_or_default());
        let class = format!(" class=\"{}\"{series}", class.trim());
        let text = content.strip_prefix("<text");
        *self.out += &match (anchor, text.filter(|rest| !rest.contains("<text"))) {
            (None, _) => format!("<path{class} d=\"{content}\"/>\n"),
            (_, Some(only)) => format!("<text{class}{only}\n"),
            _ => format!("<g{class}>{content}</g>\n"),
        };
    }

    fn path(
        &mut self,
        points: impl IntoIterator<Item = BackendCoord>,
        color: BackendColor,
        end: &str,
    ) {
        let mut points = points.into_iter().filter(|_| color.alpha > 0.0);
        let Some(mut last) = points.next() else {
            return;
        };
        self.switch_to(Class::from_color(color), None);
        self.command('M', &[last.0, last.1]);
        for point in points {
            match (point.0 - last.0, point.1 - last.1) {
                (0, 0) => {}
                (dx, 0) => self.command('h', &[dx]),
                (0, dy) => self.command('v', &[dy]),
                (dx, dy) => self.command('l', &[dx, dy]),
            }
            last = point;
        }
        self.content += end;
    }

    fn command(&mut self, name: char, numbers: &[i32]) {
        self.content.push(name);
        for (index, &number) in numbers.iter().enumerate() {
            // A minus sign already separates numbers.
            if index > 0 && number >= 0 {
                self.content.push(' ');
            }
            push_px(&mut self.content, number);
        }
    }

    /// Escapes text at `x` (backend pixels), shortened to the room within the frame.
    fn fitting(&self, text: &str, x: i32, anchor: HPos) -> String {
        let width = self.size.0.cast_signed();
        let room = match anchor {
            HPos::Left => width - x,
            HPos::Right => x,
            HPos::Center => 2 * x.min(width - x),
        };
        text::fitting_xml(text, f64::from(room) / f64::from(UNIT))
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
        let (right, bottom) = (x + UNIT, y + UNIT);
        self.fill_polygon([(x, y), (right, y), (right, bottom), (x, bottom)], &color)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.path(path, style.color(), "");
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
        self.switch_to(Class::from_color(style.color()), None);
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
        self.path(corners, style.color(), "z");
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
        self.switch_to(Class::from_color(style.color()), Some(class));
        // Text is vertically centred (`dominant-baseline`), so that it grows in both directions.
        let half_line = (text::LINE / 2.0) as i32 * UNIT;
        let middle = match anchor.v_pos {
            VPos::Top => y + half_line,
            VPos::Center => y,
            VPos::Bottom => y - half_line,
        };
        let content = self.fitting(text, x, anchor.h_pos);
        self.content += "<text x=\"";
        push_px(&mut self.content, x);
        self.content += "\" y=\"";
        push_px(&mut self.content, middle);
        self.content.extend(["\">", &content, "</text>"]);
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, _: &S) -> Drawn<(u32, u32)> {
        let units = |px: f64| (px * f64::from(UNIT)) as u32;
        Ok((units(text::width(text)), units(text::LINE)))
    }
}

/// Writes backend pixels as px, in the shortest form: `12`, `12.5`, `-.5`.
fn push_px(out: &mut String, units: i32) {
    let (whole, tenth) = (units.unsigned_abs() / 10, units.unsigned_abs() % 10);
    if units < 0 {
        out.push('-');
    }
    if whole > 0 || tenth == 0 {
        *out += &whole.to_string();
    }
    if tenth > 0 {
        *out += &format!(".{tenth}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::style::Color;

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
            let mut out = String::new();
            push_px(&mut out, units);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn consecutive_marks_of_one_class_share_an_element() {
        let mut out = String::new();
        let mut svg = Svg::new(
            &mut out,
            (100, 50),
            vec![Rgb(0, 0, 0), Rgb(1, 2, 3), Rgb(0xd5, 0x5e, 0)],
        );
        let style = Class::MARKER.of(2).to_backend_color();
        svg.fill_polygon([(0, 0), (100, 0), (100, 25), (0, 25)], &style)
            .expect("infallible");
        svg.draw_circle((500, 200), 30, &style, true)
            .expect("infallible");
        svg.draw_line((0, 0), (0, 125), &Class::GRID.to_backend_color())
            .expect("infallible");
        let label = Class::MUTED.text(HPos::Right);
        svg.draw_text("a<b", &label, (1000, 300))
            .expect("infallible");
        svg.draw_text("far too long for the frame", &label, (400, 400))
            .expect("infallible");
        svg.present().expect("infallible");
        insta::assert_snapshot!(out);
    }
}
