//! Documents that a record refers to, found among those that were given, and whether each is sound by itself.

use super::canonical::{self, shorten};
use super::digest::{decode, digest_text, read_ref, sha256};
use super::kinds::{ADOPTION, DECISION, EXECUTION, Kind, PROPOSAL, REVIEW};
use super::record::Text;
use super::scheme;
use crate::document::{Document, Value};
use crate::obligation::Judge;

/// The documents that were given.
#[derive(Clone, Copy)]
pub struct Related<'s> {
    documents: &'s [(String, Document)],
}

/// A document that was given, with the name it was read from.
#[derive(Clone, Copy)]
pub struct Given<'s> {
    pub name: &'s str,
    pub root: Value<'s>,
}

impl<'s> Related<'s> {
    /// The given documents; where there are none, the current rule is said to be not judged.
    pub fn needed(judge: &mut Judge<'s>) -> Option<Self> {
        let documents = judge.settings.related.as_slice();
        if documents.is_empty() {
            judge.not_judged("", "the documents that the record refers to are not given (--related FOLDER)");
            return None;
        }
        Some(Related { documents })
    }

    /// Every given document for which a test holds.
    pub fn all(self, test: impl Fn(Value<'s>) -> bool) -> impl Iterator<Item = Given<'s>> {
        self.documents
            .iter()
            .map(|(name, document)| Given { name, root: document.root() })
            .filter(move |given| test(given.root))
    }

    /// The given document of a kind that a ref in `object` names; where the ref or the document is missing, the current rule
    /// is said to be not judged there.
    pub fn named(self, object: Value<'_>, key: &str, kind: &'static Kind, judge: &mut Judge<'_>) -> Option<Given<'s>> {
        let name = Text::needed(object, key, judge)?;
        let found = self.all(|root| kind_of(root) == Some(kind) && own_ref(root, kind) == Some(name.text)).next();
        if found.is_none() {
            let reason = format!("no {} `{}` is among the related documents", kind.name, shorten(name.text));
            judge.not_judged(name.at.pointer(), reason);
        }
        found
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
