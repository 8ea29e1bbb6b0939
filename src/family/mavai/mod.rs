//! The mavai family: what a run of one configuration recorded, as optimize, explore and baseline documents.
//!
//! Source of the rules: the descriptions in the family's schemas, the conformance tests of the emitting frameworks, arithmetic.

mod baseline;
mod comparison;
mod content;
mod convergence;
mod cost;
mod counts;
pub(crate) mod delivery;
mod derive;
mod exemplars;
mod explore;
mod failures;
mod identity;
mod inference;
mod inputs;
mod latency;
mod model;
mod oracle;
mod scenario;
mod slot;
mod standings;
mod totals;
mod whole;

use self::baseline::{Baseline, BaselineModel};
use self::convergence::{Iteration, Optimize, OptimizeModel};
use self::model::{Inputs, Run, RunModel};
use self::whole::{Whole, WholeModel};
use crate::document::Document;
use crate::family::{Family, Sets};
use crate::obligation::{Judge, Obligation, Rule};
use crate::suite::{Suite, Version};

/// The family of mavai documents.
pub struct Mavai;

static SUITES: &[Suite] = &[
    Suite {
        id: "mavai-optimize-1",
        title: "mavai optimize artefact: one document an optimize run",
        family: "mavai",
        schema: "mavai-optimize-1",
        parts: &[],
        version: Version::Text("schemaVersion", "mavai-optimize-1"),
    },
    Suite {
        id: "mavai-explore-1",
        title: "mavai explore artefact: one document a configuration",
        family: "mavai",
        schema: "mavai-explore-1",
        parts: &[],
        version: Version::Text("schemaVersion", "mavai-explore-1"),
    },
    Suite {
        id: "mavai-baseline-1",
        title: "mavai baseline artefact: what a measure experiment recorded",
        family: "mavai",
        schema: "mavai-baseline-1",
        parts: &[],
        version: Version::Text("schemaVersion", "mavai-baseline-1"),
    },
];

/// Which document a suite is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Artefact {
    Optimize,
    Explore,
    Baseline,
}

/// On each run, in the order of the reference.
const ON_RUNS: [&[Obligation<RunModel>]; 10] = [
    counts::OBLIGATIONS,
    failures::OBLIGATIONS,
    delivery::OBLIGATIONS,
    standings::OBLIGATIONS,
    totals::OBLIGATIONS,
    exemplars::OBLIGATIONS,
    inputs::RUN,
    latency::OBLIGATIONS,
    cost::OBLIGATIONS,
    convergence::RUN,
];

/// On an optimize document's history.
const ON_OPTIMIZE: &[Obligation<OptimizeModel>] = convergence::OBLIGATIONS;

/// On what a baseline states beyond the blocks that it shares.
const ON_BASELINE: [&[Obligation<BaselineModel>]; 3] =
    [baseline::OBLIGATIONS, inference::OBLIGATIONS, identity::OBLIGATIONS];

/// On the whole of any document.
const ON_WHOLE: [&[Obligation<WholeModel>]; 2] = [inputs::DOCUMENT, whole::OBLIGATIONS];

/// Obligations on runs that need what a baseline does not state: its trials are counted a criterion only. It has its own instead.
const NOT_ON_BASELINE: [&str; 6] = [
    "mavai/trials-counted",
    "mavai/observed-rate",
    "mavai/criteria-bound-trials",
    "mavai/delivery-fails-every-criterion",
    "mavai/latency-present",
    "mavai/latency-counts",
];

impl Artefact {
    fn of(suite: &Suite) -> Self {
        match suite.id {
            "mavai-explore-1" => Artefact::Explore,
            "mavai-baseline-1" => Artefact::Baseline,
            _ => Artefact::Optimize,
        }
    }

    /// The obligations on its runs.
    fn on_runs(self) -> impl Iterator<Item = &'static Obligation<RunModel>> {
        let foreign = move |id: &str| self == Artefact::Baseline && NOT_ON_BASELINE.contains(&id);
        ON_RUNS.into_iter().flatten().filter(move |obligation| !foreign(obligation.rule.id))
    }
}

