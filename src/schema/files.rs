//! Schema files: those that the binary carries and those that a user puts in their place, and what their references mean.
//!
//! A schema goes by the stem of its file (`match.v1` for `match.v1.schema.json`). A reference finds another file by that file's
//! `$id` or by the last part of its own path; nothing is ever fetched.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::{Retrieve, Uri};
use serde_json::Value;

use crate::finding::Basis;
use crate::suite::embedded;

/// Where a schema lives that has no `$id` against which relative references could be resolved.
const BASE: &str = "conform:///schemas/";

const SUFFIX: &str = ".schema.json";

/// Why a schema cannot be used: a fault of configuration, or of the binary where the file is an embedded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The file as the user named it.
    pub file: String,
    /// What is wrong, and where.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.file, self.message, self.help)
    }
}

impl std::error::Error for SchemaError {}

/// One schema file.
#[derive(Clone)]
pub(super) struct SchemaFile {
    /// What messages call it.
    pub(super) label: String,
    text: Cow<'static, str>,
    parsed: OnceLock<Result<Value, String>>,
    /// Name under which references find it, e.g. `match.v1.schema.json`.
    name: String,
}

impl SchemaFile {
    fn new(id: &str, label: String, text: Cow<'static, str>) -> Self {
        SchemaFile { label, text, parsed: OnceLock::new(), name: format!("{id}{SUFFIX}") }
    }

    /// The schema as it is written.
    ///
    /// # Errors
    /// Where the text is no JSON; the message has the line.
    pub(super) fn schema(&self) -> Result<&Value, String> {
        let parse = || serde_json::from_str(&self.text).map_err(|error| format!("no JSON: {error}"));
        self.parsed.get_or_init(parse).as_ref().map_err(Clone::clone)
    }

    /// The schema with an `$id` that relative references can be resolved against. A URN cannot serve (RFC 3986 has no relative
    /// references from it), so the file's own address takes its place; references by the URN still find the file.
    pub(super) fn based(&self) -> Result<Value, String> {
        let mut schema = self.schema()?.clone();
        if let Value::Object(keywords) = &mut schema {
            let hierarchical = keywords.get("$id").and_then(Value::as_str).is_some_and(|id| id.contains("://"));
            if !hierarchical {
                keywords.insert("$id".to_owned(), format!("{BASE}{}", self.name).into());
            }
        }
        Ok(schema)
    }

    /// Where the authority of the file's demands comes from: a schema that is this project's own reading says so.
    pub(super) fn basis(&self) -> Basis {
        let named = self.schema().ok().and_then(|schema| schema.get("x-conform-basis")?.as_str());
        if named == Some(Basis::Reading.as_str()) { Basis::Reading } else { Basis::Stated }
    }

    fn own_id(&self) -> Option<&str> {
        self.schema().ok()?.get("$id")?.as_str()
    }

    /// The file's text, as it was read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a reference in this file may lead to the other one.
    fn mentions(&self, other: &SchemaFile) -> bool {
        self.text.contains(&other.name) || other.own_id().is_some_and(|id| self.text.contains(id))
    }
}

/// All schema files of a run, by id.
#[derive(Clone)]
pub(super) struct SchemaFiles {
    by_id: BTreeMap<String, SchemaFile>,
}

impl SchemaFiles {
    /// The files that the binary carries. Nothing is parsed yet.
    pub(super) fn embedded() -> Self {
        let files = embedded::under("schemas").filter_map(|(path, text)| {
            let id = path.rsplit('/').next()?.strip_suffix(SUFFIX)?;
            Some((id.to_owned(), SchemaFile::new(id, path.to_owned(), Cow::Borrowed(text))))
        });
        SchemaFiles { by_id: files.collect() }
    }

    pub(super) fn get(&self, id: &str) -> Option<&SchemaFile> {
        self.by_id.get(id)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.by_id.keys().map(String::as_str)
    }

    /// Adds a file, or puts it in the place of the one with the same id.
    pub(super) fn put(&mut self, id: &str, label: String, text: String) {
        self.by_id.insert(id.to_owned(), SchemaFile::new(id, label, Cow::Owned(text)));
    }

    /// The ids of the schemas whose references may lead to one of these.
    pub(super) fn dependents(&self, ids: &[String]) -> Vec<String> {
        let targets: Vec<_> = ids.iter().filter_map(|id| self.get(id)).collect();
        let depends = |file: &SchemaFile| targets.iter().any(|target| file.mentions(target));
        self.by_id.iter().filter(|(id, file)| !ids.contains(id) && depends(file)).map(|(id, _)| id.clone()).collect()
    }

    /// The ids of these schemas and of every one that their references may lead to, sorted.
    pub(super) fn reachable<'f>(&'f self, ids: &[&'f str]) -> BTreeSet<&'f str> {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut due: Vec<&str> = ids.to_vec();
        while let Some(id) = due.pop() {
            let Some(file) = self.get(id).filter(|_| reached.insert(id)) else { continue };
            due.extend(self.by_id.iter().filter(|(_, other)| file.mentions(other)).map(|(id, _)| id.as_str()));
        }
        reached
    }

    /// The file that an address (without fragment) means, seen from anywhere.
    pub(super) fn at(&self, address: &str) -> Option<&SchemaFile> {
        let name = address.rsplit('/').next().unwrap_or(address);
        let named = name.strip_suffix(SUFFIX).and_then(|id| self.get(id));
        let has_id = |file: &&SchemaFile| file.own_id().is_some_and(|id| id.trim_end_matches('#') == address);
        // Most addresses need no look into any other file.
        if address.starts_with(BASE) || named.as_ref().is_some_and(has_id) {
            return named;
        }
        self.by_id.values().find(has_id).or(named)
    }

    /// The first reference in a file that leads nowhere: its text, and why.
    pub(super) fn broken_reference(&self, file: &SchemaFile) -> Option<(String, String)> {
        let mut references = Vec::new();
        collect_references(file.schema().ok()?, &mut references);
        references.into_iter().find_map(|reference| {
            let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
            let target = if address.is_empty() { Some(file) } else { self.at(address) };
            let Some(target) = target else {
                return Some((reference.to_owned(), "no schema has that name".to_owned()));
            };
            // A fragment that is no pointer is an anchor, which the validator resolves.
            let lost = (fragment.is_empty() || fragment.starts_with('/'))
                && target.schema().is_ok_and(|schema| schema.pointer(&fragment.replace("%25", "%")).is_none());
            lost.then(|| (reference.to_owned(), format!("{} has nothing at #{fragment}", target.label)))
        })
    }
}

fn collect_references<'v>(value: &'v Value, references: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(reference) if key == "$ref" => references.push(reference),
                    member => collect_references(member, references),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, references)),
        _ => {}
    }
}

/// Answers the validator's look-ups from the files alone.
pub(super) struct Shelf(pub(super) Arc<SchemaFiles>);

impl Retrieve for Shelf {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let address = uri.as_str().split('#').next().unwrap_or_default();
        let file = self.0.at(address).ok_or("no schema has that name")?;
        Ok(file.based()?)
    }
}
