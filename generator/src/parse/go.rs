//! `go test -bench`: a name, the number of iterations, then figures and their units.
//!
//! ```text
//! pkg: example.com/codec
//! BenchmarkEncode/1024-8   37192   639.7 ns/op   1600.80 MB/s   64 B/op   1 allocs/op
//! ```
//!
//! A name that comes again (`-count`) is a further run. MB/s are decimal. In the output of
//! several packages the package stands before the name.

use super::collector::{cite, quote};
use super::number::{is_integer, measured, number};
use super::{Collector, markdown, name};
use crate::scenario::Scenario;
use crate::unit::Unit;
use std::collections::{BTreeSet, HashMap};

pub(super) fn recognise(head: &str) -> bool {
    let is_figure = |l: &str| l.starts_with("Benchmark") && is_result(l);
    head.lines().any(is_figure) && !markdown::is_prose(head)
}

fn is_result(line: &str) -> bool {
    let fields: Vec<&str> = line.split_whitespace().collect();
    matches!(fields[..], [_, iterations, value, unit, ..]
        if is_integer(iterations) && number(value).is_ok() && is_unit(unit))
}

fn is_unit(field: &str) -> bool {
    field.len() <= 64 && field.starts_with(|c: char| c.is_alphabetic() || c == '%')
}

pub(super) fn parse(_name: &str, text: &str, collector: &mut Collector) {
    let packages = text.lines().filter_map(|l| l.strip_prefix("pkg: "));
    let packages: BTreeSet<&str> = packages.map(str::trim).collect();
    let mut file = File {
        several_packages: packages.len() > 1,
        package: "",
        zeros: Vec::new(),
        seen: HashMap::new(),
    };
    collector.lines(text, |line, collector| file.line(line, collector));
    let last = text.split('\n').next_back().unwrap_or_default();
    if last.starts_with("Benchmark") {
        let message = "the file ends without a line end, so it may be cut:";
        collector.problem(cite(message, last));
    }
    if let Some((line, first)) = file.zeros.first() {
        collector.line = *line;
        let others = file.zeros.len() - 1;
        collector.note(format!(
            "a figure of 0 has no ratio to another and is left out: {first}, and {others} more"
        ));
    }
}

struct File<'a> {
    several_packages: bool,
    package: &'a str,
    /// Figures of 0, with their lines.
    zeros: Vec<(u32, String)>,
    seen: HashMap<Scenario, u32>,
}

