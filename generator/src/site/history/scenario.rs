//! The pages of scenarios with all of their figures, and the list of them.

use super::graph::graph;
use super::table::table;
use super::{HistoryPage, MachinePart};
use crate::model::scenario::{Percentile, Workload};
use crate::model::tidy::text_cell;
use crate::model::unit::{Better, Unit};
use crate::report::history::{
    Histories, HistoryPoint, HistorySeries, MachineHistory, Metric, ScenarioGroup,
};
use crate::site::front_matter::FrontMatter;
use crate::site::{Head, Pages, Renderer, Table, TableCell, TableRow, count, join};
use anyhow::Result;
use serde_json::json;
use std::collections::BTreeMap;

impl Renderer<'_> {
    /// Renders the page of a scenario, with its graphs and CSV.
    pub(crate) fn scenario(&self, group: &ScenarioGroup<'_>) -> Result<Pages> {
        let path = format!("scenarios/{}/data.csv", group.address);
        let mut pages = Pages::from([(path, csv(group)?)]);
        self.history(&mut pages, "scenario", &page(group))?;
        Ok(pages)
    }

    /// Renders the list of scenarios, with one table per workload.
    pub(crate) fn scenarios(&self, histories: &Histories<'_>) -> Result<Pages> {
        let head = FrontMatter::section(
            "scenarios",
            "Scenarios",
            "Every scenario that was measured, with its history over all reports.",
        );
        let mut pages = Pages::new();
        let view = json!({"kind": "scenarios", "tables": lists(histories)});
        self.put(&mut pages, head, "list.md.tera", &view)?;
        Ok(pages)
    }
}

fn page(group: &ScenarioGroup<'_>) -> HistoryPage {
    let several = group.machines.iter().any(|m| m.metrics.len() > 1);
    let mut machines = Vec::new();
    for (machine, number) in group.machines.iter().zip(1..) {
        let mut graphs = Vec::new();
        let mut by_unit: BTreeMap<&Unit, Vec<&Metric<'_>>> = BTreeMap::new();
        for (metric, metric_number) in machine.metrics.iter().zip(1..) {
            by_unit.entry(metric.unit).or_default().push(metric);
            let file = format!("history-{number}-{metric_number}");
            if let Some(graph) = graph(machine, metric, &file) {
                graphs.push(if several { graph } else { graph.untitled() });
            }
        }
        let tables = by_unit.values().map(|metrics| table(metrics)).collect();
        machines.push(MachinePart::new(machine, several, graphs, tables));
    }
    HistoryPage {
        title: group.label.clone(),
        address: group.address.clone(),
        summary: summary(group),
        across: None,
        machines,
    }
}

/// Writes every figure of a scenario as CSV.
fn csv(group: &ScenarioGroup<'_>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "machine",
        "report",
        "implementation",
        "version",
        "variant",
        "scenario",
        "unit",
        "estimate",
        "low",
        "high",
        "n",
    ])?;
    for machine in &group.machines {
        for metric in &machine.metrics {
            for point in metric.series.iter().flat_map(|s| &s.points) {
                let (one, figure) = (point.implementation, point.figure);
                let number = |v: f64| metric.unit.printed(v).to_string();
                let ends = figure.interval.map(|i| (number(i.low), number(i.high)));
                let (low, high) = ends.unwrap_or_default();
                writer.write_record([
                    text_cell(machine.name()),
                    text_cell(&point.report.name),
                    text_cell(&one.name),
                    text_cell(one.version.as_str()),
                    text_cell(&one.variant.join("+")),
                    text_cell(&metric.label),
                    text_cell(metric.unit.symbol()),
                    number(figure.estimate),
                    low,
                    high,
                    figure.sample.len().to_string(),
                ])?;
            }
        }
    }
    Ok(writer.into_inner()?)
}

/// Returns the figures of a metric in the machine's newest report that may be ranked, best first.
fn newest<'a>(
    machine: &'a MachineHistory<'a>,
    metric: &'a Metric<'a>,
) -> Vec<&'a HistoryPoint<'a>> {
    let mut points: Vec<&HistoryPoint<'_>> =
        metric.series.iter().map(HistorySeries::newest).collect();
    points.retain(|p| {
        let is_ranked = !p.is_unsteady && !p.implementation.version.is_pre_release();
        is_ranked && p.report.name == machine.newest().name
    });
    points.sort_by(|a, b| match metric.unit.better() {
        Better::Higher => b.figure.estimate.total_cmp(&a.figure.estimate),
        Better::Lower => a.figure.estimate.total_cmp(&b.figure.estimate),
        Better::Unknown => std::cmp::Ordering::Equal,
    });
    points
}

