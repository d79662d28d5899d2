//! The answer to whether one build is faster than another: sentences made of the tested verdicts on a few
//! rows. What is too noisy, or measured too seldom to be tested, is no part of it.

use super::{count, join};
use crate::base::escape::html;
use crate::model::scenario::Workload;
use crate::model::unit::Kind;
use crate::report::ComparedRow;
use crate::stats::{Change, Comparison, Verdict};

/// Sentences, in parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    /// A change for the better, or for the worse.
    Good(String),
    Bad(String),
}

/// The tested rows of a workload.
struct Group<'a> {
    name: String,
    is_rate: bool,
    rows: Vec<Tested<'a>>,
}

struct Tested<'a> {
    row: &'a ComparedRow<'a>,
    change: Change,
    verdict: Verdict,
}

/// In the order of a clause.
const DIRECTIONS: [Verdict; 5] = [
    Verdict::Faster,
    Verdict::Less,
    Verdict::None,
    Verdict::Slower,
    Verdict::More,
];

/// More rows in one direction are counted instead of named.
const MAX_NAMED: usize = 2;

/// Answers whether the candidate is faster.
pub(super) fn answer<'a>(
    rows: impl IntoIterator<Item = (&'a ComparedRow<'a>, &'a Comparison)>,
) -> Answer {
    let groups = groups(rows);
    let rates = groups.iter().filter(|group| group.is_rate);
    let (won, rest): (Vec<&Group<'_>>, Vec<&Group<'_>>) =
        rates.partition(|group| group.all(Verdict::Faster));
    let amounts: Vec<&Group<'_>> = groups.iter().filter(|group| !group.is_rate).collect();
    let mut answer = Answer::default();
    if groups.is_empty() {
        answer.text("Nothing is tested here: there are too few runs, or they are too unsteady.");
    }
    let has = |wanted: Verdict| rest.iter().any(|group| group.has(wanted));
    match (won.as_slice(), rest.as_slice()) {
        ([], []) => {}
        (_, []) => answer.sentence("Yes. ", &won),
        ([], _) if rest.iter().all(|group| group.all(Verdict::None)) => {
            let rows = rest.iter().map(|group| group.rows.len()).sum();
            let rows = count(rows, "scenario");
            answer.text(&format!("No. Not one of {rows} differs."));
        }
        ([], _) if !has(Verdict::Faster) => answer.sentence("No. ", &rest),
        ([], _) => answer.sentence("In part. ", &rest),
        _ => {
            let names: Vec<String> = won.iter().map(|group| group.name.clone()).collect();
            answer.text(&format!("In {}, yes: ", join(&names)));
            answer.listed(&won, |answer, group| {
                answer.range(&group.changes(Verdict::Faster));
            });
            answer.text(". ");
            answer.sentence("", &rest);
        }
    }
    if !amounts.is_empty() {
        answer.text(if answer.0.is_empty() { "" } else { " " });
        answer.sentence("", &amounts);
    }
    answer
}

/// Returns what differs, without answering a question: an item for each workload.
pub(super) fn differences<'a>(
    rows: impl IntoIterator<Item = (&'a ComparedRow<'a>, &'a Comparison)>,
) -> Vec<Answer> {
    let item = |group: &Group<'a>| {
        let mut answer = Answer::default();
        answer.sentence("", &[group]);
        answer
    };
    groups(rows).iter().map(item).collect()
}

fn groups<'a>(
    rows: impl IntoIterator<Item = (&'a ComparedRow<'a>, &'a Comparison)>,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (row, known) in rows {
        if !DIRECTIONS.contains(&known.verdict) {
            continue;
        }
        let name = match &row.scenario.workload {
            Workload::Other(_) => "benchmarks",
            known => known.word(),
        };
        let tested = Tested {
            row,
            change: known.change,
            verdict: known.verdict,
        };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.rows.push(tested),
            None => groups.push(Group {
                name: name.to_owned(),
                is_rate: row.unit.kind() == Kind::Rate,
                rows: vec![tested],
            }),
        }
    }
    groups
}

