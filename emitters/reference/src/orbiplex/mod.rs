//! The Orbiplex family: signed records of task-pack executions.

mod canonical;
mod scenario;
mod seal;

use serde_json::{Value, json};

use crate::Refusal;
use scenario::{Scenario, Step};
use seal::Host;

/// The only type of candidate that a host executes.
const CANDIDATE_TYPE: &str = "operator-task-experiment-candidate.v1";

/// The record of a scenario's input. When it is written does not matter: a record's time is that of the run, and the scenario states it.
pub fn emit(input: Value, _generated_at: &str) -> Result<String, Refusal> {
    let scenario = Scenario::read(input)?;
    let host = Host::from_seed(&scenario.signing_seed)?;
    let sealed = host.seal(record(&scenario, &host)?)?;
    // Alternate form for people; what is signed is the canonical form, whatever the document looks like.
    Ok(format!("{sealed:#}\n"))
}

/// The record but for its ref and its signature, which follow from the rest.
fn record(scenario: &Scenario, host: &Host) -> Result<Value, Refusal> {
    let mut record = json!({ "schema/v": 1, "query/id": scenario.query, "room/id": scenario.room });
    for (name, reference) in
        [("proposal", &scenario.proposal), ("review", &scenario.review), ("decision", &scenario.decision)]
    {
        record[format!("{name}/ref")] = json!(reference);
        record[format!("{name}/digest")] = json!(digest_of(name, reference)?);
    }
    let digest = &scenario.candidate.digest;
    record["candidate"] = json!({
        "artifact/type": CANDIDATE_TYPE,
        "ref": scenario.candidate.reference,
        "artifact-ref": address(digest),
        "digest": digest,
    });
    record["target"] = json!({
        "task-profile/ref": scenario.target.profile,
        "task-profile/digest": scenario.target.profile_digest,
        "binding/ref": scenario.target.binding,
    });
    if let Some(adoption) = &scenario.adoption {
        record["candidate/adoption-ref"] = json!(adoption);
    }
    record["plan/ref"] = json!(scenario.plan.reference);
    record["plan/digest"] = json!(scenario.plan.digest);
    record["run/ref"] = json!(scenario.run);
    if let Some(environment) = &scenario.environment {
        record["environment/ref"] = json!(environment);
    }
    let (outcome, code) = scenario.ended.outcome();
    record["outcome"] = json!(outcome);
    if let Some(code) = code {
        record["refusal/code"] = json!(code);
    }
    record["result/digest"] = json!(scenario.result);
    record["evidence"] = scenario.evidence().map(item).collect();
    record["host/node-id"] = json!(host.node_id());
    record["recorded-at"] = json!(scenario.recorded_at);
    record["idempotency/key"] = json!(scenario.idempotency_key);
    Ok(record)
}

/// An item of evidence: where the answer is kept, and nothing of what it says.
fn item(step: &Step) -> Value {
    json!({
        "step/id": step.id,
        "artifact-ref": address(&step.artifact),
        "digest": step.artifact,
        "environment/ref": step.environment,
    })
}

/// Where content with a digest is kept.
fn address(digest: &str) -> String {
    format!("object-store:{digest}")
}

/// The digest that a content-addressed ref ends with: `corpus-experiment:sha256:…` gives `sha256:…`.
fn digest_of<'a>(place: &str, reference: &'a str) -> Result<&'a str, Refusal> {
    reference.rfind("sha256:").and_then(|start| reference.get(start..)).ok_or_else(|| {
        Refusal::Broken(format!(
            "input/{place}: {reference:?} ends with no digest; expected `…:sha256:` and 43 characters"
        ))
    })
}
