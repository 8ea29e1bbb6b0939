//! The explore and baseline documents of the carried scenarios, against figures that were worked out by hand from the scenario files.

mod carried;

use carried::{BASELINE, EXPLORE};
use serde_json::{Value, json};

fn one(suite: &str, name: &str) -> Value {
    let mut documents = carried::documents(suite, name);
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

#[test]
fn each_configuration_has_a_document_with_its_own_counts() {
    let documents = carried::documents(EXPLORE, "plain");
    let of = |key: &str| documents.iter().map(|document| &document[key]).collect::<Vec<_>>();
    assert_eq!(of("configuration"), [&json!("model-small_temperature-0.2"), &json!("model-large_temperature-0.2")]);
    assert_eq!(of("configurationName"), [&json!("Small and cool"), &json!("Large and cool")]);
    assert_eq!(of("experimentId"), [&json!("plain"); 2]);
    assert_eq!(documents[1]["factors"], json!({ "model": "large", "temperature": 0.2 }));
    let counts = |at: usize| [&documents[at]["statistics"]["successes"], &documents[at]["statistics"]["failures"]];
    assert_eq!(counts(0), [&json!(4), &json!(3)]);
    assert_eq!(counts(1), [&json!(5), &json!(2)]);
    assert_eq!(documents[1]["latency"]["p50Ms"], json!(9));
}

#[test]
fn only_the_base_is_marked_and_only_declared_factors_are_stated() {
    let bases: Vec<Value> =
        carried::documents(EXPLORE, "base-of-three").iter().map(|one| one["baseConfiguration"].clone()).collect();
    assert_eq!(bases, [Value::Null, json!(true), Value::Null]);
    let alone = one(EXPLORE, "one-without-factors");
    assert_eq!((alone.get("factors"), alone.get("baseConfiguration")), (None, None));
    assert_eq!(carried::documents(EXPLORE, "many-configurations").len(), 60);
}

#[test]
fn a_configuration_without_samples_has_a_document() {
    let documents = carried::documents(EXPLORE, "zero-samples");
    assert_eq!(
        documents[1]["execution"],
        json!({ "samplesPlanned": 3, "samplesExecuted": 0, "terminationReason": "BUDGET_EXHAUSTED" })
    );
    assert_eq!(documents[1].get("latency"), None);
    assert_eq!(documents[1]["statistics"]["observed"], json!(0.0));
}

#[test]
fn rates_and_bounds() {
    // 0.95: z = 1.644854; 5/7 → 0.408668, 6/7 → 0.547713, as worked out from the formula.
    let inferential = one(BASELINE, "inferential");
    for (name, successes, rate, bound) in [("format", 5, 5.0 / 7.0, 0.408668), ("tone", 6, 6.0 / 7.0, 0.547713)] {
        let criterion = &inferential["criteria"][name];
        assert_eq!((&criterion["trials"], &criterion["successes"]), (&json!(7), &json!(successes)));
        assert_eq!((&criterion["mode"], &criterion["procedure"]), (&json!("inferential"), &json!("REGRESSION")));
        assert_eq!(criterion["observedPassRate"], json!(rate));
        assert!((criterion["wilsonLowerBound"].as_f64().expect("a bound") - bound).abs() < 5e-7, "{criterion}");
    }
    for (name, criterion) in one(BASELINE, "observational")["criteria"].as_object().expect("criteria") {
        for inferred in ["procedure", "observedPassRate", "wilsonLowerBound"] {
            assert_eq!(criterion.get(inferred), None, "{name}");
        }
    }
    let nothing = &one(BASELINE, "zero-trials")["criteria"]["delivered"];
    assert_eq!((nothing.get("observedPassRate"), nothing.get("wilsonLowerBound")), (None, Some(&Value::Null)));
    let none = &one(BASELINE, "zero-successes")["criteria"]["delivered"];
    assert_eq!((&none["observedPassRate"], &none["wilsonLowerBound"]), (&json!(0.0), &json!(0.0)));
    // 12/12: 1/(1 + z²/12).
    let all = &one(BASELINE, "all-successes")["criteria"]["delivered"];
    assert!((all["wilsonLowerBound"].as_f64().expect("a bound") - 0.816019).abs() < 5e-7, "{all}");
}

#[test]
fn undelivered_trials_fail_every_criterion_and_state_no_reason() {
    let delivery = one(BASELINE, "delivery");
    for (name, entries) in [
        (
            "format",
            json!([
                ["peer-timeout", "delivery", null, 1],
                ["unreachable", "delivery", null, 2],
                ["server-error", "delivery", null, 2],
                ["unusable-response", "delivery", null, 1],
                ["names a total", "evaluated", "condition", 1],
            ]),
        ),
        (
            "tone",
            json!([
                ["peer-timeout", "delivery", null, 1],
                ["stays polite", "evaluated", "condition", 1],
                ["unreachable", "delivery", null, 2],
                ["server-error", "delivery", null, 2],
                ["unusable-response", "delivery", null, 1],
            ]),
        ),
    ] {
        let criterion = &delivery["criteria"][name];
        assert_eq!((&criterion["trials"], &criterion["successes"]), (&json!(10), &json!(3)));
        let stated: Value = criterion["failureDistribution"]
            .as_array()
            .expect("entries")
            .iter()
            .map(|entry| json!([entry["condition"], entry["kind"], entry["reason"], entry["count"]]))
            .collect();
        assert_eq!(stated, entries, "{name}");
    }
}

#[test]
fn percentiles_of_a_baseline() {
    let ten = &one(BASELINE, "percentiles-ten")["latency"];
    assert_eq!((&ten["p50Ms"], &ten["p90Ms"], ten.get("p95Ms")), (&json!(5), &json!(9), None));
    assert_eq!((&ten["contributingSamples"], &ten["totalSamples"]), (&json!(10), &json!(11)));
    let hundred = &one(BASELINE, "percentiles-hundred")["latency"];
    let vector = hundred["sortedPassingLatenciesMs"].as_array().expect("a vector");
    for (name, rank) in [("p50Ms", 50), ("p90Ms", 90), ("p95Ms", 95), ("p99Ms", 99)] {
        assert_eq!(hundred[name], vector[rank - 1], "{name}");
    }
}

/// Thirty days later, to the second, and the digest of everything before the last line.
#[test]
fn expiry_and_fingerprint() {
    let text = carried::text(BASELINE, "expiry");
    let (before, last) = text.split_at(text.find("contentFingerprint:").expect("a fingerprint"));
    assert!(before.ends_with('\n') && last.lines().count() == 1);
    let document: Value = serde_yaml::from_str(&text).expect("YAML");
    let stated = document["contentFingerprint"].as_str().and_then(|stated| stated.strip_prefix("sha256:"));
    let digest = <sha2::Sha256 as sha2::Digest>::digest(before.as_bytes());
    let expected: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(stated, Some(expected.as_str()));
    assert_eq!(document["expiration"]["expiresInDays"], json!(30));
    let time = |instant: &Value| instant.as_str().expect("an instant")[10..].to_owned();
    assert_eq!(time(&document["expiration"]["expiresAt"]), time(&document["generatedAt"]));
    assert_ne!(document["expiration"]["expiresAt"], document["generatedAt"]);
    assert_eq!(one(BASELINE, "inferential").get("expiration"), None);
}

#[test]
fn identities_of_inputs() {
    let identities = |name: &str| -> Vec<Value> {
        carried::documents(BASELINE, name).iter().map(|document| document["inputsIdentity"].clone()).collect()
    };
    let reordered = identities("inputs-reordered");
    assert_eq!((reordered.len(), &reordered[0]), (2, &reordered[1]));
    let other = identities("inputs-other");
    assert_eq!((other.len(), &other[0]), (2, &reordered[0]));
    assert_ne!(other[0], other[1]);
}
