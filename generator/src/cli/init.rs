//! `generator init`: creates a website for one's own reports from the files in `embedded/site/`.

use super::ingest::ingest;
use crate::base::console::quietly;
use crate::base::escape;
use crate::base::failure::{Failure, Result};
use crate::cli::arguments::{Ingest, Init, Repository};
use crate::files;
use crate::files::embedded::{self, Files};
use anyhow::Context;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml::Value;
use toml_edit::{DocumentMut, value};

/// The workflow that measures pull requests, and the line of its name, by which others find it.
const PULL_REQUEST: &str = ".github/workflows/pull-request.yml";
const NAME: &str = "name: Compare";

/// Files that compare pull requests, for any repository.
const PULL_REQUESTS: &[&str] = &[
    ".ci",
    ".github/actions",
    ".github/generator",
    PULL_REQUEST,
    ".github/workflows/comment.yml",
    ".github/workflows/request.yml",
];

/// The workflow that follows the commits of a repository with benchmarks.
const COMMITS: &str = ".github/workflows/commits.yml";

/// Further files for a site with its own templates.
const INTO_SITE: &[&str] = &[
    "static/elements.js",
    "static/figures.css",
    "static/tables.js",
    "templates/parts/figures.html",
    ".github/workflows/pages.yml",
];

/// Pages and data are compared and archived byte for byte; other files are the repository's own
/// affair.
const ATTRIBUTES: &str = "/content/** -text\n/data/** -text\n";

/// The workflow that measures TLS libraries, and what it runs.
const TLS: [&str; 2] = [".github/workflows/bench.yml", ".github/add-reports"];

/// The script that runs the benchmarks of a pull request.
const BENCH: &str = ".ci/bench";

/// The benchmarks of a crate and of a Go module, by the files that tell of one.
const COMMANDS: [(&str, &str); 2] = [
    (
        "Cargo.toml",
        "# Of criterion, name each benchmark with --bench; with many runs, half a second is enough for each:\n\
         # cargo bench --bench NAME -- --warm-up-time 0.1 --measurement-time 0.3 --nresamples 1000 \"${BENCH_PATTERN:-}\"\n\
         cargo bench -- \"${BENCH_PATTERN:-}\"",
    ),
    (
        "go.mod",
        "go test -run '^$' -bench \"${BENCH_PATTERN:-.}\" ./...",
    ),
];

/// The placeholder for the title.
const TITLE: &str = "TITLE";

/// Runs the command. Fails, and writes nothing, if it would have to overwrite a file.
pub(super) fn init(arguments: &Init) -> Result<()> {
    let site = &arguments.folder;
    match arguments.into {
        true => into(site, arguments),
        false => whole(arguments, site),
    }
}

fn whole(arguments: &Init, site: &Path) -> Result<()> {
    let mut files = embedded::site();
    files.retain(|path, _| arguments.tls || !TLS.iter().any(|of| path == Path::new(of)));
    // A site has no benchmarks.
    files.remove(Path::new(COMMITS));
    let title = &arguments.title;
    replace(&mut files, "README.md", TITLE, &escape::comment(title))?;
    let quoted = Value::from(title.as_str()).to_string();
    replace(
        &mut files,
        "content/_index.md",
        &format!("\"{TITLE}\""),
        &quoted,
    )?;
    configure(&mut files, title, arguments.repo.as_ref())?;
    for (file, bytes) in missing(&files, site)? {
        files::create(&file, bytes)?;
    }
    // With its pages committed, a website can be published without this program.
    let example = Ingest {
        declared: Default::default(),
        data: vec![site.join("data")],
        site: site.to_owned(),
        section: "perf".to_owned(),
        check: false,
        watch: false,
        prune: false,
        reports_only: false,
    };
    quietly(|| ingest(&example))?;
    let folder = site.display();
    let in_shell = site.to_string_lossy();
    let in_shell = escape::shell(&in_shell);
    crate::inform!(
        "{folder} is a website with an example; look at it with: cd {in_shell} && generator ingest data/ && zola serve"
    );
    Ok(())
}

/// Returns the files that do not exist yet. Fails if one exists with other content.
fn missing<'a>(files: &'a Files, site: &Path) -> Result<Vec<(PathBuf, &'a [u8])>> {
    let (mut taken, mut missing) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        let file = site.join(path);
        files::refuse_links(&file)?;
        match file.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => missing.push((file, &bytes[..])),
            there => {
                let is_file = there.with_context(|| files::cannot_read(&file))?.is_file();
                // An interrupted run may have left it.
                let is_same = is_file && files::read_whole(&file)? == *bytes;
                taken.extend((!is_same).then(|| format!("  {}", path.display())));
            }
        }
    }
    if taken.is_empty() {
        return Ok(missing);
    }
    let (folder, taken) = (site.display(), taken.join("\n"));
    Err(Failure::Usage(format!(
        "{folder} has files that would be overwritten; name another folder, or add only what your own site lacks with --into:\n{taken}"
    )))
}

