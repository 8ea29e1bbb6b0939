//! Known mistakes: when a ref or a signature does not fit, each is tried, and the one that fits is named, so that an
//! emitter's author need not guess where theirs departs.

use ed25519_dalek::VerifyingKey;

use super::canonical;
use super::digest::{base64url, hex, sha256};
use super::identity;
use super::kinds::{EXECUTION, MISTAKEN_DOMAINS};
use super::record::{REF, SIGNATURE, members};
use super::scheme;
use crate::document::Value;

/// Longest payload that is tried, in bytes: a record that keeps to its schema is far below it, and each try reads it all again.
const MAX_TRIED: usize = 1 << 20;

/// The mistake that explains a ref's digest, if a known one does.
pub fn of_ref(record: Value<'_>, digest: &[u8; 32]) -> Option<&'static str> {
    if record.document().source().len() > MAX_TRIED {
        return None;
    }
    let fits = |bytes: Option<&[u8]>| bytes.is_some_and(|bytes| sha256(bytes) == *digest);
    let content = canonical::bytes(record, &[REF, SIGNATURE]).ok();
    let tries: [(&'static str, Option<Vec<u8>>); 8] = [
        ("the digest was taken with the signature in the record", canonical::bytes(record, &[REF]).ok()),
        ("the digest was taken of the domain-wrapped content; a ref has no domain", {
            content.as_ref().map(|content| scheme::wrapped(EXECUTION.domain, content))
        }),
        ("the digest was taken with a line feed after the JSON", {
            content.as_ref().map(|content| [content.as_slice(), b"\n"].concat())
        }),
        ("the digest was taken with other than ASCII characters escaped", content.as_deref().map(ascii_escaped)),
        ("the digest was taken of members in document order, not in canonical order", {
            Some(in_document_order(record, &[REF, SIGNATURE]))
        }),
        ("the digest was taken without `candidate/adoption-ref`", {
            canonical::bytes(record, &[REF, SIGNATURE, "candidate/adoption-ref"]).ok()
        }),
        ("the digest was taken without `idempotency/key`", {
            canonical::bytes(record, &[REF, SIGNATURE, "idempotency/key"]).ok()
        }),
        ("the digest was taken without `host/node-id`", {
            canonical::bytes(record, &[REF, SIGNATURE, "host/node-id"]).ok()
        }),
    ];
    tries.into_iter().find(|(_, bytes)| fits(bytes.as_deref())).map(|(mistake, _)| mistake)
}

/// A signature that does not verify, with what is needed to find out why.
pub struct Failed<'a, 'd> {
    pub record: Value<'d>,
    /// The canonical bytes that should have been signed.
    pub payload: &'a [u8],
    pub key: &'a VerifyingKey,
    /// The host's node id.
    pub host: Option<&'a str>,
    pub signature: &'a [u8; 64],
}

/// The mistake that explains a signature, if a known one does: a sentence without its full stop.
pub fn of_signature(failed: &Failed<'_, '_>) -> Option<String> {
    if failed.payload.len() > MAX_TRIED {
        return None;
    }
    let host_key = failed.host.and_then(|host| scheme::read_key(host.strip_prefix(scheme::NODE_PREFIX)?).ok());
    if let Some(host_key) = host_key.filter(|host_key| host_key != failed.key) {
        let right = scheme::message(EXECUTION.domain, failed.payload);
        if scheme::verify(&host_key, &right, failed.signature).is_ok() {
            return Some("the key in `host/node-id` verifies it: `signature/key/public` names another key".to_owned());
        }
    }
    let fits = |message: &[u8]| scheme::verify(failed.key, message, failed.signature).is_ok();
    other_payload(failed, &fits)
        .map(str::to_owned)
        .or_else(|| other_wrap(failed, &fits))
        .or_else(|| other_domain(failed, &fits))
}

/// The right wrap and domain, over other bytes than the record's payload.
fn other_payload(failed: &Failed<'_, '_>, fits: &dyn Fn(&[u8]) -> bool) -> Option<&'static str> {
    let record = failed.record;
    let derived_ref = identity::payload_of(record).ok();
    let tries: [(&'static str, Option<Vec<u8>>); 8] = [
        ("it was made over the record without `execution/ref`", canonical::bytes(record, &[REF, SIGNATURE]).ok()),
        (
            "it fits the record with the `execution/ref` that follows from its content: the ref was changed after signing",
            derived_ref,
        ),
        ("it was made over the record with the signature's `alg` and `key/public` in it", with_signature(record, None)),
        ("it was made over the record with an empty `signature/value` in it", with_signature(record, Some(""))),
        ("it was made over members in document order, not in canonical order", {
            Some(in_document_order(record, &[SIGNATURE]))
        }),
        ("it was made with other than ASCII characters escaped", Some(ascii_escaped(failed.payload))),
        ("it was made with a line feed after the JSON", Some([failed.payload, b"\n"].concat())),
        ("it was made over the text of `execution/ref` alone", {
            record.get(REF).and_then(Value::as_str).map(|text| text.as_bytes().to_vec())
        }),
    ];
    tries
        .into_iter()
        .find(|(_, payload)| payload.as_ref().is_some_and(|payload| fits(&scheme::message(EXECUTION.domain, payload))))
        .map(|(mistake, _)| mistake)
}

/// The right payload and domain, wrapped or hashed otherwise, or not at all.
fn other_wrap(failed: &Failed<'_, '_>, fits: &dyn Fn(&[u8]) -> bool) -> Option<String> {
    let payload = failed.payload;
    let domain = EXECUTION.domain.as_bytes();
    let (domain_len, payload_len) = (domain.len() as u32, payload.len() as u64);
    let wrapped = scheme::wrapped(EXECUTION.domain, payload);
    let message = sha256(&wrapped);
    let tag = b"orbiplex-sig-v1";
    let sha = |parts: &[&[u8]]| sha256(&parts.concat()).to_vec();
    let tries: [(&str, Vec<u8>); 14] = [
        ("the payload was signed as it stands, without the domain wrap (the legacy `ed25519`)", payload.to_vec()),
        ("the SHA-256 of the payload was signed, without the domain wrap", sha256(payload).to_vec()),
        ("the wrapped payload was signed itself, not its SHA-256", wrapped.clone()),
        ("the SHA-256 was signed as hexadecimal text, not as 32 bytes", hex(&message).into_bytes()),
        ("the SHA-256 was signed as base64url text, not as 32 bytes", base64url(&message).into_bytes()),
        ("the SHA-256 was hashed once more", sha256(&message).to_vec()),
        ("both lengths were written little-endian", {
            sha(&[tag, b"\0", &domain_len.to_le_bytes(), domain, &payload_len.to_le_bytes(), payload])
        }),
        ("the domain's length was written little-endian", {
            sha(&[tag, b"\0", &domain_len.to_le_bytes(), domain, &payload_len.to_be_bytes(), payload])
        }),
        ("the payload's length was written little-endian", {
            sha(&[tag, b"\0", &domain_len.to_be_bytes(), domain, &payload_len.to_le_bytes(), payload])
        }),
        ("the lengths' widths are swapped: 32 bits are for the domain, 64 for the payload", {
            let (domain_len, payload_len) = (u64::from(domain_len).to_be_bytes(), (payload_len as u32).to_be_bytes());
            sha(&[tag, b"\0", &domain_len, domain, &payload_len, payload])
        }),
        ("both lengths were written with 32 bits", {
            sha(&[tag, b"\0", &domain_len.to_be_bytes(), domain, &(payload_len as u32).to_be_bytes(), payload])
        }),
        ("both lengths were written with 64 bits", {
            let domain_len = u64::from(domain_len).to_be_bytes();
            sha(&[tag, b"\0", &domain_len, domain, &payload_len.to_be_bytes(), payload])
        }),
        ("the zero byte after `orbiplex-sig-v1` is left out", {
            sha(&[tag, &domain_len.to_be_bytes(), domain, &payload_len.to_be_bytes(), payload])
        }),
        ("the lengths are left out of the wrap", sha(&[tag, b"\0", domain, payload])),
    ];
    tries.into_iter().find(|(_, message)| fits(message)).map(|(mistake, _)| mistake.to_owned())
}

/// The right payload under another domain.
fn other_domain(failed: &Failed<'_, '_>, fits: &dyn Fn(&[u8]) -> bool) -> Option<String> {
    let domain = MISTAKEN_DOMAINS.iter().find(|domain| fits(&scheme::message(domain, failed.payload)))?;
    let name = if domain.is_empty() { "the empty domain".to_owned() } else { format!("the domain `{domain}`") };
    Some(format!("it was made under {name}; the record's is `{}`", EXECUTION.domain))
}

/// The record with its signature in it, the value left out or replaced.
fn with_signature(record: Value<'_>, value: Option<&str>) -> Option<Vec<u8>> {
    let mut members = members(record, &[]);
    let signature = members.get_mut(SIGNATURE)?.as_object_mut()?;
    signature.shift_remove("value");
    if let Some(value) = value {
        signature.insert("value".to_owned(), value.into());
    }
    serde_json_canonicalizer::to_vec(&members).ok()
}

fn in_document_order(record: Value<'_>, without: &[&str]) -> Vec<u8> {
    serde_json::Value::Object(members(record, without)).to_string().into_bytes()
}

/// JSON with every character past ASCII written as `\u` escapes, as some serialisers do unless told otherwise.
fn ascii_escaped(json: &[u8]) -> Vec<u8> {
    use std::fmt::Write as _;
    let text = String::from_utf8_lossy(json);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    escaped.into_bytes()
}
