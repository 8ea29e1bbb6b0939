//! Documents that are flawless in themselves and tell of something else than their scenario.

use serde_json::{Value, json};

use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{items, set};

const DIFFERS: &[&str] = &["scenario/differs"];
const CONTENT: &[&str] = &["mavai/key-not-content"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("contract-renamed", "the document is of another service contract", DIFFERS, contract),
    Operator::new("input-of-other-run", "an input is quoted otherwise than it was given", DIFFERS, input),
    Operator::new("key-is-content", "a key holds the text of an input", CONTENT, key).may(DIFFERS),
];

fn contract(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    set(&mut draft.document, "", "serviceContractId", "another contract")?;
    Some("/serviceContractId".to_owned())
}

fn input(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    let at = pick(choice, (0..items(&draft.document, "/inputs").len()).collect())?;
    set(&mut draft.document, &format!("/inputs/{at}"), "inputExcerpt", "what nobody asked")?;
    Some(format!("/inputs/{at}/inputExcerpt"))
}

fn key(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let texts = draft.base.input.as_ref()?.get("inputs")?.as_array()?.iter().filter_map(Value::as_str);
    // What is shorter may well be a name.
    let long = texts.filter(|text| (12..200).contains(&text.chars().count())).map(str::to_owned).collect();
    let text: String = pick(choice, long)?;
    set(&mut draft.document, "/iterations/0", "resultProjection", json!({ text.as_str(): "passed" }))?;
    Some("/iterations/0/resultProjection".to_owned())
}
