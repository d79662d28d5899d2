//! The embedded font: a subset of Inter 4.001 (SIL Open Font License, see `inter-LICENSE.txt`)
//! with Latin, Greek, digits, punctuation and arrows, without hints, kerning and layout
//! features, made of its variable font by fontTools:
//!
//! ```text
//! fonttools varLib.instancer 'Inter[opsz,wght].ttf' opsz=24 wght=400 -o inter.ttf     # bold: 700
//! pyftsubset inter.ttf --layout-features= --no-hinting --notdef-outline --name-IDs=0,1,2,5,13,14 \
//!   --drop-tables+=GSUB,GPOS,GDEF,STAT,OS/2,post,gasp,prep,HVAR,MVAR,avar,fvar --unicodes=U+20-7E,\
//!   U+A0-17F,U+391-3A9,U+3B1-3C9,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032,U+2033,\
//!   U+2039,U+203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212,U+221E,U+2248,U+2260,U+2264,U+2265,U+25A1
//! ```

use ab_glyph::{Font as _, FontRef, GlyphId, PxScale, point};
use anyhow::{Context, Result};

/// Drawn for a character that the font lacks.
const SUBSTITUTE: char = '□';

/// Weights of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both weights, read once.
pub(super) struct Fonts {
    regular: Font,
    bold: Font,
}

struct Font {
    outlines: FontRef<'static>,
    /// Units of an em.
    em: f32,
    substitute: GlyphId,
}

impl Fonts {
    /// # Errors
    /// The embedded files are damaged, which the tests would have shown.
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            regular: Font::new(include_bytes!("inter-regular.ttf"))?,
            bold: Font::new(include_bytes!("inter-bold.ttf"))?,
        })
    }

    fn font(&self, weight: Weight) -> &Font {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The width in px of a text of `size` px.
    pub(super) fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        let font = self.font(weight);
        let advance = |glyph| font.outlines.h_advance_unscaled(glyph);
        let units: f32 = font.glyphs(text).map(advance).sum();
        f64::from(units) * size / f64::from(font.em)
    }

    /// Calls `draw` with each pixel of a text that starts at 0 on its baseline: x, y downwards,
    /// and how much of it is covered, from 0 to 1.
    ///
    /// # Errors
    /// Those of `draw`.
    pub(super) fn rasterize<E>(
        &self,
        text: &str,
        size: f64,
        weight: Weight,
        mut draw: impl FnMut(i32, i32, f64) -> Result<(), E>,
    ) -> Result<(), E> {
        let font = self.font(weight);
        let outlines = &font.outlines;
        let per_unit = size as f32 / font.em;
        // ab_glyph's scale is the height of a line, and not the em.
        let scale = PxScale::from(outlines.height_unscaled() * per_unit);
        let mut x = 0.0;
        for id in font.glyphs(text) {
            let glyph = id.with_scale_and_position(scale, point(x, 0.0));
            x += outlines.h_advance_unscaled(id) * per_unit;
            // Spaces have no outline.
            let Some(outline) = outlines.outline_glyph(glyph) else {
                continue;
            };
            let corner = outline.px_bounds().min;
            let (left, top) = (corner.x as i32, corner.y as i32);
            let mut result = Ok(());
            outline.draw(|x, y, coverage| {
                if result.is_ok() && coverage > 0.0 {
                    let coverage = f64::from(coverage.min(1.0));
                    result = draw(left + x as i32, top + y as i32, coverage);
                }
            });
            result?;
        }
        Ok(())
    }

    /// A text in at most `max` lines of `room` px, about equally long; where it is longer, its
    /// last line ends with an ellipsis.
    pub(super) fn wrap(
        &self,
        text: &str,
        style: (f64, Weight),
        room: f64,
        max: usize,
    ) -> Vec<String> {
        let fitting = self.lines(text, style, room);
        let shorten = |line: String| self.shorten(&line, style, room);
        if fitting.len() > max {
            let kept: Vec<String> = fitting.iter().take(max - 1).cloned().collect();
            let rest = fitting[max - 1..].join(" ");
            return kept.into_iter().chain([rest]).map(shorten).collect();
        }
        // Halving the interval ten times places the edge within a pixel.
        let (mut narrow, mut wide) = (0.0, room);
        for _ in 0..10 {
            let middle = (narrow + wide) / 2.0;
            let same = self.lines(text, style, middle).len() == fitting.len();
            *(if same { &mut wide } else { &mut narrow }) = middle;
        }
        let lines = self.lines(text, style, wide);
        lines.into_iter().map(shorten).collect()
    }

    /// A text in lines of `room` px; only a line of one word can be longer.
    fn lines(&self, text: &str, (size, weight): (f64, Weight), room: f64) -> Vec<String> {
        let space = self.width(" ", size, weight);
        let mut lines: Vec<String> = Vec::new();
        let mut used = 0.0;
        for word in text.split_ascii_whitespace() {
            let width = self.width(word, size, weight);
            match lines.last_mut() {
                Some(line) if used + space + width <= room => {
                    line.push(' ');
                    line.push_str(word);
                    used += space + width;
                }
                _ => {
                    lines.push(word.to_owned());
                    used = width;
                }
            }
        }
        lines
    }

    /// The text, cut and with an ellipsis where it is wider than `room` px.
    pub(super) fn shorten(&self, text: &str, (size, weight): (f64, Weight), room: f64) -> String {
        if self.width(text, size, weight) <= room {
            return text.to_owned();
        }
        let mut left = room - self.width("…", size, weight);
        let fits = |c: &char| {
            left -= self.width(c.encode_utf8(&mut [0; 4]), size, weight);
            left >= 0.0
        };
        let kept: String = text.chars().take_while(fits).collect();
        format!("{}…", kept.trim_end_matches([' ', ',']))
    }
}

