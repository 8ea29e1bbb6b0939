//! Conduct: what came before what, and the boxes that validators tick.

use std::collections::HashMap;

use super::instant::{Instant, NoInstant};
use super::model::{Epreuve, Epreuves, Known, array, need};
use crate::document::Value;
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/instants-real",
            title: "timestamps are real instants",
            demand: "Every timestamp is an instant that the calendar and the clock have, to RFC 3339; the schema's pattern alone lets \
                     2026-02-30 and 25:61 through.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "conduct",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/corpus/frozen_at", r#""2026-02-30T08:00:00Z""#)],
                show: "/corpus",
                also: &[],
            },
        },
        judge: instants_real,
    },
    Obligation {
        rule: Rule {
            id: "torneo/corpus-frozen-first",
            title: "the corpus froze before collection",
            demand: "`corpus.frozen_at` is earlier than `observed_at`.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "conduct",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/corpus/frozen_at", r#""2026-05-10T12:00:00.5Z""#)],
                show: "/corpus",
                also: &["torneo/box-corpus-frozen"],
            },
        },
        judge: corpus_frozen_first,
    },
    Obligation {
        rule: Rule {
            id: "torneo/preregistered-first",
            title: "the preregistration froze before collection",
            demand: "`preregistration.frozen_at` is earlier than `observed_at`.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "conduct",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/preregistration/frozen_at", r#""2026-05-10T12:00:00Z""#)],
                show: "/preregistration",
                also: &["torneo/box-preregistered"],
            },
        },
        judge: preregistered_first,
    },
    Obligation {
        rule: Rule {
            id: "torneo/validator-signs-after",
            title: "validators sign after observation",
            demand: "A validator's `signed_at` is not earlier than `observed_at`: nobody can validate the conduct of what has not taken place.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "conduct",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/validators/0/signed_at", r#""2026-05-10T11:59:59.9Z""#)],
                show: "/validators/0",
                also: &[],
            },
        },
        judge: validator_signs_after,
    },
    Obligation {
        rule: Rule {
            id: "torneo/validators-distinct",
            title: "a validator signs once",
            demand: "No two entries of `validators` have the same `validator_id`.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "conduct",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/validators/1/validator_id", r#""registry-north""#)],
                show: "/validators",
                also: &[],
            },
        },
        judge: validators_distinct,
    },
    Obligation {
        rule: Rule {
            id: "torneo/replay-reason",
            title: "an unavailable corpus has its reason",
            demand: "Where `replay.corpus_available_to_third_party` is false, `unavailability_reason` says why.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "conduct",
            example: Example {
                good: &[
                    Edit::Set("/validators", "[]"),
                    Edit::Set("/replay/corpus_available_to_third_party", "false"),
                    Edit::Set("/replay/unavailability_reason", r#""the licence forbids it""#),
                ],
                bad: &[Edit::Remove("/replay/unavailability_reason")],
                show: "/replay",
                also: &[],
            },
        },
        judge: replay_reason,
    },
];

/// The timestamp of a member of an object, with its place.
pub(super) type Stamp<'d> = (Value<'d>, Instant<'d>);

/// A real timestamp by key; `what` names the object in the reason.
pub(super) fn stamp<'d>(of: Option<Value<'d>>, key: &str) -> Known<Stamp<'d>> {
    let at = of.and_then(|of| of.get(key)).ok_or_else(|| format!("`{key}` is missing"))?;
    let text = at.as_str().ok_or_else(|| format!("{} is no timestamp", at.pointer()))?;
    Instant::parse(text).map(|instant| (at, instant)).map_err(|_| format!("{} is no real instant", at.pointer()))
}

/// `observed_at`.
pub(super) fn observed<'d>(epreuve: &Epreuve<'d>) -> Known<Stamp<'d>> {
    stamp(Some(epreuve.root), "observed_at")
}

/// The signatures, where `validators` is an array.
pub(super) fn validators<'d>(epreuve: &Epreuve<'d>) -> Known<impl Iterator<Item = Value<'d>>> {
    array(epreuve.root, "validators").map(Value::items)
}

