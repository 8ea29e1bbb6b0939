//! Documents that a record refers to, found among those that were given, and whether each is sound by itself.

use super::canonical::{self, shorten};
use super::digest::{decode, digest_text, read_ref, sha256};
use super::kinds::{ADOPTION, DECISION, EXECUTION, Kind, PROPOSAL, REVIEW};
use super::record::Text;
use super::scheme;
use crate::document::{Document, Value};
use crate::obligation::Judge;

/// The schema that a candidate names itself by.
pub const CANDIDATE: &str = "operator-task-experiment-candidate.v1";
/// The schema that a plan names itself by.
pub const PLAN: &str = "operator-task-experiment-plan.v1";
/// The schema that a result names itself by.
pub const RESULT: &str = "operator-task-experiment-result.v1";

/// The signed documents that a record names, and the member that names each.
pub const NAMED: [(&str, &Kind); 4] = [
    ("proposal/ref", &PROPOSAL),
    ("review/ref", &REVIEW),
    ("decision/ref", &DECISION),
    ("candidate/adoption-ref", &ADOPTION),
];

/// A document that was given, with the name it was read from.
#[derive(Clone, Copy)]
pub struct Given<'d> {
    pub name: &'d str,
    pub root: Value<'d>,
}

/// The documents that were given, and those of them that one record refers to. All are looked for in one pass, since a
/// check of many records has the documents of all of them.
pub struct Related<'d> {
    documents: &'d [(String, Document)],
    /// In the order of [`NAMED`].
    signed: [Option<Given<'d>>; NAMED.len()],
    /// The result of the record's run.
    pub result: Option<Given<'d>>,
    /// The record's plan.
    pub plan: Option<Given<'d>>,
}

impl<'d> Related<'d> {
    /// Finds what a record refers to among the given documents; `None` where none are given.
    pub fn of(record: Value<'d>, documents: &'d [(String, Document)]) -> Option<Self> {
        if documents.is_empty() {
            return None;
        }
        let names = NAMED.map(|(key, _)| Text::of(record, key).map(|name| name.text));
        let mut related = Related { documents, signed: [None; NAMED.len()], result: None, plan: None };
        for given in related.given() {
            if let Some(schema) = Text::of(given.root, "schema") {
                let (place, key) = match schema.text {
                    RESULT => (&mut related.result, "run/ref"),
                    PLAN => (&mut related.plan, "plan/ref"),
                    _ => (&mut None, ""),
                };
                let same = |(own, other): (Text<'_>, Text<'_>)| own.text == other.text;
                if place.is_none() && Text::of(record, key).zip(Text::of(given.root, key)).is_some_and(same) {
                    *place = Some(given);
                }
            }
            let Some(kind) = kind_of(given.root) else { continue };
            let Some(at) = NAMED.iter().position(|(_, named)| *named == kind) else { continue };
            if related.signed[at].is_none() && names[at].is_some() && own_ref(given.root, kind) == names[at] {
                related.signed[at] = Some(given);
            }
        }
        Some(related)
    }

    /// Every given candidate.
    pub fn candidates(&self) -> impl Iterator<Item = Given<'d>> + use<'d> {
        self.given().filter(|given| Text::of(given.root, "schema").is_some_and(|schema| schema.text == CANDIDATE))
    }

    /// The given document of a kind that the record names; where the ref or the document is missing, the current rule is said to
    /// be not judged there.
    pub fn named(&self, record: Value<'_>, kind: &Kind, judge: &mut Judge<'_>) -> Option<Given<'d>> {
        let at = NAMED.iter().position(|(_, named)| *named == kind)?;
        let name = Text::needed(record, NAMED[at].0, judge)?;
        if self.signed[at].is_none() {
            let reason = format!("no {} `{}` is among the related documents", kind.name, shorten(name.text));
            judge.not_judged(name.at.pointer(), reason);
        }
        self.signed[at]
    }

    fn given(&self) -> impl Iterator<Item = Given<'d>> + use<'d> {
        self.documents.iter().map(|(name, document)| Given { name, root: document.root() })
    }
}

/// The kind of a signed document, by the ref that it alone of the kinds has.
fn kind_of(root: Value<'_>) -> Option<&'static Kind> {
    // A later document of the chain repeats the refs of the earlier ones, so the last kind comes first.
    let kind = [&EXECUTION, &ADOPTION, &DECISION, &REVIEW, &PROPOSAL]
        .into_iter()
        .find(|kind| root.get(kind.ref_key).is_some())?;
    // Other documents about a proposal have its ref too, but not its executor.
    (kind != &PROPOSAL || root.get("executor").is_some()).then_some(kind)
}

fn own_ref<'d>(root: Value<'d>, kind: &Kind) -> Option<&'d str> {
    root.get(kind.ref_key)?.as_str()
}

/// Checks that a signed document's ref is the digest of its content, and that its signature verifies under its kind's domain.
///
/// # Errors
/// Where it is not; the text continues a sentence that begins with the document.
pub fn sound(given: Given<'_>, kind: &Kind) -> Result<(), String> {
    let root = given.root;
    let no_form = |fault: canonical::Fault<'_>| format!("has no canonical form: {}", fault.reason());
    let content = canonical::bytes(root, &[kind.ref_key, "signature"]).map_err(no_form)?;
    let stated = own_ref(root, kind).and_then(|name| read_ref(name, kind.ref_kind));
    if stated.map(|digest| digest.bytes) != Some(sha256(&content)) {
        return Err(format!(
            "was changed after its ref was computed: its content's digest is {}",
            digest_text(&sha256(&content))
        ));
    }
    let signature = root.get("signature").ok_or("has no signature")?;
    let member =
        |key| Text::of(signature, key).map(|text| text.text).ok_or_else(|| format!("has no `signature/{key}`"));
    if member("alg")? != scheme::ALGORITHM {
        return Err(format!("is signed by an algorithm other than `{}`", scheme::ALGORITHM));
    }
    let key = scheme::read_key(member("key/public")?).map_err(|fault| format!("has no usable key: {fault}"))?;
    let value = decode::<64>(member("value")?).ok_or("has no signature of 64 bytes")?;
    let payload = canonical::bytes(root, &["signature"]).map_err(no_form)?;
    scheme::verify(&key, &scheme::message(kind.domain, &payload), &value.bytes)
        .map_err(|_| format!("has a signature that does not verify under the domain `{}`", kind.domain))
}
