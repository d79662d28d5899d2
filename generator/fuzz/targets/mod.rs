//! Fuzz targets: functions that panic if a property does not hold for some bytes. They are a module
//! of the library, because most need its private parts; `generator/fuzz` runs them with libFuzzer,
//! and the test below runs each for a moment.

#[cfg(test)]
pub(crate) mod edits;
mod encoders;
// `run` is for Unix-like systems.
#[cfg(unix)]
mod measured;
mod pages;
mod parsers;

use crate::cli::compare::side::SideArgument;
use crate::files::list;
use crate::model::distribution::{Distribution, codec, codec::Budget};
use crate::model::implementation::Implementation;
use crate::model::scenario::{Scenario, Workload};
use crate::model::version::Version;
use crate::parse::{histogram, name};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use encoders::encoders;
use parsers::check;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::Path;

/// Panics if a property does not hold for these bytes.
pub type Target = fn(&[u8]);

/// All targets, by the name of their folder in `generator/fuzz/corpus/`.
const TARGETS: &[(&str, Target)] = &[
    ("encoders", |bytes| encoders(&text(bytes))),
    ("hlog", hlog),
    ("label", labels),
    ("names", |bytes| names(&text(bytes))),
    ("notes", |bytes| pages::notes(&text(bytes))),
    ("records", records),
    ("report_toml", pages::report_toml),
    ("side", |bytes| side(&text(bytes))),
    ("text", check),
];