impl Group<'_> {
    fn all(&self, wanted: Verdict) -> bool {
        self.rows.iter().all(|row| row.verdict == wanted)
    }

    fn has(&self, wanted: Verdict) -> bool {
        self.rows.iter().any(|row| row.verdict == wanted)
    }

    fn changes(&self, wanted: Verdict) -> Vec<&Tested<'_>> {
        self.rows
            .iter()
            .filter(|row| row.verdict == wanted)
            .collect()
    }

    /// Returns the words that tell rows from the others of the group: `for sending`; `in 3 of 4` if
    /// there are many.
    fn place(&self, rows: &[&Tested<'_>]) -> String {
        if rows.len() == self.rows.len() {
            return String::new();
        }
        if rows.len() > MAX_NAMED {
            return format!(" in {} of {}", rows.len(), self.rows.len());
        }
        let labels = |rows: &[&Tested<'_>]| -> Vec<String> {
            rows.iter().map(|row| row.row.scenario.label()).collect()
        };
        let all = labels(&self.rows.iter().collect::<Vec<_>>());
        let is_common = |word: &str| all.iter().all(|label| label.split(", ").any(|w| w == word));
        let own = labels(rows).into_iter().map(|label| {
            let words: Vec<&str> = label.split(", ").filter(|word| !is_common(word)).collect();
            words.join(", ")
        });
        format!(" for {}", join(&own.collect::<Vec<_>>()))
    }
}

impl Answer {
    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Part::Text(last)) => *last += text,
            _ => self.0.push(Part::Text(text.to_owned())),
        }
    }

    /// Writes `Transfer: as fast for sending and 1.12x slower for receiving.` for each group.
    fn sentence(&mut self, lead: &str, groups: &[&Group<'_>]) {
        self.text(lead);
        for (place, group) in groups.iter().enumerate() {
            let mut name = group.name.clone();
            capitalize(&mut name);
            self.text(&format!("{}{name}: ", if place > 0 { " " } else { "" }));
            let known = DIRECTIONS.into_iter().filter(|of| group.has(*of));
            let known: Vec<Verdict> = known.collect();
            self.listed(&known, |answer, of| {
                let rows = group.changes(**of);
                answer.range(&rows);
                answer.text(&group.place(&rows));
            });
            self.text(".");
        }
    }

    /// Writes items as `a, b and c`.
    fn listed<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &&T)) {
        for (place, item) in items.iter().enumerate() {
            self.text(match place {
                0 => "",
                _ if place + 1 == items.len() => " and ",
                _ => ", ",
            });
            write(self, &item);
        }
    }

    /// Writes changes in one direction: `1.15x to 2.16x faster`.
    fn range(&mut self, rows: &[&Tested<'_>]) {
        let mut changes: Vec<Change> = rows.iter().map(|row| row.change).collect();
        changes.sort_by(|a, b| a.size().total_cmp(&b.size()));
        let ([first, ..], [.., last]) = (changes.as_slice(), changes.as_slice()) else {
            return;
        };
        let [least, most] = [first, last].map(ToString::to_string);
        let text = match least.split_once(' ') {
            Some((size, _)) if least != most => format!("{size} to {most}"),
            _ => most,
        };
        let is_rate = rows[0].row.unit.kind() == Kind::Rate;
        match rows[0].verdict {
            Verdict::None if is_rate => self.text("as fast"),
            Verdict::None => self.text("no different"),
            _ => self.0.push(match first.percent_worse() {
                Some(worse) if worse < 0.0 => Part::Good(text),
                Some(_) => Part::Bad(text),
                None => Part::Text(text),
            }),
        }
    }

    /// Returns the sentences as HTML.
    pub(super) fn html(&self) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => html(text).into_owned(),
            Part::Good(text) => format!("<b class=\"good\">{}</b>", html(text)),
            Part::Bad(text) => format!("<b class=\"bad\">{}</b>", html(text)),
        };
        self.0.iter().map(part).collect()
    }

    /// Returns the parts for a script, those of changes with a sign before them.
    pub(super) fn parts(&self) -> Vec<String> {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Good(text) => format!("+{text}"),
            Part::Bad(text) => format!("-{text}"),
        };
        self.0.iter().map(part).collect()
    }
}

