//! Runs the go command, which fetches any release of Go through the module proxy.

use crate::base::failure::Result;
use crate::files;
use crate::measure::process::{Stop, text};
use crate::measure::tools::compile::RunnerCopy;
use crate::model::version::Version;
use anyhow::anyhow;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pin of a runner in Go: the module of Go's releases.
pub(in crate::measure) const PIN: &str = "golang.org/toolchain";

/// Remedy where the go command is missing or too old.
const NEEDED: &str = "Fetching other releases needs Go 1.21 or newer: golang-go in Debian from 13 on, or go.dev/dl on any system";

/// Compiles a folder's program with a release. Returns the program's path.
pub(in crate::measure) fn build(copy: &RunnerCopy, release: &Version) -> Result<PathBuf> {
    let toolchain = format!("go{release}");
    let go = |command: &mut Command| {
        command
            .current_dir(&copy.folder)
            .env("GOTOOLCHAIN", &toolchain)
            // Inside the target folder, so that a new one is a build from scratch.
            .env("GOCACHE", copy.target.join("go"))
            .env("CGO_ENABLED", "0");
    };
    let mut env = Command::new("go");
    go(env.args(["env", "GOVERSION", "GOROOT"]));
    let values = text(&mut env).map_err(|stop| stop.context(NEEDED).fatal("go env fails: "))?;
    let (version, root) = values.trim_end().split_once('\n').unwrap_or((&values, ""));
    if version != toolchain {
        return Err(anyhow!("`go` is {version} and does not fetch {toolchain}. {NEEDED}").into());
    }
    let program = copy.target.join("runner-go");
    files::create_folder(&copy.target)?;
    let mut command = Command::new("go");
    command
        .args(["build", "-trimpath", "-buildvcs=false", "-ldflags"])
        .arg(format!("-X main.released={}", day(Path::new(root))?))
        .arg("-o")
        .arg(&program)
        .arg(".");
    go(&mut command);
    copy.compile(&mut command)?;
    Ok(program)
}

/// Writes a release into the `go.mod` of a folder, which selects the defaults of crypto/tls: with
/// an older release there, a program keeps that release's defaults.
pub(in crate::measure) fn select(folder: &Path, release: &Version) -> Result<()> {
    let text = format!("module runner-go\n\ngo {release}\n");
    Ok(files::write(&folder.join("go.mod"), text.as_bytes())?)
}

/// Reads the release in the `go.mod` of a folder.
pub(in crate::measure) fn locked(folder: &Path) -> Result<Option<Version>> {
    let text = String::from_utf8_lossy(&files::read_whole(&folder.join("go.mod"))?).into_owned();
    let release = text.lines().find_map(|line| line.strip_prefix("go "));
    Ok(release.map(Version::from))
}

/// Lists the versions of all releases and pre-releases.
pub(in crate::measure) fn releases() -> Result<Vec<String>, Stop> {
    let mut command = Command::new("go");
    command
        .args(["list", "-m", "-versions", "go"])
        // Outside of any module, which could select another release.
        .current_dir("/")
        .env("GOTOOLCHAIN", "local");
    let listed = text(&mut command).map_err(|stop| stop.context(NEEDED))?;
    let versions = listed.split_whitespace().skip(1);
    Ok(versions.map(str::to_owned).collect())
}

/// Reads the day on which a release was built, some days before its announcement, from its
/// `VERSION` file: `time 2025-10-31T13:24:27Z`. Empty if there is no such line.
fn day(root: &Path) -> Result<String> {
    let text = files::read_whole(&root.join("VERSION"))?;
    let text = String::from_utf8_lossy(&text);
    let time = text.lines().find_map(|line| line.strip_prefix("time "));
    let day = time.and_then(|time| time.split('T').next());
    Ok(day.unwrap_or("").to_owned())
}
