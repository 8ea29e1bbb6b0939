//! The model of an execution record: its values, and the canonical bytes that refs and signatures cover.

use super::canonical::{self, Fault};
use super::related::Related;
use crate::document::{Document, Value};
use crate::obligation::{Judge, Model};

/// What the ref of an execution record begins with, before `:sha256:`.
pub const REF_KIND: &str = "corpus-task-pack-execution";

/// The member that names the record by content.
pub const REF: &str = "execution/ref";

/// The member that holds the host's signature.
pub const SIGNATURE: &str = "signature";

/// An execution record, as far as its structure is whole.
pub struct Record<'d> {
    pub root: Value<'d>,
    /// Canonical bytes of the record without its ref and its signature: what the ref is the digest of.
    pub content: Result<Vec<u8>, Fault<'d>>,
    /// Canonical bytes of the record without its signature: what the signature covers.
    pub payload: Result<Vec<u8>, Fault<'d>>,
    /// What it refers to among the documents that were given; `None` where none were.
    pub related: Option<Related<'d>>,
}

impl<'d> Record<'d> {
    /// Takes a document as a record, whatever its structure, beside the documents that it may refer to.
    pub fn of(document: &'d Document, related: &'d [(String, Document)]) -> Self {
        let root = document.root();
        Record {
            root,
            content: canonical::bytes(root, &[REF, SIGNATURE]),
            payload: canonical::bytes(root, &[SIGNATURE]),
            related: Related::of(root, related),
        }
    }

    /// The string under a key of the record itself.
    pub fn text(&self, key: &str) -> Option<Text<'d>> {
        Text::of(self.root, key)
    }

    /// What the record refers to; where no documents were given, the current rule is said to be not judged.
    pub fn related(&self, judge: &mut Judge<'_>) -> Option<&Related<'d>> {
        if self.related.is_none() {
            judge.not_judged("", "the documents that the record refers to are not given (--related FOLDER)");
        }
        self.related.as_ref()
    }

    /// The items of evidence.
    pub fn evidence(&self) -> impl Iterator<Item = Value<'d>> + use<'d> {
        self.root.get("evidence").into_iter().flat_map(Value::items)
    }
}

/// Names [`Record`] as the model that the obligations of this family judge.
pub struct Records;

impl Model for Records {
    type Of<'d> = Record<'d>;
}

/// A string and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Text<'d> {
    pub at: Value<'d>,
    pub text: &'d str,
}

impl<'d> Text<'d> {
    /// The string under a key of an object.
    pub fn of(object: Value<'d>, key: &str) -> Option<Self> {
        let at = object.get(key)?;
        Some(Text { at, text: at.as_str()? })
    }

    /// The string under a key of an object; where there is none, the current rule is said to be not judged there.
    pub fn needed(object: Value<'d>, key: &str, judge: &mut Judge<'_>) -> Option<Self> {
        let text = Text::of(object, key);
        if text.is_none() {
            let found =
                object.get(key).map_or("is missing".to_owned(), |at| format!("is no string but {}", at.kind().name()));
            judge.not_judged(member_pointer(object, key), format!("`{key}` {found}"));
        }
        text
    }
}

/// The JSON Pointer that a member of an object has or would have.
pub fn member_pointer(object: Value<'_>, key: &str) -> String {
    format!("{}/{}", object.pointer(), key.replace('~', "~0").replace('/', "~1"))
}

/// The members of a record as `serde_json`'s, in document order, without those that have one of the keys `without`.
pub fn members(record: Value<'_>, without: &[&str]) -> serde_json::Map<String, serde_json::Value> {
    record
        .members()
        .map(|(key, value)| (key.as_str().unwrap_or_default(), value))
        .filter(|(key, _)| !without.contains(key))
        .map(|(key, value)| (key.to_owned(), value.to_json()))
        .collect()
}
