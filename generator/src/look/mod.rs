//! How an implementation looks in every chart and card: its colour, pattern and marker.

mod color;
mod marker;
mod pattern;

pub(crate) use color::Rgb;
pub(crate) use marker::Marker;
pub(crate) use pattern::Pattern;

/// How a series is distinguished from the others, with and without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) color: Rgb,
    pub(crate) pattern: Pattern,
    pub(crate) marker: Marker,
}

use Marker::{Circle, Cross, Diamond, Hourglass, Plus, Square, Triangle, TriangleDown};
use Pattern::{Diamonds, Falling, Holes, Level, Rising, Solid, Tiles, Upright};

/// The first four colours are of Okabe and Ito's palette for all kinds of colour vision
/// (<https://jfly.uni-koeln.de/color/>): those of it that stand out from a white and from a dark
/// page alike. The others were searched in what such pages leave, each as far as possible from
/// all before it under the poorest colour vision; a test below states how far.
const LOOKS: &[(&str, Look)] = &[
    ("rustls", look(0xd55e00, Solid, Circle)),
    ("OpenSSL", look(0x0072b2, Rising, Square)),
    ("BoringSSL", look(0x009e73, Holes, Triangle)),
    ("AWS-LC", look(0xcc79a7, Falling, Diamond)),
    ("GnuTLS", look(0x9c6cfc, Upright, TriangleDown)),
    ("s2n-tls", look(0x78606c, Tiles, Plus)),
    ("wolfSSL", look(0xb43c00, Diamonds, Cross)),
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

/// The first looks have every pattern and every marker once, in the order of their declarations.
const VARIANTS: usize = 8;

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
pub(crate) fn looks<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Look> {
    let mut looks: Vec<Look> = names.into_iter().map(look_of).collect();
    let colors: Vec<Rgb> = looks.iter().map(|l| l.color).collect();
    for (index, color) in colors.iter().enumerate() {
        let variant = colors[..index].iter().filter(|c| *c == color).count();
        if variant > 0 {
            let base = looks[index];
            let (before, after) = (&looks[..index], &looks[index + 1..]);
            let others = || before.iter().chain(after);
            let pattern = next_free(base.pattern as usize + variant, |look| {
                others().any(|other| other.pattern == look.pattern)
            });
            let marker = next_free(base.marker as usize + variant, |look| {
                others().any(|other| other.marker == look.marker)
            });
            looks[index] = Look {
                color: color.shade(variant),
                pattern: pattern.pattern,
                marker: marker.marker,
            };
        }
    }
    looks
}

/// The first from `start` on, going round, that is not taken; that at `start` where all are.
fn next_free(start: usize, taken: impl Fn(&Look) -> bool) -> Look {
    let all = LOOKS[..VARIANTS].iter().map(|(_, look)| *look);
    let mut candidates = all.cycle().skip(start % VARIANTS).take(VARIANTS);
    candidates
        .clone()
        .find(|look| !taken(look))
        .or_else(|| candidates.next())
        .unwrap_or(LOOKS[0].1)
}

fn look_of(name: &str) -> Look {
    let known = LOOKS.iter().find(|(known, _)| *known == name);
    let fallback = || &LOOKS[FIRST_FALLBACK + fnv1a(name) as usize % FALLBACKS];
    known.unwrap_or_else(fallback).1
}

/// A hash that is the same on every machine and in every release of Rust.
/// <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>
fn fnv1a(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::color::tests::{DARK, WHITE, contrast, distance};
    use super::*;

    #[test]
    fn every_colour_stands_out_from_both_pages() {
        for (name, base) in LOOKS {
            for variant in 0..8 {
                let color = base.color.shade(variant);
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
    fn the_first_looks_have_each_pattern_and_marker_in_its_place() {
        for (index, (name, look)) in LOOKS[..VARIANTS].iter().enumerate() {
            let places = (look.pattern as usize, look.marker as usize);
            assert_eq!(places, (index, index), "{name}");
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
