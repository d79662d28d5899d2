use super::*;

#[test]
fn prompts_are_told_from_figures() {
    for (line, expected) in [
        ("$ openssl speed", Some("openssl speed")),
        ("% time ./bench", Some("time ./bench")),
        ("user@host:~$ cargo bench", Some("cargo bench")),
        ("(venv) user@host:~/x$ pytest", Some("pytest")),
        ("[user@host dir]$ make", Some("make")),
        ("bash-5.1$ make", Some("make")),
        ("+ ./bench bulk", Some("./bench bulk")),
        ("$", Some("")),
        ("user@host:~$", Some("")),
        ("+H:16:64", None),
        ("5% faster", None),
        ("progress: 100% done", None),
        ("BenchmarkX-8 1 2 ns/op", None),
        ("sum/1024    time:   [1 ns 2 ns 3 ns]", None),
        ("  50%    1.2ms", None),
        ("# ./bench x", None),
        ("PS C:\\> cargo bench", None),
        ("costs $ 5", None),
        ("#[Mean = 1]", None),
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
}

#[test]
fn dressing_is_taken_off() {
    for (line, expected) in [
        ("plain\n", "plain\n"),
        (
            "\u{1b}[1m\u{1b}[32m   Compiling\u{1b}[0m x\n",
            "   Compiling x\n",
        ),
        ("\u{1b}]0;title\u{7}$ make\n", "$ make\n"),
        ("10%\r50%\r100%\rdone\r\n", "done\n"),
        ("10%\r\r\n", "10%\r\r\n"),
        ("2026-01-01T12:00:00.1234567Z a\n", "a\n"),
        ("job\tstep\t2026-01-01T12:00:00.1Z a\n", "a\n"),
        ("\u{feff}2026-01-01T12:00:00Z \n", "\n"),
        ("2026-01-01T12:00:00.123456Z 01O a\n", "a\n"),
        ("2026-01-01T12:00:00Z ##[group]Run make\n", "$ make\n"),
        ("2026-01-01T12:00:00+00:00 a\n", "a\n"),
        ("[2026-01-01T12:00:00.123Z] a\n", "a\n"),
        ("took 12:00:00 a\n", "took 12:00:00 a\n"),
        ("##[error]failed\n", "failed\n"),
    ] {
        assert_eq!(undressed(line), expected, "{line:?}");
        let twice = [line, "x 2026-01-01T12:00:00Z\n"].concat();
        let expected = [expected, "x 2026-01-01T12:00:00Z\n"].concat();
        assert_eq!(undressed(&twice), expected, "{line:?}");
    }
}
