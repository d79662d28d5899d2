//! The order of the modules: data flows one way, so each uses only those before it in `src/lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The modules that a file names in any way: `crate::a::b`, `use crate::{a, b::c}`, `super::a`.
fn used(text: &str) -> Vec<&str> {
    let starts = text.split("crate::").skip(1);
    let mut used = Vec::new();
    for rest in starts.chain(text.split("super::").skip(1)) {
        let list = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or_default(),
        };
        for item in list.split(',') {
            used.extend(item.trim().split("::").next());
        }
    }
    used.retain(|name| !name.is_empty());
    used
}

#[test]
fn every_way_of_naming_a_module_is_seen() {
    let text = "use crate::a::b;\nuse crate::{\n    c,\n    d::e,\n};\nfn f() { super::g::h() }";
    assert_eq!(used(text), ["a", "c", "d", "g"]);
}

#[test]
fn modules_use_only_those_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = fs::read_to_string(src.join("lib.rs")).expect("a file");
    let modules = library.lines().filter_map(|line| {
        let (_, name) = line.split_once("mod ")?;
        name.strip_suffix(';').filter(|name| *name != "fuzz")
    });
    let modules: Vec<&str> = modules.collect();
    assert_eq!(modules.len(), 10, "{modules:?}");
    let mut back = Vec::new();
    for (place, module) in modules.iter().enumerate() {
        let mut files = Vec::new();
        sources(&src.join(module), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a file");
            for name in used(&text) {
                if modules[place + 1..].contains(&name) {
                    back.push(format!("{} uses {name}", file.display()));
                }
            }
        }
    }
    assert!(back.is_empty(), "{}", back.join("\n"));
}
