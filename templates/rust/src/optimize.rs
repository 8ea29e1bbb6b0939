//! Your framework goes here.
//!
//! `optimize` gets what happened in a run, trial by trial, and returns the document's text. To test a framework, set it up so
//! that exactly this happens (a service that plays back each `response` and `event`, checks that answer as `checks` say, a
//! search that proposes each iteration's `factors`), run its own experiment, and return what it wrote, byte for byte. What it has no
//! way to do: `return Err(Refusal::Unsupported("latencies are measured and cannot be set".to_owned()))`.
//!
//! As it is, it works the document out by itself, and conforms.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use crate::Refusal;

/// Name, percentage, fewest passing samples that state it.
const PERCENTILES: [(&str, usize, usize); 3] = [("p50Ms", 50, 5), ("p95Ms", 95, 20), ("p99Ms", 99, 100)];
const LONGEST: usize = 256;
const EXEMPLARS: usize = 4;

pub fn optimize(run: &Value) -> Result<String, Refusal> {
    let iterations: Vec<Value> =
        list(&run["iterations"]).iter().enumerate().map(|(index, entry)| iteration(run, entry, index)).collect();
    let better = |a: f64, b: f64| if run["objective"] == "MAXIMIZE" { a > b } else { a < b };
    let mut best = 0;
    for (at, entry) in iterations.iter().enumerate() {
        if better(number(&entry["score"]), number(&iterations[best]["score"])) {
            best = at;
        }
    }
    let mut document = json!({
        "schemaVersion": "mavai-optimize-1",
        "serviceContractId": identity(text(&run["contract"])),
        "experimentId": identity(text(&run["experiment"])),
        "objective": run["objective"],
        "generatedAt": now(),
        "inputs": list(&run["inputs"]).iter().enumerate()
            .map(|(index, input)| json!({ "inputIndex": index, "inputExcerpt": excerpt(text(input)) })).collect::<Value>(),
        "convergence": {
            "totalIterations": iterations.len(),
            "bestIteration": best,
            "bestScore": iterations[best]["score"],
            "bestFactors": iterations[best]["factors"],
        },
        "iterations": iterations,
    });
    if run["scorer"] == "observed-pass-rate" {
        document["scorer"] = run["scorer"].clone();
    }
    // JSON is YAML.
    serde_json::to_string_pretty(&document).map_err(|error| Refusal::Failed(error.to_string()))
}

fn iteration(run: &Value, entry: &Value, index: usize) -> Value {
    let trials = list(&entry["trials"]);
    let criteria = list(&run["criteria"]);
    let reasons: Vec<Vec<Option<Reason>>> =
        trials.iter().map(|trial| criteria.iter().map(|criterion| judge(criterion, trial)).collect()).collect();
    let firsts: Vec<Option<Reason>> =
        reasons.iter().map(|by_criterion| by_criterion.iter().flatten().next().copied()).collect();
    let successes = firsts.iter().filter(|reason| reason.is_none()).count();
    let mut blocks = Map::new();
    for (at, criterion) in criteria.iter().enumerate() {
        let own: Vec<Option<Reason>> = reasons.iter().map(|by_criterion| by_criterion[at]).collect();
        let pass = own.iter().filter(|reason| reason.is_none()).count();
        let mut block = json!({ "observedPassRate": share(pass, own.len()), "pass": pass, "fail": own.len() - pass });
        distribute(&mut block, run, &own);
        block["standings"] = standings(run, criterion, trials);
        blocks.insert(identity(text(&criterion["name"])), block);
    }
    let mut statistics = json!({
        "observed": share(successes, trials.len()),
        "successes": successes,
        "failures": trials.len() - successes,
        "criteria": blocks,
    });
    distribute(&mut statistics, run, &firsts);
    let total = trials.iter().map(|trial| number(&trial["latencyMs"])).sum::<f64>().round() as u64;
    let factors = entry["factors"].as_object().into_iter().flatten();
    let mut result = json!({
        "iteration": index,
        "factors": factors.map(|(name, value)| (identity(name), value.clone())).collect::<Map<_, _>>(),
        "score": if run["scorer"] == "stated" { entry["score"].clone() } else { json!(share(successes, trials.len())) },
        "execution": {
            "samplesPlanned": run["samplesPlanned"],
            "samplesExecuted": trials.len(),
            "terminationReason": entry["termination"].as_str().unwrap_or("COMPLETED"),
        },
        "statistics": statistics,
        "cost": { "totalTimeMs": total, "avgTimePerSampleMs": total.checked_div(trials.len() as u64).unwrap_or(0) },
    });
    let passing = trials.iter().zip(&firsts).filter(|(_, reason)| reason.is_none()).map(|(trial, _)| &trial["latencyMs"]);
    let mut vector: Vec<&Value> = passing.collect();
    vector.sort_by(|a, b| number(a).total_cmp(&number(b)));
    if !vector.is_empty() {
        result["latency"] = latency(&vector, trials.len());
    }
    result
}

/// Why a trial fails.
#[derive(Clone, Copy, PartialEq)]
struct Reason<'r> {
    kind: &'static str,
    condition: &'r str,
    input: Option<u64>,
}

fn applies(check: &Value, input: &Value) -> bool {
    check["input"].is_null() || check["input"] == *input
}

