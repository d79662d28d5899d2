//! The answer to whether one build is faster than another: sentences made of the tested verdicts on
//! a few rows. What is not tested is no part of it.

use crate::base::escape::html;
use crate::base::group::group_by;
use crate::base::words::join;
use crate::model::scenario::Workload;
use crate::report::{Compared, Row, titles};
use crate::stats::{Change, Verdict};
use serde::Serialize;

/// Sentences in parts, each with its CSS class: `good` for a change for the better, `bad` for one
/// for the worse, or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(in crate::site) struct Answer(Vec<(&'static str, String)>);

/// The name of a workload with its tested rows.
type Group<'a> = (&'a str, Vec<Compared<'a>>);

/// In the order of a clause.
const DIRECTIONS: [Verdict; 5] = [
    Verdict::Better,
    Verdict::Differs,
    Verdict::Same,
    Verdict::NotShown,
    Verdict::Worse,
];

/// More rows in one direction are counted instead of named.
const MAX_NAMED: usize = 2;

/// Answers whether the candidate is faster: `Yes`, `In part` or `No`, and what differs in each kind of work.
pub(in crate::site) fn answer(rows: &[Compared<'_>]) -> Answer {
    let groups = groups(rows);
    let tested = groups.iter().flat_map(|(_, rows)| rows);
    let speeds = tested.filter(|one| one.row.unit.kind().is_speed());
    let speeds: Vec<Verdict> = speeds.map(Compared::verdict).collect();
    let is_all = |wanted| speeds.iter().all(|verdict| *verdict == wanted);
    let lead = match &*speeds {
        _ if groups.is_empty() => "Nothing is tested here: there are too few runs.",
        [] => "",
        _ if is_all(Verdict::Better) => "Yes. ",
        all if all.contains(&Verdict::Better) => "In part. ",
        all if all.iter().any(|verdict| verdict.is_change()) || is_all(Verdict::Same) => "No. ",
        _ => "No difference is shown. ",
    };
    let mut answer = Answer::default();
    answer.text(lead);
    answer.sentences(&groups);
    answer
}

/// Returns what differs, without answering a question.
pub(in crate::site) fn differences(rows: &[Compared<'_>]) -> Answer {
    let mut answer = Answer::default();
    answer.sentences(&groups(rows));
    answer
}

/// Returns what differs as a part of a sentence, by workload if there are several:
/// `1.27x to 2.23x faster`.
/// `None` where nothing is tested.
pub(in crate::site) fn summary(rows: &[Compared<'_>]) -> Option<String> {
    let groups = groups(rows);
    let said = groups.iter().map(|(name, rows)| {
        let mut answer = Answer::default();
        answer.parts_of(rows);
        let parts = answer.0.into_iter().map(|(_, text)| text);
        match groups.len() {
            1 => parts.collect(),
            _ => format!("{name} {}", parts.collect::<String>()),
        }
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn groups<'a>(rows: &[Compared<'a>]) -> Vec<Group<'a>> {
    let mut judged = rows.to_vec();
    judged.retain(|one| DIRECTIONS.contains(&one.verdict()));
    group_by(judged, |one| match &one.row.scenario.workload {
        Workload::Other(_) => "benchmarks",
        known => known.word(),
    })
}

/// Returns the words that tell rows from the others of the group: `for sending`; `in 3 of 4` if there are many.
fn place(rows: &[Compared<'_>], group: &[Compared<'_>]) -> String {
    match (rows.len(), group.len()) {
        (n, of) if n == of => return String::new(),
        (n, of) if n > MAX_NAMED => return format!(" in {n} of {of}"),
        _ => {}
    }
    let all: Vec<&Row> = group.iter().map(|one| one.row).collect();
    let mut own = Vec::new();
    for (row, name) in all.iter().zip(titles::shared(&all).1) {
        if rows.iter().any(|one| one.row.index == row.index) {
            let name = name.replace("Sending", "sending");
            own.push(name.replace("Receiving", "receiving"));
        }
    }
    format!(" for {}", join(&own))
}

impl Answer {
    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(("", last)) => *last += text,
            _ => self.0.push(("", text.to_owned())),
        }
    }

    /// Writes `Transfer: as fast for sending and 1.12x slower for receiving.` for each group.
    fn sentences(&mut self, groups: &[Group<'_>]) {
        for (place, (name, rows)) in groups.iter().enumerate() {
            let (first, rest) = name.split_at(1);
            let space = if place > 0 { " " } else { "" };
            self.text(&format!("{space}{}{rest}: ", first.to_uppercase()));
            self.parts_of(rows);
            self.text(".");
        }
    }

    /// Writes `as fast for sending and 1.12x slower for receiving`.
    fn parts_of(&mut self, group: &[Compared<'_>]) {
        let mut parts = Vec::new();
        for direction in DIRECTIONS {
            let mut rows = group.to_vec();
            rows.retain(|row| row.verdict() == direction);
            parts.extend((!rows.is_empty()).then_some(rows));
        }
        for (index, rows) in parts.iter().enumerate() {
            self.text(match index {
                0 => "",
                _ if index + 1 == parts.len() => " and ",
                _ => ", ",
            });
            self.range(rows);
            self.text(&place(rows, group));
        }
    }

    /// Writes rows with one verdict: `1.15x to 2.16x faster`.
    fn range(&mut self, rows: &[Compared<'_>]) {
        let mut changes: Vec<Change> = rows.iter().map(|row| row.known.change).collect();
        changes.sort_by(|a, b| a.size().total_cmp(&b.size()));
        let ([first, ..], [.., last]) = (changes.as_slice(), changes.as_slice()) else {
            return;
        };
        let text = match [first, last].map(Change::amount) {
            [least, most] if least != most => format!("{least} to {last}"),
            _ => last.to_string(),
        };
        match rows[0].verdict() {
            Verdict::Same if first.kind.is_speed() => self.text("as fast"),
            Verdict::Same => self.text("no different"),
            Verdict::NotShown | Verdict::Untested => self.text("no difference shown"),
            Verdict::Better => self.0.push(("good", text)),
            Verdict::Worse => self.0.push(("bad", text)),
            Verdict::Differs => self.text(&text),
        }
    }

    /// Returns the sentences as HTML.
    pub(in crate::site) fn html(&self) -> String {
        let part = |(class, text): &(&str, String)| match *class {
            "" => html(text).into_owned(),
            class => format!("<b class=\"{class}\">{}</b>", html(text)),
        };
        self.0.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    const SENDING: &str = "transfer, 1.3, aes-256-gcm, sending";
    const RECEIVING: &str = "transfer, 1.3, aes-256-gcm, receiving";
    const RSA: &str = "full handshakes, 1.3, rsa, client";
    const ECDSA: &str = "full handshakes, 1.3, ecdsa, client";
    const MEMORY: &str = "memory, 1.3, 10000 sessions";

    /// The answer to rows with a label, the ratio of the candidate and the number of runs.
    fn text(rows: &[(&str, f64, usize)]) -> String {
        let mut table = "scenario,unit,implementation,run,value\n".to_owned();
        for (label, ratio, runs) in rows {
            let unit = match label.split([' ', ',']).next() {
                Some("transfer") => "MiB/s",
                Some("memory") => "KiB",
                Some("full") => "handshakes/s",
                _ => "ns",
            };
            for run in 1..=*runs {
                let noise = 1000.0 + (run % 5) as f64;
                table += &format!("\"{label}\",{unit},a,{run},{noise}\n");
                table += &format!("\"{label}\",{unit},b,{run},{}\n", noise * ratio);
            }
        }
        let report = Report::example("x", "", &table);
        let mut text = String::new();
        for (class, part) in answer(&report.compare([0, 1])).0 {
            text += match class {
                "good" => "+",
                "bad" => "-",
                _ => "",
            };
            text += &part;
        }
        text
    }

    #[test]
    fn each_kind_of_work_is_a_sentence() {
        let rows = [
            (RSA, 2.16, 20),
            (ECDSA, 1.5, 20),
            (SENDING, 1.001, 20),
            (RECEIVING, 1.0 / 1.12, 20),
            (MEMORY, 0.43, 20),
        ];
        assert_eq!(
            text(&rows),
            "In part. Transfer: as fast for sending and -1.12x slower for receiving. Full handshakes: +1.50x to 2.16x faster. Memory: +57% less."
        );
    }

    #[test]
    fn what_is_not_tested_is_no_part() {
        assert_eq!(
            text(&[(RSA, 2.0, 1), (ECDSA, 1.5, 20)]),
            "Yes. Full handshakes: +1.50x faster."
        );
        assert!(text(&[(RSA, 2.0, 3)]).starts_with("Nothing is tested"));
    }

    #[test]
    fn no_and_in_part() {
        let none = [(RSA, 1.0, 20), (SENDING, 1.0, 20)];
        assert_eq!(
            text(&none),
            "No. Transfer: as fast. Full handshakes: as fast."
        );
        let unclear = [(RSA, 1.0, 20), (SENDING, 1.0099, 20)];
        assert_eq!(
            text(&unclear),
            "No difference is shown. Transfer: no difference shown. Full handshakes: as fast."
        );
        let slower = [(RSA, 0.5, 20), (SENDING, 1.0, 20)];
        assert_eq!(
            text(&slower),
            "No. Transfer: as fast. Full handshakes: -2.00x slower."
        );
        let both = [(RSA, 0.5, 20), (ECDSA, 2.0, 20)];
        assert_eq!(
            text(&both),
            "In part. Full handshakes: +2.00x faster for ECDSA P-256 and -2.00x slower for RSA-2048."
        );
        let benchmarks = [("parse", 1.0 / 1.3, 20), ("print", 1.0 / 1.1, 20)];
        assert_eq!(
            text(&benchmarks),
            "Yes. Benchmarks: +1.10x to 1.30x faster."
        );
    }
}
