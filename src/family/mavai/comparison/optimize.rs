//! An optimize document beside its scenario.

use super::{differs, factors, inputs, same_text};
use crate::document::{Document, Value};
use crate::family::mavai::content;
use crate::family::mavai::model::{self, Inputs, Run};
use crate::family::mavai::oracle::{self, Expected};
use crate::family::mavai::scenario::optimize::{Input, Objective};
use crate::obligation::Judge;

/// Judges one document against its scenario.
pub fn compare(input: &Input, document: &Document, judge: &mut Judge<'_>) {
    let root = document.root();
    let terms = input.terms();
    let expected: Vec<Expected> =
        input.iterations.iter().map(|iteration| oracle::expect(terms.criteria, &iteration.trials)).collect();
    let scores = oracle::scores(input, &expected);
    let objective = match input.objective {
        Objective::Maximize => "MAXIMIZE",
        Objective::Minimize => "MINIMIZE",
    };
    same_text(root, "serviceContractId", &input.contract, judge);
    same_text(root, "experimentId", &input.experiment, judge);
    same_text(root, "objective", objective, judge);
    inputs(&terms, root, judge);
    let Some(iterations) = model::list(root, "iterations").get() else { return };
    if iterations.value.len() != expected.len() {
        differs(
            iterations.at,
            format!("{} iterations were emitted, the scenario has {}", iterations.value.len(), expected.len()),
            judge,
        );
    }
    let block = Inputs::of(root);
    let declared = input.iterations.iter().zip(&expected).zip(&scores);
    for (at, ((iteration, expected), own_score)) in iterations.value.items().zip(declared) {
        factors(at, &iteration.factors, judge);
        score(at, *own_score, judge);
        super::run(&terms, expected, &Run::of(at, block), judge);
    }
    convergence(input, &scores, root, judge);
    let names = input.iterations.iter().flat_map(|iteration| iteration.factors.keys());
    content::judge(&terms, names, input.iterations.iter().flat_map(|iteration| &iteration.trials), document, judge);
}

fn score(iteration: Value<'_>, expected: f64, judge: &mut Judge<'_>) {
    if let Some(score) = model::number(iteration, "score").get()
        && (score.value - expected).abs() > judge.settings.tolerance() * expected.abs().max(1.0)
    {
        differs(score.at, format!("score is {}, the scenario's is {expected}", score.at.written()), judge);
    }
}

fn convergence(input: &Input, scores: &[f64], root: Value<'_>, judge: &mut Judge<'_>) {
    let Some(best) = oracle::best_score(input, scores) else { return };
    let Some(named) = root.get("convergence").and_then(|block| block.get("bestIteration")) else { return };
    let own = named.as_u64().and_then(|index| scores.get(usize::try_from(index).ok()?));
    // Which of equals is chosen is the emitter's: the family's habit is an obligation of its own.
    if own.is_none_or(|own| *own != best) {
        let first = scores.iter().position(|score| *score == best).unwrap_or_default();
        differs(
            named,
            format!("bestIteration is {}, from the scenario follows {first} (score {best})", named.written()),
            judge,
        );
    }
}
