//! The pages: tables, graphs and sentences with formatted figures, which templates lay out. Nothing
//! here writes a file.
//!
//! A page has at most 60 KB of HTML, compressed; graphs are files of their own. The test of the
//! website checks this for all of its pages.

mod answer;
mod bars;
mod caveats;
mod compare;
mod compared;
mod costs;
mod data;
mod dots;
mod finding;
mod footprint;
mod front_matter;
mod gauge;
mod home;
mod index;
mod highlights;
mod history;
mod lines;
mod matrix;
mod method;
pub(crate) mod notes;
mod phrases;
mod provenance;
mod ranking;
mod releases;
mod renderer;
mod report;
mod rival;
mod sections;
mod table;
mod table_html;
mod sweeps;
mod verdicts;

pub(crate) use crate::base::words::{count, join};
pub(crate) use compared::{Changes, changes, comparisons, untested};
pub(crate) use data::downloads;
pub(crate) use dots::{DotPlot, DotRow};
pub(crate) use finding::finding;
pub(crate) use highlights::feed_summary;
pub(crate) use method::method;
use phrases::joined;
pub(crate) use provenance::{inputs, versions};
pub(crate) use releases::{Releases, releases};
pub(crate) use renderer::{Pages, Renderer};
pub(crate) use report::Origin;
pub(crate) use sections::{Block, Section, sections};
pub(crate) use table::{Graph, Head, Table, TableCell, TableRow};

use crate::model::implementation::Implementation;
use crate::model::unit::Scale;
use crate::report::{Dataset, Report, Row, common_scale};
use crate::stats::{Estimator, Interval};
use std::collections::{BTreeMap, BTreeSet};

/// A subset of a report's rows, from which sections are made.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    report: &'a Report,
    /// The whole report's data set, for its implementations.
    pub data: &'a Dataset,
    /// The rows of this part, in display order.
    pub rows: Vec<&'a Row>,
    /// Estimator of all figures.
    pub estimator: Estimator,
    /// The name of the implementation that the report is about.
    subject: &'a str,
}

/// Columns of builds that fit beside the scenario at 1280 px.
const MAX_BUILDS: usize = 7;

impl<'a> Part<'a> {
    /// Returns all rows of a report.
    pub(crate) fn of(report: &'a Report) -> Self {
        Self::of_rows(report, report.data.rows.iter().collect())
    }

    /// Returns no rows of a report, for the names of its builds.
    pub(crate) fn without_rows(report: &'a Report) -> Self {
        Self::of_rows(report, Vec::new())
    }

    /// Returns these rows of a report.
    pub(crate) fn of_rows(report: &'a Report, rows: Vec<&'a Row>) -> Self {
        Self {
            report,
            data: &report.data,
            rows,
            estimator: report.manifest.estimator,
            subject: report.subject(),
        }
    }

    /// Returns the rows that satisfy the predicate.
    pub(crate) fn with(&self, wanted: impl Fn(&Row) -> bool) -> Self {
        Self {
            rows: self.rows.iter().copied().filter(|r| wanted(r)).collect(),
            ..*self
        }
    }

    /// Groups the rows by a key, in the order of keys.
    fn by<K: Ord>(&self, key: impl Fn(&Row) -> K) -> Vec<(K, Self)> {
        let mut parts = BTreeMap::new();
        for row in &self.rows {
            let empty = || Self {
                rows: Vec::new(),
                ..*self
            };
            let part: &mut Self = parts.entry(key(row)).or_insert_with(empty);
            part.rows.push(row);
        }
        parts.into_iter().collect()
    }

