//! The files of the compare page: what a script places for any two builds of a machine, in both
//! directions.

use super::compare::geometric_means;
use crate::report::{BuildPair, Compared, ComparedMachine, words};
use crate::site::graphs::dots::Mark;
use crate::site::words::answer::{Answer, answer};
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;

/// Two builds, with the first as candidate and as baseline.
#[derive(Serialize)]
struct Pair {
    reports: [usize; 2],
    answers: [Answer; 2],
    groups: Vec<Rows>,
}

/// Rows of one kind.
#[derive(Serialize)]
struct Rows {
    title: &'static str,
    /// What they come to.
    numbers: [Vec<(usize, &'static str)>; 2],
    means: [String; 2],
    /// Of each row, its place among those of the machine, the dot, how far the interval reaches to both sides of it,
    /// and the numbers of three texts: the look and the words, and the interval, in both directions, and the test.
    rows: Vec<(usize, [i32; 3], [usize; 3])>,
}

/// Returns a file for each build but the last: its pairs with the builds after it, and the texts to which their rows
/// refer by number.
pub(super) fn pairs(machine: &ComparedMachine<'_>) -> Result<Vec<String>> {
    let builds = machine.builds.len();
    let file = |candidate: usize| {
        let mut texts = Texts::default();
        let mut pairs = Vec::new();
        for baseline in candidate + 1..builds {
            let pair = machine.compare([baseline, candidate]);
            let pair = pair.map(|pair| of_pair(machine, &pair, &mut texts));
            pairs.push(serde_json::to_string(&pair.transpose()?)?);
        }
        let (pairs, texts) = (pairs.join(","), texts.list().join(","));
        Ok(format!("{{\"pairs\":[{pairs}],\"texts\":[{texts}]}}"))
    };
    (0..builds - 1).into_par_iter().map(file).collect()
}

fn of_pair(machine: &ComparedMachine<'_>, pair: &BuildPair<'_>, texts: &mut Texts) -> Result<Pair> {
    let mut groups = Vec::new();
    for (title, own) in pair.groups() {
        let back = reversed(&own);
        let mut rows = Vec::new();
        for (one, other) in own.iter().zip(&back) {
            let (mark, back) = (Mark::of(&one.known), Mark::words(&other.known));
            let [x, low, high] = mark.x;
            let interval = match [&one.known, &other.known].map(words::interval) {
                [there, back] if there == back => texts.number(&there)?,
                both => texts.number(&both)?,
            };
            let said = texts.number(&(mark.look, mark.words, back))?;
            let test = texts.number(&words::test(one))?;
            let place = machine.place(pair, one);
            rows.push((place, [x, x - low, high - x], [said, interval, test]));
        }
        groups.push(Rows {
            title,
            numbers: [&own, &back].map(|rows| words::numbers(rows)),
            means: [&own, &back].map(|rows| geometric_means(rows)),
            rows,
        });
    }
    let headlines = pair.headlines(machine);
    Ok(Pair {
        reports: pair.reports,
        answers: [answer(&headlines), answer(&reversed(&headlines))],
        groups,
    })
}

/// Returns the rows of the swapped comparison.
fn reversed<'a>(rows: &[Compared<'a>]) -> Vec<Compared<'a>> {
    let reversed = |one: &Compared<'a>| Compared {
        known: one.known.reversed(),
        ..*one
    };
    rows.iter().map(reversed).collect()
}

/// Texts in JSON, each once: a machine has hundreds of pairs of hundreds of rows, whose words are often the same. Without
/// this, the files of a site of nine libraries alone would exceed the 6 MB that it may have.
#[derive(Default)]
struct Texts(HashMap<String, usize>);

impl Texts {
    fn number(&mut self, text: &impl Serialize) -> Result<usize> {
        let next = self.0.len();
        Ok(*self.0.entry(serde_json::to_string(text)?).or_insert(next))
    }

    /// Returns the texts in the order of their numbers.
    fn list(self) -> Vec<String> {
        let mut list: Vec<(String, usize)> = self.0.into_iter().collect();
        list.sort_unstable_by_key(|(_, number)| *number);
        list.into_iter().map(|(text, _)| text).collect()
    }
}
