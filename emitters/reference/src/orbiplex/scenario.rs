//! A scenario's input: what a host knows about a run when it records it, as the scenario's schema describes it.

use serde::Deserialize;
use serde_json::Value;

use super::seal;
use crate::Refusal;

/// The most items of evidence that a record holds.
const MOST_EVIDENCE: usize = 32;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    pub query: String,
    pub room: String,
    pub proposal: String,
    pub review: String,
    pub decision: String,
    pub adoption: Option<String>,
    pub candidate: Named,
    pub target: Target,
    pub plan: Named,
    pub run: String,
    /// The instance that the run used, where one was allocated.
    pub environment: Option<String>,
    steps: Vec<Step>,
    pub ended: Ended,
    /// Digest of the run's result.
    pub result: String,
    pub recorded_at: String,
    pub idempotency_key: String,
    pub signing_seed: String,
}

/// Something that has a name and a digest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    #[serde(rename = "ref")]
    pub reference: String,
    pub digest: String,
}

/// Where the candidate was meant to run.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    pub profile: String,
    pub profile_digest: String,
    pub binding: String,
}

/// An answer that the host has at hand; not every one is evidence of this run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub id: String,
    /// The instance that gave the answer.
    pub environment: String,
    /// Whether the answer may be listed.
    listed: bool,
    /// The digest under which the answer is kept.
    pub artifact: String,
    output: String,
}

/// How the run ended.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    Verifier(Verifier),
    Breach(Breach),
    /// The code.
    Refused(String),
    /// By whom; the record does not say it.
    Cancelled(#[expect(dead_code, reason = "read so that only a text is taken")] String),
    /// Why nobody knows; the record does not say it.
    Uncertain(#[expect(dead_code, reason = "read so that only a text is taken")] String),
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verifier {
    Yes,
    No,
    TimedOut,
    CheckMissing,
    Mutated,
    Unavailable,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Breach {
    Isolation,
    Egress,
}

impl Ended {
    /// The outcome, and the code of a refusal. Only a verifier that was evaluated verifies or fails to; whatever kept it from its answer
    /// is a refusal. What is unknown stays unknown and gets no code, and neither does a cancelled run.
    pub fn outcome(&self) -> (&'static str, Option<&str>) {
        let code = match self {
            Self::Verifier(Verifier::Yes) => return ("verified", None),
            Self::Verifier(Verifier::No) => return ("verification-failed", None),
            Self::Cancelled(_) => return ("cancelled", None),
            Self::Uncertain(_) => return ("unknown", None),
            Self::Verifier(Verifier::TimedOut) => "verifier/timeout",
            Self::Verifier(Verifier::CheckMissing) => "verifier/check-missing",
            Self::Verifier(Verifier::Mutated) => "verifier/mutation-not-admitted",
            Self::Verifier(Verifier::Unavailable) => "verifier/unavailable",
            Self::Breach(Breach::Isolation) => "environment/not-contained",
            Self::Breach(Breach::Egress) => "environment/runtime-egress-denied",
            Self::Refused(code) => code,
        };
        ("refused", Some(code))
    }
}

impl Scenario {
    /// Reads an input, and refuses one that no record can tell.
    pub fn read(input: Value) -> Result<Self, Refusal> {
        let scenario: Scenario =
            serde_json::from_value(input).map_err(|error| Refusal::Broken(format!("input: {error}")))?;
        match scenario.problem() {
            Some(problem) => Err(Refusal::Broken(format!("input/{problem}"))),
            None => Ok(scenario),
        }
    }

    /// The answers that are evidence, in order: those that may be listed and that the run's own instance gave. A run without an instance
    /// has none.
    pub fn evidence(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.listed && Some(&step.environment) == self.environment.as_ref())
    }

    fn problem(&self) -> Option<String> {
        for (index, step) in self.steps.iter().enumerate() {
            let digest = seal::digest(step.output.as_bytes());
            if step.artifact != digest {
                return Some(format!(
                    "steps/{index}/artifact: is {:?}; its output has the digest {digest:?}",
                    step.artifact
                ));
            }
        }
        let count = self.evidence().count();
        if count > MOST_EVIDENCE {
            return Some(format!(
                "steps: {count} answers are evidence; a record lists all of them, and {MOST_EVIDENCE} at most"
            ));
        }
        if matches!(self.ended, Ended::Verifier(Verifier::Yes | Verifier::No)) && self.environment.is_none() {
            return Some("environment: is missing, and a verifier that said yes or no judged an instance".to_owned());
        }
        None
    }
}
