//! Standings that do not fit their trials.

use serde_json::{Value, json};

use super::{every_criterion, every_row, row_counts, rows, set_row};
use crate::mutation::choice::{Choice, pick, word};
use crate::mutation::operator::{Draft, Operator};
use crate::mutation::place::{count, remove, set, text};
use crate::mutation::tweak::{self, DOUBLED, OFF_BY_ONE, SWAPPED, ZEROED};

const FRACTION: &[&str] = &["mavai/observed-fraction"];
const UNIQUE: &[&str] = &["mavai/standings-rows-unique"];
const TOTAL: &[&str] = &["mavai/standings-row-total"];
const BOUND: &[&str] = &["mavai/standings-bound-criterion"];
const DESCRIPTIVE: &[&str] = &["mavai/standings-descriptive"];
const PROVENANCE: &[&str] = &["mavai/provenance-unknown", "schema/enum"];
const ORDER: &[&str] = &["mavai/exemplars-order"];
const EXEMPLARS: &[&str] = &["mavai/exemplars-count"];

pub const OPERATORS: &[Operator] = &[
    Operator::new("fraction-off-by-one", "a row's fraction is one trial off", FRACTION, fraction::<OFF_BY_ONE>),
    Operator::new("fraction-swapped", "a row's fraction is of what did not pass", FRACTION, fraction::<SWAPPED>),
    Operator::new("fraction-zeroed", "a row's fraction is 0", FRACTION, fraction::<ZEROED>),
    Operator::new("fraction-doubled", "a row's fraction is twice what it should be", FRACTION, fraction::<DOUBLED>),
    Operator::new("row-repeated", "a row stands twice", UNIQUE, repeated),
    Operator::new("row-of-other-check", "two checks of an input have one name", UNIQUE, same_name).may(BOUND),
    Operator::new(
        "row-off-by-one",
        "a row counts a trial more or less than its input had",
        TOTAL,
        row_total::<OFF_BY_ONE>,
    ),
    Operator::new("row-zeroed", "a row counts no passing trial", TOTAL, row_total::<ZEROED>),
    Operator::new("row-doubled", "a row counts its passing trials twice", TOTAL, row_total::<DOUBLED>),
    Operator::new("rows-swapped", "two inputs' rows change places", TOTAL, rows_swapped),
    Operator::new("check-off-by-one", "a check failed once more than its criterion", BOUND, bound::<OFF_BY_ONE>),
    Operator::new("check-swapped", "a row's passed and failed change places", BOUND, bound::<SWAPPED>),
    Operator::new("check-zeroed", "a row passed nothing, and its criterion did", BOUND, bound::<ZEROED>),
    Operator::new("check-doubled", "a row failed twice as often, and its criterion did not", BOUND, bound::<DOUBLED>),
    Operator::new("row-that-judges", "a row states an interval, a threshold or a verdict", DESCRIPTIVE, judging_row),
    Operator::new(
        "standings-that-judge",
        "standings state an interval, a threshold or a verdict",
        DESCRIPTIVE,
        judging_block,
    ),
    Operator::new(
        "provenance-invented",
        "a row has a provenance that the schema does not know",
        PROVENANCE,
        provenance,
    ),
    Operator::new("exemplars-held-first", "an exemplar that held stands before one that did not", ORDER, held_first),
    Operator::new(
        "exemplars-off-by-one",
        "exemplars count one trial more than passed",
        EXEMPLARS,
        exemplars::<OFF_BY_ONE>,
    ),
    Operator::new("exemplars-doubled", "exemplars count the passing trials twice", EXEMPLARS, exemplars::<DOUBLED>),
    Operator::new("exemplars-swapped", "exemplars count what passed as failed", EXEMPLARS, exemplars::<SWAPPED>),
    Operator::new("exemplar-repeated", "one exemplar stands twice", EXEMPLARS, same_exemplar),
];

