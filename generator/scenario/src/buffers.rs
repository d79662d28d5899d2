//! Buffer sizes of one write: `[100, 50]`, `[50] * 20`.

use std::cmp::Ordering;

/// Sizes of the buffers of one write, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Buffers(Vec<u32>);

/// Limit on the number of buffers, a guard against `[1] * 4000000000`.
const MAX_BUFFERS: usize = 65_536;

impl Buffers {
    /// Sizes in bytes, in order.
    pub fn sizes(&self) -> &[u32] {
        &self.0
    }

    /// Parses `[100, 50]` and `[50] * 20`.
    pub fn from_word(text: &str) -> Option<Self> {
        let (list, times) = match text.rsplit_once('*') {
            Some((list, times)) => (list, times.trim().parse::<usize>().ok()?),
            None => (text, 1),
        };
        let inner = list.trim().strip_prefix('[')?.strip_suffix(']')?;
        let sizes = inner.split(',').map(|size| size.trim().parse().ok());
        let sizes: Vec<u32> = sizes.collect::<Option<_>>()?;
        (times >= 1 && sizes.len().checked_mul(times)? <= MAX_BUFFERS)
            .then(|| Self(sizes.repeat(times)))
    }

    /// The word for these buffers.
    pub fn word(&self) -> String {
        match self.0.as_slice() {
            [first, rest @ ..] if rest.len() >= 3 && rest.iter().all(|s| s == first) => {
                format!("[{first}] * {}", self.0.len())
            }
            sizes => format!("{sizes:?}"),
        }
    }
}

/// Sorts by number of buffers, then by sizes.
impl Ord for Buffers {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Buffers {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
