//! Pages of scenarios and of implementations over all reports.

use super::headline::{self, usual_headlines};
use super::join;
use super::trend::{self, ShiftView, when};
use super::{Graph, Head, Table, TableCell, TableRow};
use crate::history::{Histories, Line, Place, Point, Subject, Track};
use crate::report::Report;
use crate::scenario::{Percentile, Scenario, Workload};
use crate::unit::{Better, Unit};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Graphs of one place on a page; more make it heavy.
const MOST_GRAPHS: usize = 8;

/// The page of a scenario.
#[derive(Clone, Debug, Serialize)]
pub struct SubjectView {
    /// Its newest figures in a sentence.
    pub summary: String,
    /// The place with the newest report first.
    pub places: Vec<PlaceView>,
}

/// A machine's part of a page.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceView {
    /// The machine, or the report that tells none.
    pub name: String,
    /// Whether it is a machine.
    pub is_machine: bool,
    /// How many reports of it there are.
    pub reports: usize,
    /// Numbered from 1, as in the graphs.
    pub shifts: Vec<ShiftView>,
    /// Trends.
    pub graphs: Vec<Graph>,
    /// Figures.
    #[serde(skip)]
    pub tables: Vec<Table>,
}

/// The page of an implementation.
#[derive(Clone, Debug, Serialize)]
pub struct ImplementationView {
    /// `rustls`
    pub name: String,
    /// Folder of its page.
    pub address: String,
    /// Its versions in a sentence.
    pub summary: String,
    /// The place with the newest report first.
    pub places: Vec<PlaceView>,
    /// The newest version.
    #[serde(skip)]
    newest: String,
    /// The newest report.
    #[serde(skip)]
    day: String,
    /// Numbers of reports and of scenarios.
    #[serde(skip)]
    counts: [usize; 2],
}

/// The page of a scenario.
pub fn subject(subject: &Subject<'_>) -> SubjectView {
    let several = subject.places.iter().any(|p| p.tracks.len() > 1);
    let place = |(index, place): (usize, &Place<'_>)| {
        let tracks: Vec<&Track<'_>> = place.tracks.iter().collect();
        let numbers = trend::numbers(&tracks);
        let graph = |(t, track): (usize, &&Track<'_>)| {
            let file = format!("history-{}-{}", index + 1, t + 1);
            trend::graph(place, (t, track), &numbers, &file)
        };
        let graphs = tracks.iter().enumerate().filter_map(graph);
        let graphs = graphs.take(MOST_GRAPHS).map(|g| Graph {
            title: if several { g.title } else { String::new() },
            ..g
        });
        let units: BTreeSet<&Unit> = tracks.iter().map(|t| t.unit).collect();
        let table = |unit: &Unit| {
            let of_unit = tracks.iter().copied().enumerate();
            let of_unit: Vec<_> = of_unit.filter(|(_, t)| t.unit == unit).collect();
            trend::table(&of_unit, &numbers)
        };
        PlaceView {
            name: place.name().to_owned(),
            is_machine: place.is_machine(),
            reports: place.reports.len(),
            shifts: trend::shifts(&tracks, several),
            graphs: graphs.collect(),
            tables: units.into_iter().filter_map(table).collect(),
        }
    };
    SubjectView {
        summary: summary(subject),
        places: subject.places.iter().enumerate().map(place).collect(),
    }
}

/// The figures of a track's newest report, the best first.
fn newest<'a>(place: &'a Place<'a>, track: &'a Track<'a>) -> Vec<&'a Point<'a>> {
    let points = track.lines.iter().filter_map(|l| l.points.last());
    let newest = |p: &&Point<'_>| Some(&p.report.name) == place.reports.last().map(|r| &r.name);
    let mut points: Vec<&Point<'_>> = points.filter(newest).collect();
    points.sort_by(|a, b| match track.unit.better() {
        Better::Higher => b.value.total_cmp(&a.value),
        Better::Lower => a.value.total_cmp(&b.value),
        Better::Unknown => std::cmp::Ordering::Equal,
    });
    points
}

