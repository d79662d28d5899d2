//! The program of a library in C.

fn main() -> std::process::ExitCode {
    harness::c::main()
}
