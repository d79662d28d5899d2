//! The embedded font: a subset of Inter 4.001 (SIL Open Font License, see `inter-LICENSE.txt`)
//! with Latin, Greek, digits, punctuation and arrows, without hinting, kerning and layout
//! features, generated from its variable font by fontTools:
//!
//! ```text
//! fonttools varLib.instancer 'Inter[opsz,wght].ttf' opsz=24 wght=400 -o inter.ttf     # bold: 700
//! pyftsubset inter.ttf --layout-features= --no-hinting --notdef-outline --name-IDs=0,1,2,5,13,14 \
//!   --drop-tables+=GSUB,GPOS,GDEF,STAT,OS/2,post,gasp,prep,HVAR,MVAR,avar,fvar --unicodes=U+20-7E,\
//!   U+A0-17F,U+391-3A9,U+3B1-3C9,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032,U+2033,\
//!   U+2039,U+203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212,U+221E,U+2248,U+2260,U+2264,U+2265,U+25A1
//! ```

use ab_glyph::{Font as _, FontRef, GlyphId, PxScale, point};
use anyhow::{Context, Result, anyhow};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Drawn in place of characters that the font lacks.
const SUBSTITUTE: char = '□';

/// Subpixel positions of glyphs: with whole pixels, text looks uneven. Each is rasterized once.
const PLACES: i32 = 4;

/// Weights of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// A size in px per em, and a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Face(pub(super) u16, pub(super) Weight);

/// Both weights, and a cache of rasterized glyphs.
pub(super) struct Fonts {
    regular: Font,
    bold: Font,
    drawn: Mutex<HashMap<(Face, GlyphId, i32), Arc<Bitmap>>>,
}

struct Font {
    outlines: FontRef<'static>,
    /// Font units per em.
    em: f32,
    substitute: GlyphId,
}

/// A rasterized glyph: its top left corner relative to its origin, its width, and the coverage of
/// each pixel, from 0 to 1.
#[derive(Default)]
struct Bitmap {
    left: i32,
    top: i32,
    width: usize,
    coverage: Vec<f32>,
}

