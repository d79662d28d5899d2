//! `generator bisect`: finds the release or the commit at which a scenario changed.

mod candidate;
mod report;

use super::plan::{self, RunPlan};
use super::session::Session;
use super::{print, runners};
use crate::cli::Bisect;
use crate::failure::{Failure, Result};
use crate::observation::{Observation, Value};
use crate::page::count;
use crate::run::bisect::{Measure, Question, Search};
use crate::run::build::BuildCache;
use crate::run::catalog::Catalog;
use crate::run::measure::{Measurement, NoSample};
use crate::run::plan::{Done, Step, whole};
use crate::run::program::Program;
use crate::run::progress::StepProgress;
use crate::run::results;
use crate::run::suite::Suite;
use crate::run::target::Target;
use crate::run::times::Times;
use crate::scenario::Scenario;
use crate::stats::Sample;
use crate::unit::Unit;
use anyhow::{Context, anyhow};
use candidate::{Candidate, candidates};
use std::ops::RangeInclusive;

/// A step whose process fails this often cannot be measured.
const MAX_FAILURES: u32 = 3;

/// Measures candidates into a report's folder.
struct Bench<'a> {
    session: Session<'a>,
    measurement: Measurement,
    catalog: Catalog,
    candidates: Vec<Candidate>,
    suite: Suite,
    scenario: Scenario,
    /// The only scenario and unit that match the filter, once known.
    row: Option<(Scenario, Unit)>,
    skipped: usize,
}

/// Runs the command.
pub(in crate::cmd) fn bisect(arguments: &Bisect) -> Result<()> {
    let how = &arguments.measuring;
    let runners = runners(how)?;
    let work = runners.with_file_name("target/run");
    let mut catalog = Catalog::read(&runners, &work)?;
    let candidates = candidates(&arguments.range, &mut catalog)?;
    let plan = RunPlan::new(how, &arguments.out)?;
    let (suite, scenario) = only_scenario(&plan)?;
    let cache = BuildCache::new(&runners, &work)?;
    let times = Times::read(&work, how.multiplier)?;
    if how.dry_run {
        let targets: Vec<Target> = candidates.iter().filter_map(|c| c.target.clone()).collect();
        let commits = candidates.iter().filter(|c| c.target.is_none());
        let commits: String = commits.map(|c| format!("{}\n", c.title)).collect();
        return print(&format!(
            "{}{commits}",
            plan::list(&targets, &cache, &times)?
        ));
    }
    let last = candidates.len() - 1;
    let session = Session::begin(plan, cache, times, &work)?;
    let mut bench = Bench {
        measurement: session.measurement(false, false)?,
        session,
        catalog,
        candidates,
        suite,
        scenario,
        row: None,
        skipped: 0,
    };
    bench.build(0)?;
    bench.build(last)?;
    bench.session.warn();
    let unit = bench.choose_row(last)?;
    let question = Question {
        better: unit.better(),
        kind: unit.kind(),
        threshold: arguments.threshold / 100.0,
        max_runs: arguments.max_runs,
    };
    let search = Search::new(&mut bench, question, last);
    let alpha = search.alpha();
    let outcome = search.run()?;
    bench.report(&outcome, alpha)
}

/// Returns the only scenario that matches the filter. Its side is known once it is measured.
fn only_scenario(plan: &RunPlan<'_>) -> Result<(Suite, Scenario)> {
    let suites = plan.suites();
    let all = suites
        .iter()
        .flat_map(|(suite, all)| all.iter().map(|one| (*suite, one.clone())));
    let all: Vec<(Suite, Scenario)> = all.collect();
    let labels: Vec<String> = all.iter().map(|(_, scenario)| scenario.label()).collect();
    match all.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(Failure::Usage(not_one("scenario", &labels))),
    }
}

/// Says that the filter leaves none or several. `what` is `scenario`, as long as sides are not
/// known, or `figure`.
fn not_one(what: &str, labels: &[String]) -> String {
    const FOLLOWS: &str = "a search follows one figure, but -f and -F leave";
    if labels.is_empty() {
        return format!("{FOLLOWS} no {what}");
    }
    let left = count(labels.len(), what);
    let all = labels.join("\n  ");
    format!(
        "{FOLLOWS} {left}; name one from start to end, such as -f '^full handshakes, 1.3, rsa, client$':\n  {all}"
    )
}

impl Measure for Bench<'_> {
    fn prepare(&mut self, step: usize) -> Result<bool> {
        let failure = match self.build(step) {
            Ok(()) => return Ok(true),
            Err(failure @ Failure::Interrupted { .. }) => return Err(failure),
            Err(failure) => failure,
        };
        self.skipped += 1;
        let title = &self.candidates[step].title;
        crate::inform!("skipped: {title}: {failure}");
        Ok(false)
    }

    fn measure(
        &mut self,
        steps: &[usize],
        runs: RangeInclusive<u32>,
    ) -> Result<Option<Vec<Sample>>> {
        let todo = self.todo(steps, runs.clone())?;
        let progress = StepProgress::new(todo.len());
        for step in todo {
            if let Err(why) = self.one(&step, &progress)? {
                progress.say(&format!(
                    "failed: {}: {why}",
                    self.candidates[step.program].title
                ));
                return Ok(None);
            }
        }
        drop(progress);
        let samples = steps.iter().map(|step| self.sample(*step, runs.clone()));
        samples.collect::<Result<Vec<Sample>>>().map(Some)
    }

    fn report(&mut self, step: usize, has_change: Option<bool>) {
        let what = match has_change {
            Some(true) => "has the change",
            Some(false) => "does not have the change",
            None => "shows nothing",
        };
        crate::inform!("{}: {what}", self.candidates[step].title);
    }
}

