//! The content of a report's social card: its headline scenarios, else the row with the most bars.

use super::Part;
use super::headline::{finding, headlines, title};
use super::join;
use crate::card::{Bar, Card, CardGraph, MAX_BARS, MAX_GRAPHS, MAX_NAME_BESIDE_TWO};
use crate::escape::plain;
use crate::look::Look;
use crate::report::{Report, Row};
use crate::scenario::{Percentile, Scenario, Workload};
use crate::unit::Scale;

/// Returns the report's card; `None` for a report without figures.
pub(crate) fn card(report: &Report) -> Option<Card> {
    let part = Part::of(report);
    let (bars, graphs) = part.card_graphs(&part.card_rows(&headlines(report)))?;
    let date = report.day.map(|d| d.strftime("%-d %B %Y").to_string());
    let machine = report.manifest.machine.clone();
    let byline: Vec<String> = date.into_iter().chain(machine).collect();
    Some(Card {
        title: visible(&title(report)),
        byline: visible(&byline.join(" · ")),
        finding: visible(&finding(report)),
        alt: alt(&bars, &graphs),
        bars,
        graphs,
    })
}

fn visible(text: &str) -> String {
    plain(text).into_owned()
}

impl Part<'_> {
    /// Returns the first headline scenario with several implementations, and the next one,
    /// preferably in another unit. Without any, returns the first row with most implementations.
    fn card_rows(&self, headlines: &[Scenario]) -> Vec<&Row> {
        let rows = || self.rows.iter().copied();
        let headlines = headlines.iter();
        let found = headlines.filter_map(|s| rows().find(|r| r.scenario == *s));
        let found: Vec<&Row> = found.filter(|r| self.sides(r).len() > 1).collect();
        match found.as_slice() {
            // `max_by_key` returns the last maximum, hence `rev`.
            [] => Vec::from_iter(rows().rev().max_by_key(|r| self.sides(r).len())),
            [first, others @ ..] => {
                let other = others.iter().find(|r| r.unit != first.unit);
                let both = [Some(first), other.or(others.first())];
                both.into_iter().flatten().copied().collect()
            }
        }
    }

    /// Returns the implementations that have a figure and may have bars.
    fn sides(&self, row: &Row) -> Vec<usize> {
        let columns = self.figures(row).into_iter().map(|f| f.0);
        columns.filter(|c| self.has_bars(*c)).collect()
    }

    /// Returns one graph per row with one bar per implementation; for a single implementation,
    /// one graph of its scenarios.
    fn card_graphs(&self, rows: &[&Row]) -> Option<(Vec<Bar>, Vec<CardGraph>)> {
        let first = rows.first()?;
        let mut columns = self.sides(first);
        columns.truncate(MAX_BARS);
        match columns.as_slice() {
            [] => return None,
            [column] => return Some(self.single_implementation(first, *column)),
            _ => {}
        }
        let names = self.names(&columns);
        let is_long = |name: &String| name.chars().count() > MAX_NAME_BESIDE_TWO;
        let max = match names.iter().any(is_long) {
            true => 1,
            false => MAX_GRAPHS,
        };
        let graph = |row: &&Row| {
            let values = columns.iter().map(|c| self.estimate(row, *c)).collect();
            let (title, detail) = (row.scenario.workload.word(), row.scenario.details());
            graph(row, title, &detail, values)
        };
        let bar = |(name, column): (&String, &usize)| Bar {
            name: visible(name),
            look: self.data.look(*column),
        };
        let bars = names.iter().zip(&columns).map(bar).collect();
        Some((bars, rows.iter().take(max).map(graph).collect()))
    }

    /// Returns a graph of one implementation's scenarios of the same kind as `first`. Of writes,
    /// it shows the medians of the case with the most buffers. Bars are named by what their labels
    /// do not share.
    fn single_implementation(&self, first: &Row, column: usize) -> (Vec<Bar>, Vec<CardGraph>) {
        let most = self.rows.iter().map(|r| &r.scenario.buffers).max();
        let is_like = |r: &&Row| {
            let one = &r.scenario;
            let kind = std::mem::discriminant::<Workload>;
            let alike = kind(&one.workload) == kind(&first.scenario.workload);
            let same = r.unit == first.unit && alike;
            let median = Some(&one.buffers) == most && one.percentile == Some(Percentile::P50);
            same && (one.method.is_none() || median) && self.estimate(r, column).is_some()
        };
        let like = self.rows.iter().copied().filter(is_like);
        let mut rows: Vec<&Row> = like.take(MAX_BARS).collect();
        if rows.is_empty() {
            rows.push(first);
        }
        let labels: Vec<String> = rows.iter().map(|r| r.scenario.label()).collect();
        let (shared, mut own) = shared(&labels);
        let release = self.name(column);
        let (title, detail) = match own.iter().all(String::is_empty) {
            true => (&labels[0], ""),
            false => (&release, &*shared),
        };
        let values = rows.iter().map(|r| self.estimate(r, column)).collect();
        let graph = graph(first, title, detail, values);
        if let [one] = own.as_mut_slice() {
            one.clone_from(&release);
        }
        let look = self.data.look(column);
        let bars = own.iter().zip(&rows).map(|(own, row)| Bar {
            name: visible(own),
            look: row
                .scenario
                .method
                .map_or(look, |m| Look::of(&m.to_string())),
        });
        (bars.collect(), vec![graph])
    }
}

/// Returns the words that all labels start and end with, and those between for each label.
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

fn graph(row: &Row, title: &str, detail: &str, values: Vec<Option<f64>>) -> CardGraph {
    let known = values.iter().copied().flatten();
    // Scaled for the smallest, so that all have significant digits.
    let smallest = known.filter(|v| *v > 0.0).reduce(f64::min).unwrap_or(0.0);
    let scale = Scale::of(&row.unit, [smallest]).at_a_glance(smallest);
    CardGraph {
        title: visible(title),
        detail: visible(detail),
        unit: visible(&scale.symbol) + row.unit.better().suffix(),
        scale,
        values,
    }
}

/// `Bar graph. full handshakes, 1.3, rsa, server, hs/s, higher is better: 2,357 for rustls and …`
fn alt(bars: &[Bar], graphs: &[CardGraph]) -> String {
    let graph = |g: &CardGraph| {
        let pairs = bars.iter().zip(&g.values).filter(|(_, v)| v.is_some());
        let figures: Vec<String> = pairs
            .map(|(bar, value)| format!("{} for {}", g.show(*value), bar.name))
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
    fn labels_are_split_where_they_differ() {
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
