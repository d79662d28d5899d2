//! What `run` reads: names on its command line, records, and lists of registries.

use crate::measure::libraries::{release, release::Range, spec::Spec};
use crate::measure::records::record::Record;
use std::path::Path;

pub(super) fn names(text: &str) {
    if let Ok(spec) = Spec::parse(text) {
        assert!(
            !spec.word.is_empty() && !spec.variant.iter().any(String::is_empty),
            "{spec:?}"
        );
        assert!(text.to_lowercase().starts_with(&spec.word), "{spec:?}");
        assert!(text.ends_with(&spec.variant.join("+")), "{spec:?}");
    }
    drop(Range::parse(text));
}

pub(super) fn records(path: &Path, bytes: &[u8]) {
    drop(release::entries(bytes));
    if let Ok(record) = Record::parse(path, bytes) {
        let written = toml::to_string(&record).expect("TOML");
        assert_eq!(
            Record::parse(path, written.as_bytes()).expect("our own"),
            record
        );
    }
}
