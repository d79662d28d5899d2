//! OpenSSL's own perftools: `handshake`, `sslnew`, `rsasign` and their siblings.
//!
//! ```text
//! Average time per handshake: 500.000000us
//! Handshakes per second: 2000.000000
//! Average time per RSA signature operation: 12.345678us
//! ```
//!
//! A handshake is the work of both sides. The last argument of an echoed command is the number of
//! threads.

use super::prelude::*;

static LINES: Lines<4> = Lines {
    pattern: Pattern::new(
        r"^(?:Average time per (\S.*?): (\d+\.\d{6})us|Handshakes per second: (\d+\.\d{6}))$",
    ),
    marks: &["Average time per ", "Handshakes per second: "],
    expected: "`Average time per …: Tus` or `Handshakes per second: R`",
};

static COMMAND: Pattern = Pattern::new(
    r"(?:^|[/ ])(?:handshake|sslnew|writeread|randbytes|rsasign|newrawkey|pkeyread|x509storeissuer|providerdoall|rwlocks|ssl_poll_perf|evp_\w+)(?: -?\S+)* (\d+)$",
);

#[derive(Default)]
pub(super) struct Perftools {
    threads: Option<u32>,
    /// Seconds of a handshake.
    time: Option<f64>,
}

impl Tool for Perftools {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let is_path = line.starts_with(['.', '/']);
        if let Some([_, threads]) = is_path.then(|| COMMAND.groups(line)).flatten() {
            self.threads = positive(threads);
            return Ok(());
        }
        let [_, what, micros, rate] = LINES.find(line)?;
        let handshakes = Scenario {
            threads: self.threads,
            ..Scenario::new(Workload::FullHandshake)
        };
        match what {
            "" => {
                let rate = number(rate)?;
                // As many threads as are at work at the same time.
                if self.time.take().is_some_and(|time| time * rate < 0.99) {
                    return wrong("not the rate of the time above:", line);
                }
                out.measured(handshakes, Unit::HandshakeRate, rate);
            }
            "handshake" => {
                let time = amount(micros)? * 1e-6;
                self.time = Some(time);
                if time > 0.0 {
                    out.measured(handshakes, Unit::Time, time);
                }
            }
            what => {
                let threads = self.threads.filter(|threads| *threads > 1);
                let name = name::with_details(what, threads.map(|n| format!("{n} threads")));
                out.benchmark(&name, Unit::Time, amount(micros)? * 1e-6)?;
            }
        }
        Ok(())
    }

    fn command(&mut self, command: &str, _: &mut Collector) {
        self.threads = COMMAND
            .groups(command)
            .and_then(|[_, threads]| positive(threads));
    }
}
