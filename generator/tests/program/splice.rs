//! `show --rows --columns` and `--splice`, with the program itself.

use crate::common::{Folder, copy, generator, program, repository};
use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};

const TABLE: &str = "scenario,unit,serde <b>|{{ x }},\"<!-- benchmarks end -->\"\nparse/small,ns,50,70\nparse/large,us,9,8\n";
const FILE: &str =
    "\u{feff}# A\r\n<!-- benchmarks start -->\r\nold\r\n<!-- benchmarks end -->\r\nno newline";
const SHOW: [&str; 6] = [
    "show",
    "t.csv",
    "--rows",
    "library",
    "--columns",
    "scenario",
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("t.csv", TABLE);
    folder.write("README.md", FILE);
    folder
}

fn splice<'a>(target: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&SHOW[..], &["--splice", target], more].concat()
}

#[test]
fn readme_of_this_repository_is_current() {
    let arguments = [
        "show",
        "data/2026-03-07-x86_64",
        "--rows",
        "scenario",
        "--columns",
        "library",
        "-f",
        "^(full|resumed) handshakes, 1.3",
        "--splice",
        "README.md#handshakes",
        "--check",
    ];
    generator(&repository(), &arguments).success();
}

#[test]
fn a_table_is_written_between_markers_and_nothing_else_changes() {
    let folder = folder();
    generator(folder.path(), &splice("README.md", &["--check"])).code_is(1);
    generator(folder.path(), &splice("README.md", &[])).success();
    generator(folder.path(), &splice("README.md", &["--check"])).success();
    let new = folder.read("README.md");
    let (before, rest) = new.split_once("old").map_or_else(
        || new.split_at(FILE.find("old").expect("a part")),
        |_| panic!("{new}"),
    );
    assert!(FILE.starts_with(before));
    assert!(
        rest.ends_with("<!-- benchmarks end -->\r\nno newline"),
        "{new}"
    );
    assert!(!rest.replace("\r\n", "").contains('\n'), "{new}");
    // Names are text, and none of them is a marker.
    assert_eq!(new.matches("<!--").count(), 2, "{new}");
    assert!(!rest.contains("<b>") && !rest.contains("{{"), "{new}");
    assert!(
        rest.contains("**50**") && rest.contains("**8,000**") && rest.contains("lower is better"),
        "{new}"
    );
    // In the heading too.
    let across = [
        "show",
        "t.csv",
        "--rows",
        "scenario",
        "--columns",
        "library",
    ];
    let target = ["--splice", "README.md"];
    generator(folder.path(), &[&across[..], &target].concat()).success();
    let new = folder.read("README.md");
    assert_eq!(new.matches("<!--").count(), 2, "{new}");
    assert!(!new.contains("<b>") && !new.contains("{{"), "{new}");
    let heading = new.lines().find(|line| line.starts_with("| scenario"));
    let borders = heading.expect("a heading").replace(r"\|", "");
    assert_eq!(borders.matches('|').count(), 4, "{new}");
}

/// Each build of the table counts, an older release too.
#[test]
fn the_best_is_bold_whatever_its_release() {
    let mut table = String::from("scenario,unit,run,codec 1.0,codec 1.1,other 1.0\n");
    for run in 1..=6 {
        table +=
            &format!("a,ns,{run},10{run},11{run},20{run}\nb,ns,{run},10{run},10{run},20{run}\n");
    }
    let folder = Folder::new().with("t.csv", table);
    let markdown = [&SHOW[..], &["--format", "markdown"]].concat();
    let shown = generator(folder.path(), &markdown).success().stdout;
    for row in [
        r"| codec 1.0 | **103.5** | **103.5** |",
        r"| codec 1.1 | 113.5 (1.10x slower) | **103.5** (\~) |",
    ] {
        assert!(shown.contains(row), "{shown}");
    }
}

/// Times of different sizes are one table; those that a filter leaves have their own scale.
#[test]
fn one_unit_is_one_table() {
    let folder = Folder::new().with(
        "t.csv",
        "scenario,unit,a,b\nx,ns,50,70\ny,ms,90,80\nz,ms,10,20\n",
    );
    let table = |more: &[&str]| {
        generator(folder.path(), &[&SHOW[..], more].concat())
            .success()
            .stdout
    };
    let all = table(&[]);
    assert!(
        all.starts_with("each with its unit, lower is better:\n"),
        "{all}"
    );
    assert!(all.contains("50 ns") && all.contains("80 ms"), "{all}");
    let some = table(&["-F", "x"]);
    assert!(
        some.starts_with("ms, lower is better:\n") && !some.contains("80 ms"),
        "{some}"
    );
}

/// Nobody is the best where a unit does not say which way is better, or all figures are equal.
#[test]
fn only_the_best_is_bold() {
    let runs = |unit: &str, a: &str, b: &str| {
        let mut table = "run,implementation,scenario,unit,value\n".to_owned();
        for (name, values) in [("a", a), ("b", b)] {
            for (run, value) in (1..).zip(values.split(' ')) {
                table += &format!("{run},{name},x,{unit},{value}\n");
            }
        }
        table
    };
    let (low, high) = ("50 51 52 53 54 55", "70 71 72 73 74 75");
    for (unit, a, b, is_bold) in [
        ("ns", low, high, true),
        ("ns", low, low, false),
        ("ns", "50", "70", true),
        ("ns", "50", "50", false),
        ("widgets", low, high, false),
    ] {
        let folder = Folder::new().with("t.csv", runs(unit, a, b));
        let more = ["--format", "markdown"];
        let shown = generator(folder.path(), &[&SHOW[..], &more].concat()).success();
        assert_eq!(shown.stdout.contains("**"), is_bold, "{}", shown.stdout);
    }
}

