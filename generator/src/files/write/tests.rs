//! Whatever happens, a file is old or new, and links lead nowhere.

use super::*;
use crate::files::is_folder;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn new_files_have_the_usual_permissions() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, usual) = (folder.path().join("ours"), folder.path().join("usual"));
    fs::write(&usual, "new").expect("written");
    write(&ours, b"old").expect("written");
    write(&ours, b"new").expect("replaced");
    assert_eq!(fs::read(&ours).expect("read"), b"new");
    let mode = |path| fs::metadata(path).expect("there").permissions().mode();
    assert_eq!(mode(&ours), mode(&usual));
    assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 2);
}

#[test]
fn files_of_killed_processes_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = std::process::Command::new("true").spawn().expect("a child");
    let stale = format!("{PARTIAL}{}-x", child.id());
    child.wait().expect("it ends");
    let in_use = format!("{PARTIAL}{}-x", std::process::id());
    for name in [&stale, &in_use, ".partial-mine"] {
        fs::write(folder.path().join(name), "half").expect("written");
    }
    write(&folder.path().join("new"), b"new").expect("written");
    let there = read_folder(folder.path()).expect("a folder");
    let names: Vec<String> = there.iter().map(|path| file_name(path)).collect();
    assert_eq!(names, [&in_use, ".partial-mine", "new"]);
}

#[test]
fn a_link_is_replaced_and_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (link, target) = (folder.path().join("link"), folder.path().join("target"));
    fs::write(&target, "old").expect("written");
    symlink(&target, &link).expect("a link");
    write(&link, b"new").expect("written");
    assert_eq!(fs::read(&target).expect("read"), b"old");
    assert_eq!(fs::read(&link).expect("read"), b"new");
}

#[test]
fn nothing_is_written_or_removed_through_a_linked_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let [real, link] = ["real", "link"].map(|name| folder.path().join(name));
    create(&real.join("below/mine"), b"mine").expect("written");
    symlink(&real, &link).expect("a link");
    let (new, mine) = (link.join("new"), link.join("below/mine"));
    for done in [
        write(&new, b"new"),
        create(&new, b"new"),
        create_folder(&new),
        create_private(&new),
        replace(&new, b"new", true),
        remove(&mine),
        rename(&mine, &new),
        rename(&real.join("below"), &new),
    ] {
        let error = format!("{:#}", done.expect_err("a link"));
        assert!(error.contains("link is a symbolic link"), "{error}");
    }
    lock(&link, "busy").expect_err("a link");
    assert_eq!(fs::read(real.join("below/mine")).expect("there"), b"mine");
    assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 2);
    remove(&link).expect("the link itself");
    assert!(is_folder(&real).expect("known"));
    remove(&real).expect("a folder");
    assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 0);
}

#[test]
fn a_failed_write_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("taken");
    fs::create_dir(&path).expect("a folder");
    let error = write(&path, b"new").expect_err("a folder is in the way");
    let text = format!("{error:#}");
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 1);
}

#[test]
fn only_missing_files_need_no_removal() {
    let folder = tempfile::tempdir().expect("a folder");
    remove(&folder.path().join("none")).expect("nothing to do");
    fs::write(folder.path().join("file"), "").expect("written");
    remove(&folder.path().join("file/below")).expect_err("not a folder");
}
