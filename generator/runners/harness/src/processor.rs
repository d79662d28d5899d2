//! Binds threads to processors.
#![allow(unsafe_code, reason = "the standard library cannot bind threads")]

use std::ffi::c_int;
use std::io;

/// Number of processors in glibc's `cpu_set_t`.
const MAX: usize = 1024;

type Set = [u64; MAX / 64];

unsafe extern "C" {
    fn sched_getaffinity(thread: c_int, size: usize, set: *mut Set) -> c_int;
    fn sched_setaffinity(thread: c_int, size: usize, set: *const Set) -> c_int;
}

/// Binds this thread to the processor at `index` among those that it may use.
pub(crate) fn bind(index: usize) -> io::Result<()> {
    let mut allowed: Set = [0; MAX / 64];
    // SAFETY: the set has this size, and 0 means this thread.
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
    // On success `sched_getaffinity` may return the size of the set.
    match done {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
