//! Records that contradict themselves.

use serde_json::{Value, json};

use super::stray_digest;
use crate::mutation::choice::{Choice, pick, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{matching, remove, set, text};

const INSTANCE: &[&str] = &["orbiplex/evidence-instance"];
const STEP: &[&str] = &["orbiplex/evidence-step-repeated"];
const CODE: &[&str] = &["orbiplex/code-iff-refused"];
const ADDRESS: &[&str] = &["orbiplex/address-is-digest"];
const REF: &[&str] = &["orbiplex/ref-is-digest"];
const CANONICAL: &[&str] = &["orbiplex/canonical-base64url"];
/// What else shows where the documents that the record refers to are at hand.
const RELATED: &[&str] = &["orbiplex/relation-", "orbiplex/artifact-"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("evidence-of-other-instance", "an item of evidence is of another instance", INSTANCE, other_instance),
    Operator::new(
        "instance-renamed",
        "the record is of another instance than its evidence",
        INSTANCE,
        instance_renamed,
    ),
    Operator::new("instance-dropped", "the record has evidence and no instance", INSTANCE, instance_dropped),
    Operator::new("step-repeated", "two items of evidence are of one step", STEP, step_repeated).may(RELATED),
    Operator::new("code-added", "a record that was not refused names a code", CODE, code_added).may(RELATED),
    Operator::new("digest-of-other-artifact", "an artifact's digest is of another", ADDRESS, other_digest).may(RELATED),
    Operator::new("address-of-other-artifact", "an artifact's address is of another", ADDRESS, other_address)
        .may(RELATED),
    Operator::new("digests-of-evidence-swapped", "two items of evidence change digests", ADDRESS, swapped_digests),
    Operator::new("named-digest-other", "a ref's digest is of another document", REF, named_digest).may(RELATED),
    Operator::new("named-digests-swapped", "two refs change digests", REF, named_swapped).may(RELATED),
    Operator::new("stray-bits-in-digest", "the last character of a digest carries stray bits", CANONICAL, stray_bits)
        .may(RELATED),
];

fn evidence(document: &Value) -> Vec<String> {
    matching(document, "/evidence/*")
}

fn other_instance(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, evidence(&draft.document))?;
    set(
        &mut draft.document,
        &at,
        "environment/ref",
        word(choice, &["environment:other", "vm:vm-1", "environment:vm-10"]),
    )?;
    Some(at + "/environment~1ref")
}

fn instance_renamed(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    evidence(&draft.document).first()?;
    set(&mut draft.document, "", "environment/ref", "environment:other")?;
    Some("/environment~1ref".to_owned())
}

fn instance_dropped(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    evidence(&draft.document).first()?;
    // A verifier's yes or no without an instance is for the schema to refuse.
    draft.document.get("outcome")?.as_str().filter(|outcome| !outcome.starts_with("verif"))?;
    remove(&mut draft.document, "", "environment/ref")?;
    Some("/environment~1ref".to_owned())
}

fn step_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut items = evidence(document);
    if items.len() < 2 {
        return None;
    }
    let one = items.swap_remove(choice.below(items.len()));
    let step = text(document, &pick(choice, items)?, "step/id")?.to_owned();
    set(document, &one, "step/id", step)?;
    Some(one + "/step~1id")
}

fn code_added(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if document.get("outcome")? == "refused" || document.get("refusal/code").is_some() {
        return None;
    }
    set(document, "", "refusal/code", word(choice, &["verifier/timeout", "hil/denied", "run/cancelled"]))?;
    Some("/refusal~1code".to_owned())
}

/// Places that state an address and a digest.
fn addressed(document: &Value) -> Vec<String> {
    let mut places = evidence(document);
    places.push("/candidate".to_owned());
    places
}

fn other_digest(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, addressed(&draft.document))?;
    set(&mut draft.document, &at, "digest", stray_digest(choice))?;
    Some(at + "/digest")
}

fn other_address(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, addressed(&draft.document))?;
    set(&mut draft.document, &at, "artifact-ref", format!("object-store:{}", stray_digest(choice)))?;
    Some(at + "/artifact-ref")
}

fn swapped_digests(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let items = evidence(document);
    let digest = |at: &String| text(document, at, "digest").map(str::to_owned);
    let mut candidates = Vec::new();
    for one in &items {
        for other in items.iter().filter(|other| digest(other) != digest(one)) {
            candidates.push((one.clone(), other.clone(), digest(one)?, digest(other)?));
        }
    }
    let (one, other, own, its) = pick(choice, candidates)?;
    set(document, &one, "digest", its)?;
    set(document, &other, "digest", own)?;
    Some(one + "/digest")
}

const NAMED: [&str; 3] = ["proposal/digest", "review/digest", "decision/digest"];

fn named_digest(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let key = word(choice, &NAMED);
    set(&mut draft.document, "", key, stray_digest(choice))?;
    Some(format!("/{}", key.replace('/', "~1")))
}

fn named_swapped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (one, other) = [(NAMED[0], NAMED[1]), (NAMED[1], NAMED[2]), (NAMED[0], NAMED[2])][choice.below(3)];
    let (own, its) = (document.get(one)?.clone(), document.get(other)?.clone());
    if own == its {
        return None;
    }
    set(document, "", one, its)?;
    set(document, "", other, own)?;
    Some(format!("/{}", one.replace('/', "~1")))
}

/// The same bytes, written with other stray bits.
fn stray_bits(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let document = &mut draft.document;
    let key = word(choice, &["plan/digest", "result/digest"]);
    let mut digest = text(document, "", key)?.to_owned();
    let last = ALPHABET.find(digest.pop()?)?;
    // The two lowest bits of the last character are none of the digest's.
    digest.push(ALPHABET.chars().nth(last | (1 + choice.below(3)))?);
    set(document, "", key, json!(digest))?;
    Some(format!("/{}", key.replace('/', "~1")))
}
