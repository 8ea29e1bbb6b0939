//! Suites: a document kind with its schema, its obligations and its scenarios.

pub mod embedded;
pub mod scenario;

use crate::document::{Document, Value};
use crate::family::{FAMILIES, Family};

/// One kind of document and everything that is demanded of it.
pub struct Suite {
    /// Public id, e.g. `mavai-optimize-1`.
    pub id: &'static str,
    pub title: &'static str,
    /// Name of the family that judges it.
    pub family: &'static str,
    /// Id of its schema: the file `schemas/<id>.schema.json`.
    pub schema: &'static str,
    /// Parts of the document that have schemas of their own: a JSON Pointer in which `*` stands for every item, and the schema's id.
    pub parts: &'static [(&'static str, &'static str)],
    /// The key and value by which a document says that it is of this kind.
    pub version: Version,
}

/// How a document names its own kind.
#[derive(Debug, Clone, Copy)]
pub enum Version {
    /// A top-level string field with this value.
    Text(&'static str, &'static str),
    /// A top-level integer field with this value, in a document that has this other field.
    NumberWith(&'static str, i64, &'static str),
}

impl Suite {
    /// The family that judges this suite's documents.
    pub fn family(&self) -> &'static dyn Family {
        *FAMILIES.iter().find(|family| family.name() == self.family).expect("a suite is registered by its own family")
    }

    /// Whether the document says that it is of this suite's kind.
    pub fn claims(&self, root: Value<'_>) -> bool {
        match self.version {
            Version::Text(key, text) => root.get(key).and_then(Value::as_str) == Some(text),
            Version::NumberWith(key, number, with) => {
                root.get(key).and_then(Value::as_i64) == Some(number) && root.get(with).is_some()
            }
        }
    }
}

/// Every suite, in the order of the families.
pub fn all() -> impl Iterator<Item = &'static Suite> {
    FAMILIES.iter().flat_map(|family| family.suites())
}

/// The suite with an id.
pub fn by_id(id: &str) -> Option<&'static Suite> {
    all().find(|suite| suite.id == id)
}

/// The suite that a document says it belongs to.
pub fn of(document: &Document) -> Option<&'static Suite> {
    all().find(|suite| suite.claims(document.root()))
}
