//! What `run` reads: names on its command line, records, and lists of registries.

use crate::measure::libraries::{catalog, release, release::Range};
use crate::measure::records::record::Record;
use std::path::Path;

pub(super) fn names(text: &str) {
    if let Ok((word, _, variant)) = catalog::parse(text) {
        assert!(!word.is_empty() && !variant.contains(&""), "{text}");
        assert!(text.starts_with(word), "{text}");
        assert!(text.ends_with(&variant.join("+")), "{text}");
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
