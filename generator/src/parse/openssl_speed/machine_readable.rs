//! The lines of `openssl speed -mr`, fields with colons between them.
//!
//! ```text
//! +H:16:64                                     sizes of blocks
//! +F:6:sha256:128029910.00:410991030.00        bytes per second
//! +F2:2:2048:4083.600000:60623.700000          rsa: sign/s, verify/s
//! +F4:3:256:49373.500000:16332.800000          ecdsa, by number in the tool's list of curves
//! +F5:22:253:30030.900000:0.000033             ecdh: op/s, and seconds
//! +F6:0:253:Ed25519:23041.000000:8077.000000   with its name
//! ```

use crate::parse::number::{integer, is_integer};

/// One line.
pub(super) enum Line<'a> {
    /// Of blocks, in bytes.
    Sizes(Vec<u64>),
    /// Bytes per second for each size.
    Throughput {
        name: &'a str,
        figures: Vec<&'a str>,
    },
    /// Operations per second, with the name of each operation.
    Operations {
        name: String,
        figures: Vec<(&'static str, &'a str)>,
    },
    /// KEMs and signatures since OpenSSL 3.2: a number stands for the algorithm, which one is
    /// different from build to build.
    Unnamed,
    /// The start of such a line, and not the rest.
    Malformed,
}

impl<'a> Line<'a> {
    /// `None` for what is no such line, and for what each measurement prints as it starts and
    /// ends (`+DT`, `+R`).
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        // The parent of several processes prints what it got from each.
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
            let sizes = fields.iter().map(|size| integer(size));
            return sizes.collect::<Option<Vec<u64>>>().map(Self::Sizes);
        }
        let (index, fields) = fields.split_first()?;
        if !is_integer(index) {
            return None;
        }
        let operations = |name: String, names: &[&'static str], figures: &[&'a str]| {
            let is_whole = names.len() == figures.len() && figures.iter().all(|f| is_decimal(f, 6));
            is_whole.then(|| Self::Operations {
                name,
                figures: names.iter().copied().zip(figures.iter().copied()).collect(),
            })
        };
        match (kind, fields) {
            ("F", [name, figures @ ..]) => {
                let is_whole = !name.is_empty() && figures.iter().all(|f| is_decimal(f, 2));
                is_whole.then(|| Self::Throughput {
                    name,
                    figures: figures.to_vec(),
                })
            }
            ("F2", [bits, figures @ ..]) if is_integer(bits) => {
                // OpenSSL 3.2 added the latter two.
                let names = ["sign", "verify", "encrypt", "decrypt"];
                let count = if figures.len() == 2 { 2 } else { 4 };
                operations(format!("rsa {bits} bits"), &names[..count], figures)
            }
            ("F3", [bits, figures @ ..]) if is_integer(bits) => {
                operations(format!("dsa {bits} bits"), &["sign", "verify"], figures)
            }
            ("F4", [bits, figures @ ..]) if is_integer(bits) => {
                let name = format!("{bits} bits ecdsa (curve {index})");
                operations(name, &["sign", "verify"], figures)
            }
            ("F5", [bits, rate, seconds]) if is_integer(bits) && is_decimal(seconds, 6) => {
                let name = format!("{bits} bits ecdh (curve {index})");
                operations(name, &["op"], &[rate])
            }
            // SM2 has a list of its own until OpenSSL 3.
            ("F6" | "F7", [bits, curve, figures @ ..])
                if is_integer(bits) && curve.starts_with(|c: char| c.is_ascii_alphabetic()) =>
            {
                let family = if kind == "F6" { "EdDSA" } else { "SM2" };
                let name = format!("{bits} bits {family} ({curve})");
                operations(name, &["sign", "verify"], figures)
            }
            // Its number changed with OpenSSL 4.
            ("F7" | "F8", [bits, rate, seconds]) if is_integer(bits) && is_decimal(seconds, 6) => {
                operations(format!("{bits} bits ffdh"), &["op"], &[rate])
            }
            (_, [_, ..]) if fields.iter().all(|f| is_decimal(f, 6)) => Some(Self::Unnamed),
            _ => None,
        }
    }
}

/// A figure with all of its decimals, so that a cut one is not taken for another.
fn is_decimal(field: &str, decimals: usize) -> bool {
    field.split_once('.').is_some_and(|(whole, fraction)| {
        is_integer(whole) && is_integer(fraction) && fraction.len() == decimals
    })
}
