//! Who withdrew, who sells what, and who signed.

use serde_json::{Map, Value, json};

use super::scenario::{CharterBox, Scenario, Signature};

/// The `withdrawn` of the document.
pub fn withdrawn(scenario: &Scenario) -> Value {
    let entry = |(tool, reason, at): (&str, &str, &str)| json!({ "tool": tool, "reason": reason, "withdrawn_at": at });
    scenario
        .tools
        .iter()
        .filter_map(|enrolment| {
            let withdrawal = enrolment.withdrawn.as_ref()?;
            Some(entry((&enrolment.tool, &withdrawal.reason, &withdrawal.withdrawn_at)))
        })
        .collect()
}

/// The `tool_vendors` of the document, withdrawn tools included.
pub fn vendors(scenario: &Scenario) -> Value {
    let known =
        scenario.tools.iter().filter_map(|enrolment| Some((enrolment.tool.clone(), json!(enrolment.vendor.as_ref()?))));
    Value::Object(known.collect::<Map<_, _>>())
}

/// The `validators` of the document. A box that a validator did not tick is false.
pub fn validators(scenario: &Scenario) -> Value {
    scenario.validators.iter().map(validator).collect()
}

fn validator(signature: &Signature) -> Value {
    let ticked = |of: CharterBox| signature.ticked.contains(&of);
    json!({
        "validator_id": signature.validator_id,
        "signed_at": signature.signed_at,
        "charter_version": signature.charter_version,
        "checks": {
            "corpus_frozen_before_collection": ticked(CharterBox::CorpusFrozenBeforeCollection),
            "test_and_threshold_preregistered": ticked(CharterBox::TestAndThresholdPreregistered),
            "no_tool_withdrawn_after_the_fact": ticked(CharterBox::NoToolWithdrawnAfterTheFact),
            "disagreements_arbitrated_by_the_written_rule": ticked(CharterBox::DisagreementsArbitratedByTheWrittenRule),
            "third_party_can_replay_from_the_frozen_corpus": ticked(CharterBox::ThirdPartyCanReplayFromTheFrozenCorpus),
        },
    })
}
