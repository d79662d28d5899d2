//! A folder's parsed files and its `report.toml`, made into one report.

use super::grouping::Grouping;
use super::identify::identify;
use super::manifest::{Declaration, Manifest};
use super::{At, Dataset};
use crate::failure::{self, Diagnostic, Result};
use crate::implementation::Implementation;
use crate::load::Loaded;
use crate::slug;
use jiff::civil::Date;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Everything known of one report.
#[derive(Debug)]
pub struct Report {
    /// Folder of its pages, and part of their address: `2026-03-07-x86_64`.
    pub name: String,
    /// Where its data are.
    pub folder: PathBuf,
    /// What `report.toml` says.
    pub manifest: Manifest,
    /// The day, if it is known.
    pub day: Option<Date>,
    /// All figures.
    pub data: Dataset,
    /// Files with figures.
    pub files: Vec<DataFile>,
    /// `notes.md`, if there is one.
    pub notes: Option<String>,
}

/// A file that figures came from.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// Below the report's folder.
    pub name: String,
    /// Bytes; 0 if it was too large to hold.
    pub size: usize,
    /// SHA-256; empty if it was too large to hold.
    pub digest: String,
}

impl Report {
    /// What reports are sorted by.
    pub fn when(&self) -> (Option<Date>, &str) {
        (self.day, &self.name)
    }

    /// `2026-03-07`, or the name of a report without a day.
    pub fn day_or_name(&self) -> String {
        self.day
            .map_or_else(|| self.name.clone(), |day| day.to_string())
    }

    /// Whether both are known to be of one machine.
    pub fn shares_machine(&self, other: &Self) -> bool {
        let machine = &self.manifest.machine;
        machine.is_some() && *machine == other.manifest.machine
    }

    /// Groups all observations under the implementations that `report.toml`, the files
    /// themselves or their paths name.
    ///
    /// # Errors
    /// Figures of no implementation, or of several.
    pub fn assemble(
        folder: &Path,
        manifest: Manifest,
        loaded: &[Loaded],
        notes: Option<String>,
    ) -> Result<Self> {
        let folder_name = folder_name(folder);
        let places: Vec<PathBuf> = loaded.iter().map(|f| below(folder, &f.path)).collect();
        let files = loaded.iter().zip(&places).map(|(file, below)| Figures {
            file,
            below,
            path: Path::new(&folder_name).join(below),
        });
        let mut data = group(&manifest.declarations, files)?;
        let without_bars = manifest.declarations.iter().filter(|d| !d.graph);
        data.without_bars = without_bars.map(|d| d.implementation.clone()).collect();
        if manifest.declarations.is_empty() {
            data.sort_columns();
        }
        let files = loaded.iter().zip(&places).map(|(file, below)| DataFile {
            name: below.to_string_lossy().into_owned(),
            size: file.size,
            digest: file.digest.clone().unwrap_or_default(),
        });
        let report = Self {
            day: manifest.day(&folder_name),
            name: slug::folder(&folder_name),
            folder: folder.to_owned(),
            files: files.collect(),
            data,
            manifest,
            notes,
        };
        report.check_manifest().map(|()| report)
    }

    /// What `report.toml` names has to be there.
    fn check_manifest(&self) -> Result<()> {
        let path = self.folder.join("report.toml");
        let Manifest {
            subject,
            headline,
            declarations,
            ..
        } = &self.manifest;
        let mut problems = Vec::new();
        let mut check = |line: u32, found: bool, message: String| {
            if !found {
                problems.push(Diagnostic::at(&path, line, message));
            }
        };
        if let Some(At { line, value }) = subject {
            let known = self.data.names();
            let message = format!(
                "subject = \"{value}\" is no implementation of this report, which has {known}"
            );
            let mut all = self.data.implementations.iter();
            check(*line, all.any(|i| i.name == *value), message);
        }
        for At { line, value } in headline {
            let found = self.data.rows.iter().any(|r| r.scenario == *value);
            let message = format!("headline `{value}` has no figure in this report");
            check(*line, found, message);
        }
        for At { line, value } in declarations.iter().flat_map(|d| &d.files) {
            let found = self.files.iter().any(|f| value.1.is_match(&f.name));
            let message = format!("`{}` in `files` matches no file with figures", value.0);
            check(*line, found, message);
        }
        failure::if_any(problems)
    }
}

/// A file with figures, and the paths that name its implementation.
pub(crate) struct Figures<'a> {
    /// What it holds.
    pub(crate) file: &'a Loaded,
    /// Below the report's folder, as `files` in `report.toml` has it.
    pub(crate) below: &'a Path,
    /// With the folders above, whose names may name an implementation.
    pub(crate) path: PathBuf,
}

