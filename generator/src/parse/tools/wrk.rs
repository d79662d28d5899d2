//! `wrk` and `wrk2`: the rate of requests to a server, and its latency.
//!
//! ```text
//! Running 10s test @ https://127.0.0.1:8443/
//!   2 threads and 10 connections
//!   Thread Stats   Avg      Stdev     Max   +/- Stdev
//!     Latency   635.91us    0.89ms  12.92ms   93.69%
//!   Latency Distribution
//!      50%  250.00us
//!   22464657 requests in 30.00s, 17.76GB read
//!   Socket errors: connect 0, read 0, write 0, timeout 12
//! Requests/sec: 748868.53
//! Transfer/sec:    606.33MB
//! ```
//!
//! Its kB, MB and GB are powers of 1024.

use super::prelude::*;

static START: Pattern = Pattern::new(r"^Running (\S+) test @ (\S+)$");
static THREADS: Pattern = Pattern::new(r"^  (\d+ threads?) and (\d+ connections?)$");
static LATENCY: Pattern = Pattern::new(r"^    Latency +(\d[\d.]*)(us|ms|s|m|h) +\S+ +\S+ +\S+$");
static PERCENTILE: Pattern = Pattern::new(r"^ +(\d+(?:\.\d+)?)% +(\d[\d.]*)(us|ms|s|m|h)$");
static REQUESTS: Pattern = Pattern::new(r"^  (\d+) requests in (\d[\d.]*)(us|ms|s|m|h), \S+ read$");
static RATE: Pattern = Pattern::new(r"^Requests/sec: +(\d[\d.]*)$");
static TRANSFER: Pattern = Pattern::new(r"^Transfer/sec: +(\d[\d.]*)(B|KB|MB|GB|TB)$");

#[derive(Default)]
pub(super) struct Wrk {
    /// Of the server, while its test is read.
    name: Option<String>,
    details: Vec<String>,
    rate: Option<f64>,
    caveat: Option<String>,
    is_spectrum: bool,
}

impl Tool for Wrk {
    fn line(&mut self, line: &str, out: &mut Collector) -> Result<Taken, String> {
        if let Some([_, _, server]) = line
            .starts_with("Running ")
            .then(|| START.groups(line))
            .flatten()
        {
            *self = Self {
                name: Some(format!("server {server}")),
                ..Self::default()
            };
            return Ok(Taken::Yes);
        }
        let Some(server) = self.name.clone() else {
            return Ok(match line.starts_with("Requests/sec:") {
                true => Taken::Damaged(cite("no `Running … test @ URL` above", line)),
                false => Taken::No,
            });
        };
        let name = |what: &str| {
            let name = name::with_details(&server, &self.details);
            if what.is_empty() {
                name
            } else {
                format!("{name}, {what}")
            }
        };
        if let Some([_, threads, connections]) = THREADS.groups(line) {
            self.details = vec![threads.to_owned(), connections.to_owned()];
        } else if let Some([_, value, unit]) = LATENCY.groups(line) {
            out.benchmark(&name("mean latency"), Unit::Time, time(value, unit)?)?;
        } else if let Some([_, percent, value, unit]) =
            PERCENTILE.groups(line).filter(|_| !self.is_spectrum)
        {
            let percent = match percent.contains('.') {
                true => percent.trim_end_matches('0').trim_end_matches('.'),
                false => percent,
            };
            out.benchmark(
                &name(&format!("P{percent} latency")),
                Unit::Time,
                time(value, unit)?,
            )?;
        } else if let Some([_, count, value, unit]) = REQUESTS.groups(line) {
            self.rate = Some(amount(count)? / time(value, unit)?);
        } else if let Some([_, rate]) = RATE.groups(line) {
            let printed = amount(rate)?;
            let is_close = |rate: f64| (printed - rate).abs() <= 0.02 * rate + 0.01;
            if !self.rate.is_none_or(is_close) {
                return Err(cite("not the rate of the requests above:", line));
            }
            out.benchmark(&name(""), Unit::Rate, printed)?;
            if let (Some(row), Some(caveat)) =
                (out.parsed.observations.last_mut(), self.caveat.take())
            {
                row.caveat = Some(caveat);
            }
        } else if let Some([_, value, unit]) = TRANSFER.groups(line) {
            let factor = ["B", "KB", "MB", "GB", "TB"]
                .iter()
                .position(|known| *known == unit);
            let factor = 1024_f64.powi(factor.unwrap_or(0) as i32);
            out.benchmark(&name(""), Unit::Throughput, amount(value)? * factor)?;
            self.name = None;
        } else if line.starts_with("  Socket errors:") || line.starts_with("  Non-2xx") {
            let caveat = line.trim().to_owned();
            self.caveat = Some(
                self.caveat
                    .take()
                    .map_or(caveat.clone(), |above| format!("{above}; {caveat}")),
            );
        } else if line.starts_with("Requests/sec:")
            || line.starts_with("Transfer/sec:")
            || line.contains(" requests in ")
        {
            return Err(cite("a damaged line of wrk:", line));
        } else {
            // The spectrum of wrk2 repeats the percentiles.
            self.is_spectrum |= line.contains("Detailed Percentile spectrum");
        }
        Ok(Taken::Yes)
    }

    fn command(&mut self, _: &str, _: &mut Collector) {
        self.name = None;
    }

    fn end(&mut self, out: &mut Collector) {
        if self.name.is_some() && out.problems.is_empty() {
            out.line = 0;
            out.problem("the output of wrk ends before its last line");
        }
    }
}

fn time(value: &str, unit: &str) -> Result<f64, String> {
    let factor = match unit {
        "m" => 60.0,
        "h" => 3600.0,
        unit => seconds(unit)?,
    };
    Ok(amount(value)? * factor)
}
