//! Notices when the same program was measured under two names, as after a build that took nothing
//! of a change.

use crate::base::failure::Result;
use crate::measure::records::record::Record;
use crate::report::{Report, Side};
use std::collections::BTreeMap;
use std::ptr;

/// Says that two names stand for one program.
fn same(one: &str, other: &str) -> String {
    format!(
        "{one} and {other} are the same program, or have the same sources, by their digest in run.toml: differences between them are noise"
    )
}

/// Returns a warning for each two results folders of a report that hold the same program, unless
/// one is its control.
pub(super) fn twice_in(report: &Report) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    let Some(record) = record(report)? else {
        return Ok(warnings);
    };
    let mut seen: BTreeMap<&String, &String> = BTreeMap::new();
    for (id, digest) in &record.programs {
        if record.is_control(id) {
            continue;
        }
        if let Some(first) = seen.insert(digest, id) {
            warnings.push(same(first, id));
        }
    }
    Ok(warnings)
}

/// Returns a warning if two builds are one program under two names.
pub(super) fn same_on_both(sides: [Side<'_>; 2]) -> Result<Option<String>> {
    let [Some((one, first)), Some((other, second))] = [found(sides[0])?, found(sides[1])?] else {
        return Ok(None);
    };
    let is_itself = ptr::eq(sides[0].0, sides[1].0) && sides[0].1 == sides[1].1;
    Ok((first == second && !is_itself).then(|| same(&one, &other)))
}

/// Returns the folder of a build's results, and the digest of its program.
fn found((report, build): Side<'_>) -> Result<Option<(String, String)>> {
    let record = record(report)?;
    let mut declarations = report.manifest.declarations.iter();
    let declared = declarations.find(|declared| declared.implementation == *report.build(build));
    let files = declared.and_then(|declared| declared.files.first());
    let id = files.map(|at| at.value.0.trim_end_matches('/').to_owned());
    Ok(record.zip(id).and_then(|(record, id)| {
        let digest = record.programs.get(&id)?.clone();
        Some((id, digest))
    }))
}

/// Returns the record of a report that `run` measured.
pub(super) fn record(report: &Report) -> Result<Option<Record>> {
    let bytes = report.record.as_ref();
    bytes.map_or(Ok(None), |bytes| {
        Record::parse_own(&Record::path(&report.folder), bytes)
    })
}
