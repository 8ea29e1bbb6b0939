//! The emitted document beside what follows from its scenario. Each difference is a finding; what is the emitter's choice (order,
//! decimals, optional blocks, further fields, the time of emission, measured times under a real clock) is none.

use std::collections::BTreeMap;

use super::delivery::{CAUSES, excerpt};
use super::model::{self, Criterion, Distribution, Inputs, Run, input_suffix};
use super::oracle::{self, Expected, ExpectedCriterion, ExpectedRow, Reason, Reasons};
use super::scenario::{Clock, Input, Objective};
use super::whole::LONGEST_KEY;
use crate::document::{Document, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::Judge;

/// Judges one document against its scenario.
pub fn compare(input: &Input, document: &Document, judge: &mut Judge<'_>) {
    let root = document.root();
    let expected = oracle::expect(input);
    let objective = match input.objective {
        Objective::Maximize => "MAXIMIZE",
        Objective::Minimize => "MINIMIZE",
    };
    same_text(root, "serviceContractId", &input.contract, judge);
    same_text(root, "experimentId", &input.experiment, judge);
    same_text(root, "objective", objective, judge);
    inputs(input, root, judge);
    let Some(iterations) = model::list(root, "iterations").get() else { return };
    if iterations.value.len() != expected.len() {
        differs(
            iterations.at,
            format!("{} iterations were emitted, the scenario has {}", iterations.value.len(), expected.len()),
            judge,
        );
    }
    let block = Inputs::of(root);
    for ((at, expected), declared) in iterations.value.items().zip(&expected).zip(&input.iterations) {
        factors(at, &declared.factors, judge);
        iteration(input, expected, at, &Run::of(at, block), judge);
    }
    convergence(input, &expected, root, judge);
}

fn differs(at: Value<'_>, message: String, judge: &mut Judge<'_>) {
    judge
        .finding_as("scenario/differs", Basis::Derived, Severity::Error, at, message)
        .help("compare with the scenario: its trials, in order, say what happened");
}

/// A text member, where it is stated; a declared identity longer than the bound may be stated in any bounded form.
fn same_text(parent: Value<'_>, key: &'static str, expected: &str, judge: &mut Judge<'_>) {
    let Some(stated) = model::text(parent, key).get() else { return };
    if stated.value != expected && expected.chars().count() <= LONGEST_KEY {
        differs(
            stated.at,
            format!("{key} is {}, the scenario says {}", excerpt(stated.value), excerpt(expected)),
            judge,
        );
    }
}

fn inputs(input: &Input, root: Value<'_>, judge: &mut Judge<'_>) {
    let Some(block) = model::list(root, "inputs").get() else { return };
    if block.value.len() != input.inputs.len() {
        differs(
            block.at,
            format!("{} inputs are stated, the scenario drove {}", block.value.len(), input.inputs.len()),
            judge,
        );
    }
    for item in block.value.items() {
        let own = item
            .get("inputIndex")
            .and_then(Value::as_u64)
            .and_then(|index| input.inputs.get(usize::try_from(index).ok()?));
        let (Some(own), Some(stated)) = (own, item.get("inputExcerpt")) else { continue };
        // How an input presents itself is the emitter's choice; only another input's whole text is wrong for certain.
        let text = stated.as_str().unwrap_or_default();
        if text != own && input.inputs.iter().any(|other| other != own && other == text) && !own.starts_with(text) {
            differs(
                stated,
                format!("the excerpt {} is another input's text; this one's is {}", excerpt(text), excerpt(own)),
                judge,
            );
        }
    }
}

fn factors(iteration: Value<'_>, expected: &serde_json::Map<String, serde_json::Value>, judge: &mut Judge<'_>) {
    let Some(stated) = model::object(iteration, "factors").get() else { return };
    for (name, value) in expected {
        match stated.value.get(name) {
            Some(emitted) if same_scalar(emitted, value) => {}
            Some(emitted) => differs(
                emitted,
                format!("factor {} is {}, the scenario says {value}", excerpt(name), emitted.to_json()),
                judge,
            ),
            None if name.chars().count() > LONGEST_KEY => {}
            None => differs(stated.at, format!("factor {} of the scenario is missing", excerpt(name)), judge),
        }
    }
    for (key, _) in stated.value.members() {
        let name = key.as_str().unwrap_or_default();
        let may_be_bounded = expected.keys().any(|name| name.chars().count() > LONGEST_KEY);
        if !expected.contains_key(name) && !may_be_bounded {
            differs(key, format!("the scenario has no factor {}", excerpt(name)), judge);
        }
    }
}

fn same_scalar(emitted: Value<'_>, expected: &serde_json::Value) -> bool {
    match expected {
        serde_json::Value::String(text) => emitted.as_str() == Some(text),
        serde_json::Value::Bool(flag) => emitted.as_bool() == Some(*flag),
        serde_json::Value::Number(number) => emitted.as_f64().is_some() && emitted.as_f64() == number.as_f64(),
        _ => false,
    }
}

fn iteration(input: &Input, expected: &Expected, at: Value<'_>, run: &Run<'_>, judge: &mut Judge<'_>) {
    same_count("samplesExecuted", &run.samples_executed, expected.executed, judge);
    same_count("samplesPlanned", &run.samples_planned, input.samples_planned, judge);
    same_count("successes", &run.successes, expected.successes, judge);
    same_count("failures", &run.failures, expected.executed - expected.successes, judge);
    if let Some(score) = model::number(at, "score").get()
        && (score.value - expected.score).abs() > judge.settings.tolerance() * expected.score.abs().max(1.0)
    {
        differs(score.at, format!("score is {}, the scenario's is {}", score.at.written(), expected.score), judge);
    }
    let names = Names::of(input);
    reasons(&run.distribution, &expected.reasons, &names, judge);
    criteria(expected, run, &names, judge);
    if input.clock == Clock::Virtual
        && let Some(vector) =
            run.latency.get().and_then(|latency| model::list(latency.value, "sortedPassingLatenciesMs").get())
    {
        latencies(vector.value, &expected.latencies, judge);
    }
}

fn same_count(name: &str, stated: &model::Slot<'_, u64>, expected: u64, judge: &mut Judge<'_>) {
    if let Some(stated) = stated.get()
        && stated.value != expected
    {
        differs(stated.at, format!("{name} is {}, from the scenario follows {expected}", stated.value), judge);
    }
}

fn latencies(vector: Value<'_>, expected: &[f64], judge: &mut Judge<'_>) {
    if vector.len() != expected.len() {
        differs(vector, format!("{} latencies were emitted, {} trials passed", vector.len(), expected.len()), judge);
        return;
    }
    for (rank, (stated, expected)) in vector.items().zip(expected).enumerate() {
        let Some(value) = stated.as_f64() else { continue };
        if (value - expected).abs() > 1e-6 * expected.abs().max(1.0) {
            let message = format!(
                "the latency of rank {} is {}, the scenario's passing trials have {expected} there",
                rank + 1,
                stated.written()
            );
            differs(stated, message, judge);
            return;
        }
    }
}

/// What stands for every declared name that is too long to be an identity as it stands: how it is bounded is the emitter's choice, so
/// that such names are compared by what they count, all together.
const TOO_LONG: &str = "a check whose name is longer than 256 characters";

/// The scenario's check names.
struct Names<'i> {
    checks: Vec<&'i str>,
    any_too_long: bool,
}

