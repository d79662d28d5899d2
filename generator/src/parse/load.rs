//! Loads and parses files. Reads everything, and reports all problems together.

use crate::base::console::progress_bar;
use crate::base::failure::{self, Failure};
use crate::files::{self, Bytes, Hashed, file_name};
use crate::parse::prelude::*;
use crate::parse::{Parsed, Reads, criterion, latency, parse_with, tidy};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::path::PathBuf;
use std::slice;

/// One file with figures.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// As the user named it, or below the folder that the user named.
    pub(crate) path: PathBuf,
    /// Its contents.
    pub(crate) parsed: Parsed,
    /// The path whose names may name the implementation.
    pub(crate) named_by: PathBuf,
    /// SHA-256 in hexadecimal; `None` of a large file if it was not wanted.
    pub(crate) digest: Option<String>,
}

impl Loaded {
    fn new(path: &Path, parsed: Parsed, digest: Option<String>) -> Self {
        Self {
            path: path.to_owned(),
            named_by: path.to_owned(),
            parsed,
            digest,
        }
    }

    fn is_criterion(&self) -> bool {
        self.named_by != self.path
    }
}

/// Whether to compute the digests of large files too, which takes longer than to read them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Digests {
    All,
    Small,
}

/// Reads every file of `found` below `root`, except those that `skip` accepts; of criterion's
/// results, those of `baseline`. Fails if none has figures.
pub(crate) fn folder(
    root: &Path,
    found: &[PathBuf],
    skip: impl Fn(&Path) -> bool,
    baseline: Option<&str>,
    digests: Digests,
    reads: &Reads,
) -> failure::Result<Vec<Loaded>> {
    let results = criterion::Results::of(found, baseline);
    let is_read = |p: &&PathBuf| !skip(p) && !results.leaves_out(p);
    let paths: Vec<PathBuf> = found.iter().filter(is_read).cloned().collect();
    // Beside criterion's results, people put notes, and figures of other tools under its names.
    let may_skip = results.are_any();
    let mut loaded = read(root, &paths, digests, may_skip, reads)?;
    let mut all = loaded.iter().map(|file| &file.parsed.observations);
    if all.all(Vec::is_empty) {
        return Err(Failure::at(root, 0, "no file with figures in it"));
    }
    // That a unit is assumed is said once: it is that of all benchmarks.
    let mut is_first = true;
    for notes in loaded.iter_mut().map(|file| &mut file.parsed.notes) {
        notes
            .retain(|note| note.message != criterion::NANOSECONDS || std::mem::take(&mut is_first));
    }
    if results.are_any() {
        note_other_forms(&mut loaded);
    }
    Ok(loaded)
}

/// Notes files with figures of benchmarks that criterion's folders have too: what it printed is no other
/// execution.
fn note_other_forms(loaded: &mut [Loaded]) {
    let (results, others): (Vec<_>, Vec<_>) =
        loaded.iter_mut().partition(|file| file.is_criterion());
    let known = results.iter().flat_map(|file| &file.parsed.observations);
    let known: HashSet<_> = known.map(|row| (&row.scenario, &row.unit)).collect();
    for file in others {
        let mut rows = file.parsed.observations.iter();
        if let Some(row) = rows.find(|row| known.contains(&(&row.scenario, &row.unit))) {
            let message = format!(
                "criterion's folder has a figure of `{}` too: if both are of one execution, leave one of them out",
                row.scenario
            );
            let note = Diagnostic::at(&file.path, row.line, message);
            file.parsed.notes.push(note);
        }
    }
}

/// Reads these files.
pub(crate) fn files(paths: &[PathBuf], digests: Digests) -> failure::Result<Vec<Loaded>> {
    read(Path::new(""), paths, digests, false, &Reads::default())
}

/// Reads files. Those of no format are left out with a note if `may_skip`.
fn read(
    root: &Path,
    paths: &[PathBuf],
    digests: Digests,
    may_skip: bool,
    reads: &Reads,
) -> failure::Result<Vec<Loaded>> {
    if let Some(path) = paths.get(limits::FILES) {
        let message = exceeded(limits::FILES, "files");
        return Err(Failure::at(path, 0, message));
    }
    let sizes = paths.iter().map(|p| files::size(p));
    let style = "reading {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left";
    let bar = progress_bar(sizes.sum::<anyhow::Result<u64>>()?, style);
    let read = |path: &PathBuf| file(root, path, digests, may_skip, reads, &bar);
    let read: Vec<_> = paths.par_iter().map(read).collect();
    let (mut loaded, mut problems) = failure::split(read)?;
    // A README.
    loaded.retain(|file| file.parsed != Parsed::default());
    if problems.is_empty() {
        reads.check_used(&loaded)?;
    }
    problems.extend(same_run_twice(&loaded));
    failure::if_any(problems).map(|()| loaded)
}

