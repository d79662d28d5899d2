//! The program; see the library.

#[cfg(target_os = "linux")]
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Pages are many small strings, made on all processors. With the C library's allocator, `ingest`
/// takes a quarter longer.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    generator::main()
}
