//! Broken and hostile records: each is a finding or said to be not judged, and none is a crash.

use conform::document::{self, Limits};
use conform::family::orbiplex::digest::base64url;
use conform::family::orbiplex::kinds::EXECUTION;
use conform::family::orbiplex::scheme::{self, KeyFault};
use conform::family::orbiplex::seal::Signer;
use serde_json::{Value, json};

use super::{errors, ids, judge, suite};

fn example() -> Value {
    serde_json::from_str(suite().family().example(suite())).expect("JSON")
}

/// What is judged without related documents: not judged for want of them says nothing about the record.
fn is_noticed(text: &str) -> bool {
    let (findings, not_judged) = judge(text);
    !findings.is_empty() || not_judged.iter().any(|entry| !entry.reason.contains("--related"))
}

/// Encodings of points of small order: the identity first, then orders 2, 4 and 8, and two that are not canonical.
const SMALL_ORDER: [&str; 7] = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

fn bytes(hex: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hexadecimal");
    }
    bytes
}

#[test]
fn keys_of_small_order_are_refused() {
    for point in SMALL_ORDER {
        let key = scheme::key_text(&bytes(point));
        assert!(matches!(scheme::read_key(&key), Err(KeyFault::SmallOrder | KeyFault::NotCanonical)), "{point}");
        // A signature that every lax verifier takes for one of such a key: the identity and zero.
        let mut forged = example();
        let mut value = [0; 64];
        value[0] = 1;
        forged["signature"]["value"] = base64url(&value).into();
        forged["signature"]["key/public"] = key.clone().into();
        forged["host/node-id"] = format!("node:did:key:{key}").into();
        let (findings, _) = judge(&forged.to_string());
        assert!(ids(&findings).contains(&"orbiplex/signature"), "{point}: {findings:#?}");
    }
}

#[test]
fn malformed_keys_say_what_is_wrong() {
    let multibase = |bytes: &[u8]| format!("z{}", bs58_of(bytes));
    let key = [7; 32];
    let tries = [
        (String::new(), KeyFault::NoMultibase),
        ("6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd".to_owned(), KeyFault::NoMultibase),
        ("z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvV0".to_owned(), KeyFault::NotBase58),
        (format!("z{}", "1".repeat(200)), KeyFault::TooLong),
        (format!("z{}", "z".repeat(1 << 20)), KeyFault::TooLong),
        ("z".to_owned(), KeyFault::Length(0)),
        (multibase(&key), KeyFault::Length(32)),
        (multibase(&[[0xec, 0x01].as_slice(), &key].concat()), KeyFault::Codec([0xec, 0x01])),
        (multibase(&[[0xed, 0x01].as_slice(), &[2; 32]].concat()), KeyFault::NoPoint),
    ];
    for (text, fault) in tries {
        assert_eq!(scheme::read_key(&text).expect_err("no key"), fault);
        let mut record = example();
        record["signature"]["key/public"] = text.into();
        let (findings, _) = judge(&record.to_string());
        assert_eq!(ids(&findings), ["orbiplex/signature", "orbiplex/signer-is-host"]);
        assert!(findings[0].message.contains(&fault.to_string()), "{}", findings[0].message);
    }
}

fn bs58_of(bytes: &[u8]) -> String {
    bs58::encode(bytes).into_string()
}

/// The order of the group, little-endian.
const ORDER: &str = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";

#[test]
fn a_signature_has_one_writing() {
    let record = example();
    let value = record["signature"]["value"].as_str().expect("a string");
    let mut signature = conform::family::orbiplex::digest::decode::<64>(value).expect("64 bytes").bytes;
    let mut carry = 0;
    for (byte, order) in signature[32..].iter_mut().zip(bytes(ORDER)) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
    }
    assert_eq!(carry, 0, "S + L fits 32 bytes");
    let mut malleable = record.clone();
    malleable["signature"]["value"] = base64url(&signature).into();
    let (findings, _) = judge(&malleable.to_string());
    assert_eq!(ids(&findings), ["orbiplex/signature"]);
    assert!(findings[0].message.contains("not below the order"), "{}", findings[0].message);
}

