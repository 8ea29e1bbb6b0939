//! Shards: the parts of a run, put together, are the run.

use conform::run::merge::{MergeError, merge};
use conform::run::results::{Results, Shard, SubjectResult, SuiteSelection, Verdict};
use conform::run::shard::holds;
use proptest::collection::btree_set;
use proptest::prelude::*;

use super::results;

/// A run of scenarios with these names.
fn run(names: &[String]) -> Results {
    let mut whole = results();
    whole.expected = None;
    let some = whole.results.clone();
    let suites = ["mavai-optimize-1", "torneo-epreuve-v1"];
    let mut taken: Vec<SubjectResult> = Vec::new();
    whole.selection.clear();
    for suite in suites {
        let of_suite: Vec<SubjectResult> = names
            .iter()
            .enumerate()
            .filter(|(at, _)| suites[at % 2] == suite)
            .map(|(at, name)| {
                let mut result = some[at % some.len()].clone();
                result.suite = Some(suite.to_owned());
                result.subject = format!("{suite}/{name}");
                result
            })
            .collect();
        whole.selection.push(SuiteSelection {
            suite: suite.to_owned(),
            scenarios: of_suite.len(),
            sha256: "0".repeat(64),
        });
        taken.extend(of_suite);
    }
    whole.conclude(taken, 0, 1834.5);
    whole
}

fn part(whole: &Results, index: u32, of: u32) -> (String, Results) {
    let shard = Shard { index, of };
    let mut part = whole.clone();
    part.shard = Some(shard);
    let held = whole.results.iter().filter(|result| holds(shard, &result.subject)).cloned().collect();
    part.conclude(held, 0, 1834.5);
    (format!("{index}.json"), part)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shards_in_any_order_make_up_the_run(
        names in btree_set("[a-z]{1,8}(-[0-9]{1,3})?", 1..40),
        of in 1u32..=8,
        order in any::<prop::sample::Index>(),
    ) {
        let whole = run(&names.into_iter().collect::<Vec<_>>());
        let mut parts: Vec<_> = (1..=of).map(|index| part(&whole, index, of)).collect();
        parts.rotate_left(order.index(of as usize));
        prop_assert_eq!(merge(parts).unwrap(), whole);
    }
}

fn names() -> Vec<String> {
    (0..20).map(|number| format!("scenario-{number:02}")).collect()
}

#[track_caller]
fn refused(change: impl FnOnce(&mut Vec<(String, Results)>)) -> MergeError {
    let whole = run(&names());
    let mut parts: Vec<_> = (1..=3).map(|index| part(&whole, index, 3)).collect();
    change(&mut parts);
    merge(parts).unwrap_err()
}

#[test]
fn what_is_no_run_in_parts_is_refused() {
    let said = |change: fn(&mut Vec<(String, Results)>)| refused(change).to_string();
    assert_eq!(said(Vec::clear), "there is no shard");
    assert_eq!(said(|parts| drop(parts.pop())), "missing shard 3/3; give the results of each");
    assert_eq!(
        said(|parts| {
            let one = parts[0].1.clone();
            parts.push(("again.json".to_owned(), one));
        }),
        "1.json and again.json are both shard 1; give each shard once"
    );
    assert_eq!(
        said(|parts| parts[1].1.shard = None),
        "2.json is no shard; results of `conform --emitter … --shard I/N` are expected"
    );
    assert_eq!(
        said(|parts| parts[1].1.shard = Some(Shard { index: 2, of: 4 })),
        "1.json and 2.json are not of one run: the number of shards differs; run every shard alike"
    );
}

