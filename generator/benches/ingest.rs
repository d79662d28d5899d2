//! Time to ingest 1,000 reports, as many as a site has after years: from scratch and unchanged.

use clap::Parser;
use divan::Bencher;
use generator::Cli;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const REPORTS: usize = 1_000;
const LIBRARIES: [&str; 3] = ["BoringSSL", "OpenSSL", "rustls"];

/// The scenarios of the reports on rustls.dev.
fn scenarios() -> Vec<String> {
    let transfers = ["1.2, aes-128-gcm", "1.3, aes-256-gcm"]
        .iter()
        .flat_map(|suite| {
            ["sending", "receiving"].map(|side| format!("transfer, {suite}, {side}"))
        });
    let full = ["1.2", "1.3"].iter().flat_map(|version| {
        ["rsa", "ecdsa"].iter().flat_map(move |key| {
            ["client", "server"].map(|side| format!("full handshakes, {version}, {key}, {side}"))
        })
    });
    let resumed = ["1.2", "1.3"].iter().flat_map(|version| {
        ["client", "server"].map(|side| format!("resumed handshakes, {version}, {side}"))
    });
    transfers.chain(full).chain(resumed).collect()
}

/// A manifest and a table with arbitrary figures, different in each cell.
fn report(index: usize) -> (String, String) {
    let mut manifest = format!("machine = \"machine {}\"\n", index % 3);
    let mut table = "scenario".to_owned();
    for library in LIBRARIES {
        manifest += &format!("[[implementation]]\nname = \"{library}\"\nversion = \"1.{index}\"\n");
        table += &format!(",{library} 1.{index}");
    }
    for (row, scenario) in scenarios().iter().enumerate() {
        table += &format!("\n\"{scenario}\"");
        for column in 0..LIBRARIES.len() {
            let whole = 1000 + (index * 37 + row * 101 + column * 13) % 9000;
            table += &format!(",{whole}.{:02}", index % 100);
        }
    }
    (manifest, table + "\n")
}

/// A site with 1,000 reports and no pages.
fn site() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::write(root.join("config.toml"), "base_url = \"/\"\n").expect("a site");
    for index in 0..REPORTS {
        let day = format!(
            "{}-{:02}-{:02}",
            2000 + index / 336,
            index / 28 % 12 + 1,
            index % 28 + 1
        );
        let data = root.join("data").join(format!("{day}-{index}"));
        fs::create_dir_all(&data).expect("a folder");
        let (manifest, table) = report(index);
        fs::write(data.join("report.toml"), manifest).expect("a manifest");
        fs::write(data.join("table.csv"), table).expect("a table");
    }
    folder
}

pub(crate) fn ingest(root: &Path) {
    let (data, site) = (root.join("data"), root.to_owned());
    let words = ["generator", "ingest", "-q"].map(std::ffi::OsString::from);
    let cli = Cli::parse_from(
        words
            .into_iter()
            .chain([data.into(), "--site".into(), site.into()]),
    );
    generator::execute(&cli).expect("pages");
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn all_written(bencher: Bencher<'_, '_>) {
    let folder = site();
    let root = folder.path();
    let old = tempfile::tempdir().expect("a folder");
    // Moved, not removed: for a while after many files are removed, ext4 creates files slowly.
    let move_pages = || {
        if fs::exists(root.join("content")).expect("a look") {
            let round = fs::read_dir(old.path()).expect("a folder").count();
            let pages = old.path().join(round.to_string());
            fs::rename(root.join("content"), pages).expect("moved");
        }
    };
    bencher
        .with_inputs(move_pages)
        .bench_values(|()| ingest(root));
}

#[divan::bench]
fn nothing_changed(bencher: Bencher<'_, '_>) {
    let folder = site();
    ingest(folder.path());
    bencher.bench(|| ingest(folder.path()));
}
