//! Graphs of changes: dot plots of the ratios of scenarios with a change, for one or several pairs.

use super::bars::{MAX_BARS, even_chunks};
use super::{Graph, count, join};
use crate::chart::{ChartRow, RowAxis, RowGroup, Rows, Series};
use crate::model::scenario::Scenario;
use crate::model::unit::{Better, Kind, Unit};
use crate::report::{ComparedRow, ComparedTable};
use crate::stats::{Change, Comparison, Verdict};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Pairs in a graph, the first of the report. More are hard to tell apart, and their names take more room than the graph;
/// the tables have all of them.
const MAX_PAIRS: usize = 6;

/// Ratios in all graphs, the largest; the tables have all of them.
const MAX_RATIOS: usize = 2 * MAX_BARS;

/// The comparison of two sides, with its name and look.
type NamedTable<'a> = (Series, ComparedTable<'a>);

/// A scenario with the comparison of each pair, and the size of the largest change.
struct ScenarioRatios<'a> {
    key: (&'a Scenario, &'a Unit),
    /// The unit as in the table.
    symbol: &'a str,
    /// Words for the two directions, worse first.
    sides: [&'static str; 2],
    pairs: Vec<Option<&'a Comparison>>,
    size: f64,
}

impl ScenarioRatios<'_> {
    /// Returns the rows of the scenario. If `all` has it in several units, the label has the unit.
    fn group(&self, all: &[Self]) -> RowGroup {
        let row = |known: &Option<&Comparison>| known.map_or_else(|| ChartRow::without("–"), ratio);
        let (scenario, _) = self.key;
        let of_scenario = all.iter().filter(|other| other.key.0 == scenario);
        RowGroup {
            label: match of_scenario.count() {
                1 => scenario.label(),
                _ => format!("{}, {}", scenario.label(), self.symbol),
            },
            rows: self.pairs.iter().map(row).collect(),
        }
    }
}

/// Returns the words for worse and for better.
fn sides(change: &Change) -> [&'static str; 2] {
    match (change.better, change.kind) {
        (Better::Unknown, _) => ["less", "more"],
        (_, Kind::Rate) => ["slower", "faster"],
        _ => ["more", "less"],
    }
}

/// Orients a ratio so that values above 1 are better.
fn oriented(change: &Change, ratio: f64) -> f64 {
    match change.better {
        Better::Lower => 1.0 / ratio,
        _ => ratio,
    }
}

/// Returns the row of a comparison, without a mark if a count was or became zero.
fn ratio(known: &Comparison) -> ChartRow {
    let Change { ratio, .. } = known.change;
    let oriented = |ratio| oriented(&known.change, ratio);
    let ends = known.interval.map(|i| [oriented(i.low), oriented(i.high)]);
    let text = match known.verdict {
        Verdict::Untested => format!("{} *", known.change),
        _ => known.words(),
    };
    let is_drawable = ratio.is_finite() && ratio > 0.0;
    ChartRow {
        value: is_drawable.then(|| oriented(ratio)),
        interval: ends.map(|[a, b]| (a.min(b), a.max(b))),
        text,
        ..ChartRow::default()
    }
}

/// Returns the size of a change or an untested difference; `None` otherwise.
fn size(row: &ComparedRow<'_>, known: &Comparison) -> Option<f64> {
    let is_shown = row.is_change() || known.verdict == Verdict::Untested;
    let Change { ratio, .. } = known.change;
    (is_shown && ratio.is_finite() && ratio > 0.0).then(|| known.change.size())
}

