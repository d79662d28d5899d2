//! Observations: one tidy row each, whatever the input format.

use crate::model::distribution::Distribution;
use crate::model::implementation::Implementation;
use crate::model::scenario::Scenario;
use crate::model::unit::Unit;
use std::sync::Arc;

/// One measured figure, or why there is none. A report may have a million, which share the few
/// implementations and scenarios of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Present if the file names it; otherwise folder names and `report.toml` do.
    pub implementation: Option<Arc<Implementation>>,
    /// Which execution of the suite within the file, from 0.
    pub run: u32,
    /// What was measured.
    pub scenario: Arc<Scenario>,
    /// The unit of the figure.
    pub unit: Unit,
    /// The figure.
    pub value: Value,
    /// Line in the file, from 1; 0 if the figure comes from the whole file.
    pub line: u32,
    /// Caveats for readers, such as that a third of it was not resumed.
    pub caveats: Box<[String]>,
}

/// The value of an observation.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// In the base unit of the row's [`Unit`]; positive and finite.
    Number(f64),
    /// The implementation cannot do this, with the tool's reason. Neither an error nor a zero.
    /// Boxed, because every value has the size of the largest variant.
    Unsupported(Box<String>),
    /// All values of one process, such as the latency of each handshake.
    Distribution(Box<Distribution>),
}
