//! Signatures and refs made in wrong ways that are known: each is named.

use conform::family::orbiplex::digest::{digest_text, sha256};
use conform::family::orbiplex::kinds::EXECUTION;
use conform::family::orbiplex::scheme;
use conform::family::orbiplex::seal::Signer;
use conform::finding::Finding;
use serde_json::Value;

use super::{ids, judge, suite};

fn example() -> Value {
    serde_json::from_str(suite().family().example(suite())).expect("JSON")
}

fn without(record: &Value, keys: &[&str]) -> Value {
    let mut record = record.clone();
    let members = record.as_object_mut().expect("an object");
    members.retain(|key, _| !keys.contains(&key.as_str()));
    record
}

fn canonical(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("canonical")
}

/// Puts a signature in and returns the one finding.
#[track_caller]
fn signed(record: &Value, value: String) -> Finding {
    let mut record = record.clone();
    record["signature"]["value"] = value.into();
    let (mut findings, _) = judge(&record.to_string());
    assert_eq!(ids(&findings), ["orbiplex/signature"], "{findings:#?}");
    findings.remove(0)
}

#[track_caller]
fn names(finding: &Finding, beginning: &str) {
    let help = finding.help.as_deref().unwrap_or_default();
    assert!(help.starts_with(beginning), "{help}");
    assert!(help.contains("what must be signed"), "{help}");
}

#[test]
fn other_domains() {
    let record = example();
    let payload = canonical(&without(&record, &["signature"]));
    for domain in [
        "corpus-task-pack-execution.v1",
        "corpus-reasoning-experiment-review.v4",
        "corpus-task-pack-candidate-adoption.v1",
    ] {
        let finding = signed(&record, Signer::example().sign(domain, &payload));
        names(&finding, &format!("it was made under the domain `{domain}`"));
    }
    names(&signed(&record, Signer::example().sign("", &payload)), "it was made under the empty domain");
}

#[test]
fn other_bytes() {
    let record = example();
    let signer = Signer::example();
    let sign = |payload: &[u8]| signer.sign(EXECUTION.domain, payload);
    let payload = canonical(&without(&record, &["signature"]));
    let without_ref = canonical(&without(&record, &["signature", "execution/ref"]));
    names(&signed(&record, sign(&without_ref)), "it was made over the record without `execution/ref`");
    let in_order = without(&record, &["signature"]).to_string();
    names(&signed(&record, sign(in_order.as_bytes())), "it was made over members in document order");
    let mut empty_value = record.clone();
    empty_value["signature"]["value"] = "".into();
    names(&signed(&record, sign(&canonical(&empty_value))), "it was made over the record with an empty");
    empty_value["signature"].as_object_mut().expect("an object").remove("value");
    names(&signed(&record, sign(&canonical(&empty_value))), "it was made over the record with the signature's");
    let escaped: String = String::from_utf8(payload.clone())
        .expect("UTF-8")
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) })
        .collect();
    assert_ne!(escaped.as_bytes(), payload);
    names(&signed(&record, sign(escaped.as_bytes())), "it was made with other than ASCII characters escaped");
    names(&signed(&record, sign(&[payload.as_slice(), b"\n"].concat())), "it was made with a line feed");
}

#[test]
fn other_wraps() {
    let record = example();
    let signer = Signer::example();
    let payload = canonical(&without(&record, &["signature"]));
    let wrapped = scheme::wrapped(EXECUTION.domain, &payload);
    let message = scheme::message(EXECUTION.domain, &payload);
    names(&signed(&record, signer.sign_bytes(&payload)), "the payload was signed as it stands");
    names(&signed(&record, signer.sign_bytes(&sha256(&payload))), "the SHA-256 of the payload was signed");
    names(&signed(&record, signer.sign_bytes(&wrapped)), "the wrapped payload was signed itself");
    names(&signed(&record, signer.sign_bytes(&sha256(&message))), "the SHA-256 was hashed once more");
    let little = [
        b"orbiplex-sig-v1\0".as_slice(),
        &40u32.to_le_bytes(),
        EXECUTION.domain.as_bytes(),
        &(payload.len() as u64).to_le_bytes(),
        &payload,
    ];
    names(&signed(&record, signer.sign_bytes(&sha256(&little.concat()))), "both lengths were written little-endian");
    let swapped = [
        b"orbiplex-sig-v1\0".as_slice(),
        &40u64.to_be_bytes(),
        EXECUTION.domain.as_bytes(),
        &(payload.len() as u32).to_be_bytes(),
        &payload,
    ];
    names(&signed(&record, signer.sign_bytes(&sha256(&swapped.concat()))), "the lengths' widths are swapped");
}

