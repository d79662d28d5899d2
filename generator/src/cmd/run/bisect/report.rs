//! The outcome of a search, in words.

use super::Bench;
use crate::cmd::print;
use crate::cmd::run::turns;
use crate::failure::{Failure, Result};
use crate::page::count;
use crate::run::bisect::{ALPHA, Evidence, Outcome};
use anyhow::Context;

impl Bench<'_> {
    /// Prints the outcome. Fails if no change can be shown.
    pub(super) fn report(&self, outcome: &Outcome, alpha: f64) -> Result<()> {
        let (scenario, unit) = self.row.as_ref().context("no figure was chosen")?;
        let (label, unit) = (scenario.label(), unit.symbol());
        let title = |step: usize| &self.candidates[step].title;
        let last = self.candidates.len() - 1;
        let built = self
            .candidates
            .iter()
            .filter(|c| c.program.is_some())
            .count();
        let skipped = match self.skipped {
            0 => String::new(),
            n => format!(", {n} skipped"),
        };
        let all = self.candidates.len();
        let method = format!(
            "{built} of {all} steps built{skipped}; tested at p ≤ {alpha:.5}, the share of each test in a total level of {ALPHA}\n"
        );
        match outcome {
            Outcome::NoChange(evidence) => {
                let (first, last) = (title(0), title(last));
                let shown = words(evidence);
                print(&format!(
                    "{label}, in {unit}\nfrom {first}\nto   {last}: {shown}\n{method}"
                ))?;
                Err(Failure::Difference(format!(
                    "no change of `{label}` can be shown"
                )))
            }
            Outcome::Found {
                last_without,
                open,
                first,
                evidence,
                ends,
            } => {
                let mut text = format!(
                    "{label}, in {unit}\nfirst with the change: {}\n",
                    title(*first)
                );
                if !open.is_empty() {
                    let open: Vec<&str> = open.iter().map(|step| title(*step).as_str()).collect();
                    text += &format!(
                        "or one of these, which could not be judged: {}\n",
                        open.join("; ")
                    );
                }
                text += &format!("last without it:       {}\n", title(*last_without));
                text += &format!("between these two:     {}\n", words(evidence));
                text += &format!("from first to last:    {}\n{method}", words(ends));
                if !evidence.comparison.verdict.is_change() {
                    text += "between these two alone no change is shown: it may have come in several small steps\n";
                }
                print(&text)?;
                turns::finish(self.session.plan.out, &[])
            }
        }
    }
}

/// `1.08x slower, 95% interval of the ratio 0.915 to 0.931, p = 0.00016, 8 runs each`
fn words(evidence: &Evidence) -> String {
    let Evidence { comparison, runs } = evidence;
    let interval = comparison.interval.map_or(String::new(), |interval| {
        format!(
            ", 95% interval of the ratio {:.4} to {:.4}",
            interval.low, interval.high
        )
    });
    let p = comparison
        .test
        .map_or(String::new(), |test| format!(", p = {:.2e}", test.p));
    let change = match comparison.verdict.is_change() {
        true => comparison.change.to_string(),
        false => format!("no change shown, ratio {:.4}", comparison.change.ratio),
    };
    format!(
        "{change}{interval}{p}, {} each in turns",
        count(*runs as usize, "run")
    )
}
