//! What holds of the table of operators.

use std::collections::{BTreeMap, BTreeSet};

use conform::document::rules::RULES as TEXT_RULES;
use conform::mutation::choice::Seeded;
use conform::mutation::mutant::break_by;
use conform::mutation::{Examiner, Layer, lexical, obligations, operators, source};
use conform::suite;

fn examiner() -> Examiner {
    Examiner::new(Vec::new()).unwrap()
}

#[test]
fn every_obligation_has_an_operator() {
    let examiner = examiner();
    for suite in suite::all() {
        let covered: BTreeSet<&str> =
            operators(suite, examiner.schemas()).iter().map(|operator| operator.obligation()).collect();
        let missing: Vec<_> = obligations(suite).into_iter().filter(|id| !covered.contains(id)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", suite.id);
    }
}

#[test]
fn what_is_reckoned_is_broken_in_three_ways_or_more() {
    // Obligations on numbers that follow from others.
    let reckoned = [
        "mavai/trials-counted",
        "mavai/observed-rate",
        "mavai/criteria-bound-trials",
        "mavai/failure-distribution-sum",
        "mavai/delivery-fails-every-criterion",
        "mavai/observed-fraction",
        "mavai/standings-row-total",
        "mavai/standings-bound-criterion",
        "mavai/exemplars-count",
        "mavai/latency-counts",
        "mavai/percentile-value",
        "mavai/cost-average",
        "mavai/samples-planned",
        "mavai/iterations-numbered",
        "mavai/convergence-consistent",
        "mavai/score-is-rate",
        "mavai/baseline-trials",
        "mavai/baseline-rate",
        "mavai/wilson-bound",
        "mavai/baseline-latency",
        "mavai/expiration",
        "torneo/standings-derived",
        "torneo/standings-balance",
        "torneo/denominators-derived",
        "torneo/multiplicity",
    ];
    let examiner = examiner();
    let mut ways: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for operator in suite::all().flat_map(|suite| operators(suite, examiner.schemas())) {
        ways.entry(operator.obligation()).or_default().insert(operator.name);
    }
    for id in reckoned {
        assert!(ways.get(id).is_some_and(|ways| ways.len() >= 3), "{id}: {:?}", ways.get(id));
    }
}

#[test]
fn every_rule_about_texts_is_broken_or_said_to_be_beyond_mutants() {
    let broken: BTreeSet<&str> = lexical::OPERATORS.iter().map(|operator| operator.obligation()).collect();
    for rule in TEXT_RULES {
        let beyond = lexical::BEYOND.iter().any(|(id, _)| *id == rule.id);
        assert!(broken.contains(rule.id) != beyond, "{}", rule.id);
    }
}

#[test]
fn names_are_unique_within_a_suite_and_obligations_are_real() {
    let examiner = examiner();
    for suite in suite::all() {
        let operators = operators(suite, examiner.schemas());
        let names: BTreeSet<&str> = operators.iter().map(|operator| operator.name).collect();
        assert_eq!(names.len(), operators.len(), "{}: a name stands twice", suite.id);
        let known: BTreeSet<&str> = obligations(suite).into_iter().collect();
        for operator in &operators {
            assert!(!operator.what.is_empty() && !operator.breaks.is_empty(), "{}", operator.name);
            for id in operator.breaks {
                let elsewhere = ["schema/", "document/", "scenario/"].iter().any(|layer| id.starts_with(layer));
                assert!(elsewhere || known.contains(id), "{}: {id}", operator.name);
            }
            let own = match operator.layer() {
                Layer::Lexical => "document/",
                Layer::Structural => "schema/",
                Layer::Semantic => "",
            };
            assert!(operator.obligation().starts_with(own), "{}", operator.name);
        }
    }
}

#[test]
fn a_seed_makes_the_same_mutant_again() {
    let examiner = examiner();
    for suite in suite::all() {
        let base = source::fixed(suite).unwrap().into_iter().next().unwrap();
        for operator in operators(suite, examiner.schemas()) {
            let make = || break_by(operator, &base, examiner.schemas(), &mut Seeded::new(9)).map(|mutant| mutant.bytes);
            assert_eq!(make(), make(), "{}", operator.name);
        }
    }
}

#[test]
fn a_mutant_differs_from_what_it_was_made_of() {
    let examiner = examiner();
    for suite in suite::all() {
        for base in source::fixed(suite).unwrap().iter().take(10) {
            for operator in operators(suite, examiner.schemas()) {
                let Some(mutant) = break_by(operator, base, examiner.schemas(), &mut Seeded::new(3)) else { continue };
                // Beside others, a document that repeats them is at fault.
                let same = mutant.document.as_ref() == Some(base.document()) && mutant.twin.is_none();
                assert!(!same, "{} on {base:?}", operator.name);
            }
        }
    }
}
