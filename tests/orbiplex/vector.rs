//! The known-answer vector, value by value. Its figures come from two other implementations of the same rules.

use conform::family::orbiplex::digest::{base64url, hex, sha256};
use conform::family::orbiplex::kinds::EXECUTION;
use conform::family::orbiplex::record::Record;
use conform::family::orbiplex::scheme;
use conform::family::orbiplex::seal::Signer;

use super::{fixture, judge, read};

const KEY: &str = "z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd";

#[test]
fn the_record_has_no_finding() {
    let (findings, not_judged) = judge(&fixture("known-answer.json"));
    assert!(findings.is_empty(), "{findings:#?}");
    assert!(not_judged.iter().all(|entry| entry.reason.contains("--related")), "{not_judged:#?}");
}

#[test]
fn every_intermediate_value_is_as_published() {
    let document = read(&fixture("known-answer.json"));
    let record = Record::of(&document, &[]);
    let content = record.content.expect("canonical");
    assert_eq!(content.len(), 1861);
    assert_eq!(hex(&sha256(&content)), "08a4164ab10340daa35a319d725870d68136112f0291bc2738efc2a09d429ce6");
    let payload = record.payload.expect("canonical");
    assert_eq!(payload.len(), 1957);
    let prefix = scheme::wrap_prefix(EXECUTION.domain, payload.len());
    assert_eq!(prefix.len(), 68);
    assert_eq!(
        hex(&prefix),
        format!("6f726269706c65782d7369672d76310000000028{}00000000000007a5", hex(EXECUTION.domain.as_bytes()))
    );
    assert_eq!(
        hex(&scheme::message(EXECUTION.domain, &payload)),
        "e9a1b51addfdd7ae5cc472a792458b07e9919a519c652442649dc7e5400dbae1"
    );
}

#[test]
fn the_key_and_the_signature_follow_from_the_seed() {
    let signer = Signer::example();
    assert_eq!(signer.key_text(), KEY);
    let key = scheme::read_key(KEY).expect("a key");
    assert_eq!(hex(key.as_bytes()), "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8");
    let document = read(&fixture("known-answer.json"));
    let payload = Record::of(&document, &[]).payload.expect("canonical");
    let value = signer.sign(EXECUTION.domain, &payload);
    assert_eq!(value, "L-exsYusDNJ3vzXTnq7101tJ6LnjGeXaYWIZSz6kyyCTCegfk9oe2gYx8MgJCeQ0OhLeGhVNa7foZ4GpaEu1Dw");
    assert_eq!(base64url(&[0xff, 0xef]), "_-8");
}

#[test]
fn sealing_the_record_again_changes_nothing() {
    let text = fixture("known-answer.json");
    let published: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut sealed = published.clone();
    Signer::example().seal(&EXECUTION, "host/node-id", &mut sealed).expect("sealed");
    assert_eq!(sealed, published);
}
