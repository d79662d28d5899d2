//! Sentences about a report, made of its figures.

use super::Part;
use crate::chart::{Axis, Caption, Gauge, Reading, Series};
use crate::implementation::Implementation;
use crate::report::{Dataset, Report};
use crate::scenario::{Scenario, Side, TlsVersion, Workload};
use crate::stats::{Change, Estimator, Interval};
use crate::unit::{Better, Scale, Unit};
use serde::Serialize;

/// A name for addresses and anchors: lower-case letters, digits and hyphens.
pub fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.truncate(120);
    slug.trim_end_matches('-').to_owned()
}

/// The anchor of a row. A benchmark of another name could have that of a heading, and what puts
/// bytes on the wire has a rate or a time as well.
pub(super) fn anchor(scenario: &Scenario, unit: &Unit) -> String {
    let slug = slug(&scenario.label());
    match (&scenario.workload, unit) {
        (Workload::Free(_), _) => format!("benchmark-{slug}"),
        (_, Unit::Traffic) => format!("{slug}-bytes"),
        _ => slug,
    }
}

/// `± 0.3%`; empty where all runs gave the same, or there are too few to tell.
pub(super) fn plus_minus(interval: Option<Interval>, estimate: f64) -> String {
    let wide = interval.filter(|i| i.low < i.high);
    wide.map_or_else(String::new, |i| {
        format!("± {:.1}%", i.relative_half_width(estimate) * 100.0)
    })
}

/// `a`, `a and b`, `a, b and c`.
pub fn join(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// How many runs are behind the figures, and what the spread beside them is.
pub(super) fn runs(part: &Part<'_>) -> String {
    let counts = || {
        part.rows
            .iter()
            .flat_map(|r| r.cells.iter().flatten())
            .map(|c| c.values.len())
            .filter(|n| *n > 0)
    };
    let (Some(least), Some(most)) = (counts().min(), counts().max()) else {
        return String::new();
    };
    let estimator = estimator_words(part.estimator);
    let n = if least == most {
        most.to_string()
    } else {
        format!("{least} to {most}")
    };
    match most {
        1 => "Single figures, so there is no spread.".to_owned(),
        2..6 => format!("{estimator} of {n} runs: too few for an interval, which takes 6."),
        _ => format!(
            "{estimator} of {n} runs; ± is half the width of the 95% confidence interval of the median."
        ),
    }
}

fn estimator_words(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::Median => "Median",
        Estimator::MedianHigh => "Upper median",
        Estimator::Min => "Minimum",
        Estimator::Max => "Maximum",
        Estimator::Mean => "Mean",
    }
}

/// Titles that are longer are cut by search engines and feeds.
const LONGEST_TITLE: usize = 70;

