//! Errors of the program: their messages and exit codes.

use crate::base::escape::plain;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Something wrong in an input file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The file as the user named it.
    pub path: PathBuf,
    /// Line from 1; 0 for the whole file.
    pub line: u32,
    /// What is wrong, with the offending text, escaped for terminals.
    pub message: String,
    /// Whether the file is in no known format.
    pub is_unknown: bool,
}

/// Why a command failed. Each kind has its own exit code.
#[derive(Debug)]
pub enum Failure {
    /// `--check` found a difference, or `compare` a regression: 1.
    Difference(String),
    /// The command line is wrong: 2.
    Usage(String),
    /// Input is malformed; holds all problems: 3.
    BadInput(Vec<Diagnostic>),
    /// The system or a child process failed: 4.
    Io(anyhow::Error),
    /// Ctrl-C or SIGTERM: 128 plus the signal's number, as in shells.
    Interrupted {
        /// 2 or 15.
        signal: u8,
        /// What was done, and how to continue.
        message: String,
    },
}

/// The result of a command.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Returns the exit code, as documented in the help text.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Difference(_) => 1,
            Self::Usage(_) => 2,
            Self::BadInput(_) => 3,
            Self::Io(_) => 4,
            Self::Interrupted { signal, .. } => 128 + signal,
        }
    }

    /// Adds to the message of an interruption.
    pub(crate) fn interrupted(mut self, more: &str) -> Self {
        if let Self::Interrupted { message, .. } = &mut self {
            message.push_str(more);
        }
        self
    }

    /// Returns a failure with one problem; line 0 is the whole file or folder.
    pub fn at(path: impl Into<PathBuf>, line: u32, message: impl Into<String>) -> Self {
        Self::BadInput(vec![Diagnostic::at(path, line, message)])
    }
}

impl Diagnostic {
    /// Escapes the message for terminals.
    pub fn at(path: impl Into<PathBuf>, line: u32, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line,
            message: plain(&message.into()).into_owned(),
            is_unknown: false,
        }
    }
}

/// Fails if there is any problem, with all of them sorted by file and line.
pub fn if_any(mut problems: Vec<Diagnostic>) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    problems.sort();
    Err(Failure::BadInput(problems))
}

/// The kind of the error of the system behind another.
pub(crate) fn io_kind(error: &anyhow::Error) -> Option<io::ErrorKind> {
    Some(error.root_cause().downcast_ref::<io::Error>()?.kind())
}

/// Returns all values, or the problems of all inputs. Any other failure is returned at once.
pub fn all<T>(outcomes: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (values, problems) = split(outcomes)?;
    if_any(problems).map(|()| values)
}

/// Returns all values and the problems of all inputs. Any other failure is returned at once.
pub(crate) fn split<T>(
    outcomes: impl IntoIterator<Item = Result<T>>,
) -> Result<(Vec<T>, Vec<Diagnostic>)> {
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(value) => values.push(value),
            Err(Failure::BadInput(found)) => problems.extend(found),
            Err(failure) => return Err(failure),
        }
    }
    Ok((values, problems))
}

impl From<Diagnostic> for Failure {
    fn from(problem: Diagnostic) -> Self {
        Self::BadInput(vec![problem])
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string_lossy();
        let (path, message) = (plain(&path), &self.message);
        match self.line {
            0 => write!(f, "{path}: {message}"),
            line => write!(f, "{path}:{line}: {message}"),
        }
    }
}

/// Maximum number of problems shown: a malformed file may have one in each of a million lines.
const MAX_SHOWN: usize = 100;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Difference(message)
            | Self::Usage(message)
            | Self::Interrupted { message, .. } => f.write_str(message),
            Self::Io(error) => write!(f, "{error:#}"),
            Self::BadInput(problems) => {
                let shown = problems.iter().take(MAX_SHOWN).map(Diagnostic::to_string);
                let mut shown: Vec<String> = shown.collect();
                if problems.len() > MAX_SHOWN {
                    shown.push("and more problems".to_owned());
                }
                f.write_str(&shown.join("\n"))
            }
        }
    }
}
