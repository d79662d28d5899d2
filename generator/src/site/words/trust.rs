//! How far to trust a report: what stands in the strip below its title.

use super::phrases::published;
use crate::model::scale::group_thousands;
use crate::report::{Cell, Report, words};
use crate::stats::quantile;

/// Of all rows, so many differ by chance by no more than what is stated.
const SHARE: f64 = 0.95;

/// Returns a few statements, each with its detail: the machine, how far the same program differs
/// from itself, and how many figures are unsteady.
pub(in crate::site) fn trust(report: &Report) -> Vec<[String; 2]> {
    let mut found = Vec::new();
    if let Some(machine) = &report.manifest.machine {
        let facts = &report.manifest.system;
        let mut known = ["Noise", "Settings", "CPU"].into_iter();
        let detail = known.find_map(|name| facts.iter().find(|(fact, _)| fact == name));
        let detail = detail.map(|(_, text)| text.clone());
        found.push([machine.clone(), detail.unwrap_or_default()]);
    }
    found.push(repeatability(report));
    found.push(match report.data.unsteady() {
        (_, 0) => [
            "Nothing is tested".to_owned(),
            "a few percent between single figures prove nothing".to_owned(),
        ],
        (0, all) => [
            "No figure is unsteady".to_owned(),
            format!("half of each of {} intervals is within 5%", thousands(all)),
        ],
        (unsteady, all) => [
            format!(
                "{} of {} figures unsteady",
                thousands(unsteady),
                thousands(all)
            ),
            "half of the interval is wider than 5%: marked, or hollow".to_owned(),
        ],
    });
    found
}

fn thousands(n: usize) -> String {
    group_thousands(&n.to_string())
}

/// How far two measurements of the same differ.
fn repeatability(report: &Report) -> [String; 2] {
    let rows = || {
        report
            .data
            .rows
            .iter()
            .filter(|row| !row.unit.kind().is_count())
    };
    let controls: Vec<f64> = rows().filter_map(|row| row.control).collect();
    let (n, all) = report.data.controlled();
    if let (Some(middle), Some(most)) = (quantile(controls.clone(), 0.5), quantile(controls, SHARE))
    {
        let of = if n == all {
            String::new()
        } else {
            format!(", in the {n} of {all} measured twice")
        };
        return [
            format!("Same program twice: {}", words::control(middle)),
            format!(
                "in the median scenario, at most {} in 95 of 100{of}",
                words::control(most)
            ),
        ];
    }
    let cells = rows().flat_map(|row| row.cells.iter().flatten());
    let widths: Vec<f64> = cells.filter_map(Cell::half_width).collect();
    match quantile(widths, 0.5) {
        Some(middle) => [
            format!("±{:.1}% in the median figure", middle * 100.0),
            "half of the 95% interval; no program was measured twice".to_owned(),
        ],
        None => match published(report) {
            Some(what) => [
                format!("Each is a {what}"),
                "without an interval".to_owned(),
            ],
            None => [
                "Single figures".to_owned(),
                "no number of runs is known, and no interval".to_owned(),
            ],
        },
    }
}
