//! Operators on generated documents: bytes choose the document and the fault, and proptest shrinks both to the smallest.
//!
//! A failure prints the smallest bytes; `break_and_judge` takes them again, and so does the fuzz target `mutants`. The seed is fixed, so
//! that a change is judged by what it changes; other and more cases:
//! `PROPTEST_RNG_SEED=1 PROPTEST_CASES=10000 cargo test --release --test mutation_property`.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError};

use conform::mutation::fuzz::{break_and_judge, break_and_judge_one};
use conform::mutation::{Bytes, Seeded, source};
use conform::suite;

/// A fixed seed, unless the environment gives another.
fn config() -> Config {
    let usual = Config::default();
    let rng_seed = if usual.rng_seed == RngSeed::Random { RngSeed::Fixed(20_261_130) } else { usual.rng_seed };
    Config { failure_persistence: None, rng_seed, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_intended_obligations_are_reported_and_no_other_errors(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        break_and_judge(&bytes).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn choices_of_a_seed_are_judged_alike() {
    for suite in suite::all() {
        for seed in 0..60 {
            let outcome = break_and_judge_one(suite, &mut Seeded::new(seed));
            outcome.unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
        }
    }
}

/// The corpus of the fuzz target, kept from fuzzing and from failures.
#[test]
fn the_kept_corpus_is_judged_as_it_should_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/mutants");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 30, "{} files in {}", files.len(), folder.display());
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        break_and_judge(&bytes).unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
    }
}

#[test]
fn no_bytes_at_all_make_the_smallest_document() {
    for suite in suite::all() {
        let size = |base: conform::mutation::Base| base.document().to_string().len();
        let smallest = size(source::generated_document(suite, &mut Bytes::new(&[])).unwrap());
        for seed in 0..20 {
            let other = size(source::generated_document(suite, &mut Seeded::new(seed)).unwrap());
            // Names differ by some characters.
            assert!(other + 60 > smallest, "{} seed {seed}: {other} and {smallest}", suite.id);
        }
    }
}
