//! Dominance that the matches do not show.

use serde_json::{Value, json};

use super::{running, texts};
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{items, last, matching, parent, remove, set};

const PARETO: &[&str] = &["torneo/pareto-derived"];
const BASIS: &[&str] = &["torneo/dominance-basis"];
const CYCLES: &[&str] = &["torneo/cycles-derived"];
/// Where nothing is left of the set, a cycle is owed.
const REQUIRED: &[&str] = &["torneo/cycles-required"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("pareto-dominated", "the Pareto set holds a tool that another dominates", PARETO, dominated),
    Operator::new("pareto-dropped", "the Pareto set lacks a tool", PARETO, pareto_dropped).may(REQUIRED),
    Operator::new("pareto-swapped", "the Pareto set holds the other tools", PARETO, pareto_swapped).may(REQUIRED),
    Operator::new("pareto-repeated", "the Pareto set holds a tool twice", PARETO, pareto_repeated)
        .may(&["schema/uniqueItems"]),
    Operator::new("basis-dropped", "a domination has no basis", BASIS, basis_dropped),
    Operator::new("basis-repeated", "a domination has two bases", BASIS, basis_repeated),
    Operator::new("basis-swapped", "the dominant tool and the dominated one change places", BASIS, basis_swapped),
    Operator::new("basis-won-more", "a basis claims a dimension that was not won", BASIS, won_more)
        .may(&["schema/minItems"]),
    Operator::new("basis-won-less", "a basis leaves out a dimension that was won", BASIS, won_less)
        .may(&["schema/minItems"]),
    Operator::new("cycle-invented", "two tools are said to dominate each other", CYCLES, cycle_invented),
    Operator::new("cycle-dropped", "a dominance cycle is not named", CYCLES, cycle_dropped).may(REQUIRED),
    Operator::new("cycle-short", "a dominance cycle lacks a tool", CYCLES, cycle_short).may(&["schema/minItems"]),
    Operator::new("cycles-absent", "nothing is dominated by nothing, and no cycle is named", REQUIRED, cycles_absent),
];

fn dominated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let set_now = texts(&draft.document, "/pareto_set");
    draft.document.get("pareto_set")?;
    let others = running(&draft.document).into_iter().filter(|tool| !set_now.contains(tool)).collect();
    let tool: String = pick(choice, others)?;
    set(&mut draft.document, "/pareto_set", "-", tool)?;
    Some("/pareto_set".to_owned())
}

fn pareto_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, matching(&draft.document, "/pareto_set/*"))?;
    remove(&mut draft.document, "/pareto_set", &last(&at))?;
    Some("/pareto_set".to_owned())
}

fn pareto_swapped(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let set_now = texts(&draft.document, "/pareto_set");
    draft.document.get("pareto_set")?;
    let others: Vec<String> = running(&draft.document).into_iter().filter(|tool| !set_now.contains(tool)).collect();
    set(&mut draft.document, "", "pareto_set", others)?;
    Some("/pareto_set".to_owned())
}

fn pareto_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let twin = pick(choice, items(&draft.document, "/pareto_set").to_vec())?;
    set(&mut draft.document, "/pareto_set", "-", twin)?;
    Some("/pareto_set".to_owned())
}

fn entry(document: &Value, choice: &mut dyn Choice) -> Option<String> {
    pick(choice, matching(document, "/dominance_basis/*"))
}

fn basis_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = entry(&draft.document, choice)?;
    remove(&mut draft.document, "/dominance_basis", &last(&at))?;
    Some("/dominance_basis".to_owned())
}

fn basis_repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = entry(&draft.document, choice)?;
    let twin = draft.document.pointer(&at)?.clone();
    set(&mut draft.document, "/dominance_basis", "-", twin)?;
    Some(at)
}

fn basis_swapped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = entry(&draft.document, choice)?;
    let (one, other) =
        (draft.document.pointer(&at)?["dominant"].clone(), draft.document.pointer(&at)?["dominated"].clone());
    set(&mut draft.document, &at, "dominant", other)?;
    set(&mut draft.document, &at, "dominated", one)?;
    Some(at)
}

fn won_more(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let undecided = matching(document, "/dominance_basis/*/undecided/*");
    let not_measured = matching(document, "/dominance_basis/*/not_measured/*");
    let at = pick(choice, undecided.into_iter().chain(not_measured).collect())?;
    let taken = remove(document, parent(&at), &last(&at))?;
    let name = taken.get("dimension").cloned().unwrap_or(taken);
    let entry = parent(parent(&at)).to_owned();
    set(document, &format!("{entry}/won"), "-", name)?;
    Some(entry)
}

fn won_less(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, matching(&draft.document, "/dominance_basis/*/won/*"))?;
    remove(&mut draft.document, parent(&at), &last(&at))?;
    Some(parent(&at).to_owned())
}

fn cycle_invented(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let named: Vec<String> =
        matching(document, "/dominance_cycles/*").iter().flat_map(|at| texts(document, at)).collect();
    document.get("dominance_cycles")?;
    let outside: Vec<String> = running(document).into_iter().filter(|tool| !named.contains(tool)).take(2).collect();
    if outside.len() < 2 {
        return None;
    }
    set(document, "/dominance_cycles", "-", json!(outside))?;
    Some("/dominance_cycles".to_owned())
}

fn cycle_dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, matching(&draft.document, "/dominance_cycles/*"))?;
    remove(&mut draft.document, "/dominance_cycles", &last(&at))?;
    Some("/dominance_cycles".to_owned())
}

fn cycle_short(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let at = pick(choice, matching(&draft.document, "/dominance_cycles/*/*"))?;
    remove(&mut draft.document, parent(&at), &last(&at))?;
    Some(parent(&at).to_owned())
}

fn cycles_absent(draft: &mut Draft<'_>, _: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    if document.get("pareto_set")?.as_array()?.is_empty() && document.get("dominance_cycles").is_some() {
        remove(document, "", "dominance_cycles")?;
        return Some("/dominance_cycles".to_owned());
    }
    None
}
