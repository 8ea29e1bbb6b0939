//! The relation gate: the proposal, the review, the decision and the adoption that a record names, judged together with it.

use super::canonical::shorten;
use super::kinds::{ADOPTION, DECISION, Kind, PROPOSAL, REVIEW};
use super::record::{Record, Records, Text, member_pointer};
use super::related::{Given, NAMED, Related, sound};
use crate::document::Value;
use crate::obligation::{Judge, Obligation};

use super::relation_rules as rules;

pub const OBLIGATIONS: &[Obligation<Records>] = &[
    Obligation { rule: rules::DIGEST, judge: relation_digest },
    Obligation { rule: rules::CANDIDATE, judge: relation_candidate },
    Obligation { rule: rules::CHAIN, judge: relation_chain },
    Obligation { rule: rules::VERDICT, judge: relation_verdict },
    Obligation { rule: rules::ROOM, judge: relation_room },
    Obligation { rule: rules::ADOPTION, judge: relation_adoption },
];

fn relation_digest(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    for (key, kind) in NAMED {
        let Some(at) = record.root.get(key) else {
            if kind != &ADOPTION {
                judge.not_judged(member_pointer(record.root, key), format!("`{key}` is missing"));
            }
            continue;
        };
        let Some(given) = related.named(record.root, kind, judge) else { continue };
        if let Err(fault) = sound(given, kind) {
            judge.finding(at, format!("the {} that this names ({}) {fault}", kind.name, given.name)).help(format!(
                "name the {} as it was signed; a {} changed afterwards is another one, with a ref of its own",
                kind.name, kind.name
            ));
        }
    }
}

fn relation_candidate(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    let chain = Chain::of(record, related, judge);
    for (given, kind, key) in [
        (chain.proposal, &PROPOSAL, "candidate"),
        (chain.review, &REVIEW, "candidate"),
        (chain.decision, &DECISION, "reviewed-candidate"),
    ] {
        same(record.root.get("candidate"), "candidate", given, kind, key, judge);
    }
    same(record.root.get("target"), "target", chain.proposal, &PROPOSAL, "target", judge);
}

/// Reports where an object of the record is not the one that a given document has.
fn same(
    own: Option<Value<'_>>,
    own_key: &str,
    given: Option<Given<'_>>,
    kind: &Kind,
    key: &str,
    judge: &mut Judge<'_>,
) {
    let Some(given) = given else { return };
    let (Some(own), Some(other)) = (own, given.root.get(key)) else {
        let reason = format!("`{own_key}` of the record or `{key}` of the {} ({}) is missing", kind.name, given.name);
        judge.not_judged(format!("/{own_key}"), reason);
        return;
    };
    if own.same_as(other) {
        return;
    }
    let differing: Vec<&str> = own
        .members()
        .filter_map(|(key, value)| Some((key.as_str()?, value)))
        .filter(|(key, value)| !other.get(key).is_some_and(|twin| value.same_as(twin)))
        .map(|(key, _)| key)
        .collect();
    let carried_over = own_key == "candidate" && !differing.contains(&"ref") && differing.contains(&"digest");
    let help = if carried_over {
        "the name is the same, the bytes are not: an approval never carries over to a corrected candidate, which needs a \
         proposal, a review and a decision of its own"
    } else {
        "execute exactly what was proposed, reviewed and admitted"
    };
    judge
        .finding(own, format!("the `{own_key}` is not the one in the {} ({})", kind.name, given.name))
        .comparison(lines(own), lines(other))
        .help(help);
}

fn lines(object: Value<'_>) -> String {
    let mut lines: Vec<String> = object
        .members()
        .map(|(key, value)| {
            let value = value.as_str().map_or_else(|| value.to_json().to_string(), str::to_owned);
            format!("{}: {}\n", shorten(key.as_str().unwrap_or_default()), shorten(&value))
        })
        .collect();
    lines.sort_unstable();
    lines.concat()
}

fn relation_chain(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    let chain = Chain::of(record, related, judge);
    for (given, kind, key) in [
        (chain.review, &REVIEW, "proposal/ref"),
        (chain.review, &REVIEW, "proposal/digest"),
        (chain.decision, &DECISION, "proposal/ref"),
        (chain.decision, &DECISION, "review/ref"),
        (chain.decision, &DECISION, "review/digest"),
    ] {
        equal(
            record,
            key,
            given,
            kind,
            "the approval is of another chain: name the documents that belong together",
            judge,
        );
    }
}

