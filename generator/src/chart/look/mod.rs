//! The look of an implementation in all charts: colour and marker. Bars have names beside them.

mod color;
mod marker;

pub(crate) use color::Rgb;
pub(crate) use marker::Marker;

use std::collections::{BTreeMap, BTreeSet};

/// The look of a series, which distinguishes it from others even without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub(crate) color: Rgb,
    pub(crate) marker: Marker,
}

use Marker::{Circle, Cross, Diamond, Hourglass, Plus, Square, Triangle, TriangleDown};

/// The first four colours are those of Okabe and Ito's palette for all types of colour vision
/// (<https://jfly.uni-koeln.de/color/>) that contrast with both a white and a dark page. The others
/// were searched among colours with that contrast, each as far as possible from all before it under
/// the worst colour vision; a test below checks the distance.
const LOOKS: &[(&str, Look)] = &[
    ("rustls", look(0xd55e00, Circle)),
    ("OpenSSL", look(0x0072b2, Square)),
    ("BoringSSL", look(0x009e73, Triangle)),
    ("AWS-LC", look(0xcc79a7, Diamond)),
    ("GnuTLS", look(0x9c6cfc, TriangleDown)),
    ("s2n-tls", look(0x78606c, Plus)),
    ("wolfSSL", look(0xb43c00, Cross)),
    ("LibreSSL", look(0x8424fc, Hourglass)),
    ("NSS", look(0xcc0c9c, Diamond)),
    ("Mbed TLS", look(0x546c3c, Square)),
];

/// Other libraries get the looks whose owners a site does not have. Earlier looks belong to libraries
/// that most sites will have, so others get them last.
const FIRST_FALLBACK: usize = 4;

/// The first looks have each marker once, in declaration order.
const VARIANTS: usize = 8;

const fn look(rgb: u32, marker: Marker) -> Look {
    let [_, r, g, b] = rgb.to_be_bytes();
    Look {
        color: Rgb(r, g, b),
        marker,
    }
}

impl Look {
    /// The look of a name in the list; for any other name, the first fallback.
    pub fn of(name: &str) -> Self {
        let known = LOOKS.iter().find(|(known, _)| *known == name);
        known.unwrap_or(&LOOKS[FIRST_FALLBACK]).1
    }
}

impl Default for Look {
    fn default() -> Self {
        LOOKS[0].1
    }
}

/// Assigns looks to a site's libraries, given in the order in which they were added. A new library
/// does not change the looks of earlier ones, unless it takes its own from the list. Libraries
/// share a look only if there are more of them than looks.
pub(crate) fn assign<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Look> {
    let mut seen = BTreeSet::new();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.retain(|name| seen.insert(*name));
    let (first, others) = LOOKS.split_at(FIRST_FALLBACK);
    let free = others.iter().chain(first).filter(|l| !seen.contains(l.0));
    let mut next = free.chain(others.iter().cycle()).map(|l| l.1);
    let look = |name: &str| match LOOKS.iter().find(|(known, _)| *known == name) {
        Some((_, own)) => (name.to_owned(), *own),
        None => (name.to_owned(), next.next().expect("a cycle does not end")),
    };
    names.into_iter().map(look).collect()
}

/// Distinct looks for the series of one chart. A repeated look, for another version or variant of
/// the same implementation, keeps its hue but gets another lightness and marker.
pub(crate) fn looks(series: impl IntoIterator<Item = Look>) -> Vec<Look> {
    let mut looks: Vec<Look> = series.into_iter().collect();
    let colors: Vec<Rgb> = looks.iter().map(|l| l.color).collect();
    for (index, color) in colors.iter().enumerate() {
        let variant = colors[..index].iter().filter(|c| *c == color).count();
        if variant > 0 {
            let base = looks[index];
            let (before, after) = (&looks[..index], &looks[index + 1..]);
            let others = || before.iter().chain(after);
            let marker = next_free(base.marker as usize + variant, |look| {
                others().any(|other| other.marker == look.marker)
            });
            looks[index] = Look {
                color: color.shade(variant),
                marker: marker.marker,
            };
        }
    }
    looks
}

/// The first look from `start`, wrapping around, that is not taken; the one at `start` if all are.
fn next_free(start: usize, taken: impl Fn(&Look) -> bool) -> Look {
    let look = |step: usize| LOOKS[(start + step) % VARIANTS].1;
    let free = (0..VARIANTS).map(look).find(|look| !taken(look));
    free.unwrap_or_else(|| look(0))
}

#[cfg(test)]
mod tests {
    use super::color::tests::{DARK, WHITE, contrast, distance};
    use super::*;

    #[test]
    fn every_colour_contrasts_with_both_pages() {
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
    fn implementations_are_distinct_in_all_colour_visions() {
        for (index, (a, look_a)) in LOOKS.iter().enumerate() {
            for (b, look_b) in &LOOKS[..index] {
                // 0.02 is about the just noticeable difference side by side.
                let far = distance(look_a.color, look_b.color);
                assert!(far >= 0.06, "{a} and {b}: {far:.3}");
            }
        }
    }

    #[test]
    fn the_first_looks_have_markers_in_order() {
        for (index, (name, look)) in LOOKS[..VARIANTS].iter().enumerate() {
            assert_eq!(look.marker as usize, index, "{name}");
        }
    }

    #[test]
    fn libraries_of_a_site_share_no_look_while_looks_last() {
        let mine = |n: usize| (0..n).map(|i| format!("mine {i}")).collect::<Vec<_>>();
        for (known, unknown) in [(0, 10), (1, 9), (4, 6), (10, 0)] {
            let names = mine(unknown);
            let known = LOOKS[..known].iter().map(|(name, _)| *name);
            let assigned = assign(known.chain(names.iter().map(String::as_str)));
            let colors: BTreeSet<String> = assigned.values().map(|l| l.color.to_string()).collect();
            assert_eq!(colors.len(), 10, "{assigned:?}");
        }
        // A library of the list has its own look.
        let assigned = assign(["my tls", "GnuTLS", "OpenSSL"]);
        assert_eq!(assigned["GnuTLS"], Look::of("GnuTLS"));
        assert_ne!(assigned["my tls"].color, assigned["GnuTLS"].color);
        let names = mine(30);
        let all = names
            .iter()
            .map(String::as_str)
            .chain(LOOKS.iter().map(|l| l.0));
        assert_eq!(assign(all).len(), 30 + LOOKS.len());
    }

    #[test]
    fn a_library_keeps_its_look_when_others_are_added() {
        let before = assign(["a", "OpenSSL", "b"]);
        let after = assign(["a", "OpenSSL", "b", "c", "a", "rustls", "d"]);
        assert!(before.iter().all(|(name, look)| after[name] == *look));
    }

    #[test]
    fn all_series_of_a_chart_have_markers_of_their_own() {
        let libraries = [
            "rustls",
            "rustls",
            "OpenSSL",
            "OpenSSL",
            "BoringSSL",
            "AWS-LC",
        ];
        for names in [&libraries[..], &["rustls"; 8]] {
            let looks = looks(names.iter().map(|name| Look::of(name)));
            let markers: BTreeSet<usize> = looks.iter().map(|l| l.marker as usize).collect();
            assert_eq!(markers.len(), names.len(), "{looks:?}");
        }
        let [first, second, ..] = looks([Look::of("rustls"); 8])[..] else {
            panic!("eight looks");
        };
        assert_ne!(first.color, second.color);
    }
}
