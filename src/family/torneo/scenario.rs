//! A scenario's input: what was registered and what was compared, in no framework's terms (`docs/scenarios-torneo.md`).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::derive::WinnerRule;
use super::multiplicity::{Correction, Significance, significance};

/// The input of a scenario of suite torneo-epreuve-v1.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    pub epreuve_id: String,
    pub category: String,
    pub tools: Vec<Enrolment>,
    pub dimensions: Vec<String>,
    pub corpus: Corpus,
    pub preregistration: Preregistration,
    pub multiplicity: String,
    pub alpha: f64,
    pub observed_at: String,
    pub winner_rule: WinnerRule,
    pub comparisons: Vec<Compared>,
    pub status: String,
    #[serde(default)]
    pub validators: Vec<Signature>,
    #[serde(default)]
    pub arbitration_rule: Option<Written>,
    #[serde(default)]
    pub replay: Option<Replay>,
}

/// An enrolled tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    pub tool: String,
    #[serde(default)]
    pub vendor: Option<String>,
    #[serde(default)]
    pub withdrawn: Option<Withdrawal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    pub reason: String,
    pub withdrawn_at: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    pub unit_count: u64,
    pub sha256: String,
    pub frozen_at: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preregistration {
    pub document: String,
    pub sha256: String,
    pub frozen_at: String,
}

/// A document that is named by its digest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    pub document: String,
    pub sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    pub command: String,
    pub artefacts: Vec<String>,
    pub corpus_available_to_third_party: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailability_reason: Option<String>,
}

/// A validator's signature, with the boxes that it ticks; the others stay unticked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    pub validator_id: String,
    pub signed_at: String,
    pub charter_version: String,
    #[serde(default)]
    pub ticked: Vec<String>,
}

/// The boxes of the charter, as the schema names them.
const BOXES: [&str; 5] = [
    "corpus_frozen_before_collection",
    "test_and_threshold_preregistered",
    "no_tool_withdrawn_after_the_fact",
    "disagreements_arbitrated_by_the_written_rule",
    "third_party_can_replay_from_the_frozen_corpus",
];

/// Two tools on one dimension.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    pub pair: [String; 2],
    pub dimension: String,
    pub result: Verdict,
    /// With `draw`: its kind, if it has one.
    #[serde(default)]
    pub draw_kind: Option<String>,
    /// With `not_measured`.
    #[serde(default)]
    pub reason: Option<String>,
    /// With `tested`: which of the pair did better.
    #[serde(default)]
    pub better: Option<Better>,
    #[serde(default)]
    pub p_value: Option<f64>,
}

/// What came of a comparison, or that a test has yet to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    First,
    Second,
    Draw,
    NotMeasured,
    /// The p-value is given; the correction for multiplicity decides between a win of the better tool and a draw.
    Tested,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    First,
    Second,
}

impl Input {
    /// Reads and checks an input.
    ///
    /// # Errors
    /// Where it is not one; the text says where and why.
    pub fn parse(input: &Value) -> Result<Self, String> {
        let input = Input::deserialize(input).map_err(|error| format!("not an input of torneo-epreuve-v1: {error}"))?;
        input.check()?;
        Ok(input)
    }

    /// The names of the tools that run, in order.
    fn running(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().filter(|tool| tool.withdrawn.is_none()).map(|tool| tool.tool.as_str())
    }

    fn tests(&self) -> u64 {
        let k = self.running().count() as u64;
        k * k.saturating_sub(1) / 2
    }

    /// Checks that every two running tools are compared once on every dimension, and that tests can be decided.
    fn check(&self) -> Result<(), String> {
        let index: HashMap<&str, usize> = self.running().enumerate().map(|(at, name)| (name, at)).collect();
        if index.len() != self.running().count() {
            return Err("tools: a tool is enrolled twice".to_owned());
        }
        let mut seen = HashMap::new();
        for (at, compared) in self.comparisons.iter().enumerate() {
            let [a, b] = &compared.pair;
            let here = format!("comparisons, item {} ({a}, {b}, {})", at + 1, compared.dimension);
            let (Some(&first), Some(&second)) = (index.get(a.as_str()), index.get(b.as_str())) else {
                return Err(format!("{here}: both tools of a pair are enrolled and not withdrawn"));
            };
            if first == second || !self.dimensions.contains(&compared.dimension) {
                return Err(format!("{here}: two distinct tools meet on one of `dimensions`"));
            }
            if seen.insert((first.min(second), first.max(second), compared.dimension.as_str()), at).is_some() {
                return Err(format!("{here}: the same pair is compared twice on the dimension"));
            }
            let tested = compared.result == Verdict::Tested;
            if tested && (compared.better.is_none() || compared.p_value.is_none()) {
                return Err(format!("{here}: `tested` needs `better` and `p_value`"));
            }
        }
        let owed = self.tests() * self.dimensions.len() as u64;
        if seen.len() as u64 != owed {
            return Err(format!("comparisons: {} of the {owed} that a full round has", seen.len()));
        }
        Correction::named(&self.multiplicity).ok_or("multiplicity: holm, bonferroni or none")?;
        let unknown =
            self.validators.iter().flat_map(|signed| &signed.ticked).find(|name| !BOXES.contains(&name.as_str()));
        unknown.map_or(Ok(()), |name| Err(format!("validators: no box of the charter is called {name}")))
    }

