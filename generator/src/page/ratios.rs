//! Graphs of changes: a dot plot of all ratios that are shown to differ, of one or several pairs.

use super::bars::{MAX_BARS, even_chunks};
use super::{Graph, count, join};
use crate::chart::{Group, Row, RowAxis, Rows, Series};
use crate::report::ComparedTable;
use crate::scenario::Scenario;
use crate::stats::{Change, Comparison, Verdict};
use crate::unit::{Better, Kind, Unit};
use std::cmp::Reverse;

/// More pairs than these are hard to tell apart; the tables have all.
const MAX_PAIRS: usize = 6;

/// The largest of them say what changed; the table has all.
const MAX_RATIOS: usize = 2 * MAX_BARS;

/// A scenario with the ratio of each pair, and the size of the largest.
struct Line<'a> {
    key: (&'a Scenario, &'a Unit),
    sides: [&'static str; 2],
    group: Group,
    size: f64,
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

/// The graphs of these pairs, each with a name, whose scenarios are those of its table.
pub(super) fn ratio_graphs(pairs: &[(Series, ComparedTable<'_>)]) -> Vec<Graph> {
    let pairs = &pairs[..pairs.len().min(MAX_PAIRS)];
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, (_, compared)) in pairs.iter().enumerate() {
        for (row, known) in compared.known() {
            let key = (row.scenario, row.unit);
            let at = lines.iter().position(|l| l.key == key);
            let at = at.unwrap_or_else(|| {
                lines.push(Line {
                    key,
                    sides: sides(&known.change),
                    group: Group {
                        label: row.scenario.label(),
                        rows: vec![Row::without("–"); pairs.len()],
                    },
                    size: 0.0,
                });
                lines.len() - 1
            });
            let is_shown = row.is_change() || known.verdict == Verdict::Untested;
            let ratio = ratio(known);
            if is_shown && ratio.value.is_some() {
                lines[at].size = lines[at].size.max(known.change.size());
            }
            lines[at].group.rows[index] = ratio;
        }
    }
    let all = lines.len();
    lines.sort_by(|a, b| b.size.total_cmp(&a.size));
    lines.truncate((MAX_RATIOS / pairs.len().max(1)).max(3));
    lines.retain(|line| line.size > 0.0);
    let left_out = all - lines.len();
    lines.sort_by_key(|line| (Reverse(line.sides), line.key));
    let mut graphs = Vec::new();
    for of_kind in lines.chunk_by(|a, b| a.sides == b.sides) {
        let range = Group::range(of_kind.iter().map(|line| &line.group));
        for lines in even_chunks(of_kind, (MAX_BARS / pairs.len()).max(3)) {
            graphs.push(graph(pairs, lines, range, left_out, graphs.len()));
        }
    }
    graphs
}

fn graph(
    pairs: &[(Series, ComparedTable<'_>)],
    lines: &[Line<'_>],
    range: (f64, f64),
    left_out: usize,
    index: usize,
) -> Graph {
    let sides = lines[0].sides;
    let rows = lines.iter().flat_map(|line| &line.group.rows);
    let of = |side: &str| rows.clone().filter(|r| r.text.contains(side)).count();
    let names: Vec<String> = pairs
        .iter()
        .map(|(series, _)| series.label.clone())
        .collect();
    let alt = format!(
        "Dot plot of ratios on a logarithmic axis: {}. {} {}, {} {}. {} without a shown change left out.",
        join(&names),
        of(sides[0]),
        sides[0],
        of(sides[1]),
        sides[1],
        count(left_out, "scenario"),
    );
    let name = match index {
        0 => "changes".to_owned(),
        n => format!("changes-{}", n + 1),
    };
    let has_interval = rows.clone().any(|r| r.interval.is_some());
    let graph = Graph::new(&name, "Changes".to_owned(), alt, |caption| {
        let chart = Rows {
            caption,
            series: pairs.iter().map(|(series, _)| series.clone()).collect(),
            groups: lines.iter().map(|line| line.group.clone()).collect(),
            axis: RowAxis::Ratios { range, sides },
            note: if has_interval {
                ", with 95% intervals"
            } else {
                ""
            }
            .to_owned(),
        };
        chart.render()
    });
    graph.untitled()
}
