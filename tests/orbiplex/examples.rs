//! Every rule's good and bad example reports exactly what the rule says.

use conform::document::Document;
use conform::obligation::{Edit, Judge, Rule, Settings};

use super::{errors, ids, read, suite};

fn edited(base: &serde_json::Value, edits: &[Edit], rule: &Rule) -> serde_json::Value {
    let mut document = base.clone();
    if edits.is_empty() {
        return document;
    }
    for edit in edits {
        edit.apply(&mut document).unwrap_or_else(|error| panic!("{}: {error}", rule.id));
    }
    suite().family().seal(suite(), rule.id, &mut document).unwrap_or_else(|error| panic!("{}: {error}", rule.id));
    document
}

/// Judges a document with what its rule's examples refer to; for a rule over several records, beside another one.
fn judge(document: &serde_json::Value, rule: &Rule, beside: &serde_json::Value) -> Vec<conform::finding::Finding> {
    let family = suite().family();
    let related =
        family.related(suite(), rule.id).iter().map(|(name, text)| ((*name).to_owned(), read(text))).collect();
    let settings = Settings { related, ..Settings::default() };
    let over_several = conform::family::orbiplex::set::RULES.iter().any(|other| other.id == rule.id);
    let set: Vec<Document> = [beside, document].into_iter().map(|record| read(&record.to_string())).collect();
    let set: Vec<&Document> = set.iter().collect();
    let mut judges: Vec<Judge<'_>> = set.iter().map(|_| Judge::new(&settings)).collect();
    for (document, judge) in set.iter().zip(&mut judges) {
        family.judge(suite(), document, judge);
    }
    if over_several {
        family.judge_set(suite(), &set, &mut judges);
    }
    let (findings, not_judged) = judges.pop().expect("the example itself is judged").finish();
    assert!(not_judged.iter().all(|entry| entry.obligation != rule.id), "{}: {not_judged:#?}", rule.id);
    findings
}

#[test]
fn the_plain_example_keeps_every_obligation() {
    let (findings, _) = super::judge(suite().family().example(suite()));
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn examples_break_what_they_say_and_nothing_else() {
    let family = suite().family();
    let plain: serde_json::Value = serde_json::from_str(family.example(suite())).expect("the example is JSON");
    for rule in family.rules(suite()) {
        let good = edited(&plain, rule.example.good, rule);
        let findings = judge(&good, rule, &good);
        assert!(errors(&findings).is_empty(), "{}: the good example: {findings:#?}", rule.id);
        assert!(!ids(&findings).contains(&rule.id), "{}: the good example: {findings:#?}", rule.id);
        let bad = edited(&good, rule.example.bad, rule);
        let findings = judge(&bad, rule, &good);
        let mut expected: Vec<&str> = rule.example.also.iter().copied().chain([rule.id]).collect();
        expected.sort_unstable();
        assert_eq!(ids(&findings), expected, "{}: the bad example: {findings:#?}", rule.id);
        let own = findings.iter().find(|finding| finding.obligation == rule.id).expect("compared above");
        assert_eq!((own.basis, own.severity), (rule.basis, rule.severity), "{}", rule.id);
        let shown = [&good, &bad].into_iter().any(|document| document.pointer(rule.example.show).is_some());
        assert!(shown, "{}: nothing at {}", rule.id, rule.example.show);
    }
}

#[test]
fn rules_have_ids_of_this_family_each_once() {
    let rules = suite().family().rules(suite());
    let mut ids: Vec<&str> = rules.iter().map(|rule| rule.id).collect();
    assert!(ids.iter().all(|id| id.starts_with("orbiplex/")));
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}
