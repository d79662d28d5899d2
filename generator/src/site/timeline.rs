//! The graph of every release: a scenario of one report over the days on which the releases came out, a line
//! for each library with its name at the right. Places are percentages, so that text keeps its size.

use crate::base::escape::html;
use crate::chart::look::Look;
use crate::model::implementation::Implementation;
use crate::model::unit::{Scale, group_thousands};
use crate::report::{Cell, ReleaseSeries, Report, Row, common_scale};
use jiff::ToSpan as _;
use jiff::civil::Date;

/// A release with its figure.
#[derive(Clone, Debug)]
struct Release<'a> {
    build: &'a Implementation,
    day: Date,
    /// In base units.
    figure: f64,
    /// The change from the release before, if a test shows one.
    step: Option<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    words: String,
    size: f64,
    is_up: bool,
}

/// The graph.
#[derive(Debug)]
pub(super) struct Timeline<'a> {
    scale: Scale,
    /// The releases of each library and variant, oldest first.
    lines: Vec<Vec<Release<'a>>>,
    looks: Vec<Look>,
    /// Releases whose day is unknown.
    pub(super) left_out: Vec<String>,
}

/// Steps with a label, and how far apart labels are, as shares of the width and the height.
const MAX_LABELS: usize = 4;
const APART: [f64; 2] = [0.2, 0.1];
/// Distance of names, and the room above the highest point, as shares of the height.
const NAME: f64 = 0.065;
const ABOVE: f64 = 0.12;
/// Most ticks of the axis of figures, and of the axis of days.
const MAX_TICKS: f64 = 5.0;
const MAX_DAYS: i32 = 8;

impl<'a> Timeline<'a> {
    /// Returns the graph of a row of a report; `None` if no library has two releases with known days.
    pub(super) fn of(report: &'a Report, row: &Row, series: &[ReleaseSeries<'_>]) -> Option<Self> {
        let data = &report.data;
        let mut left_out = Vec::new();
        let mut lines: Vec<Vec<Release<'a>>> = Vec::new();
        for (column, build) in data.implementations.iter().enumerate() {
            let estimate = row.cell(column).and_then(Cell::estimate);
            let Some(figure) = estimate.filter(|_| !build.version.is_pre_release()) else {
                continue;
            };
            let Some(day) = report.manifest.released(build) else {
                left_out.push(build.release());
                continue;
            };
            let release = Release {
                build,
                day,
                figure,
                step: series.iter().find_map(|series| step(series, column, row)),
            };
            let same = |line: &&mut Vec<Release<'_>>| {
                line[0].build.name == build.name && line[0].build.variant == build.variant
            };
            match lines.iter_mut().find(same) {
                Some(line) => line.push(release),
                None => lines.push(vec![release]),
            }
        }
        for line in &mut lines {
            line.sort_by(|a, b| a.build.version.cmp(&b.build.version));
        }
        // Another variant of one release is a dot that says nothing about releases.
        let usual =
            |build: &Implementation| data.implementations.iter().find(|i| i.name == build.name);
        lines.retain(|line| line.len() > 1 || usual(line[0].build) == Some(line[0].build));
        let figures = row
            .cells
            .iter()
            .flatten()
            .filter_map(|cell| cell.figure.as_ref());
        lines.iter().any(|line| line.len() > 1).then(|| Self {
            scale: common_scale(&row.unit, figures),
            looks: lines
                .iter()
                .map(|line| data.look_of(&line[0].build.name))
                .collect(),
            lines,
            left_out,
        })
    }

    /// `hs/s, higher is better`
    pub(super) fn unit(&self, direction: &str) -> String {
        format!("{}{direction}", self.scale.symbol)
    }

    /// Writes the graph in one line; `alt` says what it shows.
    pub(super) fn html(&self, alt: &str) -> String {
        let places = Places::of(self);
        let mut marks = places.grid();
        for (line, look) in self.lines.iter().zip(&self.looks) {
            marks += &places.line(line, *look, &self.scale);
        }
        marks += &places.labels(self);
        format!(
            "<figure class=\"timeline\" role=\"img\" aria-label=\"{}\"><svg class=\"figures\">{}</svg><svg>{marks}</svg><svg class=\"names\">{}</svg></figure>",
            html(alt),
            places.figures(),
            places.names(self),
        )
    }
}

