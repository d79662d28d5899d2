//! The front page: a question about two builds, its answer with a dot plot, what the last release and the
//! variants of the subject come to, every release in its order, and the newest reports. It is a section that
//! is not a page: the template of the front page shows it.

use super::index::listed;
use super::sections::{CIRCLE, measured};
use super::topics::{Topic, by_unit};
use crate::base::escape::html;
use crate::report::{
    BuildPair, ComparedMachine, Link, Report, Series, Table, newest_tested, words,
};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::Graph;
use crate::site::graphs::releases::{graph, has_step};
use crate::site::links::Links;
use crate::site::renderer::{Pages, Renderer, entry, put_graphs};
use crate::site::tables::results::results;
use crate::site::words::answer::{answer, differences};
use crate::site::words::finding::cost_of_hybrids;
use crate::site::words::finding::{last_level, last_release};
use crate::stats::MIN_LEVEL;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Graphs over the releases, last releases, reports and variants.
const MAX_GRAPHS: usize = 2;
const MAX_RELEASES: usize = 2;
const MAX_REPORTS: usize = 3;
const MAX_VARIANTS: usize = 2;
/// Rows of the dot plot, as in `static/home.js`.
const MAX_DOTS: usize = 12;

impl Renderer<'_> {
    /// Renders the section; none without a report.
    pub(crate) fn home(
        &self,
        machines: &[ComparedMachine<'_>],
        reports: &[&Report],
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        let machine_of = |report: &Report| {
            let has = |m: &&ComparedMachine<'_>| {
                m.reports.iter().any(|own| own.report.name == report.name)
            };
            machines.iter().find(has)
        };
        let mut candidates = reports.to_vec();
        candidates.retain(|report| machine_of(report).is_some());
        let machine = newest_tested(&candidates).and_then(machine_of);
        let compared = machine.and_then(|m| Some((m, m.compare(m.start())?)));
        let report = match &compared {
            Some((machine, pair)) => Some(machine.reports[pair.reports[1]].report),
            None => reports.first().copied(),
        };
        let Some(report) = report else {
            return Ok(pages);
        };
        let series = report.series();
        let newest = reports.iter().take(MAX_REPORTS);
        let mut view = json!({
            "up": format!("{}/", self.section),
            "report": entry(report),
            "reports": newest.map(|report| listed(report)).collect::<Json>(),
            "number": reports.len(),
        });
        let mut rows = report.headlines();
        match (compared, series.iter().find(|series| series.is_of_branch())) {
            (_, Some(branch)) => {
                view["question"] = json!("Did the last commit get slower?");
                view["answer"] = json!(last_commit(branch));
                view["note"] = json!(report.branch_note());
                let levels = report.shifts().into_iter().flat_map(|(_, levels)| levels);
                rows = levels.map(|(row, _)| row).chain(rows).collect();
            }
            (Some((machine, pair)), None) => {
                self.of_pair(&mut view, machine, &pair, &series)?;
                rows.retain(|row| has_step(&series, row));
                rows.dedup_by(|a, b| a.scenario.workload == b.scenario.workload);
            }
            (None, None) => self.of_one(&mut view, report),
        }
        let mut known = HashSet::new();
        rows.retain(|row| known.insert(row.index));
        let graphs = rows.iter().filter_map(|row| graph(&series, row));
        let graphs: Vec<Graph> = graphs.take(MAX_GRAPHS).collect();
        let mut head = FrontMatter::section("home", "Home", "");
        head.render = Some(false);
        put_graphs(&mut pages, &mut head, "home/", &graphs);
        view["graphs"] = json!(graphs);
        self.put(&mut pages, head, "home.md.tera", &view)?;
        Ok(pages)
    }

    /// Adds the figures of a report in which nothing can be compared.
    fn of_one(&self, view: &mut Json, report: &Report) {
        view["question"] = json!(report.title());
        view["note"] = json!(words::runs_of(report));
        let mut shown = Table::of_rows(report, report.key_rows());
        shown.rows.truncate(MAX_DOTS);
        let tables = by_unit(&shown).into_iter();
        let tables = tables.flat_map(|own| results(&own, "Figures"));
        view["tables"] = json!(self.links("").tables(&Vec::from_iter(tables)));
    }

    /// Adds the question about two builds and all that answers it.
    fn of_pair(
        &self,
        view: &mut Json,
        machine: &ComparedMachine<'_>,
        pair: &BuildPair<'_>,
        series: &[Series<'_>],
    ) -> Result<()> {
        let [baseline, candidate] = pair.sides.map(|side| machine.builds[side]);
        let report = machine.reports[pair.reports[1]].report;
        let is_one_library = baseline.name == candidate.name;
        let links = self.links("");
        let headlines = pair.headlines(machine);
        let dots = &headlines[..headlines.len().min(MAX_DOTS)];
        view["words"] = match is_one_library && baseline.variant == candidate.variant {
            true => json!(["Did", "get faster since"]),
            false => json!(["Is", "faster than"]),
        };
        let mut names = machine.names.iter().enumerate();
        let libraries = machine.libraries().into_iter();
        let offered = libraries.map(|(library, number)| {
            let builds = names.by_ref().take(number);
            json!([library, builds.collect::<Vec<_>>()])
        });
        view["libraries"] = offered.collect();
        view["names"] = json!(machine.names);
        view["sides"] = json!(pair.sides);
        view["file"] = json!(machine.file);
        view["machine"] = json!(machine.name);
        view["answer"] = json!(answer(&headlines).html());
        view["line"] = json!(machine.line(pair.reports[1]));
        view["plot"] = json!(self.plot(pair.names(machine), dots, &links, false)?);
        let mut cards = Vec::new();
        let section = |id: &str| Some(format!("{}{}/#{id}", links.up, report.name));
        let sentences = series.iter().filter_map(last_release).take(MAX_RELEASES);
        let sentences: Vec<String> = sentences.map(|text| html(&text).into_owned()).collect();
        // Of one library, the question is that on its last release.
        if !is_one_library && !sentences.is_empty() {
            let title = "Did the last release get faster?".to_owned();
            cards.push((title, section("releases"), sentences));
        }
        if let Some(cost) = cost_of_hybrids(&report.exchanges()) {
            let title = "What does post-quantum cost?".to_owned();
            let cost = vec![html(&cost).into_owned()];
            cards.push((title, section(Topic::PostQuantum.id()), cost));
        }
        cards.extend(variants(machine, pair.sides[1], &links));
        view["cards"] = json!(cards);
        if !series.is_empty() {
            view["measured"] = json!(format!("{} {CIRCLE}", measured(series)));
        }
        Ok(())
    }
}

