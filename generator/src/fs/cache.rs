//! What earlier runs made of what, so that a run makes only what a change reaches.
//!
//! A unit is some files with the digest of all that they are made of, which is its key. A cache that
//! is old misses keys, one that is damaged does not have the digest that stands above it and counts
//! for nothing, and a file counts only while its bytes have the digest that stands here.

use super::hex_digest;
use super::list::{self, List};
use std::collections::BTreeMap;

/// The files of each unit by its key.
pub(super) type Cache = BTreeMap<String, List>;

/// The record of a run and its cache.
pub(super) fn text(record: &str, cache: &Cache) -> String {
    let unit = |(key, files): (&String, &List)| format!("{key}\n{}", list::text(files));
    let units: String = cache.iter().map(unit).collect();
    format!("{record}\n{}\n{units}", hex_digest(units.as_bytes()))
}

/// The record in such a text.
pub(super) fn record(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The cache in such a text; empty if it is not as it was written.
pub(super) fn parse(text: &str) -> Cache {
    let mut parts = text.splitn(3, '\n').skip(1);
    let (Some(digest), Some(units)) = (parts.next(), parts.next()) else {
        return Cache::new();
    };
    let mut cache = Cache::new();
    if hex_digest(units.as_bytes()) != digest {
        return cache;
    }
    let mut key = "";
    for line in units.lines() {
        match list::entry(line) {
            None => key = line,
            Some((digest, file)) => {
                let files: &mut List = cache.entry(key.to_owned()).or_default();
                files
                    .entry(file.to_owned())
                    .or_default()
                    .insert(digest.to_owned());
            }
        }
    }
    cache
}
