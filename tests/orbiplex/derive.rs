//! What `derive` prints, as a person reads it.

use super::{fixture, read, suite};

fn derive(text: &str) -> String {
    suite().family().derive(suite(), &read(text)).expect("derived")
}

#[test]
fn the_known_answer_step_by_step() {
    insta::assert_snapshot!(derive(&fixture("known-answer.json")));
}

#[test]
fn a_record_that_differs_is_set_beside_what_follows() {
    let text = fixture("known-answer.json")
        .replace("verification-failed", "verified")
        .replace("z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd\",\n  \"value", "z6Mk\",\n  \"value");
    let derived = derive(&text);
    assert!(derived.contains("the record has corpus-task-pack-execution:sha256:CKQW"), "{derived}");
    assert!(derived.contains("none: `signature/key/public` is no key"), "{derived}");
}

#[test]
fn a_draft_without_ref_and_signature_can_be_derived_from() {
    let derived = derive(r#"{ "schema/v": 1, "outcome": "unknown" }"#);
    assert!(derived.contains("the record has none"), "{derived}");
    assert!(derived.contains(r#"{"outcome":"unknown","schema/v":1}"#), "{derived}");
    let error = suite().family().derive(suite(), &read("[]")).expect_err("no object");
    assert!(error.contains("an object, not array"), "{error}");
}