/// Reports where a member of the record and the same member of a given document differ.
fn equal(record: &Record<'_>, key: &str, given: Option<Given<'_>>, kind: &Kind, help: &str, judge: &mut Judge<'_>) {
    let Some(given) = given else { return };
    let Some(own) = Text::needed(record.root, key, judge) else { return };
    let Some(other) = Text::of(given.root, key) else {
        judge.not_judged(own.at.pointer(), format!("the {} ({}) has no `{key}`", kind.name, given.name));
        return;
    };
    if own.text != other.text {
        judge
            .finding(
                own.at,
                format!("the {} ({}) has another `{key}`: `{}`", kind.name, given.name, shorten(other.text)),
            )
            .help(help);
    }
}

fn relation_verdict(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    let chain = Chain::of(record, related, judge);
    let mode = chain.proposal.and_then(|given| Some((given, given.root.get("executor")?)));
    for (given, within, kind, key, demanded, own_key) in [
        (chain.review, chain.review.map(|given| given.root), &REVIEW, "verdict", "accept", "review/ref"),
        (
            chain.decision,
            chain.decision.map(|given| given.root),
            &DECISION,
            "decision",
            "admit-reviewed-candidate",
            "decision/ref",
        ),
        (
            chain.proposal,
            mode.map(|(_, executor)| executor),
            &PROPOSAL,
            "mode",
            "deterministic-host-compiler",
            "proposal/ref",
        ),
    ] {
        let (Some(given), Some(at)) = (given, record.root.get(own_key)) else { continue };
        let Some(stated) = within.and_then(|within| Text::of(within, key)) else {
            judge.not_judged(at.pointer(), format!("the {} ({}) has no `{key}`", kind.name, given.name));
            continue;
        };
        if stated.text != demanded {
            judge
                .finding(
                    at,
                    format!(
                        "the {} that this names ({}) says `{key}: {}`, not `{demanded}`",
                        kind.name,
                        given.name,
                        shorten(stated.text)
                    ),
                )
                .help(
                    "an experiment runs only when the review accepts it, the Chair admits it and the host compiles it",
                );
        }
    }
}

fn relation_room(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    let chain = Chain::of(record, related, judge);
    for (given, kind) in [(chain.review, &REVIEW), (chain.decision, &DECISION)] {
        for key in ["query/id", "room/id"] {
            equal(record, key, given, kind, "the record stays in the query and the room of its approval", judge);
        }
    }
}

fn relation_adoption(record: &Record<'_>, judge: &mut Judge<'_>) {
    let Some(related) = record.related(judge) else { return };
    let Some(proposal) = related.named(record.root, &PROPOSAL, judge) else { return };
    let (Some(query), Some(room)) =
        (Text::needed(record.root, "query/id", judge), Text::needed(record.root, "room/id", judge))
    else {
        return;
    };
    let stays = |within: Value<'_>| {
        Text::of(within, "query/id").is_some_and(|other| other.text == query.text)
            && Text::of(within, "room/id").is_some_and(|other| other.text == room.text)
    };
    let historical = !stays(proposal.root);
    let Some(named) = record.root.get("candidate/adoption-ref") else {
        if historical {
            let at = record.root.get("proposal/ref").unwrap_or(record.root);
            judge
                .finding(
                    at,
                    format!(
                        "the proposal ({}) is of another query or room, and no adoption brings it here",
                        proposal.name
                    ),
                )
                .help("name the owner's adoption in `candidate/adoption-ref`; without one the gate stays closed");
        }
        return;
    };
    if !historical {
        judge
            .finding_as(
                rules::ADOPTION.id,
                crate::finding::Basis::Reading,
                crate::finding::Severity::Warning,
                named,
                "an adoption is named, but the proposal is of this query and room already",
            )
            .help("leave `candidate/adoption-ref` out unless the proposal is historical");
        return;
    }
    let Some(adoption) = related.named(record.root, &ADOPTION, judge) else { return };
    match adoption.root.get("source").and_then(|source| source.get("proposal")) {
        Some(source) if source.same_as(proposal.root) => {}
        _ => {
            judge
                .finding(named, format!("the adoption ({}) is not of the proposal that was executed", adoption.name))
                .help("the adoption carries the original proposal, unmodified");
        }
    }
    if !adoption.root.get("context").is_some_and(stays) {
        judge
            .finding(named, format!("the adoption ({}) is for another query or room than the record's", adoption.name))
            .help("adopt the candidate for the context that it is executed in");
    }
}

/// The documents that a record's approval consists of, as far as they were given.
struct Chain<'d> {
    proposal: Option<Given<'d>>,
    review: Option<Given<'d>>,
    decision: Option<Given<'d>>,
}

impl<'d> Chain<'d> {
    /// The current rule is said to be not judged for each document that is missing.
    fn of(record: &Record<'d>, related: &Related<'d>, judge: &mut Judge<'_>) -> Self {
        let mut named = |kind| related.named(record.root, kind, judge);
        Chain { proposal: named(&PROPOSAL), review: named(&REVIEW), decision: named(&DECISION) }
    }
}
