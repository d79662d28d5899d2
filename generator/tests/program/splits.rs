//! Several libraries in one program.

use crate::common::{Folder, generator};

/// Adds a result of criterion to a folder.
fn criterion(folder: Folder, benchmark: &str, nanos: f64) -> Folder {
    let file = |name: &str| format!("data/crypto/{benchmark}/new/{name}");
    let named = format!(
        r#"{{"group_id":"g","function_id":null,"value_str":null,"throughput":null,"full_id":"{benchmark}","directory_name":"{benchmark}","title":"{benchmark}"}}"#
    );
    let estimates = format!(
        r#"{{"mean":{{"confidence_interval":{{"confidence_level":0.95,"lower_bound":1.0,"upper_bound":2.0}},"point_estimate":{nanos},"standard_error":0.1}},"median":{{"point_estimate":{nanos}}},"std_dev":{{}}}}"#
    );
    let raw = "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\ng,,,,,1,ns,1\n";
    folder
        .with(&file("benchmark.json"), named)
        .with(&file("estimates.json"), estimates)
        .with(&file("raw.csv"), raw)
}

fn results() -> Folder {
    let mut folder = Folder::site();
    for (benchmark, nanos) in [
        ("seal/ring/32B", 100.0),
        ("seal/aws-lc-rs/32B", 90.0),
        ("seal/ring/2KB", 600.0),
        ("seal/aws-lc-rs/2KB", 500.0),
        ("seal/ring/8KB", 2000.0),
        ("seal/aws-lc-rs/8KB", 1900.0),
        ("alone", 5.0),
    ] {
        folder = criterion(folder, benchmark, nanos);
    }
    // A stub without its benchmark's name, and notes.
    folder
        .with(
            "data/crypto/seal/golang/8KB/new/estimates.json",
            r#"{"median": {"point_estimate": 1327.0}}"#,
        )
        .with("data/crypto/cpuinfo.txt", "model name: a processor\n")
}

#[test]
fn libraries_of_one_program_are_compared() {
    let folder = results();
    let split = ["--implementation", "^[^/]+/(?<name>[^/]+)/"];
    let shown = [&["show", "data/crypto", "--format", "csv"][..], &split].concat();
    let shown = generator(folder.path(), &shown)
        .success()
        .says("cpuinfo.txt: left out: it is neither a result of criterion")
        .says("golang/8KB/new/estimates.json: left out");
    for row in [
        "seal/32B,ring,",
        "seal/32B,aws-lc-rs,",
        "seal/8KB,ring,",
        "alone,",
    ] {
        assert!(shown.stdout.contains(row), "{row} in {}", shown.stdout);
    }
    let toml = "[[split]]\nimplementation = '^[^/]+/(?<name>[^/]+)/'\n";
    let folder = folder.with("data/crypto/report.toml", toml);
    generator(folder.path(), &["ingest", "data/crypto"]).success();
    let page = folder.read("content/perf/scenarios/benchmark-seal-32b/index.md");
    for library in ["ring", "aws-lc-rs"] {
        assert!(page.contains(library), "{library} in {page}");
    }
}

#[test]
fn patterns_that_name_nothing_are_errors() {
    let folder = results();
    let show = |pattern: &str| {
        let arguments = ["show", "data/crypto", "--implementation", pattern];
        generator(folder.path(), &arguments)
    };
    show("^seal/").code_is(2).says("has no group `(?<name>…)`");
    show("open/(?<name>.*)")
        .code_is(2)
        .says("--implementation matches no benchmark");
    show("(?<name>.*)")
        .code_is(3)
        .says("nothing but the implementation is left");
    let toml = "title = \"x\"\n[[split]]\nimplementation = 'open/(?<name>.*)'\n";
    let folder = results().with("data/crypto/report.toml", toml);
    generator(folder.path(), &["ingest", "data/crypto"])
        .code_is(3)
        .says("report.toml:3: matches no benchmark");
}

/// A damaged result of criterion is no note.
#[test]
fn damaged_results_are_errors() {
    let folder = criterion(results(), "seal/boring/8KB", f64::NAN);
    generator(folder.path(), &["show", "data/crypto"]).code_is(3);
}
