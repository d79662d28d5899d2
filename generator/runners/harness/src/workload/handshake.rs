//! Handshakes, full and resumed.

use crate::clock::Meter;
use crate::pair::{Link, Pair, Wanted};
use crate::{Error, Scenario, Tls};

pub(crate) struct Handshakes<'a, T> {
    tls: &'a T,
    wanted: Wanted,
    is_resuming: bool,
    /// TLS 1.3 tickets are used once: threads that share a session cache may find it empty, and
    /// refill it by a full handshake, which is not counted.
    may_be_full: bool,
    link: Link,
}

impl<'a, T: Tls> Handshakes<'a, T> {
    pub(super) fn new(tls: &'a T, scenario: &Scenario) -> Self {
        Self {
            tls,
            wanted: Wanted::new(scenario),
            is_resuming: scenario.resumption.is_some(),
            may_be_full: scenario.threads > Some(1),
            link: Link::default(),
        }
    }

    /// Makes a handshake, and verifies it after the timed part. Returns whether it counts.
    pub(super) fn once(&mut self, meter: &mut impl Meter) -> Result<bool, Error> {
        let pair = Pair::connected(self.tls, &mut self.link, meter)?;
        self.wanted.verify(&pair)?;
        match (self.is_resuming, pair.was_resumed()?) {
            (false, true) => Err("a handshake was resumed instead of full".into()),
            (true, false) if !self.may_be_full => Err("a handshake was not resumed".into()),
            (wanted, resumed) => Ok(wanted == resumed),
        }
    }
}
