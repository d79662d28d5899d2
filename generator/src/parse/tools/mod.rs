//! Tools whose lines a pattern cannot read alone.

mod go;
mod tls_bench;

use super::{Collector, echo, prelude};

/// What a line is to a tool.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Line {
    /// It is read, or a heading or another line that the tool is known to print.
    Known,
    /// It looks like a row, and is none that can be read.
    Odd,
    Foreign,
}

/// A reader of the lines of a tool, with the state that its tables need.
pub(super) trait Tool {
    fn line(&mut self, line: &str, out: &mut Collector) -> Line;
    /// Reads a command after a prompt: the output of another one ends.
    fn command(&mut self, _command: &str, _out: &mut Collector) {}
}

fn tool<T: Tool + Default + 'static>() -> Box<dyn Tool> {
    Box::<T>::default()
}

/// A name for messages, and what makes the tool's reader.
pub(super) type Named = (&'static str, fn() -> Box<dyn Tool>);

pub(super) const TOOLS: &[Named] = &[
    ("rustls-bench or openssl-bench", tool::<tls_bench::TlsBench>),
    ("go test", tool::<go::Go>),
];