/// Whether the last commit of a branch got slower.
fn last_commit(series: &Series<'_>) -> String {
    last_release(series).unwrap_or_else(|| {
        let last = series.newest();
        let level = last_level(series.report).unwrap_or_default();
        format!("One run of {last} cannot tell: a level counts as new after {MIN_LEVEL} commits. {level}")
    })
}

/// A question that the front page answers beside its own: its title, where more of it is, and paragraphs as HTML.
type Card = (String, Option<String>, Vec<String>);

/// The variants of a build's release that were measured most, whatever they are, with what differs.
fn variants(machine: &ComparedMachine<'_>, subject: usize, links: &Links<'_>) -> Vec<Card> {
    let build = machine.builds[subject];
    let others = machine.builds.iter().enumerate();
    let others = others.filter(|(place, other)| *place != subject && other.is_release(build));
    let pairs = others.filter_map(|(place, _)| machine.compare([place, subject]));
    let mut pairs: Vec<BuildPair<'_>> = pairs.collect();
    pairs.sort_by_key(|pair| Reverse(pair.rows.len()));
    let mut found = Vec::new();
    for pair in pairs.into_iter().take(MAX_VARIANTS) {
        let differences = differences(&pair.headlines(machine)).html();
        let sides = [0, 1].map(|at| {
            let report = &machine.reports[pair.reports[at]].report.name;
            (report.clone(), machine.builds[pair.sides[at]].to_string())
        });
        let title = format!("Against {}", machine.names[pair.sides[0]]);
        let link = links.address(&Link::Pair(sides));
        found.extend((!differences.is_empty()).then(|| (title, link, vec![differences])));
    }
    found
}
