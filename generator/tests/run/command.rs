//! `run --command`: any command in turns.

use crate::common::{Folder, Run, git, program, run};
use crate::place::{count_results, end_of, runs_in, signal, wait_until};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// Prints what libtest does: the time in the file `time`, plus noise of up to 2 %.
const LIBTEST: &str = r#"time=$(cat time)
echo "running 1 test"
echo "test sort ... bench:  $((time + RANDOM % (time / 50))).5 ns/iter (+/- 7.89)"
"#;

/// Two folders with this benchmark, which takes 10 % longer in the second.
fn place(script: &str) -> Folder {
    let folder = Folder::in_memory();
    for (side, time) in [("old", "100000"), ("new", "110000")] {
        folder.write(&format!("{side}/bench"), script);
        folder.write(&format!("{side}/time"), time);
    }
    folder
}

/// The command of `generator run --command LINE` with these words, into the folder `out`.
fn command(place: &Path, line: &str, words: &str) -> Command {
    let mut command = program();
    command
        .current_dir(place)
        .env("XDG_CACHE_HOME", place.join("cache"))
        .args(["run", "--command", line])
        .args(if words.contains("--out") {
            &[][..]
        } else {
            &["--out", "out"]
        })
        .args(words.split_whitespace());
    command
}

const BOTH: &str = "path:old path:new";

fn measure(place: &Folder, line: &str, words: &str) -> Run {
    run(&mut command(place.path(), line, words))
}

/// The results files, with their contents.
fn results(place: &Folder) -> BTreeMap<String, Vec<u8>> {
    let mut tree = place.tree();
    tree.retain(|path, _| path.starts_with("out/") && path.ends_with("/runs.csv"));
    tree
}

fn count(place: &Folder) -> usize {
    results(place).values().map(|table| runs_in(table)).sum()
}

#[test]
fn folders_take_turns_in_a_random_order_of_the_seed() {
    let place = place(&format!("{LIBTEST}pwd >> ../log"));
    let words = &format!("{BOTH} --runs 8 --seed 4");
    let ended = measure(&place, "bash bench", words).success();
    ended
        .prints("sort      old             µs    8")
        .says("compare them: generator compare out/old out/new\n");
    assert_eq!(count(&place), 16);
    let log = place.read("log");
    let sides: Vec<&str> = log
        .lines()
        .map(|l| l.rsplit('/').next().expect("a name"))
        .collect();
    // The warm-up, then a pair for each run.
    assert_eq!(sides[..2], ["old", "new"]);
    let pairs: Vec<&[&str]> = sides[2..].chunks(2).collect();
    assert!(pairs.iter().all(|pair| pair[0] != pair[1]));
    let first_old = pairs.iter().filter(|pair| pair[0] == "old").count();
    assert!((1..8).contains(&first_old), "{pairs:?}");
    let record = place.read("out/run.toml");
    for part in [
        "seed = 4\n",
        "command = \"bash bench\"\n",
        "old = \"a local folder\"",
    ] {
        assert!(record.contains(part), "{part} in {record}");
    }
    // A folder of the report is the same side as its name.
    let compare = |sides: [&str; 2]| {
        crate::common::generator(place.path(), &["compare", sides[0], sides[1]]).success()
    };
    let table = compare(["out:old", "out:new"]);
    assert_eq!(compare(["out/old", "out/new"]).stdout, table.stdout);
    // A command's runs are not paired.
    table
        .prints("slower")
        .prints("<0.001  8")
        .prints("Mann-Whitney");
    let other = tempfile::tempdir().expect("a folder");
    crate::common::copy(&place.join("old"), &other.path().join("old"));
    crate::common::copy(&place.join("new"), &other.path().join("new"));
    run(&mut command(other.path(), "bash bench", words)).success();
    assert_eq!(
        crate::common::read(&other.path().join("log"))
            .lines()
            .map(|l| l.rsplit('/').next().expect("a name"))
            .collect::<Vec<_>>(),
        sides
    );
}

