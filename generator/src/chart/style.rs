//! One colour, one pattern and one marker for each implementation, in every chart.

use super::ink::Ink;
use super::text;
use std::fmt::{self, Write};

/// How a series is told from the others: by colour, and without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Fill and line.
    pub color: Rgb,
    /// What areas are filled with.
    pub pattern: Pattern,
    /// What points are drawn as.
    pub marker: Marker,
}

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// What an area is filled with: its colour, with thin gaps that let the page through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// No gaps.
    Solid,
    /// Lines that rise to the right.
    Rising,
    /// Round holes.
    Holes,
    /// Lines that fall to the right.
    Falling,
    /// Squares.
    Tiles,
    /// Squares on a corner.
    Lozenges,
    /// Upright lines.
    Upright,
    /// Level lines.
    Level,
}

/// What a point is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// ●
    Circle,
    /// ■
    Square,
    /// ▲
    Triangle,
    /// ◆
    Diamond,
    /// ▼
    Nabla,
    /// ✚
    Plus,
    /// ✖
    Cross,
    /// ⧗
    Hourglass,
}

use Marker::{Circle, Cross, Diamond, Hourglass, Nabla, Plus, Square, Triangle};
use Pattern::{Falling, Holes, Level, Lozenges, Rising, Solid, Tiles, Upright};

/// The first four colours are of Okabe and Ito's palette for all kinds of colour vision
/// (<https://jfly.uni-koeln.de/color/>): those of it that stand out from a white and from a dark
/// page alike. The others were searched in what such pages leave, each as far as possible from
/// all before it under the poorest colour vision; a test below states how far.
const LOOKS: &[(&str, Look)] = &[
    ("rustls", look(0xd55e00, Solid, Circle)),
    ("OpenSSL", look(0x0072b2, Rising, Square)),
    ("BoringSSL", look(0x009e73, Holes, Triangle)),
    ("AWS-LC", look(0xcc79a7, Falling, Diamond)),
    ("GnuTLS", look(0x9c6cfc, Upright, Nabla)),
    ("s2n-tls", look(0x78606c, Tiles, Plus)),
    ("wolfSSL", look(0xb43c00, Lozenges, Cross)),
    ("LibreSSL", look(0x8424fc, Level, Hourglass)),
    ("NSS", look(0xcc0c9c, Tiles, Diamond)),
    ("Mbed TLS", look(0x546c3c, Upright, Square)),
    // Ways to write many buffers, which are series too where they are what is compared.
    ("write each", look(0x78606c, Tiles, Circle)),
    ("copy and write", look(0x9c6cfc, Rising, Square)),
    ("vectored", look(0x546c3c, Solid, Diamond)),
];

/// Looks from here on serve names that are not in the list.
const FIRST_FALLBACK: usize = 4;
const FALLBACKS: usize = 6;

const PATTERNS: [Pattern; 8] = [
    Solid, Rising, Holes, Falling, Tiles, Lozenges, Upright, Level,
];
const MARKERS: [Marker; 8] = [
    Circle, Square, Triangle, Diamond, Nabla, Plus, Cross, Hourglass,
];

const fn look(rgb: u32, pattern: Pattern, marker: Marker) -> Look {
    let [_, r, g, b] = rgb.to_be_bytes();
    Look {
        color: Rgb(r, g, b),
        pattern,
        marker,
    }
}

/// A look for each of `names`, in a chart that shows them together. A name that comes again,
/// another version or variant of the same implementation, keeps its hue; lightness, pattern and
/// marker tell it apart.
pub fn looks<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Look> {
    let bases: Vec<Look> = names.into_iter().map(look_of).collect();
    let mut looks: Vec<Look> = Vec::with_capacity(bases.len());
    for (index, base) in bases.iter().enumerate() {
        let variant = bases[..index]
            .iter()
            .filter(|b| b.color == base.color)
            .count();
        let mut look = base.variant(variant);
        if variant > 0 {
            let others = || looks.iter().chain(&bases[index + 1..]);
            look.pattern = next_free(&PATTERNS, look.pattern, |p| {
                others().any(|o| o.pattern == p)
            });
            look.marker = next_free(&MARKERS, look.marker, |m| others().any(|o| o.marker == m));
        }
        looks.push(look);
    }
    looks
}

/// `wanted` or the next of `all` behind it that is not taken; `wanted` where all are.
fn next_free<T: Copy + PartialEq>(all: &[T], wanted: T, taken: impl Fn(T) -> bool) -> T {
    let start = all.iter().position(|&x| x == wanted).unwrap_or(0);
    let mut candidates = (0..all.len()).map(|step| all[(start + step) % all.len()]);
    candidates
        .find(|&candidate| !taken(candidate))
        .unwrap_or(wanted)
}

