//! What was done out of order, and boxes that were ticked all the same.

use serde_json::{Map, Value, json};

use crate::mutation::choice::{Choice, pick, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{items, matching, remove, set};

const LATE: &str = "2999-01-01T00:00:00Z";

pub const OPERATORS: &[Operator] = &[
    Operator::new("instant-unreal", "a timestamp is on a day that there is not", &["torneo/instants-real"], unreal)
        .may(&["schema/format"]),
    Operator::new(
        "corpus-frozen-late",
        "the corpus froze when collection had begun",
        &["torneo/corpus-frozen-first"],
        corpus_late,
    )
    .may(&["torneo/box-corpus-frozen"]),
    Operator::new(
        "preregistered-late",
        "the preregistration froze when collection had begun",
        &["torneo/preregistered-first"],
        preregistered_late,
    )
    .may(&["torneo/box-preregistered"]),
    Operator::new(
        "signed-early",
        "a validator signed before the observation",
        &["torneo/validator-signs-after"],
        signed_early,
    ),
    Operator::new("validator-repeated", "a validator signs twice", &["torneo/validators-distinct"], validator_repeated),
    Operator::new(
        "reason-dropped",
        "a corpus is not available and nothing says why",
        &["torneo/replay-reason"],
        reason_dropped,
    ),
    Operator::new(
        "box-corpus-frozen",
        "a box says that the corpus froze in time",
        &["torneo/box-corpus-frozen", "torneo/corpus-frozen-first"],
        box_corpus,
    ),
    Operator::new(
        "box-preregistered",
        "a box says that test and threshold were preregistered",
        &["torneo/box-preregistered", "torneo/preregistered-first"],
        box_preregistered,
    ),
    Operator::new(
        "box-no-late-withdrawal",
        "a box says that no tool was withdrawn late",
        &["torneo/box-no-late-withdrawal"],
        box_withdrawal,
    ),
    Operator::new(
        "box-arbitration",
        "a box says that a rule that there is not was applied",
        &["torneo/box-arbitration"],
        box_arbitration,
    ),
    Operator::new("box-replay", "a box says that what cannot be replayed can", &["torneo/box-replay"], box_replay),
    Operator::new("epreuve-renamed", "the épreuve is not the scenario's", &["scenario/differs"], renamed),
];

const BOXES: [&str; 5] = [
    "corpus_frozen_before_collection",
    "test_and_threshold_preregistered",
    "no_tool_withdrawn_after_the_fact",
    "disagreements_arbitrated_by_the_written_rule",
    "third_party_can_replay_from_the_frozen_corpus",
];

/// Unticks every box, then ticks one of some validator.
fn tick(document: &mut Value, name: &str, choice: &mut dyn Choice) -> Option<()> {
    if items(document, "/validators").is_empty() {
        let checks: Map<String, Value> = BOXES.iter().map(|name| ((*name).to_owned(), false.into())).collect();
        let signature =
            json!({ "validator_id": "registry-north", "signed_at": LATE, "charter_version": "2", "checks": checks });
        set(document, "", "validators", json!([signature]))?;
    }
    untick(document)?;
    let checks = pick(choice, matching(document, "/validators/*/checks"))?;
    set(document, &checks, name, true)
}

fn untick(document: &mut Value) -> Option<()> {
    for checks in matching(document, "/validators/*/checks") {
        for name in BOXES {
            set(document, &checks, name, false)?;
        }
    }
    Some(())
}

fn unreal(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let instants = [
        "/corpus/frozen_at",
        "/preregistration/frozen_at",
        "/observed_at",
        "/withdrawn/*/withdrawn_at",
        "/validators/*/signed_at",
    ];
    let at = pick(choice, instants.iter().flat_map(|pattern| matching(document, pattern)).collect())?;
    let text =
        word(choice, &["2026-02-30T08:00:00Z", "2026-13-01T00:00:00Z", "2026-05-01T25:61:00Z", "2025-02-29T00:00:00Z"]);
    *document.pointer_mut(&at)? = text.into();
    Some(at)
}

fn renamed(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    draft.base.input.as_ref()?;
    set(&mut draft.document, "", "epreuve_id", "EP-OTHER")?;
    Some("/epreuve_id".to_owned())
}

/// Sets when something froze to the observation or after it.
fn froze_late(document: &mut Value, block: &str, choice: &mut dyn Choice) -> Option<String> {
    let observed = document.get("observed_at")?.clone();
    document.pointer(block)?.get("frozen_at")?;
    set(document, block, "frozen_at", if choice.once_in(2) { LATE.into() } else { observed })?;
    Some(format!("{block}/frozen_at"))
}

fn corpus_late(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    froze_late(&mut draft.document, "/corpus", choice)
}

fn preregistered_late(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    froze_late(&mut draft.document, "/preregistration", choice)
}

fn signed_early(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, matching(&draft.document, "/validators/*"))?;
    set(&mut draft.document, &at, "signed_at", "2000-01-01T00:00:00Z")?;
    Some(at + "/signed_at")
}

fn validator_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let twin = pick(choice, items(&draft.document, "/validators").to_vec())?;
    set(&mut draft.document, "/validators", "-", twin)?;
    Some("/validators".to_owned())
}

fn reason_dropped(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    document.get("replay")?;
    untick(document)?;
    set(document, "/replay", "corpus_available_to_third_party", false)?;
    remove(document, "/replay", "unavailability_reason");
    Some("/replay/unavailability_reason".to_owned())
}

fn box_corpus(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    tick(&mut draft.document, BOXES[0], choice)?;
    froze_late(&mut draft.document, "/corpus", choice)
}

fn box_preregistered(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    tick(&mut draft.document, BOXES[1], choice)?;
    froze_late(&mut draft.document, "/preregistration", choice)
}

fn box_withdrawal(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, matching(&draft.document, "/withdrawn/*"))?;
    set(&mut draft.document, &at, "withdrawn_at", LATE)?;
    tick(&mut draft.document, BOXES[2], choice)?;
    Some(at + "/withdrawn_at")
}

fn box_arbitration(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    remove(&mut draft.document, "", "arbitration_rule");
    tick(&mut draft.document, BOXES[3], choice)?;
    Some("/arbitration_rule".to_owned())
}

fn box_replay(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if choice.once_in(2) && document.get("replay").is_some() {
        set(document, "/replay", "corpus_available_to_third_party", false)?;
        set(document, "/replay", "unavailability_reason", "the licence forbids it")?;
    } else {
        remove(document, "", "replay");
    }
    tick(document, BOXES[4], choice)?;
    Some("/replay".to_owned())
}
