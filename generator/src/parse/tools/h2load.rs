//! `h2load`: the rate of requests to a server, and the times of requests and connections.
//!
//! ```text
//! finished in 1.00s, 1000.00 req/s, 1.20MB/s
//! requests: 1000 total, 1000 started, 1000 done, 1000 succeeded, 0 failed, 0 errored, 0 timeout
//!                      min         max         mean         sd        +/- sd
//! time for request:       10us      2.00ms       500us       100us    80.00%
//! ```
//!
//! Its KB, MB and GB are powers of 1024. The server's address is that of an echoed command.

use super::prelude::*;

static FINISHED: Pattern = Pattern::marked(
    "finished in ",
    r"^finished in (\d[\d.]*)(us|ms|s|m|h), (\d[\d.]*) req/s, (\d[\d.]*)(B|KB|MB|GB)/s$",
);
static REQUESTS: Pattern = Pattern::marked(
    "requests: ",
    r"^requests: \d+ total, \d+ started, (\d+) done, \d+ succeeded, (\d+) failed, (\d+) errored, (\d+) timeout$",
);
static TIME: Pattern = Pattern::marked(
    "time ",
    r"^(time for request|time for connect|time to 1st byte): +\S+ +\S+ +(\d[\d.]*)(us|ms|s) +\S+ +\S+$",
);

#[derive(Default)]
pub(super) struct H2load {
    is_open: bool,
    server: Option<String>,
    /// Seconds, and requests a second.
    finished: Option<(f64, f64)>,
}

impl Tool for H2load {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let name = || match &self.server {
            Some(server) => format!("server {server} by h2load"),
            None => "server by h2load".to_owned(),
        };
        if line.starts_with("h2load ") {
            self.server = address(line);
        } else if line.starts_with("starting benchmark...") {
            self.is_open = true;
        } else if let Some([_, value, unit, rate, bytes, symbol]) = FINISHED.groups(line) {
            self.is_open = true;
            let rate = amount(rate)?;
            self.finished = Some((duration(value, unit)?, rate));
            out.benchmark(&name(), Unit::Rate, rate)?;
            out.benchmark(&name(), Unit::Throughput, binary(bytes, symbol)?)?;
        } else if let Some([_, done, failed, errored, timeout]) =
            REQUESTS.groups(line).filter(|_| self.is_open)
        {
            let done = amount(done)?;
            let failed = amount(failed)? + amount(errored)? + amount(timeout)?;
            if let Some((time, rate)) = self.finished.take()
                && (done - rate * time).abs() > 1.0 + 0.02 * done
            {
                return wrong("not the requests of the rate above:", line);
            }
            if failed > 0.0 {
                for row in out.parsed.observations.iter_mut().rev().take(2) {
                    row.caveat = Some(format!("{failed} requests failed"));
                }
            }
        } else if let Some([_, what, value, unit]) = TIME.groups(line).filter(|_| self.is_open) {
            let name = format!("{}, mean {what}", name());
            out.benchmark(&name, Unit::Time, duration(value, unit)?)?;
        } else if line.starts_with("finished in ") && line.contains("req/s") {
            return damaged("expected `finished in T, R req/s, B/s`, got", line);
        } else if !self.is_open || !starts_with_any(line.trim_start(), &OTHER) {
            return Err(Foreign);
        }
        Ok(())
    }

    fn command(&mut self, command: &str, _: &mut Collector) {
        *self = Self::default();
        if command.contains("h2load") {
            self.server = address(command);
        }
    }
}

/// Lines that say how it went.
const OTHER: [&str; 12] = [
    "spawning thread",
    "TLS Protocol:",
    "Cipher:",
    "Server Temp Key:",
    "Application protocol:",
    "progress:",
    "status codes:",
    "traffic:",
    "min ",
    "req/s ",
    "UDP datagram",
    "time ",
];

fn address(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    words
        .rfind(|word| word.contains("://"))
        .map(|word| word.trim_matches(['\'', '"']).to_owned())
}
