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