#[test]
fn another_key() {
    let record = example();
    let payload = canonical(&without(&record, &["signature"]));
    let other = Signer::from_seed(&[9; 32]);
    // Another key signed, and nothing tells which.
    names(&signed(&record, other.sign(EXECUTION.domain, &payload)), "none of the known mistakes fits");
    // The host's key signed, but another one is named.
    let mut swapped = record.clone();
    swapped["signature"]["key/public"] = other.key_text().into();
    let (findings, _) = judge(&swapped.to_string());
    assert_eq!(ids(&findings), ["orbiplex/signature", "orbiplex/signer-is-host"]);
    names(&findings[0], "the key in `host/node-id` verifies it");
}

#[test]
fn a_ref_changed_after_signing() {
    let mut record = example();
    record["execution/ref"] = format!("corpus-task-pack-execution:{}", digest_text(&sha256(b"other"))).into();
    let (findings, _) = judge(&record.to_string());
    assert_eq!(ids(&findings), ["orbiplex/execution-ref", "orbiplex/signature"]);
    names(&findings[1], "it fits the record with the `execution/ref` that follows from its content");
}

/// Gives the record a ref over some bytes, signs it, and returns the one finding.
#[track_caller]
fn named_over(bytes: &[u8]) -> String {
    let mut record = example();
    record["execution/ref"] = format!("corpus-task-pack-execution:{}", digest_text(&sha256(bytes))).into();
    let payload = canonical(&without(&record, &["signature"]));
    record["signature"]["value"] = Signer::example().sign(EXECUTION.domain, &payload).into();
    let (findings, _) = judge(&record.to_string());
    assert_eq!(ids(&findings), ["orbiplex/execution-ref"], "{findings:#?}");
    findings[0].help.clone().expect("help")
}

#[test]
fn refs_over_other_bytes() {
    let record = example();
    let content = canonical(&without(&record, &["signature", "execution/ref"]));
    let tries = [
        (scheme::wrapped(EXECUTION.domain, &content), "the digest was taken of the domain-wrapped content"),
        (
            without(&record, &["signature", "execution/ref"]).to_string().into_bytes(),
            "the digest was taken of members in document order",
        ),
        ([content.as_slice(), b"\n"].concat(), "the digest was taken with a line feed"),
        (
            canonical(&without(&record, &["signature", "execution/ref", "idempotency/key"])),
            "the digest was taken without `idempotency/key`",
        ),
        (b"nothing known".to_vec(), "something was changed after the ref was computed"),
    ];
    for (bytes, beginning) in tries {
        let help = named_over(&bytes);
        assert!(help.starts_with(beginning), "{help}");
        assert!(help.contains(record["execution/ref"].as_str().expect("a ref")), "{help}");
    }
}

#[test]
fn a_ref_over_the_signature() {
    let mut record = example();
    let content = canonical(&without(&record, &["signature", "execution/ref"]));
    record["signature"]["value"] = Signer::example().sign(EXECUTION.domain, &content).into();
    let digest = digest_text(&sha256(&canonical(&without(&record, &["execution/ref"]))));
    record["execution/ref"] = format!("corpus-task-pack-execution:{digest}").into();
    let (findings, _) = judge(&record.to_string());
    assert_eq!(ids(&findings), ["orbiplex/execution-ref", "orbiplex/signature"]);
    let help = findings[0].help.as_deref().unwrap_or_default();
    assert!(help.starts_with("the digest was taken with the signature in the record"), "{help}");
    names(&findings[1], "it was made over the record without `execution/ref`");
}
