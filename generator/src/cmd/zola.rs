//! `generator build`, `serve` and `zola`: finds and runs Zola.

use super::print;
use crate::cli::{Build, Serve};
use crate::console::is_quiet;
use crate::failure::{Failure, Result};
use crate::fs::{exists, own_crate, read_folder};
use anyhow::{Context, anyhow, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release line that the templates are written for: 0.22 reads `[slugify]` and feeds as
/// config.toml has them, and 0.23 changed the template language to Tera 2.
const WANTED: (u32, u32) = (0, 22);

const HELP: &str = "Zola 0.22 is needed and was not found.\n\
    Get it from https://github.com/getzola/zola/releases and put it on the PATH, or name it with ZOLA=/path/to/zola;\n\
    in the generator's own repository `make zola` installs it.";

/// Prints the path of the Zola that `build` and `serve` run. Fails if there is none.
pub(super) fn zola() -> Result<()> {
    let zola = find(Path::new("."))?;
    print(&format!("{}\n", zola.display()))
}

/// Runs `zola build`. Fails if Zola does, or the output folder holds something else.
pub(super) fn build(arguments: &Build) -> Result<()> {
    let output = arguments.site.join(&arguments.output_dir);
    let mut command = command(&arguments.site)?;
    refuse_foreign(&output)?;
    command
        .args(["build", "--force", "--output-dir"])
        .arg(&output);
    if let Some(url) = &arguments.base_url {
        command.args(["--base-url", url]);
    }
    if is_quiet() {
        command.stdout(Stdio::null());
    }
    run(command)
}

/// Runs `zola serve`. Fails if Zola does.
pub(super) fn serve(arguments: &Serve) -> Result<()> {
    let mut command = command(&arguments.site)?;
    // Milliseconds; the default of a whole second is for editors that write in pieces.
    command.args(["serve", "--debounce", "100"]);
    command.args(["--interface", &arguments.interface]);
    command.args(["--port", &arguments.port.to_string()]);
    run(command)
}

fn command(site: &Path) -> Result<Command> {
    let mut command = Command::new(find(site)?);
    command.arg("--root").arg(site);
    Ok(command)
}

/// Fails unless the output folder is empty or holds a website: Zola deletes what is in it.
fn refuse_foreign(output: &Path) -> Result<()> {
    let is_website = exists(&output.join("sitemap.xml"))? || exists(&output.join("404.html"))?;
    if !exists(output)? || is_website || read_folder(output)?.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{} holds something that is not a website, and Zola would delete it; name another --output-dir",
        output.display()
    )))
}

fn run(mut command: Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status();
    let status = status.with_context(|| format!("cannot start {program}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::Io(anyhow!(
            "{program} failed ({status}); what it printed is above"
        ))),
    }
}

/// Finds `$ZOLA`, whatever its version; else the first Zola 0.22 on the PATH, or the one that `make
/// zola` installs.
fn find(site: &Path) -> Result<PathBuf> {
    if let Some(named) = env::var_os("ZOLA").filter(|z| !z.is_empty()) {
        let named = PathBuf::from(named);
        let context = || format!("ZOLA={} does not run as Zola", named.display());
        version(&named).with_context(context)?;
        return Ok(named);
    }
    let mut skipped = String::new();
    for path in places(site)? {
        let why = match version(&path) {
            Ok(WANTED) => return Ok(path),
            Ok((major, minor)) => format!("Zola {major}.{minor}"),
            Err(error) => format!("{error:#}"),
        };
        skipped += &format!("\nSkipped {}: {why}", path.display());
    }
    Err(Failure::Io(anyhow!("{HELP}{skipped}")))
}

/// Returns every `zola` on the PATH, and those that `make zola` installs.
fn places(site: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    let on_path = folders.map(|folder| folder.join("zola"));
    let own = own_crate()?.map(|folder| folder.join("zola/zola"));
    let in_site = std::path::absolute(site.join("generator/zola/zola"));
    let in_site = in_site.context("cannot find the current folder")?;
    // Missing and unreadable folders are skipped, as a shell does.
    let all = on_path.chain(own).chain([in_site]);
    let is_file = |path: &PathBuf| path.metadata().is_ok_and(|found| found.is_file());
    Ok(all.filter(is_file).collect())
}

/// Returns major and minor version of a program that prints `zola 0.22.1`.
fn version(zola: &Path) -> anyhow::Result<(u32, u32)> {
    let output = Command::new(zola).arg("--version").output()?;
    if !output.status.success() {
        bail!("--version failed ({})", output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers = text.trim().strip_prefix("zola ").unwrap_or_default();
    let numbers: Vec<_> = numbers.split('.').map(str::parse).collect();
    match numbers.as_slice() {
        [Ok(major), Ok(minor), ..] => Ok((*major, *minor)),
        _ => bail!("--version prints `{}`", text.trim()),
    }
}
