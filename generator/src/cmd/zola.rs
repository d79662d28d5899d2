//! `generator build` and `generator serve`: Zola, found and called.

use crate::cli::{Build, Serve};
use crate::failure::{Failure, Result};
use anyhow::{Context, anyhow};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release line that the templates are written for: 0.22 reads `[slugify]` and feeds as
/// config.toml has them, and 0.23 changed the template language to Tera 2.
const WANTED: (u32, u32) = (0, 22);

const HELP: &str = "Zola 0.22 is needed and was not found.\n\
    `make zola` in this repository installs it; or get it from https://github.com/getzola/zola/releases and put it\n\
    on the PATH, or name it with ZOLA=/path/to/zola.";

/// Runs `zola build`.
///
/// # Errors
/// Zola is missing or fails, or the output folder holds something else.
pub fn build(arguments: &Build, quiet: bool) -> Result<()> {
    let zola = find(&arguments.site)?;
    let output = arguments.site.join(&arguments.output_dir);
    refuse_foreign(&output)?;
    let mut command = Command::new(zola);
    command
        .arg("--root")
        .arg(&arguments.site)
        .arg("build")
        .arg("--force")
        .arg("--output-dir")
        .arg(&output);
    if let Some(url) = &arguments.base_url {
        command.arg("--base-url").arg(url);
    }
    run(command, quiet)
}

/// Runs `zola serve`.
///
/// # Errors
/// Zola is missing or fails.
pub fn serve(arguments: &Serve) -> Result<()> {
    let mut command = Command::new(find(&arguments.site)?);
    // Milliseconds; the default of a whole second is for editors that write in pieces.
    command
        .arg("--root")
        .arg(&arguments.site)
        .args(["serve", "--debounce", "100"]);
    command.args([
        "--interface",
        &arguments.interface,
        "--port",
        &arguments.port.to_string(),
    ]);
    run(command, false)
}

/// Zola empties its output folder. Only one that is empty or that it filled before may be.
fn refuse_foreign(output: &Path) -> Result<()> {
    let is_website =
        |folder: &Path| folder.join("sitemap.xml").exists() || folder.join("404.html").exists();
    let holds_something =
        std::fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some());
    if output.exists() && holds_something && !is_website(output) {
        return Err(Failure::Usage(format!(
            "{} holds something that is no website, and Zola would delete it; name another --output-dir",
            output.display()
        )));
    }
    Ok(())
}

fn run(mut command: Command, quiet: bool) -> Result<()> {
    if quiet {
        command.stdout(std::process::Stdio::null());
    }
    let program = command.get_program().to_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Io(anyhow!(
        "{} failed ({status}); what it printed is above",
        program.display()
    )))
}

/// `$ZOLA`, else the first fitting one of: the PATH, the one that `make zola` installs.
fn find(site: &Path) -> Result<OsString> {
    if let Some(named) = std::env::var_os("ZOLA").filter(|z| !z.is_empty()) {
        return match version(Path::new(&named)) {
            Some(_) => Ok(named),
            None => Err(Failure::Io(anyhow!(
                "ZOLA={} does not run as Zola",
                named.display()
            ))),
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|p| p.join("zola"));
    // generator/target/release/generator stands two folders below generator/.
    let own = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.ancestors().nth(3)?.join("zola/zola")));
    let installed = own.into_iter().chain([site.join("generator/zola/zola")]);
    let fits = |path: &PathBuf| path.is_file() && version(path) == Some(WANTED);
    let found = on_path.chain(installed).find(fits);
    found
        .map(PathBuf::into_os_string)
        .ok_or_else(|| Failure::Io(anyhow!(HELP)))
}

/// Major and minor version of a program that says `zola 0.22.1`.
fn version(zola: &Path) -> Option<(u32, u32)> {
    let output = Command::new(zola).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text
        .trim()
        .strip_prefix("zola ")?
        .split('.')
        .map(|n| n.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
