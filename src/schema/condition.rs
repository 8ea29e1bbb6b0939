//! Conditions under which a schema demands something: `if` beside `then`, in words where it is simple.

use serde_json::{Map, Value};

use super::cause::{Cause, Demand, SchemaPlace};
use super::files::SchemaFiles;
use super::words;

/// The `if` on which a missing member is required.
pub(super) struct Condition<'f> {
    tests: &'f Map<String, Value>,
}

impl<'f> Condition<'f> {
    /// The condition of a cause: only where a member is missing that a `then` requires, on what other members say.
    pub(super) fn of(cause: &Cause, files: &'f SchemaFiles) -> Option<Self> {
        let Demand::Required(_) = cause.demand else { return None };
        let SchemaPlace { address, pointer } = cause.schema.as_ref()?;
        let branch = pointer.strip_suffix("/then/required")?;
        let schema = files.at(address)?.schema().ok()?;
        let tests = schema.pointer(branch)?.get("if")?.get("properties")?.as_object()?;
        Some(Condition { tests })
    }

    /// The members that decide it.
    pub(super) fn members(&self) -> impl Iterator<Item = &'f str> {
        self.tests.keys().map(String::as_str)
    }

    /// The condition in words, to follow "when"; `None` where it is not simple.
    pub(super) fn words(&self) -> Option<String> {
        let tests: Option<Vec<String>> = self.tests.iter().map(|(member, test)| in_words(member, test)).collect();
        tests.map(|tests| tests.join(" and "))
    }
}

fn in_words(member: &str, test: &Value) -> Option<String> {
    let [(keyword, operand)] = test.as_object()?.iter().collect::<Vec<_>>()[..] else { return None };
    let is = match (keyword.as_str(), operand) {
        ("const", value) => words::json(value),
        ("enum", Value::Array(values)) => words::list(values.iter().map(words::json), "or"),
        ("minimum", limit) => format!("at least {limit}"),
        ("maximum", limit) => format!("at most {limit}"),
        ("exclusiveMinimum", limit) => format!("greater than {limit}"),
        ("exclusiveMaximum", limit) => format!("less than {limit}"),
        _ => return None,
    };
    Some(format!("`{member}` is {is}"))
}
