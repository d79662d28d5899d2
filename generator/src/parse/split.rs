//! `[[split]]` and `--implementation`: which part of a benchmark's name is the implementation, where
//! one program measures several libraries.

use super::prelude::*;
use super::{check_matches, pattern};
use std::iter::repeat_n;

/// A pattern with a group `name`, and perhaps `version` and `variant`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Split(Regex);

/// An implementation, and the scenario without it.
type Named = (Arc<Implementation>, Arc<Scenario>);

/// The groups that name an implementation, and that the rest of a benchmark's name lacks.
const GROUPS: [&str; 3] = ["name", "version", "variant"];

impl TryFrom<String> for Split {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let regex = pattern(&text)?;
        match regex.capture_names().flatten().any(|group| group == "name") {
            true => Ok(Self(regex)),
            false => Err(format!(
                "`{text}` has no group `(?<name>…)`, as in '/(?<name>[^/]+)/' or '(?<name>ring|aws-lc-rs)'"
            )),
        }
    }
}

impl Split {
    /// The implementation in a benchmark's name, and what is left of the name.
    fn read(&self, label: &str) -> Option<Result<Named, String>> {
        let found = self.0.captures(label)?;
        let [name, version, variant] =
            GROUPS.map(|group| found.name(group).map_or("", |m| m.as_str()));
        // `OpenSSL 3.5.0`; `faster_hex` is one name.
        let is_heading = version.is_empty() && variant.is_empty() && !name.contains(['_', ',']);
        let implementation = match is_heading {
            true => Implementation::from_heading(name),
            false => Implementation::new(name, version, &[variant]),
        };
        if name.trim().is_empty() {
            return None;
        }
        let rest = without(label, &found);
        let scenario = match rest.is_empty() {
            true => Err(format!(
                "nothing but the implementation is left of the benchmark `{label}`"
            )),
            false => name::scenario(&rest),
        };
        Some(scenario.map(|scenario| (Arc::new(implementation), scenario)))
    }
}

/// The name without the parts of its implementation, and what separated them from the others:
/// `group/LIBRARY/size`, `op (LIBRARY)`, `LIBRARY::op`.
fn without(label: &str, found: &Captures<'_>) -> String {
    let parts = GROUPS.iter().filter_map(|group| found.name(group));
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(regex::Match::start);
    let mut rest = label.to_owned();
    let is_separator = |c: char| "/:;,.-_=+@ ([{<>}])".contains(c);
    for part in parts.iter().rev() {
        let (before, after) = (&rest[..part.start()], &rest[part.end()..]);
        let start = before.trim_end_matches(is_separator);
        let end = after.trim_start_matches(is_separator);
        let separator = before[start.len()..].trim_end_matches(['(', '[', '{', '<']);
        rest = match (start, end) {
            ("", _) => end.to_owned(),
            (_, "") => start.to_owned(),
            _ => [start, separator, end].concat(),
        };
    }
    rest
}

/// Takes the implementations out of the benchmarks' names; the first pattern that matches counts.
/// Returns how many figures each has.
///
/// # Errors
/// A message on a name that cannot be split, with the row.
pub(crate) fn split(
    rows: &mut [Observation],
    splits: &[&Split],
) -> Result<Vec<usize>, (u32, String)> {
    let mut counts = vec![0; splits.len()];
    if splits.is_empty() {
        return Ok(counts);
    }
    let scenarios: HashSet<&Arc<Scenario>> = rows.iter().map(|row| &row.scenario).collect();
    let bytes = scenarios.iter().map(|one| one.label().len()).sum();
    // Finding where a group matches takes as long as another pattern.
    let patterns = splits.iter();
    let patterns = patterns.flat_map(|Split(regex)| repeat_n(regex.as_str(), regex.captures_len()));
    check_matches(patterns, bytes).map_err(|error| (0, error))?;
    let read = |label: String| {
        let mut all = splits.iter().enumerate();
        all.find_map(|(at, split)| Some((at, split.read(&label)?)))
    };
    let mut known = HashMap::new();
    for row in rows {
        let found = known.entry(Arc::clone(&row.scenario));
        match found.or_insert_with(|| read(row.scenario.label())) {
            None => {}
            Some((_, Err(message))) => return Err((row.line, message.clone())),
            Some((at, Ok((implementation, scenario)))) => {
                counts[*at] += 1;
                row.implementation = Some(Arc::clone(implementation));
                row.scenario = Arc::clone(scenario);
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_a_name_that_is_the_implementation() {
        for (pattern, label, expected) in [
            (
                "^(?<name>(faster_)?hex)_",
                "faster_hex_encode",
                "faster_hex: encode",
            ),
            (
                "^[^/]+/(?<name>[^/]+)",
                "aes128-gcm/aws-lc-rs/32B",
                "aws-lc-rs: aes128-gcm/32B",
            ),
            (
                "^[^/]+/(?<name>[^/]+)",
                "x25519-ecdh/ring",
                "ring: x25519-ecdh",
            ),
            (r"\((?<name>.+)\)$", "seal (ring)", "ring: seal"),
            (
                r"\((?<name>.+)\)",
                "seal (ring) 16 bytes",
                "ring: seal 16 bytes",
            ),
            ("^(?<name>[^:]+)::", "ring::seal", "ring: seal"),
            ("(?<name>ring|boring)", "seal-ring-16", "ring: seal-16"),
            (
                "/(?<name>[^/]+)-(?<version>[0-9.]+)/",
                "seal/codec-1.2.0/16",
                "codec 1.2.0: seal/16",
            ),
            (
                "/(?<name>[^/]+)/(?<variant>[^/]+)/",
                "seal/codec/simd/16",
                "codec, simd: seal/16",
            ),
            (
                "^(?<name>ring)$",
                "ring",
                "nothing but the implementation is left of the benchmark `ring`",
            ),
        ] {
            let split = Split::try_from(pattern.to_owned()).expect(pattern);
            let found = match split.read(label).expect(label) {
                Ok((name, scenario)) => format!("{name}: {}", scenario.label()),
                Err(message) => message,
            };
            assert_eq!(found, expected, "{pattern} in {label}");
        }
        assert!(Split::try_from("seal/.*".to_owned()).is_err());
        assert!(
            Split::try_from("^(?<name>x)".to_owned())
                .expect("a pattern")
                .read("ring")
                .is_none()
        );
    }
}
