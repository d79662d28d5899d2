//! Not read yet.

use super::Sink;

pub(super) fn recognise(_head: &str) -> bool {
    false
}

pub(super) fn parse(_name: &str, _text: &str, _sink: &mut Sink) {}
