//! `go test -bench`, as text or with `-json`: a name, the number of iterations, then figures with
//! units.
//!
//! ```text
//! pkg: example.com/codec
//! Unit req/sec better=higher
//! BenchmarkEncode/1024-8   37192   639.7 ns/op   1600.80 MB/s   64 B/op   1 allocs/op
//! {"Action":"output","Package":"example.com/codec","Output":"BenchmarkEncode/1024-8   "}
//! ```
//!
//! A repeated name (`-count`) is another run. MB/s are decimal. A name starts with its package.

use super::figure;
use super::prelude::*;

/// What a line of a benchmark starts with: its name goes on with no lower-case letter.
static NAME: LazyLock<Expression> =
    LazyLock::new(|| Expression::new(r"^Benchmark(?:[^a-z\s]\S*)?$"));

/// What a line is to the tool.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Line {
    /// It is read, or a heading or another line that the tool is known to print.
    Known,
    /// It looks like a row, and is none that can be read.
    Odd,
    Foreign,
}

#[derive(Default)]
pub(super) struct Go {
    package: String,
    /// The output of each package since the last end of a line: a name is printed before its
    /// benchmark runs.
    begun: HashMap<String, String>,
    directions: HashMap<String, Better>,
}

impl Go {
    pub(super) fn line(&mut self, line: &str, out: &mut Collector) -> Line {
        if line.starts_with("{\"") && line.contains(r#""Action":""#) {
            return self.event(line, out);
        }
        if let Some(package) = line.strip_prefix("pkg: ") {
            self.package = package.trim().to_owned();
        }
        self.printed(line, out)
    }

    /// Joins the output of each package to lines, each in the place of its end.
    fn event(&mut self, line: &str, out: &mut Collector) -> Line {
        let Ok(event) = serde_json::from_str::<Json>(line) else {
            return Line::Odd;
        };
        let texts = ["Action", "Package", "Output"].map(|key| event[key].as_str());
        let [Some("output"), Some(package), Some(output)] = texts else {
            return Line::Known;
        };
        let begun = self.begun.entry(package.to_owned()).or_default();
        *begun += output;
        if !begun.ends_with('\n') {
            return Line::Known;
        }
        let text = std::mem::take(begun);
        package.clone_into(&mut self.package);
        match self.printed(&text, out) {
            Line::Odd => Line::Odd,
            _ => Line::Known,
        }
    }

    /// Reads a line that the test of a package printed.
    fn printed(&mut self, text: &str, out: &mut Collector) -> Line {
        let fields: Vec<&str> = match text.contains("Benchmark") || text.starts_with("Unit ") {
            true => text.split_whitespace().collect(),
            false if text.contains("ns/op") => return Line::Odd,
            false => return Line::Foreign,
        };
        let is_name = |name: &str| NAME.captures(name).is_some();
        match fields[..] {
            [.., "---", "FAIL:" | "SKIP:", name] if is_name(name) => {
                out.note(cite("a benchmark that failed or was skipped:", name));
            }
            ["Unit", unit, ref pairs @ ..] if pairs.iter().all(|pair| pair.contains('=')) => {
                for better in pairs.iter().filter_map(|pair| pair.strip_prefix("better=")) {
                    let better = match better {
                        "higher" => Better::Higher,
                        _ => Better::Lower,
                    };
                    self.directions.insert(unit.to_owned(), better);
                }
            }
            // With `-v`, the name alone is printed before the benchmark starts.
            [name] if is_name(name) => {}
            [name, iterations, ref pairs @ ..] if is_name(name) && is_integer(iterations) => {
                // A unit that ends with `/` has been cut.
                let is_unit = |word: &str| word.parse::<f64>().is_err() && !word.ends_with('/');
                let is_pair = |pair: &[&str]| pair.len() == 2 && is_unit(pair[1]);
                if !pairs.chunks(2).all(is_pair) {
                    return Line::Odd;
                }
                let name = match self.package.as_str() {
                    "" => name.to_owned(),
                    package => format!("{package}.{name}"),
                };
                self.row(&name, pairs, out);
            }
            [name, ..] if is_name(name) && name != "Benchmark" => return Line::Odd,
            _ => return Line::Foreign,
        }
        Line::Known
    }

    fn row(&mut self, name: &str, pairs: &[&str], out: &mut Collector) {
        let mut units = HashSet::new();
        for pair in pairs.chunks(2) {
            let (unit, factor) = match self.directions.get(pair[1]) {
                Some(better) => Unit::directed(pair[1], *better),
                None => Unit::parse_or_other(pair[1]),
            };
            let is_figure = |(figure, rest): &(f64, &str)| {
                rest.is_empty() && (0.0..f64::INFINITY).contains(figure)
            };
            match figure::split(pair[0], false).filter(is_figure) {
                Some((figure, _)) if units.insert(unit.clone()) => {
                    let value = Value::Number(figure * factor);
                    out.add(name, unit, vec![value], Runs::Repeated);
                }
                // A second one of a unit, or a metric of one's own, which may be any number.
                _ => out.note(cite("no figure, and left out:", &pair.join(" "))),
            }
        }
    }
}
