//! The lines of `openssl speed -mr`, with fields separated by colons.
//!
//! ```text
//! +H:16:64                                     sizes of blocks
//! +F:6:sha256:128029910.00:410991030.00        bytes per second
//! +F2:2:2048:4083.600000:60623.700000          rsa: sign/s, verify/s
//! +F4:3:256:49373.500000:16332.800000          ecdsa, by index in the tool's list of curves
//! +F5:22:253:30030.900000:0.000033             ecdh: op/s, and seconds
//! +F6:0:253:Ed25519:23041.000000:8077.000000   with the name
//! ```

use super::SpeedColumn;
use crate::parse::number::{integer, is_integer};

pub(super) enum SpeedLine<'a> {
    /// Block sizes.
    Sizes(Vec<SpeedColumn>),
    /// A name, its operations (`None` for throughput by block size), and the figures.
    Row(String, Option<Vec<SpeedColumn>>, Vec<&'a str>),
    /// KEMs and signatures since OpenSSL 3.2, whose index means different algorithms in different
    /// builds.
    Unnamed,
    /// A line that starts like one of these, but is malformed.
    Malformed,
}

impl<'a> SpeedLine<'a> {
    /// Parses a line; `None` for any other one, such as the start and end of a measurement (`+DT`,
    /// `+R`).
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        // With several processes, the parent prints `Got: … from N`.
        let line = line.split(" from ").next().unwrap_or(line).trim_end();
        let (kind, rest) = line.strip_prefix('+')?.split_once(':')?;
        let fields: Vec<&str> = rest.split(':').collect();
        let number = kind.strip_prefix('F');
        let is_kind =
            kind == "H" || number.is_some_and(|n| n.is_empty() || (n.len() <= 2 && is_integer(n)));
        is_kind.then(|| Self::of_kind(kind, &fields).unwrap_or(Self::Malformed))
    }

    fn of_kind(kind: &str, fields: &[&'a str]) -> Option<Self> {
        if kind == "H" {
            let sizes = fields
                .iter()
                .map(|size| integer(size).map(SpeedColumn::Bytes));
            return sizes.collect::<Option<_>>().map(Self::Sizes);
        }
        let (index, fields) = fields
            .split_first()
            .filter(|(index, _)| is_integer(index))?;
        let (bits, rest) = fields.split_first()?;
        let are_figures =
            |figures: &[&str], decimals| figures.iter().all(|f| is_decimal(f, decimals));
        if kind == "F" {
            let is_whole = !bits.is_empty() && are_figures(rest, 2);
            return is_whole.then(|| Self::Row((*bits).to_owned(), None, rest.to_vec()));
        }
        if are_figures(fields, 6) {
            return Some(Self::Unnamed);
        }
        if !is_integer(bits) {
            return None;
        }
        let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        let (operations, figures) = match (kind, rest) {
            ("F2", [_, _]) | ("F3" | "F4", _) => ("sign verify", rest),
            // OpenSSL 3.2 added encrypt and decrypt.
            ("F2", _) => ("sign verify encrypt decrypt", rest),
            ("F6" | "F7", [curve, figures @ ..]) if is_name(curve) => ("sign verify", figures),
            // OpenSSL 4 changed the number of ffdh.
            ("F5" | "F7" | "F8", [_, seconds]) if is_decimal(seconds, 6) => ("op", &rest[..1]),
            _ => return None,
        };
        let name = match kind {
            "F2" => format!("rsa {bits} bits"),
            "F3" => format!("dsa {bits} bits"),
            "F4" => format!("{bits} bits ecdsa (curve {index})"),
            "F5" => format!("{bits} bits ecdh (curve {index})"),
            "F6" => format!("{bits} bits EdDSA ({})", rest[0]),
            // SM2 is a separate list until OpenSSL 3.
            "F7" if operations != "op" => format!("{bits} bits SM2 ({})", rest[0]),
            _ => format!("{bits} bits ffdh"),
        };
        let columns: Vec<SpeedColumn> = operations.split(' ').map(SpeedColumn::operation).collect();
        let is_whole = columns.len() == figures.len() && are_figures(figures, 6);
        is_whole.then(|| Self::Row(name, Some(columns), figures.to_vec()))
    }
}

/// Whether a field has exactly this many decimals, so that truncated figures are detected.
fn is_decimal(field: &str, decimals: usize) -> bool {
    field.split_once('.').is_some_and(|(whole, fraction)| {
        is_integer(whole) && is_integer(fraction) && fraction.len() == decimals
    })
}
