//! Releases of one library in one report, in their order, with the tested change of each step.

use super::{ComparedRow, Dataset, Manifest, Report, Row, judge};
use crate::implementation::Implementation;
use crate::stats::Rules;

/// The releases of one implementation and variant in a report: two or more.
#[derive(Debug)]
pub(crate) struct ReleaseSeries<'a> {
    pub report: &'a Report,
    /// Their columns, oldest first.
    pub columns: Vec<usize>,
    /// The rows in which a release that results leave out has a figure, or is unsupported.
    pub rows: Vec<ReleaseRow<'a>>,
}

/// One scenario over the releases.
#[derive(Clone, Debug)]
pub(crate) struct ReleaseRow<'a> {
    pub row: &'a Row,
    /// One for each of [`ReleaseSeries::steps`]; `None` where a side has no figure.
    pub steps: Vec<Option<ComparedRow<'a>>>,
}

impl Dataset {
    /// The columns of each implementation and variant with several releases that have figures,
    /// oldest release first. What no version orders is in the order of the days and of
    /// `report.toml`: builds of one release, and commits.
    fn releases(&self, manifest: &Manifest) -> Vec<Vec<usize>> {
        let all = &self.implementations;
        let has_figures = |column: &usize| self.rows.iter().any(|r| r.cell(*column).is_some());
        let mut series: Vec<Vec<usize>> = Vec::new();
        for column in (0..all.len()).filter(has_figures) {
            let same = |other: &usize| {
                all[*other].name == all[column].name && all[*other].variant == all[column].variant
            };
            match series.iter_mut().find(|s| s.iter().all(same)) {
                Some(known) => known.push(column),
                None => series.push(vec![column]),
            }
        }
        series.retain(|columns| columns.len() > 1);
        for columns in &mut series {
            columns.sort_by(|a, b| {
                let [a, b] = [*a, *b].map(|c| &all[c]);
                let day = |i| manifest.released(i);
                a.version.cmp_release(&b.version).then(day(a).cmp(&day(b)))
            });
        }
        series
    }

    /// The releases before the newest of each implementation and variant. Pre-releases of the next
    /// one do not make it older.
    pub(super) fn older_releases(&self, manifest: &Manifest) -> Vec<Implementation> {
        let is_release = |c: &usize| !self.implementations[*c].version.is_pre_release();
        let older = self.releases(manifest).into_iter().flat_map(|columns| {
            let newest = columns.iter().rposition(is_release);
            columns[..newest.unwrap_or(columns.len() - 1)].to_vec()
        });
        older.map(|c| self.implementations[c].clone()).collect()
    }
}

impl<'a> ReleaseSeries<'a> {
    /// Every implementation and variant of which a report has several releases.
    pub(crate) fn all(report: &'a Report) -> Vec<Self> {
        let series = report.data.releases(&report.manifest).into_iter();
        series.map(|columns| Self::of(report, columns)).collect()
    }

    /// Judges all steps of all rows as one table.
    fn of(report: &'a Report, columns: Vec<usize>) -> Self {
        let (_, older) = columns.split_last().unwrap_or((&0, &[]));
        let mut rows: Vec<&Row> = report.data.rows.iter().collect();
        rows.retain(|r| older.iter().any(|c| r.cell(*c).is_some()));
        rows.sort_by(|a, b| (&a.scenario, &a.unit).cmp(&(&b.scenario, &b.unit)));
        let steps = steps(columns.len());
        let figure = |row: &'a Row, place: usize| {
            let cell = row.cell(columns[place])?;
            (!cell.values.is_empty()).then_some(cell)
        };
        let of_row = |row: &&'a Row| {
            let row = *row;
            let cells = steps
                .iter()
                .map(|step| step.map(|place| figure(row, place)));
            cells.map(|cells| (row, cells)).collect::<Vec<_>>()
        };
        let pairs: Vec<_> = rows.iter().flat_map(of_row).collect();
        let complete = |(_, cells): &&(_, [Option<_>; 2])| cells.iter().all(Option::is_some);
        let known = pairs.iter().filter(complete).copied();
        let known = judge(known, report.manifest.estimator, &Rules::default());
        let mut known = known.into_iter();
        let judged = pairs
            .iter()
            .map(|pair| complete(&pair).then(|| known.next())?);
        let judged: Vec<Option<ComparedRow<'a>>> = judged.collect();
        let rows = rows.into_iter().zip(judged.chunks(steps.len()));
        Self {
            rows: rows
                .map(|(row, steps)| ReleaseRow {
                    row,
                    steps: steps.to_vec(),
                })
                .collect(),
            report,
            columns,
        }
    }

    /// With some of its rows, whose steps keep their verdicts.
    pub(crate) fn with(&self, wanted: impl Fn(&Row) -> bool) -> Self {
        let rows = self.rows.iter().filter(|r| wanted(r.row));
        Self {
            report: self.report,
            columns: self.columns.clone(),
            rows: rows.cloned().collect(),
        }
    }

    /// The steps that are tested, each as two places in [`Self::columns`]: from each release to
    /// the next, and where these are several, from the first to the last.
    pub(crate) fn steps(&self) -> Vec<[usize; 2]> {
        steps(self.columns.len())
    }

    pub(crate) fn implementation(&self, place: usize) -> &'a Implementation {
        &self.report.data.implementations[self.columns[place]]
    }

    /// The newest release.
    pub(crate) fn newest(&self) -> &'a Implementation {
        self.implementation(self.columns.len() - 1)
    }

    /// The implementation, and what of its variant others in the report do not share.
    pub(crate) fn name(&self) -> String {
        let newest = self.newest();
        let all = self.report.data.implementations.iter();
        let named: Vec<&Implementation> = all.filter(|i| i.name == newest.name).collect();
        let mut parts = newest.variant.clone();
        parts.retain(|part| named.iter().any(|i| !i.variant.contains(part)));
        parts.insert(0, newest.name.clone());
        parts.join(", ")
    }
}