    /// Which tested comparisons are significant, by their index in `comparisons`. The family of tests is a dimension's, with one
    /// test for every pair.
    ///
    /// # Errors
    /// Where a p-value stands so near its threshold that rounding would decide; a scenario must not.
    fn significant(&self) -> Result<HashMap<usize, bool>, String> {
        let correction = Correction::named(&self.multiplicity).ok_or("multiplicity: holm, bonferroni or none")?;
        let mut decided = HashMap::new();
        for dimension in &self.dimensions {
            let on = |compared: &Compared| compared.dimension == *dimension && compared.result != Verdict::NotMeasured;
            let stated: Vec<(usize, f64)> = self
                .comparisons
                .iter()
                .enumerate()
                .filter(|(_, compared)| on(compared))
                .filter_map(|(at, compared)| Some((at, compared.p_value?)))
                .collect();
            let p: Vec<f64> = stated.iter().map(|(_, p)| *p).collect();
            for ((at, p), (judged, _)) in stated.iter().zip(significance(&p, self.tests(), self.alpha, correction)) {
                if judged == Significance::OnThreshold {
                    return Err(format!("comparisons, item {}: p = {p} is on its threshold within rounding", at + 1));
                }
                decided.insert(*at, judged == Significance::Significant);
            }
        }
        Ok(decided)
    }

    /// The épreuve as a document, without the members that are derived from its matches.
    ///
    /// # Errors
    /// As for parsing, where only the corrected p-values show it.
    pub fn document(&self) -> Result<Value, String> {
        let significant = self.significant()?;
        let mut matches: Vec<([&str; 2], Vec<Value>)> = Vec::new();
        let mut at_pair: HashMap<[&str; 2], usize> = HashMap::new();
        for (at, compared) in self.comparisons.iter().enumerate() {
            let pair = [compared.pair[0].as_str(), compared.pair[1].as_str()];
            let sorted = if pair[0] < pair[1] { pair } else { [pair[1], pair[0]] };
            let index = *at_pair.entry(sorted).or_insert_with(|| {
                matches.push((pair, Vec::new()));
                matches.len() - 1
            });
            matches[index].1.push(compared.comparison(significant.get(&at).copied().unwrap_or(false)));
        }
        let matches: Vec<Value> = matches
            .into_iter()
            .enumerate()
            .map(|(at, (pair, dimensions))| {
                let id = format!("M{}", at + 1);
                json!({ "schema_version": "match.v1", "match_id": id, "tools": pair, "dimensions": dimensions })
            })
            .collect();
        let withdrawn: Vec<Value> = self.tools.iter().filter_map(Enrolment::withdrawal).collect();
        let vendors: serde_json::Map<String, Value> =
            self.tools.iter().filter_map(|tool| Some((tool.tool.clone(), tool.vendor.clone()?.into()))).collect();
        let mut document = json!({
            "schema_version": "epreuve.v1", "epreuve_id": self.epreuve_id, "category": self.category,
            "tools": self.tools.iter().map(|tool| &tool.tool).collect::<Vec<_>>(),
            "tool_vendors": vendors, "withdrawn": withdrawn,
            "corpus": self.corpus, "preregistration": self.preregistration,
            "multiplicity": self.multiplicity, "alpha": self.alpha, "dimensions": self.dimensions, "matches": matches,
            "observed_at": self.observed_at, "status": self.status,
            "validators": self.validators.iter().map(Signature::stated).collect::<Vec<_>>(),
        });
        if let Some(rule) = &self.arbitration_rule {
            document["arbitration_rule"] = json!(rule);
        }
        if let Some(replay) = &self.replay {
            document["replay"] = json!(replay);
        }
        Ok(document)
    }
}

impl Compared {
    /// The comparison as a match states it.
    fn comparison(&self, significant: bool) -> Value {
        let [first, second] = &self.pair;
        let win = |winner: &str| json!({ "dimension": self.dimension, "outcome": "win", "winner": winner });
        let draw = |kind: Option<&str>| json!({ "dimension": self.dimension, "outcome": "draw", "draw_kind": kind });
        let mut stated = match (self.result, self.better) {
            (Verdict::First, _) => win(first),
            (Verdict::Second, _) => win(second),
            (Verdict::Draw, _) => draw(self.draw_kind.as_deref()),
            (Verdict::NotMeasured, _) => {
                let reason = self.reason.as_deref().unwrap_or("not measured");
                return json!({ "dimension": self.dimension, "outcome": "not_measured", "reason": reason });
            }
            (Verdict::Tested, Some(Better::First)) if significant => win(first),
            (Verdict::Tested, Some(Better::Second)) if significant => win(second),
            (Verdict::Tested, _) => draw(Some("insufficient_precision")),
        };
        if let Some(p) = self.p_value {
            stated["p_value"] = p.into();
        }
        stated
    }
}

impl Enrolment {
    fn withdrawal(&self) -> Option<Value> {
        let Withdrawal { reason, withdrawn_at } = self.withdrawn.as_ref()?;
        Some(json!({ "tool": self.tool, "reason": reason, "withdrawn_at": withdrawn_at }))
    }
}

impl Signature {
    fn stated(&self) -> Value {
        let checks: serde_json::Map<String, Value> = BOXES
            .iter()
            .map(|&name| (name.to_owned(), self.ticked.iter().any(|ticked| ticked == name).into()))
            .collect();
        json!({
            "validator_id": self.validator_id, "signed_at": self.signed_at, "charter_version": self.charter_version,
            "checks": checks,
        })
    }
}
