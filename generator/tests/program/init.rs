//! The program without a checkout: new sites, for benchmarks of anything, and embedded runners.

use crate::common::{
    Folder, assert_same, build, copy, files, generator, program, read, repository, run, tree, write,
};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Words about TLS, which do not belong on other sites.
const TLS: &[&str] = &[
    "tls",
    "handshake",
    "rustls",
    "openssl",
    "cipher",
    "session",
    "crypto",
    "certificate",
];

/// What a site with its own templates lacks.
const SITE_FILES: [&str; 5] = [
    ".gitattributes",
    "static/elements.js",
    "static/figures.css",
    "static/tables.js",
    "templates/parts/figures.html",
];

/// A new site, created with these arguments.
fn site(arguments: &[&str]) -> Folder {
    let folder = Folder::new();
    generator(folder.path(), &[&["init", "site"], arguments].concat()).success();
    folder
}

#[test]
fn suggested_commands_are_quoted_for_a_shell() {
    let folder = Folder::new();
    let made = generator(folder.path(), &["init", "it's mine"]).success();
    made.says(r"it's mine is a website with an example; look at it with: cd 'it'\''s mine' && ");
}

#[test]
fn a_new_site_is_complete() {
    let folder = site(&["--title", "Fast <&> \"small\"", "--repo", "Owner/my.perf"]);
    let site = folder.join("site");
    for part in ["templates", "static"] {
        let [new, own] = [&site, &repository()].map(|root| tree(&root.join(part)));
        assert_same(&new, &own, part);
    }
    for file in [
        ".gitignore",
        "README.md",
        "data/README.md",
        ".ci/threshold",
        ".github/actions/compare/action.yml",
        ".github/generator",
        ".github/workflows/comment.yml",
        ".github/workflows/pages.yml",
        ".github/workflows/pull-request.yml",
    ] {
        assert!(site.join(file).is_file(), "{file}");
    }
    assert!(!site.join(".github/workflows/bench.yml").exists());
    let config: toml::Table = read(&site.join("config.toml")).parse().expect("TOML");
    assert_eq!(config["title"].as_str(), Some("Fast <&> \"small\""));
    let [address, data] = [&config["base_url"], &config["extra"]["data_url"]].map(|v| v.as_str());
    assert_eq!(address, Some("https://owner.github.io/my.perf"));
    assert_eq!(
        data,
        Some("https://github.com/Owner/my.perf/tree/HEAD/data")
    );
    generator(&site, &["ingest", "data/", "--check"]).success();
    build(&site, "/").success();
    let front = read(&site.join("public/index.html"));
    assert!(
        front.contains("Fast &lt;&amp;&gt; &quot;small&quot;</a>"),
        "{front}"
    );
    assert!(read(&site.join("public/perf/index.html")).contains("-example/"));
}

#[test]
fn a_user_site_is_at_the_root() {
    for repo in [
        "Owner/owner.github.io",
        "https://github.com/Owner/owner.github.io/",
        "git@github.com:Owner/owner.github.io.git",
    ] {
        let folder = site(&["--repo", repo]);
        let config = folder.read("site/config.toml");
        assert!(
            config.contains("\nbase_url = \"https://owner.github.io\"\n"),
            "{config}"
        );
    }
}

#[test]
fn no_file_is_overwritten() {
    let folder = Folder::new()
        .with("site/README.md", "mine")
        .with("site/other", "mine");
    let before = folder.tree();
    let refused = generator(folder.path(), &["init", "site"]).code_is(2);
    refused.says("  README.md");
    assert_same(&folder.tree(), &before, "refused");
    for repo in [
        "owner",
        "owner/a/b",
        "/name",
        "owner/",
        "../x",
        "owner/..",
        "https://example.org/owner/name",
    ] {
        generator(folder.path(), &["init", "new", "--repo", repo]).code_is(2);
    }
    generator(folder.path(), &["init", "new", "--title", " "]).code_is(2);
    assert!(!folder.join("new").exists());
}

/// A site with its own templates gets files for them to include, and keeps its own.
#[test]
fn an_existing_site_gets_missing_files() {
    const PAGE: &str =
        "<!DOCTYPE html><title>mine</title>{% include \"parts/figures.html\" %}<main>";
    let folder = Folder::site()
        .with("templates/index.html", "<!DOCTYPE html><title>mine</title>")
        .with(
            "templates/section.html",
            [PAGE, "{{ section.content | safe }}"].concat(),
        )
        .with(
            "templates/page.html",
            [PAGE, "{{ page.content | safe }}"].concat(),
        )
        .with(".github/workflows/pages.yml", "mine");
    let before = folder.tree();
    let stderr = generator(folder.path(), &["init", ".", "--into"])
        .success()
        .stderr;
    assert!(stderr.contains("workflows/pages.yml was kept"), "{stderr}");
    assert!(
        stderr.contains("{% include \"parts/figures.html\" %}"),
        "{stderr}"
    );
    let after = folder.tree();
    for (path, bytes) in &before {
        assert_eq!(after.get(path), Some(bytes), "{path}");
    }
    let new = after.keys().filter(|path| !before.contains_key(*path));
    assert!(new.clone().any(|path| path == "static/figures.css"));
    let is_asked = |path: &String| {
        let parts = [&[".ci/threshold", ".github/"], &SITE_FILES[..]].concat();
        parts.iter().any(|part| path.starts_with(part))
    };
    assert!(new.clone().all(is_asked), "{:?}", new.collect::<Vec<_>>());
    let data = repository().join("generator/embedded/site/data/2026-11-22-example");
    folder.ingest(&data, &[]).success();
    // Without templates of its own, its feed is Zola's, which differs between versions.
    build(folder.path(), "/").success();
    let page = read(&folder.join("public/perf/2026-11-22-example/index.html"));
    for file in ["href=\"/figures.css?h=", "src=\"/tables.js?h="] {
        assert!(page.contains(file), "{page}");
    }
}

