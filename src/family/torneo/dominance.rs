//! Dominance: A dominates B iff, in their match, A wins at least one dimension and loses none.

use std::collections::{BTreeSet, HashMap};

use super::graph::{Basis, Edge, basis};
use super::model::{Epreuve, Epreuves, Tool, array, named, need};
use crate::document::{Kind, Value};
use crate::finding::{self, Severity};
use crate::obligation::{Edit, Example, Judge, Obligation, Rule};

pub const OBLIGATIONS: &[Obligation<Epreuves>] = &[
    Obligation {
        rule: Rule {
            id: "torneo/pareto-derived",
            title: "the Pareto set is derived",
            demand: "`pareto_set`, where stated, is exactly the set of running tools that no other dominates: A dominates B iff, in their match, \
                     A wins at least one dimension and loses none.",
            basis: finding::Basis::Stated,
            severity: Severity::Error,
            group: "dominance",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/pareto_set/-", r#""baker""#)],
                show: "/pareto_set",
                also: &[],
            },
        },
        judge: pareto_derived,
    },
    Obligation {
        rule: Rule {
            id: "torneo/dominance-basis",
            title: "every domination states its basis",
            demand: "`dominance_basis`, where stated, has exactly one entry for every dominating pair; `won` names the dimensions won, `undecided` \
                     those drawn with their draw kind, `not_measured` the rest, and the three (empty where absent) partition the dimensions.",
            basis: finding::Basis::Stated,
            severity: Severity::Error,
            group: "dominance",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/dominance_basis/1/won/-", r#""cost""#)],
                show: "/dominance_basis/1",
                also: &[],
            },
        },
        judge: dominance_basis,
    },
    Obligation {
        rule: Rule {
            id: "torneo/cycles-derived",
            title: "dominance cycles are derived",
            demand: "`dominance_cycles`, where stated, is exactly the set of strongly connected components with two or more tools of the \
                     dominance graph, each as a set.",
            basis: finding::Basis::Stated,
            severity: Severity::Error,
            group: "dominance",
            example: Example {
                good: &[],
                bad: &[Edit::Set("/dominance_cycles", r#"[["archer", "baker"]]"#)],
                show: "/dominance_cycles",
                also: &[],
            },
        },
        judge: cycles_derived,
    },
    Obligation {
        rule: Rule {
            id: "torneo/cycles-required",
            title: "an empty Pareto set names its cycle",
            demand: "Where `pareto_set` is empty, `dominance_cycles` is not: an empty set without a named cycle would pass for a fault of arithmetic.",
            basis: finding::Basis::Stated,
            severity: Severity::Error,
            group: "dominance",
            example: Example {
                good: CYCLE,
                bad: &[Edit::Remove("/dominance_cycles")],
                show: "/dominance_cycles",
                also: &[],
            },
        },
        judge: cycles_required,
    },
];

/// The plain example turned into a circle of three.
const CYCLE: &[Edit] = &[
    Edit::Set("/dimensions", r#"["quality"]"#),
    Edit::Set(
        "/matches",
        r#"[{"schema_version": "match.v1", "match_id": "M1", "tools": ["archer", "baker"], "dimensions": [
                {"dimension": "quality", "outcome": "win", "winner": "archer"}]},
            {"schema_version": "match.v1", "match_id": "M2", "tools": ["archer", "carver"], "dimensions": [
                {"dimension": "quality", "outcome": "win", "winner": "carver"}]},
            {"schema_version": "match.v1", "match_id": "M3", "tools": ["baker", "carver"], "dimensions": [
                {"dimension": "quality", "outcome": "win", "winner": "baker"}]}]"#,
    ),
    Edit::Set(
        "/standings",
        r#"[{"dimension": "quality", "table": [
                {"tool": "archer", "wins": 1, "draws": 0, "losses": 1}, {"tool": "baker", "wins": 1, "draws": 0, "losses": 1},
                {"tool": "carver", "wins": 1, "draws": 0, "losses": 1}]}]"#,
    ),
    Edit::Set("/pareto_set", "[]"),
    Edit::Set("/dominance_cycles", r#"[["archer", "baker", "carver"]]"#),
    Edit::Set(
        "/dominance_basis",
        r#"[{"dominant": "archer", "dominated": "baker", "won": ["quality"]}, {"dominant": "baker", "dominated": "carver", "won": ["quality"]},
            {"dominant": "carver", "dominated": "archer", "won": ["quality"]}]"#,
    ),
    Edit::Remove("/denominators"),
    Edit::Set("/epreuve_winners", r#"{"quality": null}"#),
    Edit::Set("/champion", "null"),
];

