//! Every obligation of every suite: its good example has no error, its bad example is reported under exactly its id.

use std::collections::BTreeSet;

use conform::document::{self, Limits};
use conform::finding::{Finding, Severity};
use conform::obligation::{Edit, Judge, Settings};
use conform::schema::Schemas;
use conform::suite::{self, Suite};

/// What a document alone shows, and, beside a good one, what only several documents show.
struct Judged {
    findings: Vec<Finding>,
    not_judged: BTreeSet<String>,
}

/// Judges a document beside the documents that an obligation's examples refer to.
fn judge(suite: &Suite, document: &serde_json::Value, id: &str, beside: Option<&serde_json::Value>) -> Judged {
    let read = |document: &serde_json::Value| {
        let text = serde_json::to_vec_pretty(document).unwrap();
        let reading = document::read(text, &Limits::default());
        reading.document.unwrap_or_else(|| panic!("{:?}", reading.findings))
    };
    let document = read(document);
    let related = suite.family().related(suite, id).iter().map(|(name, text)| {
        let reading = document::read(text.as_bytes().to_vec(), &Limits::default());
        ((*name).to_owned(), reading.document.unwrap_or_else(|| panic!("{name}: {:?}", reading.findings)))
    });
    let settings = Settings { related: related.collect(), ..Settings::default() };
    let mut judge = Judge::new(&settings);
    let schemas = Schemas::embedded().unwrap();
    schemas.validate(suite.schema, document.root(), &mut judge).unwrap();
    suite.family().judge(suite, &document, &mut judge);
    let (mut findings, not_judged) = judge.finish();
    if let Some(beside) = beside.map(read) {
        let mut judges = vec![Judge::new(&settings), Judge::new(&settings)];
        suite.family().judge_set(suite, &[&beside, &document], &mut judges);
        findings.extend(judges.pop().unwrap().finish().0);
    }
    Judged { findings, not_judged: not_judged.into_iter().map(|entry| entry.obligation).collect() }
}

fn edited(suite: &Suite, document: &serde_json::Value, edits: &[Edit], id: &str) -> serde_json::Value {
    let mut document = document.clone();
    for edit in edits {
        edit.apply(&mut document).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
    }
    suite.family().seal(suite, id, &mut document).unwrap();
    document
}

fn errors(findings: &[Finding]) -> BTreeSet<&str> {
    findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.obligation.as_str())
        .collect()
}

#[test]
fn plain_examples_keep_everything() {
    for suite in suite::all() {
        let example = serde_json::from_str(suite.family().example(suite)).unwrap();
        let findings = judge(suite, &example, "", None).findings;
        assert!(findings.is_empty(), "{}: {findings:#?}", suite.id);
    }
}

#[test]
fn examples_show_what_they_claim() {
    let mut wrong = Vec::new();
    // An obligation that several suites share is shown in the first.
    let mut home = BTreeSet::new();
    for suite in suite::all() {
        let family = suite.family();
        let plain: serde_json::Value = serde_json::from_str(family.example(suite)).unwrap();
        for rule in family.rules(suite) {
            if !home.insert(rule.id) {
                continue;
            }
            let good = edited(suite, &plain, rule.example.good, rule.id);
            let found = judge(suite, &good, rule.id, None).findings;
            let loud: Vec<_> = found.iter().filter(|finding| finding.severity > Severity::Note).collect();
            if !loud.is_empty() {
                wrong.push(format!("{}: the good example has findings: {loud:?}", rule.id));
            }
            let bad = edited(suite, &good, rule.example.bad, rule.id);
            let alone = judge(suite, &bad, rule.id, None);
            let reported = alone.findings.iter().any(|finding| finding.obligation == rule.id);
            let Judged { findings: found, not_judged } =
                if reported { alone } else { judge(suite, &bad, rule.id, Some(&good)) };
            assert!(!not_judged.contains(rule.id), "{}: the bad example is not judged in full", rule.id);
            let mut expected: BTreeSet<&str> = rule.example.also.iter().copied().collect();
            if rule.severity == Severity::Error {
                expected.insert(rule.id);
            }
            if errors(&found) != expected {
                let texts: Vec<_> = found.iter().map(|finding| (&finding.obligation, &finding.message)).collect();
                wrong.push(format!("{}: errors {:?}, expected {expected:?}: {texts:?}", rule.id, errors(&found)));
            }
            let own = found.iter().find(|finding| finding.obligation == rule.id);
            match own {
                None => wrong.push(format!("{}: the bad example is not reported", rule.id)),
                Some(own) if own.place.is_none() => wrong.push(format!("{}: no place", rule.id)),
                Some(_) => {}
            }
            let example_shows = |document: &serde_json::Value| document.pointer(rule.example.show).is_some();
            if !example_shows(&good) && !example_shows(&bad) {
                wrong.push(format!("{}: `show` {} names nothing", rule.id, rule.example.show));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ids_are_unique_and_named_after_their_family() {
    for suite in suite::all() {
        let rules = suite.family().rules(suite);
        let ids: BTreeSet<&str> = rules.iter().map(|rule| rule.id).collect();
        assert_eq!(ids.len(), rules.len(), "{}: an id stands twice", suite.id);
        for rule in rules {
            assert!(rule.id.starts_with(&format!("{}/", suite.family)), "{}", rule.id);
            assert!(
                rule.demand.ends_with(['.', ')']) && !rule.title.is_empty() && !rule.group.is_empty(),
                "{}",
                rule.id
            );
        }
    }
}
