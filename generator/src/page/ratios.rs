//! Graphs of changes: a dot plot of all ratios that are shown to differ, of one or several pairs.

use super::bars::{MAX_BARS, even_chunks};
use super::{Graph, count, join};
use crate::chart::{Group, Row, RowAxis, Rows, Series};
use crate::report::{ComparedRow, ComparedTable};
use crate::scenario::Scenario;
use crate::stats::{Change, Comparison, Verdict};
use crate::unit::{Better, Kind, Unit};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// More pairs than these are hard to tell apart, and their names take more room than the graph; the
/// tables have all.
const MAX_PAIRS: usize = 6;

/// The largest of them say what changed; the table has all.
const MAX_RATIOS: usize = 2 * MAX_BARS;

/// Two sides with their name.
type Pair<'a> = (Series, ComparedTable<'a>);

/// A scenario with the ratio of each pair, and the size of the largest.
struct Line<'a> {
    key: (&'a Scenario, &'a Unit),
    sides: [&'static str; 2],
    rows: Vec<Row>,
    size: f64,
}

impl Line<'_> {
    fn group(&self) -> Group {
        Group {
            label: self.key.0.label(),
            rows: self.rows.clone(),
        }
    }
}

/// What is worse, and what is better.
fn sides(change: &Change) -> [&'static str; 2] {
    match (change.better, change.kind) {
        (Better::Unknown, _) => ["less", "more"],
        (_, Kind::Rate) => ["slower", "faster"],
        _ => ["more", "less"],
    }
}

/// Above 1 where it is better; no mark for a count that was or became none.
fn ratio(known: &Comparison) -> Row {
    let Change { ratio, better, .. } = known.change;
    let turned = |value: f64| {
        if better == Better::Lower {
            1.0 / value
        } else {
            value
        }
    };
    let ends = known.interval.map(|i| [turned(i.low), turned(i.high)]);
    let text = match known.verdict {
        Verdict::None | Verdict::TooFew => "~".to_owned(),
        Verdict::Untested => format!("{} *", known.change),
        _ => known.change.to_string(),
    };
    let sound = ratio.is_finite() && ratio > 0.0;
    Row {
        value: sound.then(|| turned(ratio)),
        interval: ends.map(|[a, b]| (a.min(b), a.max(b))),
        text,
        ..Row::default()
    }
}

/// By how much a row that is shown to differ does.
fn size(row: &ComparedRow<'_>, known: &Comparison) -> Option<f64> {
    let is_shown = row.is_change() || known.verdict == Verdict::Untested;
    let Change { ratio, .. } = known.change;
    (is_shown && ratio.is_finite() && ratio > 0.0).then(|| known.change.size())
}

/// Those that changed most, in their order.
fn largest<'a, 'b>(all: &'a [Pair<'b>]) -> Vec<&'a Pair<'b>> {
    let size = |(_, compared): &Pair<'_>| {
        let sizes = compared.known().filter_map(|(row, known)| size(row, known));
        sizes.fold(0.0, f64::max)
    };
    let mut pairs: Vec<_> = all
        .iter()
        .map(|pair| (size(pair), pair))
        .enumerate()
        .collect();
    pairs.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    pairs.truncate(MAX_PAIRS);
    pairs.sort_by_key(|(index, _)| *index);
    pairs.into_iter().map(|(_, (_, pair))| pair).collect()
}

/// The graphs of these pairs, each with a name, whose scenarios are those of its table.
pub(super) fn ratio_graphs(all: &[Pair<'_>]) -> Vec<Graph> {
    let pairs = largest(all);
    let mut lines: BTreeMap<(&Scenario, &Unit), Line<'_>> = BTreeMap::new();
    for (index, (_, compared)) in pairs.iter().enumerate() {
        for (row, known) in compared.known() {
            let key = (row.scenario, row.unit);
            let line = lines.entry(key).or_insert_with(|| Line {
                key,
                sides: sides(&known.change),
                rows: vec![Row::without("–"); pairs.len()],
                size: 0.0,
            });
            line.size = line.size.max(size(row, known).unwrap_or(0.0));
            line.rows[index] = ratio(known);
        }
    }
    let mut lines: Vec<Line<'_>> = lines.into_values().collect();
    let scenarios = lines.len();
    lines.sort_by(|a, b| b.size.total_cmp(&a.size));
    lines.truncate((MAX_RATIOS / pairs.len().max(1)).max(3));
    lines.retain(|line| line.size > 0.0);
    let left_out = [scenarios - lines.len(), all.len() - pairs.len()];
    lines.sort_by_key(|line| (Reverse(line.sides), line.key));
    let mut graphs = Vec::new();
    for of_kind in lines.chunk_by(|a, b| a.sides == b.sides) {
        let groups: Vec<Group> = of_kind.iter().map(Line::group).collect();
        let axis = RowAxis::Ratios {
            range: Group::range(groups.iter()),
            sides: of_kind[0].sides,
        };
        for groups in even_chunks(&groups, (MAX_BARS / pairs.len()).max(3)) {
            let alt = alt(&pairs, groups, of_kind[0].sides, left_out);
            let name = match graphs.len() {
                0 => "changes".to_owned(),
                n => format!("changes-{}", n + 1),
            };
            let title = match left_out {
                [_, 0] => "Changes".to_owned(),
                [_, n] => format!("The largest changes, without {}", count(n, "further pair")),
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

fn alt(
    pairs: &[&Pair<'_>],
    groups: &[Group],
    sides: [&str; 2],
    [scenarios, others]: [usize; 2],
) -> String {
    let rows = groups.iter().flat_map(|group| &group.rows);
    let of = |side: &str| rows.clone().filter(|r| r.text.contains(side)).count();
    let mut names: Vec<String> = pairs.iter().map(|(s, _)| s.label.clone()).collect();
    if others > 0 {
        names.push(format!("{} left out", count(others, "further pair")));
    }
    format!(
        "Dot plot of ratios on a logarithmic axis: {}. {} {}, {} {}. {} without a shown change left out.",
        join(&names),
        of(sides[0]),
        sides[0],
        of(sides[1]),
        sides[1],
        count(scenarios, "scenario"),
    )
}
