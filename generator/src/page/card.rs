//! What a report's social card shows: its headline scenarios, or else the first that compares.

use super::Part;
use super::finding::finding;
use super::headline::headlines;
use super::join;
use super::title::title;
use crate::card::{Bar, Card, Graph, MAX_BARS, MAX_GRAPHS, MAX_NAME_BESIDE_TWO};
use crate::chart::Series;
use crate::escape::plain;
use crate::report::{Report, Row};
use crate::scenario::{Percentile, Scenario, Workload};
use crate::unit::Scale;

/// The report's card; `None` for a report without a figure.
pub fn card(report: &Report) -> Option<Card> {
    let part = Part::of(&report.data, report.manifest.estimator, |_| true);
    let (bars, graphs) = part.figures(&part.chosen(&headlines(report)))?;
    let date = report.day.map(|d| d.strftime("%-d %B %Y").to_string());
    let machine = report.manifest.machine.clone();
    let byline: Vec<String> = date.into_iter().chain(machine).collect();
    let visible = |text: &str| plain(text).into_owned();
    let bars: Vec<Bar> = bars
        .into_iter()
        .map(|bar| Bar {
            name: visible(&bar.name),
            ..bar
        })
        .collect();
    let graphs: Vec<Graph> = graphs
        .into_iter()
        .map(|graph| Graph {
            title: visible(&graph.title),
            detail: visible(&graph.detail),
            unit: visible(&graph.unit),
            ..graph
        })
        .collect();
    Some(Card {
        title: visible(&title(report)),
        byline: visible(&byline.join(" · ")),
        finding: visible(&finding(report)),
        alt: alt(&bars, &graphs),
        bars,
        graphs,
    })
}

impl Part<'_> {
    /// The first headline that compares and the next in another unit, which tells something
    /// else; without headlines the first row that compares the most.
    fn chosen(&self, headlines: &[Scenario]) -> Vec<&Row> {
        let row = |s: &Scenario| self.rows.iter().copied().find(|r: &&Row| r.scenario == *s);
        let compared = |r: &&Row| self.sides(r).len() > 1;
        let found: Vec<&Row> = headlines.iter().filter_map(row).filter(compared).collect();
        let Some(first) = found.first() else {
            let most = self
                .rows
                .iter()
                .map(|r| self.sides(r).len())
                .max()
                .unwrap_or(0);
            let first = self
                .rows
                .iter()
                .copied()
                .find(|r| self.sides(r).len() == most);
            return first.into_iter().collect();
        };
        let other = found.iter().skip(1).find(|r| r.unit != first.unit);
        let second = other.or(found.get(1));
        [first].into_iter().chain(second).copied().collect()
    }

    /// The implementations that have a figure and are meant to have bars.
    fn sides(&self, row: &Row) -> Vec<usize> {
        let has = |c: &usize| self.has_bars(*c) && self.estimate(row, *c).is_some();
        (0..self.data.implementations.len()).filter(has).collect()
    }

    /// A graph for each row, a bar for each implementation; where there is but one
    /// implementation, a graph of its scenarios.
    fn figures(&self, rows: &[&Row]) -> Option<(Vec<Bar>, Vec<Graph>)> {
        let first = rows.first()?;
        let mut columns = self.sides(first);
        columns.truncate(MAX_BARS);
        match columns.as_slice() {
            [] => return None,
            [column] => return Some(self.of_one(first, *column)),
            _ => {}
        }
        let series = self.series(&columns);
        let is_long = |s: &Series| s.label.chars().count() > MAX_NAME_BESIDE_TWO;
        let max = if series.iter().any(is_long) {
            1
        } else {
            MAX_GRAPHS
        };
        let graphs = rows.iter().take(max).map(|row| {
            let label = row.scenario.label();
            let (title, detail) = label.split_once(", ").unwrap_or((&label, ""));
            let values = columns.iter().map(|c| self.estimate(row, *c));
            graph(row, (title, detail), values.collect())
        });
        let graphs = graphs.collect();
        let bars = series.into_iter().map(|s| Bar {
            name: s.label,
            implementation: s.implementation,
        });
        Some((bars.collect(), graphs))
    }

    /// Scenarios of one implementation that are like `first`: of many writes the medians of the
    /// case with the most buffers. A bar is called what its label has alone.
    fn of_one(&self, first: &Row, column: usize) -> (Vec<Bar>, Vec<Graph>) {
        let most = self.rows.iter().map(|r| &r.scenario.buffers).max();
        let is_like = |r: &&&Row| {
            let one = &r.scenario;
            let kind = std::mem::discriminant::<Workload>;
            let alike = kind(&one.workload) == kind(&first.scenario.workload);
            let same = r.unit == first.unit && alike;
            let median = Some(&one.buffers) == most && one.percentile == Some(Percentile::P50);
            same && (one.method.is_none() || median) && self.estimate(r, column).is_some()
        };
        let rows: Vec<&Row> = self
            .rows
            .iter()
            .filter(is_like)
            .copied()
            .take(MAX_BARS)
            .collect();
        let rows = if rows.is_empty() { vec![first] } else { rows };
        let labels: Vec<String> = rows.iter().map(|r| r.scenario.label()).collect();
        let (shared, own) = shared(&labels);
        let release = self.name(column);
        let name = &self.data.implementations[column].name;
        let method = |r: &Row| r.scenario.method.map_or(name.clone(), |m| m.to_string());
        let values = rows.iter().map(|r| self.estimate(r, column)).collect();
        let head = if own.iter().all(String::is_empty) {
            (labels[0].as_str(), "")
        } else {
            (release.as_str(), shared.as_str())
        };
        let names = match own.as_slice() {
            [_] => vec![release.clone()],
            _ => own,
        };
        let bars = names.into_iter().zip(&rows).map(|(name, row)| Bar {
            name,
            implementation: method(row),
        });
        (bars.collect(), vec![graph(first, head, values)])
    }
}

