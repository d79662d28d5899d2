//! The files of the comparisons: for each build the verdicts against every later one of its machine. Scripts
//! show them, in either direction, and compute nothing but the inverse of a ratio.

use super::answer::{Answer, answer};
use super::compare::kind;
use crate::model::unit::{Better, Kind};
use crate::report::{ComparedMachine, ComparedRow, Judged, Known, p_text};
use crate::stats::{Change, Comparison, Verdict};
use rayon::prelude::*;
use serde_json::{Value as Json, json};

impl ComparedMachine<'_> {
    /// Returns what the verdicts are about: rows, reports, the figures of each build in each report, the
    /// rows to show first, and the sparklines of each build's releases.
    pub(super) fn figures(&self) -> Json {
        let rows = self.rows.iter().map(|row| {
            let better = match row.key.1.better() {
                Better::Higher => 1,
                Better::Lower => -1,
                Better::Unknown => 0,
            };
            let (label, symbol) = (row.key.0.label(), &row.scale.symbol);
            json!([label, symbol, better, kind(row.key), row.address])
        });
        let reports = 0..self.reports.len();
        let figures = reports.clone().map(|report| {
            let builds = 0..self.builds.len();
            builds
                .map(|build| self.figures_of(report, build))
                .collect::<Json>()
        });
        let reports = reports.clone().map(|report| {
            let of = self.reports[report].report;
            json!([of.name, self.line(report)])
        });
        let builds = || 0..self.builds.len();
        json!({
            "rows": rows.collect::<Json>(),
            "reports": reports.collect::<Json>(),
            "figures": figures.collect::<Json>(),
            "glance": self.glance,
            "since": builds().map(|build| self.since(build)).collect::<Json>(),
            "sparks": builds().map(|build| self.sparks(build).join(";")).collect::<Json>(),
        })
    }

    /// Returns the figures of a build with their numbers of runs: `9,909|20;…`, in the order of the rows.
    fn figures_of(&self, report: usize, build: usize) -> String {
        let figures = self.rows.iter().enumerate().map(|(place, row)| {
            let cell = self.reports[report].cell(place, build);
            let figure = cell.and_then(|cell| cell.figure.as_ref());
            figure.map_or_else(String::new, |figure| {
                format!(
                    "{}|{}",
                    row.scale.show(figure.estimate),
                    figure.sample.len()
                )
            })
        });
        let all: Vec<String> = figures.collect();
        match all.iter().all(String::is_empty) {
            true => String::new(),
            false => all.join(";"),
        }
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
            pairs.collect()
        };
        builds.into_par_iter().map(of).collect()
    }

    /// Returns the reports of both sides, the geometric means, the verdict on each row, and the answers
    /// in both directions.
    fn pair(&self, judged: &Judged<'_>) -> Json {
        let mut verdicts = vec![String::new(); self.rows.len()];
        for (row, known) in judged.table.known() {
            verdicts[self.place(judged, row)] = verdict(row, &known);
        }
        let means = judged.table.means().into_iter().map(|(symbol, n, mean)| {
            let mut rows = judged.table.rows.iter();
            let row = rows.find(|row| judged.table.scale(row).symbol == symbol);
            json!([
                row.map(|row| kind((row.scenario, row.unit))),
                symbol,
                n,
                size(&mean)
            ])
        });
        let known = self.at_a_glance(judged);
        let turned = known.iter().copied().map(turned);
        let answers = [answer(turned.collect::<Vec<_>>()), answer(known)];
        let [turned, answer] = answers.each_ref().map(Answer::parts);
        let [from, to] = judged.meeting;
        json!([
            from,
            to,
            means.collect::<Json>(),
            verdicts.join(";"),
            answer,
            turned
        ])
    }
}

/// Swaps the sides of a verdict.
fn turned<'t, 'a>((row, known): Known<'t, 'a>) -> Known<'t, 'a> {
    let change = inverse(&known.change);
    let verdict = match known.verdict.is_change() {
        true => change.word(),
        false => known.verdict,
    };
    let turned = Comparison {
        change,
        verdict,
        ..known
    };
    (row, turned)
}

fn inverse(change: &Change) -> Change {
    Change {
        ratio: 1.0 / change.ratio,
        ..*change
    }
}

/// `f1.54|1.512|1.571`: the change, the interval of the ratio, and p unless it is below 0.001; `n1.003|…|.213`
/// with the ratio if no difference is shown, `uf1.54` if the change is not tested.
fn verdict(row: &ComparedRow<'_>, known: &Comparison) -> String {
    let ratio = known.change.ratio;
    let change = match known.verdict {
        Verdict::None => format!("n{ratio:.3}"),
        Verdict::TooFew => format!("t{ratio:.3}"),
        Verdict::Unsteady => format!("y{ratio:.3}"),
        Verdict::Untested => format!("u{}", size(&known.change)),
        _ => size(&known.change),
    };
    let ends = known
        .interval
        .map(|i| format!("{:.3}|{:.3}", i.low, i.high));
    let p = row.p().map(p_text).unwrap_or_default();
    let p = match ends.is_some() && known.verdict.is_change() {
        true if p == "<0.001" => "",
        _ => p.trim_start_matches('0'),
    };
    let ends = ends.unwrap_or_else(|| "|".to_owned());
    let text = format!("{change}|{ends}|{p}");
    text.trim_end_matches('|').to_owned()
}

/// `f1.54`, `l57%/133%`: the direction of a change and its size, also from the other side if that differs.
fn size(change: &Change) -> String {
    let initial = &change.word().word()[..1];
    match (change.word(), change.kind) {
        (Verdict::None, _) => format!("n{:.3}", change.ratio),
        // Without the `x`, of which there would be ten thousand.
        (_, Kind::Rate) => format!("{initial}{:.2}", change.size()),
        _ => format!("{initial}{}/{}", change.amount(), inverse(change).amount()),
    }
}