#[test]
fn the_same_code_under_two_names_is_noticed() {
    let place = place(LIBTEST);
    for side in ["old", "new"] {
        let repository = place.join(side);
        git(&repository, &["init", "-q", "-b", "main"]);
        git(&repository, &["add", "."]);
        git(&repository, &["commit", "-qm", "a step"]);
    }
    let words = "a=git:old#main b=git:old#main new=git:new#main --runs 2";
    measure(&place, "bash bench", words).success();
    place.write("site/config.toml", "base_url = \"/\"\n");
    let compare = |sides: [&str; 2]| {
        crate::common::generator(place.path(), &["compare", sides[0], sides[1]]).success()
    };
    let same = "a and b are the same program, or have the same sources";
    for sides in [
        ["out/a", "out/b"],
        ["out:a", "out:b"],
        ["x=out/a", "y=out:b"],
    ] {
        compare(sides).prints(same);
    }
    for sides in [
        ["out/a", "out/new"],
        ["out:b", "out:new"],
        ["out/a", "out/a"],
    ] {
        assert!(!compare(sides).stdout.contains("same program"), "{sides:?}");
    }
    let ingest = ["ingest", "out", "--site", "site"];
    let ingested = crate::common::generator(place.path(), &ingest).success();
    let ingested = ingested.says(&format!("warning: out: {same}"));
    assert_eq!(ingested.stderr.matches("the same program").count(), 1);
    // A file of another tool is none of ours.
    place.write("out/run.toml", "what = 'ever'\n");
    compare(["out/a", "out/b"]);
}

/// Cargo names the builds of two clones alike.
#[test]
fn sides_do_not_share_a_target_folder() {
    let place = place(&format!("{LIBTEST}echo $CARGO_TARGET_DIR >> log"));
    let mut shared = command(place.path(), "bash bench", &format!("{BOTH} --runs 1"));
    run(shared.env("CARGO_TARGET_DIR", "/builds")).success();
    assert_eq!(place.read("old/log"), "/builds/old\n/builds/old\n");
    assert_eq!(place.read("new/log"), "/builds/new\n/builds/new\n");
}

#[test]
fn the_result_is_a_report() {
    let place = place(LIBTEST);
    measure(&place, "bash bench", &format!("{BOTH} --runs 6")).success();
    place.write("site/config.toml", "base_url = \"/\"\n");
    let ingest = ["ingest", "out", "--site", "site"];
    crate::common::generator(place.path(), &ingest).success();
    let page = place.read("site/content/perf/out/index.md");
    assert!(page.contains("bash bench"), "{page}");
    let figures = place.read("site/content/perf/out/figures/index.md");
    for part in [
        "<caption><span>old ➡️ new in µs",
        "slower <i>p",
        "n\u{a0}=\u{a0}6",
    ] {
        assert!(figures.contains(part), "{part} in {figures}");
    }
    assert!(!page.contains("locks/"), "{page}");
}

/// Criterion's files are read where `run` tells it to write them.
#[test]
fn results_of_criterion_are_read() {
    let criterion = "mkdir -p $to/encode/new
echo '{\"group_id\":\"encode\",\"function_id\":null,\"value_str\":null,\"throughput\":{\"Bytes\":1000},\"full_id\":\"encode\",\"directory_name\":\"encode\",\"title\":\"encode\"}' > $to/encode/new/benchmark.json
median=\"{\\\"confidence_interval\\\":{},\\\"point_estimate\\\":$((1000 + RANDOM % 100)).5,\\\"standard_error\\\":1.0}\"
echo \"{\\\"mean\\\":$median,\\\"median\\\":$median,\\\"std_dev\\\":$median}\" > $to/encode/new/estimates.json
echo unit > $to/encode/new/raw.csv
echo ns >> $to/encode/new/raw.csv
echo Benchmarking encode
";
    let place = place(&["to=$CRITERION_HOME\n", criterion].concat());
    measure(&place, "bash bench", &format!("{BOTH} --runs 2")).success();
    let rows = place.read("out/old/runs.csv");
    assert_eq!(rows.matches(",encode,").count(), 4, "{rows}");
    assert!(rows.contains("\n2,old,,,encode,ns,10"), "{rows}");
    assert!(rows.contains(",encode,MiB/s,"), "{rows}");
}

/// A page of criterion's, without figures, does not hide what was printed.
#[test]
fn other_files_of_criterion_are_no_results() {
    let page = "mkdir -p $CRITERION_HOME && date +%N > $CRITERION_HOME/index.html\n";
    let place = place(&[page, LIBTEST].concat());
    measure(&place, "bash bench", &format!("{BOTH} --runs 1")).success();
    assert!(place.join("out/old/runs.csv").exists());
}

