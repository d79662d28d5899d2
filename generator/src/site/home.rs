//! The front page: a question about two builds, its answer with a dot plot, what the last release, the
//! provider and a load come to, every release by its day, and the newest reports. It is a section that is
//! not a page: the template of the front page shows it.

use super::answer::{Answer, answer, differences};
use super::compare::{ComparedMachine, Judged};
use super::costs::{Costs, LOAD};
use super::front_matter::FrontMatter;
use super::headline::{finding, headlines};
use super::index::newest_steady;
use super::releases::graph;
use super::renderer::{Pages, Renderer, entry};
use super::{count, join};
use crate::model::implementation::Implementation;
use crate::model::scenario::Workload;
use crate::model::unit::{Kind, MIB, Unit};
use crate::report::history::Histories;
use crate::report::{ComparedRow, ReleaseSeries, Report};
use crate::stats::Verdict;
use anyhow::Result;
use serde_json::{Value as Json, json};

/// Graphs over the releases, and reports.
const MAX_GRAPHS: usize = 2;
const MAX_REPORTS: usize = 3;

/// The crypto providers of libraries that have several.
const PROVIDERS: [&str; 3] = ["aws-lc-rs", "ring", "graviola"];

impl Renderer<'_> {
    /// Renders the section; none without two builds of one machine.
    pub(crate) fn home(
        &self,
        machines: &[ComparedMachine<'_>],
        reports: &[&Report],
        histories: &Histories<'_>,
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        let of_machines = |report: &&Report| {
            let has = |m: &ComparedMachine<'_>| m.reports.iter().any(|r| std::ptr::eq(*r, *report));
            machines.iter().any(has)
        };
        let candidates: Vec<&Report> = reports.iter().copied().filter(of_machines).collect();
        let newest = newest_steady(&candidates);
        let is_newest = |m: &&ComparedMachine<'_>| {
            newest.is_some_and(|newest| m.reports.iter().any(|r| std::ptr::eq(*r, newest)))
        };
        let machine = machines.iter().find(is_newest);
        let Some((machine, judged)) = machine.and_then(|m| Some((m, m.judged(m.start())?))) else {
            return Ok(pages);
        };
        let mut head = FrontMatter::section("home", "Home", "");
        head.render = Some(false);
        let view = self.view(machine, &judged, reports, histories);
        self.put(&mut pages, head, "home.md.tera", &view)?;
        Ok(pages)
    }

    fn view(
        &self,
        machine: &ComparedMachine<'_>,
        judged: &Judged<'_>,
        reports: &[&Report],
        histories: &Histories<'_>,
    ) -> Json {
        let [baseline, candidate] = judged.sides;
        let up = format!("{}/", self.section);
        let report = machine.reports[judged.meeting[1]];
        let series = histories.releases_in(report);
        let is_one_library = machine
            .builds
            .iter()
            .all(|b| b.name == machine.builds[0].name);
        let costs = Costs::of(machine, judged.meeting[1], candidate);
        let load = (!costs.is_empty()).then(|| {
            json!({
                "connections": LOAD.connections,
                "resumed": LOAD.percent_resumed,
                "gbit": LOAD.gbit,
                "needs": [costs[candidate].need(), costs[baseline].need()],
                "table": Costs::table(machine, &costs),
            })
        });
        let newest = reports.iter().take(MAX_REPORTS).map(|report| {
            let mut one = entry(report);
            one["finding"] = finding(report).into();
            one["day"] = report
                .day
                .map(|day| day.strftime("%-d %b %Y").to_string())
                .into();
            one
        });
        json!({
            "up": up,
            "question": match is_one_library {
                true => ["Did", "get faster since", "?"],
                false => ["Is", "faster than", "?"],
            },
            "names": machine.names(),
            "sides": judged.sides,
            "file": machine.file,
            "machine": machine.name,
            "answer": answer(machine.at_a_glance(&judged.table)).html(),
            "line": machine.line(judged.meeting[1]),
            "report": entry(report),
            "plot": machine.plot(judged, &up).html(),
            // Of one library, the page asks nothing else.
            "releases": last_releases(machine, judged, series).filter(|_| !is_one_library),
            "variant": variant(machine, judged),
            "load": load,
            "graphs": releases_over_time(report, series),
            "reports": newest.collect::<Vec<Json>>(),
            "number": reports.len(),
        })
    }
}

/// The question whether the last release got faster, with the answer for each side that has two.
fn last_releases(
    machine: &ComparedMachine<'_>,
    judged: &Judged<'_>,
    series: &[ReleaseSeries<'_>],
) -> Option<Json> {
    let [baseline, candidate] = judged.sides.map(|build| machine.builds[build]);
    let of = |build: &Implementation| {
        let same = |s: &&ReleaseSeries<'_>| {
            s.newest().name == build.name && s.newest().variant == build.variant
        };
        series.iter().find(same).and_then(last_release)
    };
    let subject = of(candidate)?;
    let rival = of(baseline).filter(|_| baseline.name != candidate.name);
    Some(json!({"subject": subject, "rival": rival}))
}

