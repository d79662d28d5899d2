//! What each tool's recogniser of lines does.

use super::cite::cite;
use super::collector::Collector;
use Untaken::{Damaged, Wrong};

/// Whether a tool takes a line.
pub(super) type Taken = Result<(), Untaken>;

/// Why a tool does not take a line.
pub(super) enum Untaken {
    Foreign,
    /// It may be a damaged row, which is an error if the text has other lines of the tool.
    Damaged(String),
    /// It is a row that is certainly the tool's, and wrong.
    Wrong(String),
}

/// Says what is wrong with a row that is certainly the tool's.
pub(super) fn wrong<T>(message: &str, text: &str) -> Result<T, Untaken> {
    Err(Wrong(cite(message, text)))
}

/// Says what is wrong with a line that may be a damaged row.
pub(super) fn damaged<T>(message: &str, text: &str) -> Result<T, Untaken> {
    Err(Damaged(cite(message, text)))
}

impl<T: Into<String>> From<T> for Untaken {
    fn from(message: T) -> Self {
        Self::Wrong(message.into())
    }
}

/// A recogniser of the lines of a tool, with the state that its tables need.
pub(super) trait Tool {
    /// Reads a line.
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken;
    /// Reads a command after a prompt: the output of another one ends.
    fn command(&mut self, _command: &str, _out: &mut Collector) {}
    fn end(&mut self, _out: &mut Collector) {}
}
