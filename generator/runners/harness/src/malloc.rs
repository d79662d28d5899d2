//! Replaces the program's malloc by jemalloc, which C libraries then allocate with.
#![allow(unsafe_code, reason = "the functions of C's allocator")]

use std::ffi::{c_int, c_void};

macro_rules! replace {
    ($($name:ident, $by:ident($($argument:ident: $type:ty),*) $(-> $out:ty)?;)*) => {
        unsafe extern "C" { $(fn $by($($argument: $type),*) $(-> $out)?;)* }

        // SAFETY: the same functions, under other names.
        $(#[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $type),*) $(-> $out)? {
            unsafe { $by($($argument),*) }
        })*
    };
}

// All that glibc's manual lists for a replacement, but `pvalloc`, which jemalloc lacks.
replace! {
    malloc, _rjem_malloc(bytes: usize) -> *mut c_void;
    calloc, _rjem_calloc(number: usize, bytes: usize) -> *mut c_void;
    realloc, _rjem_realloc(old: *mut c_void, bytes: usize) -> *mut c_void;
    free, _rjem_free(old: *mut c_void);
    memalign, _rjem_memalign(alignment: usize, bytes: usize) -> *mut c_void;
    aligned_alloc, _rjem_aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    posix_memalign, _rjem_posix_memalign(out: *mut *mut c_void, alignment: usize, bytes: usize) -> c_int;
    valloc, _rjem_valloc(bytes: usize) -> *mut c_void;
    malloc_usable_size, _rjem_malloc_usable_size(old: *const c_void) -> usize;
}
