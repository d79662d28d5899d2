//! Reports: all that a folder, a file, or several folders under one label say.

use super::names::{Name, names};
use super::roles::Roles;
use super::tally::{Leaders, number_kinds};
use super::{Figure, MAX_COMMITS, Row, address, run_counts, scales};
use crate::files::inputs::Source;
use crate::model::implementation::Implementation;
use crate::model::scale::group_thousands;
use crate::model::unit::Unit;
use crate::parse::{self, Manifest};
use crate::stats::{Comparison, Interval, Sample};
use jiff::civil::Date;
use regex::Regex;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A report. Builds are called by their places in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// Folder of its pages, and part of their address: `2026-03-07-x86_64`.
    pub name: String,
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub day: Option<Date>,
    /// In the order of `report.toml`, else by name and version.
    pub builds: Vec<Build>,
    /// By scenario.
    pub rows: Vec<Row>,
    /// The number of commits that were read of the longest branch.
    pub commits: usize,
    /// The web addresses of the repositories of branches, by the names of libraries.
    pub repositories: BTreeMap<String, String>,
    /// The numbers of unsteady figures and of all whose interval is known.
    pub unsteady: (usize, usize),
    /// The lowest and the highest number of runs.
    pub run_counts: Option<(usize, usize)>,
    /// Sentences on data that was left out.
    pub remarks: Vec<String>,
    /// `notes.md`, if there is one.
    pub notes: Option<String>,
    /// `run.toml`, if there is one.
    pub record: Option<Vec<u8>>,
    /// The files of the folder.
    pub sources: Vec<Source>,
    /// The libraries of all reports of the site, in the order in which they were added; empty until
    /// the whole site is known.
    pub site_libraries: Arc<[String]>,
    pub(super) kept: Kept,
}

/// A build of a library.
#[derive(Clone, Debug, Default)]
pub(crate) struct Build {
    pub implementation: Implementation,
    /// Given the others of the report.
    pub name: Name,
    /// Whether its release is final.
    pub is_final: bool,
    /// Whether there is no newer release of its library and variant: the newest final one, or of
    /// pre-releases alone the newest.
    pub is_newest: bool,
    /// The final release of its library and variant before it.
    pub before: Option<usize>,
    /// When it was released.
    pub day: Option<Date>,
}

/// What was found of a report: each when it is first needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub roles: OnceLock<Roles>,
    /// The rows that say most.
    pub key_rows: OnceLock<Vec<usize>>,
    /// For each baseline and candidate the verdicts of all rows.
    pub pairs: OnceLock<Vec<OnceLock<Vec<Option<Comparison>>>>>,
    /// The leaders of each row.
    pub leaders: OnceLock<Vec<Option<Leaders>>>,
}

impl Report {
    pub(crate) fn build(&self, build: usize) -> &Implementation {
        &self.builds[build].implementation
    }

    /// Returns the place of a build.
    pub(crate) fn position(&self, build: &Implementation) -> Option<usize> {
        self.builds
            .iter()
            .position(|one| one.implementation == *build)
    }

