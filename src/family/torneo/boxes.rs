//! The boxes of the charter: a ticked box that the document's own data contradicts is refused. An unticked one is no finding.

use super::conduct::{observed, stamp, validators, who};
use super::model::{Epreuve, Epreuves, Known, need};
use crate::document::{Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/box-corpus-frozen",
            title: "box: the corpus froze before collection",
            demand: "No validator ticks `corpus_frozen_before_collection` where `corpus.frozen_at` is not earlier than `observed_at`.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "boxes",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/corpus/frozen_at", r#""2026-05-11T00:00:00Z""#)],
                show: "/corpus",
                also: &["torneo/corpus-frozen-first"],
            },
        },
        judge: |epreuve, judge| {
            boxed(epreuve, "corpus_frozen_before_collection", |epreuve| frozen_late(epreuve, "corpus"), judge);
        },
    },
    Obligation {
        rule: Rule {
            id: "torneo/box-preregistered",
            title: "box: test and threshold were preregistered",
            demand: "No validator ticks `test_and_threshold_preregistered` where `preregistration.frozen_at` is not earlier than `observed_at`.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "boxes",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/preregistration/frozen_at", r#""2026-05-11T00:00:00Z""#)],
                show: "/preregistration",
                also: &["torneo/preregistered-first"],
            },
        },
        judge: |epreuve, judge| {
            let contradicts = |epreuve: &_| frozen_late(epreuve, "preregistration");
            boxed(epreuve, "test_and_threshold_preregistered", contradicts, judge);
        },
    },
    Obligation {
        rule: Rule {
            id: "torneo/box-no-late-withdrawal",
            title: "box: no tool was withdrawn after the fact",
            demand: "No validator ticks `no_tool_withdrawn_after_the_fact` where a `withdrawn_at` is later than `observed_at`. The late withdrawal itself \
                     is no finding: `withdrawn` exists so that it is declared.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "boxes",
            example: Example {
                good: &[
                    Edit::Set("/withdrawn/0/withdrawn_at", r#""2026-05-11T00:00:00Z""#),
                    Edit::Set("/validators/0/checks/no_tool_withdrawn_after_the_fact", "false"),
                    Edit::Set("/validators/1/checks/no_tool_withdrawn_after_the_fact", "false"),
                ],
                bad: &[Edit::Set("/validators/0/checks/no_tool_withdrawn_after_the_fact", "true")],
                show: "/validators/0/checks",
                also: &[],
            },
        },
        judge: |epreuve, judge| boxed(epreuve, "no_tool_withdrawn_after_the_fact", late_withdrawal, judge),
    },
    Obligation {
        rule: Rule {
            id: "torneo/box-arbitration",
            title: "box: disagreements were arbitrated by the written rule",
            demand: "No validator ticks `disagreements_arbitrated_by_the_written_rule` where `arbitration_rule` is absent.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "boxes",
            example: Example {
                good: &[
                    Edit::Remove("/arbitration_rule"),
                    Edit::Set("/validators/0/checks/disagreements_arbitrated_by_the_written_rule", "false"),
                ],
                bad: &[Edit::Set("/validators/0/checks/disagreements_arbitrated_by_the_written_rule", "true")],
                show: "/validators/0/checks",
                also: &[],
            },
        },
        judge: |epreuve, judge| {
            boxed(epreuve, "disagreements_arbitrated_by_the_written_rule", no_arbitration, judge);
        },
    },
    Obligation {
        rule: Rule {
            id: "torneo/box-replay",
            title: "box: a third party can replay",
            demand: "No validator ticks `third_party_can_replay_from_the_frozen_corpus` where `replay` is absent or its corpus is not available to a \
                     third party.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "boxes",
            example: Example {
                good: &[
                    Edit::Set("/replay/corpus_available_to_third_party", "false"),
                    Edit::Set("/replay/unavailability_reason", r#""the licence forbids it""#),
                    Edit::Set("/validators/0/checks/third_party_can_replay_from_the_frozen_corpus", "false"),
                    Edit::Set("/validators/1/checks/third_party_can_replay_from_the_frozen_corpus", "false"),
                ],
                bad: &[Edit::Set("/validators/0/checks/third_party_can_replay_from_the_frozen_corpus", "true")],
                show: "/validators/0/checks",
                also: &[],
            },
        },
        judge: |epreuve, judge| {
            boxed(epreuve, "third_party_can_replay_from_the_frozen_corpus", no_replay, judge);
        },
    },
];

/// What contradicts a ticked box: in words, and where it stands, if it stands anywhere.
type Contradiction<'d> = (String, Option<Value<'d>>);

