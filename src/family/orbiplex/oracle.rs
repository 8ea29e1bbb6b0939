//! The oracle: derives from a scenario's facts the whole record that a conformant host emits, its ref and its signature
//! included, and compares.

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::canonical::shorten;
use super::digest::{read_digest, read_ref};
use super::kinds::{ADOPTION, DECISION, EXECUTION, PROPOSAL, REVIEW};
use super::record::{REF, SIGNATURE};
use super::seal::Signer;
use crate::document::{Document, Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::Judge;

/// The facts of one run, as `docs/scenarios-orbiplex.md` defines them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Facts {
    query: String,
    room: String,
    proposal: String,
    review: String,
    decision: String,
    adoption: Option<String>,
    candidate: Named,
    target: Target,
    plan: Named,
    run: String,
    /// The instance that the run used; none where none was allocated.
    environment: Option<String>,
    steps: Vec<Step>,
    ended: Ended,
    result: String,
    recorded_at: String,
    idempotency_key: String,
    signing_seed: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(rename = "ref")]
    name: String,
    digest: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Target {
    profile: String,
    profile_digest: String,
    binding: String,
}

/// The answer to one step, from whichever instance.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    id: String,
    environment: String,
    listed: bool,
    artifact: String,
    #[expect(dead_code, reason = "an answer is named by its digest and never stands in a record")]
    output: String,
}

/// How the run ended.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Ended {
    Verifier(Verifier),
    Breach(Breach),
    Refused(String),
    #[expect(dead_code, reason = "who cancelled is told to the reader of a scenario, and has no place in a record")]
    Cancelled(String),
    #[expect(dead_code, reason = "why is told to the reader of a scenario, and has no place in a record")]
    Uncertain(String),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Verifier {
    Yes,
    No,
    TimedOut,
    CheckMissing,
    Mutated,
    Unavailable,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Breach {
    Isolation,
    Egress,
}

impl Ended {
    /// The outcome, and the code of a refusal.
    fn outcome(&self) -> (&'static str, Option<&str>) {
        match self {
            Ended::Verifier(Verifier::Yes) => ("verified", None),
            Ended::Verifier(Verifier::No) => ("verification-failed", None),
            Ended::Verifier(Verifier::TimedOut) => ("refused", Some("verifier/timeout")),
            Ended::Verifier(Verifier::CheckMissing) => ("refused", Some("verifier/check-missing")),
            Ended::Verifier(Verifier::Mutated) => ("refused", Some("verifier/mutation-not-admitted")),
            Ended::Verifier(Verifier::Unavailable) => ("refused", Some("verifier/unavailable")),
            Ended::Breach(Breach::Isolation) => ("refused", Some("environment/not-contained")),
            Ended::Breach(Breach::Egress) => ("refused", Some("environment/runtime-egress-denied")),
            Ended::Refused(code) => ("refused", Some(code)),
            Ended::Cancelled(_) => ("cancelled", None),
            Ended::Uncertain(_) => ("unknown", None),
        }
    }
}

/// Judges what an emitter made of a scenario: one record, which says what follows from the scenario's facts.
///
/// # Errors
/// Where the input is none that this suite's scenarios may have; the text says why.
pub fn judge(input: &Json, documents: &[&Document], judge: &mut Judge<'_>) -> Result<(), String> {
    let derived = derive(input)?;
    let mut documents = documents.iter();
    if let Some(document) = documents.next() {
        compare(&derived, document.root(), judge);
    }
    for surplus in documents {
        differs(
            judge,
            surplus.root(),
            "emitted another record, the scenario is one run, which has one record".to_owned(),
        );
    }
    Ok(())
}

/// The record that follows from a scenario's input, sealed.
///
/// # Errors
/// Where the input is none that this suite's scenarios may have; the text says why.
pub fn derive(input: &Json) -> Result<Json, String> {
    let facts = Facts::deserialize(input).map_err(|error| format!("the scenario's input: {error}"))?;
    let signer = Signer::from_seed(&read_seed(&facts.signing_seed)?);
    let digest_of = |name: &str, kind: &str| {
        read_ref(name, kind)
            .and_then(|_| name.split_once(':'))
            .map(|(_, digest)| digest.to_owned())
            .ok_or_else(|| format!("the scenario's input: `{name}` is no `{kind}:sha256:…`"))
    };
    let address_of = |digest: &str| match read_digest(digest) {
        Some(_) => Ok(format!("object-store:{digest}")),
        None => Err(format!("the scenario's input: `{digest}` is no `sha256:…`")),
    };
    let (outcome, code) = facts.ended.outcome();
    let mut record = Map::new();
    let mut put = |key: &str, value: Json| record.insert(key.to_owned(), value);
    put("schema/v", 1.into());
    put("query/id", facts.query.into());
    put("room/id", facts.room.into());
    for (kind, digest_key, name) in [
        (&PROPOSAL, "proposal/digest", facts.proposal),
        (&REVIEW, "review/digest", facts.review),
        (&DECISION, "decision/digest", facts.decision),
    ] {
        put(digest_key, digest_of(&name, kind.ref_kind)?.into());
        put(kind.ref_key, name.into());
    }
    if let Some(adoption) = facts.adoption {
        digest_of(&adoption, ADOPTION.ref_kind)?;
        put("candidate/adoption-ref", adoption.into());
    }
    put(
        "candidate",
        json!({
            "artifact/type": "operator-task-experiment-candidate.v1",
            "ref": facts.candidate.name,
            "artifact-ref": address_of(&facts.candidate.digest)?,
            "digest": facts.candidate.digest,
        }),
    );
    put(
        "target",
        json!({
            "task-profile/ref": facts.target.profile,
            "task-profile/digest": facts.target.profile_digest,
            "binding/ref": facts.target.binding,
        }),
    );
    put("plan/ref", facts.plan.name.into());
    put("plan/digest", facts.plan.digest.into());
    put("run/ref", facts.run.into());
    put("outcome", outcome.into());
    if let Some(code) = code {
        put("refusal/code", code.into());
    }
    put("result/digest", facts.result.into());
    let mut evidence = Vec::new();
    for step in facts.steps.iter().filter(|step| step.listed && Some(&step.environment) == facts.environment.as_ref()) {
        evidence.push(json!({
            "step/id": step.id,
            "artifact-ref": address_of(&step.artifact)?,
            "digest": step.artifact,
            "environment/ref": step.environment,
        }));
    }
    put("evidence", evidence.into());
    if let Some(environment) = facts.environment {
        put("environment/ref", environment.into());
    }
    put("host/node-id", signer.node_id().into());
    put("recorded-at", facts.recorded_at.into());
    put("idempotency/key", facts.idempotency_key.into());
    let mut record = Json::Object(record);
    signer.seal(&EXECUTION, "host/node-id", &mut record)?;
    Ok(record)
}

fn read_seed(hex: &str) -> Result<[u8; 32], String> {
    let fault = || "the scenario's input: `signingSeed` is not 64 hexadecimal digits".to_owned();
    if hex.len() != 64 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(fault());
    }
    let mut seed = [0; 32];
    for (byte, digits) in seed.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
        let digits = std::str::from_utf8(digits).map_err(|_| fault())?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| fault())?;
    }
    Ok(seed)
}

