//! The workloads, one per module. Each does one operation at a time, measured by a [`Meter`].

pub(crate) mod counts;
mod handshake;
mod hello;
pub(crate) mod memory;
mod transfer;
mod writes;

use crate::clock::{CLIENT, Meter, SERVER};
use crate::{Error, Scenario, Tls, Workload};
use handshake::Handshakes;
use hello::Hellos;
use transfer::Transfer;
use writes::Messages;

/// The state of a workload between operations.
pub(crate) enum Work<'a, T: Tls> {
    Transfer(Transfer<T::Endpoint>),
    Handshakes(Handshakes<'a, T>),
    Messages(Messages<T::Endpoint>),
    Hellos(Hellos<'a, T>),
}

impl<'a, T: Tls> Work<'a, T> {
    pub(crate) fn new(tls: &'a T, scenario: &Scenario) -> Result<Self, Error> {
        use Workload::*;
        Ok(match scenario.workload {
            Transfer => Self::Transfer(transfer::Transfer::new(tls, scenario)?),
            FullHandshake | ResumedHandshake | FullLatency | ResumedLatency => {
                Self::Handshakes(Handshakes::new(tls, scenario))
            }
            Write => Self::Messages(Messages::new(tls, scenario)?),
            ClientHello => Self::Hellos(Hellos::new(tls)),
            Memory | Footprint | Build | BuildCpu | Other(_) => {
                return Err(format!("`{}` has no operations", scenario.workload.word()).into());
            }
        })
    }

    /// Does one operation. Returns whether it counts.
    pub(crate) fn once(&mut self, meter: &mut impl Meter) -> Result<bool, Error> {
        match self {
            Self::Transfer(transfer) => transfer.once(meter)?,
            Self::Handshakes(handshakes) => return handshakes.once(meter),
            Self::Messages(messages) => messages.once(meter)?,
            Self::Hellos(hellos) => hellos.once(meter)?,
        }
        Ok(true)
    }

    /// Number of operations that bring caches back before those that are measured.
    pub(crate) fn lead_in(&self) -> u64 {
        match self {
            Self::Handshakes(_) => 1,
            _ => 2,
        }
    }
}

/// The ends that a workload measures, in the order of its answers, and their names.
pub(crate) fn sides(workload: &Workload) -> &'static [(usize, &'static str)] {
    match workload {
        Workload::Transfer => &[(SERVER, "sending"), (CLIENT, "receiving")],
        Workload::ClientHello | Workload::Write => &[(CLIENT, "-")],
        _ => &[(CLIENT, "client"), (SERVER, "server")],
    }
}
