//! Colours of charts: contrast with the page, and distance from each other.

use generator::chart::look::{LOOKS, Look};
use generator::chart::{Line, Lines, Series};

const WHITE: &str = "#ffffff";
const DARK: &str = "#14171a";

/// Red, green and blue in linear light.
fn linear(color: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let part = u8::from_str_radix(&color[at..at + 2], 16).expect("hexadecimal digits");
        match f64::from(part) / 255.0 {
            c if c <= 0.04045 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        }
    })
}

/// The contrast as defined by WCAG 2.2.
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |color| {
        let [r, g, b] = linear(color);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
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

/// The minimum distance in OKLab over all types of colour vision.
fn distance(a: &str, b: &str) -> f64 {
    let seen = |color: &str, vision: &[[f64; 3]; 3]| {
        let [r, g, b] = linear(color);
        oklab(vision.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0)))
    };
    let distance = |vision| {
        let (a, b) = (seen(a, vision), seen(b, vision));
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    VISIONS.iter().map(distance).fold(f64::INFINITY, f64::min)
}

/// The colours of a chart's lines, in their order.
fn colors(libraries: &[&str]) -> Vec<String> {
    let line = |library: &&str| Line {
        series: Series {
            label: (*library).to_owned(),
            look: Look::of(library),
        },
        ..Line::default()
    };
    let lines = libraries.iter().map(line).collect();
    let chart = Lines {
        lines,
        ..Lines::default()
    };
    let svg = Lines::render(&[chart], "a", "b").svg;
    // The names of the lines come first.
    let names = svg.split("<g color=\"").skip(1).take(libraries.len());
    let colors: Vec<String> = names.map(|rest| rest[..7].to_owned()).collect();
    assert_eq!(colors.len(), libraries.len(), "{svg}");
    colors
}

/// WCAG 2.2, 1.4.11, requires 3:1 for graphs.
#[test]
fn every_colour_contrasts_with_both_pages() {
    assert!((contrast(WHITE, "#000000") - 21.0).abs() < 1e-9);
    for (name, ..) in LOOKS {
        for color in colors(&[name; 3]) {
            for page in [WHITE, DARK] {
                let ratio = contrast(&color, page);
                assert!(ratio >= 3.0, "{name}: {color} on {page} has {ratio:.2}");
            }
        }
    }
}

#[test]
fn implementations_are_distinct_in_all_colour_visions() {
    for (index, (a, ..)) in LOOKS.iter().enumerate() {
        for (b, ..) in &LOOKS[..index] {
            let [a_color, b_color] = [a, b].map(|name| colors(&[name]).remove(0));
            // 0.02 is about the just noticeable difference side by side.
            let far = distance(&a_color, &b_color);
            assert!(far >= 0.06, "{a} and {b}: {far:.3}");
        }
    }
}