impl<'a> File<'a> {
    fn line(&mut self, line: &'a str, collector: &mut Collector) -> Result<(), String> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let Some(package) = line.strip_prefix("pkg: ") {
            self.package = package.trim();
        } else if line.starts_with("Benchmark") {
            // `-v` prints each name alone before it starts.
            if fields.len() > 1 {
                self.result(line, &fields, collector)?;
            }
        } else if let Some(failed) = line.trim_start().strip_prefix("--- FAIL: ") {
            collector.note(cite("a failed benchmark has no figure:", failed));
        } else if fields.contains(&"ns/op") {
            return Err(cite("figures without the name of a benchmark:", line));
        }
        Ok(())
    }

    fn result(
        &mut self,
        line: &str,
        fields: &[&str],
        collector: &mut Collector,
    ) -> Result<(), String> {
        let pairs = fields.get(2..).unwrap_or_default().chunks(2);
        let is_pair = |pair: &[&str]| pair.len() == 2 && is_unit(pair[1]);
        if !is_integer(fields[1]) || pairs.len() == 0 || !pairs.clone().all(is_pair) {
            let message = "expected a name, iterations, figures with units; got";
            return Err(cite(message, line));
        }
        let scenario = match self.several_packages {
            true => name::scenario(&format!("{}.{}", self.package, fields[0]))?,
            false => name::scenario(fields[0])?,
        };
        let seen = self.seen.entry(scenario.clone()).or_insert(0);
        let run = *seen;
        *seen += 1;
        let mut units = Vec::new();
        for pair in pairs {
            let (unit, factor) = Unit::parse_or_other(pair[1]);
            // Allocations and metrics of one's own may well be 0, the time of an operation may not.
            let may_be_zero = !matches!(unit, Unit::Time | Unit::Throughput);
            let figure = pair.join(" ");
            if units.contains(&unit) {
                let message = "a second figure in the same unit is left out:";
                collector.note(format!("{message} {figure}"));
                continue;
            } else if may_be_zero && pair[0].bytes().all(|b| b == b'0') {
                let zero = quote(&format!("{figure} of {scenario}"));
                self.zeros.push((collector.line, zero));
            } else if let Some(base) = collector.check(measured(pair[0], factor)) {
                collector.measured(scenario.clone(), unit.clone(), base).run = run;
            }
            units.push(unit);
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Format, tests::read};

    pub(in crate::parse) const FIXTURE: &str = "\
goos: linux
goarch: amd64
pkg: example.com/gob
cpu: AMD EPYC
BenchmarkSha
BenchmarkSha/size=64-2         \t  215304\t       258.3 ns/op\t 247.78 MB/s\t       0 B/op\t       0 allocs/op
BenchmarkSha/size=64-2         \t  219046\t       175.2 ns/op\t 365.29 MB/s\t       16 B/op\t       2 allocs/op
BenchmarkCustom-2              \t67400583\t         0.7361 ns/op\t1358627513 hs/s\t        12.50 p50-ns
--- BENCH: BenchmarkLog-2
    a_test.go:5: hello
--- FAIL: BenchmarkFail
FAIL
exit status 1
FAIL\texample.com/gob\t0.720s
";

    #[test]
    fn figures() {
        assert_eq!(
            read(Format::Go, "out", FIXTURE),
            [
                "6: BenchmarkSha/size=64-2 = 258.3 ns",
                "6: BenchmarkSha/size=64-2 = 236.30142211914 MiB/s",
                "7: BenchmarkSha/size=64-2 = 175.2 ns, run 1",
                "7: BenchmarkSha/size=64-2 = 348.36769104004 MiB/s, run 1",
                "7: BenchmarkSha/size=64-2 = 0.015625 KiB, run 1",
                "7: BenchmarkSha/size=64-2 = 2 allocs/op, run 1",
                "8: BenchmarkCustom-2 = 0.7361 ns",
                "8: BenchmarkCustom-2 = 1358627513 handshakes/s",
                "8: BenchmarkCustom-2 = 12.5 p50-ns",
                "11~ a failed benchmark has no figure: `BenchmarkFail`",
                "6~ a figure of 0 has no ratio to another and is left out: `0 B/op of BenchmarkSha/size=64-2`, and 1 more",
            ]
        );
    }

    #[test]
    fn packages_are_told_apart() {
        let two = format!(
            "{FIXTURE}{}",
            FIXTURE.replace("pkg: example.com/gob", "pkg: example.com/other")
        );
        let rows = read(Format::Go, "out", &two);
        assert_eq!(
            rows[0],
            "6: example.com/gob.BenchmarkSha/size=64-2 = 258.3 ns"
        );
        assert!(
            rows.contains(&"20: example.com/other.BenchmarkSha/size=64-2 = 258.3 ns".to_owned()),
            "{rows:?}"
        );
    }

    #[test]
    fn problems() {
        let broken = FIXTURE
            .replace("BenchmarkSha/size=64-2         \t  215304", "\t  215304")
            .replace("175.2 ns/op", "0 ns/op")
            .replace("1358627513", "")
            + "BenchmarkCut 1 2 n";
        assert_eq!(
            read(Format::Go, "out", &broken),
            [
                "6! figures without the name of a benchmark: `\\t  215304\\t       258.3 ns/op\\t 247.78 MB/s\\t       0 B/op\\t       0 allocs/op`",
                "7! a figure must be positive and finite, not `0`",
                "8! expected a name, iterations, figures with units; got `BenchmarkCustom-2              \\t67400583\\t         0.7361 ns/op\\t hs/s\\t        12.…`",
                "15! the file ends without a line end, so it may be cut: `BenchmarkCut 1 2 n`",
            ]
        );
    }
}
