//! The pages over all reports.

use serde::{Deserialize, Serialize};

/// A page over all reports, or the pages of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Overview {
    Capacity,
    Changes,
    Compare,
    Implementations,
    Machines,
    Method,
    Scenarios,
}

impl Overview {
    pub(crate) const ALL: [Self; 7] = [
        Self::Capacity,
        Self::Changes,
        Self::Compare,
        Self::Implementations,
        Self::Machines,
        Self::Method,
        Self::Scenarios,
    ];

    /// Returns its name in `report.toml`, which is also its folder, so that no report may use it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Changes => "changes",
            Self::Compare => "compare",
            Self::Implementations => "implementations",
            Self::Machines => "machines",
            Self::Method => "method",
            Self::Scenarios => "scenarios",
        }
    }
}