/// Sets title and addresses in the configuration; its other values suit any site.
fn configure(files: &mut Files, title: &str, repo: Option<&Repository>) -> Result<()> {
    let text = text(files, "config.toml")?;
    let mut config: DocumentMut = text.parse().context("embedded/site/config.toml")?;
    config["title"] = value(title);
    config["description"] = value("Benchmarks, measured release by release.");
    if let Some(Repository { owner, name }) = repo {
        let host = format!("{}.github.io", owner.to_lowercase());
        config["base_url"] = value(match name.to_lowercase() == host {
            true => format!("https://{host}"),
            false => format!("https://{host}/{name}"),
        });
        config["extra"]["data_url"] =
            value(format!("https://github.com/{owner}/{name}/tree/HEAD/data"));
    }
    files.insert("config.toml".into(), config.to_string().into_bytes());
    Ok(())
}

fn replace(files: &mut Files, path: &str, from: &str, to: &str) -> Result<()> {
    let text = text(files, path)?.replace(from, to);
    files.insert(path.into(), text.into_bytes());
    Ok(())
}

fn text(files: &Files, path: &str) -> Result<String> {
    let bytes = files.get(Path::new(path));
    let bytes = bytes.with_context(|| format!("embedded/site/{path} is missing"))?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// Adds files to an existing repository or site, and leaves those that exist alone.
fn into(folder: &Path, arguments: &Init) -> Result<()> {
    files::create_folder(folder)?;
    let is_site = files::is_file(&folder.join("config.toml"))?;
    if is_site && arguments.pages {
        let message = "--pages is for repositories without a site: pages.yml publishes this one";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut wanted = PULL_REQUESTS.to_owned();
    wanted.extend(INTO_SITE.iter().filter(|_| is_site));
    wanted.extend(arguments.tls.then_some(TLS).into_iter().flatten());
    wanted.extend(arguments.pages.then_some(COMMITS));
    let mut files = embedded::site();
    files.retain(|path, _| wanted.iter().any(|part| path.starts_with(part)));
    if is_site {
        files.insert(".gitattributes".into(), ATTRIBUTES.into());
    }
    files.extend(bench(folder)?.map(|script| (BENCH.into(), script.into_bytes())));
    for path in files.keys() {
        files::refuse_links(&folder.join(path))?;
    }
    for (path, bytes) in files {
        let file = folder.join(path);
        let is_there = file.symlink_metadata().is_ok();
        if !is_there {
            match file.ends_with(BENCH) {
                true => files::replace(&file, &bytes, true)?,
                false => files::create(&file, &bytes)?,
            }
        }
        let what = if is_there { "was kept" } else { "was created" };
        crate::inform!("{} {what}", file.display());
    }
    say_what_is_left(folder)?;
    if is_site {
        crate::inform!(
            "Delete .github/workflows/pages.yml if something else publishes the site. Put {{% include \"parts/figures.html\" %}} into the <head> of your templates for pages and sections, then run: generator ingest data/ --site {}",
            escape::shell(&folder.to_string_lossy())
        );
    }
    Ok(())
}

/// Returns the script that runs the benchmarks of a repository; `None` if they are unknown.
fn bench(folder: &Path) -> Result<Option<String>> {
    for (manifest, command) in COMMANDS {
        if files::is_file(&folder.join(manifest))? {
            return Ok(Some(format!(
                "#!/usr/bin/env bash\n# The benchmarks of pull requests and commits. It runs in a clone of each side.\nset -euo pipefail\n{command}\n"
            )));
        }
    }
    Ok(None)
}

/// Says what pull requests need besides the files that were written.
fn say_what_is_left(folder: &Path) -> Result<()> {
    if !files::is_file(&folder.join(BENCH))? {
        crate::inform!(
            "Write {BENCH}, an executable that runs your benchmarks: pull requests are not measured without it"
        );
    }
    let workflow = files::read_whole(&folder.join(PULL_REQUEST))?;
    let workflow = String::from_utf8_lossy(&workflow);
    if !workflow.lines().any(|line| line == NAME) {
        crate::inform!(
            "{PULL_REQUEST} is another workflow, so nothing measures pull requests: comment.yml waits for one with the line `{NAME}`, and a comment `/bench` starts yours again. Rename yours and run this again, or delete comment.yml and request.yml"
        );
    }
    Ok(())
}
