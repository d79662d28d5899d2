//! A measuring program that serves one scenario: commands on its standard input, an answer of one
//! line each.

use crate::measure::process::{Process, Stop, success};
use crate::measure::system;
use crate::measure::turns::turn::{Runner, Slice};
use crate::model::distribution::Distribution;
use crate::model::scenario::Scenario;
use std::time::{Duration, Instant};

/// A process that serves a scenario.
#[derive(Debug)]
pub(crate) struct ScenarioProcess {
    process: Process,
    scenario: Scenario,
    facts: Facts,
}

/// What a program says of a scenario before it measures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The negotiated key exchange, in lower case, if the library tells.
    pub(crate) group: Option<String>,
    /// Bytes on the wire of one operation.
    pub(crate) bytes: Option<u64>,
}

impl Facts {
    /// Parses `unsupported REASON` or `ready group=x25519 bytes=517`.
    pub(crate) fn parse(line: &str) -> Result<Self, Stop> {
        let wrong = || format!("it answered `{line}` instead of `ready` or `unsupported`");
        if let Some(reason) = line.strip_prefix("unsupported ") {
            return Err(Stop::Unsupported(reason.trim().to_owned()));
        }
        let words = line.strip_prefix("ready").ok_or_else(wrong)?;
        let mut facts = Self::default();
        for word in words.split_whitespace() {
            match word.split_once('=').ok_or_else(wrong)? {
                ("group", group) => facts.group = Some(group.to_ascii_lowercase()),
                ("bytes", bytes) => facts.bytes = Some(bytes.parse().map_err(|_| wrong())?),
                _ => {}
            }
        }
        Ok(facts)
    }
}

impl ScenarioProcess {
    /// Waits until a process that was started for a scenario is ready.
    pub(crate) fn ready(mut process: Process, scenario: &Scenario) -> Result<Self, Stop> {
        let facts = Facts::parse(&process.line()?)?;
        Ok(Self {
            process,
            scenario: scenario.clone(),
            facts,
        })
    }

    /// Sends a command, and returns the answer.
    pub(crate) fn ask(&mut self, command: &str) -> Result<String, Stop> {
        self.process.ask(command)
    }

    /// Ends it. Fails unless it exits with success.
    pub(crate) fn end(mut self) -> Result<Facts, Stop> {
        success(self.process.ended()?)?;
        Ok(self.facts)
    }
}

impl Runner for ScenarioProcess {
    fn move_to(&mut self, processors: &[usize]) -> Result<(), Stop> {
        Ok(system::move_to(self.process.id(), processors)?)
    }

    fn slice(
        &mut self,
        operations: u64,
        singles: &mut [Distribution; 2],
    ) -> Result<(Slice, Duration), Stop> {
        let start = Instant::now();
        let answer = self.ask(&format!("slice {operations}"))?;
        let elapsed = start.elapsed();
        let slice = parse_slice(&answer, &self.scenario, operations, singles)?;
        // The time limit also counts what a program only says that it took.
        Ok((slice, elapsed.max(Duration::from_nanos(slice.wall))))
    }
}

/// Parses `FIRST SECOND WALL CPU PROBE`, followed by single times where the scenario is about them. A
/// program without probes leaves PROBE out.
fn parse_slice(
    answer: &str,
    scenario: &Scenario,
    operations: u64,
    singles: &mut [Distribution; 2],
) -> Result<Slice, String> {
    let wrong = || {
        let start: String = answer.chars().take(80).collect();
        format!("its answer to a slice of {operations} is `{start}`")
    };
    let numbers: Result<Vec<u64>, _> = answer.split_whitespace().map(str::parse).collect();
    let mut numbers = numbers.map_err(|_| wrong())?;
    let sides = scenario.workload.sides().len().max(1);
    let threads = u64::from(scenario.threads.unwrap_or(1));
    let has_times = u64::from(scenario.workload.has_single_times());
    let count = (operations * threads * has_times) as usize;
    let sums = numbers.len().checked_sub(sides * count).ok_or_else(wrong)?;
    let times = numbers.split_off(sums);
    // A program without probes.
    numbers.extend((sums == 4).then_some(0));
    let [first, second, wall, cpu, probe] = numbers[..] else {
        return Err(wrong());
    };
    if first == 0 || (second > 0) != (sides == 2) || wall == 0 {
        return Err(wrong());
    }
    for (side, times) in times.chunks(count.max(1)).enumerate() {
        times.iter().for_each(|time| singles[side].record(*time));
    }
    Ok(Slice {
        operations,
        sides: [first, second],
        wall,
        cpu: cpu / threads,
        probe,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slice of two operations, and the number and the maximum of single times of each side.
    fn slice(label: &str, answer: &str) -> Result<(Slice, [[u64; 2]; 2]), String> {
        let scenario = Scenario::from_label(label).expect("a label");
        let mut singles = Default::default();
        let slice = parse_slice(answer, &scenario, 2, &mut singles)?;
        Ok((
            slice,
            singles.map(|times| [times.count(), times.max_nanos()]),
        ))
    }

    #[test]
    fn answers() {
        let (full, none) = slice("full handshakes, 1.3, rsa", "10 20 31 30").expect("a slice");
        assert_eq!((full.sides, full.wall, full.cpu), ([10, 20], 31, 30));
        assert_eq!(none, [[0, 0]; 2]);
        let latency = "latency of full handshakes, 1.3, rsa";
        let (two, singles) = slice(latency, "11 23 35 34 2000 5 6 11 12").expect("a slice");
        assert_eq!((two.operations, two.cpu, two.probe), (2, 34, 2000));
        assert_eq!(singles, [[2, 6], [2, 12]]);
        let threads = slice(
            &format!("{latency}, 2 threads"),
            "1 1 1 4 1 2 3 4 5 6 7 8 9",
        );
        let (threads, singles) = threads.expect("a slice");
        assert_eq!((threads.cpu, singles), (2, [[4, 5], [4, 9]]));
        let one = slice("writes, [50], write each", "10 0 12 12 5 6").expect("a slice");
        assert_eq!(one.1, [[2, 6], [0, 0]]);
        assert!(slice("client hello, x25519", "10 0 10 10").is_ok());
        for (label, answer) in [
            ("full handshakes, 1.3, rsa", "10 0 31 30"),
            ("full handshakes, 1.3, rsa", "10 20 31"),
            ("client hello, x25519", "10 20 31 30"),
            ("writes, [50], write each", "10 0 31 30 7"),
            ("writes, [50], write each", "7"),
        ] {
            let error = slice(label, answer).expect_err(answer);
            assert_eq!(error, format!("its answer to a slice of 2 is `{answer}`"));
        }
    }

    #[test]
    fn facts_of_a_first_line() {
        let facts = Facts::parse("ready group=X25519 bytes=517 more=0").expect("facts");
        assert_eq!(facts.group.as_deref(), Some("x25519"));
        assert_eq!(facts.bytes, Some(517));
        assert_eq!(Facts::parse("ready").expect("facts"), Facts::default());
        match Facts::parse("unsupported no ML-DSA keys: x") {
            Err(Stop::Unsupported(why)) => assert_eq!(why, "no ML-DSA keys: x"),
            other => panic!("{other:?}"),
        }
        for wrong in [
            "",
            "run,implementation",
            "unsupported",
            "ready bytes=many",
            "ready set",
        ] {
            let found = Facts::parse(wrong);
            assert!(matches!(found, Err(Stop::Failed(_))), "{wrong}: {found:?}");
        }
    }
}
