//! One chart of each kind, with figures from <https://rustls.dev/perf/> and made-up ones, and a
//! small one of each kind for snapshots.

use generator::chart::look::Look;
use generator::chart::*;
use generator::model::scale::group_thousands;
use generator::model::unit::Better;

/// File names and drawings. `words` is used wherever a chart shows free text.
pub(crate) fn examples(words: &str) -> Vec<(&'static str, Drawing)> {
    vec![
        (
            "transfer",
            RowPanel::render(&bars(words, TRANSFER), words, words),
        ),
        (
            "many-bars",
            RowPanel::render(&many_bars(words), words, words),
        ),
        (
            "small-bars",
            RowPanel::render(&small_bars(words), words, words),
        ),
        (
            "small-marks",
            RowPanel::render(&small_marks(words), words, words),
        ),
        ("threads", Lines::render(&[threads(words)], words, words)),
        ("trend", Lines::render(&[trend(words)], words, words)),
        (
            "small-lines",
            Lines::render(&[small_lines(words)], words, words),
        ),
    ]
}

// https://rustls.dev/perf/2026-03-07-report/
const IMPLEMENTATIONS: [(&str, &str); 3] = [
    ("rustls", "rustls 0.23.37"),
    ("OpenSSL", "OpenSSL 3.6.1"),
    ("BoringSSL", "BoringSSL 30cd935"),
];
pub(crate) const TRANSFER: &str = "\
transfer, 1.2, aes-128-gcm, sending    8133.85 6610.19 8291.90
transfer, 1.2, aes-128-gcm, receiving  7946.96 7129.43 6722.26
transfer, 1.3, aes-256-gcm, sending    7421.02 5844.35 7564.71
transfer, 1.3, aes-256-gcm, receiving  7332.91 6237.52 6217.68
";

/// Parses a label and the figures of the three implementations.
fn published(line: &str) -> (&str, Vec<f64>) {
    let (label, figures) = line.split_once("  ").expect("a label and figures");
    let figures = figures
        .split_whitespace()
        .map(|f| f.parse().expect("a figure"));
    (label, figures.collect())
}

fn series(implementation: &str, label: &str) -> Series {
    Series {
        label: label.into(),
        look: Look::of(implementation),
    }
}

/// `words` for the first label, unless they are the plain title; otherwise `label`.
fn or_words(label: &str, words: &str, first: bool) -> String {
    if first && words != "plain title" {
        words
    } else {
        label
    }
    .into()
}

fn all_series(words: &str) -> Vec<Series> {
    let named = IMPLEMENTATIONS.iter().enumerate();
    named
        .map(|(i, (name, label))| series(name, &or_words(label, words, i == 0)))
        .collect()
}

fn axis(unit: &str, better: Better) -> Axis {
    Axis {
        unit: unit.into(),
        better,
        is_log: false,
    }
}

fn bar(series: Series, value: f64) -> Row {
    let text = group_thousands(&format!("{value:.2}"));
    Row {
        marks: vec![Mark {
            value,
            interval: Some((value * 0.985, value * 1.012)),
            is_hollow: false,
            tooltip: format!("{}: {text}", series.label),
        }],
        series,
        text,
        ..Row::default()
    }
}

pub(crate) fn bars(words: &str, rows: &str) -> Vec<RowPanel> {
    let panel = |(i, (label, figures)): (usize, (&str, Vec<f64>))| {
        let bars = all_series(words).into_iter().zip(figures);
        RowPanel {
            title: or_words(label, words, i == 0),
            of: label.to_owned(),
            axis: None,
            rows: bars.map(|(series, value)| bar(series, value)).collect(),
        }
    };
    rows.lines().map(published).enumerate().map(panel).collect()
}

