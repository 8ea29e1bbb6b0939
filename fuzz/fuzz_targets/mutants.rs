//! Bytes choose a valid document and a fault: the document must pass, and the fault must be reported under the obligations that it
//! breaks, with no other error. `tests/mutation_property.rs` runs the kept corpus on stable.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(problem) = conform::mutation::fuzz::break_and_judge(bytes) {
        panic!("{problem}");
    }
});