fn pareto_derived(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(stated) = epreuve.root.get("pareto_set") else { return };
    let Some(dominance) = need(epreuve.dominance(), judge) else { return };
    if stated.kind() != Kind::Array {
        judge.not_judged("/pareto_set", "`pareto_set` is no array");
        return;
    }
    let mut left: BTreeSet<Tool> = dominance.pareto.iter().copied().collect();
    let mut seen: HashMap<&str, Value<'_>> = HashMap::new();
    let mut whole = true;
    for item in stated.items() {
        let Some(name) = item.as_str() else {
            judge.not_judged(item.pointer(), "not a tool id");
            whole = false;
            continue;
        };
        if let Some(first) = seen.insert(name, item) {
            judge
                .finding(item, format!("`{}` is in the Pareto set twice", name.escape_debug()))
                .mark(first, "the first")
                .help("list each tool once");
            continue;
        }
        let tool = epreuve.tools().ok().and_then(|tools| tools.named(name));
        if tool.is_some_and(|tool| left.remove(&tool)) {
            continue;
        }
        let dominated_by = dominance.edges.iter().find(|edge| Some(edge.dominated) == tool);
        match dominated_by {
            Some(edge) => {
                let report = judge.finding(
                    item,
                    format!("`{name}` is in the Pareto set and is dominated by `{}`", epreuve.tool(edge.dominant)),
                );
                let shown = epreuve.matches().ok().and_then(|matches| matches.get(edge.shown_by));
                match shown {
                    Some(played) => report.mark(played.value, "their match"),
                    None => report,
                }
            }
            None => {
                let name = name.escape_debug();
                judge.finding(item, format!("`{name}` is in the Pareto set and does not run in the épreuve"))
            }
        }
        .help("list exactly the running tools that no other dominates; `conform derive` prints them");
    }
    if whole && !left.is_empty() {
        let names = named(left.iter().map(|&tool| epreuve.tool(tool)), left.len());
        judge
            .finding(stated, format!("the Pareto set lacks {names}, dominated by no other tool"))
            .help("list exactly the running tools that no other dominates; `conform derive` prints them");
    }
}

fn dominance_basis(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(stated) = epreuve.root.get("dominance_basis") else { return };
    let Some(dominance) = need(epreuve.dominance(), judge) else { return };
    if stated.kind() != Kind::Array {
        judge.not_judged("/dominance_basis", "`dominance_basis` is no array");
        return;
    }
    let mut left: HashMap<(&str, &str), &Edge> = HashMap::with_capacity(dominance.edges.len());
    left.extend(dominance.edges.iter().map(|edge| ((epreuve.tool(edge.dominant), epreuve.tool(edge.dominated)), edge)));
    let derived = left.clone();
    let mut whole = true;
    for entry in stated.items() {
        let name = |key: &str| entry.get(key).and_then(Value::as_str);
        let (Some(dominant), Some(dominated)) = (name("dominant"), name("dominated")) else {
            judge.not_judged(entry.pointer(), "the entry does not name two tools");
            whole = false;
            continue;
        };
        let pair = (dominant, dominated);
        let (dominant, dominated) = (dominant.escape_debug(), dominated.escape_debug());
        if let Some(edge) = left.remove(&pair) {
            judge_entry(epreuve, entry, edge, judge);
        } else if derived.contains_key(&pair) {
            judge
                .finding(entry, format!("a second entry for `{dominant}` over `{dominated}`"))
                .help("keep one entry for every dominating pair");
        } else {
            judge
                .finding(entry, format!("`{dominant}` does not dominate `{dominated}` in their match"))
                .help("remove the entry: to dominate is to win at least one dimension of the match and to lose none");
        }
    }
    if whole && !left.is_empty() {
        let missing = dominance
            .edges
            .iter()
            .map(|edge| (epreuve.tool(edge.dominant), epreuve.tool(edge.dominated)))
            .filter(|pair| left.contains_key(pair))
            .map(|(dominant, dominated)| format!("{dominant} over {dominated}"));
        judge
            .finding(stated, format!("no basis for {}", named(missing, left.len())))
            .help("add one entry for every dominating pair; `conform derive` prints them");
    }
}

/// Judges what an entry says of a pair that does dominate.
fn judge_entry(epreuve: &Epreuve<'_>, entry: Value<'_>, edge: &Edge, judge: &mut Judge<'_>) {
    let Some(entered) = entered_basis(entry) else {
        judge.not_judged(entry.pointer(), "the entry cannot be read");
        return;
    };
    let derived = basis(epreuve, edge);
    // Most entries are as derived and in the order of the dimensions: those need no text.
    if entered == derived {
        return;
    }
    let (entered, derived) = (basis_lines(epreuve, &entered), basis_lines(epreuve, &derived));
    if entered != derived {
        let (dominant, dominated) = (epreuve.tool(edge.dominant), epreuve.tool(edge.dominated));
        let report = judge
            .finding(entry, format!("the basis of `{dominant}` over `{dominated}` is not what their match says"))
            .comparison(entered, derived)
            .help("derive the entry from the match; `conform derive` prints it");
        if let Some(played) = epreuve.matches().ok().and_then(|matches| matches.get(edge.shown_by)) {
            report.mark(played.value, "their match");
        }
    }
}

