//! The host's signature, and whose it is.

use super::canonical::shorten;
use super::digest::decode;
use super::kinds::EXECUTION;
use super::mistakes::{self, Failed};
use super::record::{Record, Records, Text};
use super::scheme::{self, SignatureFault};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Records>] = &[
    Obligation {
        rule: Rule {
            id: "orbiplex/signature",
            title: "the host's signature verifies",
            demand: "`signature/value` is an Ed25519 signature that `signature/key/public` verifies. What is signed: \
                     (1) take the record with `execution/ref` and without `signature`; \
                     (2) write it as canonical JSON (RFC 8785, UTF-8): the payload; \
                     (3) put before it the ASCII text `orbiplex-sig-v1` and one zero byte, the length of the domain in bytes \
                     as 32 bits big-endian, the domain `corpus-experiment-task-pack-execution.v1`, and the length of the \
                     payload in bytes as 64 bits big-endian; \
                     (4) hash all of it with SHA-256; \
                     (5) sign the 32 bytes of the hash with Ed25519 (RFC 8032, pure). \
                     The key is `z` and base58btc of the bytes ed 01 and the 32 bytes of the public key; the value is \
                     base64url without padding. Keys and commitments of small order and unreduced signatures are refused.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "signature",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/signature/value", OTHER_DOMAIN)],
                show: "/signature",
                also: &[],
            },
        },
        judge: signature,
    },
    Obligation {
        rule: Rule {
            id: "orbiplex/signer-is-host",
            title: "the signing key is the host's",
            demand: "`host/node-id` is `node:did:key:` and `signature/key/public`: the record is built and signed by the \
                     host that ran the experiment.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "signature",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/host~1node-id",
                    "\"node:did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw\"",
                )],
                show: "/host~1node-id",
                also: &[],
            },
        },
        judge: signer_is_host,
    },
];

/// A signature of the example record under the domain of a proposal.
const OTHER_DOMAIN: &str = "\"Rl3ZLgyNzRa26jdG7KwmvEUiyIKiHE3_2j6tKOFcYIHlTOPwTHkrGSHfBr7nsNv_rnjegmWDeXuJsVwXsnK6Bg\"";

fn signature(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(signature) = signature_object(record, judge) else { return };
    let payload = match &record.payload {
        Ok(payload) => payload,
        Err(fault) => {
            judge.not_judged(fault.at().pointer(), format!("the record has no canonical form: {}", fault.reason()));
            return;
        }
    };
    if let Some(algorithm) = Text::needed(signature, "alg", judge).filter(|alg| alg.text != scheme::ALGORITHM) {
        let reason = format!("no rule is known for the algorithm `{}`", shorten(algorithm.text));
        judge.not_judged(algorithm.at.pointer(), reason);
        return;
    }
    let (Some(value), Some(public)) =
        (Text::needed(signature, "value", judge), Text::needed(signature, "key/public", judge))
    else {
        return;
    };
    let key = match scheme::read_key(public.text) {
        Ok(key) => key,
        Err(fault) => {
            judge.finding(public.at, format!("this is no Ed25519 public key: {fault}")).help(
                "write `z` and base58btc of the bytes ed 01 and the 32 bytes of the key; it then begins with `z6Mk`",
            );
            return;
        }
    };
    let Some(bytes) = decode::<64>(value.text) else {
        judge
            .finding(value.at, "this is no Ed25519 signature: it does not decode to 64 bytes")
            .help("write the 64 bytes of the signature as 86 characters of base64url, without padding");
        return;
    };
    let message = scheme::message(EXECUTION.domain, payload);
    let Err(fault) = scheme::verify(&key, &message, &bytes.bytes) else { return };
    let (found, help) = match fault {
        SignatureFault::NotReduced => (
            "the second half of the signature is not below the order of the group".to_owned(),
            "sign with an implementation of RFC 8032, which reduces it; a verifier that lets it pass lets anyone write \
             a second signature of the same record"
                .to_owned(),
        ),
        SignatureFault::Mismatch => {
            let host = record.text("host/node-id").map(|host| host.text);
            let failed = Failed { record: record.root, payload, key: &key, host, signature: &bytes.bytes };
            let required = "what must be signed is `conform derive`'s message, SHA-256 of the domain-wrapped payload";
            let message = super::digest::hex(&message);
            let help = if judge.settings.brief {
                format!("{required}: {message}")
            } else {
                let mistake = mistakes::of_signature(&failed);
                let cause = mistake.as_deref().unwrap_or(
                    "none of the known mistakes fits, so the record was changed after signing or another key signed",
                );
                format!("{cause}; {required}: {message}")
            };
            (format!("the signature is not one of this record by `{}`", public.text), help)
        }
    };
    judge.finding(value.at, found).help(help);
}

fn signature_object<'d>(record: &Record<'d>, judge: &mut Judge<'_>) -> Option<Value<'d>> {
    let signature = record.root.get("signature");
    if signature.is_none() {
        judge.not_judged("/signature", "`signature` is missing");
    }
    signature
}

fn signer_is_host(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(signature) = signature_object(record, judge) else { return };
    let (Some(host), Some(public)) =
        (Text::needed(record.root, "host/node-id", judge), Text::needed(signature, "key/public", judge))
    else {
        return;
    };
    if host.text.strip_prefix(scheme::NODE_PREFIX) == Some(public.text) {
        return;
    }
    judge
        .finding(host.at, "the host is not the one whose key signed the record")
        .mark(public.at, "the key that signed")
        .help(format!(
            "the host that ran the experiment signs its record with its own key; of this key it would be `{}{}`",
            scheme::NODE_PREFIX,
            shorten(public.text)
        ));
}
