//! How far to trust a report: what stands in the strip below its title.

use crate::model::scale::group_thousands;
use crate::report::{Cell, Report, words};
use crate::stats::{MIN_SAMPLE_FOR_TEST, quantile};

/// Of all rows, so many differ by chance by no more than what is stated.
const SHARE: f64 = 0.95;

/// Returns a few statements, each with its detail: the machine, how far two measurements of the same differ, and
/// what is unsteady or not tested.
pub(in crate::site) fn trust(report: &Report) -> Vec<[String; 2]> {
    let mut found = Vec::new();
    if let Some(machine) = &report.manifest.machine {
        let facts = &report.manifest.system;
        let mut known = ["Noise", "Settings", "CPU"].into_iter();
        let detail = known.find_map(|name| facts.iter().find(|(fact, _)| fact == name));
        let detail = detail.map(|(_, text)| text.clone());
        let detail = detail
            .filter(|text| !text.contains(machine))
            .unwrap_or_else(String::new);
        found.push([machine.clone(), detail]);
    }
    found.extend(repeatability(report));
    let is_tested = |cell: &Cell| cell.values.len() >= MIN_SAMPLE_FOR_TEST;
    let mut cells = report
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().flatten());
    let (unsteady, all) = report.unsteady();
    if unsteady > 0 {
        let [unsteady, all] = [unsteady, all].map(|n| group_thousands(&n.to_string()));
        found.push([
            format!("{unsteady} of {all} figures unsteady"),
            "half of the interval is wider than 5%: marked, or hollow".to_owned(),
        ]);
    } else if !cells.any(is_tested) && report.rows.iter().all(|row| !row.unit.kind().is_count()) {
        found.push([
            "Nothing is tested".to_owned(),
            "a few percent between few runs prove nothing".to_owned(),
        ]);
    }
    found
}

/// How far two measurements of the same differ.
fn repeatability(report: &Report) -> Option<[String; 2]> {
    let rows = || report.rows.iter().filter(|row| !row.unit.kind().is_count());
    let controls: Vec<f64> = rows().filter_map(|row| row.control).collect();
    let (n, all) = report.controlled();
    if let (Some(middle), Some(most)) = (quantile(controls.clone(), 0.5), quantile(controls, SHARE))
    {
        let of = match n == all {
            true => String::new(),
            false => format!(", in the {n} of {all} measured twice"),
        };
        return Some([
            format!("Same program twice: {}", words::control(middle)),
            format!(
                "in the median scenario, at most {} in 95 of 100{of}",
                words::control(most)
            ),
        ]);
    }
    let cells = rows().flat_map(|row| row.cells.iter().flatten());
    let widths: Vec<f64> = cells.filter_map(Cell::half_width).collect();
    if let Some(middle) = quantile(widths, 0.5) {
        return Some([
            format!("±{:.1}% in the median figure", middle * 100.0),
            "half of the 95% interval; no program was measured twice".to_owned(),
        ]);
    }
    let runs = words::runs_of(report)?;
    Some([runs, "without intervals".to_owned()])
}
