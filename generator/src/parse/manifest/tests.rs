use super::*;
use crate::base::failure::Failure;

#[test]
fn reports_every_problem_with_its_line() {
    let text = "\
title = \"Update of the date, filter and url\"
date = 2026-03-07T10:00:00Z
machine = 7
headline = [
  \"full handshakes, 1.3, rsa, client\",
  \"full handshakes, 9.9\",
]
estimator = \"best\"
colour = \"red\"

[source]
title = \"url\"
url = \"javascript:alert(1)\"
runs = -1

[system]
OS = \"Debian\"
CPUs = [1, 2]

[[implementation]]
version = \"1.0\"
files = [\"good/*.txt\", \"../bad\"]

[[implementation]]
name = \"files\"
tool_url = \"ftp://x\"
variants = []

[[comparison]]
title = \"filter\"
baseline = \"a\"
filter = \"(\"
exclude = [\"transfer, sideways\"]
";
    let Err(Failure::BadInput(problems)) = Manifest::parse(Path::new("r"), text.as_bytes()) else {
        panic!("accepted");
    };
    let expected = [
        (2, "a date must be a day"),
        (3, "`machine`: invalid type: integer `7`"),
        (6, "`9.9`"),
        (8, "`estimator`: unknown variant `best`"),
        (9, "unknown key `colour`; known keys are `title`, `date`"),
        (13, "not `javascript:alert(1)`"),
        (14, "`runs`: invalid value"),
        (18, "`CPUs` is a table or a list"),
        (20, "[[implementation]] has no name"),
        (22, "not `../bad`"),
        (26, "not `ftp://x`"),
        (27, "unknown key `variants`; known keys are `name`"),
        (29, "[[comparison]] has no candidate"),
        (
            32,
            "not a regular expression: `(`: found open group without closing",
        ),
        (33, "`sideways`"),
    ];
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (problem, (line, part)) in problems.iter().zip(expected) {
        assert!(
            problem.line == line && problem.message.contains(part),
            "{line}: {part}: {problem}"
        );
    }
}

#[test]
fn reports_every_syntax_error_with_its_line() {
    for (text, lines) in [
        ("title = \n", &[1][..]),
        ("title = \"x\"\ntitle = \"y\"\n", &[2]),
        ("a = \n[b\nc = 1\nd = = 2\n", &[1, 2, 4]),
        (
            "implementation = 1\nsource = 2\ncomparison = [3]\n",
            &[1, 2, 3],
        ),
    ] {
        let Err(Failure::BadInput(problems)) = Manifest::parse(Path::new("r"), text.as_bytes())
        else {
            panic!("accepted: {text}");
        };
        let mut found: Vec<u32> = problems.iter().map(|p| p.line).collect();
        found.dedup();
        assert_eq!(found, lines, "{text} {problems:?}");
    }
}

/// An escape is another way to write a character that is not allowed in files.
#[test]
fn rejects_escapes_of_bidirectional_control_characters() {
    for text in [
        "\ntitle = \"a\\u202eb\"\n",
        "\nheadline = [\"memory\", \"a\\u2066b\"]\n",
        "\nsystem = { \"C\\u200fPU\" = \"x\" }\n",
        "[[implementation]]\nname = \"\\U0000061cx\"\n",
    ] {
        let Err(Failure::BadInput(problems)) = Manifest::parse(Path::new("r"), text.as_bytes())
        else {
            panic!("accepted: {text}");
        };
        let start = "r:2: a character that changes the direction of text: U+";
        assert!(problems[0].to_string().starts_with(start), "{problems:?}");
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
    let matches =
        |pattern: &str, path: &str| glob(pattern.into()).expect("a pattern").1.is_match(path);
    assert!(matches("rustls/*.txt", "rustls/a.txt"));
    assert!(!matches("rustls/*.txt", "rustls/b/a.txt"));
    assert!(matches("./rustls/", "rustls/b/a.txt"));
    assert!(!matches("rustls", "rustls2"));
    for bad in ["", "/", "./", "/etc", "a/../b", "a//b", ".."] {
        assert!(glob(bad.into()).is_err(), "{bad}");
    }
}
