//! The look of an implementation in all charts: colour and marker. Bars have names beside them.

use std::collections::{BTreeMap, BTreeSet};

/// The look of a series, which distinguishes it from others even without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its place in the list, and which of the colours there.
    place: usize,
    shade: usize,
    marker: usize,
}

/// Names of libraries with their colours, and another two for other versions and variants of the
/// library in one chart: one darker or lighter than the first.
///
/// The first three are those of Okabe and Ito's palette for all types of colour vision
/// (<https://jfly.uni-koeln.de/color/>) that contrast with both a white and a dark page. The others were searched
/// among colours with that contrast: as far apart as possible, the first nine by CIEDE2000 (21 and more), all
/// under the worst colour vision. Tests check contrast and distance.
pub const LOOKS: [(&str, [&str; 3], usize); 11] = [
    ("rustls", ["#d55e00", "#a84800", "#d97b57"], 0),
    ("OpenSSL", ["#0072b2", "#7297c2", "#006aa6"], 1),
    ("BoringSSL", ["#009e73", "#007353", "#41a580"], 2),
    ("AWS-LC", ["#e86b82", "#d1052b", "#9c4f5d"], 3),
    ("GnuTLS", ["#895579", "#9f8998", "#b573a0"], 4),
    ("s2n-tls", ["#908fb2", "#63619e", "#6c6c7f"], 5),
    ("wolfSSL", ["#cb0324", "#cb7b88", "#ff3355"], 6),
    ("Go", ["#8f05fe", "#ac82cf", "#b252ff"], 7),
    ("Mbed TLS", ["#6d6a4c", "#97925e", "#848271"], 1),
    ("LibreSSL", ["#cf129e", "#c379b0", "#ff3dcd"], 7),
    ("NSS", ["#7f73ec", "#5b4be7", "#908bc6"], 3),
];

/// Circle, square, triangle, diamond, triangle on its tip, plus, cross and hourglass: around the
/// origin, about 9 px wide.
const MARKERS: [&str; 8] = [
    r#"<circle class="k" r="4"/>"#,
    r#"<path class="k" d="M-3.8-3.8h7.6v7.6h-7.6z"/>"#,
    r#"<path class="k" d="M0-4.8 4.8 3.6h-9.6z"/>"#,
    r#"<path class="k" d="M0-5.2 5.2 0 0 5.2-5.2 0z"/>"#,
    r#"<path class="k" d="M-4.8-3.6h9.6L0 4.8z"/>"#,
    "<path class=\"k\" d=\"M-1.7 -4.8L1.7 -4.8L1.7 -1.7L4.8 -1.7L4.8 1.7L1.7 1.7L1.7 4.8L-1.7 4.8\
     L-1.7 1.7L-4.8 1.7L-4.8 -1.7L-1.7 -1.7Z\"/>",
    "<path class=\"k\" d=\"M0 -2.2L2.4 -4.6L4.6 -2.4L2.2 0L4.6 2.4L2.4 4.6L0 2.2L-2.4 4.6\
     L-4.6 2.4L-2.2 0L-4.6 -2.4L-2.4 -4.6Z\"/>",
    r#"<path class="k" d="M-4.2 -4.5L4.2 -4.5L-4.2 4.5L4.2 4.5Z"/>"#,
];

/// Other libraries get the looks whose owners a site does not have. Earlier looks belong to
/// libraries that most sites will have, so others get them last.
const FIRST_FALLBACK: usize = 4;

impl Look {
    /// The look of a name in the list; for any other name, the first fallback.
    pub fn of(name: &str) -> Self {
        let known = LOOKS.iter().position(|(known, ..)| *known == name);
        Self::at(known.unwrap_or(FIRST_FALLBACK))
    }

    fn at(place: usize) -> Self {
        Self {
            place,
            shade: 0,
            marker: LOOKS[place].2,
        }
    }

    /// The colour in CSS.
    pub(crate) fn color(self) -> &'static str {
        LOOKS[self.place].1[self.shade]
    }

    /// The marker in SVG, around the origin.
    pub(crate) fn marker(self) -> &'static str {
        MARKERS[self.marker]
    }
}

/// Assigns looks to a site's libraries, given in the order in which they were added. A new library
/// does not change the looks of earlier ones, unless it takes its own from the list. Libraries
/// share a look only if there are more of them than looks.
pub(crate) fn assign<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Look> {
    let mut seen = BTreeSet::new();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.retain(|name| seen.insert(*name));
    let others = FIRST_FALLBACK..LOOKS.len();
    let mut free: Vec<usize> = others.clone().chain(0..FIRST_FALLBACK).collect();
    free.retain(|place| !seen.contains(LOOKS[*place].0));
    let mut next = free.into_iter().chain(others.cycle()).map(Look::at);
    let look = |name: &str| match LOOKS.iter().any(|(known, ..)| *known == name) {
        true => (name.to_owned(), Look::of(name)),
        false => (name.to_owned(), next.next().expect("a cycle does not end")),
    };
    names.into_iter().map(look).collect()
}

/// Distinct looks for the series of one chart. A repeated look, for another version or variant of
/// the same implementation, keeps its hue but gets another lightness and marker.
pub(crate) fn looks(series: impl IntoIterator<Item = Look>) -> Vec<Look> {
    let mut looks: Vec<Look> = series.into_iter().collect();
    for index in 0..looks.len() {
        let Look { place, marker, .. } = looks[index];
        let variant = looks[..index].iter().filter(|l| l.place == place).count();
        if variant > 0 {
            let is_taken = |marker: &usize| {
                let mut others = looks.iter().enumerate().filter(|(i, _)| *i != index);
                others.any(|(_, other)| other.marker == *marker)
            };
            let from = |step: usize| (marker + variant + step) % MARKERS.len();
            let free = (0..MARKERS.len()).map(from).find(|m| !is_taken(m));
            looks[index] = Look {
                place,
                shade: variant % 3,
                marker: free.unwrap_or(from(0)),
            };
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_a_site_share_no_look_while_looks_last() {
        let mine = |n: usize| (0..n).map(|i| format!("mine {i}")).collect::<Vec<_>>();
        for (known, unknown) in [(0, 10), (1, 9), (4, 6), (10, 0)] {
            let names = mine(unknown);
            let known = LOOKS[..known].iter().map(|(name, ..)| *name);
            let assigned = assign(known.chain(names.iter().map(String::as_str)));
            let colors: BTreeSet<&str> = assigned.values().map(|l| l.color()).collect();
            assert_eq!(colors.len(), 10, "{assigned:?}");
        }
        // A library of the list has its own look.
        let assigned = assign(["my tls", "GnuTLS", "OpenSSL"]);
        assert_eq!(assigned["GnuTLS"], Look::of("GnuTLS"));
        assert_ne!(assigned["my tls"].color(), assigned["GnuTLS"].color());
        let names = mine(30);
        let known = LOOKS.iter().map(|(name, ..)| *name);
        let all = names.iter().map(String::as_str).chain(known);
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
            let markers: BTreeSet<usize> = looks.iter().map(|l| l.marker).collect();
            assert_eq!(markers.len(), names.len(), "{looks:?}");
        }
        let [first, second, ..] = looks([Look::of("rustls"); 8])[..] else {
            panic!("eight looks");
        };
        assert_ne!(first.color(), second.color());
    }
}
