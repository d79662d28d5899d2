//! The commits of a branch, which are versions called by their time. Of each library and variant
//! the newest are kept; new levels are those of the whole history.

use super::Row;
use crate::model::implementation::Implementation;
use crate::stats::{self, Change, Estimator, Rules, Sample};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// The commits of a library and variant that pages show.
pub(crate) const MAX_COMMITS: usize = 250;

/// A commit since which a row has a new level.
#[derive(Clone, Debug)]
pub(crate) struct NewLevel {
    pub commit: Implementation,
    /// The new level against the one before.
    pub change: Change,
    pub p: f64,
}

/// A figure of a commit, by the index of its row.
pub(super) type CommitFigure<'a> = (usize, &'a Implementation, f64);

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

/// Adds the new levels to rows. Figures of one commit are its runs.
pub(super) fn add_levels(
    rows: &mut [Row],
    mut figures: Vec<CommitFigure<'_>>,
    estimator: Estimator,
) {
    // Times of one length are in order as texts.
    figures.sort_by(|(row, a, _), (other_row, b, _)| {
        let [a, b] = [a, b].map(|build| (&build.name, &build.variant, build.version.as_str()));
        row.cmp(other_row).then_with(|| a.cmp(&b))
    });
    let is_same = |(row, a, _): &CommitFigure<'_>, (other_row, b, _): &CommitFigure<'_>| {
        row == other_row && a.name == b.name && a.variant == b.variant
    };
    let histories: Vec<&[CommitFigure<'_>]> = figures.chunk_by(is_same).collect();
    let found = histories.par_iter().map(|history| {
        let (mut commits, mut values) = (Vec::new(), Vec::new());
        for runs in history.chunk_by(|a, b| a.1.version == b.1.version) {
            if let Some(sample) = Sample::new(runs.iter().map(|run| run.2).collect()) {
                commits.push(runs[0].1);
                values.push(sample.estimate(estimator));
            }
        }
        let steps = stats::change_points(&values, Rules::default().threshold);
        let level = |step: stats::LevelChange| NewLevel {
            commit: commits[step.index].clone(),
            change: rows[history[0].0].change(step.ratio),
            p: step.p,
        };
        steps.into_iter().map(level).collect()
    });
    let found: Vec<Vec<NewLevel>> = found.collect();
    for (history, levels) in histories.iter().zip(found) {
        rows[history[0].0].levels.extend(levels);
    }
}

/// A commit with the rows that have a new level since it, the largest change first.
#[derive(Debug)]
pub(crate) struct Shift<'a> {
    pub commit: &'a Implementation,
    pub levels: Vec<(&'a Row, &'a NewLevel)>,
}

/// Returns the commits with new levels, the newest first.
pub(crate) fn shifts<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Shift<'a>> {
    let mut shifts: BTreeMap<(&str, &Implementation), Vec<(&Row, &NewLevel)>> = BTreeMap::new();
    for row in rows {
        for level in &row.levels {
            let commit = &level.commit;
            let key = (commit.version.as_str(), commit);
            shifts.entry(key).or_default().push((row, level));
        }
    }
    let mut newest_first = Vec::new();
    for ((_, commit), mut levels) in shifts.into_iter().rev() {
        levels.sort_by(|a, b| b.1.change.size().total_cmp(&a.1.change.size()));
        newest_first.push(Shift { commit, levels });
    }
    newest_first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_commits_count_for_levels_only() {
        let commits: Vec<Implementation> = (0..300)
            .map(|n| {
                let version = format!("2024-01-{:02}.{:02}00+{n:07x}", 1 + n / 24, n % 24);
                Implementation::new("codec", &version, &[])
            })
            .collect();
        let release = Implementation::new("codec", "1.0", &[]);
        let (older, longest) = older(commits.iter().chain([&release]));
        assert_eq!((older.len(), longest), (50, 300));
        assert!(older.contains(&commits[49]) && !older.contains(&commits[50]));
        let level = |n: usize| if n < 30 { 100.0 } else { 150.0 };
        let noise = |n: usize| 1.0 + (n % 7) as f64 * 1e-3;
        let figure = |(n, commit)| (0, commit, level(n) * noise(n));
        let mut rows = vec![Row::example("full handshakes, 1.3, rsa, client")];
        // In any order of files.
        let figures = commits.iter().enumerate().rev().map(figure);
        add_levels(&mut rows, figures.collect(), Estimator::Median);
        let found = shifts(&rows);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].commit, &commits[30]);
        assert_eq!(found[0].levels[0].1.change.to_string(), "1.50x faster");
    }
}
