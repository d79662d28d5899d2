//! The cache of `ingest`: an incremental run always writes the same pages as a full one.

#![allow(clippy::disallowed_methods, reason = "a missing value fails the test")]

mod common;

use common::{Folder, assert_same, copy, fixture, generator, tree};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const CACHE: &str = ".generator-cache";
const FIRST: &str = "content/perf/2026-01-10-small/index.md";
const SECOND: &str = "content/perf/2026-02-14-small/index.md";

fn ingest(data: &Path, site: &Folder) {
    let data = data.to_str().expect("UTF-8");
    generator(site.path(), &["ingest", data, "--prune"]).success();
}

/// Ingests `data` and asserts that the pages are equal to those of a new site.
#[track_caller]
fn assert_fresh(data: &Folder, site: &Folder, message: &str) {
    ingest(data.path(), site);
    let fresh = Folder::site();
    ingest(data.path(), &fresh);
    let [incremental, fresh] = [site, &fresh].map(|site| tree(&site.join("content")));
    assert_same(&incremental, &fresh, message);
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a cache file: JSON preceded by its digest.
fn read_cache(site: &Folder) -> Json {
    let text = site.read(CACHE);
    let (digest, json) = text.split_at(64);
    assert_eq!(digest, sha256(json.as_bytes()));
    serde_json::from_str(json).expect("JSON")
}

fn write_cache(site: &Folder, cache: &Json) {
    let json = cache.to_string();
    site.write(CACHE, sha256(json.as_bytes()) + &json);
}

fn sets(cache: &Json) -> BTreeMap<String, Json> {
    serde_json::from_value(cache["sets"].clone()).expect("lists of files")
}

#[test]
fn a_damaged_or_stale_cache_does_not_affect_pages() {
    let data = Folder::new();
    copy(&fixture("report"), data.path());
    let site = Folder::site();
    ingest(data.path(), &site);
    let old = read_cache(&site);
    // Only the notes of the second report change, so the sets of all other pages stay cached.
    let second = "2026-02-14-small/notes.md";
    data.write(second, "One more sentence.\n");
    ingest(data.path(), &site);
    let new = read_cache(&site);
    let [old_sets, new_sets] = [&old, &new].map(sets);
    let changed = new_sets.keys().filter(|key| !old_sets.contains_key(*key));
    let changed: Vec<&String> = changed.collect();
    assert_eq!((old_sets.len(), changed.len()), (new_sets.len(), 1));
    assert!(new_sets[changed[0]].get(SECOND).is_some());
    assert_fresh(&data, &site, "after the notes changed");

    let with_sets = |sets: Vec<(String, Json)>| {
        let mut cache = new.clone();
        cache["sets"] = sets.into_iter().collect();
        cache
    };
    let files = new_sets.values().cloned().rev();
    let swapped = with_sets(new_sets.keys().cloned().zip(files).collect());
    let empty = new_sets.keys().map(|key| (key.clone(), json!({})));
    let without_files = with_sets(empty.collect());
    let whole = site.read(CACHE);
    let rounds: [&dyn Fn(); 6] = [
        &|| write_cache(&site, &old),
        &|| write_cache(&site, &swapped),
        &|| write_cache(&site, &without_files),
        &|| site.write(CACHE, ""),
        &|| site.write(CACHE, &whole[..whole.len() / 2]),
        &|| site.write(CACHE, "\0\n\n"),
    ];
    for (round, damage) in rounds.iter().enumerate() {
        damage();
        fs::remove_file(site.join(FIRST)).unwrap();
        data.write(second, format!("Sentence {round}.\n"));
        assert_fresh(&data, &site, &format!("round {round}"));
    }
    fs::remove_file(site.join(CACHE)).unwrap();
    ingest(data.path(), &site);
}

/// Fourteen reports of one machine with a step in the middle, enough for the change point search.
fn histories() -> Folder {
    let data = Folder::new();
    for day in 1..=14 {
        let name = format!("2026-03-{day:02}-m");
        data.write(&format!("{name}/report.toml"), "machine = \"M\"\n");
        let level = if day < 8 { 100 } else { 130 };
        data.write(&format!("{name}/r.csv"), table(day, level + day % 3));
    }
    data
}

fn table(release: u32, level: u32) -> String {
    format!(
        "scenario,unit,rustls 0.{release}.0,Toy 3.{release}.0\n\
         \"full handshakes, 1.3, rsa, server\",hs/s,{level},{level}.5\n\
         \"transfer, 1.3, aes-256-gcm, sending\",MiB/s,{level}0,9{release}\n"
    )
}

#[test]
fn every_change_updates_all_affected_pages() {
    let data = histories();
    let site = Folder::site();
    assert_fresh(&data, &site, "the first run");
    let history = site.read("content/perf/scenarios/full-handshakes-1-3-rsa-server/index.md");
    assert!(history.contains("1.30x faster"), "{history}");
    let [middle, newest] = [5, 14].map(|day| format!("2026-03-{day:02}-m/report.toml"));
    let manifest = |machine: &str, more: &str| format!("machine = \"{machine}\"\n{more}\n");
    let releases = |old: u32, other: u32| {
        "scenario,unit,Toy 0.1.0,Toy 0.2.0\n".to_owned()
            + &format!("\"full handshakes, 1.3, rsa, server\",hs/s,{old},120\n")
            + &format!("\"memory, 1.3, 100 sessions\",KiB,1,{other}\n")
    };
    let changes: [(&str, String); 14] = [
        ("2026-03-05-m/r.csv", table(5, 107)),
        ("2026-03-10-m/r.csv", table(10, 700)),
        ("2026-03-14-m/r.csv", table(15, 131)),
        (
            "2026-03-14-m/r.csv",
            table(14, 131).replace("rustls", "RUSTLS"),
        ),
        (&middle, manifest("Other", "")),
        (&middle, manifest("Another", "")),
        (&middle, manifest("M", "date = 2026-03-20")),
        (&middle, manifest("M", "estimator = \"min\"")),
        (&middle, manifest("M", "")),
        (&newest, manifest("M", "date = 2026-03-21")),
        ("2026-03-25-x/r.csv", releases(90, 2)),
        ("2026-03-25-x/r.csv", releases(91, 2)),
        ("2026-03-25-x/r.csv", releases(91, 3)),
        // The report is older than the others, so `Able` gets the look that another library had.
        (
            "2026-02-01-y/r.csv",
            "scenario,unit,Able 1.0\na,s,1\n".to_owned(),
        ),
    ];
    for (path, text) in changes {
        data.write(path, &text);
        assert_fresh(&data, &site, &format!("{path}: {text}"));
    }
    fs::remove_dir_all(data.join("2026-03-09-m")).unwrap();
    assert_fresh(&data, &site, "after a report was removed");
}
