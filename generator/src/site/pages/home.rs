//! The front page: a question about two builds, its answer with a dot plot, what the last release,
//! the provider and a load come to, every release by its day, and the newest reports. It is a
//! section that is not a page: the template of the front page shows it.

use super::direction::Direction;
use super::index::listed;
use super::releases::intro;
use crate::base::words::join;
use crate::model::implementation::Implementation;
use crate::model::scenario::Workload;
use crate::model::unit::{MIB, Unit};
use crate::report::history::Histories;
use crate::report::{
    BuildPair, ComparedMachine, Costs, LOAD, ReleaseSeries, Report, Row, newest_steady, shifts,
    titles,
};
use crate::site::front_matter::FrontMatter;
use crate::site::graphs::releases::graph;
use crate::site::graphs::Graph;
use crate::site::renderer::{Pages, Renderer, entry, put_graphs};
use crate::site::tables::costs;
use crate::site::tables::levels::levels;
use crate::site::words::answer::{Answer, answer, differences};
use crate::site::words::finding::{last_level, last_release};
use crate::site::words::phrases::sentences;
use crate::stats::MIN_LEVEL;
use anyhow::Result;
use serde_json::{Value as Json, json};

/// Graphs over the releases, and reports.
const MAX_GRAPHS: usize = 2;
const MAX_REPORTS: usize = 3;

/// Commits of a branch with new levels.
const MAX_SHIFTS: usize = 10;

/// What a build of a library can be made with: a question, and the parts of variants that answer
/// it.
const CHOICES: [(&str, &[&str]); 2] = [
    ("Which provider?", &["aws-lc-rs", "ring", "graviola"]),
    ("Which allocator?", &["jemalloc", "malloc"]),
];

impl Renderer<'_> {
    /// Renders the section; none without two builds of one machine.
    pub(crate) fn home(
        &self,
        machines: &[ComparedMachine<'_>],
        reports: &[&Report],
        histories: &Histories<'_>,
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
        let machine = newest_steady(&candidates).and_then(machine_of);
        let Some((machine, pair)) = machine.and_then(|m| Some((m, m.compare(m.start())?))) else {
            return Ok(pages);
        };
        let mut head = FrontMatter::section("home", "Home", "");
        head.render = Some(false);
        let up = format!("{}/", self.section);
        let newest = reports.iter().take(MAX_REPORTS);
        let newest: Json = newest.map(|report| listed(report)).collect();
        let direction = Direction::new(machine, &pair);
        let [baseline, candidate] = pair.sides;
        let report = machine.reports[pair.reports[1]].report;
        let series = histories.releases_in(report);
        if let Some(branch) = series.iter().find(|series| series.is_of_branch()) {
            let (of_branch, graphs) = of_branch(branch);
            put_graphs(&mut pages, &mut head, "home/", &graphs);
            let view = json!({
                "up": up,
                "branch": of_branch,
                "graphs": graphs,
                "report": entry(report),
                "reports": newest,
                "number": reports.len(),
            });
            self.put(&mut pages, head, "home.md.tera", &view)?;
            return Ok(pages);
        }
        let is_one_library = machine
            .builds
            .iter()
            .all(|b| b.name == machine.builds[0].name);
        let of_builds = Costs::of(machine, pair.reports[1]);
        let load = of_builds[candidate].cores().map(|_| {
            json!({
                "start": LOAD,
                "needs": [costs::need(&of_builds[candidate]), costs::need(&of_builds[baseline])],
                "memory": of_builds[candidate].memory().is_some(),
                "basis": basis(machine, pair.reports[1], [candidate, baseline]),
                "table": costs::table(machine, &of_builds),
            })
        });
        let graphs = releases_over_time(report, series);
        put_graphs(&mut pages, &mut head, "home/", &graphs);
        let view = json!({
            "up": up,
            "question": match is_one_library {
                true => ["Did", "get faster since", "?"],
                false => ["Is", "faster than", "?"],
            },
            "names": machine.names,
            "libraries": offered(machine),
            "sides": pair.sides,
            "file": machine.file,
            "machine": machine.name,
            "answer": answer(direction.headlines.clone()).html(),
            "line": machine.line(pair.reports[1]),
            "report": entry(report),
            "plot": self.plot(&direction.headline_plot(&up))?,
            // Of one library, the page asks nothing else.
            "releases": (!is_one_library).then(|| last_releases(machine, &pair, series)),
            "variants": variants(machine, candidate),
            "load": load,
            "measured": if series.is_empty() { String::new() } else { intro(series) },
            "graphs": graphs,
            "reports": newest,
            "number": reports.len(),
        });
        self.put(&mut pages, head, "home.md.tera", &view)?;
        Ok(pages)
    }
}

