//! The list of the files that the generator wrote, in the format of `sha256sum`.

use super::stays_below;
use crate::failure::{self, Failure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The list's name at the root of the site.
pub(super) const NAME: &str = ".generated.sha256";

/// Digests by path relative to the site. A file has more than one after an interrupted run, because
/// it may be old or new.
pub(crate) type List = BTreeMap<String, BTreeSet<String>>;

pub(super) fn read(root: &Path) -> failure::Result<List> {
    let path = root.join(NAME);
    let Some(bytes) = super::read_optional(&path)? else {
        return Ok(List::new());
    };
    parse(&path, &bytes)
}

pub(crate) fn parse(path: &Path, bytes: &[u8]) -> failure::Result<List> {
    let text = std::str::from_utf8(bytes).map_err(|_| Failure::at(path, 0, "not UTF-8"))?;
    let mut list = List::new();
    for (index, line) in text.lines().enumerate() {
        let Some((digest, file)) = entry(line) else {
            let message = format!(
                "expected a SHA-256 and a path inside the site, got `{line}`; delete this file to start over"
            );
            return Err(Failure::at(path, index as u32 + 1, message));
        };
        let digests = list.entry(file.to_owned()).or_default();
        digests.insert(digest.to_owned());
    }
    Ok(list)
}

fn entry(line: &str) -> Option<(&str, &str)> {
    let (digest, file) = line.split_once("  ")?;
    let is_digest = digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit());
    // A trailing carriage return would be read as part of the line end.
    let is_path = stays_below(Path::new(file)) && !file.ends_with('\r');
    (is_digest && is_path).then_some((digest, file))
}

pub(crate) fn text(list: &List) -> String {
    list.iter()
        .flat_map(|(path, digests)| digests.iter().map(move |d| format!("{d}  {path}\n")))
        .collect()
}