#[test]
fn revisions_are_measured_in_clones() {
    let place = place(LIBTEST);
    let repository = place.join("old");
    git(&repository, &["init", "-q", "-b", "main"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-qm", "old"]);
    place.write("old/time", "50000");
    git(&repository, &["commit", "-qam", "new"]);
    let head = git(&repository, &["rev-parse", "HEAD"]);
    place.write("old/time", "not committed");
    let words = format!("git:old#main~1 head=git:old#{head} --runs 6");
    let line = "bash bench; git log -1 --format=%H >&2; pwd >> $XDG_CACHE_HOME/log";
    measure(&place, line, &words).success();
    let report = place.read("out/report.toml");
    assert!(
        report.contains(&format!("name = \"head\"\nversion = \"{}\"", &head[..7])),
        "{report}"
    );
    assert!(report.contains("name = \"main-1\""), "{report}");
    let log = place.read("cache/log");
    let lengths: Vec<usize> = log.lines().map(str::len).collect();
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{log}");
    // Complete, so the clones are removed.
    assert!(!log.lines().any(|line| Path::new(line).exists()), "{log}");
    let table = crate::common::generator(place.path(), &["compare", "out:main-1", "out:head"]);
    table.success().prints("x faster");
}

#[test]
fn other_code_is_not_mixed_in() {
    let place = place(LIBTEST);
    let repository = place.join("old");
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-qm", "old"]);
    measure(&place, "bash bench", "path:old --runs 1").success();
    // What the command writes does not count where Git ignores it.
    place.write("old/.git/info/exclude", "output\n");
    place.write("old/output", "x");
    measure(&place, "bash bench", "path:old --runs 2").success();
    place.write("old/time", "90000");
    let refused = measure(&place, "bash bench", "path:old --runs 3").code_is(4);
    refused
        .says("old has other sources than in its earlier runs")
        .says("remove out/old")
        .says(".gitignore");
    let refused = measure(&place, "bash ./bench", "path:old --runs 3").code_is(2);
    refused.says("out was measured with --command 'bash bench'");
    let refused = crate::common::generator(place.path(), &["run", "rustls", "--out", "out"]);
    refused
        .code_is(2)
        .says("out was measured with --command 'bash bench'");
    assert_eq!(count(&place), 2);
}

/// Outside of a repository the place tells sources apart.
#[test]
fn another_folder_under_the_same_name_is_refused() {
    let place = place(LIBTEST);
    measure(&place, "bash bench", "base=path:old --runs 2").success();
    let refused = measure(&place, "bash bench", "base=path:new --runs 3").code_is(4);
    refused.says("base has other sources than in its earlier runs");
    assert_eq!(count(&place), 2);
    measure(&place, "bash bench", "base=path:old --runs 3").success();
    assert_eq!(count(&place), 3);
}

#[test]
fn sides_without_a_common_row_are_refused_after_the_warm_up() {
    let place = place(LIBTEST);
    place.write(
        "new/bench",
        "echo 'test find ... bench: 7 ns/iter (+/- 1)'; echo ran >> log",
    );
    let refused = measure(&place, "bash bench", &format!("{BOTH} --runs 9")).code_is(2);
    refused
        .says("old and new have no row in common")
        .says("old has `sort` in ns, and new has `find` in ns");
    assert_eq!(
        (count(&place), place.read("new/log")),
        (0, "ran\n".to_owned())
    );
    for side in ["old", "new"] {
        measure(&place, "bash bench", &format!("path:{side} --runs 1")).success();
    }
    let compared = crate::common::generator(place.path(), &["compare", "out/old", "out/new"]);
    compared.code_is(2).says("have no row in common");
}

/// Whatever Git is told about the files: what counts is what is in them.
#[test]
fn every_file_that_git_does_not_ignore_is_a_source() {
    type Change = fn(&Folder);
    let changes: [(&str, &str, Change); 8] = [
        ("a new file", "", |place| place.write("old/value", "2")),
        (
            "a new file that is hidden",
            "[status]\nshowUntrackedFiles = no\n",
            |place| {
                place.write("old/.env", "2");
            },
        ),
        ("another difference", "[diff]\nexternal = true\n", |place| {
            place.write("old/time", "90000");
        }),
        (
            "a file as text",
            "[diff \"x\"]\ntextconv = true\n",
            |place| {
                place.write("old/.git/info/attributes", "* diff=x\n");
                place.write("old/time", "90000");
            },
        ),
        (
            "a filter",
            "[filter \"x\"]\nclean = echo 100000\n",
            |place| {
                place.write("old/.git/info/attributes", "* filter=x\n");
                place.write("old/time", "90000");
            },
        ),
        ("a file said to be unchanged", "", |place| {
            git(
                &place.join("old"),
                &["update-index", "--assume-unchanged", "time"],
            );
            place.write("old/time", "90000");
        }),
        ("a link", "", |place| {
            fs::remove_file(place.join("old/link")).expect("removed");
            symlink("bench", place.join("old/link")).expect("a link");
        }),
        ("a repository in it", "", |place| {
            place.write("old/below/file", "2");
        }),
    ];
    for (what, configuration, change) in changes {
        let place = place(LIBTEST);
        place.write("old/value", "1");
        place.write("old/.env", "1");
        place.write("old/below/file", "1");
        symlink("time", place.join("old/link")).expect("a link");
        for (folder, files) in [
            ("old/below", &["."][..]),
            ("old", &["bench", "time", "below"]),
        ] {
            let folder = place.join(folder);
            git(&folder, &["init", "-q"]);
            git(&folder, &[&["add"], files].concat());
            git(&folder, &["commit", "-qm", "old"]);
        }
        place.write("configuration", configuration);
        // The results are below the folder, and no source.
        let again = |runs: &str| {
            let words = format!("path:old --runs {runs} --out old/results");
            let mut command = command(place.path(), "bash bench", &words);
            run(command.env("GIT_CONFIG_GLOBAL", place.join("configuration")))
        };
        again("1").success();
        again("2").success();
        change(&place);
        let refused = again("3");
        assert_eq!(refused.code, Some(4), "{what}: {}", refused.stderr);
        refused.says("old has other sources than in its earlier runs");
    }
}

#[test]
fn a_failed_run_is_named_and_the_others_go_on() {
    let flaky = "n=$(cat n || echo 0); echo $((n + 1)) > n
if [ $PWD = $OLD ] && [ $n = 2 ]; then echo some output; echo it fell over >&2; exit 7; fi
";
    let place = place(&[flaky, LIBTEST].concat());
    let old = place.join("old");
    let mut failing = command(place.path(), "bash bench", &format!("{BOTH} --runs 4"));
    let failed = run(failing.env("OLD", &old)).code_is(4);
    failed
        .says("failed: old, run 2: exit status: 7\n")
        .says("\n  it fell over\n  some output\n")
        .says("1 result is missing; the same command tries it again");
    assert_eq!(count(&place), 7);
    run(failing.env("OLD", "")).success();
    assert_eq!(count(&place), 8);
}

#[test]
fn hostile_commands_are_stopped() {
    let place = place(LIBTEST);
    for (line, parts) in [
        ("false", &["the command fails in old: exit status: 1"][..]),
        ("false | cat time", &["exit status: 1"]),
        ("true", &["it printed no figures"]),
        (
            "echo hello",
            &["no known format starts like this: `hello`", "\n  hello"],
        ),
        (
            "yes",
            &["it printed more than 8388608 bytes to standard output"],
        ),
        (
            "yes >&2",
            &["it printed more than 8388608 bytes to standard error"],
        ),
        ("printf '\\033[2J'; exit 1", &["\\u{1B}"]),
        (
            "sleep 60",
            &["still running after 1 s; give it longer with --timeout"],
        ),
        (
            "printf 'implementation,scenario,unit,value\\na,x,s,1\\nb,x,s,2\\n'",
            &["its figures are of several implementations, a and b"],
        ),
    ] {
        let failed = measure(&place, line, &format!("{BOTH} --runs 1 --timeout 1")).code_is(4);
        for part in parts {
            assert!(failed.stderr.contains(part), "{line}: {}", failed.stderr);
        }
        assert!(failed.stderr.len() < 4000, "{line}: {}", failed.stderr);
        assert!(results(&place).is_empty(), "{line}");
        assert!(!place.join("out/run.toml").exists(), "{line}");
    }
}

#[test]
fn nothing_is_written_through_a_link() {
    for (replaced, kept) in [("out", "kept"), ("out/old", "out/kept")] {
        let place = place(LIBTEST);
        // Once there are results, a link to another folder takes their place.
        let line = format!(
            "bash bench; cd ..; [ ! -e out/new/runs.csv ] || [ ! -e out/old/runs.csv ] || [ -e {kept} ] || {{ mv {replaced} {kept}; mkdir -p elsewhere; ln -s $PWD/elsewhere {replaced}; }}"
        );
        let failed = measure(&place, &line, &format!("{BOTH} --runs 3")).code_is(4);
        failed.says("is a symbolic link");
        assert!(
            place
                .tree()
                .keys()
                .all(|path| !path.starts_with("elsewhere"))
        );
    }
}

#[test]
fn an_interrupted_measurement_continues() {
    for (sent, code) in [(Signal::INT, Some(130)), (Signal::KILL, None)] {
        let place = place(&format!(
            "{LIBTEST}sleep 0.02; [ ! -e ../hang ] || exec sleep 60"
        ));
        let words = format!("{BOTH} --runs 4 --seed 7");
        let mut measuring = command(place.path(), "bash bench | cat", &words);
        let child = measuring
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let child = child.expect("it starts");
        wait_until("results", || count_results(&place.join("out")) >= 3);
        place.write("hang", "");
        signal(&child, sent);
        let (stderr, ended) = end_of(child);
        assert_eq!(ended, code, "{stderr}");
        let (before, measured) = (results(&place), count(&place));
        if code.is_some() {
            let last = format!(
                "interrupted: {measured} of 8 runs were measured into out; the same command continues"
            );
            assert_eq!(stderr.lines().last(), Some(&*last));
        }
        fs::remove_file(place.join("hang")).expect("removed");
        run(&mut measuring).success();
        let after = results(&place);
        assert_eq!(count(&place), 8);
        for (name, bytes) in before {
            assert!(after[&name].starts_with(&bytes), "{name}");
        }
    }
}

/// The whole group of a hanging command is killed.
#[test]
fn no_process_outlives_an_interrupted_generator() {
    let place = place("sleep 61.25 & echo $! > pid; sleep 61.25");
    let mut measuring = command(place.path(), "bash bench", BOTH);
    let child = measuring.stderr(Stdio::piped()).spawn().expect("it starts");
    wait_until("a process", || {
        place.join("old/pid").exists() && place.read("old/pid").ends_with('\n')
    });
    signal(&child, Signal::TERM);
    let (stderr, ended) = end_of(child);
    assert_eq!(ended, Some(143), "{stderr}");
    assert!(
        stderr.ends_with("interrupted in the warm-up; the same command continues\n"),
        "{stderr}"
    );
    let words = Path::new("/proc")
        .join(place.read("old/pid").trim())
        .join("cmdline");
    // Empty for a zombie, until it is reaped.
    wait_until("quiet", || {
        fs::read(&words).map_or(true, |words| words.is_empty())
    });
}

#[test]
fn runs_are_added_until_intervals_are_narrow() {
    // A spread of 2 %, but the same in each test run.
    let counting = "n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n
echo \"test sort ... bench: $((100000 + n * 37 % 100 * 20)) ns/iter (+/- 7)\"
";
    let place = place(counting);
    let words = format!("{BOTH} --until 0.4%");
    let ended = measure(&place, "bash bench", &words).success();
    ended
        .says("2 of 2 intervals are wider than ±0.4%")
        .says("every interval is within ±0.4% after ");
    let before = count(&place);
    assert!(before > 20);
    // Runs that are added later start with a warm-up too.
    let more = measure(&place, "bash bench", &words.replace("0.4", "0.3")).success();
    more.says("out has all of these results already")
        .says("warming up new");
    assert!(count(&place) > before);
}

#[test]
fn wrong_usage_is_refused() {
    let place = place(LIBTEST);
    for (words, code, part) in [
        ("rustls", 2, "as path:DIR"),
        ("old=rustls@0.23", 2, "as path:DIR"),
        ("path:old a=b", 2, "as path:DIR"),
        ("../x=path:.", 2, "cannot name a folder"),
        (".git=path:.", 2, "cannot name a folder"),
        ("=path:.", 2, "cannot name a folder"),
        ("aux=path:.", 2, "cannot name a folder"),
        ("a.=path:.", 2, "cannot name a folder"),
        ("path:/", 2, "cannot name a folder"),
        ("path:none", 2, "there is no folder none"),
        ("git:old", 2, "old has no branch, tag or commit `HEAD`"),
        ("path:old path:new/../old", 2, "as in old=path:old"),
        ("path:old --suite all", 2, "--suite"),
    ] {
        measure(&place, "bash bench", words)
            .code_is(code)
            .says(part);
        assert!(results(&place).is_empty());
    }
    measure(&place, "", BOTH).code_is(2);
}
