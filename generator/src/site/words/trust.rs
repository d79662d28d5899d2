//! How far to trust a report: what stands in the strip below its title.

use crate::model::scale::group_thousands;
use crate::report::{Report, words};
use crate::stats::quantile;

/// Of all rows, so many differ by chance by no more than what is stated.
const SHARE: f64 = 0.95;

/// Returns a few statements, each with its detail: the machine, how far two measurements of the same differ, and
/// what is unsteady.
pub(in crate::site) fn trust(report: &Report) -> Vec<[String; 2]> {
    let mut found = Vec::new();
    if let Some(machine) = &report.manifest.machine {
        let facts = &report.manifest.system;
        let mut known = ["Noise", "Settings", "CPU"].into_iter();
        let detail = known.find_map(|name| facts.iter().find(|(fact, _)| fact == name));
        let detail = detail.filter(|(_, text)| !text.contains(machine));
        let detail = detail.map_or_else(String::new, |(_, text)| text.clone());
        found.push([machine.clone(), detail]);
    }
    let rows = || report.rows.iter().filter(|row| !row.unit.kind().is_count());
    let controls: Vec<f64> = rows().filter_map(|row| row.control).collect();
    let share = |share| quantile(controls.clone(), share).map(words::control);
    match (share(0.5), share(SHARE), words::runs_of(report)) {
        (Some(middle), Some(most), _) => {
            let of = match (controls.len(), rows().count()) {
                (n, all) if n == all => String::new(),
                (n, all) => format!(", in the {n} of {all} measured twice"),
            };
            found.push([
                format!("Same program twice: {middle}"),
                format!("in the median scenario, at most {most} in 95 of 100{of}"),
            ]);
        }
        (.., Some(runs)) => found.push([runs, "no program was measured twice".to_owned()]),
        _ => {}
    }
    let (unsteady, all) = report.unsteady;
    if unsteady > 0 {
        let [unsteady, all] = [unsteady, all].map(|n| group_thousands(&n.to_string()));
        found.push([
            format!("{unsteady} of {all} figures unsteady"),
            "half of the interval is wider than 5%: marked, or hollow".to_owned(),
        ]);
    }
    found
}