/// `On Xeon E-2386G, 2026-03-07: rustls 0.23.37 with 4,766.63 hs/s, OpenSSL …`
fn summary(subject: &Subject<'_>) -> String {
    /// Enough to see who is ahead.
    const MOST: usize = 4;
    let place = &subject.places[0];
    let [track] = place.tracks.as_slice() else {
        let reports = place.reports.len();
        let s = if reports == 1 { "" } else { "s" };
        return format!(
            "{} series of figures from {reports} report{s} of {}.",
            place.tracks.len(),
            place.name()
        );
    };
    let scale = trend::scale(&[track], track.unit);
    let figure = |p: &&Point<'_>| {
        let value = scale.show(p.value);
        format!("{} with {value}", p.implementation)
    };
    let figures: Vec<String> = newest(place, track).iter().take(MOST).map(figure).collect();
    let day = place
        .reports
        .last()
        .map_or_else(String::new, |r| trend::day(r));
    let place = if place.is_machine() {
        format!("On {}, {day}", place.name())
    } else {
        day
    };
    format!("{place}: {} {}.", join(&figures), scale.symbol)
}

/// The list of all scenarios, a table for each kind of work.
pub fn scenarios(histories: &Histories<'_>) -> Vec<Table> {
    let kind = |s: &Subject<'_>| match s.scenario.workload {
        Workload::Other(_) => Workload::Other("".into()),
        ref known => known.clone(),
    };
    let groups = histories.subjects.chunk_by(|a, b| kind(a) == kind(b));
    groups
        .map(|group| {
            let caption = match kind(&group[0]) {
                Workload::Other(_) => "other benchmarks".to_owned(),
                known => known.word().to_owned(),
            };
            let mut table = Table {
                class: "history",
                about: "history",
                caption,
                corner: "scenario",
                head: ["reports", "newest", "best then", "shifts"]
                    .map(Head::new)
                    .to_vec(),
                ..Table::default()
            };
            table.rows = group.iter().map(scenario_row).collect();
            table
        })
        .collect()
}

fn scenario_row(subject: &Subject<'_>) -> TableRow {
    let place = &subject.places[0];
    let best = match place.tracks.as_slice() {
        [track] => newest(place, track)
            .first()
            .filter(|_| track.unit.better() != Better::Unknown)
            .map(|p| {
                let scale = trend::scale(&[track], track.unit);
                let detail = format!("{} {}", scale.show(p.value), scale.symbol);
                (p.implementation.release(), detail)
            }),
        _ => None,
    };
    let (best, detail) = best.unwrap_or_else(|| ("–".to_owned(), String::new()));
    let reports: usize = subject.places.iter().map(|p| p.reports.len()).sum();
    let lines = subject
        .places
        .iter()
        .flat_map(|p| &p.tracks)
        .flat_map(|t| &t.lines);
    let shifts: usize = lines.map(|l| l.shifts.len()).sum();
    let newest = place
        .reports
        .last()
        .map_or_else(String::new, |r| trend::day(r));
    TableRow {
        label: subject.label.clone(),
        href: format!("{}/", subject.address),
        cells: vec![
            TableCell::text(reports.to_string()),
            TableCell::text(newest),
            TableCell {
                class: "words",
                detail,
                ..TableCell::text(best)
            },
            TableCell::text(shifts.to_string()),
        ],
        ..TableRow::default()
    }
}

/// A history with all that it belongs to.
#[derive(Clone, Copy)]
struct Found<'a> {
    subject: &'a Subject<'a>,
    place: &'a Place<'a>,
    track: &'a Track<'a>,
    line: &'a Line<'a>,
}

/// The list of all implementations.
pub fn implementations(views: &[ImplementationView]) -> Table {
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "Everything that was measured".to_owned(),
        corner: "implementation",
        head: ["newest version", "newest report", "reports", "scenarios"]
            .map(Head::new)
            .to_vec(),
        ..Table::default()
    };
    table.rows = views
        .iter()
        .map(|view| TableRow {
            label: view.name.clone(),
            href: format!("{}/", view.address),
            cells: vec![
                TableCell {
                    class: "words",
                    ..TableCell::text(view.newest.as_str())
                },
                TableCell::text(view.day.as_str()),
                TableCell::text(view.counts[0].to_string()),
                TableCell::text(view.counts[1].to_string()),
            ],
            ..TableRow::default()
        })
        .collect();
    table
}

