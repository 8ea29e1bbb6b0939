//! Generated inputs of orbiplex scenarios.

use serde_json::{Value, json};

use crate::family::orbiplex::digest::{digest_text, sha256};
use crate::mutation::choice::{Choice, word};

const CODES: &[&str] =
    &["hil/denied", "capability/missing", "delegation/revoked", "run/budget-exhausted", "verifier/timeout"];

/// An input that the family's scenarios may have. The fewer and smaller the choices, the smaller the record.
pub fn input(choice: &mut dyn Choice) -> Value {
    let number = choice.below(1_000_000);
    // A digest of its own for every name.
    let digest = |name: &str| digest_text(&sha256(format!("{name} {number}").as_bytes()));
    let instance = "environment:vm-1";
    let steps: Vec<Value> = (0..choice.below(8))
        .map(|at| {
            let output = format!("{} {at}", word(choice, &["serial", "zone loads", "żółć", ""]));
            json!({
                "id": format!("step-{at}"),
                "environment": if choice.once_in(5) { "environment:vm-0" } else { instance },
                "listed": !choice.once_in(4),
                "artifact": digest_text(&sha256(output.as_bytes())),
                "output": output,
            })
        })
        .collect();
    let (ended, allocated) = match choice.below(7) {
        0 => (json!({ "verifier": "yes" }), true),
        1 => (json!({ "verifier": "no" }), true),
        2 => (json!({ "verifier": word(choice, &["timed-out", "check-missing", "mutated", "unavailable"]) }), true),
        3 => (json!({ "breach": word(choice, &["isolation", "egress"]) }), true),
        4 => (json!({ "refused": word(choice, CODES) }), choice.once_in(2)),
        5 => (json!({ "cancelled": "by the owner" }), choice.once_in(2)),
        _ => (json!({ "uncertain": "the host went down" }), choice.once_in(2)),
    };
    let mut input = json!({
        "query": format!("query:dns-{number}"),
        "room": format!("room:dns-{number}"),
        "proposal": format!("corpus-experiment:{}", digest("proposal")),
        "review": format!("corpus-experiment-review:{}", digest("review")),
        "decision": format!("corpus-experiment-chair-decision:{}", digest("decision")),
        "candidate": { "ref": "operator-task-experiment-candidate:c-1", "digest": digest("candidate") },
        "target": {
            "profile": "operator-task-profile:dns",
            "profileDigest": digest("profile"),
            "binding": "operator-task-local-binding:lab",
        },
        "plan": { "ref": "operator-task-plan:p-1", "digest": digest("plan") },
        "run": format!("operator-task-run:r-{number}"),
        "steps": steps,
        "ended": ended,
        "result": digest("result"),
        "recordedAt": word(choice, &["2026-10-01T08:00:00Z", "2026-10-01T10:00:00+02:00", "2026-10-01T08:00:00.125Z"]),
        "idempotencyKey": format!("{} {number}", word(choice, &["run", "żółć", "e\u{301} \u{1f980}", "\"quoted\"\n"])),
        "signingSeed": format!("{:02x}", choice.below(256)).repeat(32),
    });
    if allocated {
        input["environment"] = instance.into();
    }
    if choice.once_in(4) {
        input["adoption"] = format!("corpus-task-pack-candidate-adoption:{}", digest("adoption")).into();
    }
    input
}
