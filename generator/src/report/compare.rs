//! Comparisons of two builds. All rows that both have are one family of tests, so a pair has one verdict
//! in each row, whoever asks.

use super::{Cell, Report, Row, Table, words};
use crate::model::scenario::{Group, Scenario, TlsVersion, Workload};
use crate::model::unit::Unit;
use crate::stats::{Comparison, Pair, Rules, Verdict};
use std::collections::BTreeMap;
use std::ptr;
use std::sync::OnceLock;

/// A build of a report.
pub(crate) type Side<'a> = (&'a Report, usize);

/// A row in which two builds have a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared<'a> {
    /// That of the candidate's report.
    pub row: &'a Row,
    /// Baseline and candidate.
    pub cells: [&'a Cell; 2],
    /// The estimates of both in base units, by the estimator of the newer report.
    pub estimates: [f64; 2],
    /// The factor by which a program differed from itself, the larger one of two reports.
    pub control: Option<f64>,
    pub known: Comparison,
}

/// Explains how counts are judged.
pub(crate) const COUNTS_RULE: &str = "Counts hardly vary by chance, so they are not tested: a change is a gap between the runs of the two sides that is wider than both 0.2% and the range of either side.";

impl Report {
    /// Returns the rows that two builds have, baseline and candidate, with their verdicts.
    pub(crate) fn compare(&self, [old, new]: [usize; 2]) -> Vec<Compared<'_>> {
        let rows = self.rows.iter();
        rows.filter_map(|row| self.compared(row, [old, new]))
            .collect()
    }

    /// Returns one row of the comparison of two builds.
    pub(crate) fn compared<'a>(&'a self, row: &'a Row, sides: [usize; 2]) -> Option<Compared<'a>> {
        let [old, new] = sides;
        Some(Compared {
            row,
            known: self.verdict(row, sides)?,
            cells: [row.cell(old)?, row.cell(new)?],
            estimates: [row.estimate(old)?, row.estimate(new)?],
            control: row.control,
        })
    }

    /// Returns the verdict in one row; `None` if a build has no figure. Both directions of a pair are one
    /// comparison.
    pub(crate) fn verdict(&self, row: &Row, [old, new]: [usize; 2]) -> Option<Comparison> {
        if old < new {
            return Some(self.verdict(row, [new, old])?.reversed());
        }
        let builds = self.builds.len();
        let pairs = self.kept.pairs.get_or_init(|| {
            let pairs = 0..builds * builds;
            pairs.map(|_| OnceLock::new()).collect()
        });
        let verdicts = pairs[old * builds + new].get_or_init(|| {
            let mut verdicts = vec![None; self.rows.len()];
            for one in judged([(self, old), (self, new)], &Rules::default()) {
                verdicts[one.row.index] = Some(one.known);
            }
            verdicts
        });
        verdicts[row.index]
    }
}

/// Compares two builds of one or two reports, baseline and candidate.
pub(crate) fn compare<'a>(sides: [Side<'a>; 2], rules: &Rules) -> Vec<Compared<'a>> {
    let [(old, baseline), (new, candidate)] = sides;
    match ptr::eq(old, new) && *rules == Rules::default() {
        true => new.compare([baseline, candidate]),
        false => judged(sides, rules),
    }
}

fn judged<'a>(sides: [Side<'a>; 2], rules: &Rules) -> Vec<Compared<'a>> {
    let [(old, baseline), (new, candidate)] = sides;
    let is_paired = ptr::eq(old, new) && new.manifest.paired;
    let rows = rows_of_both(old, new).into_iter();
    let all = rows.filter_map(|[was, is]| {
        let (was, is) = (was?, is?);
        let control = was.control.into_iter().chain(is.control).reduce(f64::max);
        Some((is, [was.cell(baseline)?, is.cell(candidate)?], control))
    });
    // In both directions the same one.
    let newer = if old.when() > new.when() { old } else { new };
    judge(newer, all, is_paired, rules)
}