/// The title of a report: its own, or its releases and its architecture.
pub fn title(report: &Report) -> String {
    if let Some(title) = &report.manifest.title {
        return title.clone();
    }
    let mut implementations: Vec<&Implementation> = report
        .data
        .implementations
        .iter()
        .filter(|i| has_figures(&report.data, i))
        .collect();
    let subject = protagonist(report);
    implementations.sort_by_key(|i| i.name != subject);
    let machine = report
        .manifest
        .architecture
        .as_ref()
        .map_or_else(String::new, |a| format!(" on {a}"));
    let unique = |text: fn(&Implementation) -> String| {
        let mut names: Vec<String> = Vec::new();
        for name in implementations.iter().map(|i| text(i)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        join(&names) + &machine
    };
    let releases = unique(Implementation::release);
    if releases.chars().count() <= LONGEST_TITLE {
        releases
    } else {
        unique(|i| i.name.clone())
    }
}

fn has_figures(data: &Dataset, implementation: &Implementation) -> bool {
    let column = data
        .implementations
        .iter()
        .position(|i| i == implementation);
    column.is_some_and(|c| data.rows.iter().any(|r| r.cell(c).is_some()))
}

/// Whose needle gauges show.
pub fn protagonist(report: &Report) -> String {
    let named = report.manifest.subject.clone();
    let has_rustls = || {
        report
            .data
            .implementations
            .iter()
            .any(|i| i.name == "rustls")
            .then(|| "rustls".to_owned())
    };
    named.or_else(has_rustls).unwrap_or_else(|| {
        report
            .data
            .implementations
            .first()
            .map_or_else(String::new, |i| i.name.clone())
    })
}

/// The key finding in a sentence: the report's own, or who leads where.
pub fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let part = Part::of(&report.data, report.manifest.estimator, |_| true);
    let mut wins = vec![0usize; report.data.implementations.len()];
    let mut contested = 0;
    for row in &part.rows {
        let columns: Vec<usize> = (0..wins.len())
            .filter(|c| part.estimate(row, *c).is_some())
            .collect();
        if columns.len() > 1 && row.unit.better() != Better::Unknown {
            contested += 1;
            if let Some(best) = part.best(row, &columns, row.unit.better()) {
                wins[best] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..wins.len()).filter(|c| wins[*c] > 0).collect();
    order.sort_by_key(|c| std::cmp::Reverse(wins[*c]));
    let mut phrases = order
        .iter()
        .take(3)
        .enumerate()
        .map(|(place, column)| match place {
            0 => format!(
                "{} is best in {} of {contested} scenarios",
                part.name(*column),
                wins[*column]
            ),
            _ => format!("{} in {}", part.name(*column), wins[*column]),
        });
    let Some(first) = phrases.next() else {
        let n = part.rows.len();
        let names: Vec<String> = (0..wins.len()).map(|c| part.name(c)).collect();
        return format!(
            "{n} figure{} of {}.",
            if n == 1 { "" } else { "s" },
            join(&names)
        );
    };
    let rest: Vec<String> = phrases.collect();
    if rest.is_empty() {
        format!("{first}.")
    } else {
        format!("{first}, {}.", join(&rest))
    }
}

/// How figures were made, a sentence each.
pub fn method(report: &Report) -> Vec<String> {
    let manifest = &report.manifest;
    let mut sentences = Vec::new();
    let estimator = estimator_words(manifest.estimator).to_lowercase();
    match report.data.runs() {
        Some((1, 1)) => sentences.push("Each figure stands alone: without repeated runs nothing can be said of its spread, and changes are not tested.".to_owned()),
        Some((_, most)) => {
            sentences.push(format!("A figure is the {estimator} of its runs. A run is one execution of the whole suite, never a repetition within one process."));
            if most >= 6 {
                sentences.push("The interval is that of the median at 95% confidence from order statistics, which assumes nothing of the distribution; below 6 runs there is none.".to_owned());
            }
        }
        None => {}
    }
    if let Some(source) = &manifest.source
        && let (Some(runs), Some(statistic)) = (source.runs, source.statistic)
    {
        sentences.push(format!(
            "The source publishes each rate as the {} of {runs} runs, not the runs themselves.",
            estimator_words(statistic).to_lowercase()
        ));
    }
    if report
        .data
        .rows
        .iter()
        .any(|r| r.cells.iter().flatten().any(|c| c.distribution.is_some()))
    {
        sentences.push("Percentiles are nearest rank, from histograms with three significant digits, over all threads of a run.".to_owned());
    }
    sentences.push("Factors are ratios of the unrounded figures, at least 1, with two decimals; those that round to 1.00 are called no change.".to_owned());
    sentences.extend(report.data.notes.iter().cloned());
    sentences
}

/// A gauge with its figures in words.
#[derive(Clone, Debug, Serialize)]
pub struct GaugeView {
    /// What it shows.
    #[serde(skip)]
    pub scenario: Scenario,
    /// In what.
    #[serde(skip)]
    pub unit: Unit,
    /// `full handshakes`
    pub title: String,
    /// `1.3, rsa, server, per second`
    pub detail: String,
    /// Its graph.
    pub graph: super::Graph,
    /// Ours.
    pub value: String,
    /// Whose.
    pub name: String,
    /// The others.
    pub rivals: Vec<Rival>,
}

/// A rival on a gauge.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// Its release.
    pub name: String,
    /// Its figure.
    pub value: String,
    /// Ours against it: `1.38x faster`.
    pub change: String,
    /// The word alone.
    pub class: &'static str,
}

/// The headline scenarios where a report names none.
pub(super) fn usual_headlines() -> Vec<Scenario> {
    use crate::scenario::Cipher::Aes256Gcm;
    use crate::scenario::KeyType::Rsa2048;
    let base = |workload, side| Scenario {
        version: Some(TlsVersion::V1_3),
        side: Some(side),
        ..Scenario::new(workload)
    };
    let transfer = |side| Scenario {
        cipher: Some(Aes256Gcm),
        ..base(Workload::Transfer, side)
    };
    vec![
        Scenario {
            key: Some(Rsa2048),
            ..base(Workload::FullHandshake, Side::Server)
        },
        base(Workload::ResumedHandshake, Side::Server),
        transfer(Side::Sending),
        transfer(Side::Receiving),
    ]
}

/// The scenarios that stand for a report: those it names, or the usual ones.
pub(super) fn headlines(report: &Report) -> Vec<Scenario> {
    let named: Vec<Scenario> = report
        .manifest
        .headline
        .iter()
        .filter_map(|l| Scenario::from_label(l).ok())
        .collect();
    if named.is_empty() {
        usual_headlines()
    } else {
        named
    }
}

/// The gauges of a report: its headline scenarios that the subject has a figure for.
pub fn gauges(report: &Report) -> Vec<GaugeView> {
    headlines(report)
        .iter()
        .filter_map(|s| gauge(report, s))
        .collect()
}

fn gauge(report: &Report, scenario: &Scenario) -> Option<GaugeView> {
    let estimator = report.manifest.estimator;
    let row = report.data.rows.iter().find(|r| r.scenario == *scenario)?;
    let part = Part {
        data: &report.data,
        rows: vec![row],
        estimator,
    };
    let subject = protagonist(report);
    let figures: Vec<(usize, f64)> = part
        .shown()
        .into_iter()
        .filter_map(|c| Some((c, part.estimate(row, c)?)))
        .collect();
    let ours = *figures
        .iter()
        .find(|(c, _)| report.data.implementations[*c].name == subject)?;
    let scale = Scale {
        decimals: 0,
        ..Scale::of(&row.unit, figures.iter().map(|f| f.1))
    };
    let reading = |(column, value): (usize, f64)| Reading {
        series: Series {
            label: part.name(column),
            implementation: report.data.implementations[column].name.clone(),
        },
        value: value / scale.factor,
        text: scale.show(value),
    };
    let others: Vec<(usize, f64)> = figures.iter().copied().filter(|f| f.0 != ours.0).collect();
    let rivals = others.iter().filter_map(|(column, value)| {
        let change = Change::new(*value, ours.1, row.unit.better(), false)?;
        let text = change.to_string().replace("no change", "as fast");
        Some(Rival {
            name: part.name(*column),
            value: scale.show(*value),
            change: text,
            class: change.word().word(),
        })
    });
    let rivals: Vec<Rival> = rivals.collect();
    let label = scenario.label();
    let (title, detail) = label.split_once(", ").unwrap_or((&label, ""));
    let against = rivals
        .iter()
        .map(|r| format!("{} of {}", r.value, r.name))
        .collect::<Vec<_>>();
    let alt = format!(
        "Gauge: {} with {} {} in {label}, against {}.",
        part.name(ours.0),
        scale.show(ours.1),
        scale.symbol,
        join(&against)
    );
    let file = format!("gauge-{}", slug(&label));
    let chart = Gauge {
        caption: Caption {
            title: label.clone(),
            description: alt.clone(),
        },
        axis: Axis {
            unit: scale.symbol.clone(),
            better: row.unit.better(),
        },
        ours: reading(ours),
        rivals: others.iter().map(|o| reading(*o)).collect(),
    };
    Some(GaugeView {
        scenario: scenario.clone(),
        unit: row.unit.clone(),
        title: title.to_owned(),
        detail: format!("{detail}, {}", scale.symbol),
        graph: super::Graph {
            title: String::new(),
            file: format!("{file}.svg"),
            alt,
            drawing: chart.render(),
        },
        value: scale.show(ours.1),
        name: part.name(ours.0),
        rivals,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        for (text, expected) in [
            (
                "transfer, 1.2, aes-128-gcm, sending",
                "transfer-1-2-aes-128-gcm-sending",
            ),
            ("../../etc/passwd", "etc-passwd"),
            ("<script>", "script"),
            ("…", ""),
        ] {
            assert_eq!(slug(text), expected);
        }
    }

    #[test]
    fn lists() {
        let list = |n: usize| {
            join(
                &["a", "b", "c"][..n]
                    .iter()
                    .map(|s| (*s).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!([list(1), list(2), list(3)], ["a", "a and b", "a, b and c"]);
    }
}
