//! Failures attributed wrongly.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{criteria, every_distribution, is_delivery, rows};
use crate::mutation::choice::{Choice, pick};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, items, remove, set, text};
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED};

const SUM: &[&str] = &["mavai/failure-distribution-sum"];
const UNIQUE: &[&str] = &["mavai/failure-distribution-unique"];
const NAME: &[&str] = &["mavai/condition-is-name-alone"];
const PLAUSIBLE: &[&str] = &["mavai/attribution-plausible"];
const KIND: &[&str] = &["mavai/kind-stated-throughout"];
const EXCERPT: &[&str] = &["mavai/input-excerpt-agrees"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("failure-count-off-by-one", "an entry counts one trial more or less", SUM, sum::<OFF_BY_ONE>),
    Operator::new("failure-count-swapped", "an entry counts all failures beside other entries", SUM, sum::<SWAPPED>),
    Operator::new("failure-count-doubled", "an entry counts its trials twice", SUM, sum::<DOUBLED>),
    Operator::new("failure-entry-dropped", "an entry is missing", SUM, dropped),
    Operator::new("failure-entries-emptied", "failures are attributed to nothing", SUM, emptied),
    Operator::new("failure-entry-split", "one condition has two entries", UNIQUE, split),
    Operator::new("failure-entries-merged", "two conditions get one name", UNIQUE, merged),
    Operator::new("condition-with-input", "a condition's name carries its input", NAME, suffixed),
    Operator::new(
        "condition-with-other-input",
        "a condition's name carries another input than its entry",
        NAME,
        misplaced,
    ),
    Operator::new(
        "attributed-to-idle-check",
        "failures are attributed to a check that failed less often",
        PLAUSIBLE,
        idle,
    ),
    Operator::new("attributed-beyond-check", "a check is given failures of another", PLAUSIBLE, beyond),
    Operator::new("kind-dropped", "one entry of several does not state its kind", KIND, unkind),
    Operator::new("failure-excerpt-differs", "an entry quotes another input than its own", EXCERPT, excerpt),
];

/// Pointer of a distribution's entry.
fn entry(holder: &str, at: usize) -> String {
    format!("{holder}/failureDistribution/{at}")
}

/// Every entry of every distribution: its holder, its position and itself.
fn entries(document: &Value) -> Vec<(String, usize, Value)> {
    every_distribution(document)
        .into_iter()
        .flat_map(|(_, holder)| {
            let list = items(document, &format!("{holder}/failureDistribution")).to_vec();
            list.into_iter().enumerate().map(move |(at, entry)| (holder.clone(), at, entry))
        })
        .collect()
}

fn count_of(entry: &Value) -> u64 {
    entry.get("count").and_then(Value::as_u64).unwrap_or(0)
}

fn total(document: &Value, holder: &str) -> u64 {
    items(document, &format!("{holder}/failureDistribution")).iter().map(count_of).sum()
}

// Undelivered trials are bounded by the criteria too, so that their counts are left alone.
fn sum<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = entries(document)
        .into_iter()
        .filter(|(_, _, entry)| !is_delivery(entry))
        .filter_map(|(holder, at, entry)| {
            let wrong = tweak::count::<KIND>(count_of(&entry), total(document, &holder), choice)?;
            Some((holder, at, wrong.max(1))).filter(|_| wrong.max(1) != count_of(&entry))
        })
        .collect();
    let (holder, at, wrong) = pick(choice, candidates)?;
    set(document, &entry(&holder, at), "count", wrong)?;
    Some(entry(&holder, at) + "/count")
}

fn dropped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = every_distribution(document)
        .into_iter()
        .map(|(_, holder)| format!("{holder}/failureDistribution"))
        .filter(|list| items(document, list).len() > 1)
        .collect();
    let list: String = pick(choice, candidates)?;
    let at = choice.below(items(document, &list).len());
    remove(document, &list, &at.to_string())?;
    Some(list)
}

fn emptied(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (_, holder) = pick(choice, every_distribution(document))?;
    set(document, &holder, "failureDistribution", json!([]))?;
    Some(format!("{holder}/failureDistribution"))
}

fn split(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = entries(document).into_iter().filter(|(_, _, entry)| count_of(entry) > 1).collect();
    let (holder, at, mut twin) = pick(choice, candidates)?;
    let part = choice.between(1, usize::try_from(count_of(&twin) - 1).unwrap_or(1)) as u64;
    set(document, &entry(&holder, at), "count", count_of(&twin) - part)?;
    twin["count"] = part.into();
    set(document, &format!("{holder}/failureDistribution"), "-", twin)?;
    Some(format!("{holder}/failureDistribution"))
}

