//! The round: every two running tools meet once, and each match is decided on every dimension.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::scenario::{Comparison, Dimension, DrawKind, Scenario, Side, Verdict};
use super::significance::significant;
use crate::Refusal;

/// The matches of a round. Tools are numbered in the order of their enrolment, withdrawn ones left out.
pub struct Round<'a> {
    pub tools: Vec<&'a str>,
    pub dimensions: &'a [Dimension],
    pub matches: Vec<Match>,
}

/// A comparison: its dimension and its two tools, the lower number first.
type Key = (Dimension, [usize; 2]);

/// One match: `tools[0] < tools[1]`, and an outcome for each of the round's dimensions, in their order.
pub struct Match {
    pub tools: [usize; 2],
    pub outcomes: Vec<Outcome>,
}

/// How a comparison ended.
pub enum Outcome {
    Win { winner: usize, p_value: Option<f64> },
    Draw { kind: Option<DrawKind>, p_value: Option<f64> },
    NotMeasured { reason: Option<String> },
}

impl Match {
    /// The other of the two tools.
    pub fn opponent(&self, tool: usize) -> usize {
        let [first, second] = self.tools;
        if tool == first { second } else { first }
    }
}

impl<'a> Round<'a> {
    /// Plays the round from the scenario's comparisons.
    ///
    /// # Errors
    /// A comparison is missing, is there twice, or is one of a tool that does not run.
    pub fn play(scenario: &'a Scenario) -> Result<Self, Refusal> {
        let tools: Vec<&str> = scenario.running().iter().map(|enrolment| enrolment.tool.as_str()).collect();
        let number: BTreeMap<&str, usize> = tools.iter().enumerate().map(|(i, tool)| (*tool, i)).collect();
        let mut results: BTreeMap<Key, &Comparison> = BTreeMap::new();
        for (i, comparison) in scenario.comparisons.iter().enumerate() {
            let mut pair = [0, 0];
            for (place, tool) in pair.iter_mut().zip(&comparison.pair) {
                *place = *number
                    .get(tool.as_str())
                    .ok_or_else(|| Refusal::Broken(format!("input/comparisons/{i}: {tool:?} is no running tool")))?;
            }
            pair.sort_unstable();
            if results.insert((comparison.dimension, pair), comparison).is_some() {
                let [first, second] = &comparison.pair;
                return Err(Refusal::Broken(format!(
                    "input/comparisons/{i}: {first:?} and {second:?} are compared twice on {}",
                    comparison.dimension.name()
                )));
            }
        }
        let significant = significant_of(scenario, &results);
        let mut matches = Vec::new();
        for first in 0..tools.len() {
            for second in first + 1..tools.len() {
                let mut outcomes = Vec::new();
                for dimension in &scenario.dimensions {
                    let comparison = results.get(&(*dimension, [first, second])).ok_or_else(|| {
                        Refusal::Broken(format!(
                            "input/comparisons: {:?} and {:?} are not compared on {}",
                            tools[first],
                            tools[second],
                            dimension.name()
                        ))
                    })?;
                    let stands_first = comparison.pair[0] == tools[first];
                    let significant = significant.contains(&(*dimension, [first, second]));
                    outcomes.push(outcome(comparison, stands_first, [first, second], significant));
                }
                matches.push(Match { tools: [first, second], outcomes });
            }
        }
        Ok(Self { tools, dimensions: &scenario.dimensions, matches })
    }

    /// The matches with their outcome on one dimension, counted in the order of the dimensions.
    pub fn on(&self, dimension: usize) -> impl Iterator<Item = (&Match, &Outcome)> {
        self.matches.iter().filter_map(move |one| Some((one, one.outcomes.get(dimension)?)))
    }

    /// The `matches` of the document.
    pub fn document(&self) -> Value {
        self.matches.iter().enumerate().map(|(i, one)| self.document_of(i + 1, one)).collect()
    }

    fn document_of(&self, ordinal: usize, one: &Match) -> Value {
        let dimensions: Value = self
            .dimensions
            .iter()
            .zip(&one.outcomes)
            .map(|(dimension, outcome)| {
                let mut entry = json!({ "dimension": dimension });
                match outcome {
                    Outcome::Win { winner, .. } => {
                        entry["outcome"] = json!("win");
                        entry["winner"] = json!(self.tools[*winner]);
                    }
                    Outcome::Draw { kind, .. } => {
                        entry["outcome"] = json!("draw");
                        if let Some(kind) = kind {
                            entry["draw_kind"] = json!(kind);
                        }
                    }
                    Outcome::NotMeasured { reason } => {
                        entry["outcome"] = json!("not_measured");
                        if let Some(reason) = reason {
                            entry["reason"] = json!(reason);
                        }
                    }
                }
                if let Outcome::Win { p_value: Some(p), .. } | Outcome::Draw { p_value: Some(p), .. } = outcome {
                    entry["p_value"] = json!(p);
                }
                entry
            })
            .collect();
        json!({
            "schema_version": "match.v1",
            "match_id": format!("M-{ordinal}"),
            "tools": one.tools.map(|tool| self.tools[tool]),
            "dimensions": dimensions,
        })
    }
}

/// The tested comparisons whose difference is significant. Each dimension is a family of its own, of as many tests as the round has pairs.
fn significant_of(scenario: &Scenario, results: &BTreeMap<Key, &Comparison>) -> BTreeSet<Key> {
    let running = scenario.running().len();
    let family = running * running.saturating_sub(1) / 2;
    let mut found = BTreeSet::new();
    for dimension in &scenario.dimensions {
        let (tested, p_values): (Vec<Key>, Vec<f64>) = results
            .iter()
            .filter(|((of, _), _)| of == dimension)
            .filter_map(|(key, comparison)| Some((*key, comparison.p_value?)))
            .unzip();
        let verdicts = significant(scenario.multiplicity, scenario.alpha, family, &p_values);
        found.extend(tested.into_iter().zip(verdicts).filter_map(|(key, holds)| holds.then_some(key)));
    }
    found
}

/// The outcome for a pair of tools; `stands_first` says whether the lower of the two is the first of the comparison's pair.
fn outcome(comparison: &Comparison, stands_first: bool, pair: [usize; 2], significant: bool) -> Outcome {
    let tool = |side: Side| if (side == Side::First) == stands_first { pair[0] } else { pair[1] };
    let p_value = comparison.p_value;
    match (comparison.result, comparison.better) {
        (Verdict::First, _) => Outcome::Win { winner: tool(Side::First), p_value },
        (Verdict::Second, _) => Outcome::Win { winner: tool(Side::Second), p_value },
        (Verdict::Tested, Some(better)) if significant => Outcome::Win { winner: tool(better), p_value },
        (Verdict::Tested, _) => Outcome::Draw { kind: Some(DrawKind::InsufficientPrecision), p_value },
        (Verdict::Draw, _) => Outcome::Draw { kind: comparison.draw_kind, p_value },
        (Verdict::NotMeasured, _) => Outcome::NotMeasured { reason: comparison.reason.clone() },
    }
}
