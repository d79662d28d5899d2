//! `data.csv` of each report, which together are one table for other engines.

use crate::common::{Folder, generator};
use flate2::read::GzDecoder;
use std::io::Read as _;

const COLUMNS: &str = "report,date,machine,implementation,version,variant,scenario,workload,tls_version,\
    cipher,key,key_exchange,resumption,buffers,write_method,sessions,side,mutual,unbuffered,write_size,\
    fragment_size,threads,percentile,unit,run,value,caveat";

/// Every field of a scenario, names that are hard to quote, and rows without a figure. A caveat stands
/// once a figure.
const TABLE: &str = "\
run,implementation,version,variant,scenario,unit,value,caveat
1,rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",MiB/s,1.5,\"a \"\"quoted\"\" one\"
2,rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",MiB/s,2.5,
1,OpenSSL,3.10,,\"resumed handshakes, 1.3, session id, client\",handshakes/s,unsupported,
1,OpenSSL,3.10,,\"memory, 1.2, 100 sessions\",KiB,unsupported,no memory
1,OpenSSL,3.10,,\"writes, [50] * 20, vectored, P99.9\",ns,7,
1,mine,,,\"parse, 1.3, größe\",ns,0.25,
";

const ROWS: &str = "\
2026-05-06-x,2026-05-06,\"A, B\",rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",transfer,1.3,aes-128-gcm,ecdsa,x25519,,,,,sending,true,true,64,512,8,,MiB/s,1,1.5,\"a \"\"quoted\"\" one\"
2026-05-06-x,2026-05-06,\"A, B\",rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",transfer,1.3,aes-128-gcm,ecdsa,x25519,,,,,sending,true,true,64,512,8,,MiB/s,2,2.5,
2026-05-06-x,2026-05-06,\"A, B\",OpenSSL,3.10,,\"resumed handshakes, 1.3, session id, client\",resumed handshakes,1.3,,,,session id,,,,client,false,false,,,,,handshakes/s,1,,unsupported
2026-05-06-x,2026-05-06,\"A, B\",OpenSSL,3.10,,\"memory, 1.2, 100 sessions\",memory,1.2,,,,,,,100,,false,false,,,,,KiB,1,,unsupported: no memory
2026-05-06-x,2026-05-06,\"A, B\",OpenSSL,3.10,,\"writes, [50] * 20, vectored, P99.9\",writes,,,,,,[50] * 20,vectored,,,false,false,,,,P99.9,ns,1,7,
2026-05-06-x,2026-05-06,\"A, B\",mine,,,\"parse, 1.3, größe\",\"parse, 1.3, größe\",,,,,,,,,,,,,,,,ns,1,0.25,
";

fn site() -> Folder {
    let site = Folder::site()
        .with("data/2026-05-06-x/report.toml", "machine = \"A, B\"\n")
        .with("data/2026-05-06-x/table.csv", TABLE);
    generator(site.path(), &["ingest", "-q", "data"]).success();
    site
}

const DATASET: &str = "content/perf/2026-05-06-x/data.csv";

#[test]
fn each_field_of_a_scenario_has_a_column() {
    assert_eq!(site().read(DATASET), format!("{COLUMNS}\n{ROWS}"));
}

#[test]
fn the_published_table_is_the_same() {
    let site = site();
    let packed = std::fs::File::open(site.join(&format!("{DATASET}.gz"))).expect("a file");
    let mut table = String::new();
    let read = GzDecoder::new(packed).read_to_string(&mut table);
    read.expect("a whole file");
    assert_eq!(table, site.read(DATASET));
}

/// The label says which scenario it is; the columns of its fields are not read.
#[test]
fn a_dataset_is_read_as_a_tidy_table() {
    let site = site();
    let show = |path: &str| {
        let arguments = ["show", path, "--format", "csv"];
        generator(site.path(), &arguments).success().stdout
    };
    let shown = show(DATASET);
    assert_eq!(shown, show("data/2026-05-06-x/table.csv"));
    assert!(shown.contains("no memory"), "{shown}");
    let others = site.read(DATASET).replace(",transfer,1.3,", ",writes,1.2,");
    site.write("others.csv", others);
    assert_eq!(shown, show("others.csv"));
    site.write("again/2026-05-06-x/data.csv", site.read(DATASET));
    site.write("again/2026-05-06-x/report.toml", "machine = \"A, B\"\n");
    generator(site.path(), &["ingest", "-q", "again"]).success();
    assert_eq!(site.read(DATASET), format!("{COLUMNS}\n{ROWS}"));
}

#[test]
fn no_cell_is_a_formula() {
    let table =
        "implementation,version,scenario,unit,value,caveat\n'=a,'+1,'@s(),'-u,2,'=HYPERLINK()\n";
    let site = Folder::site()
        .with("data/-x/report.toml", "machine = \"@m\"\n")
        .with("data/-x/table.csv", table);
    generator(site.path(), &["ingest", "-q", "data"]).success();
    let dataset = site.read("content/perf/x/data.csv");
    let row = dataset.lines().nth(1).expect("a row");
    let blanks = ",".repeat(16);
    let expected = format!("x,,'@m,'=a,'+1,,'@s(),'@s(){blanks}'-u,1,2,'=HYPERLINK()");
    assert_eq!(row, expected);
}

#[test]
fn a_problem_of_all_files_is_said_once() {
    let mut folder = Folder::site();
    for run in 1..=3 {
        let text = format!("scenario,unit,value\nparse,ns,{run}\n");
        folder = folder.with(&format!("data/2026-01-01/{run}.csv"), &text);
    }
    let output = generator(folder.path(), &["ingest", "data"])
        .code_is(3)
        .stderr;
    assert_eq!(
        output.matches("nothing names the implementation").count(),
        1
    );
    assert!(output.contains("(also in 2 more files)"), "{output}");
}