/// Draws the largest changes of these pairs. Each graph has one pair of direction words.
pub(super) fn ratio_graphs(all: &[NamedTable<'_>]) -> Vec<Graph> {
    let pairs = &all[..all.len().min(MAX_PAIRS)];
    let mut lines: BTreeMap<(&Scenario, &Unit), ScenarioRatios<'_>> = BTreeMap::new();
    for (index, (_, compared)) in pairs.iter().enumerate() {
        for (row, known) in compared.known() {
            let key = (row.scenario, row.unit);
            let line = lines.entry(key).or_insert_with(|| ScenarioRatios {
                key,
                symbol: compared.symbol(row.unit),
                sides: sides(&known.change),
                pairs: vec![None; pairs.len()],
                size: 0.0,
            });
            line.size = line.size.max(size(row, known).unwrap_or(0.0));
            line.pairs[index] = Some(known);
        }
    }
    let mut lines: Vec<ScenarioRatios<'_>> = lines.into_values().collect();
    let scenarios = lines.len();
    lines.sort_by(|a, b| b.size.total_cmp(&a.size));
    lines.truncate((MAX_RATIOS / pairs.len().max(1)).max(3));
    lines.retain(|line| line.size > 0.0);
    let left_out = [scenarios - lines.len(), all.len() - pairs.len()];
    lines.sort_by_key(|line| (Reverse(line.sides), line.key));
    let mut graphs = Vec::new();
    for of_kind in lines.chunk_by(|a, b| a.sides == b.sides) {
        let groups: Vec<RowGroup> = of_kind.iter().map(|line| line.group(of_kind)).collect();
        let axis = RowAxis::Ratios {
            range: RowGroup::range(groups.iter()),
            sides: of_kind[0].sides,
        };
        let most = (MAX_BARS / pairs.len()).max(3);
        let parts = even_chunks(of_kind, most).zip(even_chunks(&groups, most));
        for (lines, groups) in parts {
            let alt = alt(pairs, lines, left_out);
            let name = match graphs.len() {
                0 => "changes".to_owned(),
                n => format!("changes-{}", n + 1),
            };
            let title = match left_out {
                [_, 0] => "Changes".to_owned(),
                [_, n] => format!("Changes, {} left out", count(n, "more pair")),
            };
            let mut rows = groups.iter().flat_map(|group| &group.rows);
            let note = match rows.any(|row| row.interval.is_some()) {
                true => ", with 95% intervals",
                false => "",
            };
            let graph = Graph::new(&name, title, alt, |caption| {
                let chart = Rows {
                    caption,
                    series: pairs.iter().map(|(series, _)| series.clone()).collect(),
                    groups: groups.to_vec(),
                    axis,
                    note: note.to_owned(),
                };
                chart.render()
            });
            graphs.push(match left_out {
                [_, 0] => graph.untitled(),
                _ => graph,
            });
        }
    }
    graphs
}

/// `Dot plot of ratios on a logarithmic axis: rustls 0.23.31 ➡️ rustls 0.23.37; full handshakes, 1.2,
/// rsa, client to transfer, 1.3, aes-256-gcm, sending. 7 slower, 12 faster.`
fn alt(
    pairs: &[NamedTable<'_>],
    lines: &[ScenarioRatios<'_>],
    [scenarios, others]: [usize; 2],
) -> String {
    let mut names: Vec<String> = pairs.iter().map(|(s, _)| s.label.clone()).collect();
    if others > 0 {
        names.push(format!("{} left out", count(others, "more pair")));
    }
    let is_shown = |known: &&Comparison| {
        !matches!(
            known.verdict,
            Verdict::None | Verdict::TooFew | Verdict::Unsteady
        ) && known.change.word() != Verdict::None
    };
    let changes = lines.iter().flat_map(|line| line.pairs.iter().flatten());
    let changes = changes.copied().filter(is_shown);
    let (better, worse): (Vec<&Comparison>, Vec<&Comparison>) =
        changes.partition(|known| oriented(&known.change, known.change.ratio) > 1.0);
    let [first, last] = [&lines[0], &lines[lines.len() - 1]].map(|line| line.key.0.label());
    let scope = match lines.len() {
        1 => first,
        _ => format!("{first} to {last}"),
    };
    let [down, up] = lines[0].sides;
    let mut alt = format!(
        "Dot plot of ratios on a logarithmic axis: {}; {scope}. {} {down}, {} {up}.",
        join(&names),
        worse.len(),
        better.len(),
    );
    if scenarios > 0 {
        let scenarios = count(scenarios, "scenario");
        alt += &format!(" {scenarios} without a shown change left out.");
    }
    alt
}
