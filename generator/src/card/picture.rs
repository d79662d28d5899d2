//! A card as a PNG file, which says what it was drawn from.

use super::font::{Fonts, Weight};
use super::layout::{Item, layout};
use super::{Card, SIZE};
use crate::fs::hex_digest;
use crate::look::{Pattern, Rgb};
use anyhow::{Context, Result, anyhow};
use plotters::prelude::{BitMapBackend, DrawingBackend};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, FontFamily};
use std::collections::HashMap;
use std::convert::Infallible;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

const GROUND: Rgb = Rgb(0xff, 0xff, 0xff);

/// To be raised when the same items give other bytes: cards that were drawn before are kept
/// while their items and this number are the same. A test below knows both.
const REVISION: u32 = 2;

/// Of the text chunk that holds the digest of what the card was drawn from.
const KEYWORD: &str = "generator:card";

/// How much larger patterns are than in a chart: a card is shown at a third of its size.
const PATTERN_SCALE: f64 = 3.0;

/// Samples of a pattern in each pixel, across and down.
const SAMPLES: i32 = 4;

/// Of deflate: 33 KB in a third of the time that 6, the default, takes for 32 KB.
const COMPRESSION: u8 = 4;

/// Steps from the ground to a colour: more are hardly seen, and make files larger.
const SHADES: u8 = 7;

/// Draws cards.
pub struct Painter(Fonts);

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Painter")
    }
}

impl Painter {
    /// # Errors
    /// The embedded font is damaged, which the tests would have shown.
    pub fn new() -> Result<Self> {
        Ok(Self(Fonts::new()?))
    }

    /// The PNG file of a card: `earlier` itself if that was drawn from the same.
    ///
    /// # Errors
    /// A mistake in the drawing, which the tests would have shown.
    pub fn png(&self, card: &Card, earlier: Option<Vec<u8>>) -> Result<Vec<u8>> {
        let items = layout(card, &self.0);
        let source = hex_digest(format!("{REVISION} {items:?}").as_bytes());
        if let Some(earlier) = earlier.filter(|png| is_drawn_from(png, &source)) {
            return Ok(earlier);
        }
        encode(&self.draw(&items)?, &palette(&items), source).context("cannot encode a card")
    }

    /// The pixels, three bytes each.
    fn draw(&self, items: &[Item]) -> Result<Vec<u8>> {
        let mut pixels = vec![0xff; SIZE.0 as usize * SIZE.1 as usize * 3];
        let mut backend = BitMapBackend::with_buffer(&mut pixels, SIZE);
        for item in items {
            match item {
                Item::Text {
                    at,
                    size,
                    weight,
                    color,
                    text,
                } => {
                    let style = TextStyle {
                        fonts: &self.0,
                        size: *size,
                        weight: *weight,
                        color: *color,
                    };
                    backend.draw_text(text, &style, *at)
                }
                Item::Area {
                    at: (x, y),
                    size: (width, height),
                    color,
                    pattern,
                } => {
                    let end = (x + width, y + height);
                    let solid = backend.draw_rect((*x, *y), end, &paint(*color, 1.0), true);
                    solid.and_then(|()| {
                        draw_gaps(&mut backend, (*x, *y), (*width, *height), *pattern)
                    })
                }
            }
            .map_err(|error| anyhow!("cannot draw a card: {error}"))?;
        }
        drop(backend);
        Ok(pixels)
    }
}

fn paint(Rgb(r, g, b): Rgb, alpha: f64) -> BackendColor {
    BackendColor {
        alpha,
        rgb: (r, g, b),
    }
}

/// Text in our font. That of plotters 0.3.7 (its feature `ab_glyph`) loses the space beside each
/// glyph and puts glyphs on whole pixels.
struct TextStyle<'a> {
    fonts: &'a Fonts,
    size: f64,
    weight: Weight,
    color: Rgb,
}

impl BackendTextStyle for TextStyle<'_> {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        paint(self.color, 1.0)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name("Inter")
    }

    /// Without an extent: positions are those of the baseline's left end.
    fn layout_box(&self, _: &str) -> Result<(BackendCoord, BackendCoord), Infallible> {
        Ok(((0, 0), (0, 0)))
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (left, baseline): BackendCoord,
        mut draw: F,
    ) -> Result<Result<(), E>, Infallible> {
        let color = |coverage| paint(self.color, coverage);
        Ok(self
            .fonts
            .rasterize(text, self.size, self.weight, |x, y, coverage| {
                draw(left + x, baseline + y, color(coverage))
            }))
    }
}

