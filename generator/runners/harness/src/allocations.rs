//! Counts allocations, with `--counts` only. A small preloaded library counts those of glibc's
//! malloc, and [`Counted`] those of a global allocator that does not use it.
#![allow(unsafe_code, reason = "allocators are unsafe traits")]

use crate::Error;
use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_char, c_void};
use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use std::{env, fs, io, ptr};

/// Number of allocations, and their total bytes.
pub(crate) type Totals = [u64; 2];

/// The library's counters; null in a process that does not count.
static COUNTERS: AtomicPtr<[AtomicU64; 2]> = AtomicPtr::new(ptr::null_mut());

const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/allocations.so"));

/// Environment variable with the library's path, set for the process that preloads it.
const PRELOADED: &str = "HARNESS_PRELOADED";

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Starts counting. In a process without the library, restarts the program with it preloaded.
pub(crate) fn count() -> Result<(), Error> {
    // SAFETY: the name is NUL-terminated, and null selects all libraries of the process.
    let counters = unsafe { dlsym(ptr::null_mut(), c"harness_allocations".as_ptr()) };
    COUNTERS.store(counters.cast(), Relaxed);
    let path = env::var_os(PRELOADED);
    if let Some(path) = &path {
        fs::remove_file(path)?;
    }
    match path {
        _ if !counters.is_null() => Ok(()),
        Some(_) => {
            Err("allocations cannot be counted: the dynamic linker ignores LD_PRELOAD".into())
        }
        None => Err(restart().into()),
    }
}

/// Replaces this process by one with the library preloaded. Returns only on failure.
fn restart() -> io::Error {
    let path = env::temp_dir().join(format!("harness-allocations-{}.so", process::id()));
    if let Err(error) = fs::write(&path, LIBRARY) {
        return error;
    }
    match env::current_exe() {
        Err(error) => error,
        Ok(program) => Command::new(program)
            .args(env::args_os().skip(1))
            .env("LD_PRELOAD", &path)
            .env(PRELOADED, &path)
            .exec(),
    }
}

/// Whether this process counts.
pub(crate) fn are_counted() -> bool {
    counters().is_some()
}

/// Returns the totals so far.
pub(crate) fn totals() -> Totals {
    counters().map_or([0; 2], |c| c.each_ref().map(|n| n.load(Relaxed)))
}

fn counters() -> Option<&'static [AtomicU64; 2]> {
    // SAFETY: null, or two numbers of a library that is never unloaded.
    unsafe { COUNTERS.load(Relaxed).as_ref() }
}

/// A wrapper that counts the allocations of a global allocator.
pub struct Counted<A>(pub A);

impl<A> Counted<A> {
    /// Costs one load and a branch in a process that does not count.
    #[inline]
    fn count(&self, bytes: usize) {
        if let Some([requests, total]) = counters() {
            requests.fetch_add(1, Relaxed);
            total.fetch_add(bytes as u64, Relaxed);
        }
    }
}

// SAFETY: forwards all calls to the inner allocator.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counted<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count(size);
        unsafe { self.0.realloc(old, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(old, layout) }
    }
}