impl Bench<'_> {
    /// Builds a candidate, if it is not built yet, and adds it to the report.
    fn build(&mut self, step: usize) -> Result<()> {
        let candidate = &mut self.candidates[step];
        if candidate.program.is_some() {
            return Ok(());
        }
        if let Some(spec) = &candidate.spec {
            candidate.target = self.catalog.find(spec, None)?.pop();
        }
        let target = candidate
            .target
            .as_ref()
            .context("a candidate is nothing")?;
        let program = self.session.build(target)?;
        candidate.program = Some(program);
        // Adds all of them, because the report keeps them in this order.
        let built = self.candidates.iter().filter_map(|c| c.program.clone());
        self.session.add(&built.collect::<Vec<Program>>())
    }

    fn program(&self, step: usize) -> Result<&Program> {
        let program = self.candidates[step].program.as_ref();
        Ok(program.context("a candidate was not built")?)
    }

    /// Measures one file of results. The inner error says why there is none.
    fn one(&mut self, step: &Step, progress: &StepProgress) -> Result<Result<(), String>> {
        let what = format!("{}, run {}", self.candidates[step.program].title, step.run);
        let program = self.program(step.program)?;
        let mut outcome = Ok(());
        for _ in 0..MAX_FAILURES {
            let tick = || progress.tick(&what, None);
            tick();
            outcome = match self.measurement.step(program, step, &tick) {
                Ok(()) => Ok(()),
                Err(NoSample::Failed(why)) => Err(why),
                Err(NoSample::Fatal(failure)) => {
                    return Err(failure
                        .interrupted(|message| format!("{message}; the same command continues")));
                }
            };
            if outcome.is_ok() {
                break;
            }
        }
        progress.end();
        Ok(outcome)
    }

    /// Returns what is not measured yet. Since `steps` come in the order of the search, the same
    /// command continues where it was interrupted.
    fn todo(&self, steps: &[usize], runs: RangeInclusive<u32>) -> Result<Vec<Step>> {
        let ids = steps
            .iter()
            .map(|step| Ok(self.program(*step)?.id.as_str()));
        let ids: Vec<&str> = ids.collect::<Result<_>>()?;
        let RunPlan { out, record, .. } = &self.session.plan;
        let suites = [(self.suite, vec![self.scenario.clone()])];
        let done = Done::read(out, &ids)?;
        let mut todo = crate::run::plan::steps(&ids, &suites, runs, record.seed, &done)?;
        for step in &mut todo {
            step.program = steps[step.program];
        }
        Ok(todo)
    }

    /// Reads a candidate's rows of the scenario in the suite, each with its run.
    fn rows(&self, step: usize) -> Result<Vec<(u32, Observation)>> {
        let files = results::read(&self.session.plan.out.join(&self.program(step)?.id))?;
        let is_counted = self.suite.is_counted();
        let files = files.into_iter();
        let files = files.filter(|(name, _)| name.suite.is_counted() == is_counted);
        let rows = files.flat_map(|(name, file)| {
            let rows = file.parsed.observations.into_iter();
            rows.map(move |row| (name.run, row))
        });
        let rows = rows.filter(|(_, row)| whole(&row.scenario) == self.scenario);
        Ok(rows.collect())
    }

    /// Measures both ends once to learn the rows, and chooses the only one that matches the filter.
    /// Returns its unit.
    fn choose_row(&mut self, last: usize) -> Result<Unit> {
        let todo = self.todo(&[0, last], 1..=1)?;
        let progress = StepProgress::new(todo.len());
        for step in todo {
            let outcome = self.one(&step, &progress)?;
            outcome.map_err(|why| anyhow!("{}: {why}", self.candidates[step.program].title))?;
        }
        drop(progress);
        let filter = &self.session.plan.how.filter;
        let mut rows = self.rows(0)?;
        rows.retain(|(_, row)| filter.wants(&row.scenario.label()));
        // Of several units, follow instructions, or else the one that is printed first.
        rows.sort_by_key(|(_, row)| row.unit != Unit::INSTRUCTIONS);
        let mut found: Vec<(Scenario, Unit)> = Vec::new();
        for (_, row) in rows {
            if let Value::Unsupported(why) = &row.value {
                let (title, label) = (&self.candidates[0].title, row.scenario.label());
                return Err(Failure::Usage(format!(
                    "{title} does not support `{label}`: {why}"
                )));
            }
            if !found.iter().any(|(scenario, _)| *scenario == row.scenario) {
                found.push((row.scenario, row.unit));
            }
        }
        let labels: Vec<String> = found.iter().map(|(scenario, _)| scenario.label()).collect();
        match <[_; 1]>::try_from(found) {
            Ok([(scenario, unit)]) => {
                self.row = Some((scenario, unit.clone()));
                Ok(unit)
            }
            Err(_) => Err(Failure::Usage(not_one("figure", &labels))),
        }
    }

    /// Returns the values of a candidate in these runs.
    fn sample(&self, step: usize, runs: RangeInclusive<u32>) -> Result<Sample> {
        let (wanted, unit) = self.row.as_ref().context("no figure was chosen")?;
        let rows = self.rows(step)?.into_iter();
        let rows = rows.filter(|(run, _)| runs.contains(run));
        let rows = rows.filter(|(_, row)| row.scenario == *wanted && row.unit == *unit);
        let values = rows.filter_map(|(_, row)| match row.value {
            Value::Number(value) => Some(value),
            _ => None,
        });
        let title = &self.candidates[step].title;
        let sample = Sample::new(values.collect());
        Ok(sample.with_context(|| format!("{title} has no figure of `{}`", wanted.label()))?)
    }
}
