//! The optimize documents of the carried scenarios, against figures that were worked out by hand from the scenario files.

mod carried;

use carried::OPTIMIZE;
use serde_json::{Value, json};

fn document(name: &str) -> Value {
    carried::document(OPTIMIZE, name)
}

fn statistics(document: &Value, iteration: usize) -> &Value {
    &document["iterations"][iteration]["statistics"]
}

/// `(passed, failed, skipped)` of a criterion's rows, with their input and check, in order.
fn rows(document: &Value, iteration: usize, criterion: &str) -> Value {
    let rows = &statistics(document, iteration)["criteria"][criterion]["standings"]["rows"];
    rows.as_array()
        .expect("a criterion has rows")
        .iter()
        .map(|row| json!([row["inputIndex"], row["check"], row["passed"], row["failed"], row["skipped"]]))
        .collect()
}

/// `[condition, kind, inputIndex, count]` of a distribution, sorted by its text: the order of entries means nothing.
fn distribution(block: &Value) -> Vec<Value> {
    let mut entries: Vec<Value> = block["failureDistribution"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|entry| json!([entry["condition"], entry["kind"], entry["inputIndex"], entry["count"]]))
        .collect();
    entries.sort_by_key(Value::to_string);
    entries
}

#[test]
fn every_scenario_has_a_document_that_parses_and_adds_up() {
    let names = carried::names(OPTIMIZE);
    assert!(names.len() >= 24);
    for name in names {
        let document = document(&name);
        assert_eq!(document["schemaVersion"], "mavai-optimize-1", "{name}");
        for entry in document["iterations"].as_array().expect("iterations") {
            let statistics = &entry["statistics"];
            let executed = entry["execution"]["samplesExecuted"].as_u64();
            let sum = |block: &Value, a: &str, b: &str| Some(block[a].as_u64()? + block[b].as_u64()?);
            assert_eq!(sum(statistics, "successes", "failures"), executed, "{name}");
            for criterion in statistics["criteria"].as_object().expect("criteria").values() {
                assert_eq!(sum(criterion, "pass", "fail"), executed, "{name}");
            }
        }
    }
}

#[test]
fn plain() {
    let document = document("plain");
    let first = statistics(&document, 0);
    assert_eq!((&first["successes"], &first["failures"]), (&json!(4), &json!(3)));
    assert_eq!(
        distribution(first),
        [
            json!(["names a total", "evaluated", null, 1]),
            json!(["parses as JSON", "evaluated", null, 1]),
            json!(["stays polite", "evaluated", null, 1]),
        ]
    );
    let counts = |criterion: &str| [&first["criteria"][criterion]["pass"], &first["criteria"][criterion]["fail"]];
    assert_eq!(counts("format"), [&json!(5), &json!(2)]);
    assert_eq!(counts("tone"), [&json!(6), &json!(1)]);
    assert_eq!(
        rows(&document, 0, "format"),
        json!([
            [0, "parses as JSON", 3, 0, 0],
            [0, "names a total", 3, 0, 0],
            [1, "parses as JSON", 1, 1, 0],
            [1, "names a total", 1, 0, 1],
            [2, "parses as JSON", 2, 0, 0],
            [2, "names a total", 1, 1, 0],
        ])
    );
    let second = statistics(&document, 1);
    assert_eq!((&second["successes"], &second["failures"]), (&json!(5), &json!(2)));
    assert_eq!(document["iterations"][1]["score"], json!(5.0 / 7.0));
    assert_eq!(document["iterations"][0]["cost"], json!({ "totalTimeMs": 73, "avgTimePerSampleMs": 10 }));
    assert_eq!(document["iterations"][1]["latency"]["sortedPassingLatenciesMs"], json!([6, 8, 9, 10, 13]));
    assert_eq!(document["iterations"][1]["latency"]["p50Ms"], json!(9));
    assert_eq!(document["iterations"][0]["latency"].get("p50Ms"), None, "four passing trials have no median");
    assert_eq!(
        document["convergence"],
        json!({ "totalIterations": 2, "bestIteration": 1, "bestScore": 5.0 / 7.0, "bestFactors": { "model": "large", "temperature": 0.2 } })
    );
}