#[test]
fn parts_of_different_runs_are_refused() {
    let differ = |change: fn(&mut Results)| match refused(|parts| change(&mut parts[1].1)) {
        MergeError::Differ { what, .. } => what,
        other => panic!("{other}"),
    };
    assert_eq!(differ(|part| part.conform.version.push('1')), "version of conform");
    assert_eq!(differ(|part| part.emitter.as_mut().unwrap().version = Some("2.4.2".to_owned())), "emitter");
    assert_eq!(differ(|part| part.platform = None), "platform");
    assert_eq!(differ(|part| part.terms.strict = true), "terms (--strict, --deny, --repeat)");
    assert_eq!(differ(|part| part.mutation[0].seed += 1), "mutation score");
    assert_eq!(differ(|part| part.selection[0].sha256 = "1".repeat(64)), "suites or scenarios");
}

#[test]
fn a_mutation_score_that_one_shard_states_is_that_of_the_run() {
    let whole = run(&names());
    let mut parts: Vec<_> = (1..=3).map(|index| part(&whole, index, 3)).collect();
    parts[0].1.mutation.clear();
    parts[2].1.mutation.clear();
    assert_eq!(merge(parts).unwrap(), whole);
    let mut parts: Vec<_> = (1..=3).map(|index| part(&whole, index, 3)).collect();
    parts.iter_mut().for_each(|(_, part)| part.mutation.clear());
    assert!(merge(parts).unwrap().mutation.is_empty());
}

#[test]
fn a_scenario_that_is_missing_or_doubled_or_elsewhere_is_refused() {
    let missing = refused(|parts| {
        let mut left = parts[1].1.results.clone();
        left.pop();
        parts[1].1.conclude(left, 0, 1.0);
    });
    assert_eq!(missing, MergeError::Incomplete { there: 19, selected: 20 });
    let doubled = refused(|parts| {
        let mut twice = parts[1].1.results.clone();
        twice.push(twice[0].clone());
        parts[1].1.conclude(twice, 0, 1.0);
    });
    assert!(matches!(doubled, MergeError::Twice { .. }), "{doubled}");
    let elsewhere = refused(|parts| {
        let one = parts[0].1.results[0].clone();
        let mut more = parts[1].1.results.clone();
        more.push(one);
        parts[1].1.conclude(more, 0, 1.0);
    });
    assert!(matches!(elsewhere, MergeError::Misplaced { .. }), "{elsewhere}");
}

#[test]
fn a_shard_that_was_cut_short_leaves_the_whole_incomplete() {
    let whole = run(&names());
    let mut parts: Vec<_> = (1..=2).map(|index| part(&whole, index, 2)).collect();
    let mut left = parts[0].1.results.clone();
    left.pop();
    parts[0].1.conclude(left, 1, 1.0);
    let merged = merge(parts).unwrap();
    assert!(!merged.complete);
    assert_eq!(merged.summary.not_run, 1);
}

#[test]
fn what_is_wrong_with_the_end_of_sessions_is_one_result() {
    let whole = run(&names());
    let mut parts: Vec<_> = (1..=2).map(|index| part(&whole, index, 2)).collect();
    for (_, part) in &mut parts {
        let mut all = part.results.clone();
        let mut end = all[0].clone();
        end.suite = None;
        end.subject = "session".to_owned();
        all.push(end);
        part.conclude(all, 0, 1.0);
    }
    let merged = merge(parts).unwrap();
    assert_eq!(merged.results.len(), 21);
    assert_eq!(merged.results.last().map(|result| result.subject.as_str()), Some("session"));
}

#[test]
fn a_merged_run_took_from_the_first_start_to_the_last_end() {
    let whole = run(&names());
    let mut parts: Vec<_> = (1..=2).map(|index| part(&whole, index, 2)).collect();
    parts[0].1.started = "2026-11-30T09:30:02Z".to_owned();
    parts[0].1.duration_ms = Some(500.0);
    parts[1].1.started = "2026-11-30T09:30:00Z".to_owned();
    parts[1].1.duration_ms = Some(1000.0);
    let merged = merge(parts).unwrap();
    assert_eq!((merged.started.as_str(), merged.duration_ms), ("2026-11-30T09:30:00Z", Some(2500.0)));
    assert!(merged.results.iter().any(|result| result.verdict == Verdict::Fail));
}
