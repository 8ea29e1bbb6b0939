//! Generated inputs of mavai scenarios.

use serde_json::{Map, Value, json};

use crate::mutation::choice::{Choice, word};

const NAMES: &[&str] =
    &["format", "tone", "total", "currency", "brevity", "yes", "1:20", "naïve: set", "#5", "{braces}"];
const CHECKS: &[&str] =
    &["parses as JSON", "names a total", "stays polite", "is short", "has - dashes", "null", "prices: all"];
const TEXTS: &[&str] = &[
    "two apples",
    "a pear and nothing else at all",
    "żółć",
    "line one\nline two",
    "",
    "  spaces  ",
    "/not/a",
    "\"quoted\"",
];
const EVENTS: &[&str] = &[
    "name-resolution-failed",
    "connection-refused",
    "deadline-elapsed",
    "http-500",
    "http-502",
    "http-503",
    "http-504",
    "empty-body",
];

struct Check {
    name: String,
    optional: bool,
    input: Option<usize>,
}

/// An input that the family's scenarios may have. The fewer and smaller the choices, the smaller the run.
pub fn input(choice: &mut dyn Choice) -> Value {
    let inputs = choice.between(1, 5);
    let criteria = criteria(choice, inputs);
    let stated = choice.once_in(4);
    let planned = if choice.once_in(6) { choice.between(0, 110) } else { choice.between(0, 24) };
    let iterations: Vec<Value> =
        (0..choice.between(1, 5)).map(|at| iteration(choice, at, planned, inputs, &criteria, stated)).collect();
    let written: Vec<Value> =
        criteria.iter().map(|(name, slack, checks)| criterion(name, slack.as_deref(), checks)).collect();
    json!({
        "contract": word(choice, &["basket", "shop", "żółć basket"]),
        "experiment": word(choice, &["sweep", "grid of models"]),
        "objective": word(choice, &["MAXIMIZE", "MINIMIZE"]),
        "scorer": if stated { "stated" } else { "observed-pass-rate" },
        "clock": word(choice, &["virtual", "real"]),
        "samplesPlanned": planned,
        "inputs": (0..inputs).map(|at| format!("{}{}", word(choice, TEXTS), ["", " ."][at % 2])).collect::<Vec<_>>(),
        "criteria": written,
        "iterations": iterations,
    })
}

type Criterion = (String, Option<String>, Vec<Check>);

fn criteria(choice: &mut dyn Choice, inputs: usize) -> Vec<Criterion> {
    let first = choice.below(NAMES.len());
    (0..choice.between(1, 4))
        .map(|at| {
            let name = NAMES[(first + at) % NAMES.len()].to_owned();
            let slack = match choice.below(4) {
                0 | 1 => None,
                2 => Some(choice.below(3).to_string()),
                _ => Some(format!("{}%", choice.below(101))),
            };
            (name, slack, checks(choice, inputs))
        })
        .collect()
}

/// Checks of a criterion: one of every input at least, no name twice for one input.
fn checks(choice: &mut dyn Choice, inputs: usize) -> Vec<Check> {
    let first = choice.below(CHECKS.len());
    let mut checks: Vec<Check> = (0..choice.between(1, 3))
        .map(|at| Check {
            name: CHECKS[(first + at) % CHECKS.len()].to_owned(),
            optional: choice.once_in(3),
            input: None,
        })
        .collect();
    if choice.once_in(4) {
        let name = "states its price".to_owned();
        checks.push(Check { name, optional: choice.once_in(3), input: Some(choice.below(inputs)) });
    }
    checks
}

fn criterion(name: &str, slack: Option<&str>, checks: &[Check]) -> Value {
    let checks: Vec<Value> = checks
        .iter()
        .map(|check| {
            let mut written = json!({ "name": check.name });
            if check.optional {
                written["optional"] = true.into();
            }
            if let Some(input) = check.input {
                written["input"] = input.into();
            }
            written
        })
        .collect();
    let mut written = json!({ "name": name, "checks": checks });
    if let Some(slack) = slack {
        written["optionalSlack"] = slack.into();
    }
    written
}

fn iteration(
    choice: &mut dyn Choice,
    at: usize,
    planned: usize,
    inputs: usize,
    criteria: &[Criterion],
    stated: bool,
) -> Value {
    let cut_short = planned > 0 && choice.once_in(5);
    let executed = if cut_short { choice.below(planned) } else { planned };
    // Some runs pass nearly always, some hardly ever.
    let failing = choice.below(4);
    let trials: Vec<Value> = (0..executed).map(|index| trial(choice, index % inputs, criteria, failing)).collect();
    let mut factors = Map::new();
    factors.insert("temperature".to_owned(), json!(choice.below(11) as f64 / 10.0));
    if choice.once_in(2) {
        factors.insert("model".to_owned(), json!(word(choice, &["small", "yes", "2026-01-01"])));
    }
    if choice.once_in(3) {
        factors.insert("stream".to_owned(), json!(at.is_multiple_of(2)));
    }
    let mut written = json!({ "factors": factors, "trials": trials });
    if cut_short {
        written["termination"] = word(choice, &["TIME_BUDGET_EXHAUSTED", "CANCELLED"]).into();
    }
    if stated {
        written["score"] = json!(choice.below(41) as f64 / 20.0 - 0.5);
    }
    written
}

/// One trial. A check that two criteria share has one outcome; in each, a skip follows a failure.
fn trial(choice: &mut dyn Choice, input: usize, criteria: &[Criterion], failing: usize) -> Value {
    let latency = if choice.once_in(9) { json!(choice.below(9_000) as f64 / 8.0) } else { json!(choice.below(300)) };
    if failing > 0 && choice.once_in(12) {
        return json!({ "input": input, "latencyMs": latency, "event": word(choice, EVENTS) });
    }
    let mut outcomes: Map<String, Value> = Map::new();
    for (_, _, checks) in criteria {
        for check in checks.iter().filter(|check| check.input.is_none_or(|own| own == input)) {
            if !outcomes.contains_key(&check.name) {
                let fails = choice.below(12) < failing * 2;
                outcomes.insert(check.name.clone(), json!(if fails { "fail" } else { "pass" }));
            }
        }
    }
    // What is skipped must be skippable in every criterion that holds it; only checks of one criterion are.
    for (index, (_, _, checks)) in criteria.iter().enumerate() {
        let mut failed = false;
        for check in checks.iter().filter(|check| check.input.is_none_or(|own| own == input)) {
            let shared = criteria
                .iter()
                .enumerate()
                .any(|(other, (_, _, its))| other != index && its.iter().any(|its| its.name == check.name));
            if failed && !shared && failing > 1 {
                outcomes.insert(check.name.clone(), json!("skip"));
            }
            failed |= outcomes.get(&check.name).is_some_and(|outcome| outcome == "fail");
        }
    }
    let response = word(choice, &["{\"total\": 3}", "With pleasure.", "<html>", "żółć\nand more", ""]);
    json!({ "input": input, "latencyMs": latency, "response": response, "checks": outcomes })
}
