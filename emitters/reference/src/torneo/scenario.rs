//! A scenario's input: who was enrolled and what every two tools were compared on, as the scenario's schema describes it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Refusal;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub epreuve_id: String,
    pub category: String,
    pub tools: Vec<Enrolment>,
    pub dimensions: Vec<Dimension>,
    pub corpus: Corpus,
    pub preregistration: Preregistration,
    pub multiplicity: Correction,
    pub alpha: f64,
    pub observed_at: String,
    pub winner_rule: WinnerRule,
    pub status: String,
    #[serde(default)]
    pub validators: Vec<Signature>,
    pub arbitration_rule: Option<WrittenRule>,
    pub replay: Option<Replay>,
    pub comparisons: Vec<Comparison>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    pub tool: String,
    pub vendor: Option<String>,
    pub withdrawn: Option<Withdrawal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    pub reason: String,
    pub withdrawn_at: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    Quality,
    Latency,
    Cost,
    Reliability,
    Energy,
}

impl Dimension {
    /// The dimension as documents write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quality => "quality",
            Self::Latency => "latency",
            Self::Cost => "cost",
            Self::Reliability => "reliability",
            Self::Energy => "energy",
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    unit_count: u64,
    sha256: String,
    frozen_at: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Preregistration {
    document: String,
    sha256: String,
    frozen_at: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Correction {
    Holm,
    Bonferroni,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WinnerRule {
    MostWinsThenFewestLosses,
    BeatsEveryOther,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    pub validator_id: String,
    pub signed_at: String,
    pub charter_version: String,
    #[serde(default)]
    pub ticked: Vec<CharterBox>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CharterBox {
    CorpusFrozenBeforeCollection,
    TestAndThresholdPreregistered,
    NoToolWithdrawnAfterTheFact,
    DisagreementsArbitratedByTheWrittenRule,
    ThirdPartyCanReplayFromTheFrozenCorpus,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenRule {
    document: String,
    sha256: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    command: String,
    artefacts: Vec<String>,
    corpus_available_to_third_party: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailability_reason: Option<String>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    pub pair: [String; 2],
    pub dimension: Dimension,
    pub result: Verdict,
    pub draw_kind: Option<DrawKind>,
    pub reason: Option<String>,
    pub better: Option<Side>,
    pub p_value: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    First,
    Second,
    Draw,
    NotMeasured,
    Tested,
}

impl Verdict {
    /// The result as scenarios write it.
    fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Draw => "draw",
            Self::NotMeasured => "not_measured",
            Self::Tested => "tested",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    First,
    Second,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    InsufficientPrecision,
    EquivalentWithinMargin,
}

impl Scenario {
    /// Reads an input and refuses one that is no round.
    pub fn read(input: Value) -> Result<Self, Refusal> {
        let scenario: Self =
            serde_json::from_value(input).map_err(|error| Refusal::Broken(format!("input: {error}")))?;
        scenario.check().map_err(|what| Refusal::Broken(format!("input{what}")))?;
        Ok(scenario)
    }

    /// The tools that ran, in the order of their enrolment.
    pub fn running(&self) -> Vec<&Enrolment> {
        self.tools.iter().filter(|enrolment| enrolment.withdrawn.is_none()).collect()
    }

    /// What is wrong, with its place as a JSON Pointer before it.
    fn check(&self) -> Result<(), String> {
        let mut known = BTreeSet::new();
        for (i, enrolment) in self.tools.iter().enumerate() {
            if !known.insert(&enrolment.tool) {
                return Err(format!("/tools/{i}: {:?} is enrolled twice", enrolment.tool));
            }
        }
        let running = self.running().len();
        if running < 2 {
            return Err(format!("/tools: {running} run; a round needs two or more"));
        }
        let distinct: BTreeSet<_> = self.dimensions.iter().collect();
        if distinct.is_empty() || distinct.len() < self.dimensions.len() {
            return Err("/dimensions: expected one or more, each once".to_owned());
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(format!("/alpha: is {}; expected a number between 0 and 1", self.alpha));
        }
        for (i, comparison) in self.comparisons.iter().enumerate() {
            self.check_comparison(comparison).map_err(|what| format!("/comparisons/{i}: {what}"))?;
        }
        Ok(())
    }

    fn check_comparison(&self, comparison: &Comparison) -> Result<(), String> {
        let [first, second] = &comparison.pair;
        if first == second {
            return Err(format!("{first:?} is compared with itself"));
        }
        if !self.dimensions.contains(&comparison.dimension) {
            return Err(format!("{} is none of the épreuve's dimensions", comparison.dimension.name()));
        }
        for (field, stated, beside) in [
            (
                "`better` and `p_value` stand",
                comparison.better.is_some() || comparison.p_value.is_some(),
                Verdict::Tested,
            ),
            ("`reason` stands", comparison.reason.is_some(), Verdict::NotMeasured),
            ("`draw_kind` stands", comparison.draw_kind.is_some(), Verdict::Draw),
        ] {
            if stated && comparison.result != beside {
                let (result, beside) = (comparison.result.name(), beside.name());
                return Err(format!("the result is `{result}`; {field} beside `{beside}`, and nowhere else"));
            }
        }
        match comparison.result {
            Verdict::Tested if comparison.better.is_none() || comparison.p_value.is_none() => {
                return Err("the result is `tested`; `better` and `p_value` are expected beside it".to_owned());
            }
            Verdict::NotMeasured if comparison.reason.is_none() => {
                return Err("the result is `not_measured`; `reason` is expected beside it".to_owned());
            }
            _ => {}
        }
        if let Some(p) = comparison.p_value.filter(|p| !(0.0..=1.0).contains(p)) {
            return Err(format!("p_value is {p}; expected a number from 0 to 1"));
        }
        Ok(())
    }
}
