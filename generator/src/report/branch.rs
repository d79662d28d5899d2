//! The commits of a branch, which are versions called by their time. Of each library and variant
//! the newest are kept.

use super::{Link, Report, Row};
use crate::model::implementation::Implementation;
use crate::stats::{Change, LevelChange, Rules, change_points};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// The commits of a library and variant that pages show.
pub(crate) const MAX_COMMITS: usize = 250;

/// A new level of a row, over the commits of a branch or the reports of a history.
#[derive(Clone, Debug)]
pub(crate) struct NewLevel {
    /// The first commit or point of the level.
    pub since: usize,
    /// The new level against the one before.
    pub change: Change,
    pub p: f64,
}

/// A commit with the rows that have a new level since it, the largest change first.
pub(crate) type Shift<'a> = (&'a Implementation, Vec<(&'a Row, &'a NewLevel)>);

/// Returns the commits that pages do not show, and the number of all of the longest branch.
pub(super) fn older<'a>(
    builds: impl Iterator<Item = &'a Implementation>,
) -> (HashSet<&'a Implementation>, usize) {
    let mut branches: BTreeMap<(&str, &[String]), HashSet<&Implementation>> = BTreeMap::new();
    for build in builds.filter(|build| build.version.is_on_branch()) {
        let branch = branches.entry((&build.name, &build.variant)).or_default();
        branch.insert(build);
    }
    let (mut older, mut longest) = (HashSet::new(), 0);
    for commits in branches.into_values() {
        longest = longest.max(commits.len());
        let mut commits = Vec::from_iter(commits);
        commits.sort_by_key(|commit| commit.version.as_str());
        commits.truncate(commits.len().saturating_sub(MAX_COMMITS));
        older.extend(commits);
    }
    (older, longest)
}

impl Row {
    /// Returns the new levels of these of its figures, which are in order.
    pub(super) fn new_levels(&self, figures: impl Iterator<Item = (usize, f64)>) -> Vec<NewLevel> {
        let (places, values): (Vec<usize>, Vec<f64>) = figures.unzip();
        let found = change_points(&values, Rules::default().threshold);
        let level = |found: LevelChange| NewLevel {
            since: places[found.index],
            change: self.change(found.ratio),
            p: found.p,
        };
        found.into_iter().map(level).collect()
    }
}

impl Report {
    /// Finds where the level of each row changes over the commits of a branch.
    pub(super) fn find_levels(&mut self) {
        let mut branches = self.releases();
        for commits in &mut branches {
            commits.retain(|build| self.build(*build).version.is_on_branch());
        }
        self.rows.par_iter_mut().for_each(|row| {
            let of_branch = |commits: &Vec<usize>| {
                let commits = commits.iter().copied();
                row.new_levels(commits.filter_map(|build| Some((build, row.estimate(build)?))))
            };
            row.levels = branches.iter().flat_map(of_branch).collect();
        });
    }

    /// Returns the commits with new levels, the newest first.
    pub(crate) fn shifts(&self) -> Vec<Shift<'_>> {
        let mut shifts: BTreeMap<(&str, usize), Vec<(&Row, &NewLevel)>> = BTreeMap::new();
        for row in &self.rows {
            for level in &row.levels {
                let key = (self.build(level.since).version.as_str(), level.since);
                shifts.entry(key).or_default().push((row, level));
            }
        }
        let mut newest_first = Vec::new();
        for ((_, commit), mut levels) in shifts.into_iter().rev() {
            levels.sort_by(|a, b| b.1.change.size().total_cmp(&a.1.change.size()));
            newest_first.push((self.build(commit), levels));
        }
        newest_first
    }

    /// Returns the page of a commit, if the address of its repository is known.
    pub(crate) fn page_of(&self, commit: &Implementation) -> Option<Link> {
        let repository = self.repositories.get(&commit.name)?;
        let (_, id) = commit.version.as_str().rsplit_once('+')?;
        Some(Link::Address(format!("{repository}/commit/{id}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_commits_are_shown_with_their_levels() {
        let mut table = "scenario,unit,implementation,version,value\n".to_owned();
        // In any order.
        for n in (0..300).rev() {
            let level = if n < 100 { 100.0 } else { 150.0 };
            let value = level * (1.0 + (n % 7) as f64 * 1e-3);
            let version = format!("2024-01-{:02}.{:02}00+{n:07x}", 1 + n / 24, n % 24);
            table += &format!("parse,ops/s,codec,{version},{value}\n");
        }
        table += "parse,ops/s,codec,1.0,100\n";
        let report = Report::example("2024-02-01", "", &table);
        assert_eq!((report.builds.len(), report.commits), (251, 300));
        let found = report.shifts();
        assert_eq!(found.len(), 1);
        assert!(found[0].0.version.as_str().ends_with("+0000064"));
        assert_eq!(found[0].1[0].1.change.to_string(), "1.50x faster");
    }
}
