//! The program from outside, as its users call it: one binary, since linking each of several takes
//! longer than most of their tests.

#![allow(clippy::disallowed_methods, reason = "what is not there fails a test")]

#[path = "../common/mod.rs"]
mod common;

mod cards;
mod compare;
mod compare_page;
mod export;
mod init;
mod limits;
mod machines;
mod malformed;
mod published;
mod verify;
