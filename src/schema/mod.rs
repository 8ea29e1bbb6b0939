//! Schemas: structural findings, one a root cause, each at its place in the document.
//!
//! JSON Schema draft 2020-12 unless a schema's own `$schema` names another draft, with formats asserted.

mod adapter;
mod advice;
mod cause;
mod condition;
mod files;
mod message;
pub mod rules;
mod unique;
mod words;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::document::{Kind, Value};
use crate::finding::Basis;
use crate::obligation::Judge;
use adapter::{Budget, Item, Tree};
use cause::Cause;
use files::{SchemaFiles, Shelf};

pub use files::SchemaError;

/// Errors of the validator beyond this many in one document are not made: they would say the same thing again.
const ERRORS: usize = 10_000;

/// Deepest document that is validated on the caller's stack. The validator recurses once or more for each level.
const DEPTH_IN_PLACE: usize = 48;

/// Deepest document that is validated at all.
const DEPTH: usize = 10_000;

/// Stack for each level of a deeper document. It is reserved, not touched, so that generosity costs nothing.
const STACK_PER_LEVEL: usize = 32 << 10;

type Validator = jsonschema::Validator<Tree>;

/// The schemas of a run: those that the binary carries, with the user's own in their places. A schema is compiled when it is
/// first used.
pub struct Schemas {
    files: Arc<SchemaFiles>,
    compiled: BTreeMap<String, OnceLock<Result<Validator, SchemaError>>>,
}

impl Schemas {
    /// The schemas that the binary carries.
    ///
    /// # Errors
    /// None so far: an embedded schema that does not compile shows at its first use (a test rules it out).
    pub fn embedded() -> Result<Self, String> {
        Ok(Schemas::of(SchemaFiles::embedded()))
    }

    fn of(files: SchemaFiles) -> Self {
        let compiled = files.ids().map(|id| (id.to_owned(), OnceLock::new())).collect();
        Schemas { files: Arc::new(files), compiled }
    }