/// Which percentiles are stated, and that each is the element of its rank.
#[test]
fn percentile_floors() {
    for (passing, stated) in [
        (4, vec![]),
        (5, vec![("p50Ms", 3)]),
        (19, vec![("p50Ms", 10)]),
        (20, vec![("p50Ms", 10), ("p95Ms", 19)]),
        (99, vec![("p50Ms", 50), ("p95Ms", 95)]),
        (100, vec![("p50Ms", 50), ("p95Ms", 95), ("p99Ms", 99)]),
    ] {
        let document = document(&format!("percentile-floor-{passing}"));
        let latency = &document["iterations"][0]["latency"];
        let vector = latency["sortedPassingLatenciesMs"].as_array().expect("a vector");
        assert_eq!(vector.len(), passing);
        assert!(vector.windows(2).all(|pair| pair[0].as_f64() < pair[1].as_f64()), "distinct and ascending");
        for name in ["p50Ms", "p95Ms", "p99Ms"] {
            let rank = stated.iter().find(|(known, _)| *known == name).map(|(_, rank)| rank - 1);
            assert_eq!(latency.get(name), rank.map(|rank| &vector[rank]), "{name} of {passing}");
        }
    }
}

/// The same seven trials under each slack. Of the three optional checks, trial by trial, 0, 1, 2, 3, 0, 1 and 2 fail; the fifth trial fails
/// a required check and the sixth the other criterion.
#[test]
fn slack_decides_how_many_optional_checks_may_fail() {
    for (scenario, declared, pass, successes) in [
        ("optional-no-slack", None, 1, 1),
        ("optional-zero", Some("0"), 1, 1),
        ("optional-count", Some("2"), 5, 4),
        ("optional-count-beyond", Some("99"), 6, 5),
        ("optional-percent-none", Some("20%"), 1, 1),
        ("optional-percent-all", Some("100%"), 6, 5),
    ] {
        let document = document(scenario);
        let block = statistics(&document, 0);
        let format = &block["criteria"]["format"];
        assert_eq!(format["pass"], json!(pass), "{scenario}");
        assert_eq!(block["successes"], json!(successes), "{scenario}");
        assert_eq!(format["standings"].get("optionalSlack"), declared.map(Value::from).as_ref(), "{scenario}");
    }
    // Half of five is two; the trials fail 0, 1, 2, 3, 5, 0 (and a required one), 2 and 1 of them, the last one failing the tone as well.
    let half = document("optional-percent");
    assert_eq!(statistics(&half, 0)["criteria"]["format"]["pass"], json!(5));
    assert_eq!(
        distribution(statistics(&half, 0)),
        [
            json!(["mentions delivery", "evaluated", null, 2]),
            json!(["parses as JSON", "evaluated", null, 1]),
            json!(["stays polite", "evaluated", null, 1]),
        ]
    );
}

#[test]
fn per_input() {
    let document = document("per-input");
    assert_eq!(
        distribution(statistics(&document, 0)),
        [
            json!(["answers the question", "evaluated", null, 2]),
            json!(["says a pound", "evaluated", 1, 1]),
            json!(["says five", "evaluated", 1, 1]),
            json!(["says two", "evaluated", 0, 1]),
        ]
    );
    assert_eq!(
        rows(&document, 0, "content"),
        json!([
            [0, "answers the question", 2, 1, 0],
            [0, "says two", 2, 1, 0],
            [1, "answers the question", 3, 0, 0],
            [1, "says five", 2, 1, 0],
            [1, "says a pound", 1, 2, 0],
            [2, "answers the question", 1, 1, 0],
        ])
    );
    // The fourth and the sixth trial of the second iteration are not delivered: inputs 0 and 2.
    assert_eq!(
        rows(&document, 1, "content"),
        json!([
            [0, "answers the question", 2, 0, 1],
            [0, "says two", 0, 2, 1],
            [1, "answers the question", 3, 0, 0],
            [1, "says five", 2, 1, 0],
            [1, "says a pound", 2, 1, 0],
            [2, "answers the question", 1, 0, 1],
        ])
    );
    assert_eq!(
        distribution(statistics(&document, 1)),
        [
            json!(["peer-timeout", "delivery", null, 1]),
            json!(["says a pound", "evaluated", 1, 1]),
            json!(["says five", "evaluated", 1, 1]),
            json!(["says two", "evaluated", 0, 2]),
            json!(["server-error", "delivery", null, 1]),
            json!(["stays polite", "evaluated", null, 1]),
        ]
    );
}

