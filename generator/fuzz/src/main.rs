//! All fuzz targets in one program; the variable `TARGET` selects one. `run` builds it.

#![no_main]

use generator::fuzz::{self, Target};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::LazyLock;

struct Selected {
    target: Target,
    /// All seeds, joined by newlines.
    seeds: Vec<u8>,
}

static SELECTED: LazyLock<Selected> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET is the name of a fuzz target");
    Selected {
        target: fuzz::target(&name).unwrap_or_else(|| panic!("unknown fuzz target {name}")),
        seeds: fuzz::seeds(&name).join(&b'\n'),
    }
});

fuzz_target!(|bytes: &[u8]| (SELECTED.target)(bytes));

// Half of the mutations are libFuzzer's own, which use the operands of comparisons.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut mutated = fuzz::change(&data[..size], &SELECTED.seeds, seed);
    mutated.truncate(max_size);
    data[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
});
