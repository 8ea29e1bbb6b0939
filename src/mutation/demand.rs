//! Where a schema demands something of a document: the places, and the schema nodes that speak of them.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::place::{self, escaped};
use crate::schema::Schemas;
use crate::suite::Suite;

/// A schema node, and the file that it stands in.
#[derive(Clone, Copy)]
pub(super) struct Node<'s> {
    pub(super) file: &'s str,
    pub(super) schema: &'s Value,
}

impl<'s> Node<'s> {
    /// Adds the nodes that say what holds at the same place: itself, what it refers to, its conjuncts, and what follows from a
    /// condition that the value meets (from any condition, where there is no value).
    pub(super) fn conjuncts(self, schemas: &'s Schemas, value: Option<&Value>, all: &mut Vec<Node<'s>>) {
        let add = |node: Node<'s>, all: &mut Vec<Node<'s>>| {
            if !all.iter().any(|other| std::ptr::eq(other.schema, node.schema)) {
                all.push(node);
            }
        };
        let mut at = all.len();
        add(self, all);
        while let Some(&node) = all.get(at) {
            at += 1;
            let Value::Object(demands) = node.schema else { continue };
            let referred = demands.get("$ref").and_then(Value::as_str);
            if let Some(node) = referred.and_then(|target| node.referred(target, schemas)) {
                add(node, all);
            }
            for part in demands.get("allOf").and_then(Value::as_array).into_iter().flatten() {
                add(node.child(part), all);
            }
            if let (Some(condition), Some(then)) = (demands.get("if"), demands.get("then"))
                && value.is_none_or(|value| is_met(condition, value))
            {
                add(node.child(then), all);
            }
        }
    }

    fn referred(self, target: &'s str, schemas: &'s Schemas) -> Option<Node<'s>> {
        let (file, pointer) = target.split_once('#').unwrap_or((target, ""));
        let file = if file.is_empty() { self.file } else { file.rsplit('/').next()?.strip_suffix(".schema.json")? };
        Some(Node { file, schema: schemas.schema(file)?.pointer(pointer)? })
    }

    fn has(self, keyword: &str) -> bool {
        self.schema.get(keyword).is_some()
    }

    pub(super) fn child(self, schema: &'s Value) -> Node<'s> {
        Node { schema, ..self }
    }

    /// The schema of a member, if it has one of its own.
    fn member(self, key: &str) -> Option<Node<'s>> {
        let own = self.schema.get("properties").and_then(|properties| properties.get(key));
        own.or_else(|| self.schema.get("additionalProperties").filter(|rest| rest.is_object()))
            .map(|schema| self.child(schema))
    }
}

/// Whether a node demands something by a keyword that an operator can break without breaking another demand beside it.
pub(super) fn demands(schema: &Value, keyword: &str) -> bool {
    let Some(demand) = schema.get(keyword) else { return false };
    let has = |keyword: &str| schema.get(keyword).is_some();
    let exact = || has("const") || has("enum");
    match keyword {
        "minLength" | "format" => !exact() && !has("pattern"),
        "maxLength" | "pattern" => !exact() && !has("format"),
        "minProperties" => !has("required"),
        "additionalProperties" => *demand == Value::Bool(false),
        "uniqueItems" => *demand == Value::Bool(true),
        _ => true,
    }
}

/// A place in a document where a schema node demands something.
pub(super) struct Place<'s> {
    pub(super) at: String,
    pub(super) schema: &'s Value,
}

/// Every place of a document where a keyword's demand can be broken.
pub(super) fn places<'s>(schemas: &'s Schemas, suite: &'s Suite, document: &Value, keyword: &str) -> Vec<Place<'s>> {
    let mut walk = Walk { schemas, keyword, at: String::new(), found: Vec::new(), reach: HashMap::new() };
    let mut from = |id: &'s str, at: String| {
        if let (Some(schema), Some(value)) = (schemas.schema(id), place::at(document, &at)) {
            walk.at = at;
            walk.collect(&[Node { file: id, schema }], value);
        }
    };
    from(suite.schema, String::new());
    for (pattern, id) in suite.parts {
        place::matching(document, pattern).into_iter().for_each(|at| from(id, at));
    }
    walk.found
}

