//! Explore and baseline documents: the obligations that they share with optimize documents, on their own shapes; what the documents of
//! one experiment show together; what a baseline infers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use conform::check::Checker;
use conform::document::Limits;
use conform::obligation::{Edit, Settings};
use conform::schema::Schemas;
use conform::suite;
use serde_json::Value;

const EXPLORE: &str = "mavai-explore-1";
const BASELINE: &str = "mavai-baseline-1";

fn errors(id: &str, edits: &[Edit]) -> BTreeSet<String> {
    let suite = suite::by_id(id).unwrap();
    let mut document: Value = serde_json::from_str(suite.family().example(suite)).unwrap();
    for edit in edits {
        edit.apply(&mut document).unwrap();
    }
    let checker = Checker {
        schemas: Schemas::embedded().unwrap(),
        settings: Settings::default(),
        limits: Limits::default(),
        suite: Some(suite),
    };
    let result = checker.judge("example", serde_json::to_vec_pretty(&document).unwrap());
    let errors = result.findings.into_iter().filter(|finding| finding.severity == conform::finding::Severity::Error);
    errors.map(|finding| finding.obligation).collect()
}

fn expect(id: &str, edits: &[Edit], expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(errors(id, edits), expected, "{edits:?}");
}

#[test]
fn an_explore_document_keeps_what_an_iteration_keeps() {
    expect(EXPLORE, &[], &[]);
    for (edit, obligation) in [
        (Edit::Set("/statistics/failureDistribution/0/count", "1"), "mavai/failure-distribution-sum"),
        (Edit::Set("/statistics/observed", "0.7"), "mavai/observed-rate"),
        (Edit::Set("/latency/p50Ms", "19.5"), "mavai/percentile-value"),
        (Edit::Remove("/latency"), "mavai/latency-present"),
        (Edit::Set("/cost/avgTimePerSampleMs", "31"), "mavai/cost-average"),
        (Edit::Set("/execution/samplesPlanned", "13"), "mavai/samples-planned"),
        (Edit::Set("/statistics/criteria/tone/standings/rows/0/observedFraction", "0.4"), "mavai/observed-fraction"),
    ] {
        expect(EXPLORE, &[edit], &[obligation]);
    }
}