fn look_of(name: &str) -> Look {
    let known = LOOKS.iter().find(|(known, _)| *known == name);
    known.map_or_else(
        || LOOKS[FIRST_FALLBACK + fnv1a(name) as usize % FALLBACKS].1,
        |k| k.1,
    )
}

/// A hash that is the same on every machine and in every release of Rust.
/// <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>
fn fnv1a(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Luminances within which a colour's contrast is 3:1 at the least against both a white page and
/// a dark one, with a margin for rounding to eight bits. WCAG 2.2, 1.4.11 asks for that of graphs.
const DARKEST: f64 = 0.130;
const LIGHTEST: f64 = 0.296;

impl Look {
    fn variant(self, number: usize) -> Self {
        if number == 0 {
            return self;
        }
        let own = self.color.luminance();
        // The shade that is farther from the first one comes second.
        let shades = match own - DARKEST > LIGHTEST - own {
            true => [own, DARKEST, LIGHTEST],
            false => [own, LIGHTEST, DARKEST],
        };
        let color = match number % 3 {
            0 => self.color,
            shade => self.color.with_luminance(shades[shade]),
        };
        let next = |index: Option<usize>| (index.unwrap_or(0) + number) % 8;
        Self {
            color,
            pattern: PATTERNS[next(PATTERNS.iter().position(|&p| p == self.pattern))],
            marker: MARKERS[next(MARKERS.iter().position(|&m| m == self.marker))],
        }
    }
}

impl Rgb {
    fn linear(self) -> [f64; 3] {
        [self.0, self.1, self.2].map(|c| match f64::from(c) / 255.0 {
            c if c <= 0.04045 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        })
    }

    /// Relative luminance as WCAG 2.2 defines it.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// The colour with black or white added in linear light until it is as light as asked.
    fn with_luminance(self, wanted: f64) -> Self {
        let own = self.luminance();
        let mixed = self.linear().map(|c| match own > wanted {
            true => c * wanted / own,
            false => c + (1.0 - c) * (wanted - own) / (1.0 - own),
        });
        let [r, g, b] = mixed.map(|c| {
            let encoded = if c <= 0.0031308 {
                c * 12.92
            } else {
                1.055 * c.powf(1.0 / 2.4) - 0.055
            };
            (encoded * 255.0).round() as u8
        });
        Self(r, g, b)
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Pattern {
    /// `None` for a pattern without gaps.
    pub(crate) fn tile(self) -> Option<Tile> {
        let (side, turn, fill) = match self {
            Solid => return None,
            Rising => (6, 45, Fill::Rectangle(4.6, 6.0)),
            Holes => (5, 45, Fill::AllButCircle(1.3)),
            Falling => (6, -45, Fill::Rectangle(4.6, 6.0)),
            Tiles => (5, 0, Fill::Rectangle(3.8, 3.8)),
            Lozenges => (5, 45, Fill::Rectangle(3.8, 3.8)),
            Upright => (5, 0, Fill::Rectangle(3.7, 5.0)),
            Level => (4, 0, Fill::Rectangle(4.0, 2.9)),
        };
        Some(Tile { side, turn, fill })
    }
}

/// A square that repeats over an area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// In px.
    pub(crate) side: u8,
    /// In degrees, clockwise: 0, 45 or -45.
    pub(crate) turn: i16,
    fill: Fill,
}

/// What is coloured in a tile, in px.
#[derive(Clone, Copy, Debug)]
enum Fill {
    /// Width and height, from the tile's upper left corner.
    Rectangle(f64, f64),
    /// All but a circle of this radius in the middle.
    AllButCircle(f64),
}

impl Tile {
    /// What is coloured, as the data of an SVG path.
    fn path(self) -> String {
        match self.fill {
            Fill::Rectangle(width, height) => format!("M0 0h{width}v{height}h-{width}z"),
            Fill::AllButCircle(radius) => {
                let (side, middle) = (self.side, f64::from(self.side) / 2.0);
                let (left, across) = (middle - radius, radius * 2.0);
                format!(
                    "M0 0h{side}v{side}h-{side}z\
                     M{left} {middle}a{radius} {radius} 0 0 0 {across} 0\
                     a{radius} {radius} 0 0 0 -{across} 0z"
                )
            }
        }
    }

    /// True if the point is coloured, in px of tiles that are not turned.
    pub(crate) fn covers(self, x: f64, y: f64) -> bool {
        let side = f64::from(self.side);
        let (x, y) = (x.rem_euclid(side), y.rem_euclid(side));
        match self.fill {
            Fill::Rectangle(width, height) => x < width && y < height,
            Fill::AllButCircle(radius) => {
                let (x, y) = (x - side / 2.0, y - side / 2.0);
                x * x + y * y > radius * radius
            }
        }
    }
}

/// False for a rule of one class that no element of `body` has: a page has many charts, and no
/// chart needs all rules.
fn is_used(rule: &str, body: &str) -> bool {
    let class = rule.strip_prefix('.').and_then(|r| r.split_once('{'));
    class.is_none_or(|(class, _)| {
        class.contains(',')
            || [
                format!("\"{class}\""),
                format!("\"{class} "),
                format!(" {class}\""),
            ]
            .iter()
            .any(|word| body.contains(word))
    })
}

/// The style sheet of a chart and the patterns that it refers to.
pub(super) fn sheet(width: u32, looks: &[Look], body: &str) -> String {
    let rules = include_str!("style.css").lines();
    let mut css: String = rules
        .filter(|rule| is_used(rule, body))
        .flat_map(|rule| [rule, "\n"])
        .collect();
    css.push_str(&text::narrow_rule(width));
    let mut defs = String::new();
    // Writing to a String cannot fail.
    for (series, look) in looks.iter().enumerate() {
        let _ = write!(css, ".s{series}{{color:{}}}", look.color);
        let fills = body.contains(&format!("class=\"{}\"", Ink::Fill(series as u8)));
        if let Some(tile) = look.pattern.tile().filter(|_| fills) {
            let Tile { side, turn, .. } = tile;
            let _ = write!(css, ".s{series}.f{{fill:url(#p{series})}}");
            let _ = write!(
                defs,
                "<pattern id=\"p{series}\" class=\"s{series} k\" width=\"{side}\" height=\"{side}\" \
                 patternUnits=\"userSpaceOnUse\""
            );
            if turn != 0 {
                let _ = write!(defs, " patternTransform=\"rotate({turn})\"");
            }
            let _ = writeln!(defs, "><path d=\"{}\"/></pattern>", tile.path());
        }
    }
    format!("<style>{css}</style>\n{defs}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
    const DARK: Rgb = Rgb(0x14, 0x17, 0x1a);

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (a.luminance() + 0.05, b.luminance() + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn every_colour_stands_out_from_both_pages() {
        assert!((contrast(WHITE, Rgb(0, 0, 0)) - 21.0).abs() < 1e-9);
        for (name, base) in LOOKS {
            for variant in 0..8 {
                let color = base.variant(variant).color;
                for page in [WHITE, DARK] {
                    let ratio = contrast(color, page);
                    assert!(
                        ratio >= 3.0,
                        "{name} {variant}: {color} on {page} has {ratio:.2}"
                    );
                }
            }
        }
    }

    /// Machado, Oliveira and Fernandes 2009, severity 1: protanopia, deuteranopia, tritanopia.
    /// <https://doi.org/10.1109/TVCG.2009.113>
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    /// <https://bottosson.github.io/posts/oklab/>
    fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
        [
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
        ]
    }

    /// Distance in OKLab under the kind of colour vision that sees the least of it.
    fn distance(a: Rgb, b: Rgb) -> f64 {
        let seen = |rgb: Rgb, vision: &[[f64; 3]; 3]| {
            let [r, g, b] = rgb.linear();
            oklab(vision.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0)))
        };
        let apart = |vision| {
            let (a, b) = (seen(a, vision), seen(b, vision));
            a.iter()
                .zip(b)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>()
                .sqrt()
        };
        VISIONS.iter().map(apart).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_two_implementations_look_alike_to_anyone() {
        let implementations = &LOOKS[..FIRST_FALLBACK + FALLBACKS];
        for (index, (a, look_a)) in implementations.iter().enumerate() {
            for (b, look_b) in &implementations[..index] {
                // 0.02 is about the least difference that is seen side by side.
                let far = distance(look_a.color, look_b.color);
                assert!(far >= 0.06, "{a} and {b}: {far:.3}");
                let other = (look_a.pattern, look_a.marker) != (look_b.pattern, look_b.marker);
                assert!(other, "{a} and {b} differ by colour only");
            }
        }
    }

    #[test]
    fn an_implementation_looks_the_same_everywhere() {
        let alone = looks(["OpenSSL"]);
        assert_eq!(looks(["rustls", "OpenSSL", "BoringSSL"])[1], alone[0]);
        assert_eq!(looks(["my tls"]), looks(["my tls"]));
    }

    #[test]
    fn a_version_takes_no_pattern_of_another_implementation() {
        let looks = looks([
            "rustls",
            "rustls",
            "OpenSSL",
            "OpenSSL",
            "BoringSSL",
            "AWS-LC",
        ]);
        for (index, a) in looks.iter().enumerate() {
            for b in &looks[..index] {
                assert!(
                    a.pattern != b.pattern && a.marker != b.marker,
                    "{a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn versions_of_one_implementation_differ_in_all_but_hue() {
        let eight = looks(["rustls"; 8]);
        for (index, a) in eight.iter().enumerate() {
            for b in &eight[..index] {
                assert!(
                    a.pattern != b.pattern && a.marker != b.marker,
                    "{a:?} {b:?}"
                );
            }
        }
        assert_ne!(eight[0].color, eight[1].color);
    }
}
