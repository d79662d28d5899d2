//! Runs the go command, which fetches any release of Go through the module proxy.

use crate::base::failure::Result;
use crate::files;
use crate::measure::libraries::release::Release;
use crate::measure::process::output;
use crate::model::version::Version;
use std::path::Path;
use std::process::Command;

/// The pin of a runner in Go: the module of Go's releases.
pub(crate) const PIN: &str = "golang.org/toolchain";

/// Returns the command that compiles a folder's program with a release. `go_mod`, which is written,
/// selects the defaults of crypto/tls: with an older release there, a program keeps that release's
/// defaults. `cache` has what is compiled: a new one is a build from scratch.
pub(crate) fn build(
    folder: &Path,
    release: &Version,
    go_mod: &Path,
    cache: &Path,
) -> Result<Command> {
    let toolchain = format!("go{release}");
    let go = |subcommand: &str| {
        let mut go = Command::new("go");
        go.current_dir(folder)
            .arg(subcommand)
            .env("GOTOOLCHAIN", &toolchain)
            .env("GOCACHE", cache)
            .env("CGO_ENABLED", "0");
        go
    };
    let root = output(go("env").arg("GOROOT"), "go env fails: ")?;
    let module = format!("module runner-go\n\ngo {release}\n");
    files::write(go_mod, module.as_bytes())?;
    // `time 2025-10-31T13:24:27Z`, some days before its announcement.
    let built = rest_of_line(&Path::new(root.trim()).join("VERSION"), "time ")?;
    let day = built.as_deref().and_then(|time| time.split('T').next());
    let mut build = go("build");
    build
        .args(["-trimpath", "-buildvcs=false", "-ldflags"])
        .arg(format!("-X main.released={}", day.unwrap_or("")))
        .arg(format!("-modfile={}", go_mod.display()));
    Ok(build)
}

/// Reads the release in the `go.mod` of a folder.
pub(crate) fn locked(folder: &Path) -> Result<Option<Version>> {
    let release = rest_of_line(&folder.join("go.mod"), "go ")?;
    Ok(release.as_deref().map(Version::from))
}

/// Returns what follows in the first line of a file that starts so.
fn rest_of_line(path: &Path, start: &str) -> Result<Option<String>> {
    let text = files::read_whole(path)?;
    let text = String::from_utf8_lossy(&text);
    let rest = text.lines().find_map(|line| line.strip_prefix(start));
    Ok(rest.map(str::to_owned))
}

/// Lists all releases and pre-releases; `cannot` precedes what the go command says otherwise.
pub(crate) fn releases(cannot: String) -> Result<Vec<Release>> {
    let mut command = Command::new("go");
    command
        .args(["list", "-m", "-versions", "go"])
        // Outside of any module, which could select another release.
        .current_dir("/")
        .env("GOTOOLCHAIN", "local");
    let listed = output(&mut command, cannot)?;
    let versions = listed.split_whitespace().skip(1);
    Ok(versions.map(|v| Release::new(v, None, false)).collect())
}
