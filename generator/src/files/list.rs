//! The list of the files that the generator wrote into a folder, in the format of `sha256sum`.

use super::read_limited;
use crate::base::failure::{self, Failure};
use crate::base::limits::TEXT;
use std::collections::BTreeMap;
use std::path::Path;

/// The list's name in its folder. Zola does not publish files whose names have no extension.
pub(super) const NAME: &str = ".generated";

/// The names of generated files other than graphs and JSON.
const NAMES: [&str; 8] = [
    "_index.md",
    "index.md",
    "data.csv",
    "data.csv.gz",
    "data.json.gz",
    "inputs.tar.gz",
    // Of earlier versions.
    "SHA256SUMS.txt",
    "SHA256SUMS.txt.gz",
];

/// Digests by name.
pub(crate) type List = BTreeMap<String, String>;

/// Reads the list of a folder.
pub(super) fn read(folder: &Path) -> failure::Result<List> {
    let path = folder.join(NAME);
    let bytes = read_limited(&path, TEXT)?.unwrap_or_default();
    parse(&path, &bytes)
}

pub(crate) fn parse(path: &Path, bytes: &[u8]) -> failure::Result<List> {
    let text = std::str::from_utf8(bytes).map_err(|_| Failure::at(path, 0, "not UTF-8"))?;
    let mut list = List::new();
    for (index, line) in text.lines().enumerate() {
        let Some((digest, name)) = entry(line) else {
            let message = format!(
                "expected a SHA-256 and the name of a generated file in this folder, got `{line}`; delete this list and the generated files beside it to start over"
            );
            return Err(Failure::at(path, index as u32 + 1, message));
        };
        list.insert(name.to_owned(), digest.to_owned());
    }
    Ok(list)
}

fn entry(line: &str) -> Option<(&str, &str)> {
    let (digest, name) = line.split_once("  ")?;
    let is_digest = digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit());
    (is_digest && is_generated(name)).then_some((digest, name))
}

/// Whether the generator gives this name to files. No such name leads out of its folder.
pub(super) fn is_generated(name: &str) -> bool {
    let is_made_up = [".svg", ".json"].iter().any(|end| name.ends_with(end));
    NAMES.contains(&name) || is_made_up && !name.contains(['/', '\0'])
}

pub(crate) fn text(list: &List) -> String {
    let line = |(name, digest)| format!("{digest}  {name}\n");
    list.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_we_give_are_read() {
        let read = |name: &str| {
            let line = format!("{}  {name}\n", "5".repeat(64));
            parse(Path::new(NAME), line.as_bytes())
        };
        for name in ["index.md", "gauge-1.svg", "data.csv"] {
            assert_eq!(read(name).expect("ours").len(), 1);
        }
        for name in ["", "..", "about.md", "a/index.md", "../x.svg", "/etc/x.svg"] {
            read(name).expect_err(name);
        }
    }
}