#[test]
fn zero_samples() {
    let document = document("zero-samples");
    let entry = &document["iterations"][1];
    assert_eq!(entry["score"], json!(0.0));
    assert_eq!(
        entry["execution"],
        json!({ "samplesPlanned": 2, "samplesExecuted": 0, "terminationReason": "BUDGET_EXHAUSTED" })
    );
    assert_eq!(entry["cost"], json!({ "totalTimeMs": 0, "avgTimePerSampleMs": 0 }));
    assert_eq!(entry.get("latency"), None);
    assert_eq!(entry["statistics"].get("failureDistribution"), None);
    let tone = &entry["statistics"]["criteria"]["tone"];
    assert_eq!((&tone["pass"], &tone["fail"], &tone["observedPassRate"]), (&json!(0), &json!(0), &json!(0.0)));
    assert_eq!(document["convergence"]["bestIteration"], json!(0));
}

#[test]
fn delivery_events_become_causes() {
    let document = document("delivery-every-event");
    assert_eq!(
        distribution(statistics(&document, 0)),
        [
            json!(["client-deadline", "delivery", null, 1]),
            json!(["peer-timeout", "delivery", null, 1]),
            json!(["server-error", "delivery", null, 3]),
            json!(["unreachable", "delivery", null, 2]),
            json!(["unusable-response", "delivery", null, 1]),
        ]
    );
    for criterion in ["format", "tone"] {
        let block = &statistics(&document, 0)["criteria"][criterion];
        assert_eq!((&block["pass"], &block["fail"]), (&json!(2), &json!(8)));
        assert_eq!(distribution(block), distribution(statistics(&document, 0)));
    }
}

#[test]
fn the_first_of_equal_scores_is_the_optimum() {
    for (scenario, best) in [
        ("tie-two", 1),
        ("tie-three", 1),
        ("tie-unequal-counts", 1),
        ("minimize", 1),
        ("minimize-tie", 1),
        ("minimize-pass-rate", 1),
        ("score-zero", 0),
        ("score-stated", 3),
        ("score-thirds", 3),
        ("revisited", 1),
        ("many-iterations", 23),
    ] {
        assert_eq!(document(scenario)["convergence"]["bestIteration"], json!(best), "{scenario}");
    }
}

#[test]
fn long_names_are_bounded_and_stay_apart() {
    let document = document("check-name-300");
    let rows = rows(&document, 0, "wording");
    let (first, second) = (rows[0][1].as_str().expect("a name"), rows[1][1].as_str().expect("a name"));
    assert_eq!((first.chars().count(), second.chars().count()), (256, 256));
    assert_ne!(first, second);
}

#[test]
fn factors_keep_their_values_and_types() {
    for (name, key) in [("factors-lookalikes", "e"), ("factors-keys", "null"), ("text-yaml", "prompt")] {
        let (document, input) = (document(name), carried::input(OPTIMIZE, name));
        for (entry, declared) in document["iterations"]
            .as_array()
            .expect("iterations")
            .iter()
            .zip(input["iterations"].as_array().expect("iterations"))
        {
            assert_eq!(entry["factors"], declared["factors"], "{name}");
            assert!(entry["factors"].get(key).is_some());
        }
    }
}

#[test]
fn exemplars_show_responses_failing_ones_first() {
    let document = document("text-controls");
    let rows = &statistics(&document, 0)["criteria"]["delivered"]["standings"]["rows"];
    assert_eq!(
        rows[1]["observed"],
        json!([
            { "excerpt": "first of C1 \u{80} here", "count": 1, "held": false },
            { "excerpt": "the last of the plane \u{FFFF} here", "count": 1, "held": false },
            { "excerpt": "escape \u{1b}[31mred\u{1b}[0m here", "count": 1, "held": false },
            { "excerpt": "null \0 and bell \u{7} here", "count": 1, "held": false },
        ])
    );
    assert_eq!(rows[1]["elided"], json!(1));
}

/// Numbers whose last bit is lost by readers that are quick rather than exact.
#[test]
fn factors_are_exact_to_the_last_bit() {
    let mut scenario: Value = serde_json::from_str(&carried::wire(OPTIMIZE, "one-sample")).expect("JSON");
    for exact in [5.527488287009959e271, 2.4583450893390956e-202, -938058.9938315251, 6.708749662418212e59] {
        scenario["input"]["iterations"][0]["factors"]["exact"] = json!(exact);
        let text = conform_reference_emitter::emit(&scenario.to_string()).expect("a document");
        let written = text.lines().find_map(|line| line.trim_start().strip_prefix("exact: ")).expect("the factor");
        assert_eq!(written.parse(), Ok(exact), "{written}");
    }
}