/// `rustls 0.23.46: no change against 0.23.44 in 41 scenarios.` and the last release that changed something.
fn last_release(series: &ReleaseSeries<'_>) -> Option<[String; 2]> {
    let is_release = |step: &usize| !series.implementation(step + 1).version.is_pre_release();
    let mut steps = (0..series.columns.len() - 1).rev().filter(is_release);
    let last = steps.next()?;
    let speeds = |step: usize| -> Vec<&ComparedRow<'_>> {
        let rows = series
            .rows
            .iter()
            .filter(|r| r.row.unit.kind() == Kind::Rate && r.row.scenario.percentile.is_none());
        let judged = rows.filter_map(|row| row.steps[step].as_ref());
        judged
            .filter(|row| row.is_change() || row.verdict() == Some(Verdict::None))
            .collect()
    };
    let [before, newest] = [last, last + 1].map(|place| series.implementation(place));
    let rows = speeds(last);
    let changed = |wanted: Verdict| {
        rows.iter()
            .filter(|row| row.verdict() == Some(wanted))
            .count()
    };
    let numbers = [
        (changed(Verdict::Faster), "faster"),
        (changed(Verdict::Slower), "slower"),
    ];
    let numbers: Vec<String> = numbers
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    let (release, version) = (newest.release(), &before.version);
    let scenarios = count(rows.len(), "scenario");
    let largest = |rows: &[&ComparedRow<'_>]| {
        let changed = rows.iter().filter(|row| row.is_change());
        let sizes = changed.filter_map(|row| Some((row.comparison?.change, row.scenario.label())));
        let largest = sizes.max_by(|a, b| a.0.size().total_cmp(&b.0.size()));
        largest.map(|(change, label)| format!("{change} in {label}"))
    };
    if rows.is_empty() {
        return None;
    }
    match largest(&rows) {
        Some(largest) => Some([
            format!(
                "{release}: {} than {version} in {scenarios}.",
                join(&numbers)
            ),
            format!("The largest: {largest}."),
        ]),
        None => {
            let found = steps.find_map(|step| Some((step, largest(&speeds(step))?)));
            let detail = found.map_or_else(String::new, |(step, largest)| {
                format!(
                    "Last change: {}, {largest}.",
                    series.implementation(step + 1).version
                )
            });
            Some([
                format!("{release}: no change from {version} in {scenarios}."),
                detail,
            ])
        }
    }
}

/// The question which variant of the subject's release is faster, with its footprint.
fn variant(machine: &ComparedMachine<'_>, judged: &Judged<'_>) -> Option<Json> {
    let candidate = judged.sides[1];
    let build = machine.builds[candidate];
    // The only part that another build of the release has in place of one of this.
    let other_part = |other: &Implementation| {
        let missing = |from: &Implementation, of: &Implementation| -> Vec<String> {
            of.variant
                .iter()
                .filter(|part| !from.variant.contains(part))
                .cloned()
                .collect()
        };
        match (
            missing(other, build).as_slice(),
            missing(build, other).as_slice(),
        ) {
            ([ours], [theirs]) if other.is_release(build) => Some([ours.clone(), theirs.clone()]),
            _ => None,
        }
    };
    let is_provider = |parts: &[String; 2]| parts.iter().all(|part| PROVIDERS.contains(&&**part));
    let others = machine
        .builds
        .iter()
        .enumerate()
        .filter_map(|(n, other)| Some((n, other_part(other)?)));
    let (other, [ours, theirs]) = others.min_by_key(|(_, parts)| !is_provider(parts))?;
    let pair = machine.judged([other, candidate])?;
    let found = differences(machine.at_a_glance(&pair.table));
    if found.is_empty() {
        return None;
    }
    // The size of the program and the time to build it.
    let is_size = |row: &ComparedRow<'_>| *row.unit == Unit::SIZE;
    let is_time = |row: &ComparedRow<'_>| row.scenario.workload == Workload::Build;
    let mut footprint = Vec::new();
    for (row, _) in pair.table.known() {
        let [Some(old), Some(new)] = row.estimates else {
            continue;
        };
        let mib = |size: f64| format!("{:.1}", row.unit.printed(size) / MIB);
        let seconds = |time: f64| format!("{:.0}", row.unit.printed(time) / 1e9);
        if is_size(row) {
            footprint.push(format!("Program: {} against {} MiB", mib(new), mib(old)));
        } else if is_time(row) {
            footprint.push(format!(
                "build: {} against {} s",
                seconds(new),
                seconds(old)
            ));
        }
    }
    Some(json!({
        "question": if is_provider(&[ours.clone(), theirs.clone()]) { "Which provider?" } else { "Which build?" },
        "lead": format!("{ours} against {theirs}"),
        "differences": found.iter().map(Answer::html).collect::<Vec<String>>(),
        "footprint": footprint.join("; "),
    }))
}

/// The graphs of the first headline scenario of each kind of work over the releases, for the page itself.
fn releases_over_time(report: &Report, series: &[ReleaseSeries<'_>]) -> Vec<Json> {
    let mut rows = headlines(report);
    rows.dedup_by(|a, b| a.scenario.workload == b.scenario.workload);
    let graphs = rows.into_iter();
    let graphs = graphs.filter_map(|row| graph(series, row, |_| true));
    let shown = graphs.take(MAX_GRAPHS).map(
        |graph| json!({"title": graph.title, "alt": graph.alt, "panels": graph.drawing.panels()}),
    );
    shown.collect()
}