/// Reads bytes that came from elsewhere, such as standard input.
pub(crate) fn bytes(name: &str, bytes: &[u8], reads: &Reads) -> failure::Result<Loaded> {
    let path = Path::new(name);
    let parsed = parse_with(path, path, bytes, reads).map_err(Failure::BadInput)?;
    let loaded = Loaded::new(path, parsed, Some(files::hex_digest(bytes)));
    reads.check_used(slice::from_ref(&loaded))?;
    Ok(loaded)
}

/// Reads one file. Nothing is in a README without figures.
fn file(
    root: &Path,
    path: &Path,
    digests: Digests,
    may_skip: bool,
    reads: &Reads,
    bar: &ProgressBar,
) -> failure::Result<Loaded> {
    let below = match path.strip_prefix(root) {
        Ok(below) if below != Path::new("") => below,
        _ => path,
    };
    let bytes = match files::read(path, |head, size| limit(path, head, size))? {
        Bytes::Whole(bytes) => bytes,
        Bytes::Stream(file) => {
            let file = bar.wrap_read(file);
            let (parsed, digest) = match digests {
                Digests::Small => (latency::stream(path, file), None),
                Digests::All => {
                    let mut file = Hashed::new(file);
                    (latency::stream(path, &mut file), Some(file.digest()))
                }
            };
            let parsed = parsed.map_err(Failure::BadInput)?;
            return Ok(Loaded::new(path, parsed, digest));
        }
    };
    let digest = Some(files::hex_digest(&bytes));
    if let Some((named_by, parsed)) = criterion::read(path, &bytes)? {
        let loaded = Loaded::new(path, parsed, digest);
        return Ok(Loaded { named_by, ..loaded });
    }
    let parsed = parse_with(path, below, &bytes, reads).or_else(|mut problems| {
        let is_readme = file_name(path).to_ascii_lowercase().starts_with("readme");
        match problems[0].is_unknown {
            true if may_skip => {
                problems.truncate(1);
                problems[0].message.insert_str(0, "left out: ");
            }
            // Its lines with figures are told.
            true if is_readme => drop(problems.remove(0)),
            _ => return Err(Failure::BadInput(problems)),
        }
        Ok(Parsed {
            notes: problems,
            ..Parsed::default()
        })
    })?;
    Ok(Loaded::new(path, parsed, digest))
}

/// The most bytes of a file that are read into memory, given its first ones; none of a latency capture.
fn limit(path: &Path, head: &[u8], size: u64) -> failure::Result<Option<usize>> {
    let head = String::from_utf8_lossy(head);
    if latency::recognise(&head) {
        Ok(None)
    } else if tidy::recognise(&head) {
        Ok(Some(limits::TABLE))
    } else if size > limits::FILE as u64 {
        let who = "bytes, which only a latency capture or a tidy table may have";
        Err(Failure::at(path, 0, exceeded(limits::FILE, who)))
    } else {
        Ok(Some(limits::FILE))
    }
}

/// Whether a figure differs from run to run. Histograms of a few handshakes may not: bins are wide.
fn is_timed(observation: &Observation) -> bool {
    use Unit::{HandshakeRate, Rate, Throughput, Time};
    let is_number = matches!(observation.value, Value::Number(_));
    is_number && matches!(observation.unit, Throughput | HandshakeRate | Rate | Time)
}

/// Reports files with the same bytes, which would count one run twice. Only files with rates or
/// times are checked: peak memory may repeat to the KiB, and counts always do.
fn same_run_twice(loaded: &[Loaded]) -> Vec<Diagnostic> {
    let mut seen = HashMap::new();
    let mut problems = Vec::new();
    for file in loaded {
        let rows = &file.parsed.observations;
        // Estimates of criterion have many figures that are not read.
        let is_checked = file.is_criterion() || rows.iter().filter(|row| is_timed(row)).count() > 1;
        let Some(digest) = file.digest.as_ref().filter(|_| is_checked) else {
            continue;
        };
        // Two folders may hold the same table, each for its own implementation, and two benchmarks may
        // take the same time.
        let place = match file.is_criterion() {
            true => (None, rows.first().map(|row| &row.scenario)),
            false => (file.path.parent(), None),
        };
        if let Some(first) = seen.insert((digest, place), &file.path) {
            let first = first.display();
            let message = format!("the same run twice: its bytes are those of {first}");
            problems.push(Diagnostic::at(&file.path, 0, message));
        }
    }
    problems
}
