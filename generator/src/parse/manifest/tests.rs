use super::*;
use crate::base::failure::Failure;

/// The first problem of a file is reported. An escape is another way to write a character that is
/// not allowed in files.
#[test]
fn problems_have_their_lines() {
    for (text, expected) in [
        (
            "a = ",
            "1: string values must be quoted, expected literal string",
        ),
        ("title = 'x'\ntitle = 'y'", "2: duplicate key"),
        (
            "\nsystem = { \"C\\u200fPU\" = 'x' }",
            "2: a character that changes the direction of text: U+200F",
        ),
        (
            "\nheadline = ['memory', \"a\\u2066b\"]",
            "2: a character that changes the direction of text: U+2066",
        ),
        (
            "\n[extra]\na = [\"x\\n+++\"]",
            "3: `+++` in a text of several lines could end a page's front matter",
        ),
        (
            "implementation = 1",
            "1: invalid type: integer `1`, expected a sequence",
        ),
        (
            "\nmachine = 7",
            "2: invalid type: integer `7`, expected a string",
        ),
        (
            "\nestimator = 'best'",
            "2: unknown variant `best`, expected one of `median`, `median-high`, `min`, `max`, `mean`",
        ),
        (
            "\n[source]\ntitle = 'x'\ncolour = 'red'",
            "4: unknown field `colour`, expected one of `title`, `url`, `author`, `runs`, `statistic`, `notes`",
        ),
        (
            "\ndate = 2026-03-07T10:00:00Z",
            "2: a date must be a day without quotes such as 2026-03-07, not 2026-03-07T10:00:00Z",
        ),
        (
            "\ndate = '2026-11-30'",
            "2: a date must be a day without quotes such as 2026-03-07, not \"2026-11-30\"",
        ),
        (
            "headline = [\n'memory',\n'full handshakes, 9.9',\n]",
            "3: no field has the word `9.9` in the scenario `full handshakes, 9.9`",
        ),
        (
            "[source]\ntitle = 'x'\nurl = 'javascript:alert(1)'",
            "3: an address must start with https:// or http://, not `javascript:alert(1)`",
        ),
        (
            "\n[system]\nCPUs = [1, 2]",
            "2: [system] has plain values only, but `CPUs` is a table or a list",
        ),
        (
            "\n[extra]\nkind = 1",
            "2: `kind` of [extra]: the generator writes it: give yours another name",
        ),
        (
            "\n[[implementation]]\nversion = '1'",
            "2: missing field `name`",
        ),
        (
            "\n[[implementation]]\nname = ''",
            "3: [[implementation]] needs a name, version and variant of at most 256 bytes each",
        ),
        (
            "[[implementation]]\nname = 'x'\nfiles = ['a', '../bad']",
            "3: `files` holds paths below the report's folder, not `../bad`",
        ),
        (
            "[[comparison]]\nbaseline = 'a'\ncandidate = 'b'\nfilter = '('",
            "4: not a regular expression: `(`: unclosed group",
        ),
        (
            "[[comparison]]\nbaseline = 'a'\ncandidate = 'b'\nexclude = ['transfer, sideways']",
            "4: no field has the word `sideways` in the scenario `transfer, sideways`",
        ),
    ] {
        let Err(Failure::BadInput(problems)) = Manifest::parse(Path::new("r"), text.as_bytes())
        else {
            panic!("{text} is read");
        };
        let [problem] = &problems[..] else {
            panic!("{text}: {problems:?}")
        };
        assert_eq!(problem.to_string(), format!("r:{expected}"), "{text}");
    }
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
