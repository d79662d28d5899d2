//! `examples/bisect/step`, by which `git bisect run` finds the commit of a change.

use crate::common::{Folder, git, repository, run};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Takes the figures of a commit from its file `rate`, instead of measuring it.
const MEASURE: &str = r#"#!/bin/sh
revisions= out=
for word; do
    case $word in toy@git:*) revisions="$revisions ${word##*#}" ;; esac
    out=$word
done
for revision in $revisions; do
    echo "$revision" >>"$OUT/tried"
    rate=$(git show "$revision:rate")
    [ "$rate" -gt 0 ] || exit 4
    mkdir -p "$out/toy_1.0.0+$revision"
    {
        echo run,implementation,version,scenario,unit,value
        for run in 1 2 3 4 5 6; do
            echo "$run,Toy,1.0.0+$revision,\"full handshakes, 1.3, rsa, client\",handshakes/s,$((rate + run))"
        done
    } >"$out/toy_1.0.0+$revision/runs.csv"
done
"#;

#[test]
fn git_bisect_finds_the_commit_of_a_change() {
    let folder = Folder::in_memory()
        .with("measure", MEASURE)
        .with("out/tried", "");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join("measure"), executable).expect("set");
    let toy = folder.join("toy");
    std::fs::create_dir(&toy).expect("a folder");
    git(&toy, &["init", "-q"]);
    // The fourth does not build; it is the one that git tries first.
    let rates = ["1000", "1000", "1000", "none", "1000", "900", "900"];
    let commits: Vec<String> = rates
        .iter()
        .enumerate()
        .map(|(number, rate)| {
            std::fs::write(toy.join("rate"), rate).expect("written");
            git(&toy, &["add", "rate"]);
            let title = format!("Step {number}");
            git(&toy, &["commit", "-q", "--allow-empty", "-m", &title]);
            git(&toy, &["rev-parse", "HEAD"])
        })
        .collect();
    git(&toy, &["bisect", "start", &commits[6], &commits[0]]);

    let built = Path::new(env!("CARGO_BIN_EXE_generator")).parent();
    let built = built.expect("a folder").display();
    let path = std::env::var("PATH").expect("a path");
    let mut bisect = Command::new("git");
    bisect
        .current_dir(&toy)
        .args(["bisect", "run"])
        .arg(repository().join("examples/bisect/step"))
        .args(["toy", &commits[0], "--runs", "6"])
        .env("PATH", format!("{built}:{path}"))
        .env("MEASURE", folder.join("measure"))
        .env("OUT", folder.join("out"));
    run(&mut bisect)
        .success()
        .prints(&format!("{} is the first bad commit", commits[5]));
    let tried = folder.read("out/tried");
    assert!(tried.contains(&commits[3][..7]), "{tried}");
}
