//! What failed trials are attributed to, beside what the scenario's trials say.

use std::collections::BTreeMap;

use super::differs;
use crate::document::Value;
use crate::family::mavai::delivery::{CAUSES, excerpt};
use crate::family::mavai::model::{self, Distribution, input_suffix};
use crate::family::mavai::oracle::{Reason, Reasons};
use crate::family::mavai::scenario::Terms;
use crate::family::mavai::whole::LONGEST_KEY;
use crate::obligation::Judge;

/// What stands for every declared name that is too long to be an identity as it stands: how it is bounded is the emitter's choice, so
/// that such names are compared by what they count, all together.
const TOO_LONG: &str = "a check whose name is longer than 256 characters";

/// The scenario's check names.
pub struct Names<'i> {
    checks: Vec<&'i str>,
    any_too_long: bool,
}

impl<'i> Names<'i> {
    pub fn of(terms: &Terms<'i>) -> Self {
        let checks: Vec<&str> =
            terms.criteria.iter().flat_map(|criterion| &criterion.checks).map(|check| check.name.as_str()).collect();
        Names { any_too_long: checks.iter().any(|name| Names::comparable(name) == TOO_LONG), checks }
    }

    /// The name by which a declared check is compared.
    pub fn comparable(declared: &str) -> &str {
        if declared.chars().count() > LONGEST_KEY { TOO_LONG } else { declared }
    }

    /// The name by which an emitted identity is compared: the declared one, also where the identity adds ` (input N)`.
    pub fn declared<'n>(&'n self, emitted: &'n str) -> &'n str {
        let base = emitted.rsplit_once(" (input ").map(|(base, _)| base).filter(|_| input_suffix(emitted).is_some());
        let known = |name: &&str| self.checks.contains(name);
        match [Some(emitted), base].into_iter().flatten().find(known) {
            Some(name) => Names::comparable(name),
            None if self.any_too_long => TOO_LONG,
            None => emitted,
        }
    }
}

pub fn reasons(distribution: &Distribution<'_>, expected: &Reasons, names: &Names<'_>, judge: &mut Judge<'_>) {
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
