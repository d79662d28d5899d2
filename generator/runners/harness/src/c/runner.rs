//! The program of a library in C.

pub use harness::c::main;