/// Lets the ground through where an area's pattern does. Patterns start at the area's corner.
fn draw_gaps<B: DrawingBackend>(
    backend: &mut B,
    (left, top): (i32, i32),
    (width, height): (i32, i32),
    pattern: Pattern,
) -> Result<(), plotters_backend::DrawingErrorKind<B::ErrorType>> {
    let Some(mask) = Mask::of(pattern) else {
        return Ok(());
    };
    for y in 0..height {
        for x in 0..width {
            let gap = mask.gap(x, y);
            if gap > 0.0 {
                backend.draw_pixel((left + x, top + y), paint(GROUND, gap))?;
            }
        }
    }
    Ok(())
}

/// How much of each pixel of a pattern is gap, over one period in both directions.
struct Mask {
    period: i32,
    gaps: Vec<f64>,
}

impl Mask {
    fn of(pattern: Pattern) -> Option<Self> {
        let tile = pattern.tile()?;
        // A tile that is turned by 45° repeats in its diagonal. That is made whole pixels.
        let side = match tile.turn {
            0 => f64::from(tile.side),
            _ => f64::from(tile.side) * SQRT_2,
        };
        let period = (side * PATTERN_SCALE).round();
        let sample = |index: i32| (f64::from(index) + 0.5) / f64::from(SAMPLES) / period * side;
        let is_gap = |x: i32, y: i32| {
            let (x, y) = (sample(x), sample(y));
            let (x, y) = match tile.turn {
                0 => (x, y),
                turn if turn > 0 => ((x + y) * FRAC_1_SQRT_2, (y - x) * FRAC_1_SQRT_2),
                _ => ((x - y) * FRAC_1_SQRT_2, (x + y) * FRAC_1_SQRT_2),
            };
            !tile.covers(x, y)
        };
        let period = period as i32;
        let gap = |x: i32, y: i32| {
            let samples = (0..SAMPLES * SAMPLES)
                .map(|i| (x * SAMPLES + i % SAMPLES, y * SAMPLES + i / SAMPLES));
            let gaps = samples.filter(|(x, y)| is_gap(*x, *y)).count();
            gaps as f64 / f64::from(SAMPLES * SAMPLES)
        };
        Some(Self {
            period,
            gaps: (0..period * period)
                .map(|i| gap(i % period, i / period))
                .collect(),
        })
    }

    fn gap(&self, x: i32, y: i32) -> f64 {
        self.gaps[(y % self.period * self.period + x % self.period) as usize]
    }
}

/// The ground, and the shades from it to each colour of the items.
fn palette(items: &[Item]) -> Vec<[u8; 3]> {
    let mut colors: Vec<Rgb> = Vec::new();
    for item in items {
        let (Item::Text { color, .. } | Item::Area { color, .. }) = item;
        if !colors.contains(color) {
            colors.push(*color);
        }
    }
    let mix = |from: u8, to: u8, step: u8| {
        let (from, to, step) = (u16::from(from), u16::from(to), u16::from(step));
        let steps = u16::from(SHADES);
        ((from * (steps - step) + to * step + steps / 2) / steps) as u8
    };
    let shades = colors.iter().flat_map(|to| {
        (1..=SHADES).map(move |step| {
            [
                mix(GROUND.0, to.0, step),
                mix(GROUND.1, to.1, step),
                mix(GROUND.2, to.2, step),
            ]
        })
    });
    [[GROUND.0, GROUND.1, GROUND.2]]
        .into_iter()
        .chain(shades)
        .collect()
}

/// A PNG file with a palette, to which each pixel is rounded.
fn encode(pixels: &[u8], palette: &[[u8; 3]], source: String) -> Result<Vec<u8>> {
    let mut nearest: HashMap<[u8; 3], u8> = HashMap::new();
    let mut find = |color: [u8; 3]| {
        *nearest.entry(color).or_insert_with(|| {
            let distance = |other: &[u8; 3]| -> u32 {
                let pairs = color.iter().zip(other);
                pairs.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
            };
            let all = palette.iter().enumerate();
            let best = all.min_by_key(|(_, other)| distance(other));
            best.map_or(0, |(index, _)| index as u8)
        })
    };
    let (colors, _) = pixels.as_chunks::<3>();
    let mut indices: Vec<u8> = Vec::with_capacity(colors.len());
    // Most pixels are like the one before, and looking one up takes longer than comparing two.
    for run in colors.chunk_by(|a, b| a == b) {
        indices.resize(indices.len() + run.len(), find(run[0]));
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIZE.0, SIZE.1);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_deflate_compression(png::DeflateCompression::Level(COMPRESSION));
    encoder.set_filter(png::Filter::NoFilter);
    encoder.add_text_chunk(KEYWORD.to_owned(), source)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(file)
}

