//! Counts allocations, with `--counts` only. A small preloaded library counts those of glibc's
//! malloc, and [`count`] those of jemalloc.
#![allow(unsafe_code, reason = "allocators are unsafe traits")]

use crate::Error;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use std::{env, ptr};

/// The library's counters, the number of allocations and their total bytes; null in a process that
/// does not count.
static COUNTERS: AtomicPtr<[AtomicU64; 2]> = AtomicPtr::new(ptr::null_mut());

const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/allocations.so"));

/// Environment variable that is set for the process that preloads the library.
const PRELOADED: &str = "HARNESS_PRELOADED";

/// Starts counting. In a process without the library, restarts the program with it preloaded.
pub(crate) fn start() -> Result<(), Error> {
    // SAFETY: the name is NUL-terminated.
    let counters = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"harness_allocations".as_ptr()) };
    COUNTERS.store(counters.cast(), Relaxed);
    if !counters.is_null() {
        Ok(())
    } else if env::var_os(PRELOADED).is_some() {
        Err("allocations cannot be counted: the dynamic linker ignores LD_PRELOAD".into())
    } else {
        Err(restart()?.into())
    }
}

/// Replaces this process by one with the library preloaded. Returns only on failure.
///
/// The library is a file in memory that the new process inherits, so nobody else can replace it.
fn restart() -> Result<io::Error, io::Error> {
    // SAFETY: the name is NUL-terminated.
    let descriptor = unsafe { libc::memfd_create(c"allocations.so".as_ptr(), 0) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and nothing else closes it.
    let mut library = unsafe { File::from_raw_fd(descriptor) };
    library.write_all(LIBRARY)?;
    Ok(Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env(
            "LD_PRELOAD",
            format!("/proc/self/fd/{}", library.as_raw_fd()),
        )
        .env(PRELOADED, "1")
        .exec())
}

/// Returns the number of allocations so far, and their total bytes.
pub(crate) fn totals() -> [u64; 2] {
    counters().map_or([0; 2], |c| c.each_ref().map(|n| n.load(Relaxed)))
}

fn counters() -> Option<&'static [AtomicU64; 2]> {
    // SAFETY: null, or two numbers of a library that is never unloaded.
    unsafe { COUNTERS.load(Relaxed).as_ref() }
}

/// Counts an allocation by jemalloc. Costs one load and a branch in a process that does not count.
#[cfg(feature = "jemalloc")]
#[inline]
pub(crate) fn count(bytes: usize) {
    if let Some([requests, total]) = counters() {
        requests.fetch_add(1, Relaxed);
        total.fetch_add(bytes as u64, Relaxed);
    }
}

#[cfg(feature = "jemalloc")]
#[global_allocator]
static GLOBAL: counted::Counted = counted::Counted;

/// jemalloc, with its allocations counted.
#[cfg(feature = "jemalloc")]
mod counted {
    use super::count;
    use std::alloc::{GlobalAlloc, Layout};
    use tikv_jemallocator::Jemalloc;

    pub(super) struct Counted;

    // SAFETY: forwards all calls to jemalloc.
    unsafe impl GlobalAlloc for Counted {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            count(layout.size());
            unsafe { Jemalloc.alloc(layout) }
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            count(layout.size());
            unsafe { Jemalloc.alloc_zeroed(layout) }
        }

        #[inline]
        unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            count(size);
            unsafe { Jemalloc.realloc(old, layout, size) }
        }

        #[inline]
        unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
            unsafe { Jemalloc.dealloc(old, layout) }
        }
    }
}
