//! Sentences: answers, findings and summaries, made of tested verdicts.

pub(in crate::site) mod answer;
pub(in crate::site) mod finding;
pub(in crate::site) mod trust;
