//! The execution records of the carried scenarios, against what their files say.

mod carried;

use carried::EXECUTION;
use serde_json::{Value, json};

/// Read as JSON: some characters that JSON holds as they are, YAML does not.
fn record(name: &str) -> Value {
    serde_json::from_str(&carried::text(EXECUTION, name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A record whose bytes were made and checked with two other implementations; every digest in it is that of a label.
#[test]
fn the_known_answer() {
    let digest = |text: &str| format!("sha256:{text}");
    let step = |id, artifact: &str, output| json!({ "id": id, "environment": "environment:kat-1", "listed": true, "artifact": digest(artifact), "output": output });
    let seed: String = (0..32).map(|byte| format!("{byte:02x}")).collect();
    let scenario = json!({
        "suite": EXECUTION,
        "input": {
            "query": "query:kat-dns",
            "room": "room:kat-dns",
            "proposal": "corpus-experiment:sha256:sOTWAhf5XwAavDdB4WLI5mVNNi0aU3TMWmwYb5fyA68",
            "review": "corpus-experiment-review:sha256:ffSHYijfRlPHMCuxtlU-ZVZGm8QvOSSKH8V_LZiermY",
            "decision": "corpus-experiment-chair-decision:sha256:AXMrdL1xr1dQ-aZzq-aSrXlQVP_4VtFPpF1Pd9hsdS4",
            "candidate": {
                "ref": "operator-task-experiment-candidate:kat-1",
                "digest": digest("EAnTM1WE50Q-Iz8ZrxyRlh7U0ZF6I05NSaC2rzZCC6M"),
            },
            "target": {
                "profile": "operator-task-profile:kat-dns",
                "profileDigest": digest("1ZKCw9qC7GnkeuCjqNWBNq1dgtj9lBemCc96VpNvBzE"),
                "binding": "operator-task-local-binding:kat-lab",
            },
            "plan": {
                "ref": "operator-task-plan:kat-1",
                "digest": digest("-OL1tRADFmuiGZhiWU1VxCh0v5on9plffpLtEt49VQE"),
            },
            "run": "operator-task-run:kat-1",
            "environment": "environment:kat-1",
            "steps": [
                step("read-zone", "pONVAR5_eqEyNPqQEMNY6Rsm1C6ZgVG_hZmkR74aSVk", "kat-ev1"),
                step("check-zone", "Vg5XFQUFCoaCmlvNruNRGiAUykC5pvSY96dwkEIPjLE", "kat-ev2"),
            ],
            "ended": { "verifier": "no" },
            "result": digest("2-4_HHdFlnd_KJyxhnETa7yS49verx7AWcC68NPBVM8"),
            "recordedAt": "2026-10-01T08:00:00Z",
            "idempotencyKey": "kat-1-żółć",
            "signingSeed": seed,
        },
    });
    let text = conform_reference_emitter::emit(&scenario.to_string()).expect("a record");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(record["outcome"], "verification-failed");
    assert_eq!(record["host/node-id"], "node:did:key:z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd");
    assert_eq!(
        record["execution/ref"],
        "corpus-task-pack-execution:sha256:CKQWSrEDQNqjWjGdclhw1oE2ES8CkbwnOO_CoJ1CnOY"
    );
    assert_eq!(
        record["signature"],
        json!({
            "alg": "ed25519+domain-v1",
            "key/public": "z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd",
            "value": "L-exsYusDNJ3vzXTnq7101tJ6LnjGeXaYWIZSz6kyyCTCegfk9oe2gYx8MgJCeQ0OhLeGhVNa7foZ4GpaEu1Dw",
        })
    );
}

#[test]
fn evidence_is_what_the_own_instance_answered_and_may_be_listed() {
    for (name, steps) in [
        ("verified", &["read-zone", "check-zone"][..]),
        ("evidence-of-another-instance", &["read-zone-again", "check-zone"]),
        ("evidence-withheld", &["read-zone", "check-zone"]),
        ("evidence-without-an-instance", &[]),
        ("evidence-equal-answers", &["read-zone", "read-zone-again"]),
    ] {
        let record = record(name);
        let listed: Vec<&Value> =
            record["evidence"].as_array().expect("evidence").iter().map(|item| &item["step/id"]).collect();
        assert_eq!(listed, steps, "{name}");
    }
    assert_eq!(record("evidence-32")["evidence"].as_array().map(Vec::len), Some(32));
}

#[test]
fn no_word_of_an_output_is_in_a_record() {
    for name in carried::names(EXECUTION) {
        let text = carried::text(EXECUTION, &name);
        for step in carried::input(EXECUTION, &name)["steps"].as_array().expect("steps") {
            let output = step["output"].as_str().expect("a text");
            assert!(!text.contains(output.lines().next().expect("a line")), "{name}: {output}");
        }
    }
}

#[test]
fn a_code_is_named_by_refused_runs_alone() {
    for (name, outcome, code) in [
        ("verified", "verified", json!(null)),
        ("verification-failed", "verification-failed", json!(null)),
        ("verifier-timed-out", "refused", json!("verifier/timeout")),
        ("verifier-check-missing", "refused", json!("verifier/check-missing")),
        ("verifier-mutated", "refused", json!("verifier/mutation-not-admitted")),
        ("isolation-breached", "refused", json!("environment/not-contained")),
        ("egress-breached", "refused", json!("environment/runtime-egress-denied")),
        ("refused-after-allocation", "refused", json!("hil/denied")),
        ("cancelled-before-allocation", "cancelled", json!(null)),
        ("unknown-exit-124", "unknown", json!(null)),
    ] {
        let record = record(name);
        assert_eq!((&record["outcome"], &record["refusal/code"]), (&json!(outcome), &code), "{name}");
    }
}

#[test]
fn texts_are_kept_as_they_are() {
    for name in carried::names(EXECUTION) {
        let (record, input) = (record(&name), carried::input(EXECUTION, &name));
        for (member, given) in
            [("idempotency/key", "idempotencyKey"), ("recorded-at", "recordedAt"), ("room/id", "room")]
        {
            assert_eq!(record[member], input[given], "{name}");
        }
    }
}