/// Returns the metric that sums up a group: its only rate, time or amount of memory, beside which
/// there may be counts, else its only median.
fn main_metric<'a>(machine: &'a MachineHistory<'a>) -> Option<&'a Metric<'a>> {
    let only = |wanted: &dyn Fn(&Metric<'_>) -> bool| {
        let mut found = machine.metrics.iter().filter(|m| wanted(m));
        found.next().filter(|_| found.next().is_none())
    };
    only(&|_| true)
        .or_else(|| only(&|m| !m.unit.kind().is_count()))
        .or_else(|| only(&|m| m.scenario.percentile == Some(Percentile::P50)))
}

/// `On Xeon E-2386G, 2026-03-07: rustls 0.23.37 with 4,766.63 hs/s, OpenSSL …`
fn summary(group: &ScenarioGroup<'_>) -> String {
    /// Figures in the sentence, the best ones.
    const MAX: usize = 4;
    let machine = &group.machines[0];
    let Some(metric) = main_metric(machine).filter(|m| m.scenario.percentile.is_none()) else {
        return format!(
            "{} series of figures from {} of {}.",
            machine.metrics.len(),
            count(machine.reports.len(), "report"),
            machine.name()
        );
    };
    let scale = &metric.scale;
    let figure = |p: &HistoryPoint<'_>| {
        let estimate = scale.show(p.figure.estimate);
        format!("{} with {estimate}", p.implementation)
    };
    let figures = newest(machine, metric).into_iter().take(MAX).map(figure);
    let day = machine.newest().day_or_name();
    let where_and_when = match machine.is_machine() {
        true => format!("On {}, {day}", machine.name()),
        false => day,
    };
    let figures = join(&figures.collect::<Vec<_>>());
    format!("{where_and_when}: {figures} {}.", scale.symbol)
}

/// Returns a table of scenarios for each workload.
fn lists(histories: &Histories<'_>) -> Vec<Table> {
    let kind = |g: &ScenarioGroup<'_>| std::mem::discriminant(&g.scenario.workload);
    let mut tables = Vec::new();
    for groups in histories.groups.chunk_by(|a, b| kind(a) == kind(b)) {
        let (caption, best) = match &groups[0].scenario.workload {
            Workload::Other(_) => ("other benchmarks", "best"),
            Workload::Memory => (Workload::Memory.word(), "least"),
            known => (known.word(), "fastest"),
        };
        tables.push(Table {
            class: "history",
            about: Some("../method/#history"),
            caption: caption.to_owned(),
            corner: "scenario",
            head: Head::of(["reports", "newest", best, "change points"]),
            rows: groups.iter().map(row).collect(),
            ..Table::default()
        });
    }
    tables
}

fn row(group: &ScenarioGroup<'_>) -> TableRow {
    let machine = &group.machines[0];
    let metric = main_metric(machine).filter(|m| m.unit.better() != Better::Unknown);
    let best = metric.and_then(|metric| {
        let best = newest(machine, metric).into_iter().next()?;
        let scale = &metric.scale;
        let figure = format!("{} {}", scale.show(best.figure.estimate), scale.symbol);
        let detail = match metric.scenario.percentile {
            Some(percentile) => format!("{} {figure}", percentile.word()),
            None => figure,
        };
        Some(TableCell::words(best.implementation.release()).with_detail(detail))
    });
    let reports: usize = group.machines.iter().map(|m| m.reports.len()).sum();
    let series = group.metrics().flat_map(|m| &m.series);
    let change_points: usize = series.map(|s| s.change_points.len()).sum();
    let cells = vec![
        TableCell::text(reports.to_string()),
        TableCell::text(machine.newest().day_or_name()),
        best.unwrap_or_else(|| TableCell::words("–")),
        TableCell::text(change_points.to_string()),
    ];
    TableRow::linked(format!("{}/", group.address), group.label.clone(), cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::release_tests::{FULL, cells, report};

    #[test]
    fn lists_the_fastest_beside_counts() {
        let random = &mut Random::new(1);
        let latency = "latency of full handshakes, 1.3, rsa, server";
        let [p50, p99] = ["P50", "P99"].map(|p| format!("{latency}, {p}"));
        let rows = [FULL, FULL, &p50, &p99].map(|label| (label, cells(random, 5, &[1e3, 2e3])));
        let keys = [
            "version = \"0.1\"\nvariant = [\"a\"]",
            "version = \"0.2\"\nvariant = [\"b\"]",
        ];
        let mut report = report(&keys, &rows);
        report.data.rows[1].unit = Unit::INSTRUCTIONS;
        for row in &mut report.data.rows[2..] {
            row.unit = Unit::Time;
        }
        let reports = [report];
        let histories = Histories::of(&reports);
        let best = lists(&histories).into_iter().map(|table| {
            let cell = &table.rows[0].cells[2];
            format!(
                "{} {}",
                cell.text,
                cell.detail.as_deref().unwrap_or_default()
            )
        });
        let best: Vec<String> = best.collect();
        assert!(best[0].starts_with("rustls 0.2 "), "{best:?}");
        assert!(best[1].starts_with("rustls 0.1 P50 "), "{best:?}");
    }
}