#[test]
fn stray_bits_are_told_apart_from_other_values() {
    let mut record = example();
    let value = record["signature"]["value"].as_str().expect("a string").to_owned();
    let (most, last) = value.split_at(85);
    let stray = match last {
        "A" => "B",
        "Q" => "R",
        "g" => "h",
        _ => "x",
    };
    record["signature"]["value"] = format!("{most}{stray}").into();
    let (findings, _) = judge(&record.to_string());
    assert_eq!(ids(&findings), ["orbiplex/canonical-base64url"]);
    let mut record = example();
    for broken in [
        "",
        "====",
        &"A".repeat(85),
        &"A".repeat(87),
        &"A".repeat(1 << 20),
        &format!("{value}\n"),
        &value.replace('_', "/"),
    ] {
        record["signature"]["value"] = broken.into();
        let (findings, _) = judge(&record.to_string());
        assert_eq!(ids(&findings), ["orbiplex/signature"]);
    }
}

/// Every place of a JSON value, by pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                places(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places(value, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn whatever_stands_anywhere_is_noticed() {
    let example = example();
    let mut found = Vec::new();
    places(&example, "", &mut found);
    let long = "x".repeat(1 << 14);
    let replacements = [
        json!(null),
        json!(true),
        json!(-1.5),
        json!(""),
        json!("żółć 😀\u{0}\n"),
        json!([]),
        json!({}),
        json!([[{}]]),
    ];
    for pointer in &found {
        for replacement in &replacements {
            let mut record = example.clone();
            let place = record.pointer_mut(pointer).expect("a place of the example");
            *place = replacement.clone();
            assert!(is_noticed(&record.to_string()), "{pointer}: {replacement}");
        }
        let mut record = example.clone();
        *record.pointer_mut(pointer).expect("a place of the example") = long.as_str().into();
        let (findings, not_judged) = judge(&record.to_string());
        let said =
            findings.iter().flat_map(|finding| [Some(finding.message.as_str()), finding.help.as_deref()]).flatten();
        let said = said.chain(not_judged.iter().map(|entry| entry.reason.as_str()));
        assert!(said.clone().count() > 8, "{pointer}");
        assert!(said.map(str::len).max() < Some(1000), "{pointer}: a message as long as the value");
    }
}

#[test]
fn unknown_members_are_covered_by_the_seal() {
    let depth = 100;
    for unknown in [format!("{}{}", "[".repeat(depth), "]".repeat(depth)), format!("\"{}\"", "y".repeat(1 << 20))] {
        let mut record = example();
        record["x/unknown"] = serde_json::from_str(&unknown).expect("JSON");
        let (findings, _) = judge(&record.to_string());
        assert_eq!(ids(&findings), ["orbiplex/execution-ref", "orbiplex/signature"]);
        Signer::example().seal(&EXECUTION, "host/node-id", &mut record).expect("sealed");
        assert!(judge(&record.to_string()).0.is_empty());
    }
}

#[test]
fn nesting_past_the_limit_is_not_read() {
    let text = suite().family().example(suite()).replacen(
        '{',
        &format!("{{\"x\":{}{},", "[".repeat(5000), "]".repeat(5000)),
        1,
    );
    assert!(document::read(text.into_bytes(), &Limits::default()).document.is_none());
}

#[test]
fn numbers_and_keys_without_a_canonical_form_are_findings() {
    let example = suite().family().example(suite());
    for (member, message) in [
        ("\"x\": 9007199254740993,", "the number 9007199254740993 cannot be kept exactly"),
        ("\"schema/v\": 1,", "the key `schema/v` stands twice"),
    ] {
        let text = example.replacen('{', &format!("{{{member}"), 1);
        let (findings, not_judged) = judge(&text);
        assert_eq!(ids(&findings), ["orbiplex/execution-ref"]);
        assert!(findings[0].message.contains(message), "{}", findings[0].message);
        assert!(not_judged.iter().any(|entry| entry.obligation == "orbiplex/signature"));
        assert_eq!(errors(&findings).len(), 1);
        let derived = suite().family().derive(suite(), &super::read(&text));
        assert!(derived.expect_err("no canonical form").contains(message));
    }
}
