//! seam
use super::{Sink, Parsed, Problem};
pub fn recognise(_head: &str) -> bool { false }
pub(super) fn parse(_name: &str, _text: &str, _sink: &mut Sink) {}
pub fn stream(_name: &str, _reader: impl std::io::Read + Send) -> Result<Parsed, Vec<Problem>> { Err(vec![]) }
