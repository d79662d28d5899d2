//! The files of the compare page: what a script places for any two builds of a machine, in both
//! directions.

use crate::report::{BuildPair, Compared, ComparedMachine, words};
use crate::site::graphs::dots::{Mark, places};
use crate::site::words::answer::answer;
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;

/// The axis of a plot, its equal and its ticks, and what each row places.
type Marks = (u32, Vec<(u32, String)>, Vec<Vec<usize>>);

/// The title of a group, what its rows come to in both directions, their means, and the rows.
type Rows = (&'static str, [Numbers; 2], Vec<[usize; 2]>, Marks);
type Numbers = Vec<(usize, &'static str)>;

/// Returns a file for each build but the last: its pairs with the builds after it, and the texts to
/// which their rows refer by number. A pair is the reports of both, the answers with the first
/// build as candidate and as baseline, the rows that say most, and the groups of rows.
pub(super) fn pairs(machine: &ComparedMachine<'_>) -> Result<Vec<String>> {
    let builds = 0..machine.builds.len() - 1;
    let file = |candidate: usize| {
        let mut texts = Texts::default();
        let mut pairs = Vec::new();
        for baseline in candidate + 1..machine.builds.len() {
            pairs.push(match machine.compare([baseline, candidate]) {
                Some(pair) => serde_json::to_string(&of_pair(machine, &pair, &mut texts)?)?,
                None => "null".to_owned(),
            });
        }
        let (pairs, texts) = (pairs.join(","), texts.list().join(","));
        Ok(format!("{{\"pairs\":[{pairs}],\"texts\":[{texts}]}}"))
    };
    builds.into_par_iter().map(file).collect()
}

fn of_pair(
    machine: &ComparedMachine<'_>,
    pair: &BuildPair<'_>,
    texts: &mut Texts,
) -> Result<impl Serialize + use<>> {
    let mut groups: Vec<Rows> = Vec::new();
    for group in pair.groups() {
        let back = reversed(&group.rows);
        let mut means = Vec::new();
        for mean in &group.means {
            let mut reversed = mean.change;
            reversed.ratio = 1.0 / reversed.ratio;
            let both = [mean.change, reversed].map(|change| change.to_string());
            let over = texts.number(&words::mean_over(mean))?;
            means.push([texts.number(&both)?, over]);
        }
        groups.push((
            group.title,
            [words::numbers(&group.rows), words::numbers(&back)],
            means,
            marks(machine, pair, &group.rows, Some(texts))?,
        ));
    }
    let there = pair.headlines(machine);
    let mut answers: [Vec<usize>; 2] = Default::default();
    for (numbers, rows) in answers.iter_mut().zip([there.clone(), reversed(&there)]) {
        for part in answer(rows).parts() {
            numbers.push(texts.number(part)?);
        }
    }
    let headlines = marks(machine, pair, &there, None)?;
    Ok((pair.reports, answers, headlines, groups))
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
) -> Result<Marks> {
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
                .map(|mark| (mark.look, u8::from(mark.is_left)));
            marks.push(texts.number(&(looks, test))?);
            marks.push(texts.number(&both.map(|mark| mark.words))?);
            marks.push(match intervals {
                [there, back] if there == back => texts.number(&there.unwrap_or_default())?,
                both => texts.number(&both)?,
            });
        }
        shown.push(marks);
    }
    Ok((equal, ticks, shown))
}
