//! A card as a PNG file, which says in itself what it was drawn from.

use super::font::Fonts;
use super::svg;
use super::{Card, SIZE};
use crate::fs::hex_digest;
use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Of the text chunk that holds the digest of the drawing.
const KEYWORD: &[u8] = b"generator:card\0";

/// A PNG file's signature and its header chunk, which comes first.
/// <https://www.w3.org/TR/png-3/#11IHDR>
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const HEADER_END: usize = 8 + 4 + 4 + 13 + 4;

/// Hexadecimal digits of a SHA-256.
const DIGEST: usize = 64;

/// Bytes of a file that [`source_of`] needs.
pub const HEAD: usize = HEADER_END + 4 + 4 + KEYWORD.len() + DIGEST;

/// A card as drawn, before it is pixels.
#[derive(Debug)]
pub struct Drawing {
    svg: String,
    /// SHA-256 of the drawing: equal ones give equal pictures.
    pub digest: String,
}

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

    /// Draws a card as an SVG file of paths alone.
    pub fn draw(&self, card: &Card) -> Drawing {
        let svg = svg::render(card, &self.0);
        let digest = hex_digest(svg.as_bytes());
        Drawing { svg, digest }
    }
}

impl Drawing {
    /// The SVG file.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// The PNG file.
    ///
    /// # Errors
    /// Too little memory, or a mistake in the drawing.
    pub fn png(&self) -> Result<Vec<u8>> {
        let tree = Tree::from_str(&self.svg, &Options::default()).context("cannot read a card")?;
        let mut pixels = Pixmap::new(SIZE.0, SIZE.1).context("no memory for a card")?;
        resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
        let mut png = pixels.encode_png().context("cannot write a card")?;
        let chunk = text_chunk(&self.digest);
        png.splice(HEADER_END..HEADER_END, chunk);
        Ok(png)
    }
}

/// <https://www.w3.org/TR/png-3/#11tEXt>
fn text_chunk(digest: &str) -> Vec<u8> {
    let mut body = b"tEXt".to_vec();
    body.extend(KEYWORD);
    body.extend(digest.as_bytes());
    let mut sum = flate2::Crc::new();
    sum.update(&body);
    let length = (body.len() - 4) as u32;
    [&length.to_be_bytes()[..], &body, &sum.sum().to_be_bytes()].concat()
}

/// The digest of the drawing that a PNG file was made from, from its first [`HEAD`] bytes;
/// `None` if it is no card of ours.
pub fn source_of(head: &[u8]) -> Option<&str> {
    let text = head
        .strip_prefix(SIGNATURE)?
        .get(HEADER_END - SIGNATURE.len() + 4..)?
        .strip_prefix(b"tEXt")?
        .strip_prefix(KEYWORD)?;
    str::from_utf8(text.get(..DIGEST)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::tests::card;

    #[test]
    fn pictures_have_their_size_and_their_source() {
        let drawing = Painter::new().expect("a font").draw(&card());
        let png = drawing.png().expect("a picture");
        assert_eq!(source_of(&png[..HEAD]), Some(drawing.digest.as_str()));
        let decoder = png::Decoder::new(std::io::Cursor::new(&png));
        let mut reader = decoder.read_info().expect("a sound file");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), SIZE);
        assert_eq!(
            png,
            drawing.png().expect("again"),
            "the same bytes each time"
        );
        // Ground, text and the solid bar of rustls are all there, each as much as it should be.
        let bytes = info.color_type.samples();
        let share = |rgb: [u8; 3]| {
            let all = pixels.chunks_exact(bytes);
            let count = all.clone().filter(|p| p[..3] == rgb).count();
            count as f64 / all.len() as f64
        };
        assert!(
            (0.6..0.95).contains(&share([255, 255, 255])),
            "{}",
            share([255; 3])
        );
        assert!(share([0x1d, 0x23, 0x27]) > 0.02);
        assert!(share([0xd5, 0x5e, 0x00]) > 0.02);
    }

    #[test]
    fn pictures_of_others_are_known() {
        let foreign = tiny_png();
        assert_eq!(source_of(&foreign), None);
        let png = Painter::new().expect("a font").draw(&card()).png();
        let png = png.expect("a picture");
        for cut in 0..HEAD {
            assert_eq!(source_of(&png[..cut]), None);
        }
        assert_eq!(source_of(b""), None);
        assert_eq!(source_of(&[0xff; 500]), None);
    }

    fn tiny_png() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = png::Encoder::new(&mut bytes, 1, 1)
            .write_header()
            .expect("a header");
        writer.write_image_data(&[0]).expect("a pixel");
        writer.finish().expect("an end");
        bytes
    }
}