/// The builds by library, each with its place.
fn offered<'m>(machine: &'m ComparedMachine<'_>) -> Vec<(&'m str, Vec<(usize, &'m String)>)> {
    let mut builds = machine.names.iter().enumerate();
    let libraries = machine.libraries().into_iter();
    libraries
        .map(|(library, number)| (library, builds.by_ref().take(number).collect()))
        .collect()
}

/// Says with which key exchange the handshakes of a load are, and what it needs with the default ones.
fn basis(machine: &ComparedMachine<'_>, report: usize, builds: [usize; 2]) -> String {
    let keys = machine
        .headlines
        .iter()
        .map(|place| machine.rows[*place].key.0);
    let group = keys.filter_map(|scenario| scenario.group).next();
    let with = group.map(|group| format!("Handshakes are with {}.", titles::group(group)));
    let mut by_default = Vec::new();
    for build in builds {
        let costs = Costs::by_default(machine, report, build);
        if let Some(cores) = costs.and_then(|costs| costs.cores()) {
            by_default.push(format!("{} {cores:.1}", machine.names[build]));
        }
    }
    let of_default = (!by_default.is_empty()).then(|| {
        let [connections, percent, gbit, _] = LOAD;
        format!(
            "With the key exchange that each prefers, {connections} connections, {percent}% of them resumed, and {gbit} Gbit/s take {} cores.",
            join(&by_default)
        )
    });
    sentences([with, of_default]).unwrap_or_default()
}

/// Whether the last commit of a branch got slower, the commits with new levels, and graphs of the
/// rows that have the newest of them.
fn of_branch(series: &ReleaseSeries<'_>) -> (Json, Vec<Graph>) {
    let report = series.report;
    let mut shifts = shifts(&report.data.rows);
    let tested = last_release(series).map(|found| found.join(" "));
    let level = last_level(report).unwrap_or_default();
    let answer = tested.unwrap_or_else(|| {
        let last = series.newest();
        format!("One run of {last} cannot tell: a level counts as new after {MIN_LEVEL} commits. {level}")
    });
    let mut rows: Vec<&Row> = Vec::new();
    for (row, _) in shifts.iter().flat_map(|shift| &shift.levels) {
        if !rows.iter().any(|known| known.index == row.index) {
            rows.push(row);
        }
    }
    rows.extend(report.headlines());
    rows.truncate(MAX_GRAPHS);
    let number = shifts.len();
    shifts.truncate(MAX_SHIFTS);
    let view = json!({
        "answer": answer,
        "note": report.data.branch_note(),
        "levels": levels(&shifts),
        "number": number,
        "shown": shifts.len(),
    });
    (view, drawn(std::slice::from_ref(series), rows))
}