/// As many bars as a chart has at most.
fn many_bars(words: &str) -> Vec<RowPanel> {
    let variants = [", gcc", ", clang", ", ring"];
    let value = |place: usize| 1000.0 * ((place % 11) as f64 + 0.37);
    let mut chart = bars(words, TRANSFER);
    for (number, panel) in chart.iter_mut().enumerate() {
        let few = std::mem::take(&mut panel.rows);
        let many = (0..7).map(|place| {
            let mut series = few[place % 3].series.clone();
            series.label += variants[place / 3];
            bar(series, value(number * 7 + place))
        });
        panel.rows.extend(many);
    }
    chart
}

pub(crate) fn small_bars(words: &str) -> Vec<RowPanel> {
    bars(words, TRANSFER.lines().next().unwrap_or_default())
}

/// Two figures a library on a logarithmic axis, the first one hollow, and a line to a third.
pub(crate) fn small_marks(words: &str) -> Vec<RowPanel> {
    let mut chart = small_bars(words);
    for panel in &mut chart {
        panel.axis = Some(Axis {
            is_log: true,
            ..axis("µs", Better::Lower)
        });
        for row in &mut panel.rows {
            let mut first = row.marks[0].clone();
            (first.value, first.is_hollow) = (first.value / 3.0, true);
            row.end = Some(row.marks[0].value * 1.5);
            row.marks.insert(0, first);
        }
    }
    chart
}

fn line(series: Series, points: impl Iterator<Item = (f64, f64)>) -> Line {
    let points = points
        .map(|(x, y)| Point {
            x,
            y,
            tooltip: format!("{}: {y}", series.label),
            ..Point::default()
        })
        .collect();
    Line {
        series,
        points,
        is_faint: false,
    }
}

pub(crate) fn threads(words: &str) -> Lines {
    let counts = [
        1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 40.0, 48.0, 56.0, 64.0, 72.0, 80.0,
    ];
    let rate = |first: f64, loss: f64| {
        counts
            .iter()
            .map(move |&n: &f64| (n, first / (1.0 + loss * (n - 1.0))))
    };
    let mut lines = vec![
        line(
            series("rustls", &or_words("rustls 0.23.17", words, true)),
            rate(6212.0, 0.0002),
        ),
        line(
            series("BoringSSL", "BoringSSL 76968bb3"),
            rate(3252.0, 0.0003),
        ),
        line(series("OpenSSL", "OpenSSL 3.4.0"), rate(2440.0, 0.009)),
    ];
    for p in &mut lines[2].points {
        p.interval = Some((p.y * 0.95, p.y * 1.04));
    }
    Lines {
        y: axis("handshakes/s per thread", Better::Higher),
        lines,
        ..Lines::default()
    }
}

/// Releases by day, with marked steps.
fn trend(words: &str) -> Lines {
    let releases = [
        "0.23.5", "0.23.15", "0.23.16", "0.23.31", "0.23.37", "0.23.43",
    ];
    let days = [0.0, 150.0, 180.0, 450.0, 670.0, 900.0];
    let figures = |f: [f64; 6]| days.into_iter().zip(f);
    let mut lines = vec![
        line(
            series("rustls", &or_words("client", words, true)),
            figures([6012.0, 6803.9, 6790.2, 4187.3, 4766.6, 4801.0]),
        ),
        line(
            series("rustls", "server"),
            figures([2402.0, 2544.3, 2540.0, 2273.1, 2357.4, 2360.0]),
        ),
    ];
    for line in &mut lines {
        for (point, release) in line.points.iter_mut().zip(releases) {
            point.name = release.to_owned();
        }
        line.points[3].is_marked = true;
    }
    Lines {
        x: XAxis {
            ticks: days.map(|at| Tick::new(at, format!("day {at}"))).into(),
            is_log: false,
        },
        y: axis("hs/s", Better::Higher),
        lines,
        ..Lines::default()
    }
}

pub(crate) fn small_lines(words: &str) -> Lines {
    let mut chart = threads(words);
    chart.lines.drain(1..2);
    chart.lines.truncate(2);
    for line in &mut chart.lines {
        line.points.truncate(3);
    }
    chart
}
