//! Counts of comparisons, and of who is first: every number in a sentence is from here.

use super::compare::Compared;
use super::{Report, Row, leaves_key_exchange_open};
use crate::model::scenario::{Percentile, Scenario};
use crate::model::unit::Better;
use crate::stats::Verdict;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// What some comparisons come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally<'a> {
    pub better: usize,
    pub worse: usize,
    /// Changed, in units that do not say which way is better.
    pub differs: usize,
    /// Without a difference of 1 %.
    pub same: usize,
    pub not_shown: usize,
    pub untested: usize,
    /// The largest change that is shown.
    pub largest: Option<Compared<'a>>,
}

impl<'a> FromIterator<Compared<'a>> for Tally<'a> {
    fn from_iter<T: IntoIterator<Item = Compared<'a>>>(rows: T) -> Self {
        let mut tally = Self::default();
        for row in rows {
            *match row.verdict() {
                Verdict::Better => &mut tally.better,
                Verdict::Worse => &mut tally.worse,
                Verdict::Differs => &mut tally.differs,
                Verdict::Same => &mut tally.same,
                Verdict::NotShown => &mut tally.not_shown,
                Verdict::Untested => &mut tally.untested,
            } += 1;
            let size = |row: &Compared<'_>| row.known.change.size();
            if row.is_change() && tally.largest.is_none_or(|known| size(&row) > size(&known)) {
                tally.largest = Some(row);
            }
        }
        tally
    }
}

impl Tally<'_> {
    pub(crate) fn changed(&self) -> usize {
        self.better + self.worse + self.differs
    }

    /// The rows that have a verdict.
    pub(crate) fn tested(&self) -> usize {
        self.changed() + self.same + self.not_shown
    }

    pub(crate) fn compared(&self) -> usize {
        self.tested() + self.untested
    }
}

/// The builds that lead in a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaders {
    /// The build with the best figure, then those from which no difference is shown, the best first.
    pub first: Vec<usize>,
    /// The others that were ranked, the best first. The first leader is shown to be better than each.
    pub behind: Vec<usize>,
}

/// How often a build is first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    pub build: usize,
    /// The rows in which it is ranked.
    pub ranked: usize,
    /// Those in which it is first, alone or with others.
    pub first: usize,
}

impl Report {
    /// Returns the leading builds of a row, of those whose order is told. `None` where they are not ranked:
    /// of one build, of single figures, without a direction, or where each library chooses its key
    /// exchange.
    pub(crate) fn leaders(&self, row: &Row) -> Option<&Leaders> {
        let all = self.kept.leaders.get_or_init(|| {
            let rows = self.rows.iter();
            rows.map(|row| self.find_leaders(row)).collect()
        });
        all[row.index].as_ref()
    }

    /// Returns the leaders of a row in which another build is behind.
    pub(crate) fn order(&self, row: &Row) -> Option<&Leaders> {
        self.leaders(row).filter(|found| !found.behind.is_empty())
    }

    fn find_leaders(&self, row: &Row) -> Option<Leaders> {
        let mut order = row.best_first();
        order.retain(|build| self.roles().ranked.contains(build));
        let [best, others @ ..] = order.as_slice() else {
            return None;
        };
        let is_tested = |build: &usize| {
            let known = self.verdict(row, [*build, *best]);
            known.is_some_and(|known| known.verdict != Verdict::Untested)
        };
        if others.is_empty()
            || !others.iter().all(is_tested)
            || leaves_key_exchange_open(&row.scenario)
        {
            return None;
        }
        self.leaders_among(row, &order)
    }

    /// Returns the leaders of builds that are in the order of their figures, the best first: of figures that
    /// are not tested, those that are equal. `None` without a direction.
    pub(crate) fn leaders_among(&self, row: &Row, order: &[usize]) -> Option<Leaders> {
        let best = order
            .first()
            .filter(|_| row.unit.better() != Better::Unknown)?;
        let leads = |build: &usize| match self.verdict(row, [*build, *best]) {
            _ if build == best => true,
            None => false,
            Some(known) if known.verdict == Verdict::Untested => {
                row.estimate(*build) == row.estimate(*best)
            }
            Some(known) => !known.verdict.is_change(),
        };
        let (first, behind) = order.iter().partition(|build| leads(build));
        Some(Leaders { first, behind })
    }

    /// Counts how often each build is first in some rows, that with the most first places first. Returns the
    /// number of rows in which somebody is shown to be behind, too.
    pub(crate) fn leads<'a>(&self, rows: impl IntoIterator<Item = &'a Row>) -> (Vec<Lead>, usize) {
        let orders = rows.into_iter().filter_map(|row| self.order(row));
        let orders: Vec<&Leaders> = orders.collect();
        let mut leads = Vec::new();
        for build in self.roles().ranked.iter().copied() {
            let first = orders.iter().filter(|one| one.first.contains(&build));
            let behind = orders.iter().filter(|one| one.behind.contains(&build));
            let (first, behind) = (first.count(), behind.count());
            leads.push(Lead {
                build,
                ranked: first + behind,
                first,
            });
        }
        leads.retain(|lead| lead.ranked > 0);
        leads.sort_by_key(|lead| Reverse(lead.first));
        (leads, orders.len())
    }

    /// Returns the rates and times, one row of each kind of work: what sentences count.
    pub(crate) fn main_rows(&self) -> Vec<&Row> {
        one_of_each_kind(self.rows.iter().filter(|row| is_speed(row)), |row| row)
    }
}

/// Whether a row is a rate or a time, and no percentile.
pub(crate) fn is_speed(row: &Row) -> bool {
    row.unit.kind().is_speed() && row.scenario.percentile.is_none()
}

/// Returns what is of one row of each kind of work, in order: in a mean or a count, one speaks for all.
pub(crate) fn one_of_each_kind<'a, T>(
    all: impl IntoIterator<Item = T>,
    row: impl Fn(&T) -> &'a Row,
) -> Vec<T> {
    let mut best: BTreeMap<usize, (usize, T)> = BTreeMap::new();
    for (place, one) in all.into_iter().enumerate() {
        let Row { kind, scenario, .. } = row(&one);
        let known = best.get(kind).map(|(_, known)| &row(known).scenario);
        if known.is_none_or(|known| rank(scenario) > rank(known)) {
            best.insert(*kind, (place, one));
        }
    }
    let mut best = Vec::from_iter(best.into_values());
    best.sort_by_key(|(place, _)| *place);
    best.into_iter().map(|(_, one)| one).collect()
}

/// Numbers the kinds of work of rows. A row with one thread, another size of writes, another number of sessions or
/// another percentile repeats or varies another row, as a throughput does the time that it is made of.
pub(super) fn number_kinds(rows: &mut [Row]) {
    let mut kinds = HashMap::new();
    for row in rows {
        let unit = Some(&row.unit).filter(|unit| !unit.kind().is_speed());
        let next = kinds.len();
        let known = kinds.entry((kind(&row.scenario), unit.cloned()));
        row.kind = *known.or_insert(next);
    }
}

/// Returns the scenario without the parameters that vary the same work.
fn kind(scenario: &Scenario) -> Scenario {
    Scenario {
        threads: None,
        write_size: None,
        sessions: None,
        percentile: None,
        buffers: None,
        method: None,
        ..scenario.clone()
    }
}

/// The row without parameters comes first, then the median, the most sessions and the fewest
/// threads.
fn rank(scenario: &Scenario) -> impl Ord + use<> {
    (
        scenario.threads.is_none(),
        scenario.write_size.is_none(),
        scenario.percentile == Some(Percentile::P50),
        scenario.sessions,
        Reverse(scenario.threads),
    )
}
