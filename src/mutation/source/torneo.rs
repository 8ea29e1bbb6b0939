//! Generated inputs of torneo scenarios.

use serde_json::{Value, json};

use crate::mutation::choice::{Choice, word};

const TOOLS: &[&str] = &["archer", "baker", "carver", "drover", "ewer", "fuller", "g_0", "hunter-2"];
const VENDORS: &[&str] = &["Ash & Co", "Birch Ltd", "Oak Works"];
const DIMENSIONS: &[&str] = &["quality", "latency", "cost", "reliability", "energy"];
const BOXES: &[&str] = &[
    "corpus_frozen_before_collection",
    "test_and_threshold_preregistered",
    "no_tool_withdrawn_after_the_fact",
    "disagreements_arbitrated_by_the_written_rule",
    "third_party_can_replay_from_the_frozen_corpus",
];

/// An input that the family's scenarios may have. The fewer and smaller the choices, the smaller the round.
pub fn input(choice: &mut dyn Choice) -> Value {
    let running = choice.between(2, 6);
    let withdrawn = usize::from(choice.once_in(3));
    let late = choice.once_in(3);
    let tools: Vec<Value> = (0..running + withdrawn)
        .map(|at| {
            let mut tool = json!({ "tool": TOOLS[at] });
            if !choice.once_in(6) {
                tool["vendor"] = word(choice, VENDORS).into();
            }
            if at >= running {
                let day = if late { "2026-06-01" } else { "2026-05-04" };
                tool["withdrawn"] =
                    json!({ "reason": "its licence ended", "withdrawn_at": format!("{day}T09:30:00Z") });
            }
            tool
        })
        .collect();
    let first = choice.below(DIMENSIONS.len());
    let dimensions: Vec<&str> =
        (0..choice.between(1, 5)).map(|at| DIMENSIONS[(first + at) % DIMENSIONS.len()]).collect();
    let manner = choice.below(5);
    let mut comparisons = Vec::new();
    for (at, one) in TOOLS.iter().enumerate().take(running) {
        for other in &TOOLS[at + 1..running] {
            for dimension in &dimensions {
                let pair = if choice.once_in(2) { [other, one] } else { [one, other] };
                comparisons.push(comparison(choice, pair, dimension, manner));
            }
        }
    }
    let alpha = [0.05, 0.01, 0.2][choice.below(3)];
    let mut input = json!({
        "epreuve_id": format!("EP-2026-{:02}", choice.below(100)),
        "category": "code-search",
        "tools": tools,
        "dimensions": dimensions,
        "corpus": { "unit_count": 1 + choice.below(500), "sha256": "5b6ef3a4".repeat(8), "frozen_at": "2026-05-01T08:00:00Z" },
        "preregistration": { "document": "preregistration.md", "sha256": "0f1e2d3c".repeat(8), "frozen_at": "2026-05-02T08:00:00Z" },
        "multiplicity": word(choice, &["holm", "bonferroni", "none"]),
        "alpha": alpha,
        "observed_at": "2026-05-10T12:00:00Z",
        "winner_rule": word(choice, &["most-wins-then-fewest-losses", "beats-every-other"]),
        "status": word(choice, &["OK", "LOCAL_VALIDITY", "INDETERMINATE"]),
        "comparisons": comparisons,
    });
    let arbitrated = !choice.once_in(3);
    if arbitrated {
        input["arbitration_rule"] = json!({ "document": "arbitration.md", "sha256": "9c8b7a6f".repeat(8) });
    }
    let replay = choice.below(3);
    if replay > 0 {
        let available = replay == 1;
        input["replay"] = json!({
            "command": "make replay",
            "artefacts": ["corpus.tar.zst"],
            "corpus_available_to_third_party": available,
        });
        if !available {
            input["replay"]["unavailability_reason"] = "the licence forbids it".into();
        }
    }
    // A box is ticked only where the data bear it out.
    let true_boxes = [true, true, withdrawn == 0 || !late, arbitrated, replay == 1];
    let validators: Vec<Value> = (0..choice.below(3))
        .map(|at| {
            let ticked = BOXES.iter().zip(true_boxes).filter(|(_, holds)| *holds && !choice.once_in(4));
            json!({
                "validator_id": format!("registry-{at}"),
                "signed_at": format!("2026-05-1{}T09:00:00Z", 2 + at),
                "charter_version": "2",
                "ticked": ticked.map(|(name, _)| *name).collect::<Vec<_>>(),
            })
        })
        .collect();
    if !validators.is_empty() {
        input["validators"] = validators.into();
    }
    input
}

/// One comparison. The manner of a round decides what is common in it: wins of whoever comes first, draws, tests, or circles.
fn comparison(choice: &mut dyn Choice, pair: [&&str; 2], dimension: &str, manner: usize) -> Value {
    let mut written = json!({ "pair": pair, "dimension": dimension });
    let result = match (manner, choice.below(8)) {
        (0, 0..6) => {
            if pair[0] < pair[1] {
                "first"
            } else {
                "second"
            }
        }
        (1, 0..7) => "tested",
        (2, 0..5) => "draw",
        (_, 0 | 1) => "first",
        (_, 2 | 3) => "second",
        (_, 4) => "draw",
        (_, 5) => "not_measured",
        _ => "tested",
    };
    written["result"] = result.into();
    match result {
        "draw" if choice.once_in(2) => {
            written["draw_kind"] = word(choice, &["insufficient_precision", "equivalent_within_margin"]).into();
        }
        "not_measured" => written["reason"] = "no invoices".into(),
        "tested" => {
            written["better"] = word(choice, &["first", "second"]).into();
            // Away from what any correction has for a threshold.
            written["p_value"] = [0.0001, 0.0007, 0.0093, 0.031, 0.33, 0.84][choice.below(6)].into();
        }
        _ => {}
    }
    written
}
