//! The key finding of a report.

use super::home::last_release;
use super::{Part, count, join};
use crate::report::{ReleaseSeries, Report, Row};

/// Returns the key finding in a sentence or two: the report's own summary, or which implementations
/// lead in how many scenarios, or else what the last release changed.
pub(crate) fn finding(report: &Report) -> String {
    if let Some(summary) = &report.manifest.summary {
        return summary.clone();
    }
    let part = Part::of(report);
    let columns = part.columns();
    let wins = part.wins(&columns);
    let Some((first, most)) = wins.first() else {
        // Of one library, what its last release changed.
        if let Some(found) = ReleaseSeries::all(report).iter().find_map(last_release) {
            return found.join(" ").trim_end().to_owned();
        }
        let figures = count(part.rows.len(), "figure");
        return format!("{figures} of {}.", join(&part.names(&columns)));
    };
    let is_ranked = |row: &&&Row| report.leaders(row).is_some_and(|l| !l.behind.is_empty());
    let ranked = part.rows_in_words(part.rows.iter().filter(is_ranked).count());
    let wins_of = |(column, wins): &(usize, usize)| format!("{} in {wins}", part.name(*column));
    let others: Vec<String> = wins.iter().skip(1).take(2).map(wins_of).collect();
    let comma = if others.is_empty() { "" } else { ", " };
    format!(
        "{} leads in {most} of {ranked} with a tested order{comma}{}.",
        part.name(*first),
        join(&others)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::report::history::Histories;
    use crate::report::release_tests::{FULL, SENDING, cells, report, versions};
    use crate::site::{changes, feed_summary};

    /// What is no final release is by far the fastest here, and in all tables, but nothing else.
    #[test]
    fn pre_releases_are_shown_and_nothing_else() {
        let random = &mut Random::new(1);
        let keys = versions(&["0.23.1", "0.23.46", "0.24.0-dev.2", "0.23.46+6868ee8"]);
        let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let other = "version = \"0.23.46\"\nvariant = [\"ring\"]";
        keys.push(other);
        let mut measured = |levels: &[f64]| {
            let rows = [FULL, SENDING].map(|label| (label, cells(random, 20, levels)));
            report(&keys, &rows)
        };
        let previous = measured(&[100.0, 110.0, 500.0, 400.0, 90.0]);
        let newer = measured(&[100.0, 120.0, 900.0, 800.0, 90.0]);
        let part = Part::of(&newer);
        assert_eq!(part.columns(), [1, 2, 3, 4]);
        assert_eq!(part.best(part.rows[0], &part.columns()), [1]);
        assert_eq!(newer.title(), "rustls 0.23.46");
        // The other scenario leaves the key exchange open.
        let name = part.name(1);
        assert_eq!(
            finding(&newer),
            format!("{name} leads in 1 of 1 scenario with a tested order.")
        );

        let changes = changes(&newer, &[&previous], |_| true);
        let feed = feed_summary(&previous, true, &changes.highlights);
        assert!(feed.contains("2 of 4 scenarios changed"), "{feed}");
        assert!(!feed.contains("dev") && !feed.contains("6868ee8"), "{feed}");
        let reports = [newer];
        let histories = Histories::of(&reports);
        let series = histories.releases_in(&reports[0]);
        assert_eq!(series[0].columns, [0, 1, 3, 2]);
        let newest = histories.metrics().flat_map(|(_, metric)| &metric.series);
        let newest = newest.map(|series| series.newest().implementation.version.as_str());
        assert_eq!(newest.collect::<Vec<_>>(), ["0.23.46"; 4]);
    }
}