fn steps(releases: usize) -> Vec<[usize; 2]> {
    let neighbours = (1..releases).map(|place| [place - 1, place]);
    let whole = (releases > 2).then(|| [0, releases - 1]);
    neighbours.chain(whole).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::random::Random;
    use crate::report::Cell;
    use crate::scenario::Scenario;
    use crate::stats::Verdict;
    use crate::unit::Unit;
    use std::path::{Path, PathBuf};

    pub(crate) const FULL: &str = "full handshakes, 1.3, rsa, server";
    pub(crate) const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";

    /// A report of one library, whose releases are given as in `report.toml`, and its rows: a label
    /// with the cells of the releases.
    pub(crate) fn report(releases: &[&str], rows: &[(&str, Vec<Option<Cell>>)]) -> Report {
        let toml: String = releases
            .iter()
            .map(|keys| format!("[[implementation]]\nname = \"rustls\"\n{keys}\n"))
            .collect();
        let manifest = Manifest::parse(Path::new("report.toml"), toml.as_bytes()).expect("sound");
        let declared = manifest.declarations.iter();
        let mut data = Dataset {
            implementations: declared.map(|d| d.implementation.clone()).collect(),
            rows: rows
                .iter()
                .map(|(label, cells)| Row {
                    scenario: Scenario::from_label(label).expect("a scenario"),
                    unit: Unit::HandshakeRate,
                    cells: cells.clone(),
                    control: None,
                })
                .collect(),
            ..Dataset::default()
        };
        data.older = data.older_releases(&manifest);
        Report {
            name: "2026-01-01-x".to_owned(),
            folder: PathBuf::new(),
            manifest,
            day: None,
            data,
            notes: None,
            conditions: None,
            profiles: Default::default(),
        }
    }

    /// `n` runs within 1 % around `level`.
    pub(crate) fn cell(random: &mut Random, n: usize, level: f64) -> Option<Cell> {
        let run = |_| level * (0.99 + random.below(20_000) as f64 / 1e6);
        Some(Cell {
            values: (0..n).map(run).collect(),
            ..Cell::default()
        })
    }

    pub(crate) fn cells(random: &mut Random, n: usize, levels: &[f64]) -> Vec<Option<Cell>> {
        levels.iter().map(|level| cell(random, n, *level)).collect()
    }

    pub(crate) fn versions(versions: &[&str]) -> Vec<String> {
        let key = |version: &&str| format!("version = \"{version}\"");
        versions.iter().map(key).collect()
    }

    fn order(releases: &[&str]) -> Vec<String> {
        let cells = vec![Some(Cell::default()); releases.len()];
        let report = report(releases, &[(FULL, cells)]);
        let series = ReleaseSeries::all(&report);
        let places = 0..series[0].columns.len();
        let version = |place| series[0].implementation(place).version.to_string();
        places.map(version).collect()
    }

    fn verdicts(series: &ReleaseSeries<'_>, row: usize) -> Vec<Option<Verdict>> {
        let steps = series.rows[row].steps.iter();
        steps.map(|s| s.as_ref()?.verdict()).collect()
    }

    #[test]
    fn in_the_order_of_versions_then_of_days() {
        let shuffled = ["3.0.8", "4.0.0", "1.1.1w", "4.0.0-beta1", "3.5.1"];
        let keys = versions(&shuffled);
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(
            order(&keys),
            ["1.1.1w", "3.0.8", "3.5.1", "4.0.0-beta1", "4.0.0"]
        );
        let builds = [
            "version = \"0.24.0-dev+fffffff\"\nreleased = 2026-02-01",
            "version = \"0.24.0-dev+aaaaaaa\"\nreleased = 2026-02-03",
            "version = \"0.24.0-dev+ccccccc\"\nreleased = 2026-02-02",
        ];
        let sorted = [
            "0.24.0-dev+fffffff",
            "0.24.0-dev+ccccccc",
            "0.24.0-dev+aaaaaaa",
        ];
        assert_eq!(order(&builds), sorted);
        let commits = ["version = \"fffffff\"", "version = \"aaaaaaa\""];
        assert_eq!(order(&commits), ["fffffff", "aaaaaaa"]);
    }

    #[test]
    fn variants_are_series_of_their_own_and_single_releases_none() {
        let releases = [
            "version = \"2\"\nvariant = [\"ring\", \"x\"]",
            "version = \"1\"\nvariant = [\"aws\", \"x\"]",
            "version = \"2\"\nvariant = [\"aws\", \"x\"]",
            "version = \"1\"\nvariant = [\"ring\", \"x\"]",
            "version = \"2\"\nvariant = [\"graviola\", \"x\"]",
        ];
        let report = report(&releases, &[(FULL, vec![Some(Cell::default()); 5])]);
        let series = ReleaseSeries::all(&report);
        let found: Vec<_> = series
            .iter()
            .map(|s| (s.name(), s.columns.clone()))
            .collect();
        let expected = [("rustls, ring", vec![3, 0]), ("rustls, aws", vec![1, 2])];
        assert_eq!(
            found,
            expected.map(|(name, columns)| (name.to_owned(), columns))
        );
        assert_eq!(report.data.older.len(), 2);
    }

    #[test]
    fn a_pre_release_makes_no_release_older() {
        for (releases, older) in [
            (["0.23.1", "0.24.0-dev.2", "0.23.46"], &["0.23.1"][..]),
            (["2.0", "1.0", "3.0"], &["2.0", "1.0"]),
            (
                ["1.0-dev.1", "1.0-dev.2", "1.0-dev.3"],
                &["1.0-dev.1", "1.0-dev.2"],
            ),
        ] {
            let keys = versions(&releases);
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let report = report(&keys, &[(FULL, vec![Some(Cell::default()); 3])]);
            let mut found: Vec<&str> = report
                .data
                .older
                .iter()
                .map(|i| i.version.as_str())
                .collect();
            found.sort_by_key(|version| releases.iter().position(|r| r == version));
            assert_eq!(found, older);
        }
    }

    #[test]
    fn a_planted_step_is_the_only_change() {
        let random = &mut Random::new(1);
        let labels = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let mut rows = Vec::from_iter(labels.map(|l| (l, cells(random, 15, &[1e3; 6]))));
        rows[3].1 = cells(random, 15, &[1e3, 1e3, 970.0, 970.0, 970.0, 970.0]);
        let keys = versions(&["1", "2", "3", "4", "5", "6"]);
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let report = report(&keys, &rows);
        let series = &ReleaseSeries::all(&report)[0];
        assert_eq!(
            series.steps(),
            [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]]
        );
        for row in 0..rows.len() {
            let mut expected = [Some(Verdict::None); 6];
            if row == 3 {
                expected[1] = Some(Verdict::Slower);
                expected[5] = Some(Verdict::Slower);
            }
            assert_eq!(verdicts(series, row), expected, "{row}");
        }
        // One family: p of every step is adjusted over all 60.
        let comparison = series.rows[3].steps[1].as_ref().and_then(|s| s.comparison);
        let comparison = comparison.expect("compared");
        let p = comparison.test.expect("tested").p;
        let adjusted = comparison.adjusted_p.expect("adjusted");
        assert!(
            adjusted > p * 25.0 && adjusted <= p * 60.0,
            "{adjusted} {p}"
        );
        let only = series.with(|row| row.scenario.label() == "d");
        assert_eq!(
            verdicts(&only, 0),
            verdicts(series, 3),
            "a filter changes no verdict"
        );
    }

    #[test]
    fn single_and_missing_figures() {
        let random = &mut Random::new(2);
        let unsupported = Cell {
            unsupported: Some("no tickets".to_owned()),
            ..Cell::default()
        };
        let rows = [
            ("a", cells(random, 1, &[1e3, 2e3, 2e3])),
            (
                "b",
                vec![cell(random, 15, 1e3), None, cell(random, 15, 2e3)],
            ),
            (
                "c",
                vec![
                    Some(unsupported),
                    cell(random, 15, 1e3),
                    cell(random, 15, 2e3),
                ],
            ),
            ("d", vec![None, None, cell(random, 15, 1e3)]),
        ];
        let keys = versions(&["1", "2", "3"]);
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let report = report(&keys, &rows);
        let series = &ReleaseSeries::all(&report)[0];
        assert_eq!(verdicts(series, 0), [Some(Verdict::Untested); 3]);
        assert_eq!(verdicts(series, 1), [None, None, Some(Verdict::Faster)]);
        assert_eq!(verdicts(series, 2), [None, Some(Verdict::Faster), None]);
        assert_eq!(
            series.rows.len(),
            3,
            "results have what only the newest has"
        );
    }

    #[test]
    fn two_releases_are_tested_once() {
        let random = &mut Random::new(3);
        let report = report(
            &["version = \"1\"", "version = \"2\""],
            &[(FULL, cells(random, 15, &[1e3, 1e3]))],
        );
        assert_eq!(ReleaseSeries::all(&report)[0].steps(), [[0, 1]]);
    }
}
