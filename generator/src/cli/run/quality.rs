//! What the figures of a measurement are worth: which differences they show.

use crate::base::words::{count, list};
use crate::report::{Row, smallest_shown, words};

/// Unsteady rows to list.
const MAX_LISTED: usize = 5;

/// Describes which differences these rows show, with what to do; `None` if it is unknown. Counts do not differ
/// from run to run, and a build is timed once.
pub(super) fn resolution(rows: &[&Row]) -> Option<String> {
    let mut random = rows.to_vec();
    random.retain(|row| !row.unit.kind().is_count() && !row.scenario.workload.is_of_build());
    let (shown, all) = (smallest_shown(&random)?, count(random.len(), "row"));
    random.retain(|row| row.cells.iter().flatten().any(|cell| cell.is_unsteady));
    let shown = words::resolution(shown);
    let unsteady: Vec<String> = random.iter().map(|row| row.scenario.label()).collect();
    Some(match unsteady.len() {
        0 => format!("{shown}; none of {all} is unsteady"),
        n => format!(
            "{shown}; {n} of {all} {} unsteady: {}; add runs with --runs, and see `generator run --check`",
            if n == 1 { "is" } else { "are" },
            list(&unsteady, MAX_LISTED)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    const QUIET: [f64; 6] = [100.0, 100.5, 99.5, 100.0, 100.2, 99.8];

    /// What is said of rows with the values of a program, and of its control if there are others.
    fn said(rows: &[&[&[f64]]]) -> Option<String> {
        let mut table = "scenario,unit,implementation,variant,run,value\n".to_owned();
        for (row, builds) in rows.iter().enumerate() {
            for (variant, values) in ["", "control"].iter().zip(*builds) {
                for (run, value) in values.iter().enumerate() {
                    table += &format!("s{row},ns,a,{variant},{},{value}\n", run + 1);
                }
            }
        }
        let report = Report::example("x", "", &table);
        resolution(&Vec::from_iter(&report.rows))
    }

    #[test]
    fn the_widest_interval_decides() {
        // Of six values, the interval is minimum to maximum, ±4 %.
        let noisy = [100.0, 104.0, 96.0, 100.0, 102.0, 98.0];
        let text = "differences of 3.8% and more show; none of 2 rows is unsteady";
        assert_eq!(said(&[&[&QUIET], &[&noisy]]).as_deref(), Some(text));
        assert_eq!(said(&[&[&[1.0, 1.0]]]), None);
    }

    #[test]
    fn the_control_says_what_shows() {
        let other = QUIET.map(|value| value * 1.011);
        let text = "differences of 1.1% and more show; none of 3 rows is unsteady";
        let row: &[&[f64]] = &[&QUIET, &other];
        let found = said(&[row; 3]);
        assert_eq!(found.as_deref(), Some(text));
        let wide = [100.0, 110.0, 90.0, 100.0, 102.0, 98.0];
        let found = said(&[&[&QUIET, &other], &[&wide, &other], &[&QUIET, &QUIET]]);
        let text = found.expect("controls");
        let end =
            "1 of 3 rows is unsteady: s1; add runs with --runs, and see `generator run --check`";
        assert!(text.ends_with(end), "{text}");
    }

    /// Of 21 rows, the 20th counts.
    #[test]
    fn one_row_of_twenty_may_differ_by_more() {
        let mut rows: Vec<&[&[f64]]> = vec![&[&[100.0], &[101.0]]; 20];
        rows.insert(4, &[&[100.0], &[300.0]]);
        let text = "differences of 1% and more show; none of 21 rows is unsteady";
        assert_eq!(said(&rows).as_deref(), Some(text));
    }
}