/// Judges rows, each with two cells and its control, as one family: the only place that does.
fn judge<'a>(
    report: &Report,
    rows: impl IntoIterator<Item = (&'a Row, [&'a Cell; 2], Option<f64>)>,
    is_paired: bool,
    rules: &Rules,
) -> Vec<Compared<'a>> {
    let estimator = report.manifest.estimator;
    let (mut pairs, mut found) = (Vec::new(), Vec::new());
    for (row, cells, control) in rows {
        let [Some(old), Some(new)] = cells.map(Cell::sample) else {
            continue;
        };
        let pair = Pair::new(old, new, estimator, row.unit.better(), row.unit.kind());
        let Some(mut pair) = pair else { continue };
        pair = pair.controlled(control);
        if is_paired {
            pair = pair.paired(cells[1].ratios(cells[0]));
        }
        found.push((row, cells, pair.estimates, control));
        pairs.push(pair);
    }
    let judged = found.into_iter().zip(rules.judge(&pairs));
    let compared = judged.map(|((row, cells, estimates, control), known)| Compared {
        row,
        cells,
        estimates,
        control,
        known,
    });
    compared.collect()
}

/// Returns all rows of two reports, in order: those of the baseline and of the candidate that are equal
/// together.
pub(crate) fn rows_of_both<'a>(old: &'a Report, new: &'a Report) -> Vec<[Option<&'a Row>; 2]> {
    if ptr::eq(old, new) {
        return old.rows.iter().map(|row| [Some(row); 2]).collect();
    }
    let mut olds: BTreeMap<_, &Row> = old.rows.iter().map(|row| (row.place(), row)).collect();
    let mut all = Vec::new();
    // A benchmark of Go is the same where only one side names its package.
    let mut others: BTreeMap<_, [Vec<&Row>; 2]> = BTreeMap::new();
    for row in &new.rows {
        match olds.remove(&row.place()) {
            Some(old) => all.push([Some(old), Some(row)]),
            None => others.entry(go_benchmark(row)).or_default()[1].push(row),
        }
    }
    for row in olds.into_values() {
        others.entry(go_benchmark(row)).or_default()[0].push(row);
    }
    for (benchmark, [olds, news]) in others {
        if let (Some(_), [old], [new]) = (benchmark, &*olds, &*news) {
            all.push([Some(old), Some(new)]);
            continue;
        }
        all.extend(olds.into_iter().map(|old| [Some(old), None]));
        all.extend(news.into_iter().map(|new| [None, Some(new)]));
    }
    all.sort_by_key(|[old, new]| new.or(*old).map(Row::place));
    all
}

/// Returns the name of a benchmark of Go without its package, `X` of `example.org/a.BenchmarkX`.
fn go_benchmark(row: &Row) -> Option<(&str, &Unit)> {
    let Workload::Other(name) = &row.scenario.workload else {
        return None;
    };
    let below_package = name.rsplit_once(".Benchmark").map(|(_, name)| name);
    let name = below_package.or_else(|| name.strip_prefix("Benchmark"))?;
    Some((name, &row.unit))
}

impl Compared<'_> {
    pub(crate) fn verdict(&self) -> Verdict {
        self.known.verdict
    }

    /// Whether a difference is shown.
    pub(crate) fn is_change(&self) -> bool {
        self.known.verdict.is_change()
    }

    /// Returns the figures of both sides in the scale of the candidate's row.
    pub(crate) fn figures(&self) -> [String; 2] {
        self.estimates.map(|estimate| self.row.scale.show(estimate))
    }

    /// Returns the number of values of each side.
    pub(crate) fn runs(&self) -> [usize; 2] {
        self.cells.map(|cell| cell.values.len())
    }

    /// Returns the caveats that apply to both sides, to the baseline only, and to the candidate only.
    pub(crate) fn caveats(&self) -> [Vec<&String>; 3] {
        let [old, new] = self.cells.map(|cell| &cell.caveats);
        let (both, only_old) = old.iter().partition(|caveat| new.contains(caveat));
        let only_new = new.iter().filter(|caveat| !old.contains(caveat));
        [both, only_old, only_new.collect()]
    }

    /// Returns why a difference that stands out is not shown: the control.
    pub(crate) fn is_within_control(&self, rules: &Rules) -> Option<String> {
        let control = self
            .control
            .filter(|_| self.verdict() == Verdict::NotShown)?;
        let is_hidden = control > crate::stats::MAX_CONTROL || {
            let is_significant = self.known.adjusted_p.is_some_and(|p| p <= rules.alpha);
            is_significant && self.known.change.size() - 1.0 >= rules.threshold
        };
        is_hidden.then(|| {
            let differed = words::control(control);
            format!(
                "not beyond the control: the same program, measured twice, differed by {differed}"
            )
        })
    }
}