    /// Returns the place of the build with this name, as `report.toml` writes it.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        let mut builds = self.builds.iter();
        builds.position(|build| build.implementation.to_string() == name)
    }

    /// Returns the name of a build's library.
    pub(crate) fn library(&self, build: usize) -> &str {
        &self.build(build).name
    }

    /// `rustls 0.23.46 (ring)`: the name of a build on all pages.
    pub(crate) fn full_name(&self, build: usize) -> String {
        self.builds[build].name.full()
    }

    pub(crate) fn full_names(&self, builds: &[usize]) -> Vec<String> {
        builds.iter().map(|build| self.full_name(*build)).collect()
    }

    /// Returns the sort key of reports.
    pub(crate) fn when(&self) -> (Option<Date>, &str) {
        (self.day, &self.name)
    }

    /// Returns `2026-03-07`, or the name of a report without a day.
    pub(crate) fn day_or_name(&self) -> String {
        self.day
            .map_or_else(|| self.name.clone(), |day| day.to_string())
    }

    /// Returns the machine if the report also has a day, which makes it part of that machine's
    /// history. A report without either has a history of its own.
    pub(crate) fn dated_machine(&self) -> Option<&str> {
        let machine = self.manifest.machine.as_deref();
        machine.filter(|_| self.day.is_some())
    }

    /// Whether both reports declare the same machine.
    pub(crate) fn shares_machine(&self, other: &Self) -> bool {
        let machine = &self.manifest.machine;
        machine.is_some() && *machine == other.manifest.machine
    }

    /// Whether it is about the commits of a branch.
    pub(crate) fn is_of_branch(&self) -> bool {
        let mut builds = self.builds.iter();
        builds.any(|build| build.implementation.version.is_on_branch())
    }

    /// Whether all builds are of one library.
    pub(crate) fn is_of_one_library(&self) -> bool {
        self.roles().defaults.len() < 2
    }

    /// Fails if it would take too long to match these patterns with all labels.
    pub(crate) fn check_filters<'a>(
        &self,
        filters: impl IntoIterator<Item = &'a Regex>,
    ) -> Result<(), String> {
        let labels = self.rows.iter().map(|row| row.scenario.label().len());
        parse::check_matches(filters.into_iter().map(Regex::as_str), labels.sum())
    }

    /// Returns the builds that a selector such as `rustls`, `rustls@0.23.37+ring` or
    /// `rustls_0.22.0_aws-lc` names: by name, and by version and variant if it has them.
    pub(crate) fn find(&self, selector: &str) -> Vec<usize> {
        let is_named = |build: &usize| self.build(*build).is_named(selector).is_some();
        match self.named(selector) {
            Some(exact) => vec![exact],
            None => (0..self.builds.len()).filter(is_named).collect(),
        }
    }

    /// Returns a list of all builds for messages.
    pub(crate) fn list(&self) -> String {
        let names = self.builds.iter().map(|b| b.implementation.to_string());
        names.collect::<Vec<_>>().join("; ")
    }

    /// Says that pages do not show all commits of a branch.
    pub(crate) fn branch_note(&self) -> Option<String> {
        (self.commits > MAX_COMMITS).then(|| {
            let all = group_thousands(&self.commits.to_string());
            format!("Of {all} commits the newest {MAX_COMMITS} are shown.")
        })
    }

    /// Keeps these builds in this order, and the rows in which they have a cell.
    pub(super) fn keep_builds(&mut self, builds: &[usize]) {
        self.builds = builds.iter().map(|b| self.builds[*b].clone()).collect();
        for row in &mut self.rows {
            row.cells = builds.iter().map(|b| row.cells[*b].take()).collect();
        }
        self.rows
            .retain(|row| row.cells.iter().any(Option::is_some));
    }

    /// Finishes a report whose builds and values are known: names, order, estimates and texts.
    pub(super) fn finish(&mut self) {
        self.kept = Kept::default();
        for row in &mut self.rows {
            row.cells.resize_with(self.builds.len(), || None);
            for cell in row.cells.iter_mut().flatten() {
                cell.figure = Sample::new(cell.values.clone()).map(|sample| Figure {
                    estimate: sample.estimate(self.manifest.estimator),
                    interval: Interval::of_median(&sample),
                    text: String::new(),
                    sample,
                });
            }
        }
        self.drop_controls();
        if self.manifest.declarations.is_empty() {
            let mut order: Vec<usize> = (0..self.builds.len()).collect();
            order.sort_by_cached_key(|b| {
                let build = self.build(*b);
                (build.name.to_lowercase(), build.clone())
            });
            self.keep_builds(&order);
        }
        self.rows.sort_by(|a, b| a.place().cmp(&b.place()));
        let ids = address::rows(&self.rows);
        for (index, (row, id)) in self.rows.iter_mut().zip(ids).enumerate() {
            (row.index, row.id) = (index, id);
        }
        number_kinds(&mut self.rows);
        let all: Vec<&Implementation> = self.builds.iter().map(|b| &b.implementation).collect();
        let names = names(&all);
        for (build, name) in self.builds.iter_mut().zip(names) {
            build.name = name;
        }
        self.order_releases();
        if self.is_of_branch() {
            self.find_levels();
        }
        self.mark_unsteady();
        self.run_counts = run_counts(&self.rows);
        self.write_figures();
    }

    /// Gives each row its scale and each figure its text. Rows of one kind of work share a unit.
    fn write_figures(&mut self) {
        let mut groups: HashMap<(&Unit, &str), Vec<&Row>> = HashMap::new();
        for row in &self.rows {
            let key = (&row.unit, row.scenario.workload.word());
            groups.entry(key).or_default().push(row);
        }
        let mut all = BTreeMap::new();
        for rows in groups.values() {
            all.extend(rows.iter().map(|row| row.index).zip(scales(rows)));
        }
        for (row, scale) in self.rows.iter_mut().zip(all.into_values()) {
            row.scale = scale;
            for figure in row
                .cells
                .iter_mut()
                .flatten()
                .filter_map(|cell| cell.figure.as_mut())
            {
                figure.text = row.scale.show(figure.estimate);
            }
        }
    }
}
