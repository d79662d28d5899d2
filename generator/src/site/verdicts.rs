//! The files of the comparisons: for each build the verdicts against every later one of its machine. Scripts
//! show them, in either direction, and compute nothing but the inverse of a ratio.

use super::answer::answer;
use super::compare::{ComparedMachine, Judged, Key, kind};
use super::phrases::plus_minus;
use crate::model::unit::{Better, Kind, Unit};
use crate::report::{ComparedRow, ComparedTable, Figure, p_text};
use crate::stats::{Change, Comparison, Interval, Verdict};
use rayon::prelude::*;
use serde_json::{Value as Json, json};

impl ComparedMachine<'_> {
    /// Returns what the verdicts are about: rows, reports, the figures of each build in each report, the
    /// rows to show first, and the releases of each build's series.
    pub(super) fn figures(&self) -> Json {
        let rows = self.keys.iter().zip(&self.scales).zip(&self.addresses);
        let rows = rows.map(|((key, scale), address)| {
            json!([
                key.0.label(),
                scale.symbol,
                better(key.1),
                kind(*key),
                address
            ])
        });
        let reports = 0..self.reports.len();
        let figures = reports.clone().map(|report| {
            let builds = (0..self.builds.len()).map(|build| self.figures_of(report, build));
            builds.collect::<Vec<String>>()
        });
        let reports = reports.map(|report| {
            let of = self.reports[report];
            json!([of.name, super::title(of), self.line(report)])
        });
        json!({
            "rows": rows.collect::<Vec<Json>>(),
            "reports": reports.collect::<Vec<Json>>(),
            "figures": figures.collect::<Vec<Vec<String>>>(),
            "glance": self.glance,
            "series": self.series(),
        })
    }

    /// Returns the figures of a build: `9,909|0.3%|20;…`, in the order of the rows.
    fn figures_of(&self, report: usize, build: usize) -> String {
        let figure = |(place, key): (usize, &Key<'_>)| match self.figure(report, build, key) {
            None => String::new(),
            Some(figure) => {
                let half = plus_minus(figure).unwrap_or_default();
                let half = half.trim_start_matches("± ");
                let estimate = self.scales[place].show(figure.estimate);
                format!("{estimate}|{half}|{}", figure.sample.len())
            }
        };
        let all: Vec<String> = self.keys.iter().enumerate().map(figure).collect();
        match all.iter().all(String::is_empty) {
            true => String::new(),
            false => all.join(";"),
        }
    }

    fn figure(&self, report: usize, build: usize, key: &Key<'_>) -> Option<&Figure> {
        let cell = self.by_key[report]
            .get(key)?
            .cell(self.columns[report][build]?)?;
        cell.figure.as_ref()
    }

    /// Returns the verdicts of each build but the last as the candidate against those after it.
    pub(super) fn verdicts(&self) -> Vec<Json> {
        let builds = 0..self.builds.len() - 1;
        let of = |candidate: usize| {
            let later = candidate + 1..self.builds.len();
            let pairs = later.map(|baseline| {
                let judged = self.judged([baseline, candidate]);
                judged.map_or(Json::Null, |judged| self.pair(&judged))
            });
            Json::Array(pairs.collect())
        };
        builds.into_par_iter().map(of).collect()
    }

    /// Returns the reports of both sides, the geometric means, the verdict on each row, and the answers
    /// in both directions.
    fn pair(&self, judged: &Judged<'_>) -> Json {
        let mut verdicts = vec![String::new(); self.keys.len()];
        for (row, known) in judged.table.known() {
            verdicts[self.places[&(row.scenario, row.unit)]] = verdict(row, known);
        }
        let group = |symbol: &str| {
            let mut rows = judged.table.rows.iter();
            let row = rows.find(|r| judged.table.scale(r).symbol == symbol);
            row.map(|r| kind((r.scenario, r.unit)))
        };
        let means = judged.table.means().into_iter();
        let means = means.map(|(symbol, n, mean)| json!([group(symbol), symbol, n, size(&mean)]));
        let answers = [&judged.table, &reversed(&judged.table)]
            .map(|table| answer(self.at_a_glance(table)).parts());
        let [from, to] = judged.meeting;
        let means: Vec<Json> = means.collect();
        json!([from, to, means, verdicts.join(";"), answers[0], answers[1]])
    }
}

/// 1 if higher is better, -1 if lower is, 0 if that is unknown.
fn better(unit: &Unit) -> i8 {
    match unit.better() {
        Better::Higher => 1,
        Better::Lower => -1,
        Better::Unknown => 0,
    }
}

/// Swaps the sides of a judged table.
fn reversed<'a>(table: &ComparedTable<'a>) -> ComparedTable<'a> {
    let turn = |known: Comparison| {
        let ratio = 1.0 / known.change.ratio;
        let change = Change {
            ratio,
            ..known.change
        };
        let interval = known.interval.map(|i| Interval {
            low: 1.0 / i.high,
            high: 1.0 / i.low,
        });
        let verdict = match known.verdict.is_change() {
            true => change.word(),
            false => known.verdict,
        };
        Comparison {
            change,
            interval,
            verdict,
            ..known
        }
    };
    let mut rows = table.rows.clone();
    for row in &mut rows {
        row.cells.reverse();
        row.estimates.reverse();
        row.comparison = row.comparison.map(turn);
    }
    ComparedTable::new(rows)
}

/// `f1.54|1.512|1.571`: the change, the interval of the ratio, and p unless it is below 0.001; `n1.003|…|.213`
/// with the ratio if no difference is shown, `uf1.54` if the change is not tested.
fn verdict(row: &ComparedRow<'_>, known: &Comparison) -> String {
    let change = match known.verdict {
        Verdict::None => format!("n{:.3}", known.change.ratio),
        Verdict::TooFew => format!("t{:.3}", known.change.ratio),
        Verdict::Unsteady => format!("y{:.3}", known.change.ratio),
        Verdict::Untested => format!("u{}", size(&known.change)),
        _ => size(&known.change),
    };
    let [low, high] = match known.interval {
        Some(i) => [i.low, i.high].map(|end| format!("{end:.3}")),
        None => [String::new(), String::new()],
    };
    let p = row.p().map(p_text).unwrap_or_default();
    let is_implied = p == "<0.001" && known.interval.is_some() && known.verdict.is_change();
    let p = if is_implied {
        ""
    } else {
        p.trim_start_matches('0')
    };
    let text = format!("{change}|{low}|{high}|{p}");
    text.trim_end_matches('|').to_owned()
}

/// `f1.54`, `l57%/133%`: the direction of a change and its size, also from the other side if that differs.
fn size(change: &Change) -> String {
    let letter = match change.word() {
        Verdict::Faster => 'f',
        Verdict::Slower => 's',
        Verdict::Less => 'l',
        Verdict::More => 'm',
        _ => return format!("n{:.3}", change.ratio),
    };
    let back = Change {
        ratio: 1.0 / change.ratio,
        ..*change
    };
    let [size, back] = [*change, back].map(|change| match change.ratio.is_infinite() {
        true => "∞".to_owned(),
        false => change
            .to_string()
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned(),
    });
    match change.kind {
        Kind::Rate => format!("{letter}{}", size.trim_end_matches('x')),
        _ => format!("{letter}{size}/{back}"),
    }
}