#[test]
fn a_file_that_cannot_be_written_stays() {
    let folder = folder();
    symlink("README.md", folder.join("link.md")).expect("a link");
    folder.write("none.md", "text");
    folder.write(
        "binary.md",
        b"<!-- benchmarks start -->\n\xff\n<!-- benchmarks end -->",
    );
    for (file, message) in [
        ("link.md", "it is a link"),
        ("none.md", "none.md: has no markers: add the lines"),
        ("binary.md", "binary.md: is no text in UTF-8"),
        ("missing.md", "cannot write missing.md"),
        (
            "README.md#a",
            "has no markers: add the lines `<!-- benchmarks:a start -->`",
        ),
    ] {
        let run = generator(folder.path(), &splice(file, &[]));
        assert!(
            run.code != Some(0) && run.stderr.contains(message),
            "{file}: {}",
            run.stderr
        );
    }
    let readme = folder.join("README.md");
    std::fs::set_permissions(&readme, PermissionsExt::from_mode(0o444)).expect("a mode");
    let run = generator(folder.path(), &splice("README.md", &[]));
    assert!(run.stderr.contains("it is read-only"), "{}", run.stderr);
    assert_eq!(folder.read("README.md"), FILE);
}

#[test]
fn the_mode_stays() {
    let folder = folder();
    let readme = folder.join("README.md");
    std::fs::set_permissions(&readme, PermissionsExt::from_mode(0o640)).expect("a mode");
    generator(folder.path(), &splice("README.md", &[])).success();
    let mode = readme.metadata().expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// Of several at once, each writes its part or says that it has to wait.
#[test]
fn several_at_once_lose_nothing() {
    let folder = folder();
    let parts = ["a", "b", "c", "d"]
        .map(|name| format!("<!-- benchmarks:{name} start -->\n<!-- benchmarks:{name} end -->\n"));
    folder.write("all.md", parts.concat());
    let runs = ["a", "b", "c", "d"].map(|name| {
        let mut command = program();
        command
            .current_dir(folder.path())
            .args(splice(&format!("all.md#{name}"), &[]));
        command
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("runs")
    });
    let mut written = 0;
    for run in runs {
        let ended = run.wait_with_output().expect("ends");
        let errors = String::from_utf8_lossy(&ended.stderr);
        match ended.status.success() {
            true => written += 1,
            false => assert!(errors.contains("another generator is writing"), "{errors}"),
        }
    }
    let tables = folder.read("all.md").matches("lower is better").count();
    assert_eq!(tables, written);
}

#[test]
fn two_figures_in_one_cell_are_an_error() {
    let folder = folder();
    let arguments = [
        "show",
        "t.csv",
        "--rows",
        "library",
        "--columns",
        "^(parse)",
    ];
    folder.write("t.csv", "scenario,unit,a\nparse/x,ns,5\nparse/y,ns,7\n");
    let run = generator(folder.path(), &arguments);
    assert!(
        run.code == Some(2) && run.stderr.contains("would stand in one cell"),
        "{}",
        run.stderr
    );
}

/// criterion keeps the results of benchmarks that were renamed.
#[test]
fn results_of_an_earlier_day_are_noted() {
    let folder = Folder::new();
    let fixture = repository().join("generator/tests/fixtures/criterion/dtoa_1.0.11/criterion");
    copy(&fixture, &folder.join("criterion"));
    let show = || {
        generator(folder.path(), &["show", "criterion"])
            .success()
            .stderr
    };
    assert!(!show().contains("earlier day"));
    let old = File::options()
        .write(true)
        .open(folder.join("criterion/f64[max]/dtoa/new/benchmark.json"));
    let old = old.expect("a file");
    let day = std::time::Duration::from_secs(24 * 3600);
    let time = old.metadata().and_then(|m| m.modified()).expect("a time");
    old.set_modified(time - 3 * day).expect("set");
    let note = "note: 1 of 4 results in criterion are of an earlier day than the newest: f64[max]/dtoa (3 days older); remove the folders";
    assert!(show().contains(note), "{}", show());
}

#[test]
fn two_benchmarks_may_take_the_same_time() {
    let fixture = repository().join("generator/tests/fixtures/criterion/dtoa_1.0.11/criterion");
    let fixture = fixture.join("f64[max]/dtoa/new");
    let folder = Folder::new();
    for name in ["one", "two"] {
        let to = format!("criterion/f64[max]/{name}/new");
        copy(&fixture, &folder.join(&to));
        let benchmark = format!("{to}/benchmark.json");
        folder.write(&benchmark, folder.read(&benchmark).replace("dtoa", name));
    }
    generator(folder.path(), &["show", "criterion"]).success();
    copy(
        &folder.join("criterion/f64[max]/one"),
        &folder.join("criterion/copy/f64[max]/one"),
    );
    let twice = generator(folder.path(), &["show", "criterion"]).code_is(3);
    twice.says("the same run twice");
}
