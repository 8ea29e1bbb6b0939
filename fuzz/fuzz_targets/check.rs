//! Any bytes at all, checked by every suite in turn: nothing may break inside conform, whatever a document holds.
#![no_main]

use std::sync::OnceLock;

use conform::check::{Checker, is_fault};
use conform::document::Limits;
use conform::obligation::Settings;
use conform::schema::Schemas;
use conform::suite;
use libfuzzer_sys::fuzz_target;

fn checkers() -> &'static [Checker] {
    static CHECKERS: OnceLock<Vec<Checker>> = OnceLock::new();
    CHECKERS.get_or_init(|| {
        let checker = |suite| Checker {
            schemas: Schemas::embedded().expect("the embedded schemas"),
            settings: Settings::default(),
            limits: Limits::default(),
            suite: Some(suite),
        };
        suite::all().map(checker).collect()
    })
}

fuzz_target!(|bytes: &[u8]| {
    for checker in checkers() {
        let result = checker.judge("fuzzed", bytes.to_vec());
        assert!(!is_fault(&result), "{:?}", result.reason);
    }
});
