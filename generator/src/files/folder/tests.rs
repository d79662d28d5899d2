use super::*;
use crate::files::{exists, is_folder};
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn links_lead_nowhere() {
    let around = tempfile::tempdir().expect("a folder");
    let root = around.path();
    fs::create_dir_all(root.join("outside/below")).expect("folders");
    symlink("outside", root.join("link")).expect("a link");
    symlink("missing", root.join("broken")).expect("a link");
    fs::write(root.join("file"), "").expect("a file");
    for (path, reason) in [
        ("link", "link is a symbolic link"),
        ("link/below", "link is a symbolic link"),
        ("link/new", "link is a symbolic link"),
        ("broken/new", "broken is a symbolic link"),
        ("file/new", "file is not a folder"),
    ] {
        for opened in [open(&root.join(path)), open_or_create(&root.join(path))] {
            let error = opened.expect_err(path).to_string();
            assert!(error.contains(reason), "{path}: {error}");
        }
    }
    assert!(
        !exists(&root.join("missing")).expect("known")
            && !exists(&root.join("outside/new")).expect("known")
    );
    open(&root.join("outside/../outside/./below")).expect("no link");
    open_or_create(&root.join("a/b/c")).expect("created");
    assert!(is_folder(&root.join("a/b/c")).expect("known"));
    let missing = open(&root.join("none/below")).expect_err("missing");
    assert_eq!(missing.kind(), ErrorKind::NotFound);
}

#[test]
fn absolute_paths_are_resolved_once() {
    let around = tempfile::tempdir().expect("a folder");
    let root = around.path().canonicalize().expect("there");
    fs::create_dir(root.join("real")).expect("a folder");
    symlink("real", root.join("link")).expect("a link");
    let of = |path: &str| resolved(root.join(path)).expect(path);
    assert_eq!(of("link"), root.join("real"));
    assert_eq!(of("link/new/deep"), root.join("real/new/deep"));
    assert_eq!(of("new"), root.join("new"));
    let relative = resolved("link/new".into()).expect("as it is");
    assert_eq!(relative, Path::new("link/new"));
}