/// A walk through a document, along the schema nodes that speak of its values.
struct Walk<'s, 'k> {
    schemas: &'s Schemas,
    keyword: &'k str,
    /// Pointer of the value that the walk is at.
    at: String,
    found: Vec<Place<'s>>,
    /// Whether the keyword demands anything at a schema node or below it, by the node's address: most keywords are rare.
    reach: HashMap<*const Value, bool>,
}

impl<'s> Walk<'s, '_> {
    /// Collects from a value that several nodes speak of.
    fn collect(&mut self, nodes: &[Node<'s>], value: &Value) {
        let mut all: Vec<Node<'s>> = Vec::with_capacity(8);
        nodes.iter().for_each(|node| node.conjuncts(self.schemas, Some(value), &mut all));
        let own: Vec<&Node<'s>> = all.iter().filter(|node| demands(node.schema, self.keyword)).collect();
        // A constant or a vocabulary says all there is to say of a value.
        let exact = || ["const", "enum"].into_iter().find(|exact| all.iter().any(|node| node.has(exact)));
        if !own.is_empty() && exact().is_none_or(|exact| self.keyword == exact || self.keyword == "type") {
            self.found.extend(own.into_iter().map(|node| Place { at: self.at.clone(), schema: node.schema }));
        }
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    let inner: Vec<Node<'s>> = all.iter().filter_map(|node| node.member(key)).collect();
                    self.descend(&inner, member, |at| {
                        let _ = write!(at, "/{}", escaped(key));
                    });
                }
            }
            Value::Array(items) => {
                let inner: Vec<Node<'s>> =
                    all.iter().filter_map(|node| Some(node.child(node.schema.get("items")?))).collect();
                for (index, item) in items.iter().enumerate() {
                    self.descend(&inner, item, |at| {
                        let _ = write!(at, "/{index}");
                    });
                }
            }
            _ => {}
        }
    }

    fn reaches(&mut self, node: Node<'s>) -> bool {
        let address = std::ptr::from_ref(node.schema);
        if let Some(&known) = self.reach.get(&address) {
            return known;
        }
        // Until more is known, a schema that refers to itself is walked.
        self.reach.insert(address, true);
        let mut all = Vec::new();
        node.conjuncts(self.schemas, None, &mut all);
        let below = |node: &Node<'s>| {
            let node = *node;
            let members = node.schema.get("properties").and_then(Value::as_object);
            let inner = ["items", "additionalProperties"].into_iter().filter_map(move |key| node.schema.get(key));
            members.into_iter().flat_map(serde_json::Map::values).chain(inner).map(move |schema| node.child(schema))
        };
        let reaches = all.iter().any(|node| demands(node.schema, self.keyword))
            || all.iter().flat_map(below).collect::<Vec<_>>().into_iter().any(|inner| self.reaches(inner));
        self.reach.insert(address, reaches);
        reaches
    }

    fn descend(&mut self, nodes: &[Node<'s>], value: &Value, step: impl FnOnce(&mut String)) {
        if !nodes.iter().any(|node| self.reaches(*node)) {
            return;
        }
        let length = self.at.len();
        step(&mut self.at);
        self.collect(nodes, value);
        self.at.truncate(length);
    }
}

/// Whether a value meets a condition, as far as the suites' schemas have conditions: members that are there and are a constant, of a
/// vocabulary, or past a bound.
fn is_met(condition: &Value, value: &Value) -> bool {
    let present = condition.get("required").and_then(Value::as_array);
    if present.into_iter().flatten().filter_map(Value::as_str).any(|key| value.get(key).is_none()) {
        return false;
    }
    let members = condition.get("properties").and_then(Value::as_object);
    members.into_iter().flatten().all(|(key, demand)| {
        let Some(member) = value.get(key) else { return true };
        let past = |keyword: &str, holds: fn(f64, f64) -> bool| match (
            demand.get(keyword).and_then(Value::as_f64),
            member.as_f64(),
        ) {
            (Some(bound), Some(number)) => holds(number, bound),
            _ => true,
        };
        demand.get("const").is_none_or(|constant| constant == member)
            && demand.get("enum").and_then(Value::as_array).is_none_or(|words| words.contains(member))
            && past("exclusiveMinimum", |number, bound| number > bound)
            && past("minimum", |number, bound| number >= bound)
    })
}