fn fraction<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = every_row(document)
        .into_iter()
        .filter_map(|(_, row)| {
            let counts = row_counts(document, &row)?;
            Some((tweak::fraction::<KIND>(counts[0], counts.iter().sum(), choice)?, row))
        })
        .collect();
    let (wrong, row) = pick(choice, candidates)?;
    set(document, &row, "observedFraction", wrong)?;
    Some(row + "/observedFraction")
}

fn repeated(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (criterion, row) = pick(choice, every_row(document))?;
    let twin = document.pointer(&row)?.clone();
    set(document, &format!("{criterion}/standings/rows"), "-", twin)?;
    Some(row)
}

fn same_name(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (_, criterion) in every_criterion(document) {
        let rows = rows(document, &criterion);
        for (at, row) in rows.iter().enumerate() {
            let input = count(document, row, "inputIndex");
            let own = text(document, row, "check");
            // A name that carries an input is that input's alone.
            let plain = |name: &str| !name.contains(" (input ");
            let others = rows.iter().skip(at + 1).filter(|other| count(document, other, "inputIndex") == input);
            candidates.extend(
                others
                    .filter_map(|other| Some((row.clone(), text(document, other, "check")?)))
                    .filter(|(_, name)| Some(*name) != own && plain(name) && own.is_some_and(plain))
                    .map(|(row, name)| (row, name.to_owned())),
            );
        }
    }
    let (row, name) = pick(choice, candidates)?;
    set(document, &row, "check", name)?;
    Some(row + "/check")
}

/// Changes how many trials a row passed; the check's failures, which bind its criterion, stay.
fn row_total<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let candidates = every_row(document)
        .into_iter()
        .filter_map(|(_, row)| {
            let [passed, failed, skipped] = row_counts(document, &row)?;
            Some((tweak::count::<KIND>(passed, failed, choice)?, failed, skipped, row))
        })
        .collect();
    let (passed, failed, skipped, row) = pick(choice, candidates)?;
    set_row(document, &row, [passed, failed, skipped])?;
    Some(row)
}

fn rows_swapped(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (_, criterion) in every_criterion(document) {
        let rows = rows(document, &criterion);
        for (at, row) in rows.iter().enumerate() {
            let Some(own) = row_counts(document, row).map(|counts| counts.iter().sum::<u64>()) else { continue };
            for other in
                rows.iter().skip(at + 1).filter(|other| text(document, other, "check") == text(document, row, "check"))
            {
                let total = row_counts(document, other).map(|counts| counts.iter().sum::<u64>());
                if total.is_some_and(|total| total != own) {
                    candidates.push((row.clone(), other.clone()));
                }
            }
        }
    }
    let (row, other) = pick(choice, candidates)?;
    let (own, its) = (count(document, &row, "inputIndex")?, count(document, &other, "inputIndex")?);
    set(document, &row, "inputIndex", its)?;
    set(document, &other, "inputIndex", own)?;
    Some(row + "/inputIndex")
}

/// Moves trials of a binding check from passed to failed, past what its criterion failed.
fn bound<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let mut candidates = Vec::new();
    for (_, criterion) in every_criterion(document) {
        let fail = match count(document, &criterion, "fail") {
            Some(fail) => fail,
            None => match (count(document, &criterion, "trials"), count(document, &criterion, "successes")) {
                (Some(trials), Some(successes)) => trials.saturating_sub(successes),
                _ => continue,
            },
        };
        let tolerated = document.pointer(&format!("{criterion}/standings/optionalSlack")).is_some();
        let rows = rows(document, &criterion);
        for row in &rows {
            let optional = document.pointer(&format!("{row}/optional")) == Some(&Value::Bool(true));
            let check = text(document, row, "check");
            let Some([passed, failed, skipped]) = row_counts(document, row).filter(|_| !(optional && tolerated)) else {
                continue;
            };
            let missed: u64 = rows
                .iter()
                .filter(|other| text(document, other, "check") == check)
                .filter_map(|other| row_counts(document, other))
                .map(|[_, failed, skipped]| failed + skipped)
                .sum();
            let moved = match KIND {
                OFF_BY_ONE => (fail + 1).saturating_sub(missed),
                SWAPPED => passed.saturating_sub(failed),
                ZEROED => passed,
                _ => failed,
            };
            if moved > 0 && moved <= passed && missed + moved > fail {
                candidates.push((row.clone(), [passed - moved, failed + moved, skipped]));
            }
        }
    }
    let (row, counts) = pick(choice, candidates)?;
    set_row(document, &row, counts)?;
    Some(row)
}