/// Judges one box of every signature against the data.
fn boxed<'d>(
    epreuve: &Epreuve<'d>,
    key: &str,
    contradicts: impl Fn(&Epreuve<'d>) -> Known<Option<Contradiction<'d>>>,
    judge: &mut Judge<'_>,
) {
    let Some(validators) = need(validators(epreuve), judge) else { return };
    let ticked: Vec<_> = validators
        .filter_map(|validator| {
            let tick = validator.get("checks")?.get(key)?;
            (tick.as_bool() == Some(true)).then_some((validator, tick))
        })
        .collect();
    if ticked.is_empty() {
        return;
    }
    let Some(Some((why, shown))) = need(contradicts(epreuve), judge) else { return };
    for (validator, tick) in ticked {
        let report = judge
            .finding(tick, format!("{} ticks a box that the data contradicts: {why}", who(validator)))
            .help("a box that cannot be ticked stays false: that is a defect of the protocol, not of the validator");
        if let Some(shown) = shown {
            report.mark(shown, "contradicts the box");
        }
    }
}

fn frozen_late<'d>(epreuve: &Epreuve<'d>, key: &str) -> Known<Option<Contradiction<'d>>> {
    let (at, frozen) = stamp(epreuve.root.get(key), "frozen_at")?;
    let (_, observed) = observed(epreuve)?;
    Ok((frozen >= observed).then(|| (format!("`{key}.frozen_at` is not earlier than `observed_at`"), Some(at))))
}

fn late_withdrawal<'d>(epreuve: &Epreuve<'d>) -> Known<Option<Contradiction<'d>>> {
    let Some(withdrawn) = epreuve.root.get("withdrawn").filter(|withdrawn| !withdrawn.is_empty()) else {
        return Ok(None);
    };
    let (_, observed) = observed(epreuve)?;
    let mut unread = None;
    for entry in withdrawn.items() {
        match stamp(Some(entry), "withdrawn_at") {
            Ok((at, when)) if when > observed => {
                let tool = entry.get("tool").and_then(Value::as_str).unwrap_or("a tool").escape_debug();
                return Ok(Some((format!("`{tool}` was withdrawn after observation"), Some(at))));
            }
            Ok(_) => {}
            Err(why) => unread = Some(why),
        }
    }
    unread.map_or(Ok(None), Err)
}

fn no_arbitration<'d>(epreuve: &Epreuve<'d>) -> Known<Option<Contradiction<'d>>> {
    let stated = epreuve.root.get("arbitration_rule").is_some_and(|rule| !rule.is_null());
    Ok((!stated).then(|| ("there is no `arbitration_rule`".to_owned(), None)))
}

fn no_replay<'d>(epreuve: &Epreuve<'d>) -> Known<Option<Contradiction<'d>>> {
    let Some(replay) = epreuve.root.get("replay").filter(|replay| replay.kind() == Kind::Object) else {
        return Ok(Some(("there is no `replay`".to_owned(), None)));
    };
    match replay.get("corpus_available_to_third_party").map(|available| (available, available.as_bool())) {
        Some((_, Some(true))) => Ok(None),
        Some((at, Some(false))) => Ok(Some(("the corpus is not available to a third party".to_owned(), Some(at)))),
        _ => Err("whether the corpus is available to a third party cannot be read".to_owned()),
    }
}