impl Family for Mavai {
    fn name(&self) -> &'static str {
        "mavai"
    }

    fn suites(&self) -> &'static [Suite] {
        SUITES
    }

    fn rules(&self, suite: &Suite) -> Vec<&'static Rule> {
        let artefact = Artefact::of(suite);
        let mut rules: Vec<&'static Rule> = artefact.on_runs().map(|obligation| &obligation.rule).collect();
        match artefact {
            Artefact::Optimize => rules.extend(ON_OPTIMIZE.iter().map(|obligation| &obligation.rule)),
            Artefact::Explore => rules.extend(explore::RULES),
            Artefact::Baseline => rules.extend(ON_BASELINE.into_iter().flatten().map(|obligation| &obligation.rule)),
        }
        rules.extend(ON_WHOLE.into_iter().flatten().map(|obligation| &obligation.rule));
        rules
    }

    fn scenario_rules(&self, _suite: &Suite) -> Vec<&'static Rule> {
        vec![&content::RULE]
    }

    fn example(&self, suite: &Suite) -> &'static str {
        match Artefact::of(suite) {
            Artefact::Optimize => include_str!("example.json"),
            Artefact::Explore => include_str!("example-explore.json"),
            Artefact::Baseline => include_str!("example-baseline.json"),
        }
    }

    fn judge(&self, suite: &Suite, document: &Document, judge: &mut Judge<'_>) {
        let inputs = Inputs::of(document.root());
        let mut whole = Whole::new(document, inputs);
        match Artefact::of(suite) {
            Artefact::Optimize => judge_optimize(&mut whole, judge),
            Artefact::Explore => judge_run(Artefact::Explore, &Run::of(document.root(), inputs), &mut whole, judge),
            Artefact::Baseline => {
                judge_run(Artefact::Baseline, &Run::of_baseline(document.root(), inputs), &mut whole, judge);
                let baseline = Baseline::of(document);
                ON_BASELINE.into_iter().for_each(|obligations| judge.run(obligations, &baseline));
            }
        }
        for obligations in ON_WHOLE {
            judge.run(obligations, &whole);
        }
    }

    fn sets(&self, suite: &Suite) -> Sets {
        if Artefact::of(suite) == Artefact::Explore { Sets::Folder } else { Sets::None }
    }

    fn judge_set(&self, suite: &Suite, documents: &[&Document], judges: &mut [Judge<'_>]) {
        if Artefact::of(suite) == Artefact::Explore {
            let roots: Vec<_> = documents.iter().map(|document| document.root()).collect();
            explore::judge_set(&roots, judges);
        }
    }

    /// An explore experiment yields one document a configuration, a measure experiment one a measurement.
    fn documents_per_scenario(&self, suite: &Suite) -> Option<usize> {
        (Artefact::of(suite) == Artefact::Optimize).then_some(1)
    }

    fn judge_scenario(
        &self,
        suite: &Suite,
        input: &serde_json::Value,
        documents: &[&Document],
        judge: &mut Judge<'_>,
    ) -> Result<(), String> {
        match Artefact::of(suite) {
            Artefact::Optimize => {
                let input = scenario::optimize::Input::read(input)?;
                for document in documents {
                    comparison::optimize::compare(&input, document, judge);
                }
            }
            Artefact::Explore => {
                comparison::explore::compare(&scenario::explore::Input::read(input)?, documents, judge);
            }
            Artefact::Baseline => {
                comparison::baseline::compare(&scenario::baseline::Measured::read(input)?, documents, judge);
            }
        }
        Ok(())
    }

    fn derive(&self, suite: &Suite, document: &Document) -> Result<String, String> {
        derive::derive(Artefact::of(suite), document)
    }
}

/// Judges an optimize document's iterations, then its history. A run's model lives only while it is judged: documents of a hundred
/// megabytes hold thousands.
fn judge_optimize<'d>(whole: &mut Whole<'d>, judge: &mut Judge<'_>) {
    let mut optimize = Optimize::of(whole.document.root());
    match optimize.list.get() {
        Some(list) => {
            for at in list.value.items() {
                let run = Run::of(at, whole.inputs);
                optimize.iterations.push(Iteration::of(at, &run));
                judge_run(Artefact::Optimize, &run, whole, judge);
            }
        }
        None => {
            for obligation in Artefact::Optimize.on_runs() {
                judge.by(obligation.rule);
                optimize.list.need(judge);
            }
        }
    }
    judge.run(ON_OPTIMIZE, &optimize);
}

fn judge_run<'d>(artefact: Artefact, run: &Run<'d>, whole: &mut Whole<'d>, judge: &mut Judge<'_>) {
    whole.note(run);
    for obligation in artefact.on_runs() {
        judge.run(std::slice::from_ref(obligation), run);
    }
}
