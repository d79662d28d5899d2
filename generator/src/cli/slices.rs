//! `generator show --slices`: the slices that figures of `generator run` were made of.

use super::{print, read};
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::Show;
use crate::cli::grid::{self, Column, OutputFormat, Shown, field, number};
use crate::model::observation::Value;
use crate::model::scale::Scale;
use crate::parse::Reads;
use serde::Serialize;

/// Names and order of the fields are stable; new ones go to the end.
#[derive(Debug, Serialize)]
struct Record {
    scenario: Option<String>,
    implementation: Option<String>,
    run: u32,
    unit: Option<String>,
    #[serde(serialize_with = "number")]
    figure: Option<f64>,
    #[serde(serialize_with = "number")]
    p25: Option<f64>,
    #[serde(serialize_with = "number")]
    p50: Option<f64>,
    #[serde(serialize_with = "number")]
    p75: Option<f64>,
    #[serde(serialize_with = "number")]
    cpu: Option<f64>,
    slices: u64,
    left_out: u64,
}

/// The columns for people.
const COLUMNS: [Column; 11] = [
    ("scenario", false),
    ("implementation", false),
    ("run", true),
    ("unit", false),
    ("figure", true),
    ("p25", true),
    ("p50", true),
    ("p75", true),
    ("CPU", true),
    ("slices", true),
    ("left out", true),
];

/// Prints a row for each figure of each run.
pub(super) fn show(arguments: &Show) -> Result<()> {
    let (output, format) = (&arguments.output, arguments.output.format);
    let (mut records, mut rows) = (Vec::new(), Vec::new());
    for path in &arguments.paths {
        for file in read::files(path, None, &Reads::default())? {
            for row in &file.parsed.observations {
                let (Value::Number(value), Some(slices)) = (&row.value, &row.slices) else {
                    continue;
                };
                let label = row.scenario.label();
                if !output.filter.wants(&label) {
                    continue;
                }
                let implementation = row.implementation.as_deref();
                let implementation = implementation.map(ToString::to_string).unwrap_or_default();
                let all = [
                    *value,
                    slices.quartiles[0],
                    slices.quartiles[1],
                    slices.quartiles[2],
                ];
                let [figure, p25, p50, p75] = all.map(|v| Some(row.unit.printed(v)));
                records.push(Record {
                    scenario: field(format, &label),
                    implementation: field(format, &implementation),
                    run: row.run + 1,
                    unit: field(format, row.unit.symbol()),
                    figure,
                    p25,
                    p50,
                    p75,
                    cpu: Some(slices.cpu),
                    slices: slices.number,
                    left_out: slices.left_out,
                });
                let scale = Scale::of(&row.unit, all);
                let mut cells = vec![label, implementation, (row.run + 1).to_string()];
                cells.push(scale.symbol.to_string());
                cells.extend(all.map(|v| scale.show(v)));
                cells.push(format!("{:.0}%", slices.cpu * 100.0));
                cells.extend([slices.number, slices.left_out].map(|count| count.to_string()));
                rows.push(cells.into_iter().map(Shown::from).collect::<Vec<_>>());
            }
        }
    }
    if rows.is_empty() {
        let message = "none of these figures says of which slices it was made";
        return Err(Failure::at("--slices", 0, message));
    }
    print(&match format {
        OutputFormat::Text => grid::text(&COLUMNS, rows.into_iter()),
        OutputFormat::Markdown => grid::markdown(&COLUMNS, rows.into_iter()),
        format => grid::data(format, records.into_iter())?,
    })
}
