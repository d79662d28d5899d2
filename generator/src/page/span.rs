//! Pagination of long lists of reports: the newest are on the page itself, the others on a page per
//! year.

use super::count;
use crate::report::Report;
use serde::Serialize;

/// Reports in an unpaginated list.
const MAX_REPORTS: usize = 200;
/// Reports on the first page of a longer list.
const NEWEST: usize = 100;

/// Consecutive reports of a list.
#[derive(Clone, Debug)]
pub(crate) struct Span<'a> {
    /// `2020`; `2020-2` for the second part of a year that is too large for one page.
    pub name: String,
    /// Newest first; empty only if the list is.
    pub reports: Vec<&'a Report>,
}

/// A link to the page of a span.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct YearLink {
    pub name: String,
    /// `366 reports`
    pub reports: String,
}

impl<'a> Span<'a> {
    /// Splits `reports` into the newest and the years of the others. `reports` are newest first,
    /// each with its number of table rows. The limits are rows of the first and of a year's page,
    /// each of which has at least one report.
    pub(crate) fn split(
        reports: &[(&'a Report, usize)],
        [newest_rows, year_rows]: [usize; 2],
    ) -> (Self, Vec<Self>) {
        let most = match reports.len() > MAX_REPORTS {
            true => NEWEST,
            false => reports.len(),
        };
        let (newest, mut rest) = reports.split_at(fitting(&reports[..most], newest_rows));
        let mut years: Vec<Self> = Vec::new();
        let mut part = 1;
        while let [(first, _), ..] = rest {
            let year = year_of(first);
            let of_year = rest.iter().take_while(|(r, _)| year_of(r) == year);
            let (here, after) = rest.split_at(fitting(&rest[..of_year.count()], year_rows));
            let name = match part {
                1 => year.clone(),
                part => format!("{year}-{part}"),
            };
            years.push(Self::of(name, here));
            let goes_on = after.first().is_some_and(|(r, _)| year_of(r) == year);
            part = if goes_on { part + 1 } else { 1 };
            rest = after;
        }
        (Self::of(String::new(), newest), years)
    }

    fn of(name: String, reports: &[(&'a Report, usize)]) -> Self {
        let reports = reports.iter().map(|(report, _)| *report).collect();
        Self { name, reports }
    }

    pub(crate) fn has(&self, report: &Report) -> bool {
        let ends = [self.reports.last(), self.reports.first()];
        let [Some(oldest), Some(newest)] = ends else {
            return false;
        };
        (oldest.when()..=newest.when()).contains(&report.when())
    }

    pub(crate) fn link(&self) -> YearLink {
        YearLink {
            name: self.name.clone(),
            reports: count(self.reports.len(), "report"),
        }
    }
}

/// Returns how many of the first `reports` fit into `rows`, at least one.
fn fitting(reports: &[(&Report, usize)], rows: usize) -> usize {
    let mut taken = 0;
    let fits = |(_, rows_of): &&(&Report, usize)| {
        taken += rows_of;
        taken <= rows
    };
    let fitting = reports.iter().take_while(fits).count();
    fitting.max(1).min(reports.len())
}

fn year_of(report: &Report) -> String {
    report
        .day
        .map_or_else(|| "undated".to_owned(), |day| day.year().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::release_tests;
    use jiff::civil::Date;

    fn report(day: usize) -> Report {
        let first = Date::constant(2020, 1, 1);
        let day = first.checked_add(jiff::Span::new().days(day as i64));
        Report {
            day: Some(day.expect("a day")),
            ..release_tests::report(&[], &[])
        }
    }

    fn split(days: usize, weight: usize) -> Vec<(String, usize)> {
        let reports: Vec<Report> = (0..days).rev().map(report).collect();
        let weighed: Vec<(&Report, usize)> = reports.iter().map(|r| (r, weight)).collect();
        let (newest, years) = Span::split(&weighed, [1_000, 250]);
        let spans = std::iter::once(newest).chain(years);
        let spans: Vec<Span<'_>> = spans.collect();
        let holders = |r: &Report| spans.iter().filter(|s| s.has(r)).count();
        assert!(reports.iter().all(|r| holders(r) == 1));
        spans
            .into_iter()
            .map(|s| (s.name, s.reports.len()))
            .collect()
    }

    fn named(spans: &[(&str, usize)]) -> Vec<(String, usize)> {
        spans.iter().map(|(n, c)| ((*n).to_owned(), *c)).collect()
    }

    #[test]
    fn long_lists_are_split_by_year() {
        assert_eq!(split(0, 1), named(&[("", 0)]));
        assert_eq!(split(200, 1), named(&[("", 200)]));
        let years = [("", 100), ("2021", 135), ("2020", 250), ("2020-2", 116)];
        assert_eq!(split(601, 1), named(&years));
        // Large reports fill a page sooner, but a single report is never split.
        assert_eq!(split(3, 600), named(&[("", 1), ("2020", 1), ("2020-2", 1)]));
    }
}
