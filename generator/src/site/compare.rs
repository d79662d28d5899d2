//! The page that compares two builds measured on one machine. Its files hold the
//! verdicts on every pair (`verdicts.rs`); the scripts of this page and of the front page only show them.

use super::answer::answer;
use super::dots::sparkline;
use super::front_matter::FrontMatter;
use super::phrases::precision;
use super::renderer::{Pages, Renderer, entry};
use super::{DotPlot, DotRow};
use crate::base::escape;
use crate::model::unit::Kind;
use crate::report::{ComparedMachine, ComparedRow, Judged, Key, Known, ShownRow};
use crate::stats::Verdict;
use anyhow::Result;
use serde_json::{Value as Json, json};

impl Renderer<'_> {
    /// Renders the page with the first comparison, an index of machines and builds, and the files of each
    /// machine.
    pub(crate) fn compare(&self, machines: &[ComparedMachine<'_>]) -> Result<Pages> {
        let head = FrontMatter::section(
            "compare",
            "Compare",
            "Two releases or implementations side by side, with a test of every difference.",
        );
        let mut pages = Pages::new();
        let mut put_json = |name: &str, value: &Json| {
            let bytes = format!("{}\n", escape::json(&value.to_string())).into_bytes();
            pages.insert(format!("compare/{name}.json"), bytes);
        };
        for machine in machines {
            put_json(&machine.file, &machine.figures());
            for (build, verdicts) in machine.verdicts().iter().enumerate() {
                put_json(&format!("{}.{build}", machine.file), verdicts);
            }
        }
        put_json(
            "index",
            &machines.iter().map(ComparedMachine::entry).collect(),
        );
        let mut known = machines.iter();
        let first = known.find_map(|m| Some((m, m.judged(m.start())?)));
        let view = match first {
            Some((machine, judged)) => self.compared(machine, &judged)?,
            None => json!({}),
        };
        self.put(&mut pages, head, "compare.md.tera", &view)?;
        Ok(pages)
    }

    /// The view of a comparison, as the script draws it, without the groups of rows that it folds.
    fn compared(&self, machine: &ComparedMachine<'_>, judged: &Judged<'_>) -> Result<Json> {
        let mut rows: Vec<Known<'_, '_>> = judged.table.known().collect();
        let group = |row: &Known<'_, '_>| kind((row.0.scenario, row.0.unit));
        let first = GROUPS
            .iter()
            .find(|of| rows.iter().any(|row| group(row) == **of));
        rows.retain(|row| Some(&group(row)) == first);
        let is_rate = rows.iter().any(|(row, _)| row.unit.kind() == Kind::Rate);
        let numbers = OUTCOMES.iter().filter_map(|(verdict, words, zero)| {
            let number = rows.iter().filter(|row| row.1.verdict == *verdict).count();
            (number > 0 || zero[usize::from(is_rate)]).then_some((number, words))
        });
        let means = judged.table.means().into_iter();
        let means = means.filter(|(symbol, ..)| {
            let scale = |(row, _): &Known<'_, '_>| judged.table.scale(row).symbol == *symbol;
            rows.iter().any(scale)
        });
        let means = means.map(|(symbol, n, mean)| format!("{mean} over {n} scenarios in {symbol}"));
        let mut plot = machine.plot(judged, &rows, "../");
        for (dot, (row, _)) in plot.rows.iter_mut().zip(&rows) {
            dot.evidence = Some(row.evidence());
        }
        plot.rows.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        Ok(json!({
            "answer": answer(machine.at_a_glance(judged)).html(),
            "bound": machine.bound(),
            "line": machine.line(judged.meeting[1]),
            "report": entry(machine.reports[judged.meeting[1]].report),
            "numbers": numbers.collect::<Vec<_>>(),
            "means": means.collect::<Vec<String>>().join("; "),
            "plot": self.plot(&plot)?,
        }))
    }
}

/// The groups of rows, in their order.
const GROUPS: [&str; 4] = ["speed", "latency", "memory", "counts"];

/// What verdicts are counted as, and whether a zero is shown among amounts, and among rates.
const OUTCOMES: [(Verdict, &str, [bool; 2]); 8] = [
    (Verdict::Faster, "faster", [false, true]),
    (Verdict::Slower, "slower", [false, true]),
    (Verdict::Less, "less", [true, false]),
    (Verdict::More, "more", [true, false]),
    (Verdict::None, "unchanged", [true; 2]),
    (Verdict::TooFew, "with too few runs", [false; 2]),
    (Verdict::Untested, "not tested (*)", [false; 2]),
    (Verdict::Unsteady, "unsteady", [false; 2]),
];

