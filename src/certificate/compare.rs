//! Differences between what a certificate says and what was derived again, in words.

use serde_json::Value;

use super::statement::{Found, NamedDigest, ScenarioResult, Suite};
use crate::run::score::MutationScore;

/// Findings of one scenario that are named before the rest is counted.
const NAMED: usize = 5;

/// Longest value that a message quotes.
const QUOTED: usize = 120;

pub(super) fn suite(entered: &Suite, own: &Suite, differences: &mut Vec<String>) {
    let id = &entered.id;
    if (entered.scenarios, &entered.sha256) != (own.scenarios, &own.sha256) {
        differences.push(format!(
            "{id}: its {} scenarios have the digest {}, and here there are {} with {}; give the suite's own with --suites, or use \
             the conform that issued the certificate",
            entered.scenarios, entered.sha256, own.scenarios, own.sha256
        ));
    }
    let names =
        |schemas: &[NamedDigest]| schemas.iter().map(|schema| schema.name.clone()).collect::<Vec<_>>().join(", ");
    for schema in &entered.schemas {
        match own.schemas.iter().find(|other| other.name == schema.name) {
            Some(other) if other == schema => {}
            Some(other) => differences.push(format!(
                "{id}: the schema {} has the digest {}, and here {}",
                schema.name, schema.sha256, other.sha256
            )),
            None => differences.push(format!("{id}: the schema {} is not here", schema.name)),
        }
    }
    if entered.schemas.len() < own.schemas.len() {
        differences.push(format!("{id}: here there are the schemas {}", names(&own.schemas)));
    }
    if entered.obligations != own.obligations {
        differences.push(format!(
            "{id}: its {} obligations have the digest {}, and here there are {} with {}",
            entered.obligations.count, entered.obligations.sha256, own.obligations.count, own.obligations.sha256
        ));
    }
}

/// What is said otherwise of how well suites notice what is broken.
pub(super) fn mutation(entered: &[MutationScore], own: &[MutationScore], differences: &mut Vec<String>) {
    for score in own {
        let suite = &score.suite;
        match entered.iter().filter(|other| other.suite == *suite).collect::<Vec<_>>().as_slice() {
            [] => differences.push(format!("{suite}: the certificate states none, and here it is {}", score.told())),
            [same] if *same == score => {}
            [other] => {
                let before = differences.len();
                if let (Ok(entered), Ok(own)) = (serde_json::to_value(other), serde_json::to_value(score)) {
                    members(&format!("{suite}: "), &entered, &own, &[], differences);
                }
                if differences.len() == before {
                    differences.push(format!("{suite}: differs"));
                }
            }
            _ => differences.push(format!("{suite} stands there twice")),
        }
    }
    for other in entered.iter().filter(|other| own.iter().all(|score| score.suite != other.suite)) {
        differences.push(format!("{} is no suite that was judged by", other.suite));
    }
    if differences.is_empty() && entered != own {
        differences.push("the scores are in another order".to_owned());
    }
}

/// What is said otherwise in a result that was derived again.
pub(super) fn result(entered: &ScenarioResult, derived: &ScenarioResult) -> Vec<String> {
    let subject = &entered.subject;
    let mut differences = Vec::new();
    if entered.verdict != derived.verdict {
        differences.push(format!(
            "{subject}: {} in the certificate, {} when judged again",
            entered.verdict.as_str(),
            derived.verdict.as_str()
        ));
    }
    let only = |these: &[Found], those: &[Found], what: &str, differences: &mut Vec<String>| {
        let missing: Vec<&Found> = these.iter().filter(|found| !those.contains(found)).collect();
        for found in missing.iter().take(NAMED) {
            differences.push(format!("{subject}: {what}: {} ({})", found.obligation, found.message));
        }
        if missing.len() > NAMED {
            differences.push(format!("{subject}: {what}: {} more", missing.len() - NAMED));
        }
    };
    only(&entered.findings, &derived.findings, "found no more", &mut differences);
    only(&derived.findings, &entered.findings, "found now", &mut differences);
    if differences.is_empty() && entered != derived {
        match (serde_json::to_value(entered), serde_json::to_value(derived)) {
            (Ok(entered), Ok(derived)) => members(&format!("{subject}: "), &entered, &derived, &[], &mut differences),
            _ => differences.push(format!("{subject}: differs")),
        }
    }
    differences
}

/// What a statement says otherwise than follows. Its suites, their scores and the results are compared on their own.
pub(super) fn statement(entered: &Value, derived: &Value, differences: &mut Vec<String>) {
    members("", entered, derived, &["predicate"], differences);
    if let (Some(entered), Some(derived)) = (entered.get("predicate"), derived.get("predicate")) {
        members("", entered, derived, &["suites", "mutation", "results"], differences);
    }
}

fn members(lead: &str, entered: &Value, derived: &Value, but: &[&str], differences: &mut Vec<String>) {
    let (Some(entered), Some(derived)) = (entered.as_object(), derived.as_object()) else { return };
    let added = derived.keys().filter(|name| !entered.contains_key(*name));
    for name in entered.keys().chain(added).filter(|name| !but.contains(&name.as_str())) {
        let (entered, derived) = (entered.get(name), derived.get(name));
        match (entered, derived) {
            (entered, derived) if entered == derived => {}
            (Some(Value::Array(entered)), Some(Value::Array(derived))) => {
                items(&format!("{lead}{name}"), entered, derived, differences);
            }
            _ => differences.push(format!(
                "{lead}{name} is {} in the certificate, {} when derived",
                brief(entered),
                brief(derived)
            )),
        }
    }
}

/// What one of two lists has and the other has not.
fn items(name: &str, entered: &[Value], derived: &[Value], differences: &mut Vec<String>) {
    let before = differences.len();
    for (these, those, what) in
        [(entered, derived, "does not follow"), (derived, entered, "follows, and the certificate does not say it")]
    {
        let only: Vec<&Value> = these.iter().filter(|item| !those.contains(item)).collect();
        for item in only.iter().take(NAMED) {
            differences.push(format!("{name}: {} {what}", brief(Some(item))));
        }
        if only.len() > NAMED {
            differences.push(format!("{name}: {} more, of which the same is true", only.len() - NAMED));
        }
    }
    if differences.len() == before {
        differences.push(format!("{name} is in another order, or has something twice"));
    }
}

fn brief(value: Option<&Value>) -> String {
    let Some(value) = value else { return "absent".to_owned() };
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}