    /// The ids of all schemas, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.files.ids()
    }

    /// The text's parsed form of a schema, by id.
    pub fn schema(&self, id: &str) -> Option<&serde_json::Value> {
        self.files.get(id)?.schema().ok()
    }

    /// The texts of some schemas and of all that they refer to, directly or not, by id.
    pub fn texts<'s>(&'s self, ids: &[&'s str]) -> Vec<(&'s str, &'s str)> {
        let reachable = self.files.reachable(ids).into_iter();
        reachable.filter_map(|id| Some((id, self.files.get(id)?.text()))).collect()
    }

    /// Puts a user's schema in the place of the one with this id (`--schema ID=FILE`). References find it under that id's file
    /// name, whatever its own is.
    ///
    /// # Errors
    /// Where there is no schema of this id, the text is no schema, or a reference (of this schema, or of another one to it)
    /// leads nowhere. The schemas are then as they were.
    pub fn replace(&mut self, id: &str, text: String, file: &str) -> Result<(), SchemaError> {
        if self.files.get(id).is_none() {
            let near = words::nearest(id, self.files.ids());
            return Err(SchemaError {
                file: file.to_owned(),
                message: format!("there is no schema `{id}` that it could replace"),
                help: match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the schemas are {}", words::list(self.files.ids(), "and")),
                },
            });
        }
        self.put(vec![(id.to_owned(), file.to_owned(), text)])
    }

    /// Adds every `*.schema.json` file of a folder (`--schemas DIR`), in the place of the schema of the same name if there is
    /// one. Returns how many there were.
    ///
    /// # Errors
    /// Where the folder or a file cannot be read, there is no such file in it, or as for [`Schemas::replace`].
    pub fn add_folder(&mut self, folder: &Path) -> Result<usize, SchemaError> {
        let fault = |path: &Path, message: String, help: &str| SchemaError {
            file: path.display().to_string(),
            message,
            help: help.to_owned(),
        };
        let unreadable =
            |path: &Path, error: std::io::Error| fault(path, format!("cannot be read: {error}"), "check the path");
        let mut added = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            let Some(id) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".schema.json")) else {
                continue;
            };
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            added.push((id.to_owned(), path.display().to_string(), text));
        }
        if added.is_empty() {
            let message = "has no file that ends in `.schema.json`".to_owned();
            return Err(fault(folder, message, "name each schema file NAME.schema.json"));
        }
        let count = added.len();
        self.put(added)?;
        Ok(count)
    }

    /// Adds or replaces files, given as (id, label, text), and checks them and all that refers to them.
    fn put(&mut self, added: Vec<(String, String, String)>) -> Result<(), SchemaError> {
        let mut files = SchemaFiles::clone(&self.files);
        let ids: Vec<String> = added.iter().map(|(id, ..)| id.clone()).collect();
        for (id, label, text) in added {
            files.put(&id, label, text);
        }
        let changed = Schemas::of(files);
        let dependents = changed.files.dependents(&ids);
        for id in ids.iter().chain(&dependents) {
            changed.validator(id).transpose()?;
        }
        *self = changed;
        Ok(())
    }

    /// Validates a value against a schema, by the schema's id (the stem of its file), and reports to the judge under
    /// `schema/<keyword>`.
    ///
    /// # Errors
    /// Where there is no such schema, or it does not compile.
    pub fn validate(&self, schema: &str, value: Value<'_>, judge: &mut Judge<'_>) -> Result<(), String> {
        self.report(self.causes(schema, value)?, value, judge);
        Ok(())
    }

    /// Validates a document against its schema, and parts of it against schemas of their own. What both say is reported once.
    /// A part is a JSON Pointer in which `*` stands for every item or member, and the schema's id.
    ///
    /// # Errors
    /// Where there is no such schema, or it does not compile.
    pub fn validate_with_parts(
        &self,
        schema: &str,
        parts: &[(&str, &str)],
        root: Value<'_>,
        judge: &mut Judge<'_>,
    ) -> Result<(), String> {
        let mut causes = self.causes(schema, root)?;
        let mut parts = parts
            .iter()
            .flat_map(|(pointer, schema)| parts_at(root, pointer).into_iter().map(move |part| (part, schema)));
        while let Some((part, schema)) = parts.next() {
            causes.extend(self.causes(schema, part)?);
            if causes.len() > ERRORS && parts.next().is_some() {
                causes.push(Cause::cut_short(root.id(), ERRORS));
                break;
            }
        }
        self.report(causes, root, judge);
        Ok(())
    }

    /// The compiled schema; `None` if there is none of this id.
    fn validator(&self, id: &str) -> Option<Result<&Validator, SchemaError>> {
        let compiled = self.compiled.get(id)?.get_or_init(|| self.compile(id));
        Some(compiled.as_ref().map_err(Clone::clone))
    }

    fn compile(&self, id: &str) -> Result<Validator, SchemaError> {
        let fault = |message: String, help: &str| SchemaError {
            file: self.files.get(id).map_or_else(|| id.to_owned(), |file| file.label.clone()),
            message,
            help: help.to_owned(),
        };
        let file = self.files.get(id).ok_or_else(|| fault("no such schema".to_owned(), "check the name"))?;
        let schema = file.based().map_err(|message| fault(message, "a schema is one JSON object, or true or false"))?;
        if !schema.is_object() && !schema.is_boolean() {
            return Err(fault("no schema".to_owned(), "a schema is one JSON object, or true or false"));
        }
        let options = jsonschema::options_for::<Tree>()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .with_retriever(Shelf(Arc::clone(&self.files)));
        options.build(&schema).map_err(|error| {
            if let Some((reference, why)) = self.files.broken_reference(file) {
                return fault(
                    format!("`$ref`: \"{reference}\" leads nowhere: {why}"),
                    "give the file it means with `--schemas DIR`, or correct the reference; nothing is fetched",
                );
            }
            let why = error.masked().to_string();
            // The validator's advice on unknown formats is for programmers.
            let why = why.split(". Adjust configuration").next().unwrap_or_default();
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
            fault(
                format!("no JSON Schema{place}: {}", words::cut(why, 200)),
                "correct the schema; formats and drafts that are not known are refused",
            )
        })
    }

    fn causes(&self, id: &str, value: Value<'_>) -> Result<Vec<Cause>, String> {
        let validator = match self.validator(id) {
            Some(validator) => validator.map_err(|error| error.to_string())?,
            None => return Err(format!("there is no schema `{id}`")),
        };
        if value.document().levels().is_some_and(|levels| levels <= DEPTH_IN_PLACE) {
            return Ok(collect(validator, value));
        }
        let depth = depth(value);
        if depth <= DEPTH_IN_PLACE {
            return Ok(collect(validator, value));
        }
        if depth > DEPTH {
            return Ok(vec![Cause::too_deep(value.id(), depth, DEPTH)]);
        }
        let stack = (16 << 20) + depth * STACK_PER_LEVEL;
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(stack);
            let handle = thread
                .spawn_scoped(scope, || collect(validator, value))
                .map_err(|error| format!("no thread to validate a document that is nested {depth} deep: {error}"))?;
            handle.join().map_err(|_| format!("validating a document that is nested {depth} deep failed"))
        })
    }

    fn report(&self, causes: Vec<Cause>, root: Value<'_>, judge: &mut Judge<'_>) {
        for cause in cause::roots(causes, root.document(), &self.files) {
            let Some(at) = root.document().value(cause.node) else { continue };
            let message = message::message(&cause, at, &self.files);
            let file = cause.schema.as_ref().and_then(|place| self.files.at(&place.address));
            let basis = file.map_or(Basis::Stated, |file| file.basis());
            let mut report = judge.finding_as(&cause.id(), basis, cause.severity(), at, message);
            if let Some(help) = advice::help(&cause, at, &self.files) {
                report = report.help(help);
            }
            if let Some((twin, label)) = advice::related(&cause, at, &self.files) {
                report.mark(twin, label);
            }
        }
    }
}