    fn build(&self, column: usize) -> &'a Implementation {
        &self.data.implementations[column]
    }

    /// Whether a build has a figure in these rows or is marked unsupported.
    fn has(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.cell(column).is_some())
    }

    /// Returns the builds of these rows, without older releases.
    fn columns(&self) -> Vec<usize> {
        self.data.newest_columns(self.rows.iter().copied())
    }

    /// Returns the builds of these rows.
    fn all_columns(&self) -> Vec<usize> {
        let all = 0..self.data.implementations.len();
        all.filter(|column| self.has(*column)).collect()
    }

    /// Splits the columns into those of the first table and the charts, and the others, which
    /// include older releases. The subject, the release before it and one build of each rival are
    /// among the former.
    fn split_columns(&self) -> (Vec<usize>, Vec<usize>) {
        let mut all = self.all_columns();
        all.sort_by_key(|column| self.data.is_older(*column));
        let name = |column: usize| &*self.build(column).name;
        let newest = all.iter().filter(|column| !self.data.is_older(**column));
        let subject = newest.clone().find(|column| name(**column) == self.subject);
        let before = subject.and_then(|column| self.release_before(*column));
        let mut names = BTreeSet::new();
        let one_each = newest.filter(|column| names.insert(name(**column)));
        let wanted = subject
            .into_iter()
            .chain(&before)
            .chain(one_each)
            .chain(&all);
        let mut first = Vec::new();
        for column in wanted {
            if !first.contains(column) {
                first.push(*column);
            }
        }
        let is_shown = |column: &&usize| !self.data.is_older(**column) || Some(**column) == before;
        let shown = first.iter().filter(is_shown).count();
        let others = first.split_off(shown.min(MAX_BUILDS));
        first.sort_by_key(|column| name(*column) != self.subject);
        (first, others)
    }

    /// Returns the newest older release of the same variant, if it has a figure in these rows.
    fn release_before(&self, column: usize) -> Option<usize> {
        let before = self.data.release_before(column);
        before.filter(|before| self.has(*before))
    }

    /// Returns the columns that bar charts show.
    fn shown(&self) -> Vec<usize> {
        let (mut columns, _) = self.split_columns();
        columns.retain(|c| self.has_bars(*c));
        columns
    }

    fn has_bars(&self, column: usize) -> bool {
        !self.data.without_bars.contains(self.build(column))
    }

    fn estimate(&self, row: &Row, column: usize) -> Option<f64> {
        row.cell(column)?.estimate()
    }

    /// Returns each column that has a figure in this row, with the figure.
    fn figures(&self, row: &Row) -> Vec<(usize, f64)> {
        let figure = |column| Some((column, self.estimate(row, column)?));
        (0..row.cells.len()).filter_map(figure).collect()
    }

    /// Returns the name of a column: the release, and what tells its variant from the usual one.
    fn name(&self, column: usize) -> String {
        joined([self.build(column).release(), self.distinction(column)]).unwrap_or_default()
    }

    /// Returns the name of a column's library, and what tells its variant from the usual one.
    fn variant_name(&self, column: usize) -> String {
        let name = &self.build(column).name;
        joined([name.clone(), self.distinction(column)]).unwrap_or_default()
    }

    /// Returns the name of a column beside that of `new` in another part, without the library and
    /// the variant if both have them: `0.23.27` beside `rustls 0.23.31`.
    fn name_beside(&self, old: usize, (other, new): (&Part<'_>, usize)) -> String {
        let (ours, theirs) = (self.build(old), other.build(new));
        let version = ours.version.words();
        let is_same = ours.name == theirs.name && self.distinction(old) == other.distinction(new);
        match is_same && !version.is_empty() {
            true => version,
            false => self.name(old),
        }
    }

    fn names(&self, columns: &[usize]) -> Vec<String> {
        columns.iter().map(|c| self.name(*c)).collect()
    }

    /// Returns the variant of a library's first build; `None` if releases alone tell its builds apart.
    fn usual_variant(&self, library: &str) -> Option<&'a [String]> {
        let usual = self.data.usual_build(library)?;
        Some(&self.build(usual).variant)
    }

    /// Returns what a build's variant has and the usual one of its library lacks: `ring`. Empty for the
    /// usual one.
    fn distinction(&self, column: usize) -> String {
        let build = self.build(column);
        let Some(usual) = self.usual_variant(&build.name) else {
            return String::new();
        };
        let mut own = build.variant.clone();
        own.retain(|part| !usual.contains(part));
        // A variant without a part of its own is named whole.
        match own.is_empty() && build.variant != usual {
            true => build.variant.join(", "),
            false => own.join(", "),
        }
    }

    /// `rustls is aws-lc-rs, jemalloc unless another variant is named.`; empty without variants.
    fn usual_variants(&self) -> String {
        let names = self.data.implementations.iter().map(|build| &*build.name);
        let mut sentences = String::new();
        for library in BTreeSet::from_iter(names) {
            let usual = self.usual_variant(library).unwrap_or_default().join(", ");
            if !usual.is_empty() {
                sentences += &format!(" {library} is {usual} unless another variant is named.");
            }
        }
        sentences
    }
}

/// Returns the ends of an interval in a chart's scale.
fn ends(interval: Option<Interval>, scale: &Scale) -> Option<(f64, f64)> {
    interval.map(|i| (i.low / scale.factor, i.high / scale.factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::release_tests::{FULL, report};

    #[test]
    fn names_say_by_what_releases_vary() {
        let keys = [("0.2", "ring"), ("0.2", "aws-lc-rs"), ("0.1", "ring")];
        let keys =
            keys.map(|(v, part)| format!("version = \"{v}\"\nvariant = [\"{part}\", \"gcc\"]"));
        let one = report(&keys.each_ref().map(String::as_str), &[(FULL, Vec::new())]);
        let part = Part::of(&one);
        let names = ["rustls 0.2", "rustls 0.2, aws-lc-rs", "rustls 0.1"];
        assert_eq!(part.names(&[0, 1, 2]), names);
        assert_eq!(
            part.usual_variants(),
            " rustls is ring, gcc unless another variant is named."
        );
        assert_eq!(part.name_beside(2, (&part, 0)), "0.1");
        assert_eq!(part.name_beside(2, (&part, 1)), "rustls 0.1");
        let mut other = report(&["version = \"0.3\""], &[]);
        other.data.implementations[0].name = "OpenSSL".to_owned();
        let other = Part::of(&other);
        assert_eq!(other.name_beside(0, (&part, 0)), "OpenSSL 0.3");
        let unversioned = report(&["", "version = \"0.3\""], &[]);
        let unversioned = Part::of(&unversioned);
        assert_eq!(unversioned.name_beside(0, (&unversioned, 1)), "rustls");
    }
}