/// Returns the target with this name.
pub fn target(name: &str) -> Option<Target> {
    let found = TARGETS.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Words of labels by kind. A label has at most one of each kind.
const WORDS: [&str; 14] = [
    "transfer|full handshakes|resumed handshakes|memory|latency of full handshakes|latency of resumed handshakes|writes|client hello|footprint|build time|a benchmark",
    "1.2|1.3",
    "aes-128-gcm|aes-256-gcm|chacha20-poly1305|aes-128-cbc",
    "rsa|rsa-3072|ecdsa|ecdsa-p384|ecdsa-p521|ed25519|ml-dsa-44|ml-dsa-65|ml-dsa-87",
    "x25519|x25519mlkem768|x25519mlkem768+x25519|secp256r1|secp384r1|secp256r1mlkem768",
    "session id|ticket",
    "[50] * 20|[1]|[100, 50]|[16384, 1]",
    "write each|copy and write|vectored",
    "1 sessions|100 sessions|4294967295 sessions",
    "sending|receiving|client|server",
    "mutual|unbuffered|mutual, unbuffered",
    "1-byte writes|16384-byte writes|1048576-byte writes",
    "1 thread|2 threads|80 threads|4096-byte fragments",
    "min|P50|P90|P99|P99.9|max",
];

/// Checks bytes as a label, and as choices among words.
fn labels(bytes: &[u8]) {
    label(&text(bytes));
    label(&choose_label(bytes));
}

/// Returns a label of words that the bytes choose.
pub(crate) fn choose_label(bytes: &[u8]) -> String {
    let choose = |(byte, kind): (&u8, &&'static str)| {
        let words: Vec<&str> = kind.split('|').collect();
        words.get(usize::from(*byte) % (words.len() + 1)).copied()
    };
    let words: Vec<&str> = bytes.iter().zip(&WORDS).filter_map(choose).collect();
    words.join(", ")
}

/// Checks that labels, and the tags of histograms made from them, round-trip.
fn label(text: &str) {
    let Ok(scenario) = name::scenario(text) else {
        return;
    };
    let label = scenario.label();
    assert_eq!(
        Scenario::from_label(&label).as_ref(),
        Ok(&*scenario),
        "{label}"
    );
    let is_latency = matches!(
        scenario.workload,
        Workload::FullLatency | Workload::ResumedLatency
    );
    if is_latency && scenario.percentile.is_none() {
        let tag = histogram::tag(&scenario)
            .replace('/', ", ")
            .replace('_', " ");
        assert_eq!(histogram::scenario(&tag), Ok(scenario));
    }
}

/// Checks that histograms round-trip.
fn hlog(bytes: &[u8]) {
    let decode =
        |bytes: &[u8]| Distribution::decode(&STANDARD.encode(bytes), &mut Budget::default());
    let Ok(read) = decode(bytes) else {
        return;
    };
    if bytes.starts_with(&codec::PLAIN) {
        let longer = [bytes, &[0]].concat();
        for other in [&bytes[..bytes.len() - 1], &longer] {
            assert!(decode(other).is_err(), "accepted with a wrong length");
        }
    }
    let again =
        Distribution::decode(&read.encode(), &mut Budget::default()).expect("what was written");
    assert_eq!(again.count(), read.count());
    for p in [0.1, 0.5, 0.9] {
        let [a, b] = [&again, &read].map(|d| d.quantile(p).expect("it has values"));
        assert!((a / b - 1.0).abs() < 0.001, "{p}: {a} {b}");
    }
}

/// Checks that any names on the command line can be parsed, and that versions are totally ordered.
fn names(text: &str) {
    #[cfg(unix)]
    measured::names(text);
    drop(Implementation::from_file_name(text));
    drop(Implementation::from_heading(text));
    let mut parts = text.splitn(3, ' ').map(Version::from);
    let [a, b, c] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
    assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
    assert!(!(a <= b && b <= c) || a <= c, "{a} {b} {c}");
}

/// Checks the parsers of files beside raw outputs, of registries, and of the site's list.
fn records(bytes: &[u8]) {
    let path = Path::new("f");
    #[cfg(unix)]
    measured::records(path, bytes);
    if let Ok(listed) = list::parse(path, bytes) {
        let written = list::text(&listed);
        assert_eq!(
            list::parse(path, written.as_bytes()).expect("our own"),
            listed
        );
    }
}

/// Checks that the parts of an argument of `compare` make up the whole of it.
fn side(argument: &str) {
    let Ok(side) = SideArgument::parse(Path::new(argument)) else {
        return;
    };
    let mut whole = side.path.to_string_lossy().into_owned();
    if let Some(selector) = &side.selector {
        whole = format!("{whole}:{selector}");
    }
    if side.label != argument {
        whole = format!("{}={whole}", side.label);
    }
    assert_eq!(whole, argument);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;
    use std::panic::catch_unwind;

    /// Maximum number of mutants per target.
    const MUTANTS: usize = 300;
    const TEXTS: usize = 700;

    /// Returns a target's seeds: its corpus, the fixtures for texts, and hostile texts.
    fn seeds(name: &str) -> Vec<Vec<u8>> {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![crate_folder.join("fuzz/corpus").join(name)];
        if name == "text" {
            let fixtures = crate_folder.join("tests/fixtures");
            folders.extend(["formats", "report"].map(|folder| fixtures.join(folder)));
        }
        let files = folders
            .iter()
            .flat_map(|folder| files::walk(folder).expect("a folder"));
        let mut seeds: Vec<Vec<u8>> = files
            .map(|path| files::read_whole(&path).expect("a file"))
            .collect();
        if ["encoders", "label", "notes", "side"].contains(&name) {
            let texts = include_str!("../../tests/fixtures/hostile.json");
            let texts: Vec<String> = serde_json::from_str(texts).expect("texts");
            seeds.extend(texts.into_iter().map(String::into_bytes));
        }
        seeds
    }

    /// Returns the first input that a target fails on, corpus first.
    fn failure(name: &str, target: Target) -> Option<String> {
        let fails = |bytes: &[u8]| {
            let failed = catch_unwind(|| target(bytes)).is_err();
            failed.then(|| format!("{name} fails on \"{}\"", bytes.escape_ascii()))
        };
        let seeds = seeds(name);
        if let Some(failure) = seeds.iter().find_map(|seed| fails(seed)) {
            return Some(failure);
        }
        let mutants = match name {
            "text" => TEXTS,
            _ => MUTANTS,
        };
        let edits = || {
            let with_seed = |seed| edits::edits(seed).map(move |edit| (seed, edit));
            seeds.iter().map(Vec::as_slice).flat_map(with_seed)
        };
        let mut step = edits().count().div_ceil(mutants);
        // Edits of three or six kinds take turns.
        while step % 2 == 0 || step % 3 == 0 {
            step += 1;
        }
        let mut some = edits().step_by(step);
        some.find_map(|(seed, edit)| fails(&edit.apply(seed)))
    }

    #[test]
    fn every_target_holds_for_its_seeds_and_some_mutants() {
        // Not by rayon, whose threads read latencies: they would take up other targets meanwhile.
        let failures: Vec<String> = std::thread::scope(|scope| {
            let spawn = |(name, target): &'static (&str, Target)| {
                scope.spawn(move || failure(name, *target))
            };
            let threads: Vec<_> = TARGETS.iter().map(spawn).collect();
            let failures = threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            failures.flatten().collect()
        });
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}