/// Puts the figures of all files under their implementations: the declared ones, or without
/// declarations those that files and paths name.
///
/// # Errors
/// Figures of no implementation, or of several.
pub(crate) fn group<'a>(
    declarations: &[Declaration],
    files: impl IntoIterator<Item = Figures<'a>>,
) -> Result<Dataset> {
    let mut grouping = Grouping::with_order(declarations.iter().map(|d| d.implementation.clone()));
    let mut problems = Vec::new();
    for (index, Figures { file, below, path }) in files.into_iter().enumerate() {
        // A file has few implementations in its many rows, and one problem of each is enough.
        let mut known = HashMap::new();
        for observation in &file.parsed.observations {
            let named = observation.implementation.as_ref();
            let found = known.entry(named).or_insert_with(|| {
                let found = implementation(declarations, below, &path, named);
                found.map_err(|message| {
                    problems.push(Diagnostic::at(&file.path, observation.line, message));
                })
            });
            if let Ok(implementation) = found {
                grouping.add(implementation, index, below, observation);
            }
        }
    }
    failure::if_any(problems).map(|()| grouping.finish())
}

/// The last part of a folder's path, also of `.` and `data/`.
fn folder_name(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    absolute
        .components()
        .next_back()
        .map_or_else(String::new, |c| {
            c.as_os_str().to_string_lossy().into_owned()
        })
}

fn below(folder: &Path, path: &Path) -> PathBuf {
    match path.strip_prefix(folder) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
        _ => path.to_owned(),
    }
}

/// The implementation of a figure, where the file itself names `named`.
fn implementation(
    declarations: &[Declaration],
    below: &Path,
    path: &Path,
    named: Option<&Implementation>,
) -> std::result::Result<Implementation, String> {
    if declarations.is_empty() {
        return identify(path, named);
    }
    let file = below.to_string_lossy();
    let by_file = |d: &&Declaration| {
        d.files
            .iter()
            .any(|pattern| pattern.value.1.is_match(&file))
    };
    let owners: Vec<&Declaration> = declarations.iter().filter(by_file).collect();
    match owners.as_slice() {
        [] => {}
        [one] => return Ok(one.implementation.clone()),
        [one, other, ..] => {
            return Err(format!(
                "report.toml gives this file to two implementations: {} and {}",
                one.implementation, other.implementation
            ));
        }
    }
    let named = match named {
        Some(named) => named.clone(),
        None => identify(path, None)?,
    };
    // A heading may have been split into name and version otherwise than report.toml has it,
    // so that whole headings come first.
    let ways: [&dyn Fn(&Declaration) -> bool; 4] = [
        &|d| d.column.as_ref().is_some_and(|c| c.is_displayed_as(&named)),
        &|d| d.implementation.is_displayed_as(&named),
        &|d| d.implementation.is_release(&named) && d.implementation.has_variant(&named),
        &|d| {
            d.implementation.name == named.name
                && named.version.is_empty()
                && named.variant.is_empty()
        },
    ];
    for fits in ways {
        let found: Vec<&Declaration> = declarations.iter().filter(|d| fits(d)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one.implementation.clone()),
            several => {
                return Err(format!(
                    "`{named}` could be {} of the implementations in report.toml; give its variant, or `column` or `files` there",
                    several.len()
                ));
            }
        }
    }
    let known: Vec<String> = declarations
        .iter()
        .map(|d| d.implementation.to_string())
        .collect();
    Err(format!(
        "`{named}` is not in report.toml, which has {}; add an [[implementation]], or name this one with `column` or `files`",
        known.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_matched_with_declarations() {
        let manifest = "\
[[implementation]]
name = \"BoringSSL\"
version = \"r0\"
[[implementation]]
name = \"OpenSSL\"
version = \"3.6 final (patched)\"
[[implementation]]
name = \"rustls\"
version = \"0.23.37\"
variant = [\"aws-lc\", \"fips_140\"]
[[implementation]]
name = \"rustls\"
version = \"0.23.37\"
variant = [\"ring\"]
column = \"ours v2 new\"
";
        let manifest =
            Manifest::parse(Path::new("report.toml"), manifest.as_bytes()).expect("sound");
        for (heading, expected) in [
            ("BoringSSL r0", 0),
            ("boringssl r0", 0),
            ("BoringSSL", 0),
            ("OpenSSL 3.6 final (patched)", 1),
            ("rustls 0.23.37, aws-lc, fips_140", 2),
            ("Rustls (0.23.37, aws-lc)", 2),
            ("ours v2 new", 3),
            ("rustls 0.23.37, ring", 3),
        ] {
            let named = Implementation::from_heading(heading);
            let table = Path::new("table.csv");
            let found = implementation(&manifest.declarations, table, table, Some(&named));
            let expected = &manifest.declarations[expected].implementation;
            assert_eq!(found.as_ref(), Ok(expected), "{heading}");
        }
        for heading in ["BoringSSL r1", "OpenSSL 3.6", "rustls", "rustls 0.23.37"] {
            let named = Implementation::from_heading(heading);
            let table = Path::new("table.csv");
            let found = implementation(&manifest.declarations, table, table, Some(&named));
            assert!(found.is_err(), "{heading}: {found:?}");
        }
    }
}
