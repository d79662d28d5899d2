//! Selects parts of data sets, and joins data sets.

use super::grouping::Grouping;
use super::{Cell, Dataset, Row};
use crate::implementation::{Implementation, variant_parts};
use crate::stats::Estimator;

impl Dataset {
    /// Keeps only these implementations, by their indices, and the rows in which they have a cell.
    pub(crate) fn only(self, columns: &[usize]) -> Self {
        let rows = self.rows.into_iter().map(|mut row| Row {
            cells: columns.iter().map(|c| row.cells[*c].take()).collect(),
            ..row
        });
        Self {
            implementations: columns
                .iter()
                .map(|c| self.implementations[*c].clone())
                .collect(),
            rows: rows
                .filter(|r| r.cells.iter().any(Option::is_some))
                .collect(),
            without_bars: self.without_bars,
            older: self.older,
            site_libraries: self.site_libraries,
            notes: self.notes,
        }
    }

    /// Joins the runs of several data sets. Implementations and rows are in order of appearance.
    pub(crate) fn joined(all: impl IntoIterator<Item = Self>, estimator: Estimator) -> Self {
        let mut grouping = Grouping::default();
        all.into_iter().for_each(|data| grouping.join(data));
        grouping.finish(estimator)
    }

    /// Returns the implementations that match a selector such as `rustls`, `rustls 0.23.37`,
    /// `rustls@0.23.37+ring` or `rustls_0.22.0_aws-lc`: by name, and by version and variant if
    /// the selector has them.
    pub(crate) fn find(&self, selector: &str) -> Vec<usize> {
        let parts = || variant_parts(selector).join(",");
        let heading = || Implementation::from_heading(&parts().replace('@', " "));
        let by_file_name =
            Implementation::from_file_name(selector).filter(|_| selector.contains('_'));
        let wanted = by_file_name.unwrap_or_else(heading);
        let names = |i: &Implementation| {
            i.is_release(&wanted)
                || wanted.version.is_empty() && i.name.eq_ignore_ascii_case(&wanted.name)
        };
        let fits = |i: &Implementation| names(i) && i.has_variant(&wanted);
        let all = &self.implementations;
        match all.iter().position(|i| i.to_string() == selector) {
            Some(exact) => vec![exact],
            None => (0..all.len()).filter(|i| fits(&all[*i])).collect(),
        }
    }
}

impl Cell {
    pub(super) fn join(&mut self, other: Self) {
        self.values.extend(other.values);
        self.unsupported = self.unsupported.take().or(other.unsupported);
        self.add_caveats(&other.caveats);
        if let Some(distribution) = other.distribution {
            self.distribution
                .get_or_insert_default()
                .merge(&distribution);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors() {
        let names = [
            "OpenSSL 3.2.0, gcc",
            "OpenSSL 3.2.0, clang",
            "rustls 0.22.0, aws-lc",
            "BoringSSL r0",
        ];
        let data = Dataset::example(&names, &[]);
        for (selector, found) in [
            ("rustls", &[2][..]),
            ("RUSTLS", &[2]),
            ("rustls@0.22.0", &[2]),
            ("rustls@0.22.0+aws-lc", &[2]),
            ("rustls 0.23.0", &[]),
            ("openssl", &[0, 1]),
            ("OpenSSL 3.2.0, clang", &[1]),
            ("openssl_3.2.0_gcc", &[0]),
            ("rustls, ring", &[]),
            ("boringssl@r0", &[3]),
        ] {
            assert_eq!(data.find(selector), found, "{selector}");
        }
    }

    #[test]
    fn runs_are_joined() {
        let (full, resumed) = (
            "full handshakes, 1.3, rsa, client",
            "resumed handshakes, 1.3, client",
        );
        let first = Dataset::example(&["rustls 1.0"], &[(full, &[Some(1.0)])]);
        let second = Dataset::example(
            &["OpenSSL 3.0", "rustls 1.0"],
            &[(resumed, &[Some(5.0), None]), (full, &[None, Some(2.0)])],
        );
        let data = Dataset::joined([first, second], Estimator::Median);
        assert_eq!(data.implementations.len(), 2);
        let values =
            |row: usize, column: usize| data.rows[row].cell(column).map(|c| c.values.clone());
        assert_eq!(values(0, 0), Some(vec![1.0, 2.0]));
        assert_eq!([values(0, 1), values(1, 0)], [None, None]);
        assert_eq!(values(1, 1), Some(vec![5.0]));
        let only = data.only(&[1]);
        assert_eq!(only.rows.len(), 1);
        assert_eq!(only.rows[0].scenario.label(), resumed);
    }
}
