//! Notices when the same program was measured under two names, as after a build that took nothing
//! of a change.

use crate::base::failure::Result;
use crate::base::limits;
use crate::files;
use crate::measure::records::record::Record;
use crate::model::implementation::Implementation;
use crate::report::Report;
use crate::report::manifest;
use std::collections::BTreeMap;
use std::path::Path;

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

/// Returns a warning if the implementations at these paths are one program under two names.
pub(super) fn same_on_both(sides: [(&Path, &Implementation); 2]) -> Result<Option<String>> {
    let [one, other] = [found(sides[0])?, found(sides[1])?];
    let (Some((one, first)), Some((other, second))) = (one, other) else {
        return Ok(None);
    };
    let is_control = [sides[0], sides[1]]
        .iter()
        .any(|(_, side)| side.controlled().is_some());
    let is_twice = first == second && !is_control && sides[0] != sides[1];
    Ok(is_twice.then(|| same(&one, &other)))
}

/// Returns the results folder of an implementation, and the digest of its program, by the record in
/// `path`, a report, or beside it, if it is such a folder.
fn found((path, implementation): (&Path, &Implementation)) -> Result<Option<(String, String)>> {
    let (record, id) = match read(path)? {
        Some(record) => {
            let manifest = manifest(path)?.unwrap_or_default();
            let mut declarations = manifest.declarations.into_iter();
            let declared = declarations.find(|d| d.implementation == *implementation);
            let files = declared.and_then(|d| d.files.into_iter().next());
            let id = files.map(|at| at.value.0.trim_end_matches('/').to_owned());
            (Some(record), id)
        }
        None => (read(above(path))?, Some(files::file_name(path))),
    };
    Ok(record.zip(id).and_then(|(record, id)| {
        let digest = record.programs.get(&id)?.clone();
        Some((id, digest))
    }))
}

/// Returns the folder in which a path is.
pub(super) fn above(path: &Path) -> &Path {
    let above = path.parent().filter(|above| *above != Path::new(""));
    above.unwrap_or(Path::new("."))
}

/// Reads the record in a folder; `None` if it is a file, or has none that `run` wrote.
fn read(folder: &Path) -> Result<Option<Record>> {
    let path = Record::path(folder);
    let bytes = files::read_limited(&path, limits::TEXT)?;
    bytes.map_or(Ok(None), |bytes| Record::parse_own(&path, &bytes))
}

/// Returns the record of a report that `run` measured.
pub(super) fn record(report: &Report) -> Result<Option<Record>> {
    let bytes = report.record.as_ref();
    bytes.map_or(Ok(None), |bytes| {
        Record::parse_own(&Record::path(&report.folder), bytes)
    })
}
