use super::*;
use crate::base::failure::Failure;
use crate::parse::tests::{check_folder, problem};

/// All problems of a file are reported together. An escape is another way to write a character that
/// is not allowed in files.
#[test]
fn problems_have_their_lines() {
    check_folder(
        Path::new("tests/fixtures/report_toml"),
        |name, text| match Manifest::parse(Path::new(name), text.as_bytes()) {
            Err(Failure::BadInput(problems)) => problems.iter().map(problem).collect(),
            other => panic!("{name}: {other:?}"),
        },
    );
}

#[test]
fn takes_the_day_from_the_date_or_the_folder_name() {
    let none = Manifest::default();
    let day = Date::constant(2026, 3, 7);
    for (folder, expected) in [
        ("2026-03-07-x86_64", Some(day)),
        ("2026-03-07", Some(day)),
        ("2026-03-071", None),
        ("2026-13-07-x", None),
        ("2026-02-30-x", None),
        ("results", None),
    ] {
        assert_eq!(none.day(folder), expected, "{folder}");
    }
    let dated = Manifest::parse(Path::new("r"), b"date = 2025-07-31\n").expect("a date");
    let day = dated.day("2026-03-07-x86_64");
    assert_eq!(day, Some(Date::constant(2025, 7, 31)));
}

#[test]
fn matches_and_rejects_globs() {
    let matches = |pattern: &str, path: &str| {
        Glob::try_from(pattern.to_owned())
            .expect("a pattern")
            .1
            .is_match(path)
    };
    assert!(matches("rustls/*.txt", "rustls/a.txt"));
    assert!(!matches("rustls/*.txt", "rustls/b/a.txt"));
    assert!(matches("./rustls/", "rustls/b/a.txt"));
    assert!(!matches("rustls", "rustls2"));
    for bad in ["", "/", "./", "/etc", "a/../b", "a//b", ".."] {
        assert!(Glob::try_from(bad.to_owned()).is_err(), "{bad}");
    }
}
