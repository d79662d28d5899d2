//! Empty charts, and charts of extreme figures.

use super::examples::{TRANSFER, bars, small_bars, small_lines, small_marks, threads};
use generator::chart::{Drawing, Lines, Mark, Point, Row, RowPanel};
use std::slice;

/// Empty charts, and charts of the smallest and the largest figures that parsers accept.
pub(crate) fn degenerate() -> Vec<(String, Drawing)> {
    let odd = [1e-30, 1e-12, 1e-3, 1.0, 1e9, 1e30];
    let mut charts = Vec::new();
    for (a, b) in odd.iter().flat_map(|&a| odd.iter().map(move |&b| (a, b))) {
        charts.extend(odd_charts(a, b));
    }
    let mut empty = bars("", TRANSFER);
    empty[0].rows.clear();
    charts.push(("no bars".into(), RowPanel::render(&empty, "", "")));
    empty.clear();
    charts.push(("no panels".into(), RowPanel::render(&empty, "", "")));
    let mut lines = threads("");
    lines.lines[0].points.clear();
    charts.push((
        "no points".into(),
        Lines::render(slice::from_ref(&lines), "odd", "odd"),
    ));
    lines.lines.clear();
    charts.push((
        "no lines".into(),
        Lines::render(slice::from_ref(&lines), "odd", "odd"),
    ));
    charts
}

fn odd_charts(a: f64, b: f64) -> [(String, Drawing); 3] {
    let odd = |mut panels: Vec<RowPanel>| {
        let mark = Mark {
            value: a,
            interval: Some((a.min(b), a.max(b))),
            ..Mark::default()
        };
        panels[0].rows[0] = Row {
            marks: vec![mark],
            end: Some(b),
            text: "odd".to_owned(),
            ..Row::default()
        };
        RowPanel::render(&panels, "odd", "odd")
    };
    let mut lines = small_lines("odd");
    lines.lines[0].points[1] = Point {
        x: a,
        y: b,
        interval: Some((a.min(b), a.max(b))),
        ..Point::default()
    };
    let name = |kind: &str| format!("{kind} of {a} and {b}");
    [
        (name("bars"), odd(small_bars("odd"))),
        (name("marks"), odd(small_marks("odd"))),
        (
            name("lines"),
            Lines::render(slice::from_ref(&lines), "odd", "odd"),
        ),
    ]
}