/// Makes the first letter a capital.
fn capitalize(text: &mut str) {
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scenario::Scenario;
    use crate::model::unit::Unit;

    /// The answer to rows with a label, a ratio and whether a test shows it.
    fn text(rows: &[(&str, f64, Verdict)]) -> String {
        let scenarios = rows
            .iter()
            .map(|(label, ..)| Scenario::from_label(label).expect("a label"));
        let scenarios: Vec<Scenario> = scenarios.collect();
        let all: Vec<(ComparedRow<'_>, Comparison)> = rows
            .iter()
            .zip(&scenarios)
            .map(|((label, ratio, verdict), scenario)| {
                let unit = match label.starts_with("memory") {
                    true => &Unit::Memory,
                    false => &Unit::HandshakeRate,
                };
                let change = Change::new(1.0, *ratio, unit.better(), unit.kind());
                let known = Comparison {
                    change: change.expect("sound"),
                    interval: None,
                    test: None,
                    adjusted_p: None,
                    verdict: *verdict,
                };
                let row = ComparedRow {
                    scenario,
                    unit,
                    cells: [None, None],
                    estimates: [None, None],
                    control: None,
                    is_paired: false,
                    comparison: None,
                };
                (row, known)
            })
            .collect();
        let answer = answer(all.iter().map(|(row, known)| (row, known)));
        answer
            .html()
            .replace("<b class=\"good\">", "+")
            .replace("<b class=\"bad\">", "-")
            .replace("</b>", "")
    }

    const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";
    const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";
    const RSA: &str = "full handshakes, 1.3, rsa, client";
    const ECDSA: &str = "full handshakes, 1.3, ecdsa, client";
    const MEMORY: &str = "memory, 1.3, 10000 sessions";

    #[test]
    fn groups_that_win_come_first() {
        let rows = [
            (RSA, 2.16, Verdict::Faster),
            (ECDSA, 1.5, Verdict::Faster),
            (SENDING, 1.001, Verdict::None),
            (RECEIVING, 1.0 / 1.12, Verdict::Slower),
            (MEMORY, 0.43, Verdict::Less),
        ];
        assert_eq!(
            text(&rows),
            "In full handshakes, yes: +1.50x to 2.16x faster. Transfer: as fast for sending and -1.12x slower for receiving. Memory: +57% less."
        );
    }

    #[test]
    fn what_is_not_tested_is_no_part() {
        assert_eq!(
            text(&[(RSA, 2.0, Verdict::Unsteady), (ECDSA, 1.5, Verdict::Faster)]),
            "Yes. Full handshakes: +1.50x faster."
        );
        assert!(text(&[(RSA, 2.0, Verdict::Untested)]).starts_with("Nothing is tested"));
    }

    #[test]
    fn no_and_in_part() {
        let none = [(RSA, 1.0, Verdict::None), (SENDING, 1.0, Verdict::None)];
        assert_eq!(text(&none), "No. Not one of 2 scenarios differs.");
        let slower = [(RSA, 0.5, Verdict::Slower), (SENDING, 1.0, Verdict::None)];
        assert_eq!(
            text(&slower),
            "No. Full handshakes: -2.00x slower. Transfer: as fast."
        );
        let both = [(RSA, 0.5, Verdict::Slower), (ECDSA, 2.0, Verdict::Faster)];
        assert_eq!(
            text(&both),
            "In part. Full handshakes: +2.00x faster for ecdsa and -2.00x slower for rsa."
        );
        let benchmarks = [
            ("parse", 1.3, Verdict::Faster),
            ("print", 1.1, Verdict::Faster),
        ];
        assert_eq!(
            text(&benchmarks),
            "Yes. Benchmarks: +1.10x to 1.30x faster."
        );
    }
}
