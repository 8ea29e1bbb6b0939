//! Structural operators: derived from the schema of a suite. Each breaks one demand of it at one place.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::choice::{Choice, pick};
use super::demand::{Node, Place, demands, places};
use super::operator::{Apply, Operator};
use super::place::{self, escaped};
use crate::schema::Schemas;
use crate::suite::Suite;

/// What a family may find beside a broken structure.
const FAMILY: &[&str] = &["mavai/", "torneo/", "orbiplex/"];
/// And where a pattern fixes the length as well.
const LENGTH: &[&str] = &["mavai/", "torneo/", "orbiplex/", "schema/pattern"];

const fn keyword(
    name: &'static str,
    what: &'static str,
    breaks: &'static [&'static str],
    keyword: &'static str,
) -> Operator {
    Operator { name, what, breaks, may: FAMILY, apply: Apply::Schema(keyword) }
}

/// One operator a keyword.
pub const OPERATORS: &[Operator] = &[
    keyword("required-dropped", "a required member is missing", &["schema/required"], "required"),
    keyword("type-changed", "a value has another type", &["schema/type"], "type"),
    keyword("const-changed", "a constant has another value", &["schema/const"], "const"),
    keyword("enum-left", "a value is outside its vocabulary", &["schema/enum"], "enum"),
    keyword("below-minimum", "a number is below its minimum", &["schema/minimum"], "minimum"),
    keyword("above-maximum", "a number is above its maximum", &["schema/maximum"], "maximum"),
    keyword(
        "at-exclusive-minimum",
        "a number is its exclusive minimum",
        &["schema/exclusiveMinimum"],
        "exclusiveMinimum",
    ),
    keyword(
        "at-exclusive-maximum",
        "a number is its exclusive maximum",
        &["schema/exclusiveMaximum"],
        "exclusiveMaximum",
    ),
    keyword("too-short", "a text is too short", &["schema/minLength"], "minLength"),
    // A pattern may fix the length as well.
    keyword("too-long", "a text is too long", &["schema/maxLength"], "maxLength").may(LENGTH),
    keyword("pattern-broken", "a text does not fit its pattern", &["schema/pattern"], "pattern"),
    keyword("format-broken", "a text does not fit its format", &["schema/format"], "format"),
    keyword("too-few-items", "an array has too few items", &["schema/minItems"], "minItems"),
    keyword("too-many-items", "an array has too many items", &["schema/maxItems"], "maxItems"),
    keyword("item-repeated", "an item stands twice in a set", &["schema/uniqueItems"], "uniqueItems"),
    keyword("emptied", "an object that must have members has none", &["schema/minProperties"], "minProperties"),
    keyword(
        "member-added",
        "a closed object has a member more",
        &["schema/additionalProperties"],
        "additionalProperties",
    ),
];

/// The keywords that operators break.
fn breakable() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().filter_map(|operator| match operator.apply {
        Apply::Schema(keyword) => Some(keyword),
        _ => None,
    })
}

/// The keywords that the schemas of a suite demand anything by.
pub fn keywords(schemas: &Schemas, suite: &Suite) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut seen: Vec<*const Value> = Vec::new();
    let ids = std::iter::once(suite.schema).chain(suite.parts.iter().map(|(_, id)| *id));
    let mut open: Vec<Node<'_>> = ids.filter_map(|id| Some(Node { file: id, schema: schemas.schema(id)? })).collect();
    while let Some(node) = open.pop() {
        let mut all = Vec::new();
        node.conjuncts(schemas, None, &mut all);
        for node in all {
            if seen.contains(&std::ptr::from_ref(node.schema)) {
                continue;
            }
            seen.push(node.schema);
            found.extend(breakable().filter(|keyword| demands(node.schema, keyword)));
            let members = node.schema.get("properties").and_then(Value::as_object);
            open.extend(members.into_iter().flat_map(serde_json::Map::values).map(|schema| node.child(schema)));
            let inner = ["items", "additionalProperties"].into_iter().filter_map(|key| node.schema.get(key));
            open.extend(inner.filter(|schema| schema.is_object()).map(|schema| node.child(schema)));
        }
    }
    found
}

/// Breaks a keyword's demand somewhere. Returns the pointer of the fault.
pub fn apply(
    keyword: &'static str,
    schemas: &Schemas,
    suite: &Suite,
    document: &mut Value,
    choice: &mut dyn Choice,
) -> Option<String> {
    // A place may offer nothing (a required member that is not the schema's to drop, say): then another one is tried.
    let mut places = places(schemas, suite, document, keyword);
    while !places.is_empty() {
        let at = choice.below(places.len());
        let place = places.swap_remove(at);
        if let Some(pointer) = broken(keyword, &place, document, choice) {
            return Some(pointer);
        }
    }
    None
}