#[test]
fn a_baseline_keeps_its_own_counts() {
    expect(BASELINE, &[], &[]);
    for (edit, obligation) in [
        (Edit::Set("/criteria/delivered/failureDistribution/0/count", "2"), "mavai/failure-distribution-sum"),
        (Edit::Set("/criteria/delivered/observedPassRate", "0.85"), "mavai/baseline-rate"),
        (Edit::Set("/criteria/delivered/wilsonLowerBound", "0.5"), "mavai/wilson-bound"),
        (Edit::Remove("/criteria/delivered/wilsonLowerBound"), "mavai/wilson-bound"),
        (Edit::Set("/criteria/delivered/wilsonLowerBound", "null"), "mavai/wilson-bound"),
        (Edit::Set("/criteria/polite/wilsonLowerBound", "0.4"), "mavai/baseline-mode"),
        (Edit::Set("/latency/contributingSamples", "7"), "mavai/baseline-latency"),
        (Edit::Set("/expiration/expiresAt", r#""2026-10-30T08:00:00Z""#), "mavai/expiration"),
    ] {
        expect(BASELINE, &[edit], &[obligation]);
    }
    expect(
        BASELINE,
        &[
            Edit::Set("/criteria/delivered/trials", "11"),
            Edit::Set("/criteria/delivered/failureDistribution/0/count", "1"),
        ],
        &[
            "mavai/baseline-rate",
            "mavai/baseline-trials",
            "mavai/failure-distribution-sum",
            "mavai/standings-bound-criterion",
            "mavai/wilson-bound",
        ],
    );
}

#[test]
fn no_trials_mean_no_rate_and_a_null_bound() {
    let none = [
        Edit::Set(
            "/execution",
            r#"{"samplesPlanned": 12, "samplesExecuted": 0, "terminationReason": "BUDGET_EXHAUSTED"}"#,
        ),
        Edit::Set(
            "/criteria",
            r#"{"delivered": {"mode": "inferential", "trials": 0, "successes": 0, "wilsonLowerBound": null}}"#,
        ),
        Edit::Remove("/latency"),
        Edit::Set("/cost", r#"{"totalTimeMs": 0, "avgTimePerSampleMs": 0}"#),
    ];
    expect(BASELINE, &none, &[]);
    let with = |edit: Edit| none.iter().copied().chain([edit]).collect::<Vec<_>>();
    expect(BASELINE, &with(Edit::Set("/criteria/delivered/observedPassRate", "0.0")), &["mavai/baseline-rate"]);
    expect(BASELINE, &with(Edit::Set("/criteria/delivered/wilsonLowerBound", "0.0")), &["mavai/wilson-bound"]);
}

/// The family's published figures.
#[test]
fn the_bound_is_the_one_that_the_family_publishes() {
    for (successes, trials, bound) in [(3, 3, "0.5258"), (2, 10, "0.0686"), (100, 100, "0.9737"), (0, 7, "0")] {
        let criterion = format!(
            r#"{{"delivered": {{"mode": "inferential", "trials": {trials}, "successes": {successes}, "wilsonLowerBound": {bound},
               "observedPassRate": {}, "failureDistribution": [{}]}}}}"#,
            f64::from(successes) / f64::from(trials),
            if successes == trials {
                String::new()
            } else {
                format!(r#"{{"condition": "x", "count": {}}}"#, trials - successes)
            },
        );
        let execution =
            format!(r#"{{"samplesPlanned": {trials}, "samplesExecuted": {trials}, "terminationReason": "COMPLETED"}}"#);
        let leak = |text: String| -> &'static str { text.leak() };
        expect(
            BASELINE,
            &[
                Edit::Set("/criteria", leak(criterion)),
                Edit::Set("/execution", leak(execution)),
                Edit::Remove("/latency"),
                Edit::Remove("/cost"),
            ],
            &[],
        );
    }
}

#[test]
fn the_fingerprint_is_of_the_text_before_it() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cases/emitted/baseltest-0.27.0.measure.basic.yaml");
    let text = fs::read_to_string(file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (changed, expected) in
        [(text.clone(), false), (text.replace("serviceName: \"svc\"", "serviceName: \"svd\""), true)]
    {
        let path = folder.path().join("baseline.yaml");
        fs::write(&path, changed).unwrap();
        let output = check(&[&path]);
        let warned = obligations(&output["results"][0]).contains("mavai/content-fingerprint");
        assert_eq!(warned, expected);
        assert_eq!(output["results"][0]["verdict"], "pass");
    }
}

#[test]
fn the_documents_of_one_folder_make_one_experiment() {
    let suite = suite::by_id(EXPLORE).unwrap();
    let base: Value = serde_json::from_str(suite.family().example(suite)).unwrap();
    let other = |edits: &[Edit]| {
        let mut document = base.clone();
        let usual = [Edit::Set("/configuration", r#""temperature-0.2""#), Edit::Remove("/baseConfiguration")];
        for edit in usual.iter().chain(edits) {
            edit.apply(&mut document).unwrap();
        }
        document
    };
    for (edits, expected) in [
        (&[][..], None),
        (&[Edit::Set("/configuration", r#""temperature-0.7""#)][..], Some("mavai/configurations-distinct")),
        (&[Edit::Set("/baseConfiguration", "true")][..], Some("mavai/base-configuration-single")),
        (&[Edit::Remove("/factors")][..], Some("mavai/factors-stated")),
        (&[Edit::Set("/factors", r#"{"model": "small"}"#)][..], Some("mavai/factor-keys-alike")),
        (&[Edit::Set("/experimentId", r#""another""#), Edit::Remove("/factors")][..], None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.json"), folder.path().join("b.json"));
        fs::write(&first, base.to_string()).unwrap();
        fs::write(&second, other(edits).to_string()).unwrap();
        let together = check(&[folder.path()]);
        let found: BTreeSet<String> = together["results"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(obligations)
            .filter(|id| id.starts_with("mavai/"))
            .collect();
        assert_eq!(found, expected.into_iter().map(str::to_owned).collect(), "{edits:?}");

        // In another folder it is another experiment's, emitted at another time.
        let apart = folder.path().join("later");
        fs::create_dir(&apart).unwrap();
        fs::rename(&second, apart.join("b.json")).unwrap();
        assert!(
            check(&[folder.path()])["results"].as_array().unwrap().iter().all(|result| result["verdict"] == "pass"),
            "{edits:?}"
        );
    }
}

fn check(paths: &[&Path]) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_conform")).args(["check", "--format", "json"]).args(paths).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn obligations(result: &Value) -> BTreeSet<String> {
    result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["obligation"].as_str().unwrap().to_owned())
        .collect()
}
