//! Tools whose lines a pattern cannot read alone.

mod divan;
mod go;
mod openssl_speed;
mod tls_bench;

use super::tool::Tool;
use super::{echo, json, prelude};

fn tool<T: Tool + Default + 'static>() -> Box<dyn Tool> {
    Box::<T>::default()
}

/// A name for messages, and what makes the tool's recogniser.
type Named = (&'static str, fn() -> Box<dyn Tool>);

/// Those with the most specific lines first.
pub(super) const TOOLS: &[Named] = &[
    ("rustls-bench or openssl-bench", tool::<tls_bench::TlsBench>),
    ("divan", tool::<divan::Divan>),
    ("go test", tool::<go::Go>),
    ("openssl speed", tool::<openssl_speed::OpensslSpeed>),
];
