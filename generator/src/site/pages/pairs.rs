//! The files of the compare page: what a script places for any two builds of a machine, in both
//! directions.

use crate::report::{BuildPair, Compared, ComparedMachine, words};
use crate::site::graphs::dots::{Mark, places};
use crate::site::words::answer::answer;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Returns a file for each build but the last: its pairs with the builds after it, and the texts to
/// which their rows refer by number. A pair is the reports of both, the answers with the first
/// build as candidate and as baseline, the rows that say most, and the groups of rows.
pub(super) fn pairs(machine: &ComparedMachine<'_>) -> Vec<Json> {
    let builds = 0..machine.builds.len() - 1;
    let file = |candidate: usize| {
        let mut texts = Texts::default();
        let mut pairs = Vec::new();
        for baseline in candidate + 1..machine.builds.len() {
            let pair = machine.compare([baseline, candidate]);
            pairs.push(pair.map(|pair| of_pair(machine, &pair, &mut texts)));
        }
        json!({"texts": texts.list, "pairs": pairs})
    };
    builds.into_par_iter().map(file).collect()
}

fn of_pair(machine: &ComparedMachine<'_>, pair: &BuildPair<'_>, texts: &mut Texts) -> Json {
    let mut groups = Vec::new();
    for group in pair.groups() {
        let back = reversed(&group.rows);
        let mut means = Vec::new();
        for mean in &group.means {
            let mut reversed = mean.change;
            reversed.ratio = 1.0 / reversed.ratio;
            let both = [mean.change, reversed].map(|change| change.to_string());
            let over = texts.number(json!(words::mean_over(mean)));
            means.push([texts.number(json!(both)), over]);
        }
        groups.push(json!([
            group.title,
            [words::numbers(&group.rows), words::numbers(&back)],
            means,
            marks(machine, pair, &group.rows, Some(texts)),
        ]));
    }
    let there = pair.headlines(machine);
    let answers = [there.clone(), reversed(&there)].map(|rows| {
        let answer = answer(rows);
        let parts = answer.parts().iter();
        Json::from_iter(parts.map(|part| texts.number(json!(part))))
    });
    let headlines = marks(machine, pair, &there, None);
    json!([pair.reports, answers, headlines, groups])
}

/// Texts, each once: a machine has hundreds of pairs of hundreds of rows, whose words are often the same. Without
/// this, the files of a site of nine libraries alone would exceed the 6 MB that it may have.
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

/// The rows of the swapped comparison, in the same order.
fn reversed<'a>(rows: &[Compared<'a>]) -> Vec<Compared<'a>> {
    let swapped = |one: &Compared<'a>| Compared {
        known: one.known.reversed(),
        ..*one
    };
    rows.iter().map(swapped).collect()
}

/// Returns the marks of a plot: equal and the ticks, in thousandths of the axis, and for each row
/// its place among those of the machine, the dot, and the reach of the interval to its left and
/// right. With `texts`, the numbers of three follow, each with what both directions say: the looks,
/// with the evidence after the interval, the words, and the intervals, or one if they are the same.
fn marks(
    machine: &ComparedMachine<'_>,
    pair: &BuildPair<'_>,
    rows: &[Compared<'_>],
    mut texts: Option<&mut Texts>,
) -> Json {
    let there: Vec<Mark> = rows.iter().map(|one| Mark::of(&one.known)).collect();
    let (equal, ticks, places) = places(&there);
    let mut shown = Vec::new();
    for ((one, there), places) in rows.iter().zip(there).zip(places) {
        let mut marks = vec![machine.place(pair, one)];
        marks.extend(places.map(|place| place as usize));
        if let Some(texts) = &mut texts {
            let swapped = one.known.reversed();
            let intervals = [&one.known, &swapped].map(words::interval);
            let separator = if intervals[0].is_some() { ", " } else { "" };
            let test = format!("{separator}{}", words::test(one));
            let both = [there, Mark::of(&swapped)];
            let looks = both
                .each_ref()
                .map(|mark| json!([mark.look, u8::from(mark.is_left)]));
            let interval = match intervals {
                [there, back] if there == back => json!(there.unwrap_or_else(String::new)),
                both => json!(both),
            };
            for text in [
                json!([looks, test]),
                json!(both.map(|mark| mark.words)),
                interval,
            ] {
                marks.push(texts.number(text));
            }
        }
        shown.push(marks);
    }
    json!([equal, ticks, shown])
}
