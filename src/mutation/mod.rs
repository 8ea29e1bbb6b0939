//! Mutation: valid documents broken on purpose, each in one known way. It proves that every obligation bites, and tests consumers,
//! which must refuse what is invalid.
//!
//! An [`Operator`] is a named way to break any valid document of a suite; what it chooses it takes from a [`Choice`]: a seed, or a
//! fuzzer's bytes. A [`Mutant`] is what comes of it, and [`Examiner`] says whether the intended obligations, and no others, were
//! reported.

pub mod base;
pub mod choice;
pub mod consumer;
mod demand;
pub mod examine;
pub mod fuzz;
pub mod lexical;
mod mavai;
pub mod mutant;
pub mod operator;
mod orbiplex;
mod place;
pub mod score;
pub mod source;
pub mod structural;
mod torneo;
mod tweak;

pub use base::Base;
pub use choice::{Bytes, Choice, Seeded};
pub use examine::{Examination, Examiner};
pub use mutant::Mutant;
pub use operator::{Layer, Operator};

use crate::schema::Schemas;
use crate::suite::Suite;
use operator::Apply;

/// The operators on documents of a suite: lexical, structural, semantic.
pub fn operators(suite: &Suite, schemas: &Schemas) -> Vec<&'static Operator> {
    let keywords = structural::keywords(schemas, suite);
    let structural = structural::OPERATORS.iter().filter(|operator| match operator.apply {
        Apply::Schema(keyword) => keywords.contains(keyword),
        _ => true,
    });
    let obligations = obligations(suite);
    let known = move |operator: &&Operator| {
        operator.breaks.iter().all(|id| !id.contains(suite.family) || obligations.contains(id))
    };
    let family: &[&[Operator]] = match suite.family {
        "mavai" => mavai::OPERATORS,
        "torneo" => torneo::OPERATORS,
        "orbiplex" => orbiplex::OPERATORS,
        _ => &[],
    };
    let scenarios = crate::suite::scenario::embedded(suite).is_ok_and(|scenarios| !scenarios.is_empty());
    let told = move |operator: &&Operator| scenarios || !operator.breaks.iter().any(|id| id.starts_with("scenario/"));
    let semantic = family.iter().flat_map(|operators| operators.iter()).filter(known).filter(told);
    lexical::OPERATORS.iter().chain(structural).chain(semantic).collect()
}

/// The ids of a suite's obligations, those that only a scenario shows included where the suite has scenarios.
pub fn obligations(suite: &Suite) -> Vec<&'static str> {
    let family = suite.family();
    let mut ids: Vec<&'static str> = family.rules(suite).iter().map(|rule| rule.id).collect();
    if crate::suite::scenario::embedded(suite).is_ok_and(|scenarios| !scenarios.is_empty()) {
        ids.extend(family.scenario_rules(suite).iter().map(|rule| rule.id));
    }
    ids
}