/// Returns the change of a release from the one before it.
fn step(series: &ReleaseSeries<'_>, column: usize, row: &Row) -> Option<Step> {
    let place = series
        .columns
        .iter()
        .position(|c| *c == column)?
        .checked_sub(1)?;
    let of = series.rows.iter().find(|r| std::ptr::eq(r.row, row))?;
    let step = of.steps[place].as_ref().filter(|step| step.is_change())?;
    let change = step.comparison?.change;
    Some(Step {
        words: change.to_string(),
        size: change.size(),
        is_up: change.ratio > 1.0,
    })
}

/// Where days and figures stand, as shares of the width and the height.
struct Places {
    first: Date,
    last: Date,
    days: f64,
    top: f64,
    step: f64,
}

impl Places {
    fn of(graph: &Timeline<'_>) -> Self {
        let all = || graph.lines.iter().flatten();
        let days = || all().map(|release| release.day);
        let (first, last) = (
            days().min().unwrap_or_default(),
            days().max().unwrap_or_default(),
        );
        let largest = all()
            .map(|release| release.figure / graph.scale.factor)
            .fold(0.0, f64::max);
        let top = largest / (1.0 - ABOVE);
        let power = 10f64.powf((top / MAX_TICKS).log10().floor());
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| top / step <= MAX_TICKS);
        Self {
            first,
            last,
            days: f64::from((last - first).get_days().max(1)),
            top,
            step: step.unwrap_or(top),
        }
    }

    fn x(&self, day: Date) -> f64 {
        0.01 + 0.98 * f64::from((day - self.first).get_days()) / self.days
    }

    fn y(&self, figure: f64) -> f64 {
        // Below are the labels of the days.
        0.92 * (1.0 - figure / self.top)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let ticks = (0..).map(|n| f64::from(n) * self.step);
        ticks.take_while(|tick| *tick <= self.top)
    }

    fn grid(&self) -> String {
        let mut out = String::new();
        for tick in self.ticks() {
            let y = percent(self.y(tick));
            out += &format!("<line x2=\"100%\" y1=\"{y}\" y2=\"{y}\"/>");
        }
        let years = (self.days / 365.0) as i32;
        let months = match years {
            0 => 3,
            years => 12 * (1 + years / MAX_DAYS),
        };
        let start = self.first.first_of_year();
        for day in start
            .series(months.months())
            .take_while(|day| *day <= self.last)
        {
            if day >= self.first {
                let x = percent(self.x(day));
                let text = match months {
                    12.. => day.year().to_string(),
                    _ => day.strftime("%b %Y").to_string(),
                };
                let anchor = anchor(self.x(day));
                out += &format!("<text class=\"{anchor}\" x=\"{x}\" y=\"99%\">{text}</text>");
            }
        }
        out
    }

    fn figures(&self) -> String {
        let decimals = usize::from(self.step < 1.0) + usize::from(self.step < 0.1);
        let label = |tick: f64| {
            let text = group_thousands(&format!("{tick:.decimals$}"));
            let y = percent(self.y(tick));
            format!("<text x=\"100%\" y=\"{y}\" dy=\".35em\">{text}</text>")
        };
        self.ticks().map(label).collect()
    }

    fn line(&self, line: &[Release<'_>], look: Look, scale: &Scale) -> String {
        let place = |r: &Release<'_>| {
            (
                percent(self.x(r.day)),
                percent(self.y(r.figure / scale.factor)),
            )
        };
        let mut out = format!("<g stroke=\"{0}\" fill=\"{0}\">", look.color);
        let mut next: Option<&Release<'_>> = None;
        let mut alone = String::new();
        for release in line.iter().rev() {
            let (x, y) = place(release);
            // A line does not run backwards: an old branch is maintained beside newer ones.
            if next.is_none_or(|next| release.day <= next.day) {
                if let Some((x2, y2)) = next.map(place) {
                    out += &format!("<line x1=\"{x}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y2}\"/>");
                }
                next = Some(release);
            } else if release.step.is_none() {
                let version = html(release.build.version.as_str()).into_owned();
                alone += &format!(
                    "<text class=\"{}\" x=\"{x}\" y=\"{y}\" dy=\"-.8em\">{version}</text>",
                    anchor(self.x(release.day)),
                );
            }
        }
        for release in line {
            let (x, y) = place(release);
            let title = format!(
                "{}, {}: {} {}",
                release.build,
                release.day,
                scale.show(release.figure),
                scale.symbol
            );
            out += &format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\"><title>{}</title></circle>",
                html(&title)
            );
        }
        out + "</g>" + &alone
    }

    /// Writes the largest steps beside their releases, where there is room.
    fn labels(&self, graph: &Timeline<'_>) -> String {
        let all = graph.lines.iter().flatten();
        let mut steps: Vec<(&Release<'_>, &Step)> =
            all.filter_map(|r| Some((r, r.step.as_ref()?))).collect();
        steps.sort_by(|a, b| b.1.size.total_cmp(&a.1.size));
        let mut placed: Vec<[f64; 2]> = Vec::new();
        let mut out = String::new();
        for (release, step) in steps {
            let (x, y) = (
                self.x(release.day),
                self.y(release.figure / graph.scale.factor),
            );
            let is_near = |other: &[f64; 2]| {
                (other[0] - x).abs() < APART[0] && (other[1] - y).abs() < APART[1]
            };
            if placed.len() == MAX_LABELS || placed.iter().any(is_near) {
                continue;
            }
            placed.push([x, y]);
            let text = html(&format!("{}: {}", release.build.version, step.words)).into_owned();
            let dy = if step.is_up { "-.9em" } else { "1.7em" };
            let (anchor, x, y) = (anchor(x), percent(x), percent(y));
            out += &format!(
                "<text class=\"step {anchor}\" x=\"{x}\" y=\"{y}\" dy=\"{dy}\">{text}</text>"
            );
        }
        out
    }

    /// Writes the names of the newest releases at the heights of their points, moved apart.
    fn names(&self, graph: &Timeline<'_>) -> String {
        let mut names: Vec<(f64, &Release<'_>, Look)> = Vec::new();
        for (line, look) in graph.lines.iter().zip(&graph.looks) {
            names.extend(
                line.last()
                    .map(|last| (self.y(last.figure / graph.scale.factor), last, *look)),
            );
        }
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut out = String::new();
        let mut lowest = 0.0_f64;
        for (place, (wanted, release, look)) in names.iter().enumerate() {
            let room = 0.98 - NAME * (names.len() - 1 - place) as f64;
            let y = wanted.max(lowest).min(room);
            lowest = y + NAME;
            let build = release.build;
            let usual = graph
                .lines
                .iter()
                .find(|line| line[0].build.name == build.name);
            let is_usual =
                |part: &&String| usual.is_some_and(|line| line[0].build.variant.contains(part));
            let variant = build.variant.iter().find(|part| !is_usual(part));
            let variant = variant.map_or_else(String::new, |part| format!(", {part}"));
            let y = percent(y);
            out += &format!(
                "<circle cx=\"6\" cy=\"{y}\" r=\"4\" fill=\"{}\"/><text x=\"16\" y=\"{y}\" dy=\".35em\">{}<tspan class=\"version\"> {}</tspan><tspan>{}</tspan></text>",
                look.color,
                html(&build.name),
                html(build.version.as_str()),
                html(&variant),
            );
        }
        out
    }
}

/// On which side of its place a text is, so that it is whole.
fn anchor(x: f64) -> &'static str {
    match x {
        x if x < 0.2 => "start",
        x if x > 0.8 => "end",
        _ => "middle",
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
