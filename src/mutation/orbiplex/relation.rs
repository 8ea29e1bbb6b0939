//! Records that do not go with the documents that they name. They bite where those documents are at hand.

use serde_json::Value;

use super::stray_digest;
use crate::family::orbiplex::example;
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{remove, set};

const CANDIDATE: &[&str] = &["orbiplex/relation-candidate"];
const DIGEST: &[&str] = &["orbiplex/artifact-digest"];
const AGREES: &[&str] = &["orbiplex/artifact-agrees"];
/// A plan or a result that is not the run's may be another one that is at hand.
const ARTIFACT: &[&str] = &["orbiplex/artifact-"];

pub const OPERATORS: &[Operator] = &[
    Operator::new(
        "decision-edited",
        "the decision was changed after it was signed",
        &["orbiplex/relation-digest"],
        edited_decision,
    ),
    Operator::new("target-other", "what was proposed was meant for another target", CANDIDATE, other_target)
        .may(ARTIFACT),
    Operator::new("candidate-other", "another candidate was run than was reviewed", CANDIDATE, other_candidate)
        .may(ARTIFACT),
    Operator::new(
        "decision-over-other-review",
        "the decision is over another review",
        &["orbiplex/relation-chain"],
        other_review,
    ),
    Operator::new(
        "decision-not-admitting",
        "the decision did not admit the experiment",
        &["orbiplex/relation-verdict"],
        not_admitted,
    ),
    Operator::new("decision-of-other-room", "the decision is of another room", &["orbiplex/relation-room"], other_room),
    Operator::new(
        "adoption-dropped",
        "a historical proposal was run without an adoption",
        &["orbiplex/relation-adoption"],
        no_adoption,
    ),
    Operator::new("result-digest-other", "the result has another digest", DIGEST, other_result),
    Operator::new("plan-digest-other", "the result is of another plan", AGREES, other_plan).may(ARTIFACT),
    Operator::new("outcome-other", "the result says another outcome", AGREES, other_outcome).may(ARTIFACT),
    Operator::new("evidence-of-no-step", "evidence is of a step that the run did not have", AGREES, no_step)
        .may(ARTIFACT),
];

/// The documents that records of the suite may refer to.
fn related() -> impl Iterator<Item = Value> {
    example::RELATED.iter().filter_map(|(_, text)| serde_json::from_str(text).ok())
}

/// The document of a kind that a record names, if it is at hand.
fn named(record: &Value, key: &str) -> Option<Value> {
    related().find(|document| document.get(key) == record.get(key) && own_kind(document, key))
}

/// Whether a document's own ref is under a key, which a review, say, has of its proposal too: its own comes without the refs that
/// follow it in the chain.
fn own_kind(document: &Value, key: &str) -> bool {
    let follows = match key {
        "proposal/ref" => ["review/ref", "decision/ref"],
        "review/ref" => ["decision/ref", "decision/ref"],
        _ => ["execution/ref", "execution/ref"],
    };
    document.get(key).is_some() && follows.iter().all(|follower| document.get(follower).is_none())
}

/// Names another decision in the place of the record's own, one that a condition holds for: given the record's own decision and the
/// other.
fn decide(draft: &mut Draft<'_>, choice: &mut dyn Choice, fits: impl Fn(&Value, &Value) -> bool) -> Option<String> {
    let own = named(&draft.document, "decision/ref")?;
    let others =
        related().filter(|other| own_kind(other, "decision/ref") && other["decision/ref"] != own["decision/ref"]);
    let other = pick(choice, others.filter(|other| fits(&own, other)).collect())?;
    let name = other.get("decision/ref")?.as_str()?.to_owned();
    let digest = name.get(name.find("sha256:")?..)?.to_owned();
    set(&mut draft.document, "", "decision/ref", name)?;
    set(&mut draft.document, "", "decision/digest", digest)?;
    Some("/decision~1ref".to_owned())
}

fn same(own: &Value, other: &Value, keys: &[&str]) -> bool {
    keys.iter().all(|key| own.get(key) == other.get(key))
}

const CHAIN: &[&str] = &["proposal/ref", "review/ref"];
const ROOM: &[&str] = &["query/id", "room/id"];
const VERDICT: &[&str] = &["decision"];

fn edited_decision(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    decide(draft, choice, |own, other| same(own, other, CHAIN) && same(own, other, ROOM) && same(own, other, VERDICT))
}

fn other_review(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    decide(draft, choice, |own, other| {
        same(own, other, &["proposal/ref"]) && !same(own, other, CHAIN) && same(own, other, ROOM)
    })
}

fn not_admitted(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    decide(draft, choice, |own, other| same(own, other, CHAIN) && same(own, other, ROOM) && !same(own, other, VERDICT))
}

fn other_room(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    decide(draft, choice, |own, other| same(own, other, CHAIN) && !same(own, other, ROOM) && same(own, other, VERDICT))
}

fn other_target(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    named(&draft.document, "proposal/ref")?;
    let binding = ["operator-task-local-binding:other", "operator-task-local-binding:x"][choice.below(2)];
    set(&mut draft.document, "/target", "binding/ref", binding)?;
    Some("/target/binding~1ref".to_owned())
}

fn other_candidate(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    named(&draft.document, "proposal/ref")?;
    let digest = stray_digest(choice);
    set(&mut draft.document, "/candidate", "artifact-ref", format!("object-store:{digest}"))?;
    set(&mut draft.document, "/candidate", "digest", digest)?;
    Some("/candidate/digest".to_owned())
}

fn no_adoption(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    named(&draft.document, "proposal/ref")?;
    remove(&mut draft.document, "", "candidate/adoption-ref")?;
    Some("/candidate~1adoption-ref".to_owned())
}

/// Whether the result of the record's run is at hand.
fn has_result(record: &Value) -> bool {
    related().any(|document| document.get("run/ref") == record.get("run/ref") && document.get("steps").is_some())
}

fn other_result(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    if !has_result(&draft.document) {
        return None;
    }
    set(&mut draft.document, "", "result/digest", stray_digest(choice))?;
    Some("/result~1digest".to_owned())
}

fn other_plan(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    if !has_result(&draft.document) {
        return None;
    }
    set(&mut draft.document, "", "plan/digest", stray_digest(choice))?;
    Some("/plan~1digest".to_owned())
}

fn other_outcome(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    if !has_result(&draft.document) {
        return None;
    }
    // None that a refusal's code or the absence of an instance would betray.
    let own = draft.document.get("outcome")?.as_str()?.to_owned();
    let others = ["verified", "verification-failed", "cancelled", "unknown"];
    let other = pick(choice, others.into_iter().filter(|other| *other != own && own != "refused").collect())?;
    set(&mut draft.document, "", "outcome", other)?;
    Some("/outcome".to_owned())
}

fn no_step(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    if !has_result(&draft.document) {
        return None;
    }
    let at = pick(choice, crate::mutation::place::matching(&draft.document, "/evidence/*"))?;
    set(&mut draft.document, &at, "step/id", "never-planned")?;
    Some(at + "/step~1id")
}
