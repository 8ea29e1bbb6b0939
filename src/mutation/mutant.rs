//! Mutants: documents broken by one operator.

use serde_json::Value;

use super::base::{self, Base};
use super::choice::Choice;
use super::operator::{Apply, Draft, Operator};
use super::{place, structural};
use crate::schema::Schemas;
use crate::suite::Suite;

/// A document broken by one operator.
#[derive(Clone)]
pub struct Mutant {
    pub suite: &'static Suite,
    pub operator: &'static Operator,
    /// JSON Pointer of the fault; of what is missing, where it should stand. Empty for a fault of the text.
    pub pointer: String,
    pub bytes: Vec<u8>,
    /// The broken values, unless the fault is of the text.
    pub document: Option<Value>,
    /// A valid document that it is judged beside, where the fault only shows so.
    pub twin: Option<Value>,
    /// The scenario's input, where the fault only shows against it.
    pub input: Option<Value>,
}

/// Breaks a valid document by an operator; `None` where the document offers no place for it.
pub fn break_by(
    operator: &'static Operator,
    base: &Base,
    schemas: &Schemas,
    choice: &mut dyn Choice,
) -> Option<Mutant> {
    let mut draft = Draft { base, document: Value::Null, twin: None };
    let pointer = match operator.apply {
        Apply::Text(apply) => {
            let bytes = apply(base, choice)?;
            let (suite, pointer) = (base.suite, String::new());
            return Some(Mutant { suite, operator, pointer, bytes, document: None, twin: None, input: None });
        }
        Apply::Tree(apply) => {
            draft.document = base.document().clone();
            apply(&mut draft, choice)?
        }
        Apply::Schema(keyword) => {
            draft.document = base.document().clone();
            structural::apply(keyword, schemas, base.suite, &mut draft.document, choice)?
        }
    };
    let Draft { document, twin, .. } = draft;
    let document = sealed(operator, base.suite, document, &pointer);
    Some(Mutant {
        suite: base.suite,
        operator,
        pointer,
        bytes: base::compact(&document),
        document: Some(document),
        twin,
        input: is_told_by_scenario(operator, base.suite).then(|| base.input.clone()).flatten(),
    })
}

/// The document sealed again, so that only the intended fault shows; as it is where the seal itself is at fault.
fn sealed(operator: &Operator, suite: &Suite, document: Value, pointer: &str) -> Value {
    let family = suite.family();
    if !family.seals() {
        return document;
    }
    let mut sealed = document.clone();
    match family.seal(suite, operator.obligation(), &mut sealed) {
        Ok(()) if place::at(&sealed, pointer) == place::at(&document, pointer) => sealed,
        _ => document,
    }
}

/// Whether an operator's fault shows only against a scenario.
pub fn is_told_by_scenario(operator: &Operator, suite: &Suite) -> bool {
    let id = operator.obligation();
    id.starts_with("scenario/") || suite.family().scenario_rules(suite).iter().any(|rule| rule.id == id)
}
