//! Trends of the headline figures over the reports of one machine, for the list of reports.

use super::gauge::{compared, headline_scale};
use super::headline::subject;
use super::{Graph, Part, join};
use crate::chart::{Series, Trend, TrendLine, TrendPoint};
use crate::history::HistoryPoint;
use crate::report::{Report, Row};
use crate::slug::slug;
use crate::stats::Change;
use jiff::civil::Date;
use serde::Serialize;

/// The trend of a gauge's scenario.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TrendView {
    pub graph: Graph,
    /// `1.07x faster than 0.23.15 in October 2024`.
    pub words: String,
    pub class: &'static str,
}

/// Returns the trend of a gauge's scenario over `reports`, which are of one machine, oldest first.
/// `None` if fewer than two reports have a figure of the subject.
pub(super) fn trend(row: &Row, reports: &[&Report]) -> Option<TrendView> {
    let newest = reports.last()?;
    let row = newest.data.row(&row.scenario, &row.unit)?;
    let ours = subject(newest);
    let figures = Part::of(newest).figures(row).into_iter();
    let names = figures.map(|(c, _)| newest.data.implementations[c].name.as_str());
    let mut names: Vec<&str> = names.collect();
    names.sort_by_key(|name| *name != ours);
    names.dedup();
    let trends = names
        .into_iter()
        .map(|name| (name, dated_figures(row, reports, name)));
    let mut trends: Vec<(&str, Vec<DatedPoint<'_>>)> = trends.collect();
    trends.retain(|(_, figures)| !figures.is_empty());
    let (name, own) = trends.first().filter(|(name, _)| *name == ours)?;
    let [(begin, first), .., (_, last)] = own.as_slice() else {
        return None;
    };
    let change = Change::new(
        first.figure.estimate,
        last.figure.estimate,
        row.unit.better(),
        row.unit.kind(),
    )?;
    let (words, conjunction) = compared(&change);
    let since = format!("{} in {}", first.implementation.version, month(*begin));
    let figures = own.iter().map(|(_, point)| point.figure.estimate);
    let scale = headline_scale(&row.unit, figures)?;
    let show = |p: &HistoryPoint<'_>| format!("{} {}", scale.show(p.figure.estimate), scale.symbol);
    let figure = |(day, point): &DatedPoint<'_>| {
        let version = &point.implementation.version;
        format!("{} ({version}, {day})", show(point))
    };
    let figures: Vec<String> = own.iter().map(figure).collect();
    let label = row.scenario.label();
    let alt = format!("Trend of {name} in {label}: {}.", join(&figures));
    let line = |(name, figures): &(&str, Vec<DatedPoint<'_>>)| {
        let point = |(day, point): &DatedPoint<'_>| {
            let version = &point.implementation.version;
            TrendPoint {
                x: day_number(*day),
                y: point.figure.estimate,
                tooltip: format!("{day}, {name} {version}: {}", show(point)),
            }
        };
        TrendLine {
            series: Series {
                label: (*name).to_owned(),
                look: newest.data.look_of(name),
            },
            points: figures.iter().map(point).collect(),
        }
    };
    let days = || {
        trends
            .iter()
            .flat_map(|(_, figures)| figures)
            .map(|(day, _)| *day)
    };
    let ends = (month(days().min()?), month(days().max()?));
    let lines = trends.iter().map(line).collect();
    let (name, title) = (slug(&label), format!("{label}, report by report"));
    let graph = Graph::new(&format!("trend-{name}"), title, alt, |caption| {
        let chart = Trend {
            caption,
            ends,
            lines,
        };
        chart.render()
    });
    Some(TrendView {
        graph: graph.untitled(),
        words: format!("{words} {conjunction} {since}"),
        class: change.word().word(),
    })
}

/// A figure with the day of its report.
type DatedPoint<'a> = (Date, HistoryPoint<'a>);

/// Returns an implementation's figures, without reports that have several variants of it: none of
/// them continues the trend.
fn dated_figures<'a>(row: &Row, reports: &[&'a Report], name: &str) -> Vec<DatedPoint<'a>> {
    let figure = |report: &&'a Report| {
        let row = report.data.row(&row.scenario, &row.unit)?;
        let all = &report.data.implementations;
        let is_named = |c: &usize| all[*c].name == name && !report.data.is_older(*c);
        let mut columns = (0..all.len()).filter(|c| is_named(c) && row.cell(*c).is_some());
        let column = columns.next().filter(|_| columns.next().is_none())?;
        let point = HistoryPoint {
            report,
            implementation: &all[column],
            figure: row.cell(column)?.figure.as_ref()?,
        };
        Some((report.day?, point))
    };
    reports.iter().filter_map(figure).collect()
}

/// Returns the number of days since 1970-01-01.
pub(super) fn day_number(day: Date) -> f64 {
    let since = day - Date::constant(1970, 1, 1);
    f64::from(since.get_days())
}

/// `October 2024`
fn month(day: Date) -> String {
    day.strftime("%B %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months() {
        let day = Date::constant(2024, 3, 1);
        assert_eq!(month(day), "March 2024");
        // 2024 is a leap year.
        assert_eq!(
            day_number(day) - day_number(Date::constant(2024, 2, 28)),
            2.0
        );
    }
}
