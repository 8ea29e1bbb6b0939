//! Every rule's good example keeps all obligations; its bad one breaks exactly that rule and those that it says it breaks with it.

use std::collections::BTreeSet;

use conform::finding::Severity;
use conform::obligation::Edit;
use serde_json::Value;

use crate::judging::{errors, ids, judge, suite};

fn edited(document: &Value, edits: &[Edit]) -> Value {
    let mut document = document.clone();
    for edit in edits {
        edit.apply(&mut document).expect("an edit of the example applies");
    }
    document
}

fn plain() -> Value {
    serde_json::from_str(suite().family().example(suite())).expect("the example is JSON")
}

#[test]
fn the_plain_example_keeps_every_obligation_and_leaves_none_unjudged() {
    let (findings, not_judged) = judge(suite().family().example(suite()));
    assert_eq!(findings, []);
    assert_eq!(not_judged, []);
}

#[test]
fn rules_have_distinct_ids_and_say_what_they_are() {
    let rules = suite().family().rules(suite());
    let ids: BTreeSet<_> = rules.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), rules.len());
    for rule in rules {
        assert!(rule.id.starts_with("torneo/") && rule.demand.ends_with('.'), "{}", rule.id);
        if rule.basis == conform::finding::Basis::Reading {
            assert!(rule.demand.contains("this project's reading"), "{} is a reading and does not say so", rule.id);
        }
    }
}

#[test]
fn good_examples_have_no_errors() {
    for rule in suite().family().rules(suite()) {
        let good = edited(&plain(), rule.example.good);
        let (findings, _) = judge(&good.to_string());
        assert!(errors(&findings).is_empty(), "{}: {findings:#?}", rule.id);
        assert!(findings.iter().all(|finding| finding.obligation != rule.id), "{}: {findings:#?}", rule.id);
    }
}

#[test]
fn bad_examples_break_exactly_their_rule() {
    for rule in suite().family().rules(suite()) {
        let good = edited(&plain(), rule.example.good);
        let bad = edited(&good, rule.example.bad);
        let (findings, _) = judge(&bad.to_string());
        let mut expected: Vec<&str> = rule.example.also.to_vec();
        if rule.severity == Severity::Error {
            expected.push(rule.id);
        }
        expected.sort_unstable();
        assert_eq!(errors(&findings), expected, "{}: {findings:#?}", rule.id);
        assert!(ids(&findings, rule.severity).contains(&rule.id), "{}: {findings:#?}", rule.id);
        assert!(findings.iter().all(|finding| finding.help.is_some() && finding.place.is_some()), "{findings:#?}");
        let show = |document: &Value| document.pointer(rule.example.show).cloned();
        assert_ne!(show(&good), show(&bad), "{}: `show` shows no difference", rule.id);
    }
}
