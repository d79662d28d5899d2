//! Names that differ only in case, or in how their characters are composed: mostly one name, spelt
//! in two ways.

use super::Report;
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization as _;

/// Pairs that are named.
const MAX: usize = 3;

impl Report {
    /// Returns a warning for each of the first pairs of scenarios or implementations with such
    /// names.
    pub(crate) fn alike(&self) -> Vec<String> {
        let rows = self.data.rows.iter();
        let labels: BTreeSet<String> = rows.map(|row| row.scenario.label()).collect();
        let builds = self.data.implementations.iter().map(ToString::to_string);
        let mut warnings = Vec::new();
        for names in [labels, builds.collect()] {
            let mut seen: BTreeMap<String, String> = BTreeMap::new();
            for name in names {
                let plain = name.nfc().collect::<String>().to_lowercase();
                if let Some(other) = seen.get(&plain) {
                    warnings.push(format!(
                        "`{other}` and `{name}` are two, but differ only in case or in accents that are composed"
                    ));
                } else {
                    seen.insert(plain, name);
                }
            }
        }
        let more = warnings.len().saturating_sub(MAX);
        warnings.truncate(MAX);
        if more > 0 {
            warnings.push(format!("{more} more names are like others but for this"));
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use crate::report::release_tests::report;

    #[test]
    fn case_and_composition_are_noticed() {
        let labels = ["Parse", "parse", "parse/2", "caf\u{e9}", "cafe\u{301}"];
        let found = report(&[], &labels.map(|label| (label, Vec::new()))).alike();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[1].starts_with("`Parse` and `parse` are two"),
            "{found:?}"
        );
        assert!(
            report(&[], &[("a", Vec::new()), ("b", Vec::new())])
                .alike()
                .is_empty()
        );
    }
}