impl Font {
    fn new(bytes: &'static [u8]) -> Result<Self> {
        let outlines = FontRef::try_from_slice(bytes).context("the embedded font is damaged")?;
        let em = outlines.units_per_em();
        Ok(Self {
            em: em.context("the embedded font has no em")?,
            substitute: outlines.glyph_id(SUBSTITUTE),
            outlines,
        })
    }

    fn glyphs(&self, text: &str) -> impl Iterator<Item = GlyphId> {
        let glyph = |c| match self.outlines.glyph_id(c) {
            GlyphId(0) => self.substitute,
            glyph => glyph,
        };
        text.chars().map(glyph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fonts() -> Fonts {
        Fonts::new().expect("a font")
    }

    fn pixels(text: &str, weight: Weight) -> Vec<(i32, i32, f64)> {
        let mut pixels = Vec::new();
        let draw = |x, y, coverage| {
            pixels.push((x, y, coverage));
            Ok::<(), ()>(())
        };
        fonts().rasterize(text, 30.0, weight, draw).expect("pixels");
        pixels
    }

    #[test]
    fn characters_without_a_glyph_are_visible() {
        for weight in [Weight::Regular, Weight::Bold] {
            let square = pixels("□", weight);
            assert!(!square.is_empty());
            assert_eq!(pixels("🦀", weight), square);
            // What labels, units and names of people are made of has glyphs of its own.
            for c in "abcxyzABCXYZ0123456789.,:;+-*/_()[]%±×…–—·µµäßéñøłşžΩλ→≤≥≈&<>\"'".chars()
            {
                let drawn = pixels(&c.to_string(), weight);
                assert!(!drawn.is_empty() && drawn != square, "{c}");
            }
        }
    }

    #[test]
    fn text_is_as_wide_as_measured() {
        let text = "OpenSSL 3.6.1 on x86_64";
        let measured = fonts().width(text, 30.0, Weight::Bold);
        let drawn = pixels(text, Weight::Bold).iter().map(|p| p.0).max();
        let drawn = f64::from(drawn.expect("pixels"));
        assert!(
            (measured - 4.0..=measured).contains(&drawn),
            "{drawn} {measured}"
        );
    }

    #[test]
    fn text_is_broken_into_even_lines() {
        let fonts = fonts();
        let wrap =
            |text: &str, room: f64, max: usize| fonts.wrap(text, (40.0, Weight::Bold), room, max);
        assert_eq!(
            wrap("one two three four", 1000.0, 2),
            ["one two three four"]
        );
        assert_eq!(
            wrap("one two three four", 260.0, 2),
            ["one two", "three four"]
        );
        assert_eq!(
            wrap("one two three four", 180.0, 2),
            ["one two", "three f…"]
        );
        assert_eq!(wrap("", 100.0, 2), [""; 0]);
        for room in [60.0, 333.0, 800.0] {
            for line in wrap(&"words of many sizes, ".repeat(20), room, 3) {
                assert!(
                    fonts.width(&line, 40.0, Weight::Bold) <= room,
                    "{room}: {line}"
                );
            }
        }
    }
}