/// Why a trial fails a criterion; `None` where it passes.
fn judge<'r>(criterion: &'r Value, trial: &'r Value) -> Option<Reason<'r>> {
    if let Some(event) = trial["event"].as_str() {
        let condition = match event {
            "deadline-elapsed" => "client-deadline",
            "http-504" => "peer-timeout",
            "empty-body" => "unusable-response",
            "http-500" | "http-502" | "http-503" => "server-error",
            _ => "unreachable",
        };
        return Some(Reason { kind: "delivery", condition, input: None });
    }
    let checks = list(&criterion["checks"]).iter().filter(|check| applies(check, &trial["input"]));
    let outcome = |check: &Value| &trial["checks"][text(&check["name"])];
    let optional = |check: &Value| check["optional"] == true;
    let missed: Vec<&Value> = checks.clone().filter(|check| outcome(check) != "pass").collect();
    let allowed = allowance(criterion["optionalSlack"].as_str().unwrap_or("0"), checks.filter(|check| optional(check)).count());
    let skipped = missed.iter().any(|check| outcome(check) == "skip");
    let required = missed.iter().find(|check| !optional(check));
    let culprit = required.or(missed.first().filter(|_| skipped || missed.len() > allowed))?;
    Some(Reason { kind: "evaluated", condition: text(&culprit["name"]), input: culprit["input"].as_u64() })
}

/// How many optional checks may fail: "2" is two, "20%" is a fifth of those that apply, rounded down.
fn allowance(slack: &str, applicable: usize) -> usize {
    match slack.strip_suffix('%') {
        Some(percentage) => percentage.parse::<usize>().unwrap_or(0) * applicable / 100,
        None => slack.parse().unwrap_or(0),
    }
}

fn distribute(block: &mut Value, run: &Value, reasons: &[Option<Reason>]) {
    let mut counts: Vec<(Reason, u64)> = Vec::new();
    for reason in reasons.iter().flatten() {
        match counts.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((*reason, 1)),
        }
    }
    let entry = |(reason, count): &(Reason, u64)| {
        let mut entry = json!({ "condition": identity(reason.condition), "kind": reason.kind, "count": count });
        if let Some(input) = reason.input {
            entry["inputIndex"] = json!(input);
            entry["inputExcerpt"] = json!(excerpt(text(&run["inputs"][input as usize])));
        }
        entry
    };
    if !counts.is_empty() {
        block["failureDistribution"] = counts.iter().map(entry).collect();
    }
}

fn standings(run: &Value, criterion: &Value, trials: &[Value]) -> Value {
    let mut rows = Vec::new();
    for input in (0..list(&run["inputs"]).len()).map(|index| json!(index)) {
        let driven: Vec<&Value> = trials.iter().filter(|trial| trial["input"] == input).collect();
        let checks = list(&criterion["checks"]).iter().filter(|check| applies(check, &input));
        rows.extend(checks.map(|check| row(check, &input, &driven)));
    }
    match criterion.get("optionalSlack") {
        Some(slack) => json!({ "optionalSlack": slack, "rows": rows }),
        None => json!({ "rows": rows }),
    }
}

fn row(check: &Value, input: &Value, trials: &[&Value]) -> Value {
    let outcome = |trial: &Value| trial["checks"][text(&check["name"])].as_str().unwrap_or("skip").to_owned();
    let count = |wanted: &str| trials.iter().filter(|trial| outcome(trial) == wanted).count();
    let mut exemplars: Vec<(bool, String, usize)> = Vec::new();
    for trial in trials.iter().filter(|trial| outcome(trial) != "skip") {
        let (held, shown) = (outcome(trial) == "pass", excerpt(text(&trial["response"])));
        match exemplars.iter_mut().find(|(known, excerpt, _)| *known == held && *excerpt == shown) {
            Some((_, _, count)) => *count += 1,
            None => exemplars.push((held, shown, 1)),
        }
    }
    // Failing ones come first.
    exemplars.sort_by_key(|(held, _, _)| *held);
    exemplars.truncate(EXEMPLARS);
    let elided = trials.len() - exemplars.iter().map(|(_, _, count)| count).sum::<usize>();
    let mut row = json!({
        "inputIndex": input,
        "check": identity(text(&check["name"])),
        "provenance": if check["input"].is_null() { "criterion" } else { "input" },
        "optional": check["optional"] == true,
        "passed": count("pass"),
        "failed": count("fail"),
        "skipped": count("skip"),
        "observedFraction": share(count("pass"), trials.len()),
    });
    if !exemplars.is_empty() {
        let exemplar = |(held, excerpt, count)| json!({ "excerpt": excerpt, "count": count, "held": held });
        row["observed"] = exemplars.into_iter().map(exemplar).collect();
    }
    if elided > 0 {
        row["elided"] = json!(elided);
    }
    row
}

fn latency(vector: &[&Value], total: usize) -> Value {
    let mut block =
        json!({ "basis": "passing-samples", "contributingSamples": vector.len(), "totalSamples": total });
    for (name, percentage, fewest) in PERCENTILES {
        if vector.len() >= fewest {
            // The rank counts from one; nothing is interpolated.
            block[name] = vector[(percentage * vector.len()).div_ceil(100) - 1].clone();
        }
    }
    block["sortedPassingLatenciesMs"] = vector.iter().map(|latency| (*latency).clone()).collect();
    block
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn excerpt(text: &str) -> String {
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST - 1).chain(['…']).collect() }
}

/// A declared name; where it is too long, its beginning and a hash of the whole, so that names that begin alike stay apart.
fn identity(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let fnv = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, fnv);
    format!("{}~{hash:016x}", name.chars().take(LONGEST - 17).collect::<String>())
}

/// The time in UTC, as RFC 3339 writes it.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March end with the leap day: counted from 1 March of the year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (era * 400 + year, month + 3) } else { (era * 400 + year + 1, month - 9) };
    format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", time / 3_600, time / 60 % 60, time % 60)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
