//! The files of the compare page: what a script places for any two builds of a machine, in both directions.

use super::compare::{Direction, Group};
use crate::report::ComparedMachine;
use crate::site::graphs::dots::DotRow;
use crate::site::words::answer::{Answer, answer};
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Returns a file for each build but the last: its pairs with the builds after it, and the texts to which
/// their rows refer by number. A pair is the reports of both, the answers with the first build as candidate
/// and as baseline, the rows that say most, and the groups of rows.
pub(super) fn pairs(machine: &ComparedMachine<'_>) -> Vec<Json> {
    let builds = 0..machine.builds.len() - 1;
    let file = |candidate: usize| {
        let mut texts = Texts::default();
        let mut pairs = Vec::new();
        for baseline in candidate + 1..machine.builds.len() {
            pairs.push(machine.compare([baseline, candidate]).map(|pair| {
                let [there, back] =
                    [false, true].map(|is_reversed| Direction::new(machine, &pair, is_reversed));
                let answers = [&there, &back].map(|one| answer(one.headlines.rows.clone()));
                let mut groups = Vec::new();
                for (group, turned) in there.groups.iter().zip(&back.groups) {
                    groups.push(json!([
                        group.title,
                        [group.numbers(), turned.numbers()],
                        [&group.means, &turned.means],
                        marks([&there, &back], [group, turned], &mut texts),
                    ]));
                }
                let headlines = [&there.headlines, &back.headlines];
                json!([
                    pair.reports,
                    answers.each_ref().map(Answer::parts),
                    marks([&there, &back], headlines, &mut texts),
                    groups,
                ])
            }));
        }
        json!({"texts": texts.list, "pairs": pairs})
    };
    builds.into_par_iter().map(file).collect()
}

/// Texts, each once.
#[derive(Default)]
struct Texts {
    list: Vec<Json>,
    numbers: HashMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: Json) -> usize {
        *self.numbers.entry(text.to_string()).or_insert_with(|| {
            self.list.push(text);
            self.list.len() - 1
        })
    }
}

/// Returns the marks of a plot: equal and the ticks, in thousandths of the axis, and for each row its place
/// among those of the machine, the dot, the reach of the interval to its left and right, and the numbers of
/// texts: the evidence after the interval, then for each direction its look with words and the interval.
fn marks(
    [there, back]: [&Direction<'_, '_>; 2],
    [group, turned]: [&Group<'_, '_>; 2],
    texts: &mut Texts,
) -> Json {
    let plot = there.plot(group, "");
    let (equal, ticks, places) = plot.places();
    // The other direction has the same rows, in another order.
    let mut others = HashMap::new();
    for ((row, _), shown) in turned.rows.iter().zip(back.plot(turned, "").rows) {
        others.insert(row.row.index, shown);
    }
    let mut rows = Vec::new();
    for (((row, _), shown), places) in group.rows.iter().zip(&plot.rows).zip(places) {
        let mut marks = vec![there.machine.place(there.pair, row)];
        marks.extend(places.map(|place| place as usize));
        // The interval is the part that varies most.
        let interval = |shown: &DotRow| shown.interval.clone().unwrap_or_default();
        let rest = &shown.evidence[interval(shown).len()..];
        marks.push(texts.number(json!(rest)));
        for shown in [shown, &others[&row.row.index]] {
            marks.push(texts.number(json!([shown.look, shown.words, shown.is_left])));
            marks.push(texts.number(json!(interval(shown))));
        }
        rows.push(marks);
    }
    json!([equal, ticks, rows])
}
