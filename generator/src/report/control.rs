//! Controls: a program that is measured twice differs from itself by chance and because of noise
//! on the machine. Changes that are no larger are marked.

use super::{Cell, Report, words};
use crate::stats::Sample;

impl Report {
    /// Removes the builds that are controls. Each row keeps the factor by which the two measurements of
    /// a program differ, the largest if several programs have a control.
    pub(super) fn drop_controls(&mut self) {
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for control in 0..self.builds.len() {
            if let Some(controlled) = self.build(control).controlled() {
                let mut builds = 0..self.builds.len();
                let program = builds.find(|build| *self.build(*build) == controlled);
                pairs.extend(program.map(|program| [control, program]));
            }
        }
        if pairs.is_empty() {
            return;
        }
        for row in &mut self.rows {
            let factor = |pair: &[usize; 2]| {
                let [control, program] = pair.map(|build| row.cell(build));
                factor(control?, program?, self.manifest.paired)
            };
            row.control = pairs.iter().filter_map(factor).reduce(f64::max);
        }
        let mut builds = Vec::from_iter(0..self.builds.len());
        builds.retain(|build| pairs.iter().all(|[control, _]| control != build));
        self.keep_builds(&builds);
    }
}

/// Returns the ratio of the larger of two figures to the smaller; of paired runs, their median
/// ratio.
fn factor(control: &Cell, program: &Cell, is_paired: bool) -> Option<f64> {
    let ratio = match Sample::new(control.ratios(program)).filter(|_| is_paired) {
        Some(ratios) => ratios.median_ratio(),
        None => control.estimate()? / program.estimate()?,
    };
    Some(ratio.max(1.0 / ratio)).filter(|factor| factor.is_finite())
}

/// Returns a sentence on the largest difference of the controls in a table; `None` without any.
pub(crate) fn control_note(factors: impl IntoIterator<Item = Option<f64>>) -> Option<String> {
    let largest = factors.into_iter().flatten().reduce(f64::max)?;
    Some(format!(
        "Control: the same program, measured twice in each run, differed by up to {}.",
        words::control(largest)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_largest_difference() {
        let report = Report::example(
            "2026-01-01-x",
            "",
            "scenario,unit,a 1,\"a 1, control\",\"b 2, x\",\"b 2, x, control\",\"c, control\"\n\
             one,ns,100,98,100,101,7\n\
             two,ns,100,,100,104,7\n\
             zzz,ns,100,,100,,7\n",
        );
        // A control without its program is an ordinary build.
        assert_eq!(report.list(), "a 1; b 2, x; c, control");
        let controls = report.rows.iter().map(|r| r.control.map(words::control));
        let expected = [Some("2.0%"), Some("4.0%"), None];
        assert!(controls.eq(expected.map(|text| text.map(str::to_owned))));
        let note = control_note(report.rows.iter().map(|r| r.control)).expect("controls");
        assert!(note.ends_with("differed by up to 4.0%."), "{note}");
    }

    /// The medians are of different runs, in which the machine had different levels.
    #[test]
    fn paired_runs_are_compared_one_by_one() {
        let mut table = "scenario,unit,implementation,variant,run,value\n".to_owned();
        for (run, [one, control]) in [[100, 103], [80, 79], [120, 121]].into_iter().enumerate() {
            let run = run + 1;
            table += &format!("x,ns,a,,{run},{one}\nx,ns,a,control,{run},{control}\n");
        }
        for (paired, expected) in [("true", "0.8%"), ("false", "3.0%")] {
            let manifest = format!("paired = {paired}");
            let report = Report::example("2026-01-01-x", &manifest, &table);
            let control = report.rows[0].control.map(words::control);
            assert_eq!(control.as_deref(), Some(expected));
        }
    }
}
