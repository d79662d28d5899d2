//! Colours and their luminance.

use std::fmt;

/// An sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// Range of luminance with a contrast of at least 3:1 to both a white and a dark page, as required
/// for graphs by WCAG 2.2, 1.4.11, with a margin for rounding to eight bits.
const DARKEST: f64 = 0.130;
const LIGHTEST: f64 = 0.296;

impl Rgb {
    fn linear(self) -> [f64; 3] {
        [self.0, self.1, self.2].map(|c| match f64::from(c) / 255.0 {
            c if c <= 0.04045 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        })
    }

    /// The shade of this colour for a variant; 0 is the colour itself.
    pub(super) fn shade(self, variant: usize) -> Self {
        let own = self.luminance();
        // The shade that differs more from the first comes second.
        let (second, third) = match own - DARKEST > LIGHTEST - own {
            true => (DARKEST, LIGHTEST),
            false => (LIGHTEST, DARKEST),
        };
        [
            self,
            self.with_luminance(second),
            self.with_luminance(third),
        ][variant % 3]
    }

    /// Relative luminance as defined by WCAG 2.2.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Mixes in black or white, in linear light, to get the wanted luminance.
    fn with_luminance(self, wanted: f64) -> Self {
        let own = self.luminance();
        let mixed = self.linear().map(|c| match own > wanted {
            true => c * wanted / own,
            false => c + (1.0 - c) * (wanted - own) / (1.0 - own),
        });
        let encode = |c: f64| match c {
            c if c <= 0.0031308 => c * 12.92,
            c => 1.055 * c.powf(1.0 / 2.4) - 0.055,
        };
        let [r, g, b] = mixed.map(|c| (encode(c) * 255.0).round() as u8);
        Self(r, g, b)
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::chart::look) const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
    pub(in crate::chart::look) const DARK: Rgb = Rgb(0x14, 0x17, 0x1a);

    pub(in crate::chart::look) fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (a.luminance() + 0.05, b.luminance() + 0.05);
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
    pub(in crate::chart::look) fn distance(a: Rgb, b: Rgb) -> f64 {
        let seen = |rgb: Rgb, vision: &[[f64; 3]; 3]| {
            let [r, g, b] = rgb.linear();
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

    #[test]
    fn contrast_of_black_on_white() {
        assert!((contrast(WHITE, Rgb(0, 0, 0)) - 21.0).abs() < 1e-9);
    }
}
