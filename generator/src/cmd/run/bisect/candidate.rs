//! The steps that a search goes through.

use crate::failure::{Failure, Result};
use crate::run::catalog::Catalog;
use crate::run::checkout::SourceTree;
use crate::run::program::Program;
use crate::run::spec::{Spec, Which};
use crate::run::target::Target;

/// A release or a commit.
pub(super) struct Candidate {
    /// `rustls 0.23.15, ring, jemalloc (2024-10-16)`, `6868ee8 Resume with a ticket`.
    pub(super) title: String,
    /// Present for a commit, which is looked up only when it is measured.
    pub(super) spec: Option<Spec>,
    pub(super) target: Option<Target>,
    pub(super) program: Option<Program>,
}

/// Returns the steps of a range, with its ends first and last.
pub(super) fn candidates(text: &str, catalog: &mut Catalog) -> Result<Vec<Candidate>> {
    let spec = Spec::parse(text)?;
    let all: Vec<Candidate> = match &spec.which {
        Which::Sources(SourceTree::Git {
            repository,
            revision,
        }) => {
            let (from, to) = revision.split_once("..").ok_or_else(|| not_a_range(text))?;
            let to = if to.is_empty() { "HEAD" } else { to };
            let commits = catalog.checkouts().mirror(repository).commits(from, to)?;
            let candidate = |(commit, title): (String, String)| {
                let source = SourceTree::Git {
                    repository: repository.clone(),
                    revision: commit,
                };
                let spec = Spec {
                    which: Which::Sources(source),
                    ..spec.clone()
                };
                Candidate {
                    title,
                    spec: Some(spec),
                    target: None,
                    program: None,
                }
            };
            commits.into_iter().map(candidate).collect()
        }
        Which::Between(_) => {
            let candidate = |target: Target| Candidate {
                title: target
                    .released
                    .map_or(target.name(), |day| format!("{} ({day})", target.name())),
                spec: None,
                target: Some(target),
                program: None,
            };
            let found = catalog.find(&spec, None)?;
            found.into_iter().map(candidate).collect()
        }
        _ => return Err(not_a_range(text)),
    };
    match all.len() {
        0 | 1 => Err(not_a_range(text)),
        _ => Ok(all),
    }
}

fn not_a_range(text: &str) -> Failure {
    Failure::Usage(format!(
        "`{text}` is not a range of two or more steps: give one such as rustls@0.23.15..0.23.31, or rustls@git:REPOSITORY#A..B"
    ))
}
