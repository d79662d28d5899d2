//! A folder's parsed files and its `report.toml`, made into one report.

use super::manifest::Manifest;
use super::{Dataset, Grouping, identify};
use crate::failure::{Diagnostic, Failure, Result};
use crate::implementation::Implementation;
use crate::load::Loaded;
use crate::scenario::Scenario;
use crate::slug;
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
    pub day: Option<String>,
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
    /// Whether both are known to be of one machine.
    pub fn shares_machine(&self, other: &Self) -> bool {
        let machine = &self.manifest.machine;
        machine.is_some() && *machine == other.manifest.machine
    }

    /// Groups all observations under the implementations that `report.toml`, the files
    /// themselves or their paths name.
    ///
    /// # Errors
    /// Files that nothing declares, implementations that are not declared, labels that are no
    /// scenario.
    pub fn assemble(
        folder: &Path,
        manifest: Manifest,
        loaded: &[Loaded],
        notes: Option<String>,
    ) -> Result<Self> {
        let folder_name = folder_name(folder);
        let declared: Vec<Declared> = manifest.implementation.iter().map(Declared::new).collect();
        let mut grouping = Grouping::with_order(declared.iter().map(|d| d.identity.clone()));
        let mut problems = Vec::new();
        for (index, file) in loaded.iter().enumerate() {
            let below = below(folder, &file.path);
            // A file has few implementations in its many rows, and one problem of each is enough.
            let mut known: HashMap<Option<&Implementation>, Option<Implementation>> =
                HashMap::new();
            for observation in &file.parsed.observations {
                let told = observation.implementation.as_ref();
                let found = known.entry(told).or_insert_with(|| {
                    let found = implementation(&declared, &folder_name, &below, told);
                    let problem = |message| Diagnostic {
                        path: file.path.clone(),
                        line: observation.line,
                        message,
                    };
                    found
                        .map_err(|message| problems.push(problem(message)))
                        .ok()
                });
                if let Some(implementation) = found {
                    grouping.add(implementation, index, &below, observation);
                }
            }
        }
        let wrong_labels = manifest
            .headline
            .iter()
            .chain(manifest.comparison.iter().flat_map(|c| &c.exclude));
        for label in wrong_labels {
            if let Err(message) = Scenario::from_label(label) {
                problems.push(Diagnostic {
                    path: folder.join("report.toml"),
                    line: 0,
                    message,
                });
            }
        }
        if !problems.is_empty() {
            return Err(Failure::BadInput(problems));
        }
        let mut data = grouping.finish();
        let without_bars = manifest
            .implementation
            .iter()
            .filter(|i| i.graph == Some(false));
        data.without_bars = without_bars
            .map(crate::report::manifest::Implementation::identity)
            .collect();
        if declared.is_empty() {
            data.sort_columns();
        }
        let files = loaded.iter().map(|f| DataFile {
            name: below(folder, &f.path).to_string_lossy().into_owned(),
            size: f.size,
            digest: f.digest.clone().unwrap_or_default(),
        });
        Ok(Self {
            day: manifest.day(&folder_name),
            name: slug::folder(&folder_name),
            folder: folder.to_owned(),
            files: files.collect(),
            data,
            manifest,
            notes,
        })
    }
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
    path.strip_prefix(folder)
        .ok()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(path)
        .to_owned()
}

/// An implementation of `report.toml`, and how its figures are known.
struct Declared {
    identity: Implementation,
    column: Option<Implementation>,
    files: Vec<regex::Regex>,
}

impl Declared {
    fn new(declaration: &super::DeclaredImplementation) -> Self {
        Self {
            identity: declaration.identity(),
            column: declaration
                .column
                .as_deref()
                .map(Implementation::from_heading),
            files: declaration
                .files
                .iter()
                .filter_map(|pattern| glob(pattern))
                .collect(),
        }
    }
}

/// `*` stands for any part of a name, but not for `/`; a folder stands for all in it.
fn glob(pattern: &str) -> Option<regex::Regex> {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    let body = regex::escape(pattern).replace(r"\*", "[^/]*");
    regex::Regex::new(&format!("^{body}(/.*)?$")).ok()
}

fn implementation(
    declared: &[Declared],
    folder: &str,
    file: &Path,
    told: Option<&Implementation>,
) -> Result<Implementation, String> {
    if declared.is_empty() {
        return identify(&Path::new(folder).join(file), told);
    }
    let name = file.to_string_lossy();
    let mut by_file = declared
        .iter()
        .filter(|d| d.files.iter().any(|f| f.is_match(&name)));
    match (by_file.next(), by_file.next()) {
        (Some(one), None) => return Ok(one.identity.clone()),
        (Some(one), Some(other)) => {
            return Err(format!(
                "report.toml gives this file to two implementations: {} and {}",
                one.identity, other.identity
            ));
        }
        _ => {}
    }
    let told = match told {
        Some(told) => told.clone(),
        None => identify(&Path::new(folder).join(file), None)?,
    };
    let candidates: [&dyn Fn(&&Declared) -> bool; 4] = [
        &|d| d.column.as_ref() == Some(&told),
        &|d| d.identity == told,
        &|d| {
            d.identity.name == told.name
                && d.identity.version == told.version
                && (told.variant.is_empty()
                    || told.variant.iter().all(|v| d.identity.variant.contains(v)))
        },
        &|d| d.identity.name == told.name && told.version.is_empty() && told.variant.is_empty(),
    ];
    for fits in candidates {
        let found: Vec<&Declared> = declared.iter().filter(fits).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one.identity.clone()),
            _ => {
                return Err(format!(
                    "`{told}` could be {} of the implementations in report.toml; give its variant, or `column` or `files` there",
                    found.len()
                ));
            }
        }
    }
    let known: Vec<String> = declared.iter().map(|d| d.identity.to_string()).collect();
    Err(format!(
        "`{told}` is not in report.toml, which has {}; add an [[implementation]], or name this one with `column` or `files`",
        known.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let matches = |pattern: &str, path: &str| glob(pattern).expect("a pattern").is_match(path);
        assert!(matches("rustls/*.txt", "rustls/a.txt"));
        assert!(!matches("rustls/*.txt", "rustls/b/a.txt"));
        assert!(matches("rustls/", "rustls/b/a.txt"));
        assert!(!matches("rustls", "rustls2"));
    }
}