impl Fonts {
    /// # Errors
    /// If the embedded files are damaged, which tests rule out.
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            regular: Font::new(include_bytes!("inter-regular.ttf"))?,
            bold: Font::new(include_bytes!("inter-bold.ttf"))?,
            drawn: Mutex::default(),
        })
    }

    fn font(&self, Face(_, weight): Face) -> &Font {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The width of a text in px.
    pub(super) fn width(&self, text: &str, face: Face) -> f64 {
        let advances = self
            .font(face)
            .glyphs(text, face)
            .map(|(_, advance)| advance);
        f64::from(advances.sum::<f32>())
    }

    /// Calls `draw` for each pixel of a text that starts at x = 0 on its baseline, with x, y
    /// (downwards) and coverage from 0 to 1.
    pub(super) fn rasterize(&self, text: &str, face: Face, mut draw: impl FnMut(i32, i32, f32)) {
        let font = self.font(face);
        let mut x = 0.0;
        for (glyph, advance) in font.glyphs(text, face) {
            let places = (x * PLACES as f32).round() as i32;
            let place = places.rem_euclid(PLACES);
            let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
            let bitmap = drawn.entry((face, glyph, place));
            let bitmap = Arc::clone(bitmap.or_insert_with(|| font.draw(glyph, face, place).into()));
            drop(drawn);
            let left = places.div_euclid(PLACES) + bitmap.left;
            for (index, coverage) in bitmap.coverage.iter().enumerate() {
                let (down, right) = (index / bitmap.width, index % bitmap.width);
                draw(left + right as i32, bitmap.top + down as i32, *coverage);
            }
            x += advance;
        }
    }

    /// Breaks a text into at most `max` lines of `room` px, of about equal length; if it does not
    /// fit, the last line ends with an ellipsis.
    pub(super) fn wrap(&self, text: &str, face: Face, room: f64, max: usize) -> Vec<String> {
        let fitting = self.lines(text, face, room);
        let shorten = |line: String| self.shorten(&line, face, room);
        if fitting.len() > max {
            let kept: Vec<String> = fitting.iter().take(max - 1).cloned().collect();
            let rest = fitting[max - 1..].join(" ");
            return kept.into_iter().chain([rest]).map(shorten).collect();
        }
        // Bisects for the narrowest width; ten steps are precise to about a pixel.
        let (mut narrow, mut wide) = (0.0, room);
        for _ in 0..10 {
            let middle = (narrow + wide) / 2.0;
            let same = self.lines(text, face, middle).len() == fitting.len();
            *(if same { &mut wide } else { &mut narrow }) = middle;
        }
        let lines = self.lines(text, face, wide);
        lines.into_iter().map(shorten).collect()
    }

    /// Breaks a text into lines of `room` px; only a line of a single word can be longer.
    fn lines(&self, text: &str, face: Face, room: f64) -> Vec<String> {
        let space = self.width(" ", face);
        let mut lines: Vec<String> = Vec::new();
        let mut used = 0.0;
        for word in text.split_ascii_whitespace() {
            let width = self.width(word, face);
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

    /// The text, truncated with an ellipsis if it is wider than `room` px.
    pub(super) fn shorten(&self, text: &str, face: Face, room: f64) -> String {
        if self.width(text, face) <= room {
            return text.to_owned();
        }
        let mut left = room - self.width("…", face);
        let fits = |c: &char| {
            left -= self.width(c.encode_utf8(&mut [0; 4]), face);
            left >= 0.0
        };
        let kept: String = text.chars().take_while(fits).collect();
        format!("{}…", kept.trim_end_matches([' ', ',']))
    }
}

impl Font {
    fn new(bytes: &'static [u8]) -> Result<Self> {
        let outlines = FontRef::try_from_slice(bytes)
            .map_err(|error| anyhow!("the embedded font is damaged: {error}"))?;
        let em = outlines.units_per_em();
        Ok(Self {
            em: em.context("the embedded font has no em")?,
            substitute: outlines.glyph_id(SUBSTITUTE),
            outlines,
        })
    }

    /// The glyphs of a text with their advance widths, px.
    fn glyphs(&self, text: &str, Face(size, _): Face) -> impl Iterator<Item = (GlyphId, f32)> {
        let per_unit = f32::from(size) / self.em;
        text.chars().map(move |c| {
            let glyph = match self.outlines.glyph_id(c) {
                GlyphId(0) => self.substitute,
                glyph => glyph,
            };
            (glyph, self.outlines.h_advance_unscaled(glyph) * per_unit)
        })
    }

    fn draw(&self, glyph: GlyphId, Face(size, _): Face, place: i32) -> Bitmap {
        // ab_glyph's scale is the height of a line, not of the em.
        let scale = PxScale::from(self.outlines.height_unscaled() * f32::from(size) / self.em);
        let start = point(place as f32 / PLACES as f32, 0.0);
        let glyph = glyph.with_scale_and_position(scale, start);
        // Spaces have no outline.
        let Some(outline) = self.outlines.outline_glyph(glyph) else {
            return Bitmap::default();
        };
        let bounds = outline.px_bounds();
        let mut coverage = Vec::new();
        outline.draw(|_, _, c| coverage.push(c.min(1.0)));
        Bitmap {
            left: bounds.min.x as i32,
            top: bounds.min.y as i32,
            width: bounds.width() as usize,
            coverage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fonts() -> Fonts {
        Fonts::new().expect("a font")
    }

    /// The pixels with coverage above 0.
    fn pixels(fonts: &Fonts, text: &str, weight: Weight) -> Vec<(i32, i32, f32)> {
        let mut pixels = Vec::new();
        fonts.rasterize(text, Face(30, weight), |x, y, coverage| {
            pixels.push((x, y, coverage));
        });
        pixels.retain(|p| p.2 > 0.0);
        pixels
    }

    #[test]
    fn characters_without_a_glyph_are_visible() {
        let fonts = fonts();
        for weight in [Weight::Regular, Weight::Bold] {
            let square = pixels(&fonts, "□", weight);
            assert!(!square.is_empty());
            assert_eq!(pixels(&fonts, "🦀", weight), square);
            // Characters of labels, units and names of people have glyphs.
            for c in "abcxyzABCXYZ0123456789.,:;+-*/_()[]%±×…–—·µµäßéñøłşžΩλ→≤≥≈&<>\"'".chars()
            {
                let drawn = pixels(&fonts, &c.to_string(), weight);
                assert!(!drawn.is_empty() && drawn != square, "{c}");
            }
        }
    }

    #[test]
    fn text_is_as_wide_as_measured() {
        let text = "OpenSSL 3.6.1 on x86_64";
        let fonts = fonts();
        let measured = fonts.width(text, Face(30, Weight::Bold));
        let drawn = pixels(&fonts, text, Weight::Bold);
        let drawn = drawn.iter().map(|p| p.0).max();
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
            |text: &str, room: f64, max: usize| fonts.wrap(text, Face(40, Weight::Bold), room, max);
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
                    fonts.width(&line, Face(40, Weight::Bold)) <= room,
                    "{room}: {line}"
                );
            }
        }
    }
}