/// Reports each place where the record differs from the derived one. The seal follows from the rest, so it is compared only
/// where the rest agrees.
fn compare(derived: &Json, emitted: Value<'_>, judge: &mut Judge<'_>) {
    if emitted.kind() != Kind::Object {
        differs(judge, emitted, format!("emitted {}, the scenario makes a record", emitted.kind().name()));
        return;
    }
    let (mut content, mut seal) = (derived.clone(), Map::new());
    for key in [REF, SIGNATURE] {
        if let Some(value) = content.as_object_mut().and_then(|members| members.shift_remove(key)) {
            seal.insert(key.to_owned(), value);
        }
    }
    if compare_members(&content, emitted, &[REF, SIGNATURE], judge) {
        compare_members(&Json::Object(seal.clone()), emitted, &all_but(emitted, &seal), judge);
    }
}

/// The keys of an object that are not among some members.
fn all_but<'d>(emitted: Value<'d>, members: &Map<String, Json>) -> Vec<&'d str> {
    emitted.members().filter_map(|(key, _)| key.as_str()).filter(|key| !members.contains_key(*key)).collect()
}

/// Compares the members of an object, without those of some keys; whether they agree.
fn compare_members(derived: &Json, emitted: Value<'_>, without: &[&str], judge: &mut Judge<'_>) -> bool {
    let mut agree = true;
    for (key, value) in derived.as_object().into_iter().flatten() {
        agree &= match emitted.get(key) {
            Some(twin) => compare_values(value, twin, judge),
            None => {
                let said = shown(value);
                differs(judge, emitted, format!("emitted no `{key}`, the scenario says {said}"));
                false
            }
        };
    }
    for (key, value) in emitted.members() {
        let name = key.as_str().unwrap_or_default();
        if derived.get(name).is_none() && !without.contains(&name) {
            let emitted = shown(&value.to_json());
            differs(judge, key, format!("emitted `{}`: {emitted}, the scenario says nothing of it", shorten(name)));
            agree = false;
        }
    }
    agree
}

fn compare_values(derived: &Json, emitted: Value<'_>, judge: &mut Judge<'_>) -> bool {
    match (derived, emitted.kind()) {
        (Json::Object(_), Kind::Object) => compare_members(derived, emitted, &[], judge),
        (Json::Array(items), Kind::Array) if items.len() == emitted.len() => {
            let mut agree = true;
            for (item, twin) in items.iter().zip(emitted.items()) {
                agree &= compare_values(item, twin, judge);
            }
            agree
        }
        (Json::Array(items), Kind::Array) => {
            let (count, due) = (emitted.len(), items.len());
            differs(judge, emitted, format!("emitted {count} items, the scenario says {due}"))
                .comparison(lines(emitted.items().map(Value::to_json)), lines(items.iter().cloned()));
            false
        }
        _ => {
            let agree = match derived {
                Json::String(text) => emitted.as_str() == Some(text),
                Json::Number(number) => number.as_i64().is_some() && emitted.as_i64() == number.as_i64(),
                _ => false,
            };
            if !agree {
                let (found, said) = (shown(&emitted.to_json()), shown(derived));
                differs(judge, emitted, format!("emitted {found}, the scenario says {said}"));
            }
            agree
        }
    }
}

fn lines(items: impl Iterator<Item = Json>) -> String {
    items.map(|item| format!("{item}\n")).collect()
}

fn shown(value: &Json) -> String {
    shorten(&value.to_string())
}

fn differs<'j>(judge: &'j mut Judge<'_>, at: Value<'_>, message: String) -> crate::obligation::Report<'j> {
    judge.finding_as("scenario/differs", Basis::Derived, Severity::Error, at, message)
}