/// The pages of all implementations, by their names.
pub fn implementation(histories: &Histories<'_>) -> Vec<ImplementationView> {
    let mut found: BTreeMap<&str, Vec<Found<'_>>> = BTreeMap::new();
    for subject in &histories.subjects {
        for place in &subject.places {
            for track in &place.tracks {
                for line in &track.lines {
                    let name = line.newest().implementation.name.as_str();
                    found.entry(name).or_default().push(Found {
                        subject,
                        place,
                        track,
                        line,
                    });
                }
            }
        }
    }
    let views = found.iter().map(|(name, found)| {
        let address = histories.implementations[name].clone();
        view(name, address, found)
    });
    views.collect()
}

fn newest_of<'a>(found: &[Found<'a>]) -> &'a Point<'a> {
    let points = found.iter().map(|f| f.line.newest());
    points
        .reduce(|a, b| {
            if when(b.report) > when(a.report) {
                b
            } else {
                a
            }
        })
        .unwrap_or_else(|| found[0].line.newest())
}

fn view(name: &str, address: String, found: &[Found<'_>]) -> ImplementationView {
    let mut places: Vec<Vec<Found<'_>>> = Vec::new();
    let mut known: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    for one in found {
        let key = (one.place.is_machine(), one.place.name());
        let at = *known.entry(key).or_insert(places.len());
        if at == places.len() {
            places.push(Vec::new());
        }
        places[at].push(*one);
    }
    places.sort_by_key(|p| Reverse(when(newest_of(p).report)));
    let newest = newest_of(found);
    let points = found.iter().flat_map(|f| &f.line.points);
    let reports: BTreeSet<&str> = points.map(|p| p.report.name.as_str()).collect();
    let scenarios: BTreeSet<&str> = found.iter().map(|f| f.subject.label.as_str()).collect();
    let counts = [reports.len(), scenarios.len()];
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    ImplementationView {
        summary: format!(
            "{} and {}, the newest of {} with {}.",
            plural(counts[0], "report"),
            plural(counts[1], "scenario"),
            trend::day(newest.report),
            newest.implementation
        ),
        newest: newest.implementation.version.to_string(),
        day: trend::day(newest.report),
        counts,
        name: name.to_owned(),
        address,
        places: places
            .iter()
            .enumerate()
            .map(|(index, found)| place_of(index, found))
            .collect(),
    }
}

/// What one machine has of an implementation.
fn place_of(index: usize, found: &[Found<'_>]) -> PlaceView {
    let tracks: Vec<Track<'_>> = found
        .chunk_by(|a, b| std::ptr::eq(a.track, b.track))
        .map(|of_track| Track {
            lines: of_track.iter().map(|f| f.line.clone()).collect(),
            label: of_track[0].track.label.clone(),
            ..*of_track[0].track
        })
        .collect();
    let reports: BTreeMap<_, &Report> = found
        .iter()
        .flat_map(|f| &f.line.points)
        .map(|p| (when(p.report), p.report))
        .collect();
    let place = Place {
        reports: reports.into_values().collect(),
        tracks: Vec::new(),
    };
    let all: Vec<&Track<'_>> = tracks.iter().collect();
    let numbers = trend::numbers(&all);
    let headlines = headlines(&place, &tracks);
    let graph = |(k, t): (usize, &usize)| {
        let file = format!("headline-{}-{}", index + 1, k + 1);
        trend::graph(&place, (*t, &tracks[*t]), &numbers, &file)
    };
    let chosen: Vec<&Track<'_>> = headlines.iter().map(|t| &tracks[*t]).collect();
    PlaceView {
        name: place.name().to_owned(),
        is_machine: place.is_machine(),
        reports: place.reports.len(),
        shifts: trend::shifts(&all, true),
        graphs: headlines.iter().enumerate().filter_map(graph).collect(),
        tables: vec![versions(&place, &tracks, &chosen), latest(found)],
    }
}

/// The tracks of the scenarios that the newest report calls its headlines.
fn headlines(place: &Place<'_>, tracks: &[Track<'_>]) -> Vec<usize> {
    let newest = place.reports.last();
    let wanted = newest.map_or_else(usual_headlines, |r| headline::headlines(r));
    let at = |s: &Scenario| tracks.iter().position(|t| t.scenario == s);
    wanted.iter().filter_map(at).collect()
}

/// Every version, newest report first, with its headline figures.
fn versions(place: &Place<'_>, tracks: &[Track<'_>], chosen: &[&Track<'_>]) -> Table {
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "Versions and their headline figures, newest first.".to_owned(),
        corner: "report",
        head: vec![Head::new("version")],
        ..Table::default()
    };
    let scales: Vec<_> = chosen.iter().map(|t| trend::scale(&[t], t.unit)).collect();
    table
        .head
        .extend(chosen.iter().zip(&scales).map(|(track, scale)| Head {
            text: track.label.clone(),
            detail: scale.symbol.clone(),
        }));
    // All figures of a version by its report.
    let mut rows: BTreeMap<(usize, _), Vec<Option<&Point<'_>>>> = BTreeMap::new();
    let order: BTreeMap<&str, usize> = place
        .reports
        .iter()
        .rev()
        .enumerate()
        .map(|(at, r)| (r.name.as_str(), at))
        .collect();
    let key = |p: &Point<'_>| {
        (
            order[p.report.name.as_str()],
            (p.implementation.clone(), p.report.name.clone()),
        )
    };
    for track in tracks {
        for point in track.lines.iter().flat_map(|l| &l.points) {
            let row = rows
                .entry(key(point))
                .or_insert_with(|| vec![None; chosen.len()]);
            let column = chosen.iter().position(|c| std::ptr::eq(*c, track));
            if let Some(column) = column {
                row[column] = Some(point);
            }
        }
    }
    for ((at, (implementation, name)), figures) in rows {
        let mut cells = vec![TableCell {
            class: "words",
            detail: implementation.variant.join(", "),
            ..TableCell::text(implementation.version.as_str())
        }];
        cells.extend(figures.iter().zip(&scales).map(|(point, scale)| {
            point.map_or_else(TableCell::missing, |p| trend::figure(p, scale))
        }));
        let report = place.reports[place.reports.len() - 1 - at];
        table.rows.push(TableRow {
            label: trend::day(report),
            href: format!("../../{name}/"),
            cells,
            ..TableRow::default()
        });
    }
    table
}

