//! Time to ingest one report of many builds or many scenarios, which grows in proportion to either:
//! eight times as many take about eight times as long, and the largest at most 5 s on two cores.

use crate::ingest::ingest;
use divan::Bencher;
use std::fs;
use std::time::Duration;

/// Releases of 200 scenarios, and scenarios of 10 releases: within the limits of a report.
#[divan::bench(args = [[60, 200], [120, 200], [250, 200], [500, 200], [10, 1_250], [10, 2_500], [10, 5_000], [10, 10_000]], sample_size = 1, max_time = Duration::from_secs(10))]
fn builds_and_scenarios(bencher: Bencher<'_, '_>, [builds, scenarios]: [usize; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::write(root.join("config.toml"), "base_url = \"/\"\n").expect("a site");
    let data = root.join("data/r");
    fs::create_dir_all(&data).expect("a folder");
    fs::write(data.join("report.toml"), "machine = \"m\"\n").expect("a manifest");
    let mut table = "implementation,version,scenario,unit,value\n".to_owned();
    for scenario in 0..scenarios {
        for build in 0..builds {
            let value = 100 + (scenario * 31 + build * 17) % 10;
            table += &format!("lib,1.{build}.0,b{scenario},ns,{value}\n");
        }
    }
    fs::write(data.join("t.csv"), table).expect("a table");
    ingest(root);
    // What is written once more depends on the disk; the pages are made again and compared.
    bencher.bench_local(|| ingest(root));
}