fn merged(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let judged = |list: &str| {
        let list = items(document, list).iter().enumerate();
        list.filter(|(_, entry)| !is_delivery(entry)).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let candidates = every_distribution(document)
        .into_iter()
        .map(|(_, holder)| format!("{holder}/failureDistribution"))
        .filter(|list| judged(list).len() > 1)
        .collect();
    let list: String = pick(choice, candidates)?;
    let mut positions = judged(&list);
    let at = positions.remove(choice.below(positions.len()));
    let model = pick(choice, positions)?;
    let mut twin = items(document, &list).get(model)?.clone();
    twin["count"] = count_of(items(document, &list).get(at)?).into();
    set(document, &list, &at.to_string(), twin)?;
    Some(format!("{list}/{at}/condition"))
}

/// Entries of judged trials whose condition leaves room for a suffix.
fn suffixable(document: &Value) -> Vec<(String, usize, Value)> {
    let short = |entry: &Value| {
        entry["condition"].as_str().is_some_and(|name| name.chars().count() < 200 && !name.contains("(input "))
    };
    entries(document).into_iter().filter(|(_, _, entry)| !is_delivery(entry) && short(entry)).collect()
}

fn suffixed(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (holder, at, old) = pick(choice, suffixable(document))?;
    let input = old.get("inputIndex").and_then(Value::as_u64).unwrap_or(0);
    let name = format!("{} (input {input})", old["condition"].as_str()?);
    set(document, &entry(&holder, at), "condition", name)?;
    Some(entry(&holder, at) + "/condition")
}

fn misplaced(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let stated = |(_, _, entry): &(String, usize, Value)| entry.get("inputIndex").is_some_and(Value::is_u64);
    let entries = suffixable(document);
    // Where no entry states its input, one is made to: an input that there is.
    let some_state = entries.iter().any(stated);
    let (holder, at, old) = pick(choice, entries.into_iter().filter(|entry| !some_state || stated(entry)).collect())?;
    let input = old.get("inputIndex").and_then(Value::as_u64).unwrap_or(0);
    let name = format!("{} (input {})", old["condition"].as_str()?, input + 1 + choice.below(3) as u64);
    set(document, &entry(&holder, at), "inputIndex", input)?;
    set(document, &entry(&holder, at), "condition", name)?;
    Some(entry(&holder, at) + "/condition")
}

/// How often each check failed over the rows that a distribution is held against: all of the run's, or the criterion's own.
fn failed_of_checks(document: &Value, run: &str, holder: &str) -> BTreeMap<String, u64> {
    let own: Vec<String> =
        if holder.ends_with("/statistics") { criteria(document, run) } else { vec![holder.to_owned()] };
    let mut failed = BTreeMap::new();
    for row in own.iter().flat_map(|criterion| rows(document, criterion)) {
        if let (Some(check), Some(count)) = (text(document, &row, "check"), count(document, &row, "failed")) {
            *failed.entry(check.to_owned()).or_default() += count;
        }
    }
    failed
}

fn idle(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (run, holder) in every_distribution(document) {
        let failed = failed_of_checks(document, &run, &holder);
        let list = items(document, &format!("{holder}/failureDistribution"));
        for (at, own) in list.iter().enumerate().filter(|(_, entry)| entry["kind"] == "evaluated") {
            for (check, failed) in &failed {
                let taken = list.iter().any(|other| other["condition"] == check.as_str());
                if !taken && *failed < count_of(own) {
                    candidates.push((entry(&holder, at), check.clone()));
                }
            }
        }
    }
    let (at, check) = pick(choice, candidates)?;
    set(document, &at, "condition", check)?;
    Some(format!("{at}/count"))
}

fn beyond(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (run, holder) in every_distribution(document) {
        let failed = failed_of_checks(document, &run, &holder);
        let list = items(document, &format!("{holder}/failureDistribution"));
        let judged: Vec<(usize, &Value)> =
            list.iter().enumerate().filter(|(_, entry)| entry["kind"] == "evaluated").collect();
        for (at, own) in &judged {
            let Some(failed) = own["condition"].as_str().and_then(|name| failed.get(name)) else { continue };
            let Some(shift) = (failed + 1).checked_sub(count_of(own)) else { continue };
            let givers = judged.iter().filter(|(giver, entry)| giver != at && count_of(entry) > shift);
            candidates.extend(
                givers.map(|(giver, entry)| (holder.clone(), *at, *giver, failed + 1, count_of(entry) - shift)),
            );
        }
    }
    let (holder, at, giver, gains, keeps) = pick(choice, candidates)?;
    set(document, &entry(&holder, at), "count", gains)?;
    set(document, &entry(&holder, giver), "count", keeps)?;
    Some(entry(&holder, at) + "/count")
}

fn unkind(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let stated: Vec<_> = entries(document).into_iter().filter(|(_, _, entry)| entry.get("kind").is_some()).collect();
    if stated.len() < 2 {
        return None;
    }
    let (holder, at, _) = pick(choice, stated.into_iter().filter(|(_, _, entry)| !is_delivery(entry)).collect())?;
    remove(document, &entry(&holder, at), "kind")?;
    Some(entry(&holder, at))
}

fn excerpt(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let inputs: Vec<u64> =
        items(document, "/inputs").iter().filter_map(|input| input.get("inputIndex")?.as_u64()).collect();
    let candidates = suffixable(document)
        .into_iter()
        .filter_map(|(holder, at, entry)| {
            let input = entry.get("inputIndex").and_then(Value::as_u64).or(inputs.first().copied())?;
            inputs.contains(&input).then_some((holder, at, input))
        })
        .collect();
    let (holder, at, input) = pick(choice, candidates)?;
    set(document, &entry(&holder, at), "inputIndex", input)?;
    set(document, &entry(&holder, at), "inputExcerpt", "what nobody asked")?;
    Some(entry(&holder, at) + "/inputExcerpt")
}