/// What all labels begin and end with, word by word, and what each has between.
fn shared(labels: &[String]) -> (String, Vec<String>) {
    let words: Vec<Vec<&str>> = labels.iter().map(|l| l.split(", ").collect()).collect();
    let least = words.iter().map(Vec::len).min().unwrap_or(0);
    let same = |at: &dyn Fn(&Vec<&str>) -> usize| {
        words.iter().all(|w| w[at(w)] == words[0][at(&words[0])])
    };
    let before = (0..least).take_while(|i| same(&|_| *i)).count();
    let behind = (0..least - before)
        .take_while(|i| same(&|w: &Vec<&str>| w.len() - 1 - i))
        .count();
    let own = words.iter().map(|w| w[before..w.len() - behind].join(", "));
    let first = words.first().map_or(&[][..], Vec::as_slice);
    let ends = [&first[..before], &first[first.len() - behind..]].concat();
    (ends.join(", "), own.collect())
}

fn graph(row: &Row, (title, detail): (&str, &str), values: Vec<Option<f64>>) -> Graph {
    let known = || values.iter().copied().flatten();
    // By the smallest, so that all have digits; three of them are what a bar can show.
    let smallest = known().filter(|v| *v > 0.0).reduce(f64::min).unwrap_or(0.0);
    let mut scale = Scale::of(&row.unit, [smallest]);
    scale.decimals = match smallest / scale.factor {
        s if s >= 100.0 => 0,
        s if s >= 10.0 => scale.decimals.min(1),
        _ => scale.decimals,
    };
    let direction = row.unit.better().suffix();
    Graph {
        title: title.to_owned(),
        detail: detail.to_owned(),
        unit: format!("{}{direction}", scale.symbol),
        scale,
        values,
    }
}

/// `Bar graph. full handshakes, 1.3, rsa, server, hs/s, higher is better: 2,357 of rustls and …`
fn alt(bars: &[Bar], graphs: &[Graph]) -> String {
    let graph = |g: &Graph| {
        let pairs = bars.iter().zip(&g.values).filter(|(_, v)| v.is_some());
        let figures: Vec<String> = pairs
            .map(|(bar, value)| format!("{} of {}", g.show(*value), bar.name))
            .collect();
        let what = [g.title.as_str(), &g.detail, &g.unit];
        let what: Vec<&str> = what.into_iter().filter(|w| !w.is_empty()).collect();
        format!("{}: {}.", what.join(", "), join(&figures))
    };
    let graphs: Vec<String> = graphs.iter().map(graph).collect();
    format!("Bar graph. {}", graphs.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_parted_where_they_differ() {
        let labels = |l: &[&str]| l.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let writes = [
            "writes, [50] * 20, write each, P50",
            "writes, [50] * 20, vectored, P50",
        ];
        assert_eq!(
            shared(&labels(&writes)),
            (
                "writes, [50] * 20, P50".to_owned(),
                labels(&["write each", "vectored"])
            )
        );
        assert_eq!(
            shared(&labels(&["a, b"])),
            ("a, b".to_owned(), labels(&[""]))
        );
        assert_eq!(
            shared(&labels(&["a, b", "a, b, b"])),
            ("a, b".to_owned(), labels(&["", "b"]))
        );
        assert_eq!(
            shared(&labels(&["x", "y"])),
            (String::new(), labels(&["x", "y"]))
        );
        assert_eq!(shared(&[]), (String::new(), vec![]));
    }
}