impl<'i> Names<'i> {
    fn of(input: &'i Input) -> Self {
        let checks: Vec<&str> =
            input.criteria.iter().flat_map(|criterion| &criterion.checks).map(|check| check.name.as_str()).collect();
        Names { any_too_long: checks.iter().any(|name| Names::comparable(name) == TOO_LONG), checks }
    }

    /// The name by which a declared check is compared.
    fn comparable(declared: &str) -> &str {
        if declared.chars().count() > LONGEST_KEY { TOO_LONG } else { declared }
    }

    /// The name by which an emitted identity is compared: the declared one, also where the identity adds ` (input N)`.
    fn declared<'n>(&'n self, emitted: &'n str) -> &'n str {
        let base = emitted.rsplit_once(" (input ").map(|(base, _)| base).filter(|_| input_suffix(emitted).is_some());
        let known = |name: &&str| self.checks.contains(name);
        match [Some(emitted), base].into_iter().flatten().find(known) {
            Some(name) => Names::comparable(name),
            None if self.any_too_long => TOO_LONG,
            None => emitted,
        }
    }
}

fn reasons(distribution: &Distribution<'_>, expected: &Reasons, names: &Names<'_>, judge: &mut Judge<'_>) {
    let Some(block) = distribution.block.get() else { return };
    // An emitter may split an evaluated condition over inputs, or not: without the input the counts must agree in any case.
    let mut emitted: BTreeMap<Reason, (u64, Value<'_>)> = BTreeMap::new();
    let mut merged: Reasons = Reasons::new();
    for (reason, count) in expected {
        *merged.entry(comparable(reason)).or_default() += count;
    }
    for entry in &distribution.entries {
        let (Some(condition), Some(count)) = (entry.condition.get(), entry.count.get()) else { return };
        let cause = CAUSES.iter().map(|(cause, _)| *cause).find(|cause| *cause == condition.value);
        let delivery = match entry.kind() {
            Some(kind) => kind == "delivery",
            None => cause.is_some() && !names.checks.contains(&condition.value),
        };
        let reason = match (delivery, cause) {
            (true, Some(cause)) => Reason::Delivery { cause },
            // A cause outside the vocabulary is another obligation's finding.
            (true, None) => return,
            (false, _) => Reason::Evaluated { condition: names.declared(condition.value).to_owned(), input: None },
        };
        let sum = emitted.entry(reason).or_insert((0, entry.at));
        sum.0 = sum.0.saturating_add(count.value);
        stated_inputs(entry, expected, names, judge);
    }
    for (reason, (count, at)) in &emitted {
        let follows = merged.get(reason).copied().unwrap_or_default();
        if *count != follows {
            differs(
                *at,
                format!("{count} trials are attributed to {}, from the scenario follow {follows}", label(reason)),
                judge,
            );
        }
    }
    for (reason, count) in merged.iter().filter(|(reason, _)| !emitted.contains_key(*reason)) {
        differs(
            block.at,
            format!("no entry for {}, to which {count} failed trials are to be attributed", label(reason)),
            judge,
        );
    }
}

/// An entry for a condition that inputs state must name its input.
fn stated_inputs(entry: &model::Entry<'_>, expected: &Reasons, names: &Names<'_>, judge: &mut Judge<'_>) {
    let Some(condition) = entry.condition.get() else { return };
    let name = names.declared(condition.value);
    let own: Vec<u64> = expected
        .keys()
        .filter_map(|reason| match reason {
            Reason::Evaluated { condition, input: Some(input) } if Names::comparable(condition) == name => Some(*input),
            _ => None,
        })
        .collect();
    if own.is_empty() {
        return;
    }
    match entry.input.get() {
        None => differs(
            entry.at,
            format!("the condition {} is per input, but the entry has no inputIndex", excerpt(name)),
            judge,
        ),
        Some(input) if !own.contains(&input.value) => {
            differs(
                input.at,
                format!("inputIndex is {}, but the condition {} failed on {own:?}", input.value, excerpt(name)),
                judge,
            );
        }
        Some(_) => {}
    }
}

fn comparable(reason: &Reason) -> Reason {
    match reason {
        Reason::Evaluated { condition, .. } => {
            Reason::Evaluated { condition: Names::comparable(condition).to_owned(), input: None }
        }
        Reason::Delivery { cause } => Reason::Delivery { cause },
    }
}

fn label(reason: &Reason) -> String {
    match reason {
        Reason::Evaluated { condition, .. } => format!("the condition {}", excerpt(condition)),
        Reason::Delivery { cause } => format!("the delivery cause {cause}"),
    }
}

fn criteria(expected: &Expected, run: &Run<'_>, names: &Names<'_>, judge: &mut Judge<'_>) {
    let Some(block) = run.criteria.get() else { return };
    for criterion in &expected.criteria {
        match run.criterion_list.iter().find(|emitted| emitted.label() == criterion.name) {
            Some(emitted) => one_criterion(criterion, emitted, names, judge),
            None if criterion.name.chars().count() > LONGEST_KEY => {}
            None => {
                differs(block.at, format!("criterion {} of the scenario is missing", excerpt(&criterion.name)), judge)
            }
        }
    }
    let may_be_bounded = expected.criteria.iter().any(|criterion| criterion.name.chars().count() > LONGEST_KEY);
    for emitted in &run.criterion_list {
        if !may_be_bounded && !expected.criteria.iter().any(|criterion| criterion.name == emitted.label()) {
            differs(emitted.name, format!("the scenario has no criterion {}", excerpt(emitted.label())), judge);
        }
    }
}

fn one_criterion(expected: &ExpectedCriterion, emitted: &Criterion<'_>, names: &Names<'_>, judge: &mut Judge<'_>) {
    let name = format!("pass of criterion {}", excerpt(&expected.name));
    same_count(&name, &emitted.pass, expected.pass, judge);
    let name = format!("fail of criterion {}", excerpt(&expected.name));
    same_count(&name, &emitted.fail, expected.fail, judge);
    reasons(&emitted.distribution, &expected.reasons, names, judge);
    if let Some(standings) = emitted.standings.get() {
        match (emitted.slack.get(), expected.slack.as_deref()) {
            (Some(stated), Some(declared)) if stated.value != declared => differs(
                stated.at,
                format!("optionalSlack is {}, declared is {}", excerpt(stated.value), excerpt(declared)),
                judge,
            ),
            (Some(stated), None) => {
                differs(stated.at, "optionalSlack is stated, but the criterion declares none".to_owned(), judge)
            }
            (None, Some(declared)) if emitted.slack.is_absent() => {
                differs(
                    standings.at,
                    format!("optionalSlack {} of the declaration is missing", excerpt(declared)),
                    judge,
                );
            }
            _ => {}
        }
        rows(expected, emitted, standings.at, names, judge);
    }
}

fn rows(
    expected: &ExpectedCriterion,
    emitted: &Criterion<'_>,
    standings: Value<'_>,
    names: &Names<'_>,
    judge: &mut Judge<'_>,
) {
    let mut missing: Vec<(u64, &str, &ExpectedRow)> =
        expected.rows.iter().map(|((input, check), row)| (*input, Names::comparable(check), row)).collect();
    for row in &emitted.rows {
        let (Some(input), Some(check)) = (row.input.get(), row.check.get()) else { return };
        let counts =
            [row.passed.get(), row.failed.get(), row.skipped.get()].map(|count| count.map(|count| count.value));
        let name = names.declared(check.value);
        let is_of = |(own, check, _): &(u64, &str, &ExpectedRow)| *own == input.value && *check == name;
        let equal = |(_, _, row): &(u64, &str, &ExpectedRow)| counts == [row.passed, row.failed, row.skipped].map(Some);
        // Several names too long to be told apart: the one that counts the same is the one meant.
        let at = missing.iter().position(|own| is_of(own) && equal(own)).or_else(|| missing.iter().position(is_of));
        let Some((_, _, own)) = at.map(|at| missing.remove(at)) else {
            // A row for an input that was never driven counts nothing; a doubled row is another obligation's finding.
            let doubled =
                expected.rows.keys().any(|(own, check)| *own == input.value && Names::comparable(check) == name);
            if counts.iter().any(|count| count.is_some_and(|count| count > 0)) && !doubled {
                let message =
                    format!("the check {} is not judged on input {} in the scenario", excerpt(name), input.value);
                differs(row.at, message, judge);
            }
            continue;
        };
        let follows = [own.passed, own.failed, own.skipped];
        if counts.iter().zip(follows).any(|(stated, follows)| stated.is_some_and(|stated| stated != follows)) {
            let shown = counts.map(|count| count.map_or("?".to_owned(), |count| count.to_string())).join("/");
            let message = format!(
                "passed/failed/skipped are {shown}, from the scenario follow {}/{}/{}",
                own.passed, own.failed, own.skipped
            );
            differs(row.at, message, judge);
        }
        if let Some(optional) = row.optional.get().filter(|optional| optional.value != own.optional) {
            differs(optional.at, format!("optional is {}, declared is {}", optional.value, own.optional), judge);
        }
        if let Some(provenance) = row.provenance.get()
            && row.is_stated_by_input() != own.stated_by_input
        {
            let follows = if own.stated_by_input { "input" } else { "criterion" };
            differs(
                provenance.at,
                format!("provenance is {}, declared is {follows}", excerpt(provenance.value)),
                judge,
            );
        }
    }
    for (input, check, _) in missing {
        differs(standings, format!("no row for check {} on input {input}", excerpt(check)), judge);
    }
}

fn convergence(input: &Input, expected: &[Expected], root: Value<'_>, judge: &mut Judge<'_>) {
    let Some(best) = oracle::best_score(input, expected) else { return };
    let Some(named) = root.get("convergence").and_then(|block| block.get("bestIteration")) else { return };
    let own = named.as_u64().and_then(|index| expected.get(usize::try_from(index).ok()?));
    // Which of equals is chosen is the emitter's: the family's habit is an obligation of its own.
    if own.is_none_or(|own| own.score != best) {
        let first = expected.iter().position(|iteration| iteration.score == best).unwrap_or_default();
        differs(
            named,
            format!("bestIteration is {}, from the scenario follows {first} (score {best})", named.written()),
            judge,
        );
    }
}
