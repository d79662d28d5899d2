//! Replaces the program's malloc by jemalloc, which C libraries then allocate with.
#![allow(unsafe_code, reason = "the functions of C's allocator")]

use crate::allocations::count;
use std::ffi::{c_int, c_void};

macro_rules! replace {
    ($($name:ident, $by:ident($($argument:ident: $type:ty),*) $(-> $out:ty)?, $bytes:expr;)*) => {
        unsafe extern "C" { $(fn $by($($argument: $type),*) $(-> $out)?;)* }

        // SAFETY: the same functions, under other names.
        $(#[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $type),*) $(-> $out)? {
            $bytes.map(count);
            unsafe { $by($($argument),*) }
        })*
    };
}

// All that glibc's manual lists for a replacement, but `pvalloc`, which jemalloc lacks.
replace! {
    malloc, _rjem_malloc(bytes: usize) -> *mut c_void, Some(bytes);
    calloc, _rjem_calloc(number: usize, bytes: usize) -> *mut c_void, Some(number * bytes);
    realloc, _rjem_realloc(old: *mut c_void, bytes: usize) -> *mut c_void, Some(bytes);
    free, _rjem_free(old: *mut c_void), None::<usize>;
    memalign, _rjem_memalign(alignment: usize, bytes: usize) -> *mut c_void, Some(bytes);
    aligned_alloc, _rjem_aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void, Some(bytes);
    posix_memalign, _rjem_posix_memalign(out: *mut *mut c_void, alignment: usize, bytes: usize) -> c_int, Some(bytes);
    valloc, _rjem_valloc(bytes: usize) -> *mut c_void, Some(bytes);
    malloc_usable_size, _rjem_malloc_usable_size(old: *const c_void) -> usize, None::<usize>;
}
