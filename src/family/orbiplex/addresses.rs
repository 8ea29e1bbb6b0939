//! Addresses: refs that are digests agree with the digests beside them, and every digest is written one way.

use super::digest::{Decoded, decode, read_digest, read_ref};
use super::kinds::{ADOPTION, DECISION, EXECUTION, Kind, PROPOSAL, REVIEW};
use super::record::{Record, Records, Text};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

/// What the address of an object begins with, before `:sha256:`.
const OBJECT_STORE: &str = "object-store";

/// A digest that is nothing's in the example record.
const OTHER_DIGEST: &str = "\"sha256:2SmKENGwc1g33EvYXaxkGw887yekfl1TpU8vP1svz_o\"";

/// A digest whose last character carries stray bits.
const STRAY_BITS: &str = "\"sha256:4QkozEuxIQGJz0LdsmgpehJzqtKdoqXV9PTXthOtOaR\"";

pub const OBLIGATIONS: &[Obligation<Records>] = &[
    Obligation {
        rule: Rule {
            id: "orbiplex/address-is-digest",
            title: "an artifact's address is its digest",
            demand: "The `artifact-ref` of the candidate and of every item of evidence is `object-store:` and the `digest` \
                     beside it.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "addresses",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/evidence/0/digest", OTHER_DIGEST)],
                show: "/evidence/0",
                also: &[],
            },
        },
        judge: address_is_digest,
    },
    Obligation {
        rule: Rule {
            id: "orbiplex/ref-is-digest",
            title: "a ref and its digest agree",
            demand: "The digest of the proposal, the review and the decision is the one that its ref ends with. Every released \
                     document has it so, and nothing states it.",
            basis: Basis::Family,
            severity: Severity::Error,
            group: "addresses",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/review~1digest", OTHER_DIGEST)],
                show: "/review~1digest",
                also: &[],
            },
        },
        judge: ref_is_digest,
    },
    Obligation {
        rule: Rule {
            id: "orbiplex/canonical-base64url",
            title: "digests and signatures are canonical base64url",
            demand: "The last character of every digest, of every ref that ends with one and of the signature's value carries no \
                     stray bits: a digest ends with one of AEIMQUYcgkosw048, a signature with one of AQgw. The schema lets \
                     others through; one value would then have several writings, so this is a reading.",
            basis: Basis::Reading,
            severity: Severity::Error,
            group: "addresses",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/plan~1digest", STRAY_BITS)],
                show: "/plan~1digest",
                also: &[],
            },
        },
        judge: canonical_base64url,
    },
];

fn address_is_digest(record: &Record<'_>, judge: &mut Judge<'_>) {
    let mut addressed: Vec<Value<'_>> = record.evidence().collect();
    match record.root.get("candidate") {
        Some(candidate) => addressed.insert(0, candidate),
        None => judge.not_judged("/candidate", "`candidate` is missing"),
    }
    for object in addressed {
        agree(object, "artifact-ref", OBJECT_STORE, "digest", judge);
    }
}

fn ref_is_digest(record: &Record<'_>, judge: &mut Judge<'_>) {
    for (kind, digest_key) in
        [(&PROPOSAL, "proposal/digest"), (&REVIEW, "review/digest"), (&DECISION, "decision/digest")]
    {
        agree(record.root, kind.ref_key, kind.ref_kind, digest_key, judge);
    }
}

/// Reports where the digest that a ref ends with is not the one beside it.
fn agree(object: Value<'_>, ref_key: &str, ref_kind: &str, digest_key: &str, judge: &mut Judge<'_>) {
    let (Some(name), Some(digest)) = (Text::needed(object, ref_key, judge), Text::needed(object, digest_key, judge))
    else {
        return;
    };
    let (Some(named), Some(stated)) = (read_ref(name.text, ref_kind), read_digest(digest.text)) else {
        let broken = if read_digest(digest.text).is_none() { digest } else { name };
        judge.not_judged(
            broken.at.pointer(),
            "it is not of the form that ends with `sha256:` and 43 characters of base64url",
        );
        return;
    };
    if named.bytes != stated.bytes {
        judge
            .finding(name.at, format!("`{ref_key}` and `{digest_key}` name different content"))
            .mark(digest.at, "another digest")
            .help(format!(
                "`{ref_key}` is `{ref_kind}:` and the value of `{digest_key}`; derive both from the same bytes"
            ));
    }
}

fn canonical_base64url(record: &Record<'_>, judge: &mut Judge<'_>) {
    const DIGESTS: [&str; 5] = ["proposal/digest", "review/digest", "decision/digest", "plan/digest", "result/digest"];
    const REFS: [&Kind; 5] = [&EXECUTION, &ADOPTION, &PROPOSAL, &REVIEW, &DECISION];
    let root = record.root;
    for kind in REFS {
        let key = if *kind == ADOPTION { "candidate/adoption-ref" } else { kind.ref_key };
        check(root, key, |text| read_ref(text, kind.ref_kind), judge);
    }
    for key in DIGESTS {
        check(root, key, read_digest, judge);
    }
    if let Some(target) = root.get("target") {
        check(target, "task-profile/digest", read_digest, judge);
    }
    for object in root.get("candidate").into_iter().chain(record.evidence()) {
        check(object, "artifact-ref", |text| read_ref(text, OBJECT_STORE), judge);
        check(object, "digest", read_digest, judge);
    }
    if let Some(signature) = root.get("signature") {
        check(signature, "value", decode::<64>, judge);
    }
}

fn check<const N: usize>(
    object: Value<'_>,
    key: &str,
    read: impl Fn(&str) -> Option<Decoded<N>>,
    judge: &mut Judge<'_>,
) {
    let Some(at) = object.get(key) else { return };
    match at.as_str().map(read) {
        Some(Some(decoded)) if decoded.canonical => {}
        Some(Some(decoded)) => {
            let right = super::digest::base64url(&decoded.bytes);
            let last = right.chars().next_back().unwrap_or_default();
            judge
                .finding(at, format!("the last character of `{key}` carries bits that no byte has"))
                .help(format!("the same bytes end with `{last}` when base64url is written canonically"));
        }
        _ => judge.not_judged(at.pointer(), "it is not of the form that base64url is read from here"),
    }
}