fn instants_real(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let root = epreuve.root;
    let items = |key: &str| root.get(key).into_iter().flat_map(Value::items);
    let stamps = [root.get("corpus"), root.get("preregistration")]
        .into_iter()
        .filter_map(|part| part?.get("frozen_at"))
        .chain(root.get("observed_at"))
        .chain(items("withdrawn").filter_map(|entry| entry.get("withdrawn_at")))
        .chain(items("validators").filter_map(|entry| entry.get("signed_at")));
    for stamp in stamps {
        let Some(text) = stamp.as_str() else {
            judge.not_judged(stamp.pointer(), "not a timestamp");
            continue;
        };
        match Instant::parse(text) {
            Ok(_) => {}
            Err(NoInstant::Form) => judge.not_judged(stamp.pointer(), "not written as a UTC timestamp"),
            Err(NoInstant::Calendar(why)) => {
                judge
                    .finding(stamp, format!("{text} is no real instant: {why}"))
                    .help("state the instant, in UTC, at which it happened");
            }
        }
    }
}

fn corpus_frozen_first(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    frozen_first(epreuve, "corpus", "the corpus", judge);
}

fn preregistered_first(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    frozen_first(epreuve, "preregistration", "the preregistration", judge);
}

/// Judges that a part of the document froze before observation.
fn frozen_first(epreuve: &Epreuve<'_>, key: &str, what: &str, judge: &mut Judge<'_>) {
    let Some((at, frozen)) = need(stamp(epreuve.root.get(key), "frozen_at"), judge) else { return };
    let Some((observed_at, observed)) = need(observed(epreuve), judge) else { return };
    if frozen >= observed {
        let when = if frozen == observed { "as it was" } else { "after it was" };
        judge.finding(at, format!("{what} froze {when} observed")).mark(observed_at, "observed").help(
            "only what is frozen before collection can be observed; a later corpus or document makes another épreuve",
        );
    }
}

fn validator_signs_after(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(validators) = need(validators(epreuve), judge) else { return };
    let Some((observed_at, observed)) = need(observed(epreuve), judge) else { return };
    for validator in validators {
        match stamp(Some(validator), "signed_at") {
            Ok((at, signed)) if signed < observed => {
                judge
                    .finding(at, format!("{} signed before the épreuve was observed", who(validator)))
                    .mark(observed_at, "observed")
                    .help("a signature follows what it validates; correct the time or sign again");
            }
            Ok(_) => {}
            Err(why) => judge.not_judged(validator.pointer(), why),
        }
    }
}

fn validators_distinct(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(validators) = need(validators(epreuve), judge) else { return };
    let mut seen: HashMap<&str, Value<'_>> = HashMap::new();
    for validator in validators {
        let Some((at, id)) = validator.get("validator_id").and_then(|id| Some((id, id.as_str()?))) else {
            judge.not_judged(validator.pointer(), "the signature has no `validator_id`");
            continue;
        };
        if let Some(&first) = seen.get(id) {
            judge
                .finding(at, format!("`{}` signs a second time", id.escape_debug()))
                .mark(first, "the first signature")
                .help("keep one signature for each validator");
        } else {
            seen.insert(id, at);
        }
    }
}

fn replay_reason(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(replay) = epreuve.root.get("replay") else { return };
    let Some(available) = replay.get("corpus_available_to_third_party") else { return };
    let reason = replay.get("unavailability_reason").and_then(Value::as_str);
    if available.as_bool() == Some(false) && reason.is_none_or(|reason| reason.trim().is_empty()) {
        judge
            .finding(available, "the corpus is not available to a third party, and nothing says why")
            .help("say why in `replay.unavailability_reason`");
    }
}

/// A validator as messages name it.
pub(super) fn who(validator: Value<'_>) -> String {
    match validator.get("validator_id").and_then(Value::as_str) {
        Some(id) => format!("`{}`", id.escape_debug()),
        None => "a validator".to_owned(),
    }
}