fn broken(keyword: &str, place: &Place<'_>, document: &mut Value, choice: &mut dyn Choice) -> Option<String> {
    let (at, schema) = (place.at.as_str(), place.schema);
    let value = place::at_mut(document, at)?;
    let demand = schema.get(keyword)?;
    let limit = || demand.as_u64().and_then(|limit| usize::try_from(limit).ok());
    match keyword {
        "required" => {
            let members = value.as_object_mut()?;
            let present = demand.as_array()?.iter().filter_map(Value::as_str).filter(|key| members.contains_key(*key));
            let key = pick(choice, present.collect())?;
            members.shift_remove(key);
            return Some(format!("{at}/{}", escaped(key)));
        }
        "additionalProperties" => {
            let key = ["unexpected", "stdout", "output", "x-note"][choice.below(4)];
            value.as_object_mut()?.insert(key.to_owned(), json!("more than was asked for"));
            return Some(format!("{at}/{key}"));
        }
        "type" => {
            let strangers = [json!("text"), json!(17), json!(1.5), json!(true), json!([]), json!({}), Value::Null];
            let others = strangers.into_iter().filter(|other| !is_of(other, demand)).collect();
            *value = pick(choice, others)?;
        }
        "const" => *value = another(value, std::slice::from_ref(demand))?,
        "enum" => *value = another(value, demand.as_array()?)?,
        "minimum" => *value = shifted(value, demand, -1)?,
        "maximum" => *value = shifted(value, demand, 1)?,
        "exclusiveMinimum" | "exclusiveMaximum" => *value = shifted(value, demand, 0)?,
        "minLength" => *value = value.as_str()?.chars().take(limit()?.checked_sub(1)?).collect::<String>().into(),
        "maxLength" => {
            let text = value.as_str()?;
            let missing = (limit()? + 1).checked_sub(text.chars().count())?;
            *value = format!("{text}{}", "x".repeat(missing)).into();
        }
        "pattern" => {
            let text = value.as_str()?;
            *value = [format!("{text} ~"), format!("~ {text}")][choice.below(2)].clone().into();
        }
        "format" => *value = json!(["no such thing", "2026-02-30T00:00:00Z", "%"][choice.below(3)]),
        "minItems" => value.as_array_mut()?.truncate(limit()?.checked_sub(1)?),
        "maxItems" => {
            let items = value.as_array_mut()?;
            let model = items.first()?.clone();
            while items.len() <= limit()? {
                items.push(match &model {
                    Value::String(text) => format!("{text}{}", items.len()).into(),
                    other => other.clone(),
                });
            }
        }
        "uniqueItems" => {
            let most = schema.get("maxItems").and_then(Value::as_u64);
            let items = value.as_array_mut()?;
            let twin = items.first()?.clone();
            if most == Some(items.len() as u64) {
                let last = items.last_mut().filter(|last| **last != twin)?;
                *last = twin;
            } else {
                items.push(twin);
            }
        }
        "minProperties" => value.as_object_mut().filter(|members| !members.is_empty())?.clear(),
        _ => return None,
    }
    Some(at.to_owned())
}

/// Whether a value is of a type, or of one of several, as JSON Schema counts types.
fn is_of(value: &Value, types: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    };
    match types {
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        name => name.as_str().is_none_or(is),
    }
}

/// A value of the same type that is none of those allowed.
fn another(value: &Value, allowed: &[Value]) -> Option<Value> {
    let other = match value {
        Value::String(text) => format!("{text}-x").into(),
        Value::Bool(truth) => (!truth).into(),
        Value::Number(number) => (number.as_f64()? + 1.0).into(),
        _ => return None,
    };
    // A number keeps its kind: a schema of integers sees an integer.
    let other = match (&other, value.as_i64()) {
        (Value::Number(_), Some(integer)) => (integer + 1).into(),
        _ => other,
    };
    (!allowed.contains(&other)).then_some(other)
}

/// A number at a bound or past it.
fn shifted(value: &Value, bound: &Value, by: i64) -> Option<Value> {
    if !value.is_number() {
        return None;
    }
    match bound.as_i64() {
        Some(bound) => Some((bound + by).into()),
        None => Some((bound.as_f64()? + by as f64).into()),
    }
}