/// Runs the validator. Where the budget for errors was spent on errors that came to nothing, a run without a limit decides.
fn collect(validator: &Validator, value: Value<'_>) -> Vec<Cause> {
    let within = |budget: &Budget| {
        let mut causes = Vec::new();
        for error in validator.iter_errors(Item::Value(value, budget)) {
            cause::flatten(error, value.document(), &mut causes);
        }
        causes
    };
    let budget = Budget::new(ERRORS);
    let mut causes = within(&budget);
    if budget.is_spent() {
        if causes.is_empty() {
            return within(&Budget::new(usize::MAX));
        }
        causes.push(Cause::cut_short(value.id(), ERRORS));
    }
    causes
}

/// Levels of arrays and objects in a value, at least 1. Counting stops past the deepest that is ever validated.
fn depth(value: Value<'_>) -> usize {
    let mut open = vec![value.member_ids().iter()];
    let mut deepest = 0;
    while let Some(members) = open.last_mut() {
        let container = members.map(|&id| value.sibling(id)).find(|member| !member.is_empty());
        match container {
            Some(container) => open.push(container.member_ids().iter()),
            None => {
                deepest = deepest.max(open.len());
                open.pop();
            }
        }
        if open.len() > DEPTH + 1 {
            return open.len();
        }
    }
    deepest
}

/// The values at a pointer in which `*` stands for every item or member.
fn parts_at<'d>(root: Value<'d>, pointer: &str) -> Vec<Value<'d>> {
    let mut values = vec![root];
    for token in pointer.split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        values = values
            .into_iter()
            .flat_map(|value| -> Vec<Value<'d>> {
                match (value.kind(), token) {
                    (Kind::Array, "*") => value.items().collect(),
                    (Kind::Object, "*") => value.members().map(|(_, member)| member).collect(),
                    (Kind::Array, _) => name.parse().ok().and_then(|at| value.items().nth(at)).into_iter().collect(),
                    _ => value.get(&name).into_iter().collect(),
                }
            })
            .collect();
    }
    values
}
