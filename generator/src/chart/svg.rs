//! The drawing backend of plotters that writes SVG, for axes and lines.

use plotters::style::RGBColor;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// Backend pixels per px. plotters places marks on whole pixels, which is too coarse for a figure.
pub(super) const UNIT: i32 = 10;

/// Grid lines and the zero line, by their classes in `style.css`. plotters supports RGB
/// colours only, which stand for the classes, so that a file works on light pages, on dark pages and
/// in print.
pub(super) const GRID: RGBColor = RGBColor(b'g', 0, 0);
pub(super) const AXIS: RGBColor = RGBColor(b'a', 0, 0);

/// The line of the series with this index.
pub(super) const fn line(series: usize) -> RGBColor {
    RGBColor(b'l', series as u8, 0)
}

type Drawn<T = ()> = Result<T, DrawingErrorKind<Infallible>>;

/// Appends marks as SVG elements to `out`.
pub(super) struct Svg<'a> {
    pub(super) out: &'a mut String,
    /// In px.
    pub(super) size: (f64, f64),
    /// The colours of the series.
    pub(super) colors: Vec<&'static str>,
}

/// Converts px to backend pixels.
pub(super) fn units(px: f64) -> i32 {
    (px * f64::from(UNIT)).round() as i32
}

/// Converts backend pixels to px.
pub(super) fn px((x, y): BackendCoord) -> (f64, f64) {
    (
        f64::from(x) / f64::from(UNIT),
        f64::from(y) / f64::from(UNIT),
    )
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        let (width, height) = self.size;
        (units(width).unsigned_abs(), units(height).unsigned_abs())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    /// Draws nothing: axes and lines have no single pixels.
    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let color = style.color();
        if color.alpha == 0.0 {
            return Ok(());
        }
        let (class, series, _) = color.rgb;
        let class = char::from(class);
        *self.out += &format!("<path class=\"{class}\"");
        if class == 'l' {
            let color = self.colors[usize::from(series)];
            *self.out += &format!(" color=\"{color}\"");
        }
        *self.out += " d=\"";
        for (index, point) in path.into_iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let (x, y) = px(point);
            *self.out += &format!("{command}{x} {y}");
        }
        *self.out += "\"/>\n";
        Ok(())
    }
}