impl<'a> ComparedMachine<'a> {
    /// Returns what the scripts need before any verdict.
    fn entry(&self) -> Json {
        let reports: Vec<&str> = self.reports.iter().map(|r| &*r.report.name).collect();
        let builds: Vec<String> = self.builds.iter().map(ToString::to_string).collect();
        json!({
            "name": self.name,
            "file": self.file,
            "reports": reports,
            "builds": builds,
            "names": self.names,
            "start": self.start(),
            "bound": self.bound(),
        })
    }

    /// `30 of 500 builds can be chosen: …`; empty if all can.
    fn bound(&self) -> String {
        let (chosen, all) = (self.builds.len(), self.measured);
        match chosen == all {
            true => String::new(),
            false => format!(
                "{chosen} of {all} builds can be chosen: those of the newest reports, of each library the newest releases."
            ),
        }
    }

    /// Returns the place of a row of a comparison among those of the machine.
    pub(super) fn place(&self, judged: &Judged<'_>, row: &ComparedRow<'_>) -> usize {
        self.reports[judged.meeting[1]].places[row.index]
    }

    /// Returns the rows that say most, with their verdicts.
    pub(super) fn at_a_glance<'t>(&self, judged: &'t Judged<'a>) -> Vec<Known<'t, 'a>> {
        let rows = &judged.table.rows;
        let row = |place: &usize| {
            let index = self.reports[judged.meeting[1]].rows[*place]?.index;
            let found = rows.partition_point(|row| row.index < index);
            let row = rows.get(found).filter(|row| row.index == index)?;
            Some((row, row.comparison?))
        };
        self.glance.iter().filter_map(row).collect()
    }

    /// Returns the plot of rows; links lead from a page that is `up` from the section.
    pub(super) fn plot(&self, judged: &Judged<'a>, rows: &[Known<'_, '_>], up: &str) -> DotPlot {
        let [ours, theirs] = [1, 0].map(|side| self.names[judged.sides[side]].clone());
        let rows = rows.iter().map(|(row, known)| {
            let ShownRow { scale, address, .. } = &self.rows[self.place(judged, row)];
            let has_page = !address.is_empty();
            DotRow {
                href: has_page.then(|| format!("{up}scenarios/{address}/")),
                ..DotRow::of(row, known, scale)
            }
        });
        DotPlot {
            caption: format!("{ours} against {theirs}"),
            rows: rows.collect(),
            sides: [ours, theirs],
            ..DotPlot::default()
        }
    }

    /// Returns the plot of the rows that say most, with the history of each.
    pub(super) fn glance_plot(&self, judged: &Judged<'a>, up: &str) -> DotPlot {
        let rows = self.at_a_glance(judged);
        let mut plot = self.plot(judged, &rows, up);
        let sparks = self.sparks(judged.sides[1]);
        for ((row, _), dot) in rows.iter().zip(&mut plot.rows) {
            let place = self.place(judged, row);
            let place = self.glance.iter().position(|glance| *glance == place);
            dot.spark = place.map(|place| sparks[place].clone()).unwrap_or_default();
        }
        DotPlot {
            is_grouped: true,
            history: self.since(judged.sides[1]),
            ..plot
        }
    }

    /// Returns a sparkline of the releases up to a build for each of the rows that say most.
    pub(super) fn sparks(&self, build: usize) -> Vec<String> {
        let releases = self.releases(build);
        let report = self
            .meeting([build; 2])
            .map(|[report, _]| &self.reports[report]);
        let spark = |place: &usize| {
            let figure = |build: &usize| report?.cell(*place, *build)?.estimate();
            sparkline(&releases.iter().filter_map(figure).collect::<Vec<_>>())
        };
        self.glance.iter().map(spark).collect()
    }

    /// `AMD EPYC · 25 November 2026 · 20 runs of each · differences of 1% and more show`
    pub(super) fn line(&self, report: usize) -> String {
        let report = self.reports[report].report;
        let day = report.day.map(|day| day.strftime("%-d %B %Y").to_string());
        let parts = [Some(self.name.clone()), day].into_iter().flatten();
        let parts: Vec<String> = parts.chain(precision(report)).collect();
        parts.join(" · ")
    }
}

/// The place of a row on the page.
pub(super) fn kind((scenario, unit): Key<'_>) -> &'static str {
    match unit.kind() {
        Kind::Rate if scenario.percentile.is_some() => "latency",
        Kind::Rate => "speed",
        Kind::Amount => "memory",
        Kind::Count | Kind::Size => "counts",
    }
}
