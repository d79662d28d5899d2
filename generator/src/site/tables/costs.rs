//! What a server needs, as the front page shows it; `static/home.js` adds up the table for another
//! load.

use super::html::{Head, HtmlCell, HtmlRow, HtmlTable};
use crate::report::{ComparedMachine, Costs};

/// `1.9 cores, 126 MiB`, as the script writes it.
pub(in crate::site) fn need(costs: &Costs) -> String {
    let cores = costs.cores().map(|cores| format!("{cores:.1} cores"));
    let memory = costs.memory().map(|mib| format!("{mib:.0} MiB"));
    let known: Vec<String> = cores.into_iter().chain(memory).collect();
    match known.is_empty() {
        true => "not measured".to_owned(),
        false => known.join(", "),
    }
}

/// Returns the table of all builds, a row each.
pub(in crate::site) fn table(machine: &ComparedMachine<'_>, all: &[Costs]) -> HtmlTable {
    let cell = |figure: Option<f64>, decimals: usize| match figure {
        None => HtmlCell::missing(),
        Some(value) => HtmlCell::number(value, decimals),
    };
    let row = |(name, costs): (&String, &Costs)| {
        let times = [costs.full, costs.resumed, costs.sent].map(|cost| cell(cost, 1));
        let memory = [cell(costs.session, 2), cell(costs.process, 0)];
        let cells = times.into_iter().chain(memory);
        HtmlRow::new(name, cells.collect())
    };
    let named = machine.reports[0].report.manifest.machine.as_ref();
    let of = named.map_or_else(String::new, |name| format!(" of {name}"));
    HtmlTable {
        class: "results costs",
        name: format!("Costs on one core{of}"),
        caption: "Lower is better.".to_owned(),
        corner: "build",
        head: [
            ("full handshake", "µs"),
            ("resumed handshake", "µs"),
            ("MiB sent", "µs"),
            ("session", "KiB"),
            ("process", "KiB"),
        ]
        .map(|(text, unit)| Head::from(text).with_detail(unit.to_owned()))
        .to_vec(),
        rows: machine.names.iter().zip(all).map(row).collect(),
        ..HtmlTable::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_measured_is_not_said() {
        let mut costs = Costs {
            full: Some(100.0),
            resumed: Some(50.0),
            sent: Some(80.0),
            session: Some(12.0),
            process: Some(1024.0),
        };
        assert_eq!(need(&costs), "0.4 cores, 118 MiB");
        costs.resumed = None;
        assert_eq!(need(&costs), "118 MiB");
        assert_eq!(need(&Costs::default()), "not measured");
    }
}
