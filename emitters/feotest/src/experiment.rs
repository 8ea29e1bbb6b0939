//! feotest's optimize experiment over a scripted service.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use feotest::controls::{RunBudget, run};
use feotest::experiment::{
    ContractExecutionResult, FactorMutator, IterationRecord, Objective, ObservedPassRate, OptimizeExperiment, Scorer,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::scenario::Run;
use crate::script::{Script, Scripted};

/// Runs the experiment and has feotest write its document below `out`.
pub fn optimize(run: Run, out: &Path) -> io::Result<PathBuf> {
    limit(&run)?;
    // The process has one scenario, and feotest's closures want what lives as long as it.
    let script: &'static Script = Box::leak(Box::new(Script::new(run)));
    let run = &script.run;
    let iterations = u32::try_from(run.iterations.len()).unwrap_or(u32::MAX);
    let objective = if run.objective == "MINIMIZE" { Objective::Minimize } else { Objective::Maximize };
    let builder = OptimizeExperiment::builder()
        .service_contract_id(run.contract.clone())
        .experiment_id(run.experiment.clone())
        .initial_factor(Factors::of(script, 0))
        .service_contract(|_: &Factors| Scripted(script))
        .mutator(Next(script))
        .samples_per_iteration(run.samples_planned)
        .inputs(&run.inputs)
        .objective(objective)
        .max_iterations(iterations)
        .no_improvement_window(u32::MAX);
    let builder = if run.scorer == "stated" { builder.scorer(Stated(script)) } else { builder.scorer(ObservedPassRate) };
    builder.build().run().write_to(out)
}

/// Sets feotest's own budget so that it ends the run where the scenario says so. A trial costs one token.
fn limit(run: &Run) -> io::Result<()> {
    let budget = match run.cut().map_err(io::Error::other)? {
        None => return Ok(()),
        // A budget of no tokens is refused; one of no time to speak of does the same.
        Some(0) => RunBudget::new(Some(Duration::from_nanos(1)), None),
        Some(trials) => RunBudget::new(None, Some(trials as u64)),
    };
    run::init(budget).map_err(io::Error::other)
}

/// An iteration's configuration, serialised as the mapping that it is.
#[derive(Clone, Serialize)]
#[serde(transparent)]
struct Factors {
    values: Map<String, Value>,
    #[serde(skip)]
    iteration: usize,
}

impl Factors {
    fn of(script: &Script, iteration: usize) -> Self {
        let values = script.run.iterations.get(iteration).map(|iteration| iteration.factors.clone()).unwrap_or_default();
        Factors { values, iteration }
    }
}

/// Proposes the configurations in the scenario's order.
struct Next(&'static Script);

impl FactorMutator<Factors> for Next {
    fn mutate(&self, current: &Factors, _history: &[IterationRecord<Factors>]) -> Factors {
        Factors::of(self.0, current.iteration + 1)
    }
}

/// Gives the scores that the scenario states.
struct Stated(&'static Script);

impl Scorer for Stated {
    fn score(&self, _result: &ContractExecutionResult) -> f64 {
        self.0.next_score()
    }
}
