//! `openssl s_time`: new sessions, then resumed ones, or either alone.
//!
//! ```text
//! 1932 connections in 0.58s; 3331.03 connections/user sec, bytes read 0
//! 1932 connections in 3 real seconds, 0 bytes read per connection
//! Now timing with session id reuse.
//! ```
//!
//! Real seconds are whole and count the start, so the figure is that of the client's CPU time. A
//! character for each connection says whether it was resumed (`r`): the tool closes a connection of
//! TLS 1.3 before the server's ticket arrives.

use super::prelude::*;

static LINES: Lines<5> = Lines {
    pattern: Pattern::new(
        r"^(\d+) connections in ([\d.]+)s; ([\d.]+) connections/user sec, bytes read (\d+)$",
    ),
    marks: &["connections/user"],
    expected: "`N connections in Ts; R connections/user sec, bytes read N`",
};

const START: &str = "Collecting connection statistics";

#[derive(Default)]
pub(super) struct STime {
    is_reuse: bool,
    /// Numbers of connections: all, and resumed ones.
    connections: [usize; 2],
}

impl Tool for STime {
    fn line(&mut self, line: &str, out: &mut Collector) -> Taken {
        let is_progress = !line.is_empty() && line.bytes().all(|byte| b"*rt3".contains(&byte));
        if line.starts_with(START) || line.starts_with("Now timing with session id reuse.") {
            self.is_reuse = !line.starts_with(START);
            self.connections = [0; 2];
            if !self.is_reuse {
                out.heading();
            }
            return Ok(());
        } else if is_progress {
            let resumed = memchr::memchr_iter(b'r', line.as_bytes()).count();
            self.connections = [line.len(), resumed];
            return Ok(());
        } else if line.contains(" connections in ") && line.contains(" real seconds") {
            return Ok(());
        }
        let [_, count, time, rate, read] = LINES.find(line)?;
        let (count, time, rate) = (amount(count)?, amount(time)?, number(rate)?);
        // The time has two decimals.
        if count / (time + 0.006) > rate + 0.01 || rate * (time - 0.006) > count {
            return wrong("the connections in the time are not the rate:", line);
        }
        let [all, resumed] = self.connections;
        let workload = match self.is_reuse {
            true => Workload::ResumedHandshake,
            false => Workload::FullHandshake,
        };
        let mut caveat = "per second of the client's user CPU time".to_owned();
        if read != "0" {
            caveat += ", which also reads a page";
        }
        if self.is_reuse && all > 0 && resumed == 0 {
            let message = "no session was resumed, so these are no resumed handshakes:";
            out.note(cite(message, line));
            return Ok(());
        } else if self.is_reuse && resumed < all {
            caveat += &format!("; {} of {all} handshakes were full ones", all - resumed);
        }
        let scenario = Scenario::new(workload).on(Side::Client);
        out.measured(scenario, Unit::HandshakeRate, rate).caveat = Some(caveat);
        Ok(())
    }
}