/// An entry as entered; absent lists are empty, an absent draw kind is none.
pub(super) fn entered_basis(entry: Value<'_>) -> Option<Basis<'_>> {
    let list = |key: &str| match entry.get(key) {
        None => Some(Vec::new()),
        Some(list) if list.kind() == Kind::Array => list.items().map(Value::as_str).collect(),
        Some(_) => None,
    };
    let undecided = match entry.get("undecided") {
        None => Some(Vec::new()),
        Some(list) if list.kind() == Kind::Array => list
            .items()
            .map(|item| {
                let kind = item.get("draw_kind").filter(|kind| !kind.is_null());
                let kind = kind.map_or(Some(None), |kind| kind.as_str().map(Some))?;
                Some((item.get("dimension")?.as_str()?, kind))
            })
            .collect(),
        Some(_) => None,
    };
    Some(Basis { won: list("won")?, undecided: undecided?, not_measured: list("not_measured")? })
}

/// One line an item, in the order of the épreuve's dimensions (unknown ones last), so that equal bases give equal lines.
pub(super) fn basis_lines(epreuve: &Epreuve<'_>, basis: &Basis<'_>) -> String {
    let order = |name: &str| {
        let known = epreuve.dimensions().ok().and_then(|all| all.named(name));
        known.unwrap_or(usize::MAX)
    };
    let mut lines: Vec<(usize, String)> = Vec::new();
    lines.extend(basis.won.iter().map(|name| (order(name), format!("{}: won\n", name.escape_debug()))));
    lines.extend(basis.undecided.iter().map(|(name, kind)| {
        let kind = kind.map_or("none".to_owned(), |kind| kind.escape_debug().to_string());
        (order(name), format!("{}: undecided, draw kind {kind}\n", name.escape_debug()))
    }));
    let not_measured = basis.not_measured.iter();
    lines.extend(not_measured.map(|name| (order(name), format!("{}: not measured\n", name.escape_debug()))));
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

fn cycles_derived(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let Some(stated) = epreuve.root.get("dominance_cycles") else { return };
    let Some(dominance) = need(epreuve.dominance(), judge) else { return };
    if stated.kind() != Kind::Array || stated.items().any(|group| group.kind() != Kind::Array) {
        judge.not_judged("/dominance_cycles", "not an array of groups");
        return;
    }
    let mut left: BTreeSet<Vec<Tool>> = dominance.cycles.iter().cloned().collect();
    let mut meant: Vec<&Vec<Tool>> = Vec::new();
    let member_of: HashMap<Tool, &Vec<Tool>> =
        dominance.cycles.iter().flat_map(|group| group.iter().map(move |&tool| (tool, group))).collect();
    for group in stated.items() {
        let tools = epreuve.tools().ok();
        let members: Option<Vec<Tool>> =
            group.items().map(|item| tools.and_then(|tools| tools.named(item.as_str()?))).collect();
        let distinct = members.map(|mut members| {
            members.sort_unstable();
            members.dedup();
            members
        });
        let Some(members) = distinct.filter(|members| members.len() == group.len()) else {
            judge
                .finding(group, "the group names a tool twice, or one that is not enrolled")
                .help("name each tool of the component once; `conform derive` prints the components");
            continue;
        };
        if left.remove(&members) {
            continue;
        }
        // A group that is only partly right is one fault: the component that it meant is then not reported as missing too.
        let real = members.iter().find_map(|tool| member_of.get(tool));
        let message = match real {
            Some(real) if **real == members => "the group is stated twice".to_owned(),
            Some(real) => format!(
                "the group is not a component of the dominance graph: that one is {}",
                named(real.iter().map(|&tool| epreuve.tool(tool)), real.len())
            ),
            None => "none of these tools is in a dominance cycle".to_owned(),
        };
        judge
            .finding(group, message)
            .help("a group is all the tools that dominate each other in a circle, directly or through others; `conform derive` prints them");
        meant.extend(real);
    }
    for group in left.iter().filter(|group| !meant.contains(group)) {
        let names = named(group.iter().map(|&tool| epreuve.tool(tool)), group.len());
        judge
            .finding(stated, format!("the cycle of {names} is not named"))
            .help("add the group; `conform derive` prints it");
    }
}

fn cycles_required(epreuve: &Epreuve<'_>, judge: &mut Judge<'_>) {
    let empty = |key: &str| epreuve.root.get(key).filter(|value| value.kind() == Kind::Array && value.is_empty());
    let Some(pareto) = empty("pareto_set") else { return };
    if epreuve.root.get("dominance_cycles").is_none_or(|cycles| cycles.kind() == Kind::Array && cycles.is_empty()) {
        judge.finding(pareto, "the Pareto set is empty and no dominance cycle is named").help(
            "name in `dominance_cycles` the tools that dominate each other in a circle; `conform derive` prints them",
        );
    } else if array(epreuve.root, "dominance_cycles").is_err() {
        judge.not_judged("/dominance_cycles", "`dominance_cycles` is no array");
    }
}
