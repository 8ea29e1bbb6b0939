//! The round: who runs, on which dimensions, and that every two of them meet once.

use std::collections::HashSet;

use super::model::{Epreuve, Epreuves, Tool, array, need};
use crate::document::{Kind, Value};
use crate::finding::{Basis, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/round-complete",
            title: "every two running tools meet once",
            demand: "Every two running tools (enrolled in `tools` and not in `withdrawn`) meet in exactly one match: k(k-1)/2 matches for \
                     k tools. An incomplete round is no épreuve.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "round",
            example: Example {
                good: &[],
                bad: &[Edit::Set(
                    "/matches/-",
                    r#"{"schema_version": "match.v1", "match_id": "M4", "tools": ["carver", "baker"], "dimensions": [
                        {"dimension": "quality", "outcome": "draw", "draw_kind": "insufficient_precision", "p_value": 0.3},
                        {"dimension": "cost", "outcome": "win", "winner": "baker", "p_value": 0.012}]}"#,
                )],
                show: "/matches",
                also: &["torneo/standings-derived", "torneo/denominators-derived"],
            },
        },
        judge: round_complete,
    },
    Obligation {
        rule: Rule {
            id: "torneo/dimensions-distinct",
            title: "dimensions are distinct",
            demand: "`dimensions` names each dimension once: it is the set of what the épreuve measures.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "round",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/dimensions/-", r#""cost""#)],
                show: "/dimensions",
                also: &[],
            },
        },
        judge: dimensions_distinct,
    },
    Obligation {
        rule: Rule {
            id: "torneo/withdrawn-enrolled",
            title: "withdrawn tools were enrolled",
            demand: "Every entry of `withdrawn` names a tool of `tools`, and no tool is withdrawn twice.",
            basis: Basis::Stated,
            severity: Severity::Error,
            group: "withdrawal",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/withdrawn/0/tool", r#""drvoer""#)],
                show: "/withdrawn",
                also: &[],
            },
        },
        judge: withdrawn_enrolled,
    },
    Obligation {
        rule: Rule {
            id: "torneo/vendors-enrolled",
            title: "vendors are those of enrolled tools",
            demand: "Every key of `tool_vendors` is a tool of `tools`.",
            basis: Basis::Derived,
            severity: Severity::Error,
            group: "withdrawal",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/tool_vendors/turner", r#""Oak Works""#)],
                show: "/tool_vendors",
                also: &[],
            },
        },
        judge: vendors_enrolled,
    },
];

/// Missing pairs shown by name.
const SHOWN_PAIRS: usize = 8;

fn round_complete(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(matches) = need(epreuve.matches(), judge) else { return };
    let Some(running) = need(epreuve.running(), judge) else { return };
    let Ok(tools) = epreuve.tools() else { return };
    let Some(at) = epreuve.root.get("matches") else { return };

    // Pairs of running tools that met, each with the matches in which they did.
    let mut met: Vec<((Tool, Tool), usize)> = Vec::with_capacity(matches.len());
    let (mut unreadable, mut unknown) = (0, 0);
    for (index, played) in matches.iter().enumerate() {
        match played.enrolled {
            [Some(a), Some(b)] if tools.is_running(a) && tools.is_running(b) => met.push(((a.min(b), a.max(b)), index)),
            [Some(_), Some(_)] => {}
            _ if played.tools.is_none() => unreadable += 1,
            _ => unknown += 1,
        }
    }
    met.sort_unstable();
    for repeats in met.chunk_by(|one, other| one.0 == other.0) {
        let [(pair, first), repeats @ ..] = repeats else { continue };
        for (_, again) in repeats {
            let (first, again) = (&matches[*first], &matches[*again]);
            let [a, b] = [pair.0, pair.1].map(|tool| epreuve.tool(tool));
            judge
                .finding(
                    again.value,
                    format!(
                        "`{a}` and `{b}` meet again here; they met in match {}, and two tools meet once",
                        first.name()
                    ),
                )
                .mark(first.value, "their first match")
                .help("keep one match for every two tools, and derive the tables again");
        }
    }

    met.dedup_by_key(|(pair, _)| *pair);
    let k = running.len() as u64;
    let owed = k * k.saturating_sub(1) / 2;
    let missing = owed - met.len() as u64;
    if missing == 0 {
        return;
    }
    if missing <= unreadable + unknown {
        let why = if unreadable > 0 { "whose tools cannot be read" } else { "against a tool that is not enrolled" };
        judge.not_judged("/matches", format!("{missing} missing pairs may be those of matches {why}"));
        return;
    }
    let shown: Vec<String> = missing_pairs(running, &met)
        .take(SHOWN_PAIRS)
        .map(|(a, b)| format!("`{}` – `{}`", epreuve.tool(a), epreuve.tool(b)))
        .collect();
    let more = missing - shown.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    judge
        .finding(
            at,
            format!("{missing} of the {owed} pairs of {k} running tools have no match: {}{more}", shown.join(", ")),
        )
        .help("add the missing matches; a tool that did not run is declared in `withdrawn`");
}

/// Pairs of running tools that did not meet, in order. `met` is sorted and has no pair twice. Cheap to take a few from, however
/// many tools there are.
fn missing_pairs(running: &[Tool], met: &[((Tool, Tool), usize)]) -> impl Iterator<Item = (Tool, Tool)> {
    let mut met = met.iter().map(|(pair, _)| *pair).peekable();
    let pairs = running.iter().enumerate().flat_map(|(at, &a)| running.iter().skip(at + 1).map(move |&b| (a, b)));
    pairs.filter(move |pair| met.next_if_eq(pair).is_none())
}

fn dimensions_distinct(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(dimensions) = need(epreuve.dimensions(), judge) else { return };
    for &repeated in &dimensions.repeated {
        let name = repeated.as_str().unwrap_or_default();
        judge
            .finding(repeated, format!("`{}` is listed again", name.escape_debug()))
            .help("list each dimension of the épreuve once");
    }
}

fn withdrawn_enrolled(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    if epreuve.root.get("withdrawn").is_none() {
        return;
    }
    let Some(withdrawn) = need(array(epreuve.root, "withdrawn"), judge) else { return };
    let Some(tools) = need(epreuve.tools(), judge) else { return };
    let mut seen: HashSet<&str> = HashSet::new();
    for entry in withdrawn.items() {
        let tool = entry.get("tool").and_then(|tool| Some((tool, tool.as_str()?)));
        let Some((at, name)) = tool else {
            judge.not_judged(entry.pointer(), "the entry names no tool");
            continue;
        };
        if tools.named(name).is_none() {
            judge
                .finding(at, format!("`{}` is withdrawn and was never enrolled", name.escape_debug()))
                .help("a withdrawn tool stays in `tools`; correct the name or enrol the tool");
        } else if !seen.insert(name) {
            judge.finding(at, format!("`{name}` is withdrawn a second time")).help("keep one entry for each tool");
        }
    }
}

fn vendors_enrolled(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(vendors) = epreuve.root.get("tool_vendors") else { return };
    if vendors.kind() != Kind::Object {
        judge.not_judged("/tool_vendors", "`tool_vendors` is no object");
        return;
    }
    let Some(tools) = need(epreuve.tools(), judge) else { return };
    let unknown = |key: &Value<'_>| key.as_str().is_some_and(|name| tools.named(name).is_none());
    for key in vendors.members().map(|(key, _)| key).filter(unknown) {
        let name = key.as_str().unwrap_or_default();
        judge
            .finding(key, format!("`{}` has a vendor and is not enrolled", name.escape_debug()))
            .help("correct the name, or remove it from `tool_vendors`");
    }
}
