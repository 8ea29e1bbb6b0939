//! The torneo family: an épreuve is a full round of matches between the tools of one category, with tables that are derived from
//! the matches and never entered.

mod boxes;
mod champion;
mod components;
mod conduct;
mod denominators;
mod derive;
mod dominance;
mod graph;
mod instant;
mod matches;
mod model;
mod multiplicity;
mod oracle;
mod round;
mod scenario;
mod standings;
mod tally;
mod titles;

use crate::document::Document;
use crate::family::Family;
use crate::obligation::{Judge, Obligation, Rule};
use crate::suite::{Suite, Version};
use model::{Epreuve, Epreuves};

/// The family of torneo documents.
pub struct Torneo;

static SUITES: &[Suite] = &[Suite {
    id: "torneo-epreuve-v1",
    title: "TORNEO épreuve, version 1: a full round of pairwise matches",
    family: "torneo",
    schema: "epreuve.v1",
    parts: &[("/matches/*", "match.v1")],
    version: Version::Text("schema_version", "epreuve.v1"),
}];

/// The obligations, subject by subject.
static SUBJECTS: &[&[Obligation<Epreuves>]] = &[
    round::OBLIGATIONS,
    matches::OBLIGATIONS,
    standings::OBLIGATIONS,
    dominance::OBLIGATIONS,
    titles::OBLIGATIONS,
    champion::OBLIGATIONS,
    multiplicity::OBLIGATIONS,
    denominators::OBLIGATIONS,
    conduct::OBLIGATIONS,
    boxes::OBLIGATIONS,
];

impl Family for Torneo {
    fn name(&self) -> &'static str {
        "torneo"
    }

    fn suites(&self) -> &'static [Suite] {
        SUITES
    }

    fn rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        SUBJECTS.iter().flat_map(|subject| subject.iter()).map(|obligation| &obligation.rule).collect()
    }

    fn example(&self, _suite: &Suite) -> &'static str {
        include_str!("example.json")
    }

    fn judge(&self, _suite: &Suite, document: &Document, judge: &mut Judge<'_>) {
        let epreuve = Epreuve::read(document);
        for subject in SUBJECTS {
            judge.run(subject, &epreuve);
        }
    }

    fn judge_scenario(
        &self,
        _suite: &Suite,
        input: &serde_json::Value,
        documents: &[&Document],
        judge: &mut Judge<'_>,
    ) -> Result<(), String> {
        oracle::judge(input, documents, judge)
    }

    fn derive(&self, _suite: &Suite, document: &Document) -> Result<String, String> {
        derive::fragment(&Epreuve::read(document))
    }
}
