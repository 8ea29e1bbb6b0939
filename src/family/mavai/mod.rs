//! The mavai family: what a run of one configuration recorded, as optimize, explore and baseline documents.
//!
//! Source of the rules: the descriptions in the family's schemas, the conformance tests of the emitting frameworks, arithmetic.

mod comparison;
mod content;
mod convergence;
mod cost;
mod counts;
mod delivery;
mod exemplars;
mod failures;
mod inputs;
mod latency;
mod model;
mod oracle;
mod scenario;
mod standings;
mod whole;

use self::convergence::{Iteration, Optimize, OptimizeModel};
use self::model::{Inputs, Run, RunModel};
use self::whole::{Whole, WholeModel};
use crate::document::Document;
use crate::family::Family;
use crate::obligation::{Judge, Obligation, Rule};
use crate::suite::{Suite, Version};

/// The family of mavai documents.
pub struct Mavai;

static SUITES: &[Suite] = &[Suite {
    id: "mavai-optimize-1",
    title: "mavai optimize artefact: one document an optimize run",
    family: "mavai",
    schema: "mavai-optimize-1",
    parts: &[],
    version: Version::Text("schemaVersion", "mavai-optimize-1"),
}];

/// On each run, in the order of the reference.
const ON_RUNS: [&[Obligation<RunModel>]; 9] = [
    counts::OBLIGATIONS,
    failures::OBLIGATIONS,
    delivery::OBLIGATIONS,
    standings::OBLIGATIONS,
    exemplars::OBLIGATIONS,
    inputs::RUN,
    latency::OBLIGATIONS,
    cost::OBLIGATIONS,
    convergence::RUN,
];

/// On an optimize document's history.
const ON_OPTIMIZE: &[Obligation<OptimizeModel>] = convergence::OBLIGATIONS;

/// On the whole of any document.
const ON_WHOLE: [&[Obligation<WholeModel>]; 2] = [inputs::DOCUMENT, whole::OBLIGATIONS];

impl Family for Mavai {
    fn name(&self) -> &'static str {
        "mavai"
    }

    fn suites(&self) -> &'static [Suite] {
        SUITES
    }

    fn rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        let on_runs = ON_RUNS.into_iter().flatten().map(|obligation| &obligation.rule);
        let on_optimize = ON_OPTIMIZE.iter().map(|obligation| &obligation.rule);
        let on_whole = ON_WHOLE.into_iter().flatten().map(|obligation| &obligation.rule);
        on_runs.chain(on_optimize).chain(on_whole).collect()
    }

    fn scenario_rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        vec![&content::RULE]
    }

    fn example(&self, _suite: &Suite) -> &'static str {
        include_str!("example.json")
    }

    fn judge(&self, _suite: &Suite, document: &Document, judge: &mut Judge<'_>) {
        let root = document.root();
        let inputs = Inputs::of(root);
        let mut whole = Whole::new(document, inputs);
        let mut optimize = Optimize::of(root);
        if optimize.list.get().is_none() {
            for obligation in ON_RUNS.into_iter().flatten() {
                judge.by(obligation.rule);
                optimize.list.need(judge);
            }
        }
        // A run's model lives only while it is judged: documents of a hundred megabytes hold thousands.
        for at in optimize.list.get().into_iter().flat_map(|list| list.value.items()) {
            let run = Run::of(at, inputs);
            whole.note(&run);
            optimize.iterations.push(Iteration::of(at, &run));
            for obligations in ON_RUNS {
                judge.run(obligations, &run);
            }
        }
        judge.run(ON_OPTIMIZE, &optimize);
        for obligations in ON_WHOLE {
            judge.run(obligations, &whole);
        }
    }

    fn judge_scenario(
        &self,
        _suite: &Suite,
        input: &serde_json::Value,
        documents: &[&Document],
        judge: &mut Judge<'_>,
    ) -> Result<(), String> {
        let input = scenario::Input::read(input)?;
        for document in documents {
            comparison::compare(&input, document, judge);
            content::judge(&input, document, judge);
        }
        Ok(())
    }

    fn derive(&self, _suite: &Suite, _document: &Document) -> Result<String, String> {
        Err("nothing is derived for this kind of document".to_owned())
    }
}
