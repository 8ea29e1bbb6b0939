//! feotest's optimize experiment over a scripted service.

use std::io;
use std::path::{Path, PathBuf};

use feotest::experiment::{
    ContractExecutionResult, FactorMutator, IterationRecord, Objective, ObservedPassRate, OptimizeExperiment, Scorer,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::scenario::Optimize;
use crate::script::{Script, Scripted};

/// Runs the experiment and has feotest write its document below `out`.
pub fn optimize(run: Optimize, out: &Path) -> io::Result<PathBuf> {
    let Optimize { terms, objective, scorer, iterations } = run;
    let trials = iterations.iter().flat_map(|iteration| iteration.trials.iter().cloned()).collect();
    let scores = iterations.iter().map(|iteration| iteration.score).collect();
    let steps: Vec<Factors> = iterations
        .into_iter()
        .enumerate()
        .map(|(iteration, step)| Factors { values: step.factors, iteration })
        .collect();
    let initial = steps.first().cloned().ok_or_else(|| io::Error::other("there is no iteration"))?;
    let script = Script::new(terms, trials, scores).lasting();
    let terms = &script.terms;
    let objective = if objective == "MINIMIZE" { Objective::Minimize } else { Objective::Maximize };
    let builder = OptimizeExperiment::builder()
        .service_contract_id(terms.contract.clone())
        .experiment_id(terms.experiment.clone())
        .initial_factor(initial)
        .service_contract(|_: &Factors| Scripted(script))
        .samples_per_iteration(terms.samples_planned)
        .inputs(&terms.inputs)
        .objective(objective)
        .max_iterations(u32::try_from(steps.len()).unwrap_or(u32::MAX))
        .mutator(Steps(steps))
        .no_improvement_window(u32::MAX);
    let builder = if scorer == "stated" { builder.scorer(Stated(script)) } else { builder.scorer(ObservedPassRate) };
    builder.build().run().write_to(out)
}

/// An iteration's configuration, serialised as the mapping that it is.
#[derive(Clone, Default, Serialize)]
#[serde(transparent)]
struct Factors {
    values: Map<String, Value>,
    #[serde(skip)]
    iteration: usize,
}

/// Proposes the configurations in the scenario's order.
struct Steps(Vec<Factors>);

impl FactorMutator<Factors> for Steps {
    fn mutate(&self, current: &Factors, _history: &[IterationRecord<Factors>]) -> Factors {
        self.0.get(current.iteration + 1).cloned().unwrap_or_default()
    }
}

/// Gives the scores that the scenario states.
struct Stated(&'static Script);

impl Scorer for Stated {
    fn score(&self, _result: &ContractExecutionResult) -> f64 {
        self.0.next_score()
    }
}
