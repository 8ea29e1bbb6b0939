//! Rounds made at random, and the documents that state them.

use conform::document::Document;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::judging::{read, suite};

pub const DIMENSIONS: [&str; 5] = ["quality", "latency", "cost", "reliability", "energy"];

/// What came of one comparison of two tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    First,
    Second,
    Draw(Option<&'static str>),
    NotMeasured,
}

/// A round: `outcomes[pair][dimension]`, pairs in the order (0,1), (0,2), … (1,2), …
#[derive(Debug, Clone)]
pub struct Round {
    pub tools: usize,
    pub dimensions: usize,
    pub outcomes: Vec<Vec<Outcome>>,
}

impl Round {
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let tools = self.tools;
        (0..tools).flat_map(move |a| (a + 1..tools).map(move |b| (a, b)))
    }

    /// The document of the round without what is derived from it.
    pub fn raw(&self) -> Value {
        let mut document: Value = serde_json::from_str(suite().family().example(suite())).expect("the example is JSON");
        let members = document.as_object_mut().expect("an object");
        for derived in ["withdrawn", "standings", "pareto_set", "dominance_basis", "dominance_cycles", "denominators"] {
            members.remove(derived);
        }
        members.insert("epreuve_winners".into(), json!({}));
        members.insert("champion".into(), Value::Null);
        members.insert("tools".into(), (0..self.tools).map(name).collect());
        members.insert("tool_vendors".into(), json!({ name(0): "Ash & Co", name(1): "Birch Ltd" }));
        members.insert("dimensions".into(), json!(DIMENSIONS[..self.dimensions]));
        let matches = self.pairs().zip(&self.outcomes).enumerate();
        let matches = matches.map(|(at, ((a, b), outcomes))| one_match(at, a, b, &outcomes[..self.dimensions]));
        members.insert("matches".into(), matches.collect());
        document
    }

    /// The document with everything that `derive` derives.
    pub fn document(&self) -> Value {
        let mut document = self.raw();
        let fragment = derive(&read(&document.to_string()));
        merge(&mut document, &fragment);
        document
    }
}

pub fn derive(document: &Document) -> Value {
    let fragment = suite().family().derive(suite(), document).expect("a whole round can be derived from");
    serde_json::from_str(&fragment).expect("the fragment is JSON")
}

pub fn merge(document: &mut Value, fragment: &Value) {
    for (key, value) in fragment.as_object().expect("an object") {
        document[key] = value.clone();
    }
}

/// A tool's name; no name is part of another, so that names can be replaced in text.
pub fn name(tool: usize) -> String {
    format!("tool-{tool:02}x")
}

fn one_match(at: usize, a: usize, b: usize, outcomes: &[Outcome]) -> Value {
    let dimensions: Vec<Value> = outcomes
        .iter()
        .zip(DIMENSIONS)
        .map(|(outcome, dimension)| match outcome {
            Outcome::First => json!({ "dimension": dimension, "outcome": "win", "winner": name(a) }),
            Outcome::Second => json!({ "dimension": dimension, "outcome": "win", "winner": name(b) }),
            Outcome::Draw(kind) => json!({ "dimension": dimension, "outcome": "draw", "draw_kind": kind }),
            Outcome::NotMeasured => json!({ "dimension": dimension, "outcome": "not_measured", "reason": "no meter" }),
        })
        .collect();
    json!({
        "schema_version": "match.v1", "match_id": format!("M{at}"), "tools": [name(a), name(b)], "dimensions": dimensions,
    })
}

pub fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => Just(Outcome::First),
        4 => Just(Outcome::Second),
        1 => Just(Outcome::Draw(None)),
        1 => Just(Outcome::Draw(Some("insufficient_precision"))),
        1 => Just(Outcome::Draw(Some("equivalent_within_margin"))),
        1 => Just(Outcome::NotMeasured),
    ]
}

pub fn round() -> impl Strategy<Value = Round> {
    (2usize..9, 1usize..=5).prop_flat_map(|(tools, dimensions)| {
        let pairs = tools * (tools - 1) / 2;
        proptest::collection::vec(proptest::collection::vec(outcome(), 5), pairs).prop_map(move |outcomes| Round {
            tools,
            dimensions,
            outcomes,
        })
    })
}