/// True for a card of ours with this digest; what is no PNG file has none.
fn is_drawn_from(png: &[u8], source: &str) -> bool {
    let header = png::Decoder::new(std::io::Cursor::new(png)).read_info();
    header.is_ok_and(|reader| {
        let mut texts = reader.info().uncompressed_latin1_text.iter();
        texts.any(|t| t.keyword == KEYWORD && t.text == source)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::tests::{card, card_of};

    fn painter() -> Painter {
        Painter::new().expect("a font")
    }

    /// The pixels of a file, three bytes each.
    fn decode(png: &[u8]) -> Vec<u8> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a sound file");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), SIZE);
        pixels
    }

    #[test]
    fn pictures_are_the_same_everywhere() {
        let painter = painter();
        let png = painter.png(&card(), None).expect("a picture");
        assert_eq!(png, painter.png(&card(), None).expect("a picture"));
        let rounded = decode(&png);
        let drawn = painter.draw(&layout(&card(), &painter.0)).expect("pixels");
        let worst = rounded
            .iter()
            .zip(&drawn)
            .map(|(a, b)| a.abs_diff(*b))
            .max();
        assert!(
            worst.is_some_and(|w| w < 255 / SHADES),
            "rounded by {worst:?}"
        );
        assert_eq!(
            (REVISION, hex_digest(&rounded).as_str()),
            (
                2,
                "11b4a9d754839e79439d2d185827e6cf2e45781b6dd0c047489c7b720fe1fb04"
            ),
            "raise REVISION unless the items have changed too"
        );
    }

    #[test]
    fn only_what_changed_is_drawn() {
        let painter = painter();
        let items = layout(&card(), &painter.0);
        // Other pixels tell whether the file was kept.
        let blank = vec![0xff; SIZE.0 as usize * SIZE.1 as usize * 3];
        let source = hex_digest(format!("{REVISION} {items:?}").as_bytes());
        let earlier = encode(&blank, &palette(&items), source).expect("a picture");
        let png = |card: &Card, earlier: &[u8]| {
            let earlier = Some(earlier.to_vec());
            painter.png(card, earlier).expect("a picture")
        };
        assert_eq!(png(&card(), &earlier), earlier);
        let drawn = painter.png(&card(), None).expect("a picture");
        assert_ne!(drawn, earlier);
        for other in [&b""[..], b"\x89PNG\r\n\x1a\n", &[0xff; 500]] {
            assert_eq!(png(&card(), other), drawn);
        }
        let mut changed = card();
        changed.graphs[0].values[0] = Some(1.0);
        assert_ne!(png(&changed, &drawn), drawn);
    }

    /// Each pattern lets as much of the page through as in a chart.
    #[test]
    fn patterns_have_their_gaps() {
        for (pattern, share) in [
            (Pattern::Rising, 1.4 / 6.0),
            (Pattern::Falling, 1.4 / 6.0),
            (Pattern::Holes, std::f64::consts::PI * 1.3 * 1.3 / 25.0),
            (Pattern::Tiles, 1.0 - 3.8 * 3.8 / 25.0),
            (Pattern::Diamonds, 1.0 - 3.8 * 3.8 / 25.0),
            (Pattern::Upright, 1.3 / 5.0),
            (Pattern::Level, 1.1 / 4.0),
        ] {
            let mask = Mask::of(pattern).expect("gaps");
            let mean = mask.gaps.iter().sum::<f64>() / mask.gaps.len() as f64;
            assert!((mean - share).abs() < 0.02, "{pattern:?}: {mean} {share}");
        }
        assert!(Mask::of(Pattern::Solid).is_none());
    }

    #[test]
    fn hostile_cards_are_pictures() {
        for (text, value) in [("🦀\u{202e}\0", f64::NAN), ("", f64::MAX)] {
            painter()
                .png(&card_of(text, value), None)
                .expect("a picture");
        }
    }
}
