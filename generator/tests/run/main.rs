//! `generator run` with a toy that measures nothing.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing file fails the test")]

#[path = "../common/mod.rs"]
mod common;

mod bisect;
mod cache;
mod command;
mod endings;
mod hostile;
mod measurements;
mod place;
mod refusals;
mod releases;
mod sources;
