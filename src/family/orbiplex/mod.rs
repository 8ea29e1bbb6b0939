//! The orbiplex family: records of executed task-pack experiments, signed by the host that ran them.

pub mod addresses;
pub mod artifact;
pub mod canonical;
pub mod derive;
pub mod digest;
pub mod evidence;
pub mod example;
pub mod identity;
pub mod kinds;
pub mod mistakes;
pub mod oracle;
pub mod outcome;
pub mod record;
pub mod related;
pub mod relation;
pub mod relation_rules;
pub mod scheme;
pub mod seal;
pub mod set;
pub mod signature;

use crate::document::Document;
use crate::family::{Family, Sets};
use crate::obligation::{Judge, Obligation, Rule};
use crate::suite::{Suite, Version};
use record::{Record, Records};

/// The family of orbiplex documents.
pub struct Orbiplex;

static SUITES: &[Suite] = &[Suite {
    id: "orbiplex-task-pack-execution-v1",
    title: "Orbiplex task-pack execution record, version 1",
    family: "orbiplex",
    schema: "corpus-experiment-task-pack-execution.v1",
    parts: &[],
    version: Version::NumberWith("schema/v", 1, "execution/ref"),
}];

/// The obligations on one record, by subject, in the order in which they are judged.
static RECORD: &[&[Obligation<Records>]] = &[
    identity::OBLIGATIONS,
    signature::OBLIGATIONS,
    evidence::OBLIGATIONS,
    outcome::OBLIGATIONS,
    addresses::OBLIGATIONS,
    relation::OBLIGATIONS,
    artifact::OBLIGATIONS,
];

impl Family for Orbiplex {
    fn name(&self) -> &'static str {
        "orbiplex"
    }

    fn suites(&self) -> &'static [Suite] {
        SUITES
    }

    fn rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        RECORD.iter().copied().flatten().map(|obligation| &obligation.rule).chain(&set::RULES).collect()
    }

    fn example(&self, _suite: &Suite) -> &'static str {
        example::RECORD
    }

    fn seal(&self, _suite: &Suite, obligation: &str, document: &mut serde_json::Value) -> Result<(), String> {
        seal::after_edit(obligation, document)
    }

    fn seals(&self) -> bool {
        true
    }

    fn related(&self, _suite: &Suite, obligation: &str) -> &'static [(&'static str, &'static str)] {
        let refers = [relation::OBLIGATIONS, artifact::OBLIGATIONS].into_iter().flatten();
        if refers.map(|judged| judged.rule.id).any(|id| id == obligation) { example::RELATED } else { &[] }
    }

    fn judge(&self, _suite: &Suite, document: &Document, judge: &mut Judge<'_>) {
        let settings = judge.settings;
        let record = Record::of(document, &settings.related);
        for obligations in RECORD {
            judge.run(obligations, &record);
        }
    }

    fn sets(&self, _suite: &Suite) -> Sets {
        Sets::Check
    }

    fn judge_set(&self, _suite: &Suite, documents: &[&Document], judges: &mut [Judge<'_>]) {
        set::judge(documents, judges);
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
        derive::derive(document)
    }
}
