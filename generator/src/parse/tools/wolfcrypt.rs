//! wolfCrypt's `benchmark`:
//!
//! ```text
//!  wolfSSL version 5.5.4
//! AES-128-GCM-enc            1010 MiB took 1.001 seconds, 1009.102 MiB/s Cycles per byte =   2.45
//! RSA     2048   private       700 ops took 1.072 sec, avg 1.532 ms, 652.820 ops/sec
//! SHA3-256    SW  201.000 MB/s                         the sum over all threads, below those of each
//! Algorithm,MB/s,Cycles per byte,                      with `-csv`, where "MB" are MiB
//! ```
//!
//! `MB` of versions before 5.5 is MiB; later ones print `MiB`, or `MB` with `-base10`.

use super::prelude::*;

static LINES: Lines<7> = Lines {
    pattern: Pattern::new(
        r"^(\S.*?) +([\d.]+) ([A-Za-z]+) took ([\d.]+) (?:sec|seconds),(?: avg [\d.]+ ms,)? +([\d.]+) ([A-Za-z]+/s(?:ec)?)(?:,? .*|,)?$",
    ),
    marks: &[" took "],
    expected: "`NAME N MiB took T seconds, R MiB/s` or `NAME N ops took T sec, avg A ms, R ops/sec`",
};

/// The sum over threads.
static SUM: Pattern = Pattern::new(r"^(\S.*?) +([\d.]+) ([A-Za-z]+/s(?:ec)?)$");

#[derive(Default)]
pub(super) struct Wolfcrypt {
    is_open: bool,
    /// Since 5.5, MB are decimal.
    is_new: bool,
    threads: u32,
    /// The columns of `-csv`.
    columns: Vec<String>,
    has_version: bool,
}

impl Tool for Wolfcrypt {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let is_heading = line.starts_with("wolfCrypt Benchmark");
        if let Some(version) = line.trim().strip_prefix("wolfSSL version ") {
            let version = version.split_whitespace().next().unwrap_or_default();
            let wolfssl = Implementation::new("wolfSSL", version, &[]);
            self.is_new = wolfssl.version.numbers() >= vec![5, 5];
            out.of(wolfssl);
            self.has_version = true;
        } else if let Some(threads) = line.strip_prefix("CPUs: ") {
            self.threads = integer(threads.trim()).unwrap_or(0);
        }
        if is_heading || line.trim().starts_with("wolfSSL version ") {
            out.heading();
            self.is_open = true;
            self.columns.clear();
            return Ok(());
        }
        if line.starts_with("Algorithm,") {
            self.columns = line
                .trim_end_matches(',')
                .split(',')
                .map(str::to_owned)
                .collect();
            return Ok(());
        } else if !self.columns.is_empty() && line.contains(',') && !line.contains(" took ") {
            return Ok(self.csv(line, out)?);
        }
        if !self.is_open && !line.contains(" sec") {
            return Err(Foreign);
        }
        let may_be = self.is_open && self.threads > 1 && !line.contains(" took ");
        let sum = may_be.then(|| SUM.groups(line)).flatten();
        let (name, value, symbol) = match (sum, LINES.find(line)) {
            (Some([_, name, value, symbol]), _) => {
                let words: Vec<&str> = name.split_whitespace().collect();
                let name = format!("{} ({} threads)", words.join(" "), self.threads);
                (name, value, if symbol == "MB/s" { "MiB/s" } else { symbol })
            }
            // Of one of several threads.
            (None, Ok(_)) if self.threads > 1 => return Ok(()),
            (None, Ok([_, name, count, of, time, value, symbol])) => {
                check(
                    line,
                    [count, time, value],
                    of == symbol.split('/').next().unwrap_or(of),
                )?;
                let words: Vec<&str> = name.split_whitespace().collect();
                (words.join(" ").replace("[ ", "["), value, symbol)
            }
            (None, Err(Damaged(_))) if !line.contains(" sec") => return Err(Foreign),
            (None, Err(taken)) => return Err(taken),
        };
        self.is_open = true;
        Ok(self.add(&name, value, symbol, out)?)
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        (self.is_open, self.threads) = (false, 0);
        self.columns.clear();
    }
}

impl Wolfcrypt {
    fn add(
        &mut self,
        name: &str,
        value: &str,
        symbol: &str,
        out: &mut Collector,
    ) -> Result<(), String> {
        let symbol = match symbol {
            "MB/s" if !self.is_new => "MiB/s",
            "KB/s" if !self.is_new => "KiB/s",
            // `-base10` of old versions.
            "mB/s" => "MB/s",
            other => other,
        };
        let (unit, base) = figure(value, symbol)?;
        if !self.has_version {
            out.of(Implementation::new("wolfSSL", "", &[]));
        }
        out.benchmark(name, unit, base)
    }

    /// `SHA-256,1009.102,2.45,` or `RSA,2048,public,0.025,40000.123,`
    fn csv(&mut self, line: &str, out: &mut Collector) -> Result<(), String> {
        let cells: Vec<&str> = line.trim_end_matches(',').split(',').collect();
        if cells.len() != self.columns.len() || !line.trim_end().ends_with(',') {
            let heading = self.columns.join(",");
            return Err(cite(&format!("not as many cells as in `{heading}`:"), line));
        }
        let is_rate = |column: &String| column.ends_with("/s") || column.ends_with("/sec");
        let rate = self
            .columns
            .iter()
            .position(is_rate)
            .ok_or("no column of a rate")?;
        let names = self.columns.iter().zip(&cells);
        let names = names.filter(|(column, _)| {
            ["Algorithm", "key size", "operation", "HW/SW"].contains(&column.as_str())
        });
        let names: Vec<&str> = names
            .map(|(_, cell)| *cell)
            .filter(|cell| !cell.is_empty())
            .collect();
        // Whatever the version and `-base10`, the heading says MB.
        let symbol = match self.columns[rate].as_str() {
            "MB/s" => "MiB/s".to_owned(),
            other => other.to_owned(),
        };
        self.add(&names.join(" "), cells[rate], &symbol, out)
    }
}

/// Checks an amount in a time against a rate in the same unit: all are rounded.
fn check(line: &str, figures: [&str; 3], same_unit: bool) -> Result<(), String> {
    let [count, time, rate] = [
        amount(figures[0])?,
        amount(figures[1])?,
        amount(figures[2])?,
    ];
    // Of old versions without decimals.
    let is_close = (count - rate * time).abs() <= 1.0 + 0.01 * count + 0.0006 * rate;
    match is_close || !same_unit || time == 0.0 {
        true => Ok(()),
        false => Err(cite("the amount in the time is not the rate:", line)),
    }
}