/// A repository without a site gets what compares its pull requests, and nothing about TLS.
#[test]
fn a_repository_gets_benchmarks_of_pull_requests() {
    const CRITERION: &str = "[dev-dependencies]\ncriterion = \"0.5\"\n\
        [[bench]]\nname = \"parse\"\nharness = false\n[[bench]]\nname = \"other\"\n";
    for (manifest, text, bench) in [
        ("Cargo.toml", "", "cargo bench -- \"${BENCH_PATTERN:-}\""),
        (
            "Cargo.toml",
            CRITERION,
            "cargo bench --bench parse -- --warm-up-time 0.1 --measurement-time 0.3 --nresamples 1000 \"${BENCH_PATTERN:-}\"",
        ),
        (
            "Cargo.toml",
            &CRITERION.replace("\"0.5\"", "{ version = \"0.3.6\" }"),
            "cargo bench --bench parse -- --warm-up-time 1 --measurement-time 1 --nresamples 1000 \"${BENCH_PATTERN:-}\"",
        ),
        (
            "Cargo.toml",
            &CRITERION.replace("[dev-", "[target.'cfg(not(miri))'.dev-"),
            "cargo bench --bench parse -- --warm-up-time 0.1 --measurement-time 0.3 --nresamples 1000 \"${BENCH_PATTERN:-}\"",
        ),
        (
            "Cargo.toml",
            "[[bench]]\nname = \"it's\"\nrequired-features = [\"all\"]\n",
            r#"cargo bench --bench 'it'\''s' --features all -- "${BENCH_PATTERN:-}""#,
        ),
        (
            "go.mod",
            "",
            "go test -run '^$' -bench \"${BENCH_PATTERN:-.}\" ./...",
        ),
    ] {
        let folder = Folder::new()
            .with("own/.git/HEAD", "ref: refs/heads/main")
            .with(&format!("own/{manifest}"), text);
        let own = folder.join("own");
        generator(&own, &["init", "--into", "."]).success();
        let mut files = tree(&own);
        let text = String::from_utf8(files.values().flatten().copied().collect());
        let text = text.expect("UTF-8").to_lowercase();
        assert!(TLS.iter().all(|word| !text.contains(word)), "{text}");
        files.retain(|path, _| !path.starts_with(".git/") && path != manifest);
        let new = [
            ".ci/bench",
            ".ci/threshold",
            ".github/actions/compare/action.yml",
            ".github/generator",
            ".github/workflows/comment.yml",
            ".github/workflows/pull-request.yml",
            ".github/workflows/request.yml",
        ];
        assert!(files.keys().eq(new.iter()), "{:?}", files.keys());
        let script = own.join(".ci/bench");
        let last = read(&script).lines().last().map(str::to_owned);
        assert_eq!(last.expect("a line"), bench);
        let metadata = std::fs::metadata(&script).expect("there");
        assert_eq!(metadata.permissions().mode() & 0o111, 0o111);
    }
    let folder = Folder::new().with("own/.git/HEAD", "");
    let made = generator(&folder.join("own"), &["init", "--into", "."]).success();
    made.says("Write .ci/bench, an executable");
    let pinned = folder.read("own/.github/generator");
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        pinned.ends_with(&format!("\nbenchpages {version}\n")),
        "{pinned}"
    );
}

/// What replaces the pages of a project is asked for.
#[test]
fn commits_are_published_if_that_is_asked_for() {
    let folder = Folder::new().with("own/.git/HEAD", "");
    let own = folder.join("own");
    generator(&own, &["init", ".", "--pages"]).code_is(2);
    generator(&own, &["init", ".", "--into", "--pages"]).success();
    assert!(own.join(".github/workflows/commits.yml").is_file());
    let site = Folder::site();
    let refused = generator(site.path(), &["init", ".", "--into", "--pages"]).code_is(2);
    refused.says("--pages is for repositories without a site");
}

