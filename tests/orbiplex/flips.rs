//! No bit of a record, of its signature or of its key can change unnoticed.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use conform::document::{self, Format, Limits};

use super::{fixture, ids, judge_with, read};

/// Judges the record with one bit changed. Bits outside the signature must be noticed by the ref and by the signature, unless
/// they break the very member that is judged.
fn flip(text: &str, bit: usize) -> Result<(), String> {
    let mut bytes = text.as_bytes().to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    let reading = document::read(bytes, &Limits::default());
    // What cannot be read is refused before any obligation.
    let Some(changed) = reading.document else { return Ok(()) };
    // What is JSON no more may be YAML that says the same: a space before a string that becomes a `!` is a tag.
    if changed.format() == Format::Yaml && changed.root().same_as(read(text).root()) {
        return Ok(());
    }
    let (findings, not_judged) = judge_with(&conform::obligation::Settings::default(), &changed);
    let found = ids(&findings);
    let unjudged = |id: &str, pointer: &str| {
        not_judged.iter().any(|entry| entry.obligation == id && entry.pointer.starts_with(pointer))
    };
    let within = |member: &str| {
        let key = text.find(&format!("\"{member}\"")).expect("a member of the record");
        let start = text[..key].rfind('\n').expect("one member a line") + 1;
        let end = if member == "signature" { text.len() } else { start + text[start..].find('\n').expect("a line") };
        (start..end).contains(&(bit / 8))
    };
    let noticed = if within("signature") {
        let reported = ["orbiplex/signature", "orbiplex/canonical-base64url"].iter().any(|id| found.contains(id));
        reported || unjudged("orbiplex/signature", "/signature")
    } else {
        let named = found.contains(&"orbiplex/execution-ref")
            || within("execution/ref") && unjudged("orbiplex/execution-ref", "/execution~1ref");
        named && found.contains(&"orbiplex/signature")
    };
    if noticed { Ok(()) } else { Err(format!("bit {} of byte {}: {found:?} {not_judged:?}", bit % 8, bit / 8)) }
}

#[test]
fn any_bit_of_the_record() {
    let text = fixture("known-answer.json");
    let config = ProptestConfig { cases: 384, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng)
        .run(&(0..text.len() * 8), |bit| flip(&text, bit).map_err(TestCaseError::fail))
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_bit_of_the_signature_and_the_key() {
    let text = fixture("known-answer.json");
    for value in
        ["L-exsYusDNJ3vzXTnq7101tJ6LnjGeXaYWIZSz6kyyCTCegfk9oe2gYx8MgJCeQ0OhLeGhVNa7foZ4GpaEu1Dw", "z6MkehRgf7yJ"]
    {
        let start = text.rfind(value).expect("in the record");
        for bit in start * 8..(start + value.len()) * 8 {
            flip(&text, bit).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
