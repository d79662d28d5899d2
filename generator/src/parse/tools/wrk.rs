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

static START: Pattern = Pattern::marked("Running ", r"^Running (\S+) test @ (\S+)$");
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
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        if let Some([_, _, server]) = START.groups(line) {
            *self = Self {
                name: Some(format!("server {server}")),
                ..Self::default()
            };
            return Ok(());
        }
        let Some(server) = self.name.clone() else {
            return Err(match line.starts_with("Requests/sec:") {
                true => Damaged(cite("no `Running … test @ URL` above", line)),
                false => Foreign,
            });
        };
        let name = |what: &str| {
            let name = name::with_details(&server, self.details.clone());
            match what {
                "" => name,
                what => format!("{name}, {what}"),
            }
        };
        if let Some([_, threads, connections]) = THREADS.groups(line) {
            self.details = vec![threads.to_owned(), connections.to_owned()];
        } else if let Some([_, value, unit]) = LATENCY.groups(line) {
            out.benchmark(&name("mean latency"), Unit::Time, duration(value, unit)?)?;
        } else if let Some([_, percent, value, unit]) =
            PERCENTILE.groups(line).filter(|_| !self.is_spectrum)
        {
            let percent = match percent.contains('.') {
                true => percent.trim_end_matches('0').trim_end_matches('.'),
                false => percent,
            };
            let name = name(&format!("P{percent} latency"));
            out.benchmark(&name, Unit::Time, duration(value, unit)?)?;
        } else if let Some([_, count, value, unit]) = REQUESTS.groups(line) {
            self.rate = Some(amount(count)? / duration(value, unit)?);
        } else if let Some([_, rate]) = RATE.groups(line) {
            let printed = amount(rate)?;
            let is_close = |rate: f64| (printed - rate).abs() <= 0.02 * rate + 0.01;
            if !self.rate.is_none_or(is_close) {
                return wrong("not the rate of the requests above:", line);
            }
            out.benchmark(&name(""), Unit::Rate, printed)?;
            if let Some(row) = out.parsed.observations.last_mut() {
                row.caveat = self.caveat.take();
            }
        } else if let Some([_, value, unit]) = TRANSFER.groups(line) {
            out.benchmark(&name(""), Unit::Throughput, binary(value, unit)?)?;
            self.name = None;
        } else if line.starts_with("  Socket errors:") || line.starts_with("  Non-2xx") {
            let above = self.caveat.take().into_iter();
            let all: Vec<String> = above.chain([line.trim().to_owned()]).collect();
            self.caveat = Some(all.join("; "));
        } else if line.starts_with("Requests/sec:")
            || line.starts_with("Transfer/sec:")
            || line.contains(" requests in ")
        {
            return wrong("a damaged line of wrk:", line);
        } else {
            // The spectrum of wrk2 repeats the percentiles.
            self.is_spectrum |= line.contains("Detailed Percentile spectrum");
        }
        Ok(())
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
