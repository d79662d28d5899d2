//! Threads, each on a processor of its own.
#![allow(unsafe_code, reason = "the standard library binds no threads")]

use std::ffi::c_int;
use std::io;

/// As many processors as glibc's `cpu_set_t` has.
const MAX: usize = 1024;

type Set = [u64; MAX / 64];

unsafe extern "C" {
    fn sched_getaffinity(thread: c_int, size: usize, set: *mut Set) -> c_int;
    fn sched_setaffinity(thread: c_int, size: usize, set: *const Set) -> c_int;
}

/// Binds this thread to one of the processors that it may use, the first being 0.
pub(crate) fn bind(index: usize) -> io::Result<()> {
    let mut allowed: Set = [0; MAX / 64];
    // SAFETY: the set has this size, and 0 is this thread.
    let done = unsafe { sched_getaffinity(0, size_of::<Set>(), &raw mut allowed) };
    check(done)?;
    let is_allowed = |cpu: &usize| allowed[cpu / 64] >> (cpu % 64) & 1 == 1;
    let cpu = (0..MAX).filter(is_allowed).nth(index);
    let cpu = cpu.ok_or_else(|| io::Error::other("fewer processors than threads"))?;
    let mut one: Set = [0; MAX / 64];
    one[cpu / 64] = 1 << (cpu % 64);
    // SAFETY: as above.
    check(unsafe { sched_setaffinity(0, size_of::<Set>(), &raw const one) })
}

fn check(done: c_int) -> io::Result<()> {
    // The first of them gives the size of what it wrote.
    match done {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
