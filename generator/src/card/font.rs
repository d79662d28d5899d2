//! Text as outlines. The font is a subset of Inter 4.001 (SIL Open Font License, see
//! `inter-LICENSE.txt`): Latin, Greek, digits, punctuation and arrows, without hints, kerning
//! and layout features, made of its variable font by fontTools:
//!
//! ```text
//! fonttools varLib.instancer 'Inter[opsz,wght].ttf' opsz=24 wght=400 -o inter.ttf     # bold: 700
//! pyftsubset inter.ttf --layout-features= --no-hinting --notdef-outline --name-IDs=0,1,2,5,13,14 \
//!   --drop-tables+=GSUB,GPOS,GDEF,STAT,OS/2,post,gasp,prep,HVAR,MVAR,avar,fvar --unicodes=U+20-7E,\
//!   U+A0-17F,U+391-3A9,U+3B1-3C9,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032,U+2033,\
//!   U+2039,U+203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212,U+221E,U+2248,U+2260,U+2264,U+2265,U+25A1
//! ```

use anyhow::{Context, Result};
use std::fmt::Write;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Drawn for a character that the font has not.
const SUBSTITUTE: char = '□';

/// Weights of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both weights, read once.
pub(super) struct Fonts {
    regular: Face<'static>,
    bold: Face<'static>,
}

impl Fonts {
    /// # Errors
    /// The embedded files are damaged, which the tests would have shown.
    pub(super) fn new() -> Result<Self> {
        let face = |bytes| Face::parse(bytes, 0).context("the embedded font cannot be read");
        Ok(Self {
            regular: face(include_bytes!("inter-regular.ttf"))?,
            bold: face(include_bytes!("inter-bold.ttf"))?,
        })
    }

    fn face(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// Px that a text set in `size` px takes.
    pub(super) fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        let face = self.face(weight);
        let units: u32 = glyphs(face, text).map(|g| advance(face, g)).sum();
        f64::from(units) * size / f64::from(face.units_per_em())
    }

    /// The outlines of a text in font units, y upwards from its baseline, as an SVG path's data;
    /// and how many of these units an em has.
    pub(super) fn outline(&self, text: &str, weight: Weight) -> (String, u16) {
        let face = self.face(weight);
        let mut pen = Pen::default();
        for glyph in glyphs(face, text) {
            face.outline_glyph(glyph, &mut pen);
            pen.x += f64::from(advance(face, glyph));
        }
        (pen.path, face.units_per_em())
    }

    /// A text in at most `most` lines of `room` px, about equally long; where it is longer, its
    /// last line ends with an ellipsis.
    pub(super) fn wrap(
        &self,
        text: &str,
        style: (f64, Weight),
        room: f64,
        most: usize,
    ) -> Vec<String> {
        let fitting = self.lines(text, style, room);
        let shorten = |line: String| self.shorten(&line, style, room);
        if fitting.len() > most {
            let kept: Vec<String> = fitting.iter().take(most - 1).cloned().collect();
            let rest = fitting[most - 1..].join(" ");
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

    /// A text in lines of `room` px; only a word that is wider alone has a longer one.
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

    /// The text, or its longest beginning with an ellipsis behind it that is no wider than
    /// `room` px.
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

fn glyphs(face: &Face<'_>, text: &str) -> impl Iterator<Item = GlyphId> {
    let substitute = face.glyph_index(SUBSTITUTE).unwrap_or(GlyphId(0));
    text.chars()
        .map(move |c| face.glyph_index(c).unwrap_or(substitute))
}

fn advance(face: &Face<'_>, glyph: GlyphId) -> u32 {
    face.glyph_hor_advance(glyph).unwrap_or_default().into()
}

/// Writes path data. Coordinates of a TrueType font are whole.
#[derive(Default)]
struct Pen {
    path: String,
    x: f64,
}

impl Pen {
    fn put(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        for (index, (x, y)) in points.iter().enumerate() {
            let gap = if index > 0 { " " } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(self.path, "{gap}{} {y}", self.x + f64::from(*x));
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.path.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fonts() -> Fonts {
        Fonts::new().expect("a font")
    }

    #[test]
    fn characters_without_a_glyph_are_seen() {
        let fonts = fonts();
        let [crab, square] = ["🦀", "□"].map(|t| fonts.outline(t, Weight::Regular).0);
        assert_eq!(crab, square);
        assert!(!square.is_empty());
        // What labels, units and names of people are made of has glyphs of its own.
        for c in "abcxyzABCXYZ0123456789.,:;+-*/_()[]%±×…–—·µµäßéñøłşžΩλ→≤≥≈&<>\"'".chars()
        {
            for weight in [Weight::Regular, Weight::Bold] {
                let outline = fonts.outline(&c.to_string(), weight).0;
                assert!(
                    !outline.is_empty() && outline != fonts.outline("□", weight).0,
                    "{c}"
                );
            }
        }
    }

    #[test]
    fn text_is_broken_into_even_lines() {
        let fonts = fonts();
        let wrap =
            |text: &str, room: f64, most: usize| fonts.wrap(text, (40.0, Weight::Bold), room, most);
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
