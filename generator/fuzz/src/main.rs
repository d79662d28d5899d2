//! Every fuzz target in one program, which the variable `TARGET` chooses from; `run` builds it.

#![no_main]

use generator::fuzz::{self, Target};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::LazyLock;

struct Chosen {
    target: Target,
    /// All seeds.
    others: Vec<u8>,
}

static CHOSEN: LazyLock<Chosen> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET names a folder of corpus/");
    Chosen {
        target: fuzz::target(&name).unwrap_or_else(|| panic!("there is no target {name}")),
        others: fuzz::seeds(&name).join(&b'\n'),
    }
});

fuzz_target!(|bytes: &[u8]| (CHOSEN.target)(bytes));

// Every other mutant is libFuzzer's own, which looks at what is compared.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut changed = fuzz::change(&data[..size], &CHOSEN.others, seed);
    changed.truncate(max_size);
    data[..changed.len()].copy_from_slice(&changed);
    changed.len()
});
