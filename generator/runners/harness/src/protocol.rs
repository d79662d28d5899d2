//! Configures a scenario, and answers commands on standard input.

use crate::clock::Times;
use crate::hello;
use crate::pair::Subject;
use crate::workload::counts::{self, Counter};
use crate::workload::{memory, operation};
use crate::{
    Credentials, Error, Group, MeasureError, Scenario, Tls, TlsVersion, Workload, WriteMethod,
    slices,
};
use std::io::{self, Write};

/// What the program does with its scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    /// Answers `slice`, or `peak`.
    Time,
    /// Answers `count`.
    Count,
    /// Works for callgrind.
    Instructions,
}

/// Serves a scenario until standard input ends.
///
/// # Errors
/// Any failure of the library, or an unknown command. An unsupported scenario is not an error.
pub(crate) fn serve<T: Tls>(
    scenario: &Scenario,
    credentials: &Credentials,
    task: Task,
) -> Result<(), Error> {
    let (subject, facts) = match open::<T>(scenario, credentials) {
        Ok(opened) => opened,
        Err(MeasureError::Failed(error)) => return Err(error),
        Err(MeasureError::Unsupported(reason)) => {
            return say(&format!("unsupported {}", reason.replace('\n', " ")));
        }
    };
    let subject = &subject;
    match task {
        Task::Instructions => counts::instructions(subject),
        Task::Count => converse(&facts, |command, _| {
            (command == "count").then(|| counts::counts(subject))
        }),
        Task::Time if scenario.workload == Workload::Memory => converse(&facts, |command, _| {
            (command == "peak").then(|| Ok(memory::peak(subject)?.to_string()))
        }),
        Task::Time => slices::with(subject, |slice| {
            converse(&facts, |command, count| {
                (command == "slice" && count > 0).then(|| slice(count))
            })
        }),
    }
}

/// Says that the program is ready, and answers commands until `end`, or the end of input. `answer`
/// is given a command and its number, or 0, and returns `None` if there is no such command.
fn converse(
    facts: &str,
    mut answer: impl FnMut(&str, u64) -> Option<Result<String, Error>>,
) -> Result<(), Error> {
    say(&format!("ready{facts}"))?;
    for line in io::stdin().lines() {
        let line = line?;
        if line == "end" {
            break;
        }
        let unknown = || format!("unknown command `{line}`");
        let (command, count) = match line.split_once(' ') {
            Some((command, count)) => (command, count.parse().map_err(|_| unknown())?),
            None => (line.as_str(), 0),
        };
        say(&answer(command, count).ok_or_else(unknown)??)?;
    }
    Ok(())
}

fn say(line: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// Configures the library, and makes a first connection. Returns what it shows, as ` key=value`.
///
/// A memory scenario makes none, because its peak covers all work of the process.
fn open<'a, T: Tls>(
    scenario: &'a Scenario,
    credentials: &Credentials,
) -> Result<(Subject<'a, T>, String), MeasureError> {
    check::<T>(scenario)?;
    let subject = Subject::new(scenario, credentials)?;
    let mut facts = String::new();
    if scenario.workload == Workload::Memory {
        return Ok((subject, facts));
    }
    let negotiated = subject.prime(&mut Times::default())?;
    // A session of TLS 1.2 is resumed without a key exchange.
    let has_exchange =
        scenario.version_or_default() == TlsVersion::V1_3 || scenario.resumption.is_none();
    if let Some(group) = negotiated.group.filter(|_| has_exchange) {
        facts += &format!(" group={}", hello::name(&hello::GROUPS, group));
    }
    if matches!(scenario.workload, Workload::ClientHello | Workload::Write) {
        let mut counter = Counter::default();
        operation(&subject)?(&mut counter)?;
        facts += &format!(" bytes={}", counter.sent_by_client());
    }
    Ok((subject, facts))
}

/// Fails if the scenario is not one to measure, or if the library or the TLS version lacks a
/// feature.
fn check<T: Tls>(scenario: &Scenario) -> Result<(), MeasureError> {
    if let Workload::Other(name) = &scenario.workload {
        return Err(format!("`{name}` is not a workload").into());
    }
    let is_resumption = matches!(
        scenario.workload,
        Workload::ResumedHandshake | Workload::ResumedLatency
    );
    if is_resumption != scenario.resumption.is_some() {
        return Err("resumed handshakes, and only these, need `ticket` or `session id`".into());
    }
    let of_other_tools = scenario.unbuffered || scenario.fragment.is_some();
    if of_other_tools || scenario.side.is_some() || scenario.percentile.is_some() {
        return Err(
            "no label of a program has `unbuffered`, fragments, a side or a percentile".into(),
        );
    }
    let is_hybrid = scenario.group.is_some_and(Group::is_hybrid);
    let lacking = if scenario.method == Some(WriteMethod::Vectored) && !T::HAS_VECTORED_WRITE {
        format!("{} has no vectored write", T::name())
    } else if is_hybrid && scenario.version_or_default() == TlsVersion::V1_2 {
        "TLS 1.2 has no post-quantum key exchange".to_owned()
    } else {
        return Ok(());
    };
    Err(MeasureError::Unsupported(lacking))
}
