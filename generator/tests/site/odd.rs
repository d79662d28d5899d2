//! A site of odd reports: of labels that nearly collide, units that differ in a sign, and figures that
//! are missing, few, unsupported or far apart.

use super::pages::Site;
use crate::common::{Folder, Random};

/// Scenarios of one report that differ in a sign, in case, in another script, in normalisation, and
/// after 249 bytes.
const ALIKE: [&str; 12] = [
    "BM_Copy<char>/8",
    "BM_Copy<char*>/8",
    "Parse",
    "parse",
    "解析",
    "印刷",
    "caf\u{e9}",
    "cafe\u{301}",
    "…",
    "!",
    "a b",
    "a-b",
];

/// Tables whose rows, units and headings have nearly one name.
const TABLES: [&str; 5] = [
    // All that `go test -bench -benchmem` prints of a benchmark.
    "BenchmarkA-8 1 5 ns/op 3 MB/s 7 B/op 2 allocs/op\nBenchmarkA-8 1 6 ns/op 3 MB/s 7 B/op 2 allocs/op\n",
    "scenario,unit,rustls 1,OpenSSL 3\n\"writes, [50] * 20\",ns,5,7\n\"writes, [50, 20]\",ns,6,8\n",
    // Of the same names as the headings above them.
    "scenario,unit,rustls 1,OpenSSL 3\ntransfer,MiB/s,5,7\nmemory,KiB,5,7\nfull handshakes,handshakes/s,5,7\n",
    // What the plot has and no table of rows.
    "scenario,unit,rustls 1,OpenSSL 3\n\"latency of full handshakes, 1.3, server, P50\",ns,5000,7000\nbuild time,s,5,7\n",
    "scenario,unit,rustls 1,rustls.1\n\"latency of full handshakes, 1.3, server, P50\",ns,5000,7000\n",
];

const LABELS: [(&str, &str); 12] = [
    ("transfer, 1.3, aes-256-gcm, sending", "MiB/s"),
    ("transfer, 1.2, aes-128-gcm, receiving", "MiB/s"),
    (
        "transfer, 1.3, chacha20-poly1305, sending, 16384-byte writes",
        "MiB/s",
    ),
    ("full handshakes, 1.3, rsa, server", "handshakes/s"),
    (
        "full handshakes, 1.2, ecdsa, client, mutual",
        "handshakes/s",
    ),
    ("resumed handshakes, 1.3, ticket, client", "handshakes/s"),
    ("memory, 1.3, 100 sessions", "KiB"),
    ("memory, 1.3, 10000 sessions", "KiB"),
    ("encode <b> & {{ x }} | 'y'", "ns"),
    ("decode/64", "ns"),
    ("a b", "ops/s"),
    ("full handshakes, 1.3, rsa, client", "instructions"),
];

const BUILDS: [&str; 4] = [
    "rustls,0.23.43,ring",
    "OpenSSL,3.5.1,gcc",
    "BoringSSL,30cd935,<i>",
    "a & b,,{% x %}",
];

const HEADING: &str = "run,implementation,version,variant,scenario,unit,value\n";

/// Figures of some of the builds in some of the scenarios.
fn figures(random: &mut Random) -> String {
    let mut table = HEADING.to_owned();
    let builds = &BUILDS[..=random.below(BUILDS.len())];
    let (first, scenarios) = (random.below(LABELS.len()), 1 + random.below(6));
    for (label, unit) in LABELS.iter().cycle().skip(first).take(scenarios) {
        for build in builds {
            let runs = random.below(12);
            let row = |run, value: &str| format!("{run},{build},\"{label}\",{unit},{value}\n");
            if runs == 0 {
                table += &row(1, "unsupported");
            }
            let scale = 10_f64.powi(random.below(4) as i32);
            for run in 1..runs {
                let value = (1 + random.below(1 << 24)) as f64 / scale;
                table += &row(run, &value.to_string());
            }
        }
    }
    table
}

impl Site {
    pub(crate) fn of_odd_reports() -> Self {
        let folder = Folder::real_site();
        let report = |name: &str, manifest: &str, file: &str, table: &str| {
            folder.write(&format!("data/{name}/report.toml"), manifest);
            folder.write(&format!("data/{name}/{file}"), table);
        };
        let long = ["1", "2"].map(|end| "x".repeat(249) + end);
        let labels = ALIKE.map(str::to_owned).into_iter().chain(long);
        let labels: Vec<String> = labels.collect();
        let mut table = HEADING.to_owned();
        for (place, label) in labels.iter().enumerate() {
            let builds = ["ours,1.0", "ours,1.1", "ours,1.2", "theirs,7"];
            for (build, name) in builds.iter().enumerate() {
                for run in 1..=10 {
                    let value = 1000 * (place + 1) + 100 * build + run;
                    table += &format!("{run},{name},,{label},handshakes/s,{value}\n");
                }
            }
        }
        let manifest = format!(
            "machine = \"m\"\nheadline = [\"{}\"]\n",
            labels.join("\", \"")
        );
        report("2026-01-01-alike", &manifest, "t.csv", &table);
        for (file, level) in [("ours_1.2.txt", 10), ("theirs_7.txt", 20)] {
            let run = |run| format!("BenchmarkA-8 1 {run} x% 10{run} x$ 20{run} x_\n");
            let output: String = (level..level + 10).map(run).collect();
            report("2026-01-02-units", "", file, &output);
        }
        for (place, table) in TABLES.iter().enumerate() {
            report(&format!("2026-01-03-r{place}"), "", "o.txt", table);
        }
        let mut random = Random::new(5);
        for place in 10..22 {
            report(
                &format!("2026-03-{place}-random"),
                "",
                "t.csv",
                &figures(&mut random),
            );
        }
        let data = folder.join("data");
        Self::of(folder, &data, [600, 300])
    }
}
