//! Explore documents that do not belong together. Each is judged beside the valid one.

use serde_json::{Value, json};

use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{remove, rename, set};

const DISTINCT: &[&str] = &["mavai/configurations-distinct"];
const BASE: &[&str] = &["mavai/base-configuration-single"];
const STATED: &[&str] = &["mavai/factors-stated"];
const ALIKE: &[&str] = &["mavai/factor-keys-alike"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("configuration-repeated", "two documents are of one configuration", DISTINCT, repeated),
    Operator::new("second-base", "two configurations are the base", BASE, second_base),
    Operator::new("factors-dropped", "one of two configurations states no factors", STATED, no_factors),
    Operator::new("factor-dropped", "one of two configurations lacks a factor", ALIKE, factor_dropped),
    Operator::new("factor-added", "one of two configurations has a factor more", ALIKE, factor_added),
    Operator::new("factor-renamed", "one of two configurations calls a factor otherwise", ALIKE, factor_renamed),
];

/// Puts the valid document beside the draft; the draft is then another configuration of the same experiment.
fn beside(draft: &mut Draft<'_>) -> Option<()> {
    let document = &mut draft.document;
    // Without factors it can stand alone, but not beside another.
    document.get("factors")?;
    draft.twin = Some(document.clone());
    let other = format!("{:.200}, again", document.get("configuration")?.as_str()?);
    set(document, "", "configuration", other)?;
    remove(document, "", "baseConfiguration");
    Some(())
}

fn repeated(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    let name = draft.twin.as_ref()?.get("configuration")?.clone();
    set(&mut draft.document, "", "configuration", name)?;
    Some("/configuration".to_owned())
}

fn second_base(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    set(draft.twin.as_mut()?, "", "baseConfiguration", true)?;
    set(&mut draft.document, "", "baseConfiguration", true)?;
    Some("/baseConfiguration".to_owned())
}

fn no_factors(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    remove(&mut draft.document, "", "factors")?;
    Some(String::new())
}

fn factors(draft: &Draft<'_>) -> Option<Vec<String>> {
    Some(draft.document.get("factors").and_then(Value::as_object)?.keys().cloned().collect())
}

fn factor_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    let key = pick(choice, factors(draft).filter(|keys| keys.len() > 1)?)?;
    remove(&mut draft.document, "/factors", &key)?;
    Some("/factors".to_owned())
}

fn factor_added(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    factors(draft)?;
    set(&mut draft.document, "/factors", "retries", json!(3))?;
    Some("/factors".to_owned())
}

fn factor_renamed(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    beside(draft)?;
    let key = pick(choice, factors(draft)?)?;
    rename(&mut draft.document, "/factors", &key, "seed of the sampler")?;
    Some("/factors".to_owned())
}
