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

use super::{Table, block_sizes};
use crate::parse::lines::Pattern;
use crate::parse::number::integer;

pub(super) enum SpeedLine<'a> {
    /// Sizes of blocks.
    Sizes(Table),
    /// A name, its operations (`None` for throughput by size of block), and the figures.
    Row(String, Option<Table>, Vec<&'a str>),
    /// KEMs and signatures since OpenSSL 3.2, whose index means different algorithms in different
    /// builds.
    Unnamed,
    /// A line that starts like one of these, but is malformed.
    Malformed,
}

/// Rows: what they look like, with exact decimals, so that truncated figures are detected; the name
/// by its groups; and the operations.
static ROWS: [(Pattern, &str, &str); 9] = [
    (
        Pattern::new(r"^\+F:\d+:([^:]+)((?::\d+\.\d\d)+)$"),
        "$1",
        "",
    ),
    (
        Pattern::new(r"^\+F2:\d+:(\d+)((?::\d+\.\d{6}){2})$"),
        "rsa $1 bits",
        "sign verify",
    ),
    // Since OpenSSL 3.2.
    (
        Pattern::new(r"^\+F2:\d+:(\d+)((?::\d+\.\d{6}){4})$"),
        "rsa $1 bits",
        "sign verify encrypt decrypt",
    ),
    (
        Pattern::new(r"^\+F3:\d+:(\d+)((?::\d+\.\d{6}){2})$"),
        "dsa $1 bits",
        "sign verify",
    ),
    (
        Pattern::new(r"^\+F4:(?<n>\d+):(?<bits>\d+)((?::\d+\.\d{6}){2})$"),
        "$bits bits ecdsa (curve $n)",
        "sign verify",
    ),
    (
        Pattern::new(r"^\+F5:(?<n>\d+):(?<bits>\d+)(:\d+\.\d{6}):\d+\.\d{6}$"),
        "$bits bits ecdh (curve $n)",
        "op",
    ),
    (
        Pattern::new(r"^\+F6:\d+:(?<bits>\d+):(?<curve>[A-Za-z][^:]*)((?::\d+\.\d{6}){2})$"),
        "$bits bits EdDSA ($curve)",
        "sign verify",
    ),
    // A separate list until OpenSSL 3.
    (
        Pattern::new(r"^\+F7:\d+:(?<bits>\d+):(?<curve>[A-Za-z][^:]*)((?::\d+\.\d{6}){2})$"),
        "$bits bits SM2 ($curve)",
        "sign verify",
    ),
    // OpenSSL 4 changed the number of ffdh.
    (
        Pattern::new(r"^\+F[78]:\d+:(\d+)(:\d+\.\d{6}):\d+\.\d{6}$"),
        "$1 bits ffdh",
        "op",
    ),
];

static UNNAMED: Pattern = Pattern::new(r"^\+F\d\d?:\d+(?::\d+\.\d{6})+$");

impl<'a> SpeedLine<'a> {
    /// Parses a line; `None` for any other one, such as the start and end of a measurement (`+DT`,
    /// `+R`).
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        // With several processes, the parent prints `Got: … from N`.
        let line = line.split(" from ").next().unwrap_or(line).trim_end();
        let (kind, _) = line.strip_prefix('+')?.split_once(':')?;
        let is_digits = |n: &str| n.len() <= 2 && n.bytes().all(|b| b.is_ascii_digit());
        if kind != "H" && !kind.strip_prefix('F').is_some_and(is_digits) {
            return None;
        }
        if let Some(sizes) = line.strip_prefix("+H:") {
            let sizes: Option<Vec<u64>> = sizes.split(':').map(integer).collect();
            return Some(sizes.map_or(Self::Malformed, |all| Self::Sizes(block_sizes(&all))));
        } else if UNNAMED.captures(line).is_some() {
            return Some(Self::Unnamed);
        }
        let row = ROWS.iter().find_map(|(pattern, name, operations)| {
            let parts = pattern.captures(line)?;
            let figures = parts.get(parts.len() - 1)?.as_str();
            let mut expanded = String::new();
            parts.expand(name, &mut expanded);
            let operations = Some(operations).filter(|words| !words.is_empty());
            Some(Self::Row(
                expanded,
                operations.map(|words| Table::of_operations(words.split(' '))),
                figures.split(':').skip(1).collect(),
            ))
        });
        Some(row.unwrap_or(Self::Malformed))
    }
}