/// The newest figure of every scenario; of a distribution the median, for the others are on the
/// scenario's page.
fn latest(found: &[Found<'_>]) -> Table {
    let is_shown = |f: &&Found<'_>| {
        let percentile = f.track.scenario.percentile;
        percentile.is_none_or(|p| p == Percentile::P50) && *f.track.unit != Unit::Traffic
    };
    let mut table = Table {
        class: "history",
        about: "history",
        caption: "The newest figure of every scenario; each leads to its history.".to_owned(),
        corner: "scenario",
        head: ["version", "unit", "figure", "n", "report"]
            .map(Head::new)
            .to_vec(),
        ..Table::default()
    };
    for Found {
        subject,
        track,
        line,
        ..
    } in found.iter().filter(is_shown)
    {
        let point = line.newest();
        let scale = trend::scale(&[track], track.unit);
        let words = |text: &str, detail: String| TableCell {
            class: "words",
            detail,
            ..TableCell::text(text)
        };
        table.rows.push(TableRow {
            label: track.label.clone(),
            href: format!("../../scenarios/{}/", subject.address),
            cells: vec![
                words(
                    point.implementation.version.as_str(),
                    point.implementation.variant.join(", "),
                ),
                words(&scale.symbol, String::new()),
                trend::figure(point, &scale),
                TableCell::text(point.n.to_string()),
                TableCell {
                    href: format!("../../{}/", point.report.name),
                    ..TableCell::text(trend::day(point.report))
                },
            ],
            ..TableRow::default()
        });
    }
    table
}
