//! Sentences: answers, findings, rankings and summaries, made of tested verdicts.

pub(in crate::site) mod answer;
pub(in crate::site) mod finding;
pub(in crate::site) mod ranking;
pub(in crate::site) mod sections;
pub(in crate::site) mod trust;