/// A project's own action and workflow stay, with what that means.
#[test]
fn a_repository_keeps_its_own_action_and_workflow() {
    let folder = Folder::new()
        .with("own/.git/HEAD", "")
        .with("own/action.yml", "name: Mine\n")
        .with("own/.github/workflows/pull-request.yml", "name: Tests\n");
    let own = folder.join("own");
    let made = generator(&own, &["init", ".", "--into"]).success();
    made.says("pull-request.yml is another workflow, so nothing measures pull requests")
        .says("Rename yours and run this again");
    assert_eq!(folder.read("own/action.yml"), "name: Mine\n");
    let workflow = own.join(".github/workflows/pull-request.yml");
    std::fs::rename(&workflow, own.join(".github/workflows/tests.yml")).expect("renamed");
    for _ in 0..2 {
        let made = generator(&own, &["init", ".", "--into"]).success();
        assert!(!made.stderr.contains("another workflow"), "{}", made.stderr);
    }
}

/// GitHub finds workflows at a repository's root alone.
#[test]
fn a_site_within_a_repository() {
    let folder = Folder::new()
        .with("repository/.git/HEAD", "ref: refs/heads/main")
        .with("repository/own/config.toml", "base_url = \"/\"\n");
    let repository = folder.join("repository");
    for (name, into) in [("own", "--into"), ("new", "--tls")] {
        let made = generator(&repository, &["init", name, into]).success();
        made.says(&format!("set SITE to {name} in .github/workflows/"));
        assert!(
            repository
                .join(name)
                .join(".github/workflows/pages.yml")
                .is_file()
        );
    }
}

/// The pages of criterion's benchmarks do not mention TLS. The folder is as criterion leaves it in
/// `target/`, with its own pages.
#[test]
fn a_site_about_anything_else() {
    let folder = site(&["--title", "Numbers and sorting"]);
    let site = folder.join("site");
    let criterion = repository().join("generator/tests/fixtures/criterion");
    copy(
        &criterion.join("dtoa_1.0.11"),
        &site.join("data/2026-11-22-floats/dtoa_1.0.11"),
    );
    generator(&site, &["ingest", "data/"]).success();
    build(&site, "/").success();
    let page = read(&site.join("public/perf/2026-11-22-floats/index.html"));
    assert!(page.contains("f64[short]/dtoa"), "{page}");
    let mut found = Vec::new();
    for path in files(&site.join("public")) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).to_lowercase();
        let is_read = |e| {
            ["html", "xml", "svg", "json", "csv"]
                .iter()
                .any(|x| e == *x)
        };
        // The columns of a dataset are those of every report.
        let is_dataset = path.ends_with("data.csv");
        if !is_dataset && path.extension().is_some_and(is_read) {
            let words = TLS.iter().filter(|word| text.contains(**word));
            found.extend(words.map(|word| format!("{word} in {}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A copy of the program in an otherwise empty folder, without a checkout.
fn alone(folder: &Folder) -> std::process::Command {
    let copy = folder.join("bin/generator");
    std::fs::create_dir_all(folder.join("bin")).expect("a folder");
    // Not by this process: what a thread starts meanwhile inherits the open file, and Linux runs no
    // program that is open for writing.
    let copied = std::process::Command::new("cp")
        .arg(program().get_program())
        .arg(&copy)
        .status();
    assert!(copied.expect("cp starts").success());
    let mut command = std::process::Command::new(copy);
    command
        .current_dir(folder.path())
        .env("HOME", folder.path());
    command.env_remove("XDG_CACHE_HOME");
    command
}

#[test]
fn runners_are_embedded_in_the_program() {
    let folder = Folder::new();
    let listed = run(alone(&folder).args(["run", "--list"])).success();
    assert_eq!(
        listed.stdout,
        generator(&repository(), &["run", "--list"])
            .success()
            .stdout
    );
    let version = env!("CARGO_PKG_VERSION");
    let runners = folder.join(&format!(".cache/generator/{version}/runners"));
    let manifest = runners.join("rustls/Cargo.toml");
    let own = read(&repository().join("generator/runners/rustls/Cargo.toml"));
    assert_eq!(read(&manifest), own);
    // A changed file there is restored.
    write(&manifest, "changed");
    run(alone(&folder)
        .env("XDG_CACHE_HOME", "relative")
        .args(["run", "--list"]))
    .success();
    assert_eq!(read(&manifest), own);
    run(alone(&folder)
        .env("XDG_CACHE_HOME", folder.join("x"))
        .args(["run", "--list"]))
    .success();
    assert!(
        folder
            .join(&format!("x/generator/{version}/scenario/src/lib.rs"))
            .is_file()
    );
}

#[test]
fn missing_compilers_are_named() {
    let folder = Folder::new();
    let mut command = alone(&folder);
    command.env("PATH", "/nowhere").env_remove("CARGO");
    let failed = run(command.args(["run", "rustls", "--out", "out"])).code_is(4);
    failed
        .says("rustc")
        .says("https://rustup.rs")
        .says("C compiler");
    assert!(!Path::new(&folder.join("out")).exists());
}
