//! Tests of the whole program, as its users run it: in one binary, since linking several would take
//! longer than most of their tests.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a missing file fails the test")]

#[path = "../common/mod.rs"]
mod common;

#[path = "../charts/mod.rs"]
mod charts;
mod documents;
mod published;
mod rooms;