const JUDGING: &[&str] = &["wilsonLowerBound", "confidence", "threshold", "verdict", "upperBound", "p_value_ci"];

fn judging_row(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (_, row) = pick(choice, every_row(document))?;
    let member = word(choice, JUDGING);
    set(document, &row, member, 0.95)?;
    Some(format!("{row}/{member}"))
}

fn judging_block(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let blocks = every_criterion(document).into_iter().map(|(_, criterion)| format!("{criterion}/standings"));
    let block = pick(choice, blocks.filter(|block| document.pointer(block).is_some()).collect())?;
    let member = word(choice, JUDGING);
    set(document, &block, member, "pass")?;
    Some(format!("{block}/{member}"))
}

fn provenance(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    // A row that its input states is held to other totals.
    let stated_by_input = |row: &str| text(document, row, "provenance") == Some("input");
    let (_, row) = pick(choice, every_row(document).into_iter().filter(|(_, row)| !stated_by_input(row)).collect())?;
    let name = word(choice, &["service", "Criterion", "inputs", ""]);
    set(document, &row, "provenance", name)?;
    Some(row + "/provenance")
}

/// The exemplars that a row's counts allow: what failed, then what held.
fn exemplars_of([passed, failed, _]: [u64; 3]) -> Vec<Value> {
    let exemplar = |text: &str, count: u64, held: bool| json!({"excerpt": text, "count": count, "held": held});
    let mut list = Vec::new();
    if failed > 0 {
        list.push(exemplar("<html>", failed, false));
    }
    if passed > 0 {
        list.push(exemplar("{}", passed, true));
    }
    list
}

/// A row with counts that something can be told of, and exemplars; they are its own where it has any.
fn with_exemplars(
    document: &Value,
    choice: &mut dyn Choice,
    fits: impl Fn([u64; 3]) -> bool,
) -> Option<(String, Vec<Value>)> {
    let rows =
        every_row(document).into_iter().filter(|(_, row)| row_counts(document, row).is_some_and(&fits)).collect();
    let (_, row) = pick(choice, rows)?;
    let list = exemplars_of(row_counts(document, &row)?);
    Some((row, list))
}

fn put(document: &mut Value, row: &str, list: Vec<Value>) -> Option<String> {
    set(document, row, "observed", list)?;
    remove(document, row, "elided");
    Some(format!("{row}/observed"))
}

fn held_first(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (row, mut list) = with_exemplars(document, choice, |[passed, failed, _]| passed > 0 && failed > 0)?;
    list.reverse();
    put(document, &row, list)
}

fn exemplars<const KIND: u8>(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (row, mut list) =
        with_exemplars(document, choice, |[passed, failed, _]| passed > 0 && (KIND != SWAPPED || failed != passed))?;
    let [passed, failed, skipped] = row_counts(document, &row)?;
    match KIND {
        SWAPPED => list = exemplars_of([failed, passed, skipped]),
        _ => list.last_mut()?["count"] = (if KIND == DOUBLED { passed * 2 } else { passed + 1 }).into(),
    }
    put(document, &row, list)
}

fn same_exemplar(draft: &mut Draft<'_>, choice: &mut dyn Choice) -> Option<String> {
    let document = &mut draft.document;
    let (row, mut list) = with_exemplars(document, choice, |[passed, ..]| passed > 1)?;
    let mut twin = list.last()?.clone();
    let count = twin["count"].as_u64()?;
    twin["count"] = 1.into();
    list.last_mut()?["count"] = (count - 1).into();
    list.push(twin);
    put(document, &row, list)
}
