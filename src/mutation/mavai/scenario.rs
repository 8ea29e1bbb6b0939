//! Documents that are flawless in themselves and tell of something else than their scenario.

use serde_json::{Value, json};

use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::set;

const DIFFERS: &[&str] = &["scenario/differs"];
const CONTENT: &[&str] = &["mavai/key-not-content"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("contract-renamed", "the document is of another service contract", DIFFERS, contract),
    Operator::new(
        "experiment-renamed",
        "the document is of another experiment, or, where it names none, of another service",
        DIFFERS,
        experiment,
    ),
    Operator::new("key-is-content", "a key holds the text of an input", CONTENT, key).may(DIFFERS),
];

fn contract(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    set(&mut draft.document, "", "serviceContractId", "another contract")?;
    Some("/serviceContractId".to_owned())
}

fn experiment(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    let name = if draft.document.get("experimentId").is_some() { "experimentId" } else { "serviceName" };
    set(&mut draft.document, "", name, "another one")?;
    Some(format!("/{name}"))
}

fn key(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let texts = draft.base.input.as_ref()?.get("inputs")?.as_array()?.iter().filter_map(Value::as_str);
    // What is shorter may well be a name.
    let long = texts.filter(|text| (12..200).contains(&text.chars().count())).map(str::to_owned).collect();
    let text: String = pick(choice, long)?;
    let run = if draft.document.get("iterations").is_some() { "/iterations/0" } else { "" };
    set(&mut draft.document, run, "resultProjection", json!({ text.as_str(): "passed" }))?;
    Some(format!("{run}/resultProjection"))
}
