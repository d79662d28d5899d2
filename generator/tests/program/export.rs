//! `generator export` and `generator histogram`, whose output other engines read.

use crate::common::{
    Folder, Run, fixture, generator, generator_reading, program, read, repository, run,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Stdio;

const COLUMNS: &str = "report,date,machine,implementation,version,variant,scenario,workload,tls_version,\
    cipher,key,key_exchange,resumption,buffers,write_method,sessions,side,mutual,unbuffered,write_size,\
    fragment_size,threads,percentile,unit,run,value,caveat";

/// Every field of a scenario, names that are hard to quote, and rows without a figure.
const TABLE: &str = "\
run,implementation,version,variant,scenario,unit,value,caveat
1,rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",MiB/s,1.5,\"a \"\"quoted\"\" one\"
2,rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",MiB/s,2.5,
1,OpenSSL,3.10,,\"writes, [50] * 20, vectored, P99.9\",ns,7,
1,OpenSSL,3.10,,\"memory, 1.2, 100 sessions\",KiB,unsupported,no memory
1,OpenSSL,3.10,,\"resumed handshakes, 1.3, session id, client\",handshakes/s,unsupported,
1,mine,,,\"parse, 1.3, größe\",ns,0.25,
";

const ROWS: &str = "\
2026-05-06-x,2026-05-06,\"A, B\",rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",transfer,1.3,aes-128-gcm,ecdsa,x25519,,,,,sending,true,true,64,512,8,,MiB/s,1,1.5,\"a \"\"quoted\"\" one\"
2026-05-06-x,2026-05-06,\"A, B\",rustls,0.23.40,ring+malloc,\"transfer, 1.3, aes-128-gcm, ecdsa, x25519, sending, mutual, unbuffered, 64-byte writes, 512-byte fragments, 8 threads\",transfer,1.3,aes-128-gcm,ecdsa,x25519,,,,,sending,true,true,64,512,8,,MiB/s,2,2.5,\"a \"\"quoted\"\" one\"
2026-05-06-x,2026-05-06,\"A, B\",OpenSSL,3.10,,\"writes, [50] * 20, vectored, P99.9\",writes,,,,,,[50] * 20,vectored,,,false,false,,,,P99.9,ns,1,7.0,
2026-05-06-x,2026-05-06,\"A, B\",OpenSSL,3.10,,\"memory, 1.2, 100 sessions\",memory,1.2,,,,,,,100,,false,false,,,,,KiB,1,,unsupported: no memory
2026-05-06-x,2026-05-06,\"A, B\",OpenSSL,3.10,,\"resumed handshakes, 1.3, session id, client\",resumed handshakes,1.3,,,,session id,,,,client,false,false,,,,,handshakes/s,1,,unsupported
2026-05-06-x,2026-05-06,\"A, B\",mine,,,\"parse, 1.3, größe\",\"parse, 1.3, größe\",,,,,,,,,,,,,,,,ns,1,0.25,
";

fn archive() -> Folder {
    Folder::new()
        .with("data/2026-05-06-x/report.toml", "machine = \"A, B\"\n")
        .with("data/2026-05-06-x/table.csv", TABLE)
}

fn export(folder: &Folder, arguments: &[&str]) -> Run {
    generator(folder.path(), &[&["export"], arguments].concat())
}

#[test]
fn each_field_of_a_scenario_has_a_column() {
    let exported = export(&archive(), &["data"]).success();
    assert_eq!(exported.stdout, format!("{COLUMNS}\n{ROWS}"));
    assert_eq!(exported.stderr, "");
}

#[test]
fn json_has_the_same_rows() {
    let exported = export(&archive(), &["data", "--format", "json"]).success();
    let rows: Vec<Value> = serde_json::from_str(&exported.stdout).expect("an array");
    let cell = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let columns: Vec<&str> = COLUMNS.split(',').collect();
    let rows = rows.iter().map(|row| {
        assert_eq!(row.as_object().expect("a row").len(), columns.len());
        columns.iter().map(|c| cell(&row[*c])).collect::<Vec<_>>()
    });
    let mut csv = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(ROWS.as_bytes());
    let expected = csv.records().map(|row| row.expect("a row"));
    let expected: Vec<Vec<String>> = expected
        .map(|row| row.iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

/// Text is escaped as in a report's download; JSON has the original names.
#[test]
fn no_cell_of_csv_is_a_formula() {
    let table =
        "implementation,version,scenario,unit,value,caveat\n'=a,'+1,'@s(),'-u,2,'=HYPERLINK()\n";
    let folder = Folder::new()
        .with("data/-x/report.toml", "machine = \"@m\"\n")
        .with("data/-x/table.csv", table);
    let exported = export(&folder, &["data"]).success().stdout;
    let row = exported.lines().nth(1).expect("a row");
    let blanks = ",".repeat(16);
    let expected = format!("x,,'@m,'=a,'+1,,'@s(),'@s(){blanks}'-u,1,2.0,'=HYPERLINK()");
    assert_eq!(row, expected);
    let json = export(&folder, &["data", "--format", "json"])
        .success()
        .stdout;
    let rows: Value = serde_json::from_str(&json).expect("an array");
    for (column, name) in [("machine", "@m"), ("scenario", "@s()"), ("unit", "-u")] {
        assert_eq!(rows[0][column], name);
    }
}

/// The medians and numbers of the exported figures are those of each page's download.
#[test]
fn the_export_of_this_repository_has_the_figures_of_its_pages() {
    let root = repository();
    let exported = run(program().current_dir(&root).args(["-q", "export", "data"])).success();
    let mut cells: BTreeMap<[String; 6], Vec<f64>> = BTreeMap::new();
    let mut rows = csv::Reader::from_reader(exported.stdout.as_bytes());
    for row in rows.records().map(|row| row.expect("a row")) {
        let cell = |column: &str| {
            let at = COLUMNS.split(',').position(|c| c == column);
            row[at.expect("a column")].to_owned()
        };
        let names = [
            "report",
            "implementation",
            "version",
            "variant",
            "scenario",
            "unit",
        ];
        let values = cells.entry(names.map(cell)).or_default();
        values.extend(cell("value").parse::<f64>());
    }
    let mut compared = 0;
    for report in std::fs::read_dir(root.join("data")).expect("reports") {
        let name = report.expect("a report").file_name();
        let page = root.join("content/perf").join(&name).join("data.json");
        if !page.is_file() {
            continue;
        }
        let page: Value = serde_json::from_str(&read(&page)).expect("a download");
        for figure in page["figures"].as_array().expect("figures") {
            let at = figure["implementation"].as_u64().expect("an index") as usize;
            let of = &page["implementations"][at];
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let variant: Vec<String> = of["variant"]
                .as_array()
                .expect("parts")
                .iter()
                .map(text)
                .collect();
            let mut values = cells
                .remove(&[
                    name.to_string_lossy().into_owned(),
                    text(&of["name"]),
                    text(&of["version"]),
                    variant.join("+"),
                    text(&figure["scenario"]),
                    text(&figure["unit"]),
                ])
                .unwrap_or_default();
            assert_eq!(Some(values.len() as u64), figure["n"].as_u64(), "{figure}");
            values.sort_by(f64::total_cmp);
            if let Some(estimate) = figure["estimate"].as_f64() {
                let middle = [values[(values.len() - 1) / 2], values[values.len() / 2]];
                let median = f64::midpoint(middle[0], middle[1]);
                assert!(
                    (median - estimate).abs() <= 1e-12 * estimate,
                    "{median}: {figure}"
                );
                compared += 1;
            }
        }
    }
    assert!(cells.is_empty(), "not on any page: {:?}", cells.keys());
    assert!(compared > 1000, "{compared}");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = archive();
    export(&folder, &["data", "--out", "out.csv"]).success();
    assert_eq!(folder.read("out.csv"), format!("{COLUMNS}\n{ROWS}"));
    folder.write("data/2026-05-07-y/1.csv", "nonsense\n");
    folder.write("data/2026-05-08-z/2.csv", "");
    let before = folder.tree();
    let refused = export(&folder, &["data", "--out", "out.csv"]).code_is(3);
    assert_eq!(
        refused.stderr,
        "error: data/2026-05-07-y/1.csv:1: no known format starts like this: `nonsense`\n\
         data/2026-05-08-z/2.csv: the file is empty\n"
    );
    crate::common::assert_same(&folder.tree(), &before, "nothing is written");
    let refused = export(&folder, &["data/2026-05-06-x", "--out", "data"]).code_is(4);
    assert_eq!(
        refused.stderr,
        "error: cannot write data: not a regular file\n"
    );
    // Standard output has the rows before the invalid report; the exit code shows the error.
    let streamed = export(&folder, &["data"]).code_is(3);
    assert_eq!(streamed.stdout, format!("{COLUMNS}\n{ROWS}"));
    export(&folder, &["nowhere"]).code_is(4);
    export(&folder, &["data", "--format", "text"]).code_is(2);
}

#[test]
fn reports_of_the_same_name_are_refused() {
    let folder = archive().with("more/2026-05-06-x/table.csv", TABLE);
    let refused = export(&folder, &["data", "more/2026-05-06-x"]).code_is(3);
    assert_eq!(
        refused.stderr,
        "error: more/2026-05-06-x: data/2026-05-06-x has the same name; rename one\n"
    );
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = archive();
    for format in ["csv", "json"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = program();
        command.current_dir(folder.path()).stdout(writer);
        let ended = command
            .args(["-q", "export", "data", "--format", format])
            .stderr(Stdio::piped())
            .output()
            .expect("the program starts");
        assert_eq!(ended.status.code(), Some(0));
        assert_eq!(ended.stderr, b"");
    }
}

const CAPTURE: &str = "1700000000.5\t120.5\n1700000000.6\t98.25\n1700000000.7\t4000\n";

#[test]
fn a_capture_is_converted_to_a_line_of_a_log() {
    let folder = Folder::new();
    let label = "latency of full handshakes, 1.3, server";
    let histogram = |arguments: &[&str]| {
        let arguments = [&["histogram", "-"], arguments].concat();
        generator_reading(folder.path(), &arguments, CAPTURE.as_bytes())
    };
    let untagged = histogram(&[]).success().stdout;
    assert!(
        untagged.starts_with("0.000,0.004,4.000000,HIST"),
        "{untagged}"
    );
    assert_eq!(untagged.matches('\n').count(), 1);
    let tagged = histogram(&["--scenario", label]).success().stdout;
    assert_eq!(
        tagged,
        format!("Tag=latency_of_full_handshakes/1.3/server,{untagged}")
    );
    // The lines of two hosts are merged into one distribution, like captures of one process.
    let head = "#[Histogram log format version 1.3]\n";
    folder.write("a/hosts.hlog", format!("{head}{tagged}{tagged}"));
    folder.write("b/fullhs-tls13-server.hlog", format!("{head}{untagged}"));
    folder.write("c/fullhs-tls13-server.tsv", CAPTURE);
    // All except the minimum, of which a histogram keeps only three digits.
    let show = |what: &str| {
        let shown = generator(folder.path(), &["show", what, "--format", "csv"]).success();
        let rows = shown
            .stdout
            .lines()
            .skip(1)
            .filter(|row| !row.contains(", min\""));
        rows.map(|row| row.replace(&format!(",{what},"), ",,"))
            .collect::<Vec<_>>()
    };
    let expected = show("c");
    assert_eq!(expected.len(), 4, "{expected:?}");
    assert_eq!(show("a"), expected);
    assert_eq!(show("b"), expected);
    let refused = histogram(&["--scenario", "transfer, 1.3"]).code_is(2);
    refused.says("not a scenario of latency: `transfer, 1.3`");
}

#[test]
fn invalid_captures_are_refused() {
    let folder = Folder::new();
    let refused = |input: &[u8]| {
        let refused = generator_reading(folder.path(), &["histogram", "-"], input).code_is(3);
        assert_eq!(refused.stdout, "");
        refused.stderr
    };
    assert_eq!(
        refused(b""),
        "error: standard input: no positive latency found\n"
    );
    let wrong = refused(b"1700000000.5\t120.5\nx\n");
    assert!(wrong.starts_with("error: standard input:2: "), "{wrong}");
    let cut = refused(b"1700000000.5\t120");
    assert!(cut.contains("may be truncated"), "{cut}");
    generator(folder.path(), &["histogram", "nowhere.tsv"]).code_is(4);
    let capture = fixture("tools").to_string_lossy().into_owned();
    generator(folder.path(), &["histogram", &capture]).code_is(3);
}