/// Whether the last release got faster, for each side that has two: the answer and a detail. Empty
/// unless the candidate has.
fn last_releases(
    machine: &ComparedMachine<'_>,
    pair: &BuildPair<'_>,
    series: &[ReleaseSeries<'_>],
) -> Vec<[String; 2]> {
    let [baseline, candidate] = pair.sides.map(|build| machine.builds[build]);
    let of = |build: &Implementation| {
        let same = |s: &&ReleaseSeries<'_>| {
            s.newest().name == build.name && s.newest().variant == build.variant
        };
        series.iter().find(same).and_then(last_release)
    };
    let Some(subject) = of(candidate) else {
        return Vec::new();
    };
    let rival = of(baseline).filter(|_| baseline.name != candidate.name);
    [subject].into_iter().chain(rival).collect()
}

/// The questions which variant of a build's release is faster, with their answers: those of
/// [`CHOICES`], else one about any other part.
fn variants(machine: &ComparedMachine<'_>, subject: usize) -> Vec<Json> {
    let build = machine.builds[subject];
    let mut answers = Vec::new();
    let mut others = Vec::new();
    for (place, other) in machine.builds.iter().enumerate() {
        // Builds of one release that differ in one part.
        if let Some(ours) = only_in(&build.variant, &other.variant)
            && let Some(theirs) = only_in(&other.variant, &build.variant)
            && other.is_release(build)
        {
            others.push((place, [ours, theirs]));
        }
    }
    for (question, known) in CHOICES {
        let other = others
            .iter()
            .find(|(_, parts)| parts.iter().all(|part| known.contains(part)));
        answers.extend(
            other.and_then(|(place, parts)| variant(machine, [*place, subject], question, *parts)),
        );
    }
    if answers.is_empty() {
        let other = others.first();
        answers.extend(other.and_then(|(place, parts)| {
            variant(machine, [*place, subject], "Which build?", *parts)
        }));
    }
    answers
}

/// A question about two builds that differ in one part, with their footprint and who has which
/// part.
fn variant(
    machine: &ComparedMachine<'_>,
    sides: [usize; 2],
    question: &str,
    [ours, theirs]: [&str; 2],
) -> Option<Json> {
    let pair = machine.compare(sides)?;
    let found = differences(Direction::new(machine, &pair).headlines);
    // The size of the program and the time to build it.
    let mut details = Vec::new();
    for (row, _) in pair.table.known() {
        let [Some(old), Some(new)] = row.estimates else {
            continue;
        };
        let [old, new] = [old, new].map(|value| row.row.unit.printed(value));
        if row.row.unit == Unit::SIZE {
            details.push(format!(
                "Program: {:.1} against {:.1} MiB.",
                new / MIB,
                old / MIB
            ));
        } else if row.row.scenario.workload == Workload::Build {
            details.push(format!(
                "Build: {:.0} against {:.0} s.",
                new / 1e9,
                old / 1e9
            ));
        }
    }
    if theirs == "malloc" || ours == "malloc" {
        details.push("A build that names no allocator has the system's malloc.".to_owned());
    }
    (!found.is_empty()).then(|| {
        json!({
            "question": question,
            "lead": format!("{ours} against {theirs}"),
            "differences": found.iter().map(Answer::html).collect::<Json>(),
            "details": details.join(" "),
        })
    })
}

/// Returns the only part of a variant that another lacks.
fn only_in<'a>(variant: &'a [String], other: &[String]) -> Option<&'a str> {
    let mut own = variant.iter().filter(|part| !other.contains(part));
    own.next()
        .filter(|_| own.next().is_none())
        .map(String::as_str)
}

/// The graphs of the first headline scenario of each kind of work over the releases, for the page
/// itself.
fn releases_over_time(report: &Report, series: &[ReleaseSeries<'_>]) -> Vec<Graph> {
    let mut rows = report.headlines();
    rows.dedup_by(|a, b| a.scenario.workload == b.scenario.workload);
    drawn(series, rows)
}

/// Draws the first of these rows over the releases.
fn drawn(series: &[ReleaseSeries<'_>], rows: Vec<&Row>) -> Vec<Graph> {
    let graphs = rows
        .into_iter()
        .filter_map(|row| graph(series, row, |_| true));
    graphs.take(MAX_GRAPHS).collect()
}