impl Cell {
    /// Returns the ratio to another cell in each run; empty unless both have the same runs.
    pub(super) fn ratios(&self, other: &Self) -> Vec<f64> {
        if self.runs != other.runs || self.runs.len() != self.values.len() {
            return Vec::new();
        }
        let runs = self.values.iter().zip(&other.values);
        runs.map(|(value, other)| value / other).collect()
    }
}

/// Whether each library chooses the key exchange, so that they do different work.
pub(crate) fn leaves_key_exchange_open(scenario: &Scenario) -> bool {
    let exchanges_keys = match scenario.workload {
        Workload::FullHandshake | Workload::FullLatency => true,
        Workload::ResumedHandshake | Workload::ResumedLatency => {
            scenario.version != Some(TlsVersion::V1_2)
        }
        _ => false,
    };
    exchanges_keys && scenario.group.is_none()
}

/// A handshake with and without a post-quantum key exchange, and what that costs each build.
#[derive(Clone, Debug)]
pub(crate) struct Exchange<'a> {
    pub plain: &'a Row,
    pub hybrid: &'a Row,
    /// Of each build, from the plain to the hybrid exchange.
    pub costs: Vec<(usize, Compared<'a>)>,
}

impl Report {
    /// Returns the handshakes that were measured with X25519 and with its hybrid, in the order of rows. The
    /// exchanges of a build are one family.
    pub(crate) fn exchanges(&self) -> Vec<Exchange<'_>> {
        let mut found = Vec::new();
        for hybrid in &self.rows {
            let scenario = &hybrid.scenario;
            let is_wanted = scenario.group == Some(Group::X25519MlKem768)
                && scenario.side.is_some()
                && !hybrid.unit.kind().is_count();
            let plain = Scenario {
                group: Some(Group::X25519),
                ..scenario.clone()
            };
            let mut rows = self.rows.iter().filter(|_| is_wanted);
            let plain = rows.find(|row| row.key() == (&plain, &hybrid.unit));
            found.extend(plain.map(|plain| Exchange {
                plain,
                hybrid,
                costs: Vec::new(),
            }));
        }
        for build in Table::of(self).newest() {
            let rows = found.iter().filter_map(|Exchange { plain, hybrid, .. }| {
                Some((*hybrid, [plain.cell(build)?, hybrid.cell(build)?], None))
            });
            for cost in judge(self, rows, self.manifest.paired, &Rules::default()) {
                for one in &mut found {
                    if one.hybrid.index == cost.row.index {
                        one.costs.push((build, cost));
                    }
                }
            }
        }
        found.retain(|exchange| !exchange.costs.is_empty());
        found
    }
}

/// Pairs the builds of two reports: by library and variant, else by a library that is once in each list,
/// else the default builds of a library.
pub(crate) fn pairs(
    (old, olds): (&Report, &[usize]),
    (new, news): (&Report, &[usize]),
) -> Vec<(usize, usize)> {
    let defaults = [old, new].map(|report| &report.roles().defaults);
    let mut pairs = Vec::new();
    for candidate in news.iter().copied() {
        let one = new.build(candidate);
        let is_named = |report: &Report, build: &usize| report.build(*build).name == one.name;
        let mut named = olds.to_vec();
        named.retain(|build| is_named(old, build));
        let mut same = named.clone();
        same.retain(|build| old.build(*build).variant == one.variant);
        let is_alone = news.iter().filter(|build| is_named(new, build)).count() == 1;
        let default = named.iter().find(|build| defaults[0].contains(build));
        let is_default = defaults[1].contains(&candidate);
        pairs.extend(match (&*same, &*named, default) {
            ([baseline], ..) => Some((*baseline, candidate)),
            ([], [baseline], _) if is_alone => Some((*baseline, candidate)),
            ([], _, Some(baseline)) if is_default => Some((*baseline, candidate)),
            _ => None,
        });
    }
    pairs
}

/// Compares the newest builds of a report, candidates, with those of the report before.
pub(crate) fn since<'a>(
    report: &'a Report,
    before: &'a Report,
) -> Vec<([usize; 2], Vec<Compared<'a>>)> {
    let pairs = pairs((before, &newest(before)), (report, &newest(report)));
    let compared = pairs.into_iter().map(|(old, new)| {
        let sides = [(before, old), (report, new)];
        ([old, new], compare(sides, &Rules::default()))
    });
    compared.collect()
}

/// Returns the newest build of each library and variant.
fn newest(report: &Report) -> Vec<usize> {
    let mut newest = Vec::from_iter(0..report.builds.len());
    newest.retain(|build| report.builds[*build].is_newest);
    newest
}
